import type { CallbackStatus, TransactionState, TransactionView } from '@pazar/contract'
import { words } from '../../ui/language.ts'
import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'

const STATE_TONES: Record<TransactionState, BadgeTone> = {
  processing: 'info',
  requires_action: 'info',
  succeeded: 'ok',
  failed: 'error',
  expired: 'warn',
}

/** During a review, the payment's state or the operator's decision may still change, so the review has its own badge. */
export function StateBadge({ payment }: { payment: TransactionView }) {
  const { states, review } = words().payments
  const { state, resolution, needsReview, successful } = payment
  // The badge of the refund or dispute already shows that the payment was paid.
  if (successful && !needsReview && hasMoneyBack(payment)) return null
  const inReview = needsReview && <Badge tone="warn" text={review.inReview} />
  if (inReview && !successful && !resolution) return inReview
  return (
    <>
      {resolution ? (
        <Badge tone={successful ? 'ok' : 'error'} text={review[resolution]} />
      ) : (
        <Badge tone={STATE_TONES[state]} text={states[state]} />
      )}
      {inReview}
    </>
  )
}

/** A replica of the previous release sends neither `refunded` nor `disputed`. */
type MoneyBack = Pick<TransactionView, 'amount'> & Partial<Pick<TransactionView, 'refunded' | 'disputed'>>

function hasMoneyBack({ refunded = '0', disputed = '0' }: MoneyBack): boolean {
  return refunded !== '0' || disputed !== '0'
}

export function MoneyBackBadges({ payment }: { payment: MoneyBack }) {
  const { moneyBack } = words().payments
  const { amount, refunded = '0', disputed = '0' } = payment
  return (
    <>
      {refunded !== '0' && (
        <Badge
          tone="refunded"
          text={BigInt(refunded) >= BigInt(amount) ? moneyBack.refunded : moneyBack.partlyRefunded}
        />
      )}
      {disputed !== '0' && <Badge tone="warn" text={moneyBack.disputed} />}
    </>
  )
}

/** `retrying`: pending after a failure. `forwarded`: delivered to a CLI. `stopped`: cancelled after an attempt. */
type CallbackState = CallbackStatus | 'retrying' | 'forwarded' | 'stopped'

const CALLBACK_TONES: Record<CallbackState, BadgeTone> = {
  pending: 'info',
  sending: 'info',
  delivered: 'ok',
  exhausted: 'error',
  // The payment or its order has got another result, so the merchant has nothing to do.
  cancelled: 'unknown',
  stopped: 'unknown',
  retrying: 'waiting',
  forwarded: 'neutral',
}

export interface CallbackBadgeProps {
  callback: { status: CallbackStatus; attempts: number; deliveredAt?: string | null }
  /** The callback was forwarded to a CLI, so the response is unknown. */
  isForwarded?: boolean
}

function toCallbackState({ callback, isForwarded = false }: CallbackBadgeProps): CallbackState {
  const { status, attempts, deliveredAt = null } = callback
  // A resend of a delivered callback does not mean that the callback failed.
  if (status === 'pending' && attempts > 0 && deliveredAt === null) return 'retrying'
  if (status === 'cancelled' && attempts > 0) return 'stopped'
  return status === 'delivered' && isForwarded ? 'forwarded' : status
}

export function CallbackBadge(props: CallbackBadgeProps) {
  const state = toCallbackState(props)
  return <Badge tone={CALLBACK_TONES[state]} text={words().payments.callbackStates[state]} />
}

export function PaymentCallbackBadge({ payment: { callback } }: { payment: TransactionView }) {
  return callback && <CallbackBadge callback={callback} isForwarded={callback.forwarded} />
}
