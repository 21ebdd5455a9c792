// One request and its response on an open connection. Uses undici's handler instead of its `request`, which creates
// a stream for every response; for the few bytes of a merchant's "ok" that costs as much as sending the callback.
import type { Client, Dispatcher } from 'undici'

export interface HttpResponse {
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Buffer
  /** The status alone decides the outcome. A body that breaks off, takes too long or is too long is only cut. */
  end: 'whole' | 'too_long' | 'broken'
}

/** Rejects when there is no response, or an incomplete head. */
export function exchange(
  client: Client,
  request: Pick<Dispatcher.DispatchOptions, 'path' | 'headers'> & { body: Buffer },
  attempt: AbortSignal,
  bodyBytesMax: number,
): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
  const chunks: Buffer[] = []
  let head: Pick<HttpResponse, 'statusCode' | 'headers'> | null = null
  let size = 0
  const finish = (end: HttpResponse['end']) => {
    if (head !== null) resolve({ ...head, bytes: Buffer.concat(chunks).subarray(0, bodyBytesMax), end })
  }
  client.dispatch(
    { ...request, method: 'POST' },
    {
      onRequestStart(controller) {
        const abort = () => controller.abort(attempt.reason as Error)
        if (attempt.aborted) abort()
        else attempt.addEventListener('abort', abort, { once: true })
      },
      onResponseStart(_controller, statusCode, headers) {
        // Statuses below 200 are interim responses.
        if (statusCode >= 200) head = { statusCode, headers }
      },
      onResponseData(controller, chunk) {
        chunks.push(chunk)
        size += chunk.length
        if (size <= bodyBytesMax) return
        finish('too_long')
        // This also closes the socket: nothing more is read.
        controller.abort(new Error('the rest of the body is not read'))
      },
      onResponseEnd: () => finish('whole'),
      onResponseError(_controller, error) {
        finish('broken')
        // This has no effect if there was a response.
        reject(error)
      },
    },
  )
  return promise
}
