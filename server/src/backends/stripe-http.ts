// The HTTP client for Stripe's SDK. Unlike the SDK's own client, it limits the time of the whole call. It refuses a response
// with a success status if the body has an error, and a response with another status if the body has no error. The errors
// that this client throws never make the SDK retry.
import type { Stripe } from 'stripe'
import { request } from 'undici'
import { GarbledResponseError, NeverSentError, UnknownOutcomeError } from './backend.ts'
import { createUpstreamAgent, readResponse } from './upstream-agent.ts'

/** A page of a hundred sessions has a few hundred kilobytes. */
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024

type HttpClient = Stripe.HttpClient
type RequestArguments = Parameters<HttpClient['makeRequest']>

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseResponse(status: number, bytes: Buffer): Record<string, unknown> {
  const isSuccess = status >= 200 && status < 300
  const Fault = isSuccess ? GarbledResponseError : UnknownOutcomeError
  const fault = new Fault(`Stripe responded ${status} without a usable body`)
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    // The parse error is dropped, because its message would quote the body.
    throw fault
  }
  if (!isObject(body) || isSuccess === isObject(body['error'])) throw fault
  return body
}

/** Removes the SDK's telemetry about this machine. */
function toHeaders(sdkHeaders: RequestArguments[4]): Record<string, string> {
  const sentHeaders = Object.entries(sdkHeaders).filter(([name]) => !/^x-stripe-client/i.test(name))
  return {
    ...Object.fromEntries(sentHeaders.map(([name, value]) => [name, String(value)])),
    'accept-encoding': 'identity',
  }
}

export function createStripeHttp(): HttpClient {
  const dispatcher = createUpstreamAgent()

  async function send(...[host, port, path, method, headers, data, protocol, timeoutMs]: RequestArguments) {
    try {
      const response = await request(`${protocol}://${host}:${port}${path}`, {
        method: method === 'GET' ? 'GET' : 'POST',
        headers: toHeaders(headers),
        body: method === 'GET' ? null : data,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const bytes = await readResponse(response.body, RESPONSE_BYTES_MAX)
      return { status: response.statusCode, requestId: response.headers['request-id'], bytes }
    } catch (error) {
      if (error instanceof NeverSentError || error instanceof UnknownOutcomeError) throw error
      throw new UnknownOutcomeError('Stripe did not respond', { cause: error })
    }
  }

  return {
    getClientName: () => 'undici',
    async makeRequest(...sent) {
      const { status, requestId, bytes } = await send(...sent)
      const body = parseResponse(status, bytes)
      return {
        getStatusCode: () => status,
        // The SDK would print the header `stripe-notice`, so it gets only the header that it needs.
        getHeaders: () => ({ 'request-id': String(requestId ?? '') }),
        getRawResponse: () => ({}),
        toStream: () => {
          throw new Error('responses are not read as streams')
        },
        toJSON: async () => body,
      }
    },
  }
}
