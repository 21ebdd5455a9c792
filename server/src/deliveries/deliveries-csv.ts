// The delivery log as a CSV file, read in parts at the pace of the client.
import type { DeliveryFilters } from '@pazar/contract'
import { catalogue } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Account } from '../accounts/account.ts'
import { createCsvLocalTime, CSV_START, toCsvAmount, toCsvLine } from '../lib/csv.ts'
import type { CsvValue } from '../lib/csv.ts'
import { requireProject, requireStillAllowed } from '../projects/access.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import type { Delivery } from './delivery.ts'
import { toScale } from './delivery.ts'
import { explain } from './explain.ts'
import { findEntries } from './log.ts'
import type { LogCursor, LogEntry } from './log-store.ts'

const ROWS_PER_PART = 1_000

type Column = [heading: string, read: (entry: LogEntry) => CsvValue]

function toColumns(
  locale: Locale,
  timeZone: string,
  toAmountScale: (delivery: Delivery) => number,
): Column[] {
  const { columns } = catalogue(locale).deliveries
  const toLocalTime = createCsvLocalTime(timeZone)
  return [
    [columns.createdAt, ({ delivery }) => delivery.createdAt.toISOString()],
    [columns.localTime(timeZone), ({ delivery }) => toLocalTime(delivery.createdAt)],
    [columns.id, ({ delivery }) => delivery.id],
    [columns.transactionId, ({ delivery }) => delivery.transactionId],
    // Mode, result, status, outcome and event keep the API's values, because filters and formulas compare with them.
    [columns.mode, ({ delivery }) => delivery.mode],
    [columns.result, ({ delivery }) => delivery.result],
    [columns.status, ({ delivery }) => delivery.status],
    [
      columns.amount,
      ({ delivery }) => toCsvAmount(locale, BigInt(delivery.facts.amount), toAmountScale(delivery)),
    ],
    [columns.amountMinor, ({ delivery }) => delivery.facts.amount],
    [columns.currency, ({ delivery }) => delivery.facts.currency],
    [columns.customId, ({ delivery }) => delivery.facts.customId ?? null],
    [columns.data, ({ delivery }) => delivery.facts.data ?? null],
    [columns.attempts, ({ delivery }) => delivery.attempts],
    [
      columns.nextAt,
      ({ delivery }) => (delivery.status === 'pending' ? delivery.nextAt.toISOString() : null),
    ],
    [columns.deliveredAt, ({ delivery }) => delivery.deliveredAt?.toISOString() ?? null],
    [columns.lastAttemptAt, ({ lastAttempt }) => lastAttempt?.startedAt.toISOString() ?? null],
    [columns.lastOutcome, ({ lastAttempt }) => lastAttempt?.outcome ?? null],
    [columns.lastStatusCode, ({ lastAttempt }) => lastAttempt?.statusCode ?? null],
    [columns.lastDurationMs, ({ lastAttempt }) => lastAttempt?.durationMs ?? null],
    [columns.url, ({ lastAttempt }) => lastAttempt?.url ?? null],
    [columns.cause, ({ lastAttempt }) => (lastAttempt && explain(locale, lastAttempt)?.cause) ?? null],
    // These columns were added later. They are last, so that the columns before them keep their places.
    [columns.event, ({ delivery }) => delivery.event],
    [columns.refundId, ({ delivery }) => delivery.refundId],
    [columns.disputeId, ({ delivery }) => delivery.disputeId],
    [columns.reportedStatusCode, ({ lastAttempt }) => lastAttempt?.reported?.statusCode ?? null],
    [columns.reportedDurationMs, ({ lastAttempt }) => lastAttempt?.reported?.durationMs ?? null],
  ]
}

/** If access is refused, no part is sent. A later error aborts the transfer. */
export async function exportDeliveries(
  deps: CallbackDeps,
  account: Account,
  options: { projectId: string; filters: DeliveryFilters; locale: Locale },
  isStillAllowed: () => Promise<boolean>,
): Promise<AsyncIterable<string>> {
  const { id } = await requireProject(deps.db, account.id, options.projectId, 'money')
  const readPart = (after: LogCursor | null) =>
    findEntries(deps.db, id, options.filters, { after, limit: ROWS_PER_PART })
  const readNext = async (after: LogCursor) => {
    const part = await readPart(after)
    // The download is cut off if the person has lost access since it began.
    await requireStillAllowed(deps.db, { accountId: account.id, isStillAllowed }, id, 'money')
    return part
  }
  const firstPart = await readPart(null)
  const columns = toColumns(options.locale, account.timeZone, (delivery) =>
    toScale(delivery, deps.installation),
  )
  const toLine = (values: readonly CsvValue[]) => toCsvLine(options.locale, values)

  return (async function* toParts() {
    yield CSV_START + toLine(columns.map(([heading]) => heading))
    for (let part = firstPart; ;) {
      const { entries, walkedTo } = part
      yield entries.map((entry) => toLine(columns.map(([, read]) => read(entry)))).join('')
      const nextCursor = entries.length < ROWS_PER_PART ? walkedTo : entries.at(-1)!.cursor
      if (nextCursor === null) return
      part = await readNext(nextCursor)
    }
  })()
}
