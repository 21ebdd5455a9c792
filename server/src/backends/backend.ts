// The interface of an upstream, the service that moves the money. Our id of the payment or refund is the idempotency key of
// every call about it.
// Long: one interface.
import type { Mode } from '@pazar/contract'
import type { LookupQuota } from './lookup-quota.ts'
import type { Origin, RefundOrigin } from './origin.ts'
import type { Listed, Pager } from './pager.ts'

export interface NewCharge {
  id: string
  amount: bigint
  currency: string
  /** How many decimals the amount has. */
  scale: number
  projectId: string
  mode: Mode
  customId: string | null
  data: string | null
  /** The name of a verified merchant, which the upstream may show to the payer. Absent or null: not verified. */
  merchantName?: string | null
  /** The address to which the bank's page sends the payer back. */
  returnUrl: string
  origin?: Pick<Origin, 'installationId' | 'attemptId' | 'checkoutId' | 'createdAt'>
}

/** An upstream's report of a payment. It is compared with what the payer confirmed before it changes anything. */
export interface Charge {
  /** Our id of the payment. */
  id: string
  status: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'cancelled'
  amount: bigint
  currency: string
  /** Null: the upstream did not report it. */
  projectId: string | null
  /** The upstream's own id of the charge, if it has one. */
  chargeId: string | null
  failureCode: string | null
  /** The bank's page, while the payer has to act there. */
  actionUrl: string | null
  /** Sorts the reports of this payment: a report with a lower number than a recorded one is late and changes nothing. */
  sequence?: number | null
  /**
   * Only in lists: what we stored with the payment. Null: the payment is not ours, or was opened by a release that stored
   * less.
   */
  origin?: Origin | null
  /** In lists of Stripe: the id of the checkout session. */
  sessionId?: string
}

/** A refund that this service requests. Its id is the idempotency key. */
export interface NewRefund {
  id: string
  paymentId: string
  projectId: string
  amount: bigint
  currency: string
  /** The upstream's own id of the charge to refund, if it is known. */
  chargeId: string | null
  /** The charge is not the payment's own but another one, which an operator named. */
  isOtherCharge?: boolean
  /** The upstream's own id of the refund, once it is known. */
  upstreamRef: string | null
  /** False: the refund was made at the upstream, which does not know our id. */
  isOwn: boolean
  origin?: RefundOrigin
}

/** An upstream's report of a refund, requested here or made at the upstream itself. */
export interface RefundReport {
  /** Our id; null: the refund was made at the upstream. */
  id: string | null
  /** Null: the upstream reported only the charge. */
  paymentId: string | null
  chargeId: string | null
  /** `failed` can follow `succeeded`: the bank returned the money. */
  status: 'pending' | 'succeeded' | 'failed'
  amount: bigint
  currency: string
  /** The upstream's own id of the refund, if it has one. */
  upstreamRef: string | null
  pendingReason: string | null
  failureCode: string | null
  /** The upstream expects the status to change, so the refund is looked up again after this time. */
  changesInMs?: number | null
  origin?: RefundOrigin | null
}

/** Refunds at an upstream. Every error leaves the outcome unknown, even a NeverSentError. */
export interface BackendRefunds {
  /** Whether the upstream declares that it can refund. This is never guessed from a failed request. */
  isOffered(): Promise<boolean>
  /**
   * How long a refund with an unknown outcome is sent again with the same idempotency key. After that, a refund that the
   * upstream does not have counts as failed. Absent: REFUND_RESEND_MS in refunds/check-plan.ts.
   */
  readonly resendMs?: number
  refund(refund: NewRefund): Promise<RefundReport>
  /** Null: the upstream has no such refund. */
  findRefund(refund: NewRefund): Promise<RefundReport | null>
  /** Lists all refunds of a payment. For an upstream whose webhooks may report only that refunds have changed. */
  listRefunds?: (payment: { id: string; chargeId: string | null }) => Promise<RefundReport[]>
}

/** An upstream's report of a dispute. */
export interface DisputeReport {
  /** Null: the upstream reported only the charge. */
  paymentId: string | null
  chargeId: string | null
  status: 'inquiry' | 'open' | 'won' | 'lost'
  amount: bigint
  currency: string
  /** The upstream's own id of the dispute. */
  upstreamRef: string
  reason: string | null
  /** Until when the merchant can respond. */
  respondBy: Date | null
}

/** The list of disputes, which is read in addition to the webhooks about them. */
export interface BackendDisputes {
  isOffered(): Promise<boolean>
  /** How often the list is read. */
  readonly pollMs: number
  list: Pager<Listed<DisputeReport>>
}

/** The upstream's own ledger, to compare it with ours. */
export interface BackendLists {
  /** Whether the upstream declares that it has lists. */
  isOffered(): Promise<boolean>
  /** Payments in any status. A payment that was charged twice is listed once for each charge. */
  payments: Pager<Listed<Charge>>
  refunds: Pager<Listed<RefundReport>>
  /** Payments with their sessionId, including those that nobody has paid yet. */
  sessions?: Pager<Listed<Charge>>
}

