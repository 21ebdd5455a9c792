// The upstream payment backend, as small as it can be. Whatever moves the money stands behind this interface; the
// transaction's id is its idempotency key on every call.
import type { Mode } from '@pazar/contract'

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
  /** Where the payer comes back to from a page of the bank. */
  returnUrl: string
}

/** What the upstream says of a payment. It is compared with what the payer confirmed before anything is believed. */
export interface Charge {
  id: string
  status: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'cancelled'
  amount: bigint
  currency: string
  /** Null: the upstream did not say. */
  projectId: string | null
  /** The upstream's own name for the movement of money, where it has one. */
  chargeId: string | null
  failureCode: string | null
  /** The bank's page, while the payer has to act there. */
  actionUrl: string | null
  /** The order of what the upstream says of this payment; what is older than something already seen changes nothing. */
  sequence?: number | null
}

/** What is wrong with an upstream, for those who run the service. */
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

/** Nobody knows whether money moved: the payment stays open until the upstream has been asked. */
export class UnknownOutcomeError extends UpstreamError {
  override readonly name: string = 'UnknownOutcomeError'
}

/** The same, because what came back with a success status is no payment: somebody has to look at that upstream. */
export class GarbledAnswerError extends UnknownOutcomeError {
  override readonly name = 'GarbledAnswerError'
}

/** The request cannot have reached the upstream, or was refused whole: it cannot have charged. */
export class NeverSentError extends UpstreamError {
  override readonly name = 'NeverSentError'
}

/** By the status of a response that holds no payment. */
export function toStatusFault(status: number): UpstreamFault {
  if (status === 401 || status === 403) return 'key_rejected'
  return status === 429 ? 'rate_limited' : 'failing'
}

/** Null: not the upstream's fault. */
export function toUpstreamFault(error: unknown): UpstreamFault | null {
  return error instanceof UpstreamError ? error.fault : null
}

/** As it came: parsing and writing anew would change the bytes that were signed. */
export interface WebhookMessage {
  rawBody: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

export type WebhookWord =
  | { kind: 'said'; charge: Charge }
  /** Genuine, and no business of ours. */
  | { kind: 'ignored' }
  /** Not signed by the upstream, or too long ago. */
  | { kind: 'forged'; reason: string }
  /** Signed, and yet not what that upstream should send here. */
  | { kind: 'unusable'; reason: string }

/**
 * How often an upstream may be asked without a payer's request behind it, over all replicas. A lookup is one request, two
 * where it ends in a cancel.
 */
export interface LookupQuota {
  perSec: number
  burst: number
  /** Of these, for payments that wait for a payer, a bank or a person: there can be thousands of them. */
  waitingPerSec: number
  waitingBurst: number
}

/** Any method may throw; whatever is not a NeverSentError leaves the outcome unknown. */
export interface Backend {
  /** Written into each payment, which is later looked for in no other books. */
  readonly name: 'sandbox' | 'http' | 'stripe'
  /**
   * Whose books these are: the first is stored with each new payment, and a payment that carries none of them is not
   * looked up here. Null: payments from before the account was stored are this one's.
   */
  readonly accounts: readonly [string, ...(string | null)[]]
  /** Absent: the books are in our own database. */
  readonly quota?: LookupQuota
  create(charge: NewCharge): Promise<Charge>
  /** Null: the upstream has never heard of it. */
  find(id: string, options?: { timeoutMs?: number }): Promise<Charge | null>
  /**
   * After this answers `cancelled`, a charge under this id can never happen. It may answer that it already did. A payment
   * that the payer has finished is left to the bank, unless `isUnderway` says that it is to be stopped too.
   */
  cancel(id: string, options?: { isUnderway?: boolean }): Promise<Charge>
  /** A sentence: it counts money otherwise than we do, and opens nothing. Null: it agrees, or does not say. */
  findTermsProblem?: () => Promise<string | null>
  /** For an upstream that tells of payments by itself. Anybody can post, so the signature comes before all else. */
  readWebhook?: (message: WebhookMessage) => WebhookWord
}

export interface Backends {
  /** Live payments are opened with this one. */
  live: Backend
  /** Test payments always with the sandbox. */
  test: Backend
  /** These open no payments; those that were opened with them are looked up and reported as before. */
  kept: readonly Backend[]
}
