// Everything that happened to a payment, as one list: started, at the bank, paid or failed, callbacks with their responses,
// refunds, disputes.
import { Link } from '@tanstack/react-router'
import { Banknote, Check, CircleDot, Clock, Landmark, Scale, Send, Undo2, X } from 'lucide-react'
import type { RefundView, TransactionDetails, TransactionView } from '@pazar/contract'
import { formatDateTime, formatExactDateTime } from '@pazar/words'
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
import { classNames } from '../../ui/class-names.ts'
import { locale, words } from '../../ui/language.ts'
import { toFailureText, toRefundFailureText } from '../../parts/transactions/failure-text.ts'
import { toTimeline } from './to-timeline.ts'
import type { TimelineEvent } from './to-timeline.ts'

const TONES = {
  ok: 'bg-ok-bg text-ok',
  error: 'bg-error-bg text-error',
  warn: 'bg-warn-bg text-warn',
  info: 'bg-info-bg text-info',
  plain: 'bg-surface text-muted',
}

interface Entry {
  Icon: typeof Check
  tone: keyof typeof TONES
  title: string
  detail?: string | null | undefined
  /** The callback that the entry links to. */
  callbackId?: string
}

export function Timeline({ details }: { details: TransactionDetails }) {
  const { timeline: texts } = words().payments
  const { transaction } = details
  const { data, error, refetch } = useTimeline(transaction)
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
      </ol>
    </section>
  )
}

/** The title, details and style of an event. */
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
    case 'decided': {
      const title = payment.resolution === null ? review.inReview : review[payment.resolution]
      const tone = payment.successful ? 'ok' : 'error'
      return { Icon: Scale, tone, title, detail: payment.resolutionReason }
    }
    case 'callback':
      return {
        Icon: Send,
        tone: 'plain',
        title: texts.callback(deliveries.events[event.callback.event]),
        detail:
          event.callback.status === 'cancelled'
            ? deliveries.superseded
            : callbackStates[event.callback.status],
        callbackId: event.callback.id,
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
  // While the operator checks the payment, and after a decision, this is only what the bank reported.
  const isOnlyReported = needsReview || resolution !== null
  const toTitle = (name: string) => (isOnlyReported ? texts.reported(name) : name)
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

/** The attempts themselves are listed on the callback's own page. */
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

/** Only a dispute withdraws money. An inquiry that was closed is "won" too. */
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

interface RowProps {
  at: string | null
  payment: TransactionView
  children: Entry
}

function Row({ at, payment, children: { Icon, tone, title, detail, callbackId } }: RowProps) {
  const { timeZone } = useAccount()
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pb-5 before:absolute before:top-8 before:bottom-0 before:left-3.5 before:w-px before:bg-line last:pb-0 last:before:hidden">
      <span className={classNames('grid size-7 place-items-center rounded-full', TONES[tone])}>
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-4 pt-0.5">
        <p className="min-w-0 font-medium wrap-anywhere">
          {callbackId === undefined ? (
            title
          ) : (
            <Link
              to="/projects/$id/deliveries"
              params={{ id: payment.projectId }}
              search={{ mode: payment.mode, row: callbackId }}
              className="text-accent underline underline-offset-4"
            >
              {title}
            </Link>
          )}
        </p>
        {at !== null && (
          <time dateTime={at} className="text-xs text-muted tabular-nums max-sm:w-full">
            {formatExactDateTime(locale, new Date(at), timeZone)}
          </time>
        )}
        {detail && <p className="w-full text-sm text-muted wrap-anywhere">{detail}</p>}
      </div>
    </li>
  )
}
