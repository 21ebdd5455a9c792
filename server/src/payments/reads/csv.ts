// Exports the payments of a project as CSV. The rows are fetched in parts while the client reads the file, so that the
// memory does not grow with the file.
import type { TransactionFilters } from '@pazar/contract'
import { catalogue } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Account } from '../../accounts/account.ts'
import { createCsvLocalTime, CSV_START, toCsvAmount, toCsvLine } from '../../lib/csv.ts'
import type { CsvValue } from '../../lib/csv.ts'
import { requireProject, requireStillAllowed } from '../../projects/access.ts'
import type { PaymentDeps } from '../deps.ts'
import { toListFilter } from './list-filter.ts'
import { findPage } from './list-store.ts'
import type { ListedPayment } from './list-store.ts'
import type { Cursor } from './list-scope-store.ts'
import { planList } from './list.ts'
import { toReference } from '../payment.ts'

/**
 * A part is about half a megabyte of text. So a long file needs few queries, and many downloads at once need little
 * memory.
 */
const ROWS_PER_PART = 1_000

type Column = [heading: string, read: (payment: ListedPayment) => CsvValue]

function toColumns(locale: Locale, timeZone: string, scaleOfOldPayments: number): Column[] {
  const { columns, yes } = catalogue(locale).transactions
  const toLocalTime = createCsvLocalTime(timeZone)
  const toAmount = (amount: bigint, { scale }: ListedPayment) =>
    toCsvAmount(locale, amount, scale ?? scaleOfOldPayments)
  return [
    [columns.createdAt, ({ createdAt }) => createdAt.toISOString()],
    [columns.localTime(timeZone), ({ createdAt }) => toLocalTime(createdAt)],
    [columns.id, ({ id }) => id],
    [columns.reference, ({ id }) => toReference(id)],
    // Mode and state have the API's values in both languages, because filters and formulas in spreadsheets compare with
    // these values.
    [columns.mode, ({ mode }) => mode],
    [columns.state, ({ state }) => state],
    [columns.amount, (payment) => toAmount(payment.amount, payment)],
    [columns.amountMinor, ({ amount }) => amount.toString()],
    [columns.currency, ({ currency }) => currency],
    [columns.customId, ({ customId }) => customId],
    [columns.data, ({ data }) => data],
    [columns.failureCode, ({ failureCode }) => failureCode],
    [columns.needsReview, ({ needsReview }) => (needsReview ? yes : null)],
    [columns.completedAt, ({ completedAt }) => completedAt?.toISOString() ?? null],
    [columns.callbackStatus, ({ callback }) => callback?.status ?? null],
    [columns.callbackAttempts, ({ callback }) => callback?.attempts ?? null],
    [columns.callbackStatusCode, ({ callback }) => callback?.lastStatusCode ?? null],
    [columns.resolution, ({ resolution }) => resolution],
    [columns.resolvedAt, ({ resolvedAt }) => resolvedAt?.toISOString() ?? null],
    [columns.resolutionReason, ({ resolutionReason }) => resolutionReason],
    [columns.refunded, (payment) => toAmount(payment.refunded, payment)],
    [columns.refundable, (payment) => toAmount(payment.refundable, payment)],
    [columns.disputed, (payment) => toAmount(payment.disputed, payment)],
    [columns.upstreamRef, ({ upstreamRef }) => upstreamRef],
  ]
}

/**
 * Invalid requests are refused before the first part. A later failure aborts the transfer, so that an incomplete file
 * is noticed.
 */
export async function exportCsv(
  deps: PaymentDeps,
  account: Account,
  options: { projectId: string; filters: TransactionFilters; locale: Locale },
  isStillAllowed: () => Promise<boolean>,
): Promise<AsyncIterable<string>> {
  const { id } = await requireProject(deps.db, account.id, options.projectId, 'money')
  const filter = toListFilter([id], options.filters, deps.erasedOrders.toHash)
  let { by } = await planList(deps, filter)
  const readPart = async (after: Cursor | null): Promise<ListedPayment[]> => {
    const part = await findPage(deps.db, filter, { by, after, offset: 0, limit: ROWS_PER_PART })
    if (by === 'order') return part
    // If `by` is 'candidates', only a limited number of matches is read. If new payments have raised the number above this limit,
    // the part may lack payments. So the list is planned again.
    by = (await planList(deps, filter)).by
    return by === 'order' ? readPart(after) : part
  }
  const readNext = async (after: Cursor) => {
    const part = await readPart(after)
    await requireStillAllowed(deps.db, { accountId: account.id, isStillAllowed }, id, 'money')
    return part
  }
  const first = await readPart(null)
  const columns = toColumns(options.locale, account.timeZone, deps.installation.scaleOfOldPayments)
  const toLine = (payment: ListedPayment) =>
    toCsvLine(
      options.locale,
      columns.map(([, read]) => read(payment)),
    )

  return (async function* toParts() {
    yield (
      CSV_START +
        toCsvLine(
          options.locale,
          columns.map(([heading]) => heading),
        )
    )
    for (let part = first; part.length > 0; part = await readNext(part.at(-1)!.cursor)) {
      yield part.map(toLine).join('')
      if (part.length < ROWS_PER_PART) return
    }
  })()
}
