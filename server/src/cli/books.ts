import { BOOKS_CHECK_DAYS_MAX, BOOKS_CHECK_ITEMS_MAX } from '@pazar/contract'
import { toUpstreamFault } from '../backends/backend.ts'
import type { CheckedUpstream, RequestedPeriod } from '../reconciliation/check-books.ts'
import { checkBooks } from '../reconciliation/check-books.ts'
import type { Difference, Trouble } from '../reconciliation/compare.ts'
import { UncheckableError } from '../reconciliation/read-lists.ts'
import type { Deps } from '../wire.ts'
import type { Command, Printed } from './command.ts'
import { parseFlags, RefusedError, toCell, toTable, UsageError } from './command.ts'
import { parseDayMs } from './parse-time.ts'

const USAGE = 'books check --from YYYY-MM-DD --to YYYY-MM-DD'
const DAY_MS = 24 * 3_600_000
/** Younger entries may still be on their way from one ledger to the other. */
const FRESH_MS = 10 * 60_000
/** At most this many differences of each upstream are printed. The list of incidents has all of them. */
const SHOWN_MAX = 200

const DETAILS = `Compares the payments, refunds and disputes of these days (UTC, both included, at most ${BOOKS_CHECK_DAYS_MAX}) with the lists of the
upstreams that open live payments (BACKEND) or have opened them (BACKENDS_KEPT). The last ten minutes are left out. Each
difference becomes one incident (books_differ), however often it is found. At most ${SHOWN_MAX} differences per upstream are
printed. Nothing else changes.
  missing here    the upstream moved money that is not on record here
  missing there   money is on record here, but the upstream did not move it
  amount, currency, scale   both have the entry, with different values
  charged twice   the upstream charged one payment twice
Payments that an operator has resolved are left out, and so are payments and refunds that have been open for less than a day. Reads
at most ${BOOKS_CHECK_ITEMS_MAX} entries of each list, within the upstream's quota for lookups.

Exit codes: 0 the ledgers agree, 1 they differ or could not be compared, 2 wrong usage.`

function parseDay(flag: string, text: string | undefined): number {
  if (text === undefined) throw new UsageError(`${flag} is missing. Usage: npm run pazar -- ${USAGE}`)
  const ms = parseDayMs(text)
  if (Number.isNaN(ms)) throw new UsageError(`${flag} must be a day such as 2026-11-30, not ${toCell(text)}.`)
  return ms
}

function parsePeriod(from: string | undefined, to: string | undefined, nowMs: number): RequestedPeriod {
  const fromMs = parseDay('--from', from)
  const lastMs = parseDay('--to', to)
  if (lastMs < fromMs) throw new UsageError('--to is before --from.')
  if (lastMs > nowMs) throw new UsageError('--to is in the future.')
  if (lastMs - fromMs >= BOOKS_CHECK_DAYS_MAX * DAY_MS)
    throw new UsageError(`At most ${BOOKS_CHECK_DAYS_MAX} days can be compared in one run.`)
  const toMs = Math.max(fromMs, Math.min(lastMs + DAY_MS, nowMs - FRESH_MS))
  // The end of a period is not included, so the present millisecond needs + 1.
  return { fromMs, toMs, requestedToMs: Math.min(lastMs + DAY_MS, nowMs + 1) }
}

const TROUBLES: Record<Trouble, string> = {
  missing_here: 'missing here',
  missing_there: 'missing there',
  amount: 'amount',
  currency: 'currency',
  scale: 'scale',
  charged_twice: 'charged twice',
}

function toRow({ object, trouble, id, here, there }: Difference): string[] {
  return [object, TROUBLES[trouble], toCell(id, 60), toCell(here, 80), toCell(there, 120)]
}

function toLines(checked: CheckedUpstream): string[] {
  const { upstream, isListed, payments, refunds, disputes, decided, fresh, differences } = checked
  if (!isListed)
    return [
      `${upstream}: not compared, because this upstream does not list its ledger ("lists" in docs/upstream.md).`,
    ]
  const toCount = (count: number | null, noun: string) =>
    count === null ? `no ${noun} at this upstream` : `${noun} ${count}`
  const leftOutText = [
    ...(decided === 0 ? [] : [`; left out because an operator decided: ${decided}`]),
    ...(fresh === 0 ? [] : [`; left out because they are from the last ten minutes: ${fresh}`]),
  ].join('')
  const counts = [toCount(payments, 'payments'), toCount(refunds, 'refunds'), toCount(disputes, 'disputes')]
  const summary = `${upstream}: compared: ${counts.join(', ')}${leftOutText}.`
  if (differences.length === 0) return [summary, 'The ledgers agree.']
  const rows = differences.slice(0, SHOWN_MAX).map(toRow)
  const omittedCount = differences.length - rows.length
  return [
    summary,
    toTable([['OBJECT', 'DIFFERENCE', 'ID', 'HERE', 'THERE'], ...rows]),
    ...(omittedCount > 0 ? [`… and ${omittedCount} more`] : []),
    `Differences: ${differences.length}, each an incident: npm run pazar -- incidents list`,
  ]
}

async function checkPeriod(deps: Deps, period: RequestedPeriod): Promise<Printed> {
  try {
    const checked = await checkBooks(deps, period)
    const agrees = checked.every(({ isListed, differences }) => isListed && differences.length === 0)
    return { text: checked.flatMap(toLines).join('\n'), exitCode: agrees ? 0 : 1 }
  } catch (error) {
    if (error instanceof UncheckableError) throw new RefusedError(error.message)
    const fault = toUpstreamFault(error)
    if (fault === null || !(error instanceof Error)) throw error
    throw new RefusedError(`Not compared, and no incident raised: ${error.message} (${fault}).`)
  }
}

export const books: Command = {
  name: 'books',
  usage: USAGE,
  summary: "compare our ledger with the upstream's for a period",
  details: DETAILS,
  async run(deps, args) {
    const flags = { from: { type: 'string' }, to: { type: 'string' } } as const
    const { values, positionals } = parseFlags(USAGE, args, flags)
    if (positionals.length !== 1 || positionals[0] !== 'check')
      throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    return checkPeriod(deps, parsePeriod(values.from, values.to, deps.clock.nowMs()))
  },
}
