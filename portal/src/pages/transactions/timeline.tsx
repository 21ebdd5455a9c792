import { Banknote, Check, CircleDot, Clock, Landmark, Scale, Send, Undo2, X } from 'lucide-react'
import type { RefundView, TransactionDetails, TransactionView } from '@pazar/contract'
import { formatDateTime } from '@pazar/words'
import { useAccount } from '../../api/session.ts'
import { useTimeline } from '../../api/timeline.ts'
import { Failed } from '../../parts/failed.tsx'
import { formatAmount } from '../../parts/format-amount.ts'
import {
  isForwarded,
  toDurationText,
  toResponseText,
  toTriggerText,
} from '../../parts/deliveries/attempt-text.tsx'
import { locale, words } from '../../ui/language.ts'
import { toFailureText, toRefundFailureText } from '../../parts/transactions/failure-text.ts'
import { hasOrderNotice } from './review-checks.ts'
import { Row } from './timeline-row.tsx'
import type { Entry } from './timeline-row.tsx'
import { toTimeline } from './to-timeline.ts'
import type { TimelineEvent } from './to-timeline.ts'

export function Timeline({ details }: { details: TransactionDetails }) {
  const { timeline: texts } = words().payments
  const { transaction } = details
  const { data, error, refetch } = useTimeline(details)
  const { timeZone } = useAccount()
  const events = toTimeline(details, data ?? null)
  const isOpen = transaction.completedAt === null
  return (
    <section className="grid gap-3" aria-labelledby="timeline">
      <h3 id="timeline" className="font-strong">
        {texts.title}
      </h3>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <ol className="grid">
        {events.map((event, index) => (
          <Row key={`${event.kind} ${event.at} ${index}`} at={event.at} payment={transaction}>
            {toEntry(event, transaction, timeZone)}
          </Row>
        ))}
        {isOpen && (
          <Row at={null} payment={transaction}>
            {{ Icon: Clock, tone: 'info', title: texts.waiting }}
          </Row>
        )}
        {transaction.needsReview && (
          <Row at={null} payment={transaction}>
            {{ Icon: Scale, tone: 'warn', title: texts.inReview }}
          </Row>
        )}
      </ol>
    </section>
  )
}

function toEntry(event: TimelineEvent, payment: TransactionView, timeZone: string): Entry {
  const { timeline: texts, review, callbackStates } = words().payments
  const { deliveries } = words()
  switch (event.kind) {
    case 'created':
      return { Icon: CircleDot, tone: 'plain', title: texts.created }
    case 'atBank':
      return { Icon: Landmark, tone: 'plain', title: texts.atBank }
    case 'ended':
      return toEndEntry(payment)
    case 'firstDecision':
      return { Icon: Scale, tone: 'plain', title: toFailureText(payment.failureCode ?? '') }
    case 'decided': {
      const title = payment.resolution === null ? review.inReview : review[payment.resolution]
      const tone = payment.successful ? 'ok' : 'error'
      return { Icon: Scale, tone, title, detail: payment.resolutionReason }
    }
    case 'callback': {
      const { id, status, event: name } = event.callback
      const isReplaced = status === 'cancelled'
      return {
        Icon: Send,
        tone: 'plain',
        title: texts[isReplaced ? 'notSent' : 'callback'](deliveries.events[name]),
        detail: isReplaced ? deliveries.superseded : callbackStates[status],
        callbackId: id,
        // Shown only once: the notice about a review (ReviewNotices) can have the same link.
        ...(isReplaced && !hasOrderNotice(payment) && { orderId: payment.customId }),
      }
    }
    case 'attempt':
      return toAttemptEntry(event)
    case 'failedAttempts':
      return toFailedEntry(event)
    case 'nextAttempt':
      return { Icon: Clock, tone: 'info', title: texts.nextAttempt(deliveries.events[event.callback.event]) }
    case 'refund':
      return toRefundEntry(event.refund)
    case 'disputeOpened':
    case 'disputeClosed':
      return toDisputeEntry(event, timeZone)
  }
}

