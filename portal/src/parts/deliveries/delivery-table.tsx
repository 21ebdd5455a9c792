import type { Delivery } from '../../api/deliveries.ts'
import { words } from '../../ui/language.ts'
import { formatAmount } from '../format-amount.ts'
import { classNames } from '../../ui/class-names.ts'
import { Cell, DENSE, DENSE_ROW, HeadCell, Table, WIDE_ONLY } from '../../ui/table.tsx'
import { RowLink } from '../row-link.tsx'
import { SortLink } from '../sort-link.tsx'
import { CallbackBadge } from '../transactions/state-badges.tsx'
import {
  findHost,
  isForwarded,
  isWithoutResponse,
  NextAttempt,
  toResponseText,
  toDurationText,
} from './attempt-text.tsx'
import { ResendButton } from './resend-button.tsx'

export const DELIVERY_COLUMNS = ['result', 'answer', 'attempt', 'duration', 'order', 'amount'] as const
export type DeliveryColumn = (typeof DELIVERY_COLUMNS)[number]

/** A tablet has no space for these columns. */
const WIDE_COLUMNS: readonly DeliveryColumn[] = ['attempt', 'duration']
const RIGHT_COLUMNS: readonly DeliveryColumn[] = ['attempt', 'duration', 'amount']

export function toDeliveryColumnNames(): Record<DeliveryColumn, string> {
  const { deliveries, payments } = words()
  return { ...deliveries.columns, amount: payments.columns.amount }
}

export interface DeliveryTableProps {
  items: readonly Delivery[]
  columns?: readonly DeliveryColumn[]
  order?: 'newest' | 'oldest' | undefined
}

export function DeliveryTable({ items, columns = DELIVERY_COLUMNS, order }: DeliveryTableProps) {
  const { deliveries } = words()
  const names = toDeliveryColumnNames()
  return (
    <Table label={deliveries.title}>
      <thead>
        <tr>
          <HeadCell {...(order && { sort: order === 'oldest' ? 'ascending' : 'descending' })}>
            {order ? <SortLink order={order}>{deliveries.columns.time}</SortLink> : deliveries.columns.time}
          </HeadCell>
          {columns.map((column) => (
            <HeadCell
              key={column}
              right={RIGHT_COLUMNS.includes(column)}
              className={classNames(WIDE_COLUMNS.includes(column) && WIDE_ONLY)}
            >
              {names[column]}
            </HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id} className={DENSE_ROW}>
            <Cell label={deliveries.columns.time} className={DENSE.more}>
              <RowLink to="/projects/$id/deliveries" row={item} />
            </Cell>
            {columns.map((column) => (
              <DeliveryCell key={column} column={column} label={names[column]} item={item} />
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

interface DeliveryCellProps {
  column: DeliveryColumn
  label: string
  item: Delivery
}

function DeliveryCell({ column, label, item }: DeliveryCellProps) {
  const { deliveries } = words()
  const last = item.lastAttempt
  switch (column) {
    case 'result':
      return <ResultCell label={label} item={item} />
    case 'answer':
      return <ResponseCell label={label} item={item} />
    case 'attempt':
      return (
        <Cell label={label} right narrow="hidden" className={classNames(WIDE_ONLY, 'tabular-nums')}>
          {item.attempts}
        </Cell>
      )
    case 'duration':
      return (
        <Cell
          label={label}
          right
          narrow="hidden"
          className={classNames(WIDE_ONLY, 'whitespace-nowrap tabular-nums')}
        >
          {toDurationText(last)}
        </Cell>
      )
    case 'order':
      return (
        <Cell label={label} narrow="left" className={classNames(DENSE.title, 'xl:min-w-32')}>
          <span
            className={classNames('line-clamp-1 md:line-clamp-2', item.customId === null && 'text-muted')}
          >
            {item.customId ?? item.data ?? '–'}
          </span>
          {/* On a phone, the most common event is not named. */}
          <span
            className={classNames(
              'block text-xs font-normal text-muted',
              item.event === 'payment.result' && 'max-md:hidden',
            )}
          >
            {deliveries.events[item.event]}
          </span>
        </Cell>
      )
    case 'amount':
      return (
        <Cell
          label={label}
          right
          narrow="right"
          className="whitespace-nowrap tabular-nums max-md:col-start-3"
        >
          {formatAmount(item.amount, item)}
        </Cell>
      )
  }
}

/** On a phone, a failure has a line of its own. */
function ResponseCell({ label, item }: { label: string; item: Delivery }) {
  const last = item.lastAttempt
  const host = findHost(last)
  const isRetrying = item.attempts > 0 && item.nextAt !== null
  const isExhausted = item.status === 'exhausted'
  const hasOwnLine = isRetrying || isExhausted || isWithoutResponse(last)
  return (
    <Cell
      label={label}
      className={classNames(
        DENSE.more,
        last === null && 'max-md:hidden',
        hasOwnLine && 'max-md:order-1 max-md:col-span-3 max-md:flex max-md:items-center max-md:gap-3',
      )}
    >
      <span className="min-w-0 flex-1">
        {toResponseText(last)}
        {isRetrying && (
          <span className="block md:hidden">
            <NextAttempt callback={item} />
          </span>
        )}
      </span>
      {isExhausted && (
        <span className="relative md:hidden">
          <ResendButton callback={item} />
        </span>
      )}
      {host && (
        // A long host is cut off instead of continuing on a second line.
        <span title={host} className="block max-w-32 truncate text-xs text-muted max-md:hidden xl:max-w-44">
          {host}
        </span>
      )}
    </Cell>
  )
}

function ResultCell({ label, item }: { label: string; item: Delivery }) {
  return (
    <Cell
      label={label}
      narrow="right"
      className={classNames(DENSE.state, 'max-md:whitespace-nowrap xl:whitespace-nowrap')}
    >
      <span className="inline-flex flex-col items-end gap-1 md:items-start md:gap-1.5">
        <CallbackBadge callback={item} isForwarded={isForwarded(item.lastAttempt)} />
        {item.attempts > 0 && item.nextAt !== null && (
          <span className="text-xs text-muted max-md:hidden">
            <NextAttempt callback={item} />
          </span>
        )}
        {item.status === 'exhausted' && (
          <span className="relative max-md:hidden">
            <ResendButton callback={item} />
          </span>
        )}
      </span>
    </Cell>
  )
}
