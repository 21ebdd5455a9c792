// The queue of mails. A worker holds a mail by a lease; the count of attempts is the fence that keeps a worker whose
// lease ran out from writing over the one that took over.
import type { Locale } from '@pazar/words'
import { statement } from '../../db/pool.ts'
import type { Db, Queryable, Tx } from '../../db/pool.ts'
import type { StoredMail } from './mail.ts'

export interface NewMailRow {
  id: string
  accountId: string
  kind: StoredMail['kind']
  to: string
  locale: Locale
  facts: Readonly<Record<string, unknown>>
  sealedToken: Buffer | null
}

const insert = statement(
  'mails-insert',
  `insert into mails (id, account_id, kind, to_address, locale, facts, sealed_token)
   select $1, a.id, $3, $4, $5, $6, $7 from accounts a where a.id = $2`,
)

/** Writes nothing for an account that does not exist. */
export async function insertMail(tx: Tx, mail: NewMailRow): Promise<void> {
  const { id, accountId, kind, to, locale, facts, sealedToken } = mail
  await tx.query(insert, [id, accountId, kind, to, locale, JSON.stringify(facts), sealedToken])
}

const insertForOperator = statement(
  'mails-insert-for-operator',
  `insert into mails (id, kind, to_address, locale, facts) values ($1, $2, $3, $4, $5)`,
)

/** For whoever runs the service: no account stands behind it. */
export async function insertOperatorMail(
  tx: Tx,
  mail: Omit<NewMailRow, 'accountId' | 'sealedToken'>,
): Promise<void> {
  const { id, kind, to, locale, facts } = mail
  await tx.query(insertForOperator, [id, kind, to, locale, JSON.stringify(facts)])
}

/** Longer than the transport's time-outs together, so that a mail is not sent twice by two workers. */
const LEASE_SEC = 120

const claim = statement(
  'mails-claim',
  `update mails set attempts = attempts + 1, lease_until = now() + interval '${LEASE_SEC} seconds'
   where id = (
     select id from mails
     where sent_at is null and gave_up_at is null and next_at <= now()
       and (lease_until is null or lease_until < now())
     order by next_at limit 1 for update skip locked)
   returning id, kind, to_address, locale, facts, sealed_token, attempts`,
)

export interface ClaimedMail {
  id: string
  kind: string
  to: string
  locale: Locale
  facts: Readonly<Record<string, unknown>>
  sealedToken: Buffer | null
  attempt: number
}

export async function claimMail(db: Queryable): Promise<ClaimedMail | null> {
  type Row = Omit<ClaimedMail, 'to' | 'sealedToken' | 'attempt'> & {
    to_address: string
    sealed_token: Buffer | null
    attempts: number
  }
  const [row] = await db.query<Row>(claim)
  if (!row) return null
  const { to_address: to, sealed_token: sealedToken, attempts: attempt, ...rest } = row
  return { ...rest, to, sealedToken, attempt }
}

const markSent = statement(
  'mails-sent',
  `update mails set sent_at = now(), lease_until = null, sealed_token = null, last_error = null
   where id = $1 and attempts = $2 and sent_at is null`,
)

export async function recordSent(db: Db, mail: ClaimedMail): Promise<void> {
  await db.query(markSent, [mail.id, mail.attempt])
}

const markFailed = statement(
  'mails-failed',
  `update mails set lease_until = null, last_error = $3,
     next_at = case when $4::integer is null then next_at else now() + make_interval(secs => $4::integer) end,
     gave_up_at = case when $4::integer is null then now() end,
     sealed_token = case when $4::integer is null then null else sealed_token end
   where id = $1 and attempts = $2 and sent_at is null`,
)

/** Without a time to try again, the mail is given up. */
export async function recordFailure(
  db: Db,
  mail: ClaimedMail,
  failure: { error: string; retryInSec: number | null },
): Promise<void> {
  await db.query(markFailed, [mail.id, mail.attempt, failure.error, failure.retryInSec])
}
