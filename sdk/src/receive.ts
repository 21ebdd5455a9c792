// What every adapter does with a callback's bytes once its framework has let go of them.
import { BODY_BYTES_MAX } from './callback-limits.ts'
import { CallbackVerificationError, verifyCallback } from './merchant.ts'
import type { Callback, HeaderSource, VerifyCallbackOptions } from './merchant.ts'

export interface CallbackHandlerOptions extends Omit<VerifyCallbackOptions, 'nowSec'> {
  /**
   * Gets every callback that is proven genuine, failures too. Pazar is told 200 when this has ended and tries again when
   * it throws, so the same callback may come twice: keep its `transactionId`, and let a paid order stay paid.
   */
  readonly onCallback: (callback: Callback) => void | Promise<void>
}

export interface CallbackAnswer {
  readonly status: 200 | 400 | 413
  /** Shown in Pazar's delivery log; it holds nothing secret. */
  readonly text: string
}

export const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' }

/** What onCallback and expectedAmount throw passes through, for the framework to answer and to log. */
export async function receive(
  rawBody: string | Uint8Array | null,
  headers: HeaderSource,
  options: CallbackHandlerOptions,
): Promise<CallbackAnswer> {
  if (rawBody === null) return { status: 413, text: 'This is longer than any callback.' }
  try {
    await options.onCallback(await verifyCallback(rawBody, headers, options))
    return { status: 200, text: 'ok' }
  } catch (error) {
    if (!(error instanceof CallbackVerificationError)) throw error
    return { status: 400, text: `${error.reason}: ${error.message}` }
  }
}

/** Not instanceof: test runners and some hosts hand in a Uint8Array that is not ours. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value)
}

/** Null when there are too many; those are read and dropped, because leaving a request half read ends its connection. */
export async function readBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(BODY_BYTES_MAX)
  let length = 0
  for await (const chunk of chunks) {
    // Text: what the decoder could not read is lost, and what it could may have been written otherwise.
    if (!isBytes(chunk)) throw toParsedTooEarly('Do not call setEncoding() on the request.')
    if (length + chunk.length <= BODY_BYTES_MAX) bytes.set(chunk, length)
    length += chunk.length
  }
  return length <= BODY_BYTES_MAX ? bytes.subarray(0, length) : null
}

/** The commonest mistake of all, told to whoever made it; the caller of the shop gets the framework's plain 500. */
export function toParsedTooEarly(advice: string, cause?: unknown): Error {
  const message = `The body was read before the callback's route saw it, and the signature covers its exact bytes. ${advice}`
  return new Error(message, cause === undefined ? undefined : { cause })
}
