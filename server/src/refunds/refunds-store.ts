import type { RefundReport } from '../backends/backend.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { RefundEnd } from './reactions.ts'
import type { Refund } from './refund.ts'

export interface RefundRow {
  id: string
  project_id: string
  transaction_id: string
  mode: Refund['mode']
  amount: bigint
  currency: string
  amount_scale: number | null
  state: Refund['state']
  origin: Refund['origin']
  requested_amount: bigint | null
  idempotency_key: string | null
  reason: string | null
  charge_ref: string | null
  upstream_ref: string | null
  lookup_id: string | null
  pending_reason: string | null
  failure_code: string | null
  created_at: Date
  completed_at: Date | null
  returned_at: Date | null
}

export const COLUMNS = `id, project_id, transaction_id, mode, amount, currency, amount_scale, state, origin, requested_amount,
  idempotency_key, reason, charge_ref, upstream_ref, lookup_id, pending_reason, failure_code, created_at, completed_at, returned_at`

export function toRefund(row: RefundRow): Refund {
  return {
    id: row.id,
    projectId: row.project_id,
    transactionId: row.transaction_id,
    mode: row.mode,
    amount: row.amount,
    currency: row.currency,
    scale: row.amount_scale,
    state: row.state,
    origin: row.origin,
    requestedAmount: row.requested_amount,
    idempotencyKey: row.idempotency_key,
    reason: row.reason,
    chargeRef: row.charge_ref,
    upstreamRef: row.upstream_ref,
    lookupId: row.lookup_id,
    pendingReason: row.pending_reason,
    failureCode: row.failure_code,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    returnedAt: row.returned_at,
  }
}

const toFirst = (rows: readonly RefundRow[]): Refund | null => (rows[0] ? toRefund(rows[0]) : null)

/** A call to the upstream takes less time than this, so no refund is looked up while it is being requested. */
const FIRST_CHECK = "interval '20 seconds'"

const INSERT = statement(
  'refunds.insert',
  `insert into refunds (id, project_id, transaction_id, mode, amount, currency, amount_scale, origin, requested_amount,
     idempotency_key, reason, token_id, charge_ref, upstream_ref, lookup_id, next_check_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, now() + ${FIRST_CHECK})
   on conflict do nothing returning ${COLUMNS}`,
)

export type NewRow = Omit<
  Refund,
  'state' | 'lookupId' | 'pendingReason' | 'failureCode' | 'createdAt' | 'completedAt' | 'returnedAt'
> & { tokenId: string | null; lookupId?: string | null }

/** Null: another refund has this id, idempotency key, charge or upstream id. The payment's row must be locked. */
export async function insertRefund(tx: Tx, refund: NewRow): Promise<Refund | null> {
  const rows = await tx.query<RefundRow>(INSERT, [
    refund.id,
    refund.projectId,
    refund.transactionId,
    refund.mode,
    refund.amount,
    refund.currency,
    refund.scale,
    refund.origin,
    refund.requestedAmount,
    refund.idempotencyKey,
    refund.reason,
    refund.tokenId,
    refund.chargeRef,
    refund.upstreamRef,
    refund.lookupId ?? null,
  ])
  return toFirst(rows)
}

const FIND = statement('refunds.find', `select ${COLUMNS} from refunds where id = $1`)

export async function findRefund(db: Queryable, id: string): Promise<Refund | null> {
  return toFirst(await db.query(FIND, [id]))
}

const FIND_BY_KEY = statement(
  'refunds.find_by_key',
  `select ${COLUMNS} from refunds where project_id = $1 and mode = $2 and idempotency_key = $3`,
)

export async function findRefundByKey(
  db: Queryable,
  projectId: string,
  mode: string,
  key: string,
): Promise<Refund | null> {
  return toFirst(await db.query(FIND_BY_KEY, [projectId, mode, key]))
}