function toEndEntry(payment: TransactionView): Entry {
  const { states, timeline: texts } = words().payments
  const { state, failureCode, needsReview, resolution } = payment
  // During a review and after a decision, the state is only what the bank reported.
  const isOnlyReported = needsReview || resolution !== null
  // `upstream_unavailable` means that the payment did not reach the bank, so the bank reported nothing.
  const isReport = isOnlyReported && failureCode !== 'upstream_unavailable'
  const toTitle = (name: string) => (isReport ? texts.reported(name) : name)
  if (state === 'succeeded') {
    const title = toTitle(texts.paid(formatAmount(payment.amount, payment)))
    return { Icon: Banknote, tone: isOnlyReported && !payment.successful ? 'plain' : 'ok', title }
  }
  const detail = failureCode === null ? null : toFailureText(failureCode)
  const tone = isOnlyReported ? 'plain' : state === 'expired' ? 'warn' : 'error'
  return { Icon: X, tone, title: toTitle(states[state]), detail }
}

function toAttemptEntry({ callback, attempt }: Extract<TimelineEvent, { kind: 'attempt' }>): Entry {
  const { deliveries, payments } = words()
  const isAccepted = attempt.outcome === 'delivered'
  const trigger = attempt.trigger === 'auto' ? [] : [toTriggerText(attempt.trigger)]
  const parts = [
    deliveries.drawer.attempt(attempt.attempt),
    ...trigger,
    toResponseText(attempt),
    toDurationText(attempt),
  ]
  return {
    Icon: isAccepted ? Check : X,
    tone: isForwarded(attempt) ? 'info' : isAccepted ? 'ok' : 'error',
    title: payments.timeline.callback(deliveries.events[callback.event]),
    detail: parts.filter((part) => part !== '–').join(' · '),
    callbackId: callback.id,
  }
}

function toFailedEntry({ callback, attempts }: Extract<TimelineEvent, { kind: 'failedAttempts' }>): Entry {
  const { deliveries, payments } = words()
  const { callback: toTitle, failedAttempts, lastResponse } = payments.timeline
  return {
    Icon: X,
    tone: 'error',
    title: toTitle(deliveries.events[callback.event]),
    detail: `${failedAttempts(attempts.length)} · ${lastResponse(toResponseText(attempts.at(-1) ?? null))}`,
    callbackId: callback.id,
  }
}

const REFUND_TONES = { processing: 'info', succeeded: 'ok', failed: 'error', returned: 'warn' } as const

function toRefundEntry(refund: RefundView): Entry {
  const { timeline: texts, refund: names } = words().payments
  const { state, reason, origin, failureCode } = refund
  const parts = [
    reason,
    origin === 'upstream' ? names.atTheBank : null,
    failureCode === null ? null : toRefundFailureText(failureCode),
  ]
  return {
    Icon: Undo2,
    tone: REFUND_TONES[state],
    title: texts.refund[state](formatAmount(refund.amount, refund)),
    detail: parts.filter((part) => part !== null).join(' · '),
  }
}

/** A closed inquiry is "won" too, so "won" can be an inquiry or a dispute. */
const DISPUTE_KINDS = { inquiry: 'inquiry', open: 'dispute', lost: 'dispute', won: 'either' } as const

type DisputeEvent = Extract<TimelineEvent, { kind: 'disputeOpened' | 'disputeClosed' }>

function toDisputeEntry({ kind, dispute }: DisputeEvent, timeZone: string): Entry {
  const { timeline: texts, dispute: names } = words().payments
  const amount = formatAmount(dispute.amount, dispute)
  if (kind === 'disputeClosed') {
    const isWon = dispute.state === 'won'
    const title = texts.disputeClosed[isWon ? 'either' : 'dispute'](names.states[dispute.state])
    return { Icon: Scale, tone: isWon ? 'ok' : 'error', title, detail: amount }
  }
  const { closedAt, respondBy } = dispute
  const deadline = closedAt === null && respondBy !== null ? new Date(respondBy) : null
  const detail = deadline && `${names.respondBy} ${formatDateTime(locale, deadline, timeZone)}`
  return {
    Icon: Scale,
    tone: 'warn',
    title: texts.disputeOpened[DISPUTE_KINDS[dispute.state]](amount),
    detail,
  }
}
