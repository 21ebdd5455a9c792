// What merchants install and what the service itself signs with. No dependencies, Node 18 or newer.
export { buildCallback, signCallback } from './callback.ts'
export type {
  BuildCallbackOptions,
  Callback,
  CallbackFacts,
  SignCallbackOptions,
  SignedCallback,
} from './callback.ts'
export { signTestCallback } from './callback-sample.ts'
export type { TestCallbackOptions } from './callback-sample.ts'
export { CallbackVerificationError, safeVerifyCallback, verifyCallback } from './callback-verify.ts'
export type { CallbackRefusal, SafeVerifyResult, VerifyCallbackOptions } from './callback-verify.ts'
export type { HeaderRecord, HeaderSource, HeadersLike } from './headers.ts'
export { JWT_BYTES_MAX, signJwt, verifyJwt } from './jwt.ts'
export type { JwtFailure, JwtResult, JwtVerifyOptions } from './jwt.ts'
export { PayLinkError, payLinkMessage, signPayLink, verifyPayLinkSig } from './pay-link.ts'
export type { PayLinkFields } from './pay-link.ts'
export { buildPayUrl } from './pay-url.ts'
export type { PayUrlFields } from './pay-url.ts'
export { findSecretMode, SECRET_BYTES_MIN, SecretError } from './secret.ts'
export type { Mode } from './secret.ts'
export { signStatusHash, verifyStatusHash } from './status-hash.ts'
export type { StatusQuestion } from './status-hash.ts'
export { isJsonObject, parseStrictJson, StrictJsonError } from './strict-json.ts'
export type { JsonObject, JsonPath, JsonValue, StrictJsonProblem } from './strict-json.ts'
export { signWebhook, verifyWebhook, WEBHOOK_TOLERANCE_SEC } from './webhook.ts'
export type { WebhookHeaders, WebhookResult, WebhookToSign, WebhookVerifyOptions } from './webhook.ts'
