import { Link } from '@tanstack/react-router'
import type { TransactionView } from '@pazar/contract'
import { useTransactions } from '../../api/transactions.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { toChecks } from './review-checks.ts'

function toCallbackText({ callback }: TransactionView): string {
  const { none, superseded, sent, notAccepted } = words().payments.drawer.reviewCallback
  if (callback === null) return none
  if (callback.status === 'cancelled') return superseded
  // While a delivered callback is being sent again, its status is not `delivered`, but it still has `deliveredAt`.
  return callback.status === 'delivered' || callback.deliveredAt ? sent : notAccepted
}

function toReviewText(item: TransactionView): string {
  const { text } = words().payments.drawer.checks.inReview
  return `${text[item.completedAt === null ? 'open' : 'ended']} ${toCallbackText(item)}`
}

export function ReviewNotices({ item }: { item: TransactionView }) {
  const { checks, whatToDo } = words().payments.drawer
  return toChecks(item).map(([name, tone, hasToDo]) => {
    const { title, toDo } = checks[name]
    return (
      <Notice key={name} tone={tone} title={title}>
        {name === 'inReview' && item.customId !== null && (
          <OrderPayments payment={item} customId={item.customId} />
        )}
        {hasToDo && (
          <p className="mt-1">
            <strong className="font-strong">{whatToDo}: </strong>
            {toDo}
          </p>
        )}
        {tone === 'warn' && (
          <p className="mt-2">{name === 'inReview' ? toReviewText(item) : checks.inReviewPaid.text}</p>
        )}
      </Notice>
    )
  })
}

/** Shows a link to the payments of the order, because another payment may have paid the order. */
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
