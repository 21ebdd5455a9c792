import type { TransactionView } from '@pazar/contract'
import { useAccount } from '../../api/session.ts'
import { words } from '../../ui/language.ts'
import { formatAmount } from '../format-amount.ts'
import { classNames } from '../../ui/class-names.ts'
import { Cell, HeadCell, ROW, Table, WIDE_ONLY } from '../../ui/table.tsx'
import { RowLink } from '../row-link.tsx'
import { findNet } from './net.ts'
import { MoneyBackBadges, PaymentCallbackBadge, StateBadge } from './state-badges.tsx'

export function TransactionTable({ items }: { items: readonly TransactionView[] }) {
  const { payments } = words()
  const { columns } = payments
  const { timeZone } = useAccount()
  return (
    <Table label={payments.title}>
      <thead>
        <tr>
          <HeadCell>
            {columns.time} ({timeZone.replaceAll('_', ' ')})
          </HeadCell>
          <HeadCell right>{columns.amount}</HeadCell>
          <HeadCell>{columns.state}</HeadCell>
          <HeadCell>{columns.customId}</HeadCell>
          <HeadCell className={WIDE_ONLY}>{columns.data}</HeadCell>
          <HeadCell>{columns.callback}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <TransactionRow key={item.id} item={item} />
        ))}
      </tbody>
    </Table>
  )
}

function TransactionRow({ item }: { item: TransactionView }) {
  const { payments } = words()
  const { columns } = payments
  const net = findNet(item)
  return (
    <tr className={ROW}>
      <Cell label={columns.time}>
        <RowLink to="/projects/$id/transactions" row={item} />
      </Cell>
      <Cell
        label={columns.amount}
        right
        className="-order-1 text-base font-medium md:text-sm whitespace-nowrap tabular-nums"
      >
        {formatAmount(item.amount, item)}
        {net !== null && (
          <span className="block text-xs font-normal text-muted">
            {payments.net(formatAmount(net, item))}
          </span>
        )}
      </Cell>
      <Cell label={columns.state} narrow="right" className="-order-1">
        <span className="inline-flex flex-wrap gap-1 max-md:justify-end">
          <StateBadge payment={item} />
          <MoneyBackBadges payment={item} />
        </span>
      </Cell>
      <Cell label={columns.customId} narrow="whole" className="order-1 xl:min-w-36">
        <span className="line-clamp-2">
          {item.customId ?? <span className={classNames(item.data && 'max-xl:hidden')}>–</span>}
          {/* Without a column for the description, it replaces a missing order ID. */}
          {item.customId === null && <span className="text-muted xl:hidden">{item.data}</span>}
        </span>
      </Cell>
      <Cell label={columns.data} narrow="hidden" className={classNames(WIDE_ONLY, 'xl:min-w-28')}>
        <span className="line-clamp-2">{item.data ?? '–'}</span>
      </Cell>
      <Cell label={columns.callback} narrow={item.callback ? 'right' : 'hidden'} named>
        {item.callback ? <PaymentCallbackBadge payment={item} /> : '–'}
      </Cell>
    </tr>
  )
}
