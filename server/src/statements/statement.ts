// The statement of a project for one month: sums by day, or the entries behind them as a CSV file.
import type { StatementQuery, StatementView } from '@pazar/contract'
import { STATEMENT_COLUMNS } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import type { FeedDeps } from '../feed/list-events.ts'
import { publishAll } from '../feed/publish.ts'
import { CSV_START, toCsvAmount, toCsvLine } from '../lib/csv.ts'
import type { CsvValue } from '../lib/csv.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Project } from '../projects/project.ts'
import { requireProject, requireStillAllowed } from '../projects/access.ts'
import { isBackfilled } from './backfill-store.ts'
import { listDates, toBounds } from './month.ts'
import type { LedgerDay, LedgerEntry, Scope, Sums } from './statement-store.ts'
import { listDays, listEntries } from './statement-store.ts'

const ZERO_SUMS: Sums = { payments: 0, gross: 0n, refunds: 0n, returned: 0n, disputes: 0n }

/**
 * Returns the currency of the statement and the number of decimals of its sums. If no currency is requested and the month
 * has several, the installation's current currency is preferred. If the entries in the chosen currency have different
 * numbers of decimals, all sums get the largest number of decimals, so that no sum is rounded.
 */
function toUnit(
  days: readonly LedgerDay[],
  current: CurrencyAndScale,
  requested: string | undefined,
): CurrencyAndScale {
  const hasCurrent = days.some((day) => day.currency === current.currency)
  const currency = requested ?? (hasCurrent ? current : (days.at(-1) ?? current)).currency
  const scales = days.filter((day) => day.currency === currency).map(({ scale }) => scale)
  return { currency, scale: scales.length === 0 ? current.scale : Math.max(...scales) }
}

/** `toScale` is at least the number of decimals of the sums. */
function toScaled({ scale, ...sums }: LedgerDay, toScale: number): Sums {
  const factor = 10n ** BigInt(toScale - scale)
  return {
    payments: sums.payments,
    gross: sums.gross * factor,
    refunds: sums.refunds * factor,
    returned: sums.returned * factor,
    disputes: sums.disputes * factor,
  }
}

function addSums(a: Sums, b: Sums): Sums {
  return {
    payments: a.payments + b.payments,
    gross: a.gross + b.gross,
    refunds: a.refunds + b.refunds,
    returned: a.returned + b.returned,
    disputes: a.disputes + b.disputes,
  }
}

function toView({ payments, gross, refunds, returned, disputes }: Sums): StatementView['totals'] {
  return {
    payments,
    gross: gross.toString(),
    refunds: refunds.toString(),
    returned: returned.toString(),
    disputes: disputes.toString(),
    net: (gross - refunds + returned - disputes).toString(),
  }
}

interface Opened {
  project: Project
  scope: Scope
  unit: CurrencyAndScale
  /** All currencies of the month, sorted. */
  currencies: string[]
  /** The sums of each day that has entries, with the decimals of the unit. */
  days: Map<string, Sums>
}

type Options = { projectId: string; query: StatementQuery }

async function openStatement(
  deps: FeedDeps,
  accountId: AccountId,
  { projectId, query }: Options,
): Promise<Opened> {
  const project = await requireProject(deps.db, accountId, projectId, 'money')
  // While the ledger still lacks older payments, a statement would be wrong but look complete.
  if (!(await isBackfilled(deps.db)))
    throw new ServiceError('unavailable', { retryAfterSec: 30, log: 'the ledger is still being filled' })
  // Entries are posted when events are published, so all unpublished events are published first.
  await publishAll(deps, project.id)
  const scope = { projectId: project.id, mode: query.mode, ...toBounds(query.month) }
  const all = await listDays(deps.db, scope)
  const unit = toUnit(all, deps.installation, query.currency)
  const days = new Map<string, Sums>()
  for (const day of all) {
    if (day.currency !== unit.currency) continue
    days.set(day.date, addSums(days.get(day.date) ?? ZERO_SUMS, toScaled(day, unit.scale)))
  }
  const currencies = [...new Set(all.map(({ currency }) => currency))].toSorted()
  return { project, scope, unit, currencies, days }
}

export async function readStatement(
  deps: FeedDeps,
  accountId: AccountId,
  options: Options,
): Promise<StatementView> {
  const { project, scope, unit, currencies, days } = await openStatement(deps, accountId, options)
  return {
    month: options.query.month,
    timeZone: project.timeZone,
    ...unit,
    currencies,
    days: listDates(scope).map((date) => ({ date, ...toView(days.get(date) ?? ZERO_SUMS) })),
    totals: toView([...days.values()].reduce(addSums, ZERO_SUMS)),
  }
}

/** With parts of this size, a long file needs few queries, and many simultaneous downloads need little memory. */
const ROWS_PER_PART = 1_000

/** The entry has at most `scale` decimals. */
function toCells(locale: Locale, entry: LedgerEntry, { scale }: CurrencyAndScale): CsvValue[] {
  const amount = entry.amount * 10n ** BigInt(scale - entry.scale)
  const cells: Record<(typeof STATEMENT_COLUMNS)[number], CsvValue> = {
    at: entry.at.toISOString(),
    type: entry.type,
    amount: { numeral: amount.toString() },
    transactionId: entry.transactionId,
    refundId: entry.refundId,
    upstreamRef: entry.upstreamRef,
    date: entry.date,
    disputeId: entry.disputeId,
    currency: entry.currency,
    amountDecimal: { numeral: toCsvAmount(locale, amount, scale) },
  }
  return STATEMENT_COLUMNS.map((column) => cells[column])
}

/** A failure aborts the transfer, so that an incomplete file does not look complete. */
export async function exportStatement(
  deps: FeedDeps,
  accountId: AccountId,
  options: Options & { locale: Locale },
  isStillAllowed: () => Promise<boolean>,
): Promise<AsyncIterable<string>> {
  const { locale } = options
  const { project, scope, unit } = await openStatement(deps, accountId, options)
  const readPart = (after: LedgerEntry | null) =>
    listEntries(deps.db, scope, { currency: unit.currency, after, limit: ROWS_PER_PART })
  const readNext = async (after: LedgerEntry) => {
    const part = await readPart(after)
    // A person who was removed, demoted or signed out meanwhile gets no more of the file.
    await requireStillAllowed(deps.db, { accountId, isStillAllowed }, project.id, 'money')
    return part
  }
  const first = await readPart(null)
  return (async function* toParts() {
    yield CSV_START + toCsvLine(locale, STATEMENT_COLUMNS)
    for (let part = first; part.length > 0; part = await readNext(part.at(-1)!)) {
      // The number of decimals is chosen at the start of the file. An entry has more decimals if it was posted during the
      // download, after a change of AMOUNT_SCALE. It would have to be rounded, so only the next download contains it.
      const entries = part.filter((entry) => entry.scale <= unit.scale)
      yield entries.map((entry) => toCsvLine(locale, toCells(locale, entry, unit))).join('')
      if (part.length < ROWS_PER_PART) return
    }
  })()
}
