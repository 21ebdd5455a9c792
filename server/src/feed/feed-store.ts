// Reads and publishes the events of a project. `publish_events` (0037_feed.sql) moves them from the inbox of the feed and
// assigns consecutive positions. The head of a project is its row in `feed_heads`, which has the last assigned position.
import type { EventType, Mode, Resolution, TransactionState } from '@pazar/contract'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { DisputeFacts, RefundFacts } from './inbox-store.ts'

const HEAD = statement(
  'feed.head',
  `select replace(e.epoch::text, '-', '') as epoch, coalesce((select position from feed_heads where project_id = $1), 0) as position,
     exists (select from feed_inbox where project_id = $1) as waiting
   from feed_epochs e order by e.number desc limit 1`,
)

export interface Head {
  epoch: string
  /** The last assigned position. */
  position: bigint
  /** Whether there are committed events without a position. */
  waiting: boolean
}

export async function readHead(db: Queryable, projectId: string): Promise<Head> {
  const [row] = await db.query<Head>(HEAD, [projectId])
  // The first migration of the feed adds an epoch, so only a database that is just being restored has none.
  if (!row) throw new ServiceError('unavailable', { retryAfterSec: 2, log: 'database: no feed epoch' })
  return row
}

const PUBLISH = statement('feed.publish', 'select publish_events($1, $2) as published')

/** Returns how many events got a position. */
export async function publishEvents(db: Queryable, projectId: string, limit: number): Promise<number> {
  const [row] = await db.query<{ published: number }>(PUBLISH, [projectId, limit])
  return row!.published
}

const LOCK_HEADS = statement(
  'feed.lock_heads',
  `insert into feed_heads as h (project_id) select id from projects where id = any($1::text[]) order by id
   on conflict (project_id) do update set position = h.position`,
)

/** No event of these projects is published until the transaction ends. */
export async function lockHeads(tx: Tx, projectIds: readonly string[]): Promise<void> {
  await tx.query(LOCK_HEADS, [projectIds])
}

// Steps from project to project in the index, without reading all events of a project.
const LIST_WAITING = statement(
  'feed.list_waiting',
  `with recursive waiting as (
     (select project_id from feed_inbox order by project_id limit 1)
     union all
     select (select i.project_id from feed_inbox i where i.project_id > w.project_id order by i.project_id limit 1)
     from waiting w where w.project_id is not null)
   select project_id from waiting where project_id is not null limit $1`,
)

export async function listWaitingProjects(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ project_id: string }>(LIST_WAITING, [limit])
  return rows.map((row) => row.project_id)
}

export interface StoredEvent {
  position: bigint
  id: string
  type: EventType
  mode: Mode
  transactionId: string
  refundId: string | null
  disputeId: string | null
  at: Date
  facts: PaymentFacts | RefundFacts | DisputeFacts
  payment: {
    amount: bigint
    currency: string
    /** Null if the payment was stored by a release without this column. */
    scale: number | null
    customId: string | null
    data: string | null
    createdAt: Date
    completedAt: Date | null
  }
}

/** The values of the payment that a database trigger stored in the event. Empty for `payment.created`. */
export interface PaymentFacts {
  state?: TransactionState
  failureCode?: string | null
  needsReview?: boolean
  resolution?: Resolution | null
  upstreamRef?: string | null
}

interface EventRow {
  position: bigint
  event_id: string
  type: EventType
  mode: Mode
  transaction_id: string
  refund_id: string | null
  dispute_id: string | null
  at: Date
  facts: PaymentFacts | RefundFacts | DisputeFacts
  amount: bigint
  currency: string
  amount_scale: number | null
  custom_id: string | null
  data: string | null
  created_at: Date
  completed_at: Date | null
}

function toStoredEvent(row: EventRow): StoredEvent {
  return {
    position: row.position,
    id: `evt_${row.event_id.replaceAll('-', '')}`,
    type: row.type,
    mode: row.mode,
    transactionId: row.transaction_id,
    refundId: row.refund_id,
    disputeId: row.dispute_id,
    at: row.at,
    facts: row.facts,
    payment: {
      amount: row.amount,
      currency: row.currency,
      scale: row.amount_scale,
      customId: row.custom_id,
      data: row.data,
      createdAt: row.created_at,
      completedAt: row.completed_at,
    },
  }
}

// customId and data are read from the payment, so that erasing them there also removes them from its events. The columns
// are named, because a prepared statement with `e.*` fails after a newer release has added a column.
const page = (
  mode: string,
) => `select e.position, e.event_id, e.type, e.mode, e.transaction_id, e.refund_id, e.dispute_id, e.at, e.facts,
     t.amount, t.currency, t.amount_scale, t.custom_id, t.data, t.created_at, t.completed_at
   from (select * from feed_events where project_id = $1 and position > $2 ${mode} order by position limit $3) e
   join transactions t on t.id = e.transaction_id order by e.position`
const PAGE = statement('feed.page', page(''))
const PAGE_OF_MODE = statement('feed.page_of_mode', page('and mode = $4'))

export async function readEvents(
  db: Queryable,
  projectId: string,
  { after, limit, mode }: { after: bigint; limit: number; mode: Mode | null },
): Promise<StoredEvent[]> {
  const values = [projectId, after, limit]
  const rows =
    mode === null
      ? await db.query<EventRow>(PAGE, values)
      : await db.query<EventRow>(PAGE_OF_MODE, [...values, mode])
  return rows.map(toStoredEvent)
}

const FIND_RESTART = statement(
  'feed.find_restart',
  `select min(r.position) as position from feed_epochs e
     left join feed_restarts r on r.project_id = $1 and r.epoch_number > e.number
   where e.epoch = $2::uuid group by e.number`,
)

/**
 * Returns the position of the last event that is the same as in `epoch`. A restore after `epoch` may have replaced later
 * events. Null: no restore after `epoch` concerns this project. 0: the epoch is unknown, because a restore has lost it.
 */
export async function findRestart(db: Queryable, projectId: string, epoch: string): Promise<bigint | null> {
  const [row] = await db.query<{ position: bigint | null }>(FIND_RESTART, [projectId, epoch])
  return row ? row.position : 0n
}

// Stores the position of the last event before the loss, and not the head: until the loss was noticed, new events may have
// got the positions of the lost events.
const START_EPOCH = statement(
  'feed.start_epoch',
  `with started as (insert into feed_epochs default values returning number)
   insert into feed_restarts (project_id, epoch_number, position)
   select h.project_id, s.number, coalesce((select e.position from feed_events e
     where e.project_id = h.project_id and e.at < $1 order by e.position desc limit 1), 0)
   from feed_heads h cross join started s`,
)

/**
 * Called after a restore. From then on, cursors of earlier epochs are refused. Events from before `since` are the same as
 * before the restore, and later events are listed again.
 */
export async function startEpoch(tx: Tx, since: Date): Promise<void> {
  await tx.query(START_EPOCH, [since])
}

const HAS_EPOCH_SINCE = statement(
  'feed.has_epoch_since',
  'select exists (select from feed_epochs where started_at >= $1) as "hasEpoch"',
)

export async function hasEpochSince(tx: Queryable, since: Date): Promise<boolean> {
  const [row] = await tx.query<{ hasEpoch: boolean }>(HAS_EPOCH_SINCE, [since])
  return row!.hasEpoch
}
