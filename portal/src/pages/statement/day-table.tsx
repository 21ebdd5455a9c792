import { formatDate, formatNumber } from '@pazar/words'
import type { StatementView } from '@pazar/contract'
import { formatAmount } from '../../parts/format-amount.ts'
import { classNames } from '../../ui/class-names.ts'
import { locale, words } from '../../ui/language.ts'
import { Cell, HeadCell, ROW, Table } from '../../ui/table.tsx'
import { negate } from '../../parts/negate.ts'

interface DayTableProps {
  statement: StatementView
  days: StatementView['days']
}

/** With longer amounts, the table is wider than a laptop's screen. */
const FITTING_AMOUNT_CHARS = 15

export function DayTable({ statement, days }: DayTableProps) {
  const { columns, days: title, total } = words().statement
  return (
    <section className="grid gap-3">
      <h2 className="text-base font-strong">{title}</h2>
      <Table
        label={title}
        scrolls={formatAmount(statement.totals.gross, statement).length > FITTING_AMOUNT_CHARS}
      >
        <thead>
          <tr>
            <HeadCell>{columns.day}</HeadCell>
            <HeadCell right>{columns.payments}</HeadCell>
            <HeadCell right>{columns.gross}</HeadCell>
            <HeadCell right>{columns.refunds}</HeadCell>
            {statement.totals.returned !== '0' && <HeadCell right>{columns.returned}</HeadCell>}
            <HeadCell right>{columns.disputes}</HeadCell>
            <HeadCell right>{columns.net}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <SumRow key={day.date} name={toDayName(day.date)} sums={day} statement={statement} />
          ))}
        </tbody>
        <tfoot className="block md:table-footer-group print:table-footer-group">
          <SumRow name={total} sums={statement.totals} statement={statement} />
        </tfoot>
      </Table>
    </section>
  )
}

function toDayName(date: string): string {
  return formatDate(locale, new Date(`${date}T00:00:00Z`), 'UTC')
}

interface SumRowProps {
  name: string
  sums: StatementView['totals']
  statement: StatementView
}

function SumRow({ name, sums, statement }: SumRowProps) {
  const { columns } = words().statement
  const toAmountText = (sum: string) => (sum === '0' ? null : formatAmount(sum, statement))
  return (
    <tr className={classNames(ROW, '[tfoot_&]:border-t [tfoot_&]:bg-surface [tfoot_&]:font-strong')}>
      <Cell
        label={columns.day}
        className="font-medium whitespace-nowrap tabular-nums max-md:-order-1 [tfoot_&]:font-strong"
      >
        {name}
      </Cell>
      <Sum label={columns.payments} text={formatNumber(locale, sums.payments)} />
      <Sum label={columns.gross} text={toAmountText(sums.gross)} isNet={sums.gross === sums.net} />
      <Sum label={columns.refunds} text={toAmountText(negate(sums.refunds))} />
      {statement.totals.returned !== '0' && (
        <Sum label={columns.returned} text={toAmountText(sums.returned)} />
      )}
      <Sum label={columns.disputes} text={toAmountText(negate(sums.disputes))} />
      <NetSum label={columns.net} text={formatAmount(sums.net, statement)} />
    </tr>
  )
}

interface SumProps {
  label: string
  text: string | null
  /** The sum equals the net amount. On a phone, this line is hidden, because the first line has the net amount. */
  isNet?: boolean
}

/** On a phone, each sum is shown beside the name of its column, and a sum of zero (null) is hidden. */
function Sum({ label, text, isNet = false }: SumProps) {
  return (
    <Cell
      label={label}
      right
      narrow={text === null || isNet ? 'hidden' : 'whole'}
      className="tabular-nums max-md:py-0.5 max-md:text-muted print:text-ink [tfoot_&]:text-ink"
    >
      <span className="flex justify-between gap-4 md:block print:block">
        <span aria-hidden className="md:hidden print:hidden">
          {label}
        </span>
        <span className="whitespace-nowrap print:whitespace-normal">{text ?? '–'}</span>
      </span>
    </Cell>
  )
}

function NetSum({ label, text }: { label: string; text: string }) {
  return (
    <Cell
      label={label}
      right
      narrow="right"
      className="font-medium tabular-nums max-md:-order-1 max-md:text-base print:text-sm [tfoot_&]:font-strong"
    >
      <span className="whitespace-nowrap print:whitespace-normal">{text}</span>
    </Cell>
  )
}
