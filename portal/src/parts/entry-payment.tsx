import { Link } from '@tanstack/react-router'
import type { auditList } from '@pazar/contract'
import { words } from '../ui/language.ts'
import { formatAmount } from './format-amount.ts'

type Entry = (typeof auditList)['_output']['items'][number]

export interface EntryPaymentProps {
  projectId: string | null
  /** A replica of the previous release sends neither `money` nor `payment`. */
  entry: Partial<Pick<Entry, 'money' | 'payment'>>
}

/** If the user has left the project, `payment` is null, and there is no link to the payment. */
export function EntryPayment({ projectId, entry: { money, payment } }: EntryPaymentProps) {
  const { test } = words().frame
  const amount = money && formatAmount(money.amount, money)
  if (!payment || projectId === null) return amount && <span className="block tabular-nums">{amount}</span>
  const order = payment.customId ?? payment.data
  return (
    <span className="block wrap-anywhere">
      <Link
        to="/projects/$id/transactions"
        params={{ id: projectId }}
        search={{ mode: payment.mode, row: payment.id }}
        className="text-accent underline underline-offset-4 tabular-nums"
      >
        {[amount, order].filter(Boolean).join(' · ')}
      </Link>
      {payment.mode === 'test' && <span className="text-muted"> · {test}</span>}
    </span>
  )
}