// Earlier releases stored no lookup_id. A refund made at the upstream may then have its id as its reference. The reference of
// any other row that equals the id belongs to another refund.
const FIND_REPORTED = statement(
  'refunds.find_reported',
  `select ${COLUMNS} from refunds where transaction_id = $1 and (upstream_ref = $2 or lookup_id = $3
     or (upstream_ref = $3 and lookup_id is null and origin = 'upstream'))
   order by state = 'failed', lookup_id is not distinct from $3 desc, created_at desc limit 1`,
)

/**
 * Finds a refund of the payment by the upstream's ids in a report. If our refund failed, but the upstream made it later, a
 * second row records it. Then this second row is returned. Not every report of a refund has an `upstreamRef`, so `lookupId`
 * is searched too.
 */
export async function findReportedRefund(
  db: Queryable,
  transactionId: string,
  { id, upstreamRef, lookupId = null }: Pick<RefundReport, 'id' | 'upstreamRef' | 'lookupId'>,
): Promise<Refund | null> {
  return toFirst(await db.query(FIND_REPORTED, [transactionId, upstreamRef ?? lookupId ?? id, lookupId]))
}

/** A payment has far fewer refunds than this. */
const LISTED_MAX = 1000

const LIST = statement(
  'refunds.list',
  `select ${COLUMNS} from refunds where transaction_id = $2 and project_id = $1 order by created_at, id limit ${LISTED_MAX}`,
)

export async function listRefunds(
  db: Queryable,
  projectId: string,
  transactionId: string,
): Promise<Refund[]> {
  return (await db.query<RefundRow>(LIST, [projectId, transactionId])).map(toRefund)
}

const END = statement(
  'refunds.end',
  `update refunds set state = $3, failure_code = $4, upstream_ref = coalesce(upstream_ref, $5), pending_reason = null,
     completed_at = coalesce(completed_at, now()), returned_at = case $3 when 'returned' then now() end,
     next_check_at = now() + $6::float8 * interval '1 millisecond'
   where id = $1 and state = $2 returning ${COLUMNS}`,
)

export interface End {
  state: RefundEnd
  failureCode: string | null
  upstreamRef: string | null
  /** The upstream expects the status to change after this time. */
  changesInMs: number | null
}

/** Null: the refund has another state by now, and nothing was written. The payment's row must be locked. */
export async function writeEnd(tx: Tx, refund: Refund, end: End): Promise<Refund | null> {
  const { state, failureCode, upstreamRef, changesInMs } = end
  return toFirst(await tx.query(END, [refund.id, refund.state, state, failureCode, upstreamRef, changesInMs]))
}

const WAIT = statement(
  'refunds.wait',
  `update refunds set pending_reason = $2, upstream_ref = coalesce(upstream_ref, $3)
   where id = $1 and state = 'processing' and (pending_reason, upstream_ref) is distinct from ($2, coalesce(upstream_ref, $3))
   returning ${COLUMNS}`,
)

/** Null: the refund has ended, or there was nothing to change. */
export async function storePendingReason(
  db: Queryable,
  id: string,
  pendingReason: string,
  upstreamRef: string | null,
): Promise<Refund | null> {
  return toFirst(await db.query(WAIT, [id, pendingReason, upstreamRef]))
}

const SPENT = statement(
  'refunds.spent_today',
  `select coalesce(sum(ceil(amount * power(10::numeric, $3 - coalesce(amount_scale, $4)))) filter (where state <> 'failed'), 0)::bigint as spent,
     count(*) filter (where mode = $2)::int as times from refunds
   where token_id = $1 and created_at >= date_trunc('day', now(), 'UTC')`,
)

/**
 * Reads the refunds of a token since midnight UTC. `spent`: the sum in both modes, without failed refunds, with `scale`
 * decimals. `times`: the number in this mode, including failed refunds. The token's row must be locked.
 */
export async function readSpentToday(
  tx: Tx,
  tokenId: string,
  { mode, scale, scaleOfOldPayments }: { mode: Refund['mode']; scale: number; scaleOfOldPayments: number },
): Promise<{ spent: bigint; times: number }> {
  const values = [tokenId, mode, scale, scaleOfOldPayments]
  const [row] = await tx.query<{ spent: bigint; times: number }>(SPENT, values)
  return row!
}
