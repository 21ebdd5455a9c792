// The main entry of the package that merchants install.
export type { Callback, CallbackFacts, SignedCallback } from './callback-build.ts'
export type { AnyCallback, CallbackEvent, DisputeCallback, RefundCallback } from './callback-events.ts'
export { signTestCallback } from './callback-sample.ts'
export type { TestCallbackOptions } from './callback-sample.ts'
export { CallbackVerificationError, safeVerifyCallback, verifyCallback } from './callback-verify.ts'
export type {
  CallbackRefusal,
  SafeVerifyResult,
  VerifyCallbackOptions,
  VerifyEventsOptions,
  VerifyPaymentsOptions,
} from './callback-verify.ts'
export { Client } from './client.ts'
export type { ClientOptions, PayUrlOptions, RefundRequest, Status, TransactionKey } from './client.ts'
export { ApiError, PazarError } from './errors.ts'
export type { EventFeed, EventFeedOptions } from './event-feed.ts'
export type { HeaderRecord, HeaderSource, HeadersLike } from './headers.ts'
export { PayLinkError } from './pay-link.ts'
export type {
  Dispute,
  DisputeState,
  FeedEvent,
  Refund,
  RefundOrigin,
  RefundState,
  Transaction,
  TransactionDetails,
  TransactionState,
} from './records.ts'
export { SecretError } from './secret.ts'
export type { Mode } from './secret.ts'
export type { WebhookHeaders } from './webhook.ts'
