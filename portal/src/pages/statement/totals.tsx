import { formatNumber } from '@pazar/words'
import type { StatementView } from '@pazar/contract'
import { formatAmount } from '../../parts/format-amount.ts'
import { locale, words } from '../../ui/language.ts'
import { classNames } from '../../ui/class-names.ts'
import { ModeTag } from '../../parts/mode-tag.tsx'
import { negate } from '../../parts/negate.ts'

/** A longer amount does not fit into half the width of a phone. */
const HALF_WIDTH_AMOUNT_CHARS = 13

export function Totals({ statement }: { statement: StatementView }) {
  const { columns, left, beforeFees } = words().statement
  const { totals } = statement
  const toAmountText = (sum: string) => formatAmount(sum, statement)
  const items: [string, string][] = [
    [columns.payments, formatNumber(locale, totals.payments)],
    [columns.gross, toAmountText(totals.gross)],
    [columns.refunds, toAmountText(negate(totals.refunds))],
    ...(totals.returned === '0'
      ? []
      : [[columns.returned, toAmountText(totals.returned)] as [string, string]]),
    [columns.disputes, toAmountText(negate(totals.disputes))],
  ]
  const isLong = items.some(([, value]) => value.length > HALF_WIDTH_AMOUNT_CHARS)
  return (
    <dl
      className={classNames(
        'grid items-start gap-x-10 gap-y-4 rounded-card sm:flex sm:flex-wrap sm:items-end print:flex print:items-end print:justify-between print:gap-x-4 border border-line bg-raised p-4 sm:p-6',
        isLong ? 'grid-cols-1' : 'grid-cols-2 print:flex-nowrap',
      )}
    >
      <div className="col-span-full min-w-0 sm:basis-full print:basis-auto">
        <dt className="mb-2 flex flex-wrap items-center gap-x-3 max-sm:justify-between gap-y-1 text-sm text-muted">
          {left}, {beforeFees} <ModeTag />
        </dt>
        <dd className="text-xl font-strong sm:text-2xl print:text-lg tabular-nums whitespace-nowrap">
          {toAmountText(totals.net)}
        </dd>
      </div>
      {items.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="text-base tabular-nums whitespace-nowrap print:text-sm">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
