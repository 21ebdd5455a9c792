// What the operator checks or has decided about a payment, and what the merchant has to do meanwhile.
import { Link } from '@tanstack/react-router'
import type { TransactionView } from '@pazar/contract'
import { useTransactions } from '../../api/transactions.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import type { Tone } from '../../ui/notice.tsx'

type Check = keyof ReturnType<typeof words>['payments']['drawer']['checks']

/** The bank can send a new report after the operator has decided. Then both the decision and the new check are shown. */
function toChecks({ resolution, needsReview, successful }: TransactionView): [Check, Tone][] {
  return [
    ...(resolution === 'paid' ? [['resolvedPaid', 'ok'] as [Check, Tone]] : []),
    ...(resolution === 'unpaid' ? [['resolvedUnpaid', 'info'] as [Check, Tone]] : []),
    ...(needsReview ? [[successful ? 'inReviewPaid' : 'inReview', 'warn'] as [Check, Tone]] : []),
  ]
}

/** Whether the merchant already has a result of the payment. A callback that is queued or was refused does not count. */
function toCallbackText({ callback }: TransactionView): string {
  const { payments, deliveries } = words()
  const { none, superseded, sent, notAccepted } = payments.drawer.reviewCallback
  if (callback === null) return none
  if (callback.status === 'cancelled') return `${deliveries.superseded} ${superseded}`
  return callback.status === 'delivered' ? sent : notAccepted
}

function toReviewText(item: TransactionView): string {
  const { text } = words().payments.drawer.checks.inReview
  return `${text[item.completedAt === null ? 'open' : 'ended']} ${toCallbackText(item)}`
}

export function ReviewNotices({ item }: { item: TransactionView }) {
  const { checks, whatToDo } = words().payments.drawer
  return toChecks(item).map(([check, tone]) => {
    const { title, toDo } = checks[check]
    return (
      <Notice key={check} tone={tone} title={title}>
        {check === 'inReview' && item.customId !== null && (
          <OrderPayments payment={item} customId={item.customId} />
        )}
        <p className="mt-1">
          <strong className="font-strong">{whatToDo}: </strong>
          {toDo}
        </p>
        <p className="mt-2">{check === 'inReview' ? toReviewText(item) : checks[check].text}</p>
      </Notice>
    )
  })
}

/** Another payment of the order may have paid it. Nothing is shown while loading and after an error. */
function OrderPayments({ payment, customId }: { payment: TransactionView; customId: string }) {
  const { drawer, timeline } = words().payments
  const { projectId, mode } = payment
  const { data } = useTransactions({ projectId, mode, customId, limit: 10 })
  const others = data?.items.filter(({ id }) => id !== payment.id) ?? []
  const paid = others.find(({ successful }) => successful)
  if (others.length === 0) return null
  return (
    <p className="mt-1">
      {paid && `${drawer.orderPaid(formatAmount(paid.amount, paid))} `}
      <Link
        to="/projects/$id/transactions"
        params={{ id: projectId }}
        search={{ mode, q: customId }}
        className="inline-flex min-h-6 items-center text-accent underline underline-offset-4"
      >
        {timeline.orderPayments}
      </Link>
    </p>
  )
}
