// For code in this repository: the published names of merchant.ts, and the parts that the service uses.
export * from './merchant.ts'
export { buildCallback, signCallback } from './callback-build.ts'
export type {
  BuildCallbackOptions,
  DisputeFacts,
  RefundFacts,
  SignCallbackOptions,
} from './callback-build.ts'
export { signJwt, verifyJwt } from './jwt.ts'
export type { JwtFailure, JwtResult, JwtVerifyOptions } from './jwt.ts'
export { CALLBACK_DEPTH_MAX, HASH_BYTES_MAX, JWT_BYTES_MAX, WEBHOOK_TOLERANCE_SEC } from './limits.ts'
export { payLinkMessage, signPayLink, verifyPayLinkSig } from './pay-link.ts'
export type { PayLinkFields } from './pay-link.ts'
export { buildPayUrl } from './pay-url.ts'
export type { PayUrlFields } from './pay-url.ts'
export { findSecretMode, SECRET_BYTES_MIN } from './secret.ts'
export type { Secrets } from './secret.ts'
export { signStatusHash, verifyStatusHash } from './status-hash.ts'
export type { StatusQuestion } from './status-hash.ts'
export { isJsonObject, parseStrictJson, StrictJsonError } from './strict-json.ts'
export type { JsonObject, JsonPath, JsonValue, StrictJsonProblem } from './strict-json.ts'
export { signWebhook, verifyWebhook, WEBHOOK_ID_PATTERN, WEBHOOK_TIMESTAMP_PATTERN } from './webhook.ts'
export type { WebhookResult, WebhookToSign, WebhookVerifyOptions } from './webhook.ts'
