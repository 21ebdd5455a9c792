// The refunds and disputes of a payment, oldest first, each with its state, amount and times.
import type { ReactNode } from 'react'
import type { DisputeView, RefundView } from '@pazar/contract'
import { formatAmount } from '../../parts/format-amount.ts'
import { DisputeBadge, RefundBadge } from '../../parts/transactions/state-badges.tsx'
import { Time } from '../../parts/time.tsx'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'

export function RefundList({ refunds }: { refunds: readonly RefundView[] }) {
  const { refund: texts } = words().payments
  if (refunds.length === 0) return null
  return (
    <Entries title={texts.listTitle}>
      {refunds.map((refund) => (
        <Entry
          key={refund.id}
          amount={formatAmount(refund.amount, refund)}
          badge={<RefundBadge state={refund.state} />}
          at={refund.returnedAt ?? refund.completedAt ?? refund.createdAt}
        >
          {refund.reason}
          {refund.origin === 'upstream' && <span className="text-muted">{texts.atTheBank}</span>}
          {refund.failureCode !== null && (
            <span className="text-muted">{toFailureText(refund.failureCode)}</span>
          )}
        </Entry>
      ))}
    </Entries>
  )
}

export function DisputeList({ disputes }: { disputes: readonly DisputeView[] }) {
  const { dispute: texts } = words().payments
  if (disputes.length === 0) return null
  return (
    <Entries title={texts.listTitle}>
      {disputes.map((dispute) => (
        <Entry
          key={dispute.id}
          amount={formatAmount(dispute.amount, dispute)}
          badge={<DisputeBadge state={dispute.state} />}
          at={dispute.closedAt ?? dispute.openedAt}
        >
          {dispute.closedAt === null && dispute.respondBy !== null && (
            <>
              {texts.respondBy} <Time at={dispute.respondBy} both />
            </>
          )}
        </Entry>
      ))}
    </Entries>
  )
}

function Entries({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-strong">{title}</h3>
      <ul className="grid divide-y divide-line border-y border-line text-sm">{children}</ul>
    </section>
  )
}

interface EntryProps {
  amount: string
  badge: ReactNode
  at: string
  children: ReactNode
}

function Entry({ amount, badge, at, children }: EntryProps) {
  return (
    <li className="grid gap-1 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium tabular-nums">{amount}</span>
          {badge}
        </span>
        <span className="text-right text-muted">
          <Time at={at} both />
        </span>
      </div>
      <p className="flex flex-wrap gap-x-3 wrap-anywhere empty:hidden">{children}</p>
    </li>
  )
}

/** A code that only this upstream uses is shown as it came. */
function toFailureText(code: string): string {
  const { failures } = words().payments.refund
  const texts: Record<string, string> = failures
  return texts[code] ?? `${failures.other} (${code})`
}

/** The result of a refund that was just requested. */
export function RefundResult({ refund }: { refund: RefundView }) {
  const { results } = words().payments.refund
  const amount = formatAmount(refund.amount, refund)
  if (refund.state === 'processing') return <Notice tone="info">{results.processing(amount)}</Notice>
  if (refund.state === 'succeeded') return <Notice tone="ok">{results.succeeded(amount)}</Notice>
  return (
    <Notice
      tone="error"
      title={refund.state === 'failed' ? results.failed(amount) : results.returned(amount)}
    >
      {refund.failureCode !== null && toFailureText(refund.failureCode)}
    </Notice>
  )
}
