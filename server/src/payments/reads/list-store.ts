// Reads one page of payments in one statement: first the ids from an index, then the rows.
import type { CallbackStatus, Mode, Resolution } from '@pazar/contract'
import { isResult } from '../../callbacks/callback.ts'
import { LISTENERS } from '../../callbacks/deliver.ts'
import type { Queryable } from '../../db/pool.ts'
import type { ListFilter } from './list-filter.ts'
import type { Cursor } from './list-scope-store.ts'
import {
  namedByText,
  Parameters,
  toCandidates,
  toFirstRows,
  toOrder,
  toOtherFilters,
} from './list-scope-store.ts'
import type { PaymentState } from '../payment.ts'
import { toRefundable } from '../refundable.ts'
import type { SumsRow } from '../refund-sums-store.ts'
import { SUMS, toSums } from '../refund-sums-store.ts'

export interface ListedPayment {
  id: string
  projectId: string
  mode: Mode
  amount: bigint
  currency: string
  /** Null: stored by a release without this column. */
  scale: number | null
  state: PaymentState
  customId: string | null
  data: string | null
  failureCode: string | null
  needsReview: boolean
  resolution: Resolution | null
  resolvedAt: Date | null
  resolutionReason: string | null
  createdAt: Date
  completedAt: Date | null
  refunded: bigint
  refundable: bigint
  disputed: bigint
  upstreamRef: string | null
  callback: {
    id: string
    status: CallbackStatus
    attempts: number
    lastStatusCode: number | null
    deliveredAt: Date | null
    forwarded: boolean
  } | null
  cursor: Cursor
}

export interface PageWindow {
  /**
   * `candidates`, for few matches: reads all matches from the index of the search or of the end times. `order`, for many
   * matches: reads payments in the order of the list until the page is full.
   */
  by: 'order' | 'candidates'
  after: Cursor | null
  offset: number
  limit: number
}

interface ListedRow extends SumsRow {
  id: string
  project_id: string
  mode: Mode
  amount: bigint
  currency: string
  amount_scale: number | null
  state: PaymentState
  custom_id: string | null
  data: string | null
  failure_code: string | null
  needs_review: boolean
  resolution: Resolution | null
  resolved_at: Date | null
  resolution_reason: string | null
  created_at: Date
  created_text: string
  completed_at: Date | null
  upstream_ref: string | null
  callback_id: string | null
  callback_status: CallbackStatus
  callback_attempts: number
  last_status_code: number | null
  delivered_at: Date | null
  /** Null before the first attempt. */
  is_forwarded: boolean | null
}

function toListedPayment(row: ListedRow): ListedPayment {
  return {
    id: row.id,
    projectId: row.project_id,
    mode: row.mode,
    amount: row.amount,
    currency: row.currency,
    scale: row.amount_scale,
    state: row.state,
    customId: row.custom_id,
    data: row.data,
    failureCode: row.failure_code,
    needsReview: row.needs_review,
    resolution: row.resolution,
    resolvedAt: row.resolved_at,
    resolutionReason: row.resolution_reason,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    refunded: row.refunded,
    refundable: toRefundable({ ...row, needsReview: row.needs_review }, toSums(row)),
    disputed: row.disputed,
    upstreamRef: row.upstream_ref,
    callback:
      row.callback_id === null
        ? null
        : {
            id: row.callback_id,
            status: row.callback_status,
            attempts: row.callback_attempts,
            lastStatusCode: row.last_status_code,
            deliveredAt: row.delivered_at,
            forwarded: row.is_forwarded ?? false,
          },
    cursor: { createdAt: row.created_text, id: row.id },
  }
}

function toFound(p: Parameters, filter: ListFilter, page: PageWindow): string {
  const { by, after, offset, limit } = page
  if (by === 'order') return toFirstRows(p, filter, after, offset + limit)
  return `select distinct id, created_at from (${toCandidates(p, filter)}) as candidates where ${toOtherFilters(p, filter, after)}`
}

export async function findPage(
  db: Queryable,
  filter: ListFilter,
  page: PageWindow,
): Promise<ListedPayment[]> {
  const p = new Parameters()
  const text = `with page as materialized (
      select id, created_at from (${toFound(p, filter, page)}) as found
      order by ${toOrder(filter)} offset ${p.add(page.offset)} limit ${p.add(page.limit)})
    select t.id, t.project_id, t.mode, t.amount, t.currency, t.amount_scale, t.state, t.custom_id, t.data,
      t.failure_code, t.needs_review, t.resolution, t.resolved_at, t.resolution_reason, t.created_at, t.created_at::text as created_text, t.completed_at,
      ${SUMS}, t.upstream_ref,
      c.id as callback_id, c.status as callback_status, c.attempts as callback_attempts, c.delivered_at, last.status_code as last_status_code, last.is_forwarded
    from page join transactions t on t.id = page.id
    left join lateral (select * from callback_states c where transaction_id = t.id and ${isResult('c')} order by revision desc limit 1) c on true
    left join lateral (select a.status_code, a.url = '${LISTENERS}' as is_forwarded from callback_attempts a
      where a.project_id = c.project_id and a.callback_id = c.id order by a.attempt desc limit 1) as last on true
    order by ${filter.isOldestFirst ? 'page.created_at, page.id' : 'page.created_at desc, page.id desc'}`
  const rows = await db.query<ListedRow>(namedByText('list.page', text), p.values)
  return rows.map(toListedPayment)
}
