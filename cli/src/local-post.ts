// Sends one callback or exam request to the merchant's server. `fetch` is not used, because it adds headers, refuses
// some ports and decompresses.
import { CALLBACK_TIMEOUT_MS } from '@pazar/contract/limits'
import { Buffer } from 'node:buffer'
import http from 'node:http'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'

export interface LocalRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LocalResponse {
  readonly statusCode: number | null
  /** Time until the response's headers have arrived, or until the error. */
  readonly durationMs: number
  /**
   * `timeout`: the response's headers did not arrive within CALLBACK_TIMEOUT_MS. `connect`: another error came first, for
   * example a refused connection. Null: the headers arrived.
   */
  readonly error: 'timeout' | 'connect' | null
  /** The first characters of the body. Control characters except line breaks and tabs are replaced by spaces. */
  readonly text: string
}

// Enough to recognise an error page.
const TEXT_LENGTH_MAX = 1_000
// Replaced, because many control characters take six bytes each in JSON. The CLI sends the texts of all responses of an exam
// to the service in one body, whose size is limited.
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n\r]/gu

export async function postLocally(request: LocalRequest, signal: AbortSignal): Promise<LocalResponse> {
  const startedMs = performance.now()
  const readDuration = () => Math.round(performance.now() - startedMs)
  const timeLimit = new AbortController()
  const timer = setTimeout(() => timeLimit.abort(), CALLBACK_TIMEOUT_MS)
  try {
    const response = await sendRequest(request, AbortSignal.any([signal, timeLimit.signal]))
    const durationMs = readDuration()
    const text = await readStart(response)
    return { statusCode: response.statusCode ?? null, durationMs, error: null, text }
  } catch (error) {
    if (signal.aborted) throw error
    const fault = timeLimit.signal.aborted ? 'timeout' : 'connect'
    return { statusCode: null, durationMs: readDuration(), error: fault, text: '' }
  } finally {
    clearTimeout(timer)
  }
}

function sendRequest({ url, headers, body }: LocalRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = url.startsWith('https:') ? https : http
  const ownHeaders = { 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    // A new connection each time, because the server may have restarted.
    request(url, { method: 'POST', headers: { ...headers, ...ownHeaders }, agent: false, signal })
      .on('response', resolve)
      .on('error', reject)
      .end(body)
  })
}

async function readStart(response: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      text += decoder.decode(chunk, { stream: true })
      // Leaving the loop closes the connection.
      if (text.length > TEXT_LENGTH_MAX) break
    }
  } catch {
    // The body did not arrive completely, but the status is known.
  }
  // The cut may leave half of a surrogate pair, which the service refuses in JSON.
  return text.slice(0, TEXT_LENGTH_MAX).toWellFormed().replace(CONTROL_CHARACTERS, ' ')
}
