// Verifies a callback at the merchant. The signature over the raw body is verified before the body is trusted.
import { Buffer } from 'node:buffer'
import { BODY_BYTES_MAX, HASH_BYTES_MAX } from './limits.ts'
import type { AnyCallback, CallbackEvent } from './callback-events.ts'
import { findCallback } from './callback-parse.ts'
import type { Callback } from './callback-build.ts'
import { readNowSec } from './clock.ts'
import { PazarError } from './errors.ts'
import type { HeaderSource } from './headers.ts'
import { verifyJwt } from './jwt.ts'
import { findModeConflict, findSecretMode, requireSecrets } from './secret.ts'
import type { Mode, Secrets } from './secret.ts'
import type { JsonObject, JsonValue } from './strict-json.ts'
import { verifyWebhook } from './webhook.ts'

export type CallbackRefusal =
  | 'bad_signature'
  | 'expired'
  | 'malformed'
  | 'wrong_project'
  | 'wrong_mode'
  | 'amount_mismatch'
  | 'unexpected_event'

/** Safe to log: the message names at most the event and the mode of the body, and never the secret or the hash. */
export class CallbackVerificationError extends PazarError {
  override readonly name = 'CallbackVerificationError'
  readonly reason: CallbackRefusal

  constructor(reason: CallbackRefusal, message: string) {
    super(reason, message)
    this.reason = reason
  }
}

export interface VerifyCallbackOptions {
  /** Pass a list while you rotate the secret, because a callback may be signed with any secret of the list. */
  readonly secret: Secrets
  readonly projectId?: string | undefined
  /** By default the prefix of the secret sets the mode, and a secret without a prefix accepts both modes. */
  readonly mode?: Mode | undefined
  /** The price of the order in your own records. Required, because anybody can edit the amount of an unsigned pay link. */
  readonly expectedAmount: string | ((callback: Callback) => string | Promise<string>)
  /**
   * Events that you handle in addition to `payment.result`. Other events are refused as `unexpected_event`. Check `event`
   * of the result. `expectedAmount` is compared for payments only.
   */
  readonly events?: readonly CallbackEvent[] | undefined
  readonly toleranceSec?: number | undefined
  readonly nowSec?: number | undefined
}

/** With `events`, callbacks about the named events are returned too. */
export type VerifyEventsOptions = VerifyCallbackOptions & { readonly events: readonly CallbackEvent[] }
export type VerifyPaymentsOptions = VerifyCallbackOptions & { readonly events?: undefined }

export type SafeVerifyResult<Verified = Callback> =
  | { readonly ok: true; readonly callback: Verified }
  | { readonly ok: false; readonly reason: CallbackRefusal; readonly error: CallbackVerificationError }

/**
 * Resolves with the callback, or rejects with CallbackVerificationError. Errors that `expectedAmount` throws, and errors
 * about invalid options, are passed on.
 */
export function verifyCallback(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  options: VerifyPaymentsOptions,
): Promise<Callback>
export function verifyCallback(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  options: VerifyCallbackOptions,
): Promise<AnyCallback>
export async function verifyCallback(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  options: VerifyCallbackOptions,
): Promise<AnyCallback> {
  const { projectId, mode, expectedAmount, events = [] } = options
  const secrets = requireSecrets(options.secret)
  if (typeof expectedAmount !== 'function') requireText(expectedAmount)
  for (const one of secrets) {
    const conflict = mode === undefined ? null : findModeConflict(one, mode)
    if (conflict !== null) throw new CallbackVerificationError('wrong_mode', conflict)
  }

  const { callback, secret } = requireAuthentic(rawBody, headers, secrets, options)
  if (projectId !== undefined && callback.projectId !== projectId) {
    throw new CallbackVerificationError('wrong_project', 'The callback belongs to another project.')
  }
  requireMode(callback.mode, secret, mode)
  if (callback.event !== 'payment.result') {
    if (events.includes(callback.event)) return callback
    throw new CallbackVerificationError(
      'unexpected_event',
      `This is ${callback.event}, not payment.result: name it in events if you handle it.`,
    )
  }
  const expected: unknown =
    typeof expectedAmount === 'function' ? await expectedAmount(callback) : expectedAmount
  // Undefined or null means an unknown order.
  if (expected !== undefined && expected !== null) requireText(expected)
  if (callback.amount !== expected) {
    throw new CallbackVerificationError('amount_mismatch', 'The amount paid is not the amount expected.')
  }
  return callback
}

// A number would never match, and every callback would be refused as amount_mismatch.
function requireText(amount: unknown): void {
  if (typeof amount === 'string') return
  throw new TypeError(
    amount === undefined || amount === null
      ? 'expectedAmount is missing: give the price of the order, or a function that finds it.'
      : `expectedAmount must be text such as '1500', not ${typeof amount}.`,
  )
}

