// The part that all adapters share. It runs once the framework has given them the bytes.
import { findHeader } from './headers.ts'
import { BODY_BYTES_MAX } from './limits.ts'
import { CallbackVerificationError, verifyCallback } from './merchant.ts'
import type {
  Callback,
  DisputeCallback,
  HeaderSource,
  RefundCallback,
  VerifyCallbackOptions,
} from './merchant.ts'

/** What the headers say about a verified callback. */
export interface CallbackContext {
  /** The same on every attempt: save it under a unique key to recognise a callback that comes twice. */
  readonly webhookId: string
}

export interface CallbackHandlerOptions extends Omit<VerifyCallbackOptions, 'nowSec'> {
  /**
   * Called with every verified callback, including failures. Pazar gets 200 when this resolves, and sends the callback again
   * if this throws. So the same callback may come twice: recognise it by its `webhookId`. `Callback` says what a "fail"
   * after a "success" means.
   */
  readonly onCallback: (callback: Callback, context: CallbackContext) => void | Promise<void>
  /** Called with the other events that `events` names. Required if it names any. */
  readonly onEvent?:
    | ((event: RefundCallback | DisputeCallback, context: CallbackContext) => void | Promise<void>)
    | undefined
}

export interface CallbackResponse {
  readonly status: 200 | 400 | 413
  /** Shown in Pazar's callback log. Contains no secret. */
  readonly text: string
}

export const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' }

/** Adapters call this when they are set up. Without onEvent, the named events would be acknowledged and lost. */
export function requireOnEvent({ events = [], onEvent }: CallbackHandlerOptions): void {
  const named = events.filter((one) => one !== 'payment.result')
  if (named.length === 0 || typeof onEvent === 'function') return
  throw new TypeError(
    `events names ${named.join(', ')}, but onEvent is missing: give the function that handles them.`,
  )
}

/** Errors of onCallback, onEvent and expectedAmount are not caught here, so the framework responds to them. */
export async function receive(
  rawBody: string | Uint8Array | null,
  headers: HeaderSource,
  options: CallbackHandlerOptions,
): Promise<CallbackResponse> {
  if (rawBody === null) return { status: 413, text: 'This is longer than any callback.' }
  try {
    const callback = await verifyCallback(rawBody, headers, options)
    // Verified above, so the header is there.
    const context = { webhookId: findHeader(headers, 'webhook-id') ?? '' }
    if (callback.event === 'payment.result') await options.onCallback(callback, context)
    else await options.onEvent!(callback, context) // Not optional: see requireOnEvent.
    return { status: 200, text: 'ok' }
  } catch (error) {
    if (!(error instanceof CallbackVerificationError)) throw error
    return { status: 400, text: `${error.reason}: ${error.message}` }
  }
}

/**
 * instanceof is not used, because some test runners and hosts use a separate realm, whose Uint8Array is another class.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value)
}

/** Null if there are too many bytes. The rest is read and dropped, because an unread request would close the connection. */
export async function readBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(BODY_BYTES_MAX)
  let length = 0
  for await (const chunk of chunks) {
    // A decoded text may differ from the bytes that were signed.
    if (!isBytes(chunk)) throw toParsedTooEarlyError('Do not call setEncoding() on the request.')
    if (length + chunk.length <= BODY_BYTES_MAX) bytes.set(chunk, length)
    length += chunk.length
  }
  return length <= BODY_BYTES_MAX ? bytes.subarray(0, length) : null
}

/**
 * The error for the most common mistake: the body was parsed too early. Only the developer sees its text; the service
 * gets the framework's 500.
 */
export function toParsedTooEarlyError(advice: string, cause?: unknown): Error {
  const message = `The body was read before the callback's route saw it, and the signature covers its exact bytes. ${advice}`
  return new Error(message, cause === undefined ? undefined : { cause })
}
