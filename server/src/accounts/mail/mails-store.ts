// The queue of mails. A worker claims a mail with a lease. The number of attempts is the fencing token, so a worker
// whose lease has expired cannot overwrite the result of the next worker.
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

const INSERT = statement(
  'mails.insert',
  `insert into mails (id, account_id, kind, to_address, locale, facts, sealed_token)
   select $1, a.id, $3, $4, $5, $6, $7 from accounts a where a.id = $2`,
)

/** Writes nothing for an account that does not exist. */
export async function insertMail(tx: Tx, mail: NewMailRow): Promise<void> {
  const { id, accountId, kind, to, locale, facts, sealedToken } = mail
  await tx.query(INSERT, [id, accountId, kind, to, locale, JSON.stringify(facts), sealedToken])
}

/** Enough notices for a day of work, but too few to flood a stranger's mailbox. */
const NOTICES_TO_UNCONFIRMED_MAX = 20

const INSERT_NOTICE = statement(
  'mails.insert_notice',
  `insert into mails (id, account_id, kind, to_address, locale, facts)
   select $1, a.id, $3, $4, $5, $6 from accounts a where a.id = $2 and (a.email_confirmed_at is not null
     or (select count(*) from mails m where m.id >= $7 and m.account_id = a.id
       and m.kind not in ('confirm_email', 'confirm_new_email', 'reset_password')) < ${NOTICES_TO_UNCONFIRMED_MAX})`,
)

/**
 * Anybody can sign up with the address of a stranger. So until an address is confirmed, a notice is dropped if the account
 * already has NOTICES_TO_UNCONFIRMED_MAX notices. Notices with an id below `firstId` are too old to count.
 */
export async function insertNotice(tx: Tx, mail: NewMailRow, firstId: string): Promise<void> {
  const { id, accountId, kind, to, locale, facts } = mail
  await tx.query(INSERT_NOTICE, [id, accountId, kind, to, locale, JSON.stringify(facts), firstId])
}

const INSERT_WITHOUT_ACCOUNT = statement(
  'mails.insert_without_account',
  `insert into mails (id, kind, to_address, locale, facts, sealed_token) values ($1, $2, $3, $4, $5, $6)`,
)

export async function insertMailWithoutAccount(
  tx: Tx,
  mail: Omit<NewMailRow, 'accountId' | 'sealedToken'> & { sealedToken?: Buffer },
): Promise<void> {
  const { id, kind, to, locale, facts, sealedToken = null } = mail
  await tx.query(INSERT_WITHOUT_ACCOUNT, [id, kind, to, locale, JSON.stringify(facts), sealedToken])
}

/** Longer than SEND_WITHIN_MS and RECORD_WITHIN_MS together, so that no two workers send the same mail. */
export const LEASE_SEC = 180

const CLAIM = statement(
  'mails.claim',
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
  const [row] = await db.query<Row>(CLAIM)
  if (!row) return null
  const { to_address: to, sealed_token: sealedToken, attempts: attempt, ...rest } = row
  return { ...rest, to, sealedToken, attempt }
}

/** Mails to people who may have no account. Their address is erased once the mail is sent or given up. */
const IS_ADDRESS_ERASED = `(kind in ('account_closed', 'project_invitation', 'receipt')
  or (kind = 'ownership_transfer' and account_id is null))`
const ADDRESS_AFTERWARDS = `case when ${IS_ADDRESS_ERASED} then '' else to_address end`
/**
 * The facts that stay stored after the mail was sent or given up. Facts that may name the payer are removed: all facts of a
 * receipt, and the order of a dispute or refund. Both addresses of a transfer are removed, because the new owner may have
 * no account.
 */
const FACTS_AFTERWARDS = `case when kind = 'receipt' then '{}'::jsonb
  when kind = 'ownership_transfer' then facts - '{from,to}'::text[]
  when kind in ('dispute_opened', 'dispute_closed', 'refund_token_used') then facts - 'order' else facts end`

const MARK_SENT = statement(
  'mails.sent',
  `update mails set sent_at = now(), lease_until = null, sealed_token = null, last_error = null, to_address = ${ADDRESS_AFTERWARDS},
     facts = ${FACTS_AFTERWARDS}
   where id = $1 and attempts = $2 and sent_at is null`,
)

