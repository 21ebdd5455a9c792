// One signed request to a shop on this machine, sent as the service would send it: the same headers, to any port, no
// redirect followed, nothing unpacked, and judged by the status line. Hence not fetch, which does otherwise in each.
import { Buffer } from 'node:buffer'
import http from 'node:http'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'

export interface LocalRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LocalAnswer {
  /** Null when none came. */
  readonly statusCode: number | null
  /** Until the status line. */
  readonly durationMs: number
  readonly error: 'timeout' | 'connect' | null
  /** How it begins. */
  readonly text: string
}

// As long as the service itself waits for a shop.
const TIMEOUT_MS = 15_000
// Enough to recognise an answer by; a shop's error page may be of any length.
const TEXT_LENGTH_MAX = 1_000

export async function postLocally(request: LocalRequest, signal: AbortSignal): Promise<LocalAnswer> {
  const startedMs = performance.now()
  const readDuration = () => Math.round(performance.now() - startedMs)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), TIMEOUT_MS)
  try {
    const response = await send(request, AbortSignal.any([signal, late.signal]))
    const durationMs = readDuration()
    const text = await readStart(response)
    return { statusCode: response.statusCode ?? null, durationMs, error: null, text }
  } catch (error) {
    if (signal.aborted) throw error
    const why = late.signal.aborted ? 'timeout' : 'connect'
    return { statusCode: null, durationMs: readDuration(), error: why, text: '' }
  } finally {
    clearTimeout(timer)
  }
}

function send({ url, headers, body }: LocalRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = url.startsWith('https:') ? https : http
  const own = { 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    // A connection of its own: one kept from before may be to a shop that was started anew meanwhile.
    request(url, { method: 'POST', headers: { ...headers, ...own }, agent: false, signal })
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
      // Leaving the loop closes the connection: nothing more is read.
      if (text.length > TEXT_LENGTH_MAX) break
    }
  } catch {
    // It broke off, or went on for too long. The status has decided already, and what is lost is only shown.
  }
  return text.slice(0, TEXT_LENGTH_MAX)
}
