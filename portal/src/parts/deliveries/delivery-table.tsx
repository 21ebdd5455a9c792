import type { Delivery } from '../../api/deliveries.ts'
import { words } from '../../ui/language.ts'
import { formatAmount } from '../format-amount.ts'
import { classNames } from '../../ui/class-names.ts'
import { Cell, HeadCell, ROW, Table, WIDE_ONLY } from '../../ui/table.tsx'
import { RowLink } from '../row-link.tsx'
import { CallbackBadge } from '../transactions/state-badges.tsx'
import { findHost, isForwarded, NextAttempt, toResponseText, toDurationText } from './attempt-text.tsx'
import { ResendButton } from './resend-button.tsx'

export function DeliveryTable({ items }: { items: readonly Delivery[] }) {
  const { deliveries, payments } = words()
  const { columns } = deliveries
  return (
    <Table label={deliveries.title}>
      <thead>
        <tr>
          <HeadCell>{columns.time}</HeadCell>
          <HeadCell>{columns.result}</HeadCell>
          <HeadCell>{columns.answer}</HeadCell>
          <HeadCell right className={WIDE_ONLY}>
            {columns.attempt}
          </HeadCell>
          <HeadCell right className={WIDE_ONLY}>
            {columns.duration}
          </HeadCell>
          <HeadCell>{columns.order}</HeadCell>
          <HeadCell right>{payments.columns.amount}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <DeliveryRow key={item.id} item={item} />
        ))}
      </tbody>
    </Table>
  )
}

function DeliveryRow({ item }: { item: Delivery }) {
  const { deliveries, payments } = words()
  const { columns } = deliveries
  const last = item.lastAttempt
  const host = findHost(last)
  return (
    <tr className={ROW}>
      <Cell label={columns.time}>
        <RowLink to="/projects/$id/deliveries" row={item} />
      </Cell>
      <Cell label={columns.result} narrow="right" className="xl:whitespace-nowrap">
        <span className="inline-flex flex-col items-end gap-1.5 md:items-start">
          <CallbackBadge callback={item} isForwarded={isForwarded(last)} />
          {item.attempts > 0 && item.nextAt !== null && (
            <span className="text-xs text-muted">
              <NextAttempt callback={item} />
            </span>
          )}
          {item.status === 'exhausted' && (
            <span className="relative">
              <ResendButton callback={item} />
            </span>
          )}
        </span>
      </Cell>
      <Cell label={columns.answer} narrow={last ? 'left' : 'hidden'}>
        {toResponseText(last)}
        {host && <span className="block text-xs text-muted">{host}</span>}
      </Cell>
      <Cell label={columns.attempt} right narrow="hidden" className={classNames(WIDE_ONLY, 'tabular-nums')}>
        {item.attempts}
      </Cell>
      <Cell
        label={columns.duration}
        right
        narrow={last ? 'right' : 'hidden'}
        className={classNames(WIDE_ONLY, 'whitespace-nowrap tabular-nums')}
      >
        {toDurationText(last)}
      </Cell>
      <Cell label={columns.order} narrow="left" className="xl:min-w-32">
        <span className={classNames('line-clamp-2', item.customId === null && 'text-muted')}>
          {item.customId ?? item.data ?? '–'}
        </span>
        <span className="block text-xs text-muted">{deliveries.events[item.event]}</span>
      </Cell>
      <Cell label={payments.columns.amount} right narrow="right" className="whitespace-nowrap tabular-nums">
        {formatAmount(item.amount, item)}
      </Cell>
    </tr>
  )
}
