// The interface of an upstream, the service that moves the money. Our id of the payment or refund is the idempotency key,
// so that a repeated request moves no money again.
// Why this is long: one interface.
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
  /** Set only for a verified merchant, because the upstream may show the name to the payer. */
  merchantName?: string | null
  /** The address to which the bank's page sends the payer back. */
  returnUrl: string
  origin?: Pick<Origin, 'installationId' | 'attemptId' | 'checkoutId' | 'createdAt'>
}

/** An upstream's report of a payment. */
export interface Charge {
  /** Our id of the payment. */
  id: string
  status: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'cancelled'
  amount: bigint
  currency: string
  projectId: string | null
  /** The upstream's own id of the charge, if it has one. */
  chargeId: string | null
  failureCode: string | null
  /** The bank's page, while the payer has to act there. */
  actionUrl: string | null
  /**
   * The upstream's number of this report. If a report with a higher number was already recorded, this report is usually
   * outdated (payments/record-report.ts).
   */
  sequence?: number | null
  /** What we sent with the payment. Null: the payment is not ours, or some of these fields are missing. */
  origin?: Origin | null
  /** The id of Stripe's session. Only payments from the list `sessions` have it. */
  sessionId?: string
}

/** A refund to request or to look up. Its id is the idempotency key. */
export interface NewRefund {
  id: string
  paymentId: string
  projectId: string
  amount: bigint
  currency: string
  chargeId: string | null
  /** True: `chargeId` is not the payment's own charge, but another charge. */
  isOtherCharge?: boolean
  /** The upstream's own id of the refund, once it is known. */
  upstreamRef: string | null
  /** The id under which an http upstream finds a refund that was made at the upstream. Absent or null: not known. */
  lookupId?: string | null
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
  upstreamRef: string | null
  /** The id under which the upstream finds the refund. Absent or null: the upstream finds it under our id or `upstreamRef`. */
  lookupId?: string | null
  pendingReason: string | null
  failureCode: string | null
  /** After how many milliseconds the upstream expects the status to change. The refund is then looked up again. */
  changesInMs?: number | null
  origin?: RefundOrigin | null
}

/**
 * Refunds at an upstream. After any error, the outcome of a refund is unknown, even after a NeverSentError, because an
 * earlier request for the same refund may have arrived.
 */
export interface BackendRefunds {
  isOffered(): Promise<boolean>
  /**
   * For how many milliseconds after its creation a refund with an unknown outcome may be sent again. After this time, a
   * refund that the upstream does not have counts as failed. Absent: REFUND_RESEND_MS in refunds/check-plan.ts.
   */
  readonly resendMs?: number
  refund(refund: NewRefund): Promise<RefundReport>
  findRefund(refund: NewRefund): Promise<RefundReport | null>
  /** Needed if a webhook of the upstream may say that refunds have changed, without naming the refunds. */
  listRefunds?: (payment: { id: string; chargeId: string | null }) => Promise<RefundReport[]>
}

export interface DisputeReport {
  paymentId: string | null
  chargeId: string | null
  status: 'inquiry' | 'open' | 'won' | 'lost'
  amount: bigint
  currency: string
  upstreamRef: string
  reason: string | null
  respondBy: Date | null
}

export interface BackendDisputes {
  isOffered(): Promise<boolean>
  readonly pollMs: number
  list: Pager<Listed<DisputeReport>>
}

/** The upstream's ledger, which reconciliation compares with ours. */
export interface BackendLists {
  /** Null: unknown, because no response came from the upstream itself. A 404, for example, may be a proxy's. */
  isOffered(): Promise<boolean | null>
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

export class UnknownOutcomeError extends UpstreamError {
  override readonly name: string = 'UnknownOutcomeError'
}

/** A response with a success status contains no valid payment, refund or list. */
export class GarbledResponseError extends UnknownOutcomeError {
  override readonly name = 'GarbledResponseError'
}

/** The request did not reach the upstream, or was refused as a whole, so the payer cannot have been charged. */
export class NeverSentError extends UpstreamError {
  override readonly name = 'NeverSentError'
}

/** Returns the fault of a response that contains no valid payment, refund or list. */
export function toStatusFault(status: number): UpstreamFault {
  if (status === 401 || status === 403) return 'key_rejected'
  return status === 429 ? 'rate_limited' : 'failing'
}

/** Null: the error is not a fault of the upstream. */
export function toUpstreamFault(error: unknown): UpstreamFault | null {
  return error instanceof UpstreamError ? error.fault : null
}

export interface WebhookMessage {
  /** The bytes as received. Parsing and serializing them again would break the signature. */
  rawBody: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

export type RefundWebhook =
  | { kind: 'refund'; refund: RefundReport }
  /** Refunds of this charge have changed, but the event does not say which refunds. */
  | { kind: 'refunds_changed'; paymentId: string | null; chargeId: string | null }

export interface DisputeWebhook {
  kind: 'dispute'
  dispute: DisputeReport
}

export type WebhookResult =
  | { kind: 'report'; charge: Charge }
  | RefundWebhook
  | DisputeWebhook
  /** Correctly signed, but there is nothing to record. */
  | { kind: 'ignored' }
  /** The signature or its time is not valid. */
  | { kind: 'forged'; reason: string }
  /** Correctly signed, but not a valid message. */
  | { kind: 'unusable'; reason: string }

/** Any method may throw; every error except a NeverSentError leaves the outcome unknown. */
export interface Backend {
  /** Stored with each payment; a payment is looked up only at the upstream with this name. */
  readonly name: 'sandbox' | 'http' | 'stripe'
  /**
   * The names of the account at the upstream. New payments are stored with the first name. A payment is looked up at this
   * upstream only if it was stored with one of these names. Null stands for payments that were opened before accounts
   * were stored.
   */
  readonly accounts: readonly [string, ...(string | null)[]]
  /** Absent: no limit, because the upstream is part of this installation. */
  readonly quota?: LookupQuota
  create(charge: NewCharge): Promise<Charge>
  find(id: string, options?: { timeoutMs?: number }): Promise<Charge | null>
  /**
   * Once the status is `cancelled`, no charge under this id can happen. If the payment was already charged, the charge is
   * returned. At Stripe, a payment that the payer has finished is cancelled only with `evenIfPayerFinished`.
   */
  cancel(id: string, options?: { evenIfPayerFinished?: boolean }): Promise<Charge>
  /** For webhooks that name only the charge. Returns our id of the charge's payment. Null: the charge is not ours. */
  findPaymentId?: (chargeId: string) => Promise<string | null>
  /** Restores the records with which the adapter finds a listed payment, if our database has lost these records. */
  adopt?: (charge: Charge) => Promise<void>
  readonly refunds?: BackendRefunds
  readonly disputes?: BackendDisputes
  readonly lists?: BackendLists
  /** Returns a sentence if the upstream's currency or scale differs from ours. Null: no difference is known. */
  findTermsProblem?: () => Promise<string | null>
  describeSteps?: () => PaySteps
  readWebhook?: (message: WebhookMessage) => WebhookResult
}

/** What a payer can expect after pressing Pay. */
export interface PaySteps {
  pageName: string | null
  /** Names such as `card`; empty: not declared. */
  methods: readonly string[]
}

export interface Backends {
  live: Backend
  test: Backend
  /** The upstreams of BACKENDS_KEPT, which open no new payments. */
  previous: readonly Backend[]
}
