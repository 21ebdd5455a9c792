// The database's clock decides whether an API token has expired.
import { TOKENS_PER_ACCOUNT_MAX } from '@pazar/contract'
import type { TokenScope } from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { Account, AccountId } from './account.ts'
import { ACCOUNT_COLUMNS, toAccount } from './accounts-store.ts'
import type { AccountRow } from './accounts-store.ts'
import type { CallerToken } from './sessions.ts'

/** Within this time, `last_used_at` is not written again. A write for every request would be slow. */
const USED_EVERY_MIN = 1

const WORKS = 't.revoked_at is null and t.suspended_at is null and t.expires_at > now()'

const INSERT = statement(
  'api_tokens.insert',
  `insert into api_tokens (id, account_id, token_hash, name, scope, expires_at, project_id, daily_cap)
   select $1, $2, $3, $4, $5, now() + make_interval(days => $6), $7, $8
   where (select count(*) from api_tokens t where t.account_id = $2 and ${WORKS}) < ${TOKENS_PER_ACCOUNT_MAX}
   returning expires_at`,
)

export interface NewApiToken {
  id: string
  accountId: AccountId
  tokenHash: Buffer
  name: string
  scope: TokenScope
  expiresInDays: number
  projectId: string | null
  dailyCap: bigint | null
}

/** The caller must lock the account first. Returns the expiry time, or null if the account has as many tokens as allowed. */
export async function insertApiToken(tx: Tx, token: NewApiToken): Promise<Date | null> {
  const { id, accountId, tokenHash, name, scope, expiresInDays, projectId, dailyCap } = token
  const values = [id, accountId, tokenHash, name, scope, expiresInDays, projectId, dailyCap]
  const [row] = await tx.query<{ expires_at: Date }>(INSERT, values)
  return row?.expires_at ?? null
}

const USE = statement(
  'api_tokens.use',
  `with found as (
     select t.id, t.name, t.scope, t.project_id, t.daily_cap, ${ACCOUNT_COLUMNS}
     from api_tokens t join accounts a on a.id = t.account_id where t.token_hash = $1 and ${WORKS}
   ), recorded as (
     update api_tokens t set last_used_at = now() from found where t.id = found.id
       and coalesce(t.last_used_at < now() - interval '${USED_EVERY_MIN} minutes', true)
   )
   select * from found`,
)

export type UsedApiToken = CallerToken & { account: Account }

interface Limits {
  project_id: string | null
  daily_cap: bigint | null
}

export async function useApiToken(db: Queryable, tokenHash: Buffer): Promise<UsedApiToken | null> {
  type Row = AccountRow & Pick<CallerToken, 'id' | 'name' | 'scope'> & Limits
  const [row] = await db.query<Row>(USE, [tokenHash])
  if (!row) return null
  const { id, name, scope } = row
  return { id, name, scope, projectId: row.project_id, dailyCap: row.daily_cap, account: toAccount(row) }
}

const LOCK = statement(
  'api_tokens.lock',
  `select t.id from api_tokens t where t.id = $1 and ${WORKS} for update`,
)

/**
 * Locks the token, so that its refunds run one after another and its daily limit counts all of them. Returns false if the
 * token no longer works.
 */
export async function lockApiToken(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query(LOCK, [id])).length > 0
}

const SELECT_WORKING = statement(
  'api_tokens.working',
  `select from api_tokens t where t.account_id = $1 and t.id = $2 and ${WORKS}`,
)

export async function isWorkingApiToken(db: Queryable, accountId: AccountId, id: string): Promise<boolean> {
  return (await db.query(SELECT_WORKING, [accountId, id])).length > 0
}

// Expired tokens stay listed until the cleanup, so that the owner sees why a program stopped working.
const SELECT_ALL = statement(
  'api_tokens.list',
  `select t.id, t.name, t.scope, t.project_id, t.daily_cap, t.created_at, t.expires_at, t.last_used_at, not (${WORKS}) as expired
   from api_tokens t where t.account_id = $1 and t.revoked_at is null
   order by expired, t.id desc limit ${2 * TOKENS_PER_ACCOUNT_MAX}`,
)

export interface ApiTokenEntry {
  id: string
  name: string
  scope: TokenScope
  projectId: string | null
  dailyCap: bigint | null
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  /** Also true for a token that is suspended. */
  expired: boolean
}

export async function findApiTokens(db: Queryable, accountId: AccountId): Promise<ApiTokenEntry[]> {
  type Row = Limits & {
    id: string
    name: string
    scope: TokenScope
    created_at: Date
    expires_at: Date
    last_used_at: Date | null
    expired: boolean
  }
  const rows = await db.query<Row>(SELECT_ALL, [accountId])
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    scope: row.scope,
    projectId: row.project_id,
    dailyCap: row.daily_cap,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    expired: row.expired,
  }))
}

const REVOKE = statement(
  'api_tokens.revoke',
  `update api_tokens set revoked_at = now() where account_id = $1 and id = $2 and revoked_at is null
   returning name, scope, project_id as "projectId"`,
)

interface RevokedToken {
  name: string
  scope: TokenScope
  projectId: string | null
}

export async function revokeApiToken(tx: Tx, accountId: AccountId, id: string): Promise<RevokedToken | null> {
  const [row] = await tx.query<RevokedToken>(REVOKE, [accountId, id])
  return row ?? null
}

const REVOKE_ALL = statement(
  'api_tokens.revoke_all',
  `update api_tokens t set revoked_at = now() where t.account_id = $1 and ${WORKS} returning t.id`,
)

const REVOKE_OF_PROJECT = statement(
  'api_tokens.revoke_of_project',
  `update api_tokens t set revoked_at = now() where t.account_id = $1 and t.project_id = $2 and t.revoked_at is null returning t.id`,
)

export async function revokeTokensOfProject(
  tx: Tx,
  accountId: AccountId,
  projectId: string,
): Promise<number> {
  return (await tx.query(REVOKE_OF_PROJECT, [accountId, projectId])).length
}

const REVOKE_FOR_TRANSFER = statement(
  'api_tokens.revoke_for_transfer',
  `update api_tokens t set revoked_at = now()
   where (t.project_id = $1 or (t.account_id = $2 and t.project_id is null)) and t.revoked_at is null`,
)

/** Revokes all tokens of this project, and the former owner's tokens that are not limited to a project. */
export async function revokeTokensForTransfer(tx: Tx, projectId: string, formerId: AccountId): Promise<void> {
  await tx.query(REVOKE_FOR_TRANSFER, [projectId, formerId])
}

export async function revokeApiTokens(tx: Tx, accountId: AccountId): Promise<number> {
  return (await tx.query(REVOKE_ALL, [accountId])).length
}

const SUSPEND_ALL = statement(
  'api_tokens.suspend_all',
  'update api_tokens set suspended_at = now() where suspended_at is null and revoked_at is null',
)

/** Called after a restore or a failover that lost writes. Otherwise tokens whose revocation was lost would work again. */
export async function suspendAllApiTokens(tx: Tx): Promise<void> {
  await tx.query(SUSPEND_ALL)
}

const SUSPEND_REFUNDING = statement(
  'api_tokens.suspend_refunding',
  `update api_tokens t set suspended_at = now() where t.daily_cap is not null and ${WORKS} returning t.id`,
)

/**
 * Called when the currency or its decimals change, because a daily limit would then mean another amount. Returns the
 * number of suspended tokens.
 */
export async function suspendRefundTokens(db: Queryable): Promise<number> {
  return (await db.query(SUSPEND_REFUNDING)).length
}