export async function recordSent(db: Db, mail: ClaimedMail): Promise<void> {
  await db.query(MARK_SENT, [mail.id, mail.attempt])
}

/** $4 is the wait before the next attempt, in seconds. Null: the mail is given up. */
const GIVES_UP = '$4::integer is null'

const MARK_FAILED = statement(
  'mails.failed',
  `update mails set lease_until = null,
     last_error = case when ${IS_ADDRESS_ERASED} and ${GIVES_UP} then null else $3 end,
     to_address = case when ${GIVES_UP} then ${ADDRESS_AFTERWARDS} else to_address end,
     facts = case when ${GIVES_UP} then ${FACTS_AFTERWARDS} else facts end,
     next_at = case when ${GIVES_UP} then next_at else now() + make_interval(secs => $4::integer) end,
     gave_up_at = case when ${GIVES_UP} then now() end,
     sealed_token = case when ${GIVES_UP} then null else sealed_token end
   where id = $1 and attempts = $2 and sent_at is null`,
)

export async function recordFailure(
  db: Db,
  mail: ClaimedMail,
  failure: { error: string; retryInSec: number | null },
): Promise<void> {
  await db.query(MARK_FAILED, [mail.id, mail.attempt, failure.error, failure.retryInSec])
}

/** The batch is small, so that no lock is held for long. */
const CLOCK_BATCH = 500

/** The latest allowed time of the next attempt, in SQL. $1 has the delay in seconds after each attempt. */
const NEXT_AT_MAX = 'now() + make_interval(secs => coalesce(($1::integer[])[attempts], 0))'
const LEASE_UNTIL_MAX = `now() + interval '${LEASE_SEC} seconds'`

const PLAN_SOONER = statement(
  'mails.plan_sooner',
  `update mails set next_at = least(next_at, ${NEXT_AT_MAX}),
     lease_until = case when lease_until > ${LEASE_UNTIL_MAX} then ${LEASE_UNTIL_MAX} else lease_until end
   where id = any (array(
     select id from mails where sent_at is null and gave_up_at is null
       and (next_at > ${NEXT_AT_MAX} or lease_until > ${LEASE_UNTIL_MAX})
     limit ${CLOCK_BATCH} for update skip locked)) returning 1`,
)

/**
 * Shortens waits and leases that became longer than allowed when the database's clock was turned back. Returns the number
 * of changed mails.
 */
export async function planMailsSooner(db: Queryable, delaysSec: readonly number[]): Promise<number> {
  let count = 0
  for (;;) {
    const { length } = await db.query(PLAN_SOONER, [delaysSec])
    count += length
    if (length < CLOCK_BATCH) return count
  }
}

const COUNT_WAITING = statement(
  'mails.waiting',
  `select count(*)::integer as count
   from (select from mails where sent_at is null and gave_up_at is null order by next_at limit 10000) waiting`,
)

/** Counting stops at 10,000 to stay cheap. */
export async function countWaitingMails(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_WAITING)
  return row!.count
}

const LIST_SEALED = statement(
  'mails.list_sealed',
  `select id, sealed_token from mails
   where sealed_token is not null and ($1::uuid is null or id > $1) order by id limit $2 for update`,
)

/** Locks the mails until the transaction ends. */
export async function listSealedMails(
  tx: Tx,
  afterId: string | null,
  limit: number,
): Promise<{ id: string; sealedToken: Buffer }[]> {
  const rows = await tx.query<{ id: string; sealed_token: Buffer }>(LIST_SEALED, [afterId, limit])
  return rows.map((row) => ({ id: row.id, sealedToken: row.sealed_token }))
}

const RESEAL = statement('mails.reseal', 'update mails set sealed_token = $2 where id = $1')

export async function resealMail(tx: Tx, id: string, sealedToken: Buffer): Promise<void> {
  await tx.query(RESEAL, [id, sealedToken])
}

const QUEUE_RESTORED = statement(
  'mails.queue_restored',
  `insert into mails (id, account_id, kind, to_address, locale, facts)
   select gen_random_uuid(), a.id, 'restored', a.email, a.locale, jsonb_build_object('at', $1::text, 'timeZone', a.time_zone)
   from accounts a where a.closed_at is null and a.email_confirmed_at is not null`,
)

export async function queueRestoreMails(tx: Tx, at: Date): Promise<void> {
  await tx.query(QUEUE_RESTORED, [at.toISOString()])
}