/** What is wrong with an upstream, for the operator. */
export const UPSTREAM_FAULTS = ['unreachable', 'key_rejected', 'rate_limited', 'failing'] as const
export type UpstreamFault = (typeof UPSTREAM_FAULTS)[number]

interface FaultOptions extends ErrorOptions {
  fault?: UpstreamFault
}

class UpstreamError extends Error {
  readonly fault: UpstreamFault

  constructor(message: string, options: FaultOptions = {}) {
    super(message, options)
    this.fault = options.fault ?? 'failing'
  }
}

/** It is unknown whether money moved: the payment or refund stays open until a lookup reports its status. */
export class UnknownOutcomeError extends UpstreamError {
  override readonly name: string = 'UnknownOutcomeError'
}

/**
 * The outcome is unknown because a response with a success status contains no valid payment, refund or list: a fault of
 * that upstream.
 */
export class GarbledResponseError extends UnknownOutcomeError {
  override readonly name = 'GarbledResponseError'
}

/** The request did not reach the upstream, or was refused as a whole: it cannot have charged. */
export class NeverSentError extends UpstreamError {
  override readonly name = 'NeverSentError'
}

/** The fault that a status code means when the response contains no valid payment, refund or list. */
export function toStatusFault(status: number): UpstreamFault {
  if (status === 401 || status === 403) return 'key_rejected'
  return status === 429 ? 'rate_limited' : 'failing'
}

/** Null: the error is not a fault of the upstream. */
export function toUpstreamFault(error: unknown): UpstreamFault | null {
  return error instanceof UpstreamError ? error.fault : null
}

/** The bytes as received: parsing and serializing them again would break the signature. */
export interface WebhookMessage {
  rawBody: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What a webhook says about refunds. */
export type RefundWebhook =
  | { kind: 'refund'; refund: RefundReport }
  /** Refunds of this charge have changed; the event does not say which. */
  | { kind: 'refunds_changed'; paymentId: string | null; chargeId: string | null }

export interface DisputeWebhook {
  kind: 'dispute'
  dispute: DisputeReport
}

export type WebhookResult =
  | { kind: 'report'; charge: Charge }
  | RefundWebhook
  | DisputeWebhook
  /** Correctly signed, but about no payment of this installation. */
  | { kind: 'ignored' }
  /** Not signed by the upstream, or signed too long ago. */
  | { kind: 'forged'; reason: string }
  /** Correctly signed, but not a valid message. */
  | { kind: 'unusable'; reason: string }

/** Any method may throw; every error except a NeverSentError leaves the outcome unknown. */
export interface Backend {
  /** Stored with each payment; a payment is looked up only at the upstream of this name. */
  readonly name: 'sandbox' | 'http' | 'stripe'
  /**
   * The names of the upstream account. The first one is stored with each new payment. A payment that was stored with a name
   * that is not in this list is not looked up here. Null stands for payments from before accounts were stored.
   */
  readonly accounts: readonly [string, ...(string | null)[]]
  /** The limit of lookups. Absent: there is none, because the upstream is part of this installation. */
  readonly quota?: LookupQuota
  create(charge: NewCharge): Promise<Charge>
  /** Null: the upstream has no such payment. */
  find(id: string, options?: { timeoutMs?: number }): Promise<Charge | null>
  /**
   * Once this returns `cancelled`, no charge under this id can happen. If the payment was already charged, the charge is
   * returned. A payment that the payer has finished is not cancelled unless `evenIfPayerFinished` is set.
   */
  cancel(id: string, options?: { evenIfPayerFinished?: boolean }): Promise<Charge>
  /**
   * For an upstream whose webhooks about refunds and disputes may have only the charge: our id of the charge's payment.
   * Null: the charge is not ours.
   */
  findPaymentId?: (chargeId: string) => Promise<string | null>
  /** For a listed payment that our database has lost: restores the records with which the adapter finds it. */
  adopt?: (charge: Charge) => Promise<void>
  /** Absent: payments of this upstream cannot be refunded. */
  readonly refunds?: BackendRefunds
  /** Absent: this upstream lists no disputes. */
  readonly disputes?: BackendDisputes
  /** Absent: this upstream does not list its payments. */
  readonly lists?: BackendLists
  /** Why no payment can be opened: the upstream uses another currency or scale. Null: both match or are not reported. */
  findTermsProblem?: () => Promise<string | null>
  describeSteps?: () => PaySteps
  /** Present if the upstream sends webhooks. Anybody can post one, so the signature is checked first. */
  readWebhook?: (message: WebhookMessage) => WebhookResult
}

/** What a payer can expect after Pay. */
export interface PaySteps {
  /** The page on which the payer continues. */
  pageName: string | null
  /** Names such as `card`; empty: not declared. */
  methods: readonly string[]
}

export interface Backends {
  live: Backend
  test: Backend
  /** BACKENDS_KEPT: they open no new payments; their existing payments are still looked up and their webhooks accepted. */
  previous: readonly Backend[]
}
