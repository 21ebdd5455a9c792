import type { DisputeState, Mode } from '@pazar/contract'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Dispute } from './dispute.ts'

const COLUMNS = `id, project_id as "projectId", transaction_id as "transactionId", mode, amount, currency, amount_scale as scale,
  state, reason, respond_by as "respondBy", charge_ref as "chargeRef", upstream_ref as "upstreamRef", opened_at as "openedAt", closed_at as "closedAt"`

const FIND = statement(
  'disputes.find',
  `select ${COLUMNS} from disputes where transaction_id = $1 and upstream_ref = $2`,
)

export async function findDispute(
  db: Queryable,
  transactionId: string,
  upstreamRef: string,
): Promise<Dispute | null> {
  const [row] = await db.query<Dispute>(FIND, [transactionId, upstreamRef])
  return row ?? null
}

/** Each query that lists the disputes of a payment or of a project reads at most this many. */
const LISTED_MAX = 1000

const LIST = statement(
  'disputes.list',
  `select ${COLUMNS} from disputes where transaction_id = $2 and project_id = $1 order by opened_at, id limit ${LISTED_MAX}`,
)

export async function listDisputes(
  db: Queryable,
  projectId: string,
  transactionId: string,
): Promise<Dispute[]> {
  return db.query<Dispute>(LIST, [projectId, transactionId])
}

// Reads only the newest disputes of a project, so that the cost does not grow with the number of disputes.
const LIST_OPEN = statement(
  'disputes.list_open',
  `select ${COLUMNS} from (select * from disputes where project_id = $1 order by id desc limit ${LISTED_MAX}) as newest
   where mode = $2 and state in ('inquiry', 'open') and (respond_by is null or respond_by > now())
   order by respond_by nulls last, id`,
)

export async function listOpenDisputes(db: Queryable, projectId: string, mode: Mode): Promise<Dispute[]> {
  return db.query<Dispute>(LIST_OPEN, [projectId, mode])
}

const PERIOD_PAGE = 500

// No index serves this query, because disputes are few and only an operator's command reads them this way.
const LIST_TAKEN = statement(
  'disputes.list_taken_in_period',
  `select ${COLUMNS} from disputes where id > $1::uuid and id < $2::uuid and state in ('open', 'lost')
   order by id limit ${PERIOD_PAGE}`,
)

/**
 * Lists the open and lost disputes of all projects: in these, the bank has taken the money. A dispute's id begins with the
 * time of its first report, so two ids give the period.
 */
export async function listTakenDisputes(
  db: Queryable,
  afterId: string,
  beforeId: string,
): Promise<Dispute[]> {
  return db.query<Dispute>(LIST_TAKEN, [afterId, beforeId])
}

// No index serves this query, because disputes are few and the query runs rarely.
const FIND_OLDEST_OPEN = statement(
  'disputes.find_oldest_open',
  `select min(opened_at) as at from disputes where mode = 'live' and state in ('inquiry', 'open')
     and opened_at > now() - interval '180 days'`,
)

/** Leaves out disputes older than 180 days, because banks decide within that time. */
export async function findOldestOpenAt(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(FIND_OLDEST_OPEN)
  return row!.at
}

const INSERT = statement(
  'disputes.insert',
  `insert into disputes (id, project_id, transaction_id, mode, amount, currency, amount_scale, state, reason, respond_by,
     charge_ref, upstream_ref, closed_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, case when $8 in ('won', 'lost') then now() end) returning ${COLUMNS}`,
)

/** The payment's row must be locked. */
export async function insertDispute(
  tx: Tx,
  dispute: Omit<Dispute, 'openedAt' | 'closedAt'>,
): Promise<Dispute> {
  const [row] = await tx.query<Dispute>(INSERT, [
    dispute.id,
    dispute.projectId,
    dispute.transactionId,
    dispute.mode,
    dispute.amount,
    dispute.currency,
    dispute.scale,
    dispute.state,
    dispute.reason,
    dispute.respondBy,
    dispute.chargeRef,
    dispute.upstreamRef,
  ])
  return row!
}

const MOVE = statement(
  'disputes.move',
  `update disputes set state = $3, respond_by = coalesce($4, respond_by), reason = coalesce($5, reason),
     closed_at = case when $3 in ('won', 'lost') then now() end
   where project_id = $1 and id = $2 returning ${COLUMNS}`,
)

/** The payment's row must be locked. */
export async function moveDispute(
  tx: Tx,
  { projectId, id }: Dispute,
  change: { state: DisputeState; respondBy: Date | null; reason: string | null },
): Promise<Dispute> {
  const { state, respondBy, reason } = change
  const [row] = await tx.query<Dispute>(MOVE, [projectId, id, state, respondBy, reason])
  return row!
}

const SET_DEADLINE = statement(
  'disputes.set_deadline',
  `update disputes set respond_by = $3 where project_id = $1 and id = $2 and closed_at is null and respond_by is distinct from $3`,
)

export async function setDeadline(tx: Tx, { projectId, id }: Dispute, respondBy: Date): Promise<void> {
  await tx.query(SET_DEADLINE, [projectId, id, respondBy])
}
