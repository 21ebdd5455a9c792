// The code that all adapters for web frameworks share, for example express.ts and next.ts.
import { Buffer } from 'node:buffer'
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

export interface CallbackContext {
  /** The same on every attempt. Save it under a unique key to recognise a callback that comes twice. */
  readonly webhookId: string
}

export interface CallbackHandlerOptions extends Omit<VerifyCallbackOptions, 'nowSec'> {
  /**
   * Called with every verified payment callback, also after a failed payment. Pazar gets 200 when `onCallback` resolves, and
   * sends the callback again if `onCallback` throws. The same callback may come twice: recognise it by its `webhookId`.
   */
  readonly onCallback: (callback: Callback, context: CallbackContext) => void | Promise<void>
  /** Called with the verified refund and dispute callbacks that `events` names. Required if `events` names any of them. */
  readonly onEvent?:
    | ((event: RefundCallback | DisputeCallback, context: CallbackContext) => void | Promise<void>)
    | undefined
}

export interface CallbackResponse {
  readonly status: 200 | 400 | 413
  /** Shown in Pazar's callback log. */
  readonly text: string
}

export const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' }

/** Adapters call this at the start. Otherwise a missing `onEvent` would be noticed only when an event comes. */
export function requireOnEvent({ events = [], onEvent }: CallbackHandlerOptions): void {
  const named = events.filter((one) => one !== 'payment.result')
  if (named.length === 0 || typeof onEvent === 'function') return
  throw new TypeError(
    `events names ${named.join(', ')}, but onEvent is missing: give the function that handles them.`,
  )
}

/** Does not catch errors of onCallback, onEvent and expectedAmount: the framework responds to them. */
export async function receive(
  rawBody: string | Uint8Array | null,
  headers: HeaderSource,
  options: CallbackHandlerOptions,
): Promise<CallbackResponse> {
  // Some frameworks read the body before the adapter does, with a larger limit.
  if (rawBody === null || Buffer.byteLength(rawBody) > BODY_BYTES_MAX)
    return { status: 413, text: 'This is longer than any callback.' }
  try {
    const callback = await verifyCallback(rawBody, headers, options)
    const context = { webhookId: findHeader(headers, 'webhook-id') ?? '' }
    if (callback.event === 'payment.result') await options.onCallback(callback, context)
    else await options.onEvent!(callback, context)
    return { status: 200, text: 'ok' }
  } catch (error) {
    if (!(error instanceof CallbackVerificationError)) throw error
    return { status: 400, text: `${error.reason}: ${error.message}` }
  }
}

/** `instanceof Uint8Array` could be false: some test runners and hosts use another realm, with its own Uint8Array. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value)
}

/** Null if there are too many bytes. Even then all bytes are read, because an unread body would close the connection. */
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

/** For a body that was read too early. The developer sees the message, and Pazar gets a 500 from the framework. */
export function toParsedTooEarlyError(advice: string, cause?: unknown): Error {
  const message = `The body was read before the callback's route saw it, and the signature covers its exact bytes. ${advice}`
  return new Error(message, cause === undefined ? undefined : { cause })
}
