// One request and its response on a connection that is there already. By undici's handler and not by its `request`: that
// one makes a stream of every response, which for the few bytes of a merchant's "ok" costs as much as sending the callback.
import type { Client, Dispatcher } from 'undici'

export interface HttpResponse {
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Buffer
  /** The status has decided already: a body that breaks off, drips or is too long costs only its own rest. */
  end: 'whole' | 'too_long' | 'broken'
}

/** Rejects when there is no response, or not the whole head of one. */
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
        // Those below 200 are interim responses.
        if (statusCode >= 200) head = { statusCode, headers }
      },
      onResponseData(controller, chunk) {
        chunks.push(chunk)
        size += chunk.length
        if (size <= bodyBytesMax) return
        finish('too_long')
        // And with it the socket: nothing more is read.
        controller.abort(new Error('nobody needs the rest'))
      },
      onResponseEnd: () => finish('whole'),
      onResponseError(_controller, error) {
        finish('broken')
        // Without effect when there was a response.
        reject(error)
      },
    },
  )
  return promise
}
