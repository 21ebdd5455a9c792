// Unexpected reports about a payment, for the operator who has to decide. Each distinct report is one row, up to a
// limit.
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { IncidentFacts } from './incidents-store.ts'

/** With a working upstream a payment rarely has more than two reports. A broken upstream must not fill the table. */
export const REPORTS_MAX = 50

export interface StoredReport {
  /** Identical reports of one payment have the same fingerprint. */
  fingerprint: string
  /** Null: the row stands for all reports above the limit. Only their number and times are stored. */
  facts: IncidentFacts | null
  times: number
  firstAt: Date
  lastAt: Date
}

// `known`: whether the operator knew the report when they decided. A report that is stored for the first time is never
// known, even if `first_at` is before the decision: `first_at` is when its database transaction began, which may have waited
// for the payment's lock while the operator decided.
// The fields of our own payment are left out, so that the same report does not look new after one of them has changed.
const STORE = statement(
  'reports.note',
  `with given as (
     select $2::jsonb - array['state', 'amount', 'currency', 'charge'] as report),
   named as (
     select report, case when exists (select from upstream_reports
         where transaction_id = $1 and fingerprint = md5(given.report::text))
       or (select count(*) from upstream_reports where transaction_id = $1) < ${REPORTS_MAX}
       then md5(report::text) else 'more' end as fingerprint
     from given)
   insert into upstream_reports as r (transaction_id, fingerprint, report, charge_id)
   select $1, fingerprint, case fingerprint when 'more' then '{}' else report end,
     case fingerprint when 'more' then null else report->>'saidCharge' end
   from named
   on conflict (transaction_id, fingerprint) do update set times = r.times + 1, last_at = now()
   returning r.times > 1 and r.fingerprint <> 'more' and r.first_at <= $3::timestamptz as known`,
)

/** Returns whether the operator knew the report when they decided. The caller must have locked the payment's row. */
export async function storeReport(
  tx: Tx,
  transactionId: string,
  decidedAt: Date | null,
  facts: IncidentFacts,
): Promise<boolean> {
  const [row] = await tx.query<{ known: boolean | null }>(STORE, [
    transactionId,
    JSON.stringify(facts),
    decidedAt,
  ])
  return row?.known === true
}

const LIST = statement(
  'reports.list',
  `select report, fingerprint, times, first_at, last_at from upstream_reports
   where transaction_id = $1 order by first_at, fingerprint`,
)

interface ReportRow {
  report: IncidentFacts
  fingerprint: string
  times: number
  first_at: Date
  last_at: Date
}

export async function listReports(db: Queryable, transactionId: string): Promise<StoredReport[]> {
  const rows = await db.query<ReportRow>(LIST, [transactionId])
  return rows.map((row) => ({
    fingerprint: row.fingerprint,
    facts: row.fingerprint === 'more' ? null : row.report,
    times: row.times,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }))
}
