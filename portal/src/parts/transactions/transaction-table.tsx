import type { TransactionView } from '@pazar/contract'
import { words } from '../../ui/language.ts'
import { formatAmount } from '../format-amount.ts'
import { classNames } from '../../ui/class-names.ts'
import { Cell, DENSE, DENSE_ROW, HeadCell, Table, WIDE_ONLY } from '../../ui/table.tsx'
import { RowLink } from '../row-link.tsx'
import { SortLink } from '../sort-link.tsx'
import { findNet } from './net.ts'
import { MoneyBackBadges, PaymentCallbackBadge, StateBadge } from './state-badges.tsx'

export const TRANSACTION_COLUMNS = ['amount', 'state', 'customId', 'data', 'reference', 'callback'] as const
export type TransactionColumn = (typeof TRANSACTION_COLUMNS)[number]
export const INITIAL_TRANSACTION_COLUMNS = TRANSACTION_COLUMNS.filter((column) => column !== 'reference')

/** A cell with a text of the merchant has one line and a fixed share of the table's width. */
const ONE_LINE = 'md:w-1/5 md:max-w-0'

export interface TransactionTableProps {
  items: readonly TransactionView[]
  columns?: readonly TransactionColumn[]
  order?: 'newest' | 'oldest'
}

export function TransactionTable({
  items,
  columns: shown = INITIAL_TRANSACTION_COLUMNS,
  order,
}: TransactionTableProps) {
  const { payments } = words()
  const { columns } = payments
  return (
    <Table label={payments.title}>
      <thead>
        <tr>
          <HeadCell {...(order && { sort: order === 'oldest' ? 'ascending' : 'descending' })}>
            {order ? <SortLink order={order}>{columns.time}</SortLink> : columns.time}
          </HeadCell>
          {shown.map((column) => (
            <HeadCell
              key={column}
              right={column === 'amount'}
              className={classNames(column === 'data' && WIDE_ONLY)}
            >
              {columns[column]}
            </HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id} className={DENSE_ROW}>
            <Cell label={columns.time} className={DENSE.more}>
              <RowLink to="/projects/$id/transactions" row={item} />
            </Cell>
            {shown.map((column) => (
              <TransactionCell key={column} column={column} item={item} />
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function TransactionCell({ column, item }: { column: TransactionColumn; item: TransactionView }) {
  const { payments } = words()
  const label = payments.columns[column]
  switch (column) {
    case 'amount':
      return <AmountCell item={item} />
    case 'state':
      return (
        <Cell label={label} narrow="right" className={DENSE.state}>
          <span className="inline-flex flex-wrap gap-1 max-md:justify-end">
            <StateBadge payment={item} />
            <MoneyBackBadges payment={item} />
          </span>
        </Cell>
      )
    case 'customId':
      return (
        <Cell label={label} className={classNames(DENSE.more, ONE_LINE, 'max-md:col-span-2')}>
          <span title={item.customId ?? undefined} className="block truncate">
            {item.customId ?? <span className={classNames(item.data && 'max-xl:hidden')}>–</span>}
            {/* Below `xl`, the column `data` is hidden, and the text of `data` replaces a missing order ID. */}
            {item.customId === null && <span className="text-muted xl:hidden">{item.data}</span>}
          </span>
        </Cell>
      )
    case 'data':
      return (
        <Cell label={label} narrow="hidden" className={classNames(WIDE_ONLY, ONE_LINE)}>
          <span title={item.data ?? undefined} className="block truncate">
            {item.data ?? '–'}
          </span>
        </Cell>
      )
    case 'reference':
      return (
        <Cell label={label} narrow="hidden" className="font-mono whitespace-nowrap">
          {item.reference}
        </Cell>
      )
    case 'callback':
      return <CallbackCell item={item} />
  }
}

/** On a phone, the callback is shown only if it is not delivered. */
function CallbackCell({ item }: { item: TransactionView }) {
  const isShown = item.callback !== null && item.callback.status !== 'delivered'
  return (
    <Cell
      label={words().payments.columns.callback}
      narrow={isShown ? 'left' : 'hidden'}
      named
      className={classNames(
        isShown && 'max-md:order-1 max-md:col-span-3 max-md:flex max-md:items-center max-md:gap-2',
      )}
    >
      {item.callback ? <PaymentCallbackBadge payment={item} /> : '–'}
    </Cell>
  )
}

function AmountCell({ item }: { item: TransactionView }) {
  const { payments } = words()
  const net = findNet(item)
  return (
    <Cell
      label={payments.columns.amount}
      right
      className={classNames(DENSE.title, 'font-medium whitespace-nowrap tabular-nums')}
    >
      {formatAmount(item.amount, item)}
      {net !== null && (
        <span className="block text-xs font-normal text-muted">{payments.net(formatAmount(net, item))}</span>
      )}
    </Cell>
  )
}
