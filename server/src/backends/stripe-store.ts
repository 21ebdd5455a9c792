// Our record of the sessions requested from Stripe: when a session was requested, and whether a payer may get its
// address.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface StripeRow {
  id: string
  /** Amount and currency are null if the payment was closed before a session was requested. */
  amount: bigint | null
  currency: string | null
  asked_at: Date
  session_id: string | null
  /** When the payment was closed without a known session. Afterwards no payer gets the address of a session. */
  closed_at: Date | null
}

const COLUMNS = 'id, amount, currency, asked_at, session_id, closed_at'

const FIND = statement('stripe.find', `select ${COLUMNS} from stripe_charges where id = $1`)

export async function findRow(db: Queryable, id: string): Promise<StripeRow | null> {
  const rows = await db.query<StripeRow>(FIND, [id])
  return rows[0] ?? null
}

const OPEN = statement(
  'stripe.open',
  `insert into stripe_charges (id, amount, currency) values ($1, $2, $3) on conflict (id) do nothing
   returning ${COLUMNS}`,
)

/** Idempotent: if the id already has a row, that row is returned unchanged. */
export async function openRow(
  db: Queryable,
  charge: { id: string; amount: bigint; currency: string },
): Promise<StripeRow> {
  const rows = await db.query<StripeRow>(OPEN, [charge.id, charge.amount, charge.currency])
  return rows[0] ?? (await findRow(db, charge.id))!
}

const STORE_SESSION_ID = statement(
  'stripe.store_session_id',
  `update stripe_charges set session_id = $2
   where id = $1 and closed_at is null and (session_id is null or session_id = $2) returning id`,
)

/** False: the payment is closed or has another session, so no payer may get this session's address. */
export async function storeSessionId(db: Queryable, id: string, sessionId: string): Promise<boolean> {
  return (await db.query(STORE_SESSION_ID, [id, sessionId])).length > 0
}

const CLOSE = statement(
  'stripe.close',
  `insert into stripe_charges (id, closed_at) values ($1, now())
   on conflict (id) do update set closed_at = coalesce(stripe_charges.closed_at, now())
     where stripe_charges.session_id is null
   returning ${COLUMNS}`,
)

/** Closes a payment without a session. The row of a payment that has a session is returned unchanged. */
export async function closeRow(db: Queryable, id: string): Promise<StripeRow> {
  const rows = await db.query<StripeRow>(CLOSE, [id])
  return rows[0] ?? (await findRow(db, id))!
}

const STORE_ENDED_SESSION = statement(
  'stripe.store_ended_session',
  'update stripe_charges set session_id = $2 where id = $1 and session_id is null',
)

export async function storeEndedSession(db: Queryable, id: string, sessionId: string): Promise<void> {
  await db.query(STORE_ENDED_SESSION, [id, sessionId])
}

const FIND_SESSION = statement('stripe.find_session', 'select id from stripe_charges where session_id = $1')

/** For an operator's search by a session id from Stripe's dashboard. At most one payment has the session. */
export async function findPaymentIdsOfSession(db: Queryable, sessionId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(FIND_SESSION, [sessionId])).map(({ id }) => id)
}

const ADOPT = statement(
  'stripe.adopt',
  `insert into stripe_charges (id, amount, currency, session_id) values ($1, $2, $3, $4)
   on conflict (id) do update set session_id = coalesce(stripe_charges.session_id, excluded.session_id)`,
)

export async function adoptRow(
  db: Queryable,
  session: { id: string; amount: bigint; currency: string; sessionId: string },
): Promise<void> {
  await db.query(ADOPT, [session.id, session.amount, session.currency, session.sessionId])
}
