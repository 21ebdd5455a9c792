// API tokens for a person's programs: created after a step-up and shown once.
import type { NewTokenBody, Permission, TokenScope } from '@pazar/contract'
import type { Tx } from '../../db/pool.ts'
import { newToken, newUuidV7 } from '../../lib/id.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { lockAccount } from '../accounts-store.ts'
import { byAccount, recordAudit } from '../audit.ts'
import { API_TOKEN_PREFIX } from '../api-token-format.ts'
import type { AccountDeps } from '../deps.ts'
import type { Caller } from '../sessions.ts'
import { toTokenHash } from '../token-hash.ts'
import { insertApiToken, revokeApiToken } from '../api-tokens-store.ts'

export interface MadeApiToken {
  id: string
  name: string
  scope: TokenScope
  projectId: string | null
  dailyCap: bigint | null
  expiresAt: Date
  /** Only the hash of the token is stored. */
  token: string
}

export async function makeApiToken(
  deps: AccountDeps,
  caller: Caller,
  input: NewTokenBody,
  requireProject: (tx: Tx, projectId: string, permission: Permission) => Promise<unknown>,
): Promise<MadeApiToken> {
  const { name, scope, expiresInDays, projectId = null } = input
  const dailyCap = input.dailyCap === undefined ? null : BigInt(input.dailyCap)
  const id = newUuidV7(deps.clock)
  const token = `${API_TOKEN_PREFIX}${newToken()}`
  return deps.db.transaction(async (tx) => {
    // The account is locked before the project, so that two transactions cannot deadlock.
    await lockAccount(tx, caller.account.id)
    // A token that refunds needs a role that may refund. Each request with the token checks the role again.
    if (projectId !== null) await requireProject(tx, projectId, scope === 'refund' ? 'money' : 'read')
    const accountId = caller.account.id
    const requested = { ...input, id, accountId, tokenHash: toTokenHash(token), projectId, dailyCap }
    const expiresAt = await insertApiToken(tx, requested)
    if (expiresAt === null) throw invalidField('name', 'too_many_tokens')
    const limits = projectId === null ? {} : { projectId, ...(dailyCap && { dailyCap: String(dailyCap) }) }
    const changes = { name, scope, expiresInDays, ...limits }
    await recordAudit(deps, tx, { ...byAccount(caller), projectId, action: 'token_made', changes })
    return { id, name, scope, projectId, dailyCap, expiresAt, token }
  })
}

/** Revoking only reduces access, so it needs no step-up. Revoking an expired token removes it from the list. */
export async function endApiToken(deps: AccountDeps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const ended = await revokeApiToken(tx, caller.account.id, id)
    if (!ended) throw new ServiceError('not_found')
    const { projectId, ...changes } = ended
    await recordAudit(deps, tx, { ...byAccount(caller), projectId, action: 'token_revoked', changes })
  })
}
