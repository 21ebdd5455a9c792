import { hash } from 'node:crypto'
import type { Db, Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'

/** Short facts such as ids, amounts and states. They contain no secrets and no whole messages. */
export type IncidentFacts = Readonly<Record<string, string | null>>

export interface Incident {
  id: number
  kind: IncidentKind
  transactionId: string | null
  subject: string
  facts: IncidentFacts
  times: number
  createdAt: Date
  lastAt: Date
  closedAt: Date | null
}

export interface NewIncident {
  kind: IncidentKind
  transactionId: string | null
  subject: string
  facts: IncidentFacts
}

interface IncidentRow {
  id: number
  kind: IncidentKind
  transaction_id: string | null
  subject: string
  facts: IncidentFacts
  times: number
  created_at: Date
  last_at: Date
  closed_at: Date | null
}

const COLUMNS = 'id, kind, transaction_id, subject, facts, times, created_at, last_at, closed_at'

function toIncident(row: IncidentRow): Incident {
  return {
    id: row.id,
    kind: row.kind,
    transactionId: row.transaction_id,
    subject: row.subject,
    facts: row.facts,
    times: row.times,
    createdAt: row.created_at,
    lastAt: row.last_at,
    closedAt: row.closed_at,
  }
}

// A closed incident is reopened only if it is raised with other facts. The insert selects from `existing`, so that the
// existing row is read before it is changed.
const RAISE = statement(
  'incidents.raise',
  `with existing as (select closed_at from incidents where kind = $1 and subject = $3 for update),
   raised as (
     insert into incidents (kind, transaction_id, subject, facts)
     select $1, $2::uuid, $3, $4::jsonb from (select count(*) from existing) as read_first
     on conflict (kind, subject) do update set times = incidents.times + 1, last_at = now(), facts = excluded.facts,
       closed_at = case when incidents.facts = excluded.facts then incidents.closed_at end
     returning id, closed_at, xmax = 0 as inserted)
   select r.id, r.closed_at is null as open,
     r.inserted or (r.closed_at is null and exists (select from existing where closed_at is not null)) as news
   from raised r`,
)

/** The longest subject that the column can store. */
const SUBJECT_MAX = 128

/** A long subject is cut and ends with a hash, so that it still differs from others. */
function toStoredSubject(subject: string): string {
  if (subject.length <= SUBJECT_MAX) return subject
  const end = ` ${hash('sha256', subject, 'hex').slice(0, 16)}`
  return subject.slice(0, SUBJECT_MAX - end.length) + end
}

export async function insertIncident(
  tx: Tx,
  incident: NewIncident,
): Promise<{ id: number; isNewOrReopened: boolean; isOpen: boolean }> {
  const [row] = await tx.query<{ id: number; news: boolean; open: boolean }>(RAISE, [
    incident.kind,
    incident.transactionId,
    toStoredSubject(incident.subject),
    JSON.stringify(incident.facts),
  ])
  return { id: row!.id, isNewOrReopened: row!.news, isOpen: row!.open }
}

const LIST = statement(
  'incidents.list',
  `select ${COLUMNS} from incidents where $1 or closed_at is null order by id desc limit $2`,
)

export async function listIncidents(
  db: Queryable,
  options: { withClosed: boolean; limit: number },
): Promise<Incident[]> {
  return (await db.query<IncidentRow>(LIST, [options.withClosed, options.limit])).map(toIncident)
}

const COUNT = statement(
  'incidents.count',
  'select count(*)::int as count from incidents where $1 or closed_at is null',
)

export async function countIncidents(db: Queryable, withClosed: boolean): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT, [withClosed])
  return row!.count
}

const FIND = statement('incidents.find', `select ${COLUMNS} from incidents where id = $1`)

export async function findIncident(db: Queryable, id: number): Promise<Incident | null> {
  const [row] = await db.query<IncidentRow>(FIND, [id])
  return row ? toIncident(row) : null
}

// The statement that closes the last open incident of a payment also ends the payment's review.
const endReviews = `update transactions t set needs_review = false
   where t.id in (select transaction_id from closed) and t.needs_review
     and not exists (select from incidents i where i.transaction_id = t.id and i.closed_at is null
       and i.id not in (select id from closed))`

