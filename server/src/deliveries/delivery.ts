// A callback and its attempts as stored in the log, and as returned by the API.
import type {
  AttemptOutcome,
  AttemptTrigger,
  AttemptView,
  CallbackEventName,
  CallbackStatus,
  CallbackView,
  Mode,
} from '@pazar/contract'
import { buildCallback } from '@pazar/sdk'
import type { Locale } from '@pazar/words'
import type { StoredFacts } from '../callbacks/event-facts.ts'
import type { Installation } from '../db/installation-store.ts'
import { explain } from './explain.ts'

export interface Delivery {
  id: string
  projectId: string
  event: CallbackEventName
  transactionId: string | null
  refundId: string | null
  disputeId: string | null
  mode: Mode
  /** Null for disputes. */
  result: 'success' | 'fail' | null
  status: CallbackStatus
  facts: StoredFacts
  attempts: number
  nextAt: Date
  createdAt: Date
  deliveredAt: Date | null
  payerReturnedAt: Date | null
}

export interface Attempt {
  callbackId: string
  attempt: number
  trigger: AttemptTrigger
  url: string
  startedAt: Date
  durationMs: number | null
  outcome: AttemptOutcome
  statusCode: number | null
  error: string | null
  responseExcerpt: string | null
  /** What the listener reported about a forwarded callback. */
  reported: { statusCode: number | null; durationMs: number } | null
  nextAt: Date | null
}

/** The decimals of the amount. Early releases did not store them. */
export function toScale(
  { facts }: Delivery,
  { scaleOfOldPayments }: Pick<Installation, 'scaleOfOldPayments'>,
): number {
  return facts.amountScale ?? scaleOfOldPayments
}

export function toCallbackView(
  delivery: Delivery,
  installation: Pick<Installation, 'scaleOfOldPayments'>,
): CallbackView {
  const { facts } = delivery
  return {
    id: delivery.id,
    projectId: delivery.projectId,
    event: delivery.event,
    transactionId: delivery.transactionId,
    refundId: delivery.refundId,
    disputeId: delivery.disputeId,
    mode: delivery.mode,
    result: delivery.result,
    status: delivery.status,
    amount: facts.amount,
    currency: facts.currency,
    scale: toScale(delivery, installation),
    customId: facts.customId ?? null,
    data: facts.data ?? null,
    attempts: delivery.attempts,
    nextAt: delivery.status === 'pending' ? delivery.nextAt.toISOString() : null,
    createdAt: delivery.createdAt.toISOString(),
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
  }
}

export function toAttemptView(locale: Locale, attempt: Attempt): AttemptView {
  const words = explain(locale, attempt)
  return {
    callbackId: attempt.callbackId,
    attempt: attempt.attempt,
    trigger: attempt.trigger,
    url: attempt.url,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: attempt.outcome,
    statusCode: attempt.statusCode,
    error: attempt.error,
    cause: words?.cause ?? null,
    fix: words?.fix ?? null,
    responseExcerpt: attempt.responseExcerpt,
    reported: attempt.reported,
    nextAt: attempt.nextAt?.toISOString() ?? null,
  }
}

/** The fields that the merchant gets, without the signature. */
export function toMaskedBody(delivery: Delivery): Record<string, unknown> {
  // Built by the code that sends callbacks, so that the fields are the same. The secret is a dummy.
  const secret = `sk_${delivery.mode}_${'0'.repeat(64)}`
  const { body } = buildCallback(delivery.facts, { secret, id: delivery.id, iatSec: 0 })
  return { ...(JSON.parse(body) as Record<string, unknown>), hash: '[removed]' }
}
