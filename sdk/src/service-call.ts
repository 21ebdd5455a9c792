// One request to the service. The result has exactly the documented shape or is an ApiError: a proxy's page or a partial
// response must never count as "paid" or "not paid".
import { ApiError } from './errors.ts'
import { findJsonObject } from './strict-json.ts'
import type { JsonObject } from './strict-json.ts'

export interface ServiceCall {
  readonly url: string
  readonly body: object
  readonly timeoutMs: number
  readonly fetch: typeof globalThis.fetch
}

export async function askService(call: ServiceCall): Promise<{ successful: boolean }> {
  const { status, answer } = await send(call)
  if (status === 200 && typeof answer['successful'] === 'boolean') return { successful: answer['successful'] }
  const code = toText(answer['code'])
  if (status < 400 || code === undefined) {
    throw new ApiError('unexpected_answer', `The answer (HTTP ${status}) is not Pazar's: is baseUrl right?`, {
      status,
    })
  }
  throw new ApiError(code, toText(answer['detail']) ?? code, {
    status,
    requestId: toText(answer['requestId']),
    docsUrl: toText(answer['type']),
  })
}

// The service's longest response, an error with one entry per field, has about 2 KiB.
const ANSWER_BYTES_MAX = 64 * 1024
// A list of field errors has depth 3.
const ANSWER_DEPTH_MAX = 8

/** `answer` is empty unless the body is strict JSON within the limit; it may also be a large page. */
async function send(call: ServiceCall): Promise<{ status: number; answer: JsonObject }> {
  const { url, body, timeoutMs, fetch } = call
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      // Following a redirect could turn the request into a GET or send its hash to another host.
      redirect: 'error',
      signal: late,
    })
    const bytes = await readAnswer(response)
    return { status: response.status, answer: findJsonObject(bytes, { maxDepth: ANSWER_DEPTH_MAX }) ?? {} }
  } catch (cause) {
    // The error's name is not enough: older runtimes use AbortError for a timeout during the body.
    throw late.aborted
      ? new ApiError('timeout', `Pazar did not answer within ${timeoutMs} ms.`, { cause })
      : new ApiError('unreachable', 'Pazar cannot be reached at baseUrl, or it answered with a redirect.', {
          cause,
        })
  }
}

/** Empty if the body is longer than any response of the service; the rest is not read. */
async function readAnswer({ body }: Response): Promise<Uint8Array> {
  const bytes = new Uint8Array(ANSWER_BYTES_MAX)
  const reader = body?.getReader()
  let length = 0
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    if (length + piece.value.length > ANSWER_BYTES_MAX) {
      await reader?.cancel()
      return new Uint8Array()
    }
    bytes.set(piece.value, length)
    length += piece.value.length
  }
  return bytes.subarray(0, length)
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
