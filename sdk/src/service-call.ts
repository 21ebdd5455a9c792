// Sends one request to the service. If the response does not have the documented format, an ApiError is thrown. So the
// error page of a proxy counts neither as paid nor as unpaid.
import { Buffer } from 'node:buffer'
import { ApiError } from './errors.ts'
import { findJsonObject } from './strict-json.ts'
import type { JsonObject } from './strict-json.ts'

export interface ServiceCall {
  readonly url: string
  readonly body: object
  readonly timeoutMs: number
  readonly fetch: typeof globalThis.fetch
  readonly token?: string | undefined
  /** Ends the request before its timeout. */
  readonly signal?: AbortSignal | undefined
  /** The longest response of this route. */
  readonly responseBytesMax?: number | undefined
}

/** `read` converts the JSON of a successful response, or returns undefined if the format is wrong. */
export async function callService<T>(
  call: ServiceCall,
  read: (json: JsonObject) => T | undefined,
): Promise<T> {
  const { status, json } = await send(call)
  const parsed = status === 200 || status === 201 ? read(json) : undefined
  if (parsed !== undefined) return parsed
  const code = toText(json['code'])
  if (status < 400 || code === undefined) {
    const message = `The response (HTTP ${status}) is not from Pazar: check baseUrl.`
    throw new ApiError('unexpected_answer', message, { status })
  }
  throw new ApiError(code, toText(json['detail']) ?? code, {
    status,
    requestId: toText(json['requestId']),
    docsUrl: toText(json['type']),
    next: toText(json['next']),
  })
}

// The longest error response, with one entry per field, has about 2 KiB.
const RESPONSE_BYTES_MAX = 64 * 1024
// A list of field errors has depth 3.
const RESPONSE_DEPTH_MAX = 8

/** `json` is empty if the body is too long or not a strict JSON object. */
async function send(call: ServiceCall): Promise<{ status: number; json: JsonObject }> {
  const { url, body, timeoutMs, fetch, token, signal, responseBytesMax = RESPONSE_BYTES_MAX } = call
  const timeoutSignal = AbortSignal.timeout(timeoutMs)
  const joined = joinSignals(timeoutSignal, signal)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      // Following a redirect could turn the request into a GET or send its hash to another host.
      redirect: 'error',
      signal: joined.signal,
    })
    const bytes = await readBody(response, responseBytesMax)
    return { status: response.status, json: findJsonObject(bytes, { maxDepth: RESPONSE_DEPTH_MAX }) ?? {} }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    // If the timeout comes while the body is read, older runtimes throw AbortError. So the error's name does not show
    // whether it was a timeout.
    throw timeoutSignal.aborted
      ? new ApiError('timeout', `Pazar did not respond within ${timeoutMs} ms.`, { cause })
      : new ApiError('unreachable', 'Pazar cannot be reached at baseUrl, or it responded with a redirect.', {
          cause,
        })
  } finally {
    joined.release()
  }
}

/** Empty if the body is longer than `bytesMax`. */
async function readBody({ body }: Response, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  const reader = body?.getReader()
  let length = 0
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    length += piece.value.length
    if (length > bytesMax) {
      await reader?.cancel()
      return new Uint8Array()
    }
    pieces.push(piece.value)
  }
  return Buffer.concat(pieces)
}

interface JoinedSignal {
  signal: AbortSignal
  /** Removes the listeners, because the caller's signal may be used for many requests. */
  release: () => void
}

/** Node 18 has no AbortSignal.any. */
function joinSignals(timeoutSignal: AbortSignal, signal: AbortSignal | undefined): JoinedSignal {
  if (signal === undefined) return { signal: timeoutSignal, release: () => undefined }
  const controller = new AbortController()
  const releases = [timeoutSignal, signal].map((one) => {
    const end = () => controller.abort(one.reason)
    if (one.aborted) end()
    else one.addEventListener('abort', end, { once: true })
    return () => one.removeEventListener('abort', end)
  })
  return { signal: controller.signal, release: () => releases.forEach((release) => release()) }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
