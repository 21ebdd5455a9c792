import { NOW_SEC, TEST_SECRET } from './forge.ts'
import { signTestCallback } from '../src/callback-sample.ts'
import { safeVerifyCallback } from '../src/callback-verify.ts'
import type { VerifyCallbackOptions } from '../src/callback-verify.ts'
import { signJwt } from '../src/jwt.ts'
import type { JsonObject } from '../src/strict-json.ts'
import { signWebhook } from '../src/webhook.ts'

export const ID = 'msg_0190a1b2'
export const sampleOptions = {
  secret: TEST_SECRET,
  id: ID,
  nowSec: NOW_SEC,
  customId: 'order-7',
  data: 'Narudžba 7',
}
export const valid = signTestCallback(sampleOptions)
export const verifyOptions: VerifyCallbackOptions = {
  secret: TEST_SECRET,
  expectedAmount: '1500',
  nowSec: NOW_SEC,
}

/** 'ok' or the reason of the refusal. */
export async function verify(
  body: string | Uint8Array,
  change: Partial<VerifyCallbackOptions> = {},
  headers = valid.headers,
) {
  const result = await safeVerifyCallback(body, headers, { ...verifyOptions, ...change })
  return result.ok ? 'ok' : result.reason
}

/** Signs new headers for the body, so that only the checks after the signature can refuse the body. */
export async function verifyResigned(body: string | Uint8Array, secret = TEST_SECRET): Promise<string> {
  return verify(body, { secret }, signWebhook({ id: ID, timestampSec: NOW_SEC, body, secret }))
}
export function splitHash(body: string): { facts: JsonObject; hash: string } {
  const { hash, ...facts } = JSON.parse(body) as JsonObject & { hash: string }
  return { facts, hash }
}
/** A body with a new `hash` over its other fields. `claims` overrides or adds claims of the hash. */
export function rehash(facts: JsonObject, claims: JsonObject = {}, secret = TEST_SECRET): string {
  return JSON.stringify({ ...facts, hash: signJwt({ ...facts, iat: NOW_SEC, jti: ID, ...claims }, secret) })
}
