// What Stripe was asked for, in our own books. They decide two things that Stripe cannot: whether a session's address may
// still be handed out, and when to look for a session whose name was lost.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface StripeRow {
  id: string
  /** Null, as is the currency: it was closed before it was ever asked for. */
  amount: bigint | null
  currency: string | null
  asked_at: Date
  session_id: string | null
  /** Set only while no session was known: from then on none is handed out, and one that has a name has ended. */
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

/** The first row under an id stands; a repeat gets it back. */
export async function openRow(
  db: Queryable,
  charge: { id: string; amount: bigint; currency: string },
): Promise<StripeRow> {
  const rows = await db.query<StripeRow>(OPEN, [charge.id, charge.amount, charge.currency])
  return rows[0] ?? (await findRow(db, charge.id))!
}

const NAME = statement(
  'stripe.name',
  `update stripe_charges set session_id = $2
   where id = $1 and closed_at is null and (session_id is null or session_id = $2) returning id`,
)

/** False: the id was closed meanwhile, so the session must not be handed out. */
export async function nameSession(db: Queryable, id: string, sessionId: string): Promise<boolean> {
  return (await db.query(NAME, [id, sessionId])).length > 0
}

const CLOSE = statement(
  'stripe.close',
  `insert into stripe_charges (id, closed_at) values ($1, now())
   on conflict (id) do update set closed_at = coalesce(stripe_charges.closed_at, now())
     where stripe_charges.session_id is null
   returning ${COLUMNS}`,
)

/** Closes what has no session yet; the row of one that has comes back as it is. */
export async function closeRow(db: Queryable, id: string): Promise<StripeRow> {
  const rows = await db.query<StripeRow>(CLOSE, [id])
  return rows[0] ?? (await findRow(db, id))!
}

const NOTE = statement(
  'stripe.note',
  'update stripe_charges set session_id = $2 where id = $1 and session_id is null',
)

/** For a session that nobody knew of and that has ended: later questions are about it. */
export async function noteEnded(db: Queryable, id: string, sessionId: string): Promise<void> {
  await db.query(NOTE, [id, sessionId])
}

const FIND_SESSION = statement('stripe.find_session', 'select id from stripe_charges where session_id = $1')

/** The payment behind a session of Stripe's, as its dashboard names it. */
export async function findSession(db: Queryable, sessionId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(FIND_SESSION, [sessionId])).map(({ id }) => id)
}
