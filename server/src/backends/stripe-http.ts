// How Stripe's SDK reaches Stripe. Its own client tries a closed connection again, waits for silence rather than for the
// end, and takes any JSON without an `error` for success, whatever the status says; this one does none of that, and tells
// "certainly not sent" from "unknown" as the http upstream does.
import type { Stripe } from 'stripe'
import { request } from 'undici'
import { GarbledAnswerError, NeverSentError, UnknownOutcomeError } from './backend.ts'
import { createUpstreamAgent, readAnswer } from './upstream-agent.ts'

/** A page of a hundred sessions has a few hundred kilobytes. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

type HttpClient = Stripe.HttpClient
type Sent = Parameters<HttpClient['makeRequest']>

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseAnswer(status: number, bytes: Buffer): Record<string, unknown> {
  const isSuccess = status >= 200 && status < 300
  const Fault = isSuccess ? GarbledAnswerError : UnknownOutcomeError
  const fault = new Fault(`Stripe answered ${status} without anything to believe`)
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    // Which byte is no JSON does not matter: nothing of it is used.
    throw fault
  }
  if (!isObject(body) || isSuccess === isObject(body['error'])) throw fault
  return body
}

/** What the SDK would tell about this machine and its speed is nobody's business. */
function toHeaders(given: Sent[4]): Record<string, string> {
  const kept = Object.entries(given).filter(([name]) => !/^x-stripe-client/i.test(name))
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    'accept-encoding': 'identity',
  }
}

export function createStripeHttp(): HttpClient {
  const dispatcher = createUpstreamAgent()

  async function send(...[host, port, path, method, headers, data, protocol, timeoutMs]: Sent) {
    try {
      const response = await request(`${protocol}://${host}:${port}${path}`, {
        method: method === 'GET' ? 'GET' : 'POST',
        headers: toHeaders(headers),
        body: method === 'GET' ? null : data,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const bytes = await readAnswer(response.body, ANSWER_BYTES_MAX)
      return { status: response.statusCode, requestId: response.headers['request-id'], bytes }
    } catch (error) {
      if (error instanceof NeverSentError || error instanceof UnknownOutcomeError) throw error
      throw new UnknownOutcomeError('Stripe did not answer', { cause: error })
    }
  }

  return {
    getClientName: () => 'undici',
    async makeRequest(...sent) {
      const { status, requestId, bytes } = await send(...sent)
      const body = parseAnswer(status, bytes)
      return {
        getStatusCode: () => status,
        // Its other headers would make the SDK print notices and try again by itself.
        getHeaders: () => ({ 'request-id': String(requestId ?? '') }),
        getRawResponse: () => ({}),
        toStream: () => {
          throw new Error('nothing here is read as a stream')
        },
        toJSON: async () => body,
      }
    },
  }
}