const CLOSE = statement(
  'incidents.close',
  `with closed as (
     update incidents set closed_at = coalesce(closed_at, now()) where id = $1 returning ${COLUMNS}),
   ended as (${endReviews})
   select ${COLUMNS} from closed`,
)

// The rows are locked in the order of their ids, so that two transactions cannot deadlock.
// Without this lock, two transactions that each close one incident of a payment would both see the other incident as
// open.
const LOCK_PAYMENTS = statement(
  'incidents.lock_payments',
  `select t.id, t.needs_review, t.completed_at is null as is_open from transactions t
   where t.id = any($1::uuid[]) or t.id in (select transaction_id from incidents where id = any($2::int[]))
   order by t.id for no key update`,
)

export interface LockedPayment {
  id: string
  needsReview: boolean
  isOpen: boolean
}

export async function lockPayments(
  tx: Tx,
  ids: readonly string[],
  incidentIds: readonly number[] = [],
): Promise<LockedPayment[]> {
  const rows = await tx.query<{ id: string; needs_review: boolean; is_open: boolean }>(LOCK_PAYMENTS, [
    ids,
    incidentIds,
  ])
  return rows.map((row) => ({ id: row.id, needsReview: row.needs_review, isOpen: row.is_open }))
}

export async function markClosed(tx: Tx, id: number): Promise<Incident | null> {
  const [row] = await tx.query<IncidentRow>(CLOSE, [id])
  return row ? toIncident(row) : null
}

const FIND_OPEN = statement(
  'incidents.find_open',
  'select id from incidents where kind = $1 and subject = $2 and closed_at is null',
)

export async function findOpenIncidentId(
  db: Queryable,
  kind: IncidentKind,
  subject: string,
): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(FIND_OPEN, [kind, subject])
  return row?.id ?? null
}

const HAS_OPEN = statement(
  'incidents.has_open',
  'select exists (select from incidents where transaction_id = $1 and closed_at is null) as found',
)

export async function hasOpenIncident(db: Queryable, transactionId: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(HAS_OPEN, [transactionId])
  return row!.found
}

// The limit bounds the memory that the result needs.
const LIST_OPEN_FACTS = statement(
  'incidents.list_open_facts',
  'select id, facts from incidents where kind = $1 and closed_at is null order by id limit 10000',
)

export async function listOpenFacts(
  db: Queryable,
  kind: IncidentKind,
): Promise<Pick<Incident, 'id' | 'facts'>[]> {
  return db.query(LIST_OPEN_FACTS, [kind])
}

const CLOSE_AS_RESOLVED = statement(
  'incidents.close_as_resolved',
  `with closed as (
     update incidents set closed_at = now(), facts = facts || $2::jsonb
     where id = any($1::int[]) and closed_at is null returning id, transaction_id)
   ${endReviews}`,
)

// Closes incidents whose cause is over, and adds `facts` to each. If the cause returns, the incident is raised without
// these facts. So the raised facts differ from the stored facts, and the incident is reopened.
export async function closeAsResolved(
  db: Pick<Db, 'transaction'>,
  ids: readonly number[],
  facts: IncidentFacts,
): Promise<void> {
  if (ids.length === 0) return
  await db.transaction(async (tx) => {
    await lockPayments(tx, [], ids)
    await tx.query(CLOSE_AS_RESOLVED, [ids, JSON.stringify(facts)])
  })
}

const CLOSE_OF_TRANSACTION = statement(
  'incidents.close_of_transaction',
  'update incidents set closed_at = now() where transaction_id = $1 and closed_at is null',
)

export async function closeIncidentsOf(tx: Tx, transactionId: string): Promise<void> {
  await tx.query(CLOSE_OF_TRANSACTION, [transactionId])
}

const LIST_OF_TRANSACTION = statement(
  'incidents.list_of_transaction',
  `select ${COLUMNS} from incidents where transaction_id = $1 order by id`,
)

export async function listIncidentsOf(db: Queryable, transactionId: string): Promise<Incident[]> {
  return (await db.query<IncidentRow>(LIST_OF_TRANSACTION, [transactionId])).map(toIncident)
}

export async function listOpenIncidentsOf(db: Queryable, transactionId: string): Promise<Incident[]> {
  return (await listIncidentsOf(db, transactionId)).filter(({ closedAt }) => closedAt === null)
}
