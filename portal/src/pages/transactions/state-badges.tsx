import type { CallbackStatus, TransactionState, TransactionView } from '@pazar/contract'
import { words } from '../../app/language.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'

const STATE_TONES: Record<TransactionState, BadgeTone> = {
  processing: 'info',
  requires_action: 'info',
  succeeded: 'ok',
  failed: 'error',
  expired: 'warn',
}

/** What a payment counts as: what a person decided, that one is still checking it, or else its own state. */
export function StateBadge({ payment }: { payment: TransactionView }) {
  const { states, review } = words().payments
  const { state, resolution, needsReview, successful } = payment
  if (resolution) return <Badge tone={successful ? 'ok' : 'error'} text={review[resolution]} />
  if (needsReview && !successful) return <Badge tone="warn" text={review.inReview} />
  return <Badge tone={STATE_TONES[state]} text={states[state]} />
}

/** A callback as people speak of it: `pending` is two things, and so is `delivered`. */
type CallbackState = CallbackStatus | 'retrying' | 'handedOver'

const CALLBACK_TONES: Record<CallbackState, BadgeTone> = {
  pending: 'info',
  sending: 'info',
  delivered: 'ok',
  exhausted: 'error',
  cancelled: 'warn',
  retrying: 'error',
  handedOver: 'passed',
}

export interface CallbackBadgeProps {
  callback: { status: CallbackStatus; attempts: number; deliveredAt?: string | null }
  /** It went to a program that listens, and what the shop answered is not known here. */
  isHandedOver?: boolean
}

export function CallbackBadge({ callback, isHandedOver = false }: CallbackBadgeProps) {
  const { status, attempts, deliveredAt = null } = callback
  // One that had arrived and is sent once more on request has not failed.
  const isRetrying = status === 'pending' && attempts > 0 && deliveredAt === null
  const isDone = status === 'delivered'
  const state: CallbackState = isRetrying ? 'retrying' : isHandedOver && isDone ? 'handedOver' : status
  return <Badge tone={CALLBACK_TONES[state]} text={words().payments.callbackStates[state]} />
}

/**
 * The callback of a payment in a list, where only the code of the last answer is known. Test callbacks can go to a
 * program that listens, which gives none, so without a code it is not said that the shop has it.
 */
export function PaymentCallbackBadge({ payment }: { payment: TransactionView }) {
  const { callback, mode } = payment
  if (callback === null) return null
  const isUnanswered = mode === 'test' && callback.status === 'delivered' && callback.lastStatusCode === null
  if (!isUnanswered) return <CallbackBadge callback={callback} />
  return <Badge tone="passed" text={words().payments.callbackStates.sent} />
}