/**
 * Like verifyCallback, but returns the refusal. Errors that `expectedAmount` throws, and errors about invalid options, are
 * still passed on.
 */
export function safeVerifyCallback(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  options: VerifyPaymentsOptions,
): Promise<SafeVerifyResult>
export function safeVerifyCallback(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  options: VerifyCallbackOptions,
): Promise<SafeVerifyResult<AnyCallback>>
export async function safeVerifyCallback(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  options: VerifyCallbackOptions,
): Promise<SafeVerifyResult<AnyCallback>> {
  try {
    return { ok: true, callback: await verifyCallback(rawBody, headers, options) }
  } catch (error) {
    if (error instanceof CallbackVerificationError) return { ok: false, reason: error.reason, error }
    throw error
  }
}

function requireAuthentic(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  secrets: readonly [string, ...string[]],
  { toleranceSec, nowSec = readNowSec() }: VerifyCallbackOptions,
): { callback: AnyCallback & JsonObject; secret: string } {
  // `instanceof Uint8Array` could be false: some test runners use another realm, which has its own class Uint8Array.
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) {
    throw new CallbackVerificationError(
      'malformed',
      'Pass the raw body, as text or bytes, not the parsed object: the signature covers the exact bytes.',
    )
  }
  const bytes = typeof rawBody === 'string' ? Buffer.from(rawBody, 'utf8') : rawBody
  if (bytes.length > BODY_BYTES_MAX) {
    throw new CallbackVerificationError('malformed', 'The body is longer than any callback.')
  }
  const verify = (secret: string) => verifyWebhook(bytes, headers, { secret, toleranceSec, nowSec })
  // A secret also counts as the signer if its signature has expired. Otherwise the refusal could be bad_signature instead of
  // expired.
  const isSigner = (one: string) => {
    const result = verify(one)
    return result.ok || result.reason === 'expired'
  }
  const secret = secrets.find(isSigner) ?? secrets[0]
  const webhook = verify(secret)
  if (!webhook.ok) {
    if (webhook.reason === 'expired') {
      throw new CallbackVerificationError(
        'expired',
        'The callback was signed too long ago, or a clock is wrong.',
      )
    }
    throw new CallbackVerificationError('bad_signature', explainBadSignature(bytes, secret))
  }
  const callback = findCallback(bytes)
  if (callback === null) {
    throw new CallbackVerificationError(
      'malformed',
      'The signature is valid, but the body is not a Pazar callback.',
    )
  }
  const token = verifyJwt(callback.hash, secret, { nowSec, maxBytes: HASH_BYTES_MAX })
  if (!token.ok || !isSameMessage(token.payload, callback, webhook.id)) {
    throw new CallbackVerificationError('bad_signature', 'The hash does not belong to this body.')
  }
  return { callback, secret }
}

function requireMode(callbackMode: Mode, secret: string, expectedMode: Mode | undefined): void {
  const conflict = findModeConflict(secret, callbackMode)
  if (conflict !== null) throw new CallbackVerificationError('wrong_mode', conflict)
  if (expectedMode !== undefined && callbackMode !== expectedMode) {
    throw new CallbackVerificationError(
      'wrong_mode',
      `The callback is in ${callbackMode} mode, but ${expectedMode} was expected.`,
    )
  }
}

// A common mistake is to use the secret of the other mode. The body is not verified, so the message has none of its text: the
// mode in the body only selects a fixed sentence.
function explainBadSignature(bytes: Uint8Array, secret: string): string {
  const claimed = findSecretMode(secret) === null ? undefined : findCallback(bytes)?.mode
  const conflict = claimed === undefined ? null : findModeConflict(secret, claimed)
  return `The signature in the headers does not match the raw body. ${conflict ?? ''}`.trim()
}

// The hash must contain every field of the body except `hash`, plus iat and jti, and nothing else. A body that has a
// field iat or jti is refused. Otherwise this field would be counted both as a field of the body and as a claim, and the
// hash could contain one claim that is not in the body.
function isSameMessage(payload: JsonObject, body: JsonObject, id: string): boolean {
  const { hash: _hash, ...facts } = body
  const claims = Object.keys(payload)
  const names = Object.keys(facts)
  if (Object.hasOwn(facts, 'iat') || Object.hasOwn(facts, 'jti')) return false
  if (payload['jti'] !== id || !Object.hasOwn(payload, 'iat') || claims.length !== names.length + 2)
    return false
  return names.every((name) => Object.hasOwn(payload, name) && isSameJson(payload[name], facts[name]))
}

function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
