// Builds the exact bytes of a callback about a payment, a refund or a dispute.
import { signJwtText } from './jwt.ts'
import { requireSecretOfMode } from './secret.ts'
import type { Mode } from './secret.ts'
import { signWebhook } from './webhook.ts'
import type { WebhookHeaders } from './webhook.ts'

export interface CommonCallbackFields {
  projectId: string
  transactionId: string
  /** The amount of the payment, refund or dispute, in decimal digits of the currency's smallest unit. */
  amount: string
  currency: string
  /** Only if the payment had one. */
  customId?: string
  /** Only if the payment had one. */
  data?: string
  mode: Mode
  /** When the payment started, the refund was requested or the dispute was opened; ISO 8601 in UTC. */
  createdAt: string
  /** JWT over every other field. `verifyCallback` checks the JWT. */
  hash: string
}

interface CallbackFields extends CommonCallbackFields {
  event: 'payment.result'
}

/**
 * The callback's body. The same callback may come twice: recognise it by its `webhook-id` header. After a "success",
 * ignore a "fail" with the same customId. Exception: if the "fail" also has the same transactionId and the failureCode
 * `resolved_unpaid`, stop the shipment.
 */
export type Callback =
  | (CallbackFields & { status: 'success'; successful: true })
  | (CallbackFields & { status: 'fail'; successful: false; failureCode?: string })

/** If customId or data is null, undefined or '', the payment had no such value. */
interface CommonFacts {
  readonly projectId: string
  readonly transactionId: string
  readonly amount: string
  readonly currency: string
  readonly customId?: string | null | undefined
  readonly data?: string | null | undefined
  readonly mode: Mode
  readonly createdAt: string
}

export interface CallbackFacts extends CommonFacts {
  readonly status: 'success' | 'fail'
  readonly failureCode?: string | null | undefined
}

export interface RefundFacts extends CommonFacts {
  readonly refundStatus: 'succeeded' | 'failed' | 'returned'
  readonly refundId: string
  /** How much of the payment has been refunded in total. */
  readonly refundedTotal: string
  readonly failureCode?: string | null | undefined
}

export interface DisputeFacts extends CommonFacts {
  readonly event: 'dispute.opened' | 'dispute.closed'
  readonly disputeStatus: 'inquiry' | 'open' | 'won' | 'lost'
  readonly disputeId: string
  readonly respondBy?: string | null | undefined
}

export interface SignedCallback {
  readonly body: string
  readonly headers: WebhookHeaders
}

export interface BuildCallbackOptions {
  readonly secret: string
  /** The webhook-id, the same on every attempt. */
  readonly id: string
  readonly iatSec: number
}

function toPaymentFields(facts: CallbackFacts): object {
  return {
    event: 'payment.result',
    status: facts.status,
    successful: facts.status === 'success',
    projectId: facts.projectId,
    transactionId: facts.transactionId,
    amount: facts.amount,
    currency: facts.currency,
    ...(facts.customId ? { customId: facts.customId } : {}),
    ...(facts.data ? { data: facts.data } : {}),
    mode: facts.mode,
    createdAt: facts.createdAt,
    ...(facts.status === 'fail' && facts.failureCode ? { failureCode: facts.failureCode } : {}),
  }
}

function toRefundFields(facts: RefundFacts): object {
  return {
    event: 'refund.result',
    refundStatus: facts.refundStatus,
    projectId: facts.projectId,
    transactionId: facts.transactionId,
    refundId: facts.refundId,
    amount: facts.amount,
    refundedTotal: facts.refundedTotal,
    currency: facts.currency,
    ...(facts.customId ? { customId: facts.customId } : {}),
    ...(facts.data ? { data: facts.data } : {}),
    mode: facts.mode,
    createdAt: facts.createdAt,
    ...(facts.failureCode ? { failureCode: facts.failureCode } : {}),
  }
}

function toDisputeFields(facts: DisputeFacts): object {
  return {
    event: facts.event,
    disputeStatus: facts.disputeStatus,
    projectId: facts.projectId,
    transactionId: facts.transactionId,
    disputeId: facts.disputeId,
    amount: facts.amount,
    currency: facts.currency,
    ...(facts.customId ? { customId: facts.customId } : {}),
    ...(facts.data ? { data: facts.data } : {}),
    mode: facts.mode,
    createdAt: facts.createdAt,
    ...(facts.respondBy ? { respondBy: facts.respondBy } : {}),
  }
}

function toFields(facts: CallbackFacts | RefundFacts | DisputeFacts): object {
  if ('refundStatus' in facts) return toRefundFields(facts)
  return 'disputeStatus' in facts ? toDisputeFields(facts) : toPaymentFields(facts)
}

export function buildCallback(
  facts: CallbackFacts | RefundFacts | DisputeFacts,
  options: BuildCallbackOptions,
): { readonly body: string; readonly hash: string } {
  requireSecretOfMode(options.secret, facts.mode)
  const fields = JSON.stringify(toFields(facts))
  // The fields are serialized only once, because this function runs for every attempt of every callback.
  const common = fields.slice(0, -1)
  const claims = `${common},"iat":${JSON.stringify(options.iatSec)},"jti":${JSON.stringify(options.id)}}`
  const hash = signJwtText(claims, options.secret)
  return { body: `${common},"hash":"${hash}"}`, hash }
}

export interface SignCallbackOptions {
  readonly secret: string
  readonly id: string
  readonly nowSec: number
}

export function signCallback(facts: CallbackFacts, options: SignCallbackOptions): SignedCallback {
  const { secret, id, nowSec } = options
  const { body } = buildCallback(facts, { secret, id, iatSec: nowSec })
  return { body, headers: signWebhook({ id, timestampSec: nowSec, body, secret }) }
}
