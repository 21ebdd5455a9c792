// The interface of an upstream, the service that moves the money. The transaction's id is the idempotency key of every call.
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

/** What the upstream reports of a payment. It is compared with what the payer confirmed before it changes anything. */
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
  /** Orders the reports about this payment: one that is older than a report already recorded changes nothing. */
  sequence?: number | null
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

/** Whether money moved is unknown: the payment stays open until a lookup clears it up. */
export class UnknownOutcomeError extends UpstreamError {
  override readonly name: string = 'UnknownOutcomeError'
}

/** The same, because a response with a success status holds no payment: a fault of that upstream. */
export class GarbledResponseError extends UnknownOutcomeError {
  override readonly name = 'GarbledResponseError'
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

/** The bytes as received: parsing and serializing them again would break the signature. */
export interface WebhookMessage {
  rawBody: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

export type WebhookResult =
  | { kind: 'report'; charge: Charge }
  /** Genuine, and not about a payment of this installation. */
  | { kind: 'ignored' }
  /** Not signed by the upstream, or too long ago. */
  | { kind: 'forged'; reason: string }
  /** Correctly signed, but not a message that we understand. */
  | { kind: 'unusable'; reason: string }

/**
 * How many lookups an upstream gets from all replicas, besides the requests of payers. A lookup is one request, or two
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
  /** Stored with each payment, which is looked up at this upstream only. */
  readonly name: 'sandbox' | 'http' | 'stripe'
  /**
   * The first account is stored with each new payment; a payment of none of these accounts is not looked up here. Null
   * stands for payments from before accounts were stored.
   */
  readonly accounts: readonly [string, ...(string | null)[]]
  /** Absent: the upstream is part of this installation. */
  readonly quota?: LookupQuota
  create(charge: NewCharge): Promise<Charge>
  /** Null: the upstream has no such payment. */
  find(id: string, options?: { timeoutMs?: number }): Promise<Charge | null>
  /**
   * Once this returns `cancelled`, no charge under this id can happen. It may return that one already happened. A payment
   * that the payer has finished is left to the bank unless `isUnderway` is set.
   */
  cancel(id: string, options?: { isUnderway?: boolean }): Promise<Charge>
  /** Why no payment can be opened: the upstream uses another currency or scale. Null: it agrees, or does not say. */
  findTermsProblem?: () => Promise<string | null>
  /** For an upstream that sends webhooks. Anybody can post one, so the signature is checked first. */
  readWebhook?: (message: WebhookMessage) => WebhookResult
}

export interface Backends {
  /** Live payments are opened with this one. */
  live: Backend
  /** Test payments always with the sandbox. */
  test: Backend
  /** BACKENDS_KEPT: these open no payments, and those opened with them are looked up and reported as before. */
  previous: readonly Backend[]
}
