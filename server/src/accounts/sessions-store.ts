// The database's clock decides whether a session has expired.
import {
  RECOVERY_WAIT_HOURS,
  SESSION_IDLE_MAX_HOURS,
  SESSION_MAX_DAYS,
  STEP_UP_MAX_SEC,
} from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { Account, AccountId } from './account.ts'
import { ACCOUNT_COLUMNS, toAccount } from './accounts-store.ts'
import type { AccountRow } from './accounts-store.ts'
import type { ClientFacts } from './client.ts'

/** A session's `last_seen_at` is written at most once in this time. A write for every request would be slow. */
const SEEN_EVERY_MIN = 5
/** Limits the size of a response. */
const LISTED_MAX = 100

const IS_ACTIVE = `s.expires_at > now() and s.last_seen_at > now() - interval '${SESSION_IDLE_MAX_HOURS} hours'`

const INSERT = statement(
  'sessions.insert',
  `insert into sessions (id, account_id, token_hash, expires_at, ip, user_agent)
   values ($1, $2, $3, now() + interval '${SESSION_MAX_DAYS} days', $4, $5)`,
)

export async function insertSession(
  tx: Tx,
  session: { id: string; accountId: AccountId; tokenHash: Buffer; client: ClientFacts },
): Promise<void> {
  const { id, accountId, tokenHash, client } = session
  await tx.query(INSERT, [id, accountId, tokenHash, client.ip, client.userAgent])
}

const SELECT_ACTIVE = statement(
  'sessions.live',
  `select s.id, ${ACCOUNT_COLUMNS}, s.step_up_hash, s.step_up_by_recovery,
     a.recovery_used_at > now() - interval '${RECOVERY_WAIT_HOURS} hours' as is_recovering,
     case when s.step_up_until > now() and s.step_up_credential_version = a.credential_version
       then s.step_up_until end as step_up_until,
     s.last_seen_at < now() - interval '${SEEN_EVERY_MIN} minutes' as seen_long_ago
   from sessions s join accounts a on a.id = s.account_id
   where s.token_hash = $1 and ${IS_ACTIVE}`,
)

export interface ActiveSession {
  id: string
  account: Account
  /** `hash`: of the step-up's cookie. Null: the session has no step-up, or the step-up has ended. */
  stepUp: { hash: Buffer; until: Date; byRecovery: boolean } | null
  /** A recovery code was used, or an operator removed the second factors, in the last RECOVERY_WAIT_HOURS. */
  isRecovering: boolean
  seenLongAgo: boolean
}

export async function findActiveSession(db: Queryable, tokenHash: Buffer): Promise<ActiveSession | null> {
  type Row = AccountRow & {
    id: string
    step_up_hash: Buffer | null
    step_up_until: Date | null
    step_up_by_recovery: boolean
    is_recovering: boolean | null
    seen_long_ago: boolean
  }
  const [row] = await db.query<Row>(SELECT_ACTIVE, [tokenHash])
  if (!row) return null
  const { step_up_hash: hash, step_up_until: until, step_up_by_recovery: byRecovery } = row
  return {
    id: row.id,
    account: toAccount(row),
    stepUp: hash && until ? { hash, until, byRecovery } : null,
    isRecovering: row.is_recovering ?? false,
    seenLongAgo: row.seen_long_ago,
  }
}

const TOUCH = statement('sessions.touch', 'update sessions set last_seen_at = now() where id = $1')

export async function touchSession(db: Queryable, id: string): Promise<void> {
  await db.query(TOUCH, [id])
}

const GRANT = statement(
  'sessions.grant_step_up',
  `update sessions set token_hash = $3, step_up_hash = $4, step_up_credential_version = $5,
     step_up_by_recovery = $6, step_up_until = now() + interval '${STEP_UP_MAX_SEC} seconds', last_seen_at = now()
   where id = $1 and token_hash = $2 returning step_up_until`,
)

/**
 * Starts a step-up, and gives the session a new token. Returns when the step-up ends. Null: meanwhile the session ended or
 * got another token.
 */
export async function grantStepUp(
  tx: Tx,
  session: { id: string; tokenHash: Buffer },
  granted: { tokenHash: Buffer; stepUpHash: Buffer; credentialVersion: number; byRecovery: boolean },
): Promise<Date | null> {
  const values = [
    session.id,
    session.tokenHash,
    granted.tokenHash,
    granted.stepUpHash,
    granted.credentialVersion,
    granted.byRecovery,
  ]
  const [row] = await tx.query<{ step_up_until: Date }>(GRANT, values)
  return row?.step_up_until ?? null
}

const END_STEP = statement(
  'sessions.end_step_up',
  `update sessions set step_up_hash = null, step_up_until = null, step_up_credential_version = null,
     step_up_by_recovery = false
   where account_id = $1 and id is distinct from $2`,
)

export async function endStepUps(
  tx: Tx,
  accountId: AccountId,
  { except }: { except: string | null },
): Promise<void> {
  await tx.query(END_STEP, [accountId, except])
}

const SELECT_ALL = statement(
  'sessions.list',
  `select s.id, s.created_at, s.last_seen_at, s.ip, s.user_agent from sessions s
   where s.account_id = $1 and ${IS_ACTIVE} order by s.last_seen_at desc, s.id limit ${LISTED_MAX}`,
)

export interface SessionEntry {
  id: string
  createdAt: Date
  lastSeenAt: Date
  ip: string
  userAgent: string
}

export async function findActiveSessions(db: Queryable, accountId: AccountId): Promise<SessionEntry[]> {
  type Row = { id: string; created_at: Date; last_seen_at: Date; ip: string; user_agent: string }
  const rows = await db.query<Row>(SELECT_ALL, [accountId])
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    ip: row.ip,
    userAgent: row.user_agent,
  }))
}

const SELECT_ONE = statement(
  'sessions.one',
  `select from sessions s where s.account_id = $1 and s.id = $2 and ${IS_ACTIVE}`,
)

export async function hasActiveSession(db: Queryable, accountId: AccountId, id: string): Promise<boolean> {
  return (await db.query(SELECT_ONE, [accountId, id])).length > 0
}

const REMOVE_BY_TOKEN = statement('sessions.remove_by_token', 'delete from sessions where token_hash = $1')

export async function deleteSessionByToken(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(REMOVE_BY_TOKEN, [tokenHash])
}

const REMOVE_ONE = statement(
  'sessions.remove_one',
  'delete from sessions where account_id = $1 and id = $2 returning id',
)

export async function deleteSession(tx: Tx, accountId: AccountId, id: string): Promise<number> {
  return (await tx.query(REMOVE_ONE, [accountId, id])).length
}

const REMOVE_EXCEPT = statement(
  'sessions.remove_except',
  'delete from sessions where account_id = $1 and ($2::uuid is null or id <> $2) returning id',
)

export async function deleteSessions(
  tx: Tx,
  accountId: AccountId,
  keep: { except: string | null },
): Promise<number> {
  return (await tx.query(REMOVE_EXCEPT, [accountId, keep.except])).length
}

const REMOVE_ALL = statement('sessions.remove_all', 'delete from sessions')

/** Called after a restore or a failover that lost writes. Otherwise ended sessions could be valid again. */
export async function endAllSessions(tx: Tx): Promise<void> {
  await tx.query(REMOVE_ALL)
}
