// One request and its response. Uses undici's handler instead of its `request`, which creates a stream for each response.
import type { Client, Dispatcher } from 'undici'
import { FetchFailure } from './fetch-outcome.ts'

export interface HttpResponse {
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  bytes: Buffer
  /** How the body ended. The outcome of the attempt depends on the status alone. */
  end: 'whole' | 'too_long' | 'broken'
}

export interface HttpRequest {
  path: string
  headers: Record<string, string>
  body: Buffer
  /** A time on the monotonic clock (`performance.now`). After this time, the request is not sent any more. */
  sendByMs: number
}

/** Rejects when there is no response, or only a part of its headers. */
export function exchange(
  client: Client,
  { path, headers, body, sendByMs }: HttpRequest,
  attempt: AbortSignal,
  bodyBytesMax: number,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const reader = new ResponseReader({ attempt, sendByMs, bodyBytesMax }, resolve, reject)
    client.dispatch({ method: 'POST', path, headers, body }, reader)
  })
}

// This is a class, because otherwise new functions would be created for every callback.
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #attempt: AbortSignal
  readonly #sendByMs: number
  readonly #bodyBytesMax: number
  readonly #resolve: (response: HttpResponse) => void
  readonly #reject: (error: Error) => void
  #statusCode = 0
  #headers: HttpResponse['headers'] = {}
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(
    { attempt, sendByMs, bodyBytesMax }: { attempt: AbortSignal; sendByMs: number; bodyBytesMax: number },
    resolve: (response: HttpResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#attempt = attempt
    this.#sendByMs = sendByMs
    this.#bodyBytesMax = bodyBytesMax
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Called just before the request is written. If the request is aborted here, nothing is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // If the time has passed, this process was paused, and another process may have sent the callback meanwhile.
    if (performance.now() > this.#sendByMs) {
      controller.abort(new FetchFailure('timeout', 'this process was paused', { isEgressFault: true }))
      return
    }
    const attempt = this.#attempt
    const abort = () => controller.abort(attempt.reason as Error)
    if (attempt.aborted) abort()
    else attempt.addEventListener('abort', abort, { once: true })
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: HttpResponse['headers'],
  ): void {
    // Statuses below 200 are interim responses.
    if (statusCode < 200) return
    this.#statusCode = statusCode
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size <= this.#bodyBytesMax) return
    this.#finish('too_long')
    // This also closes the socket.
    controller.abort(new Error('the rest of the body is not read'))
  }

  onResponseEnd(): void {
    this.#finish('whole')
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish('broken')
    // This has no effect if there was a response.
    this.#reject(error)
  }

  #finish(end: HttpResponse['end']): void {
    if (this.#statusCode === 0) return
    const chunks = this.#chunks
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    const bytes = all.length > this.#bodyBytesMax ? all.subarray(0, this.#bodyBytesMax) : all
    this.#resolve({ statusCode: this.#statusCode, headers: this.#headers, bytes, end })
  }
}
