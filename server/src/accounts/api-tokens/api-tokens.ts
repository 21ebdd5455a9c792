// Tokens for an owner's programs: created after a step-up, shown once, valid until they expire or are revoked.
import type { NewTokenBody, TokenScope } from '@pazar/contract'
import type { Tx } from '../../db/pool.ts'
import { newToken, newUuidV7 } from '../../lib/id.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { byOwner, recordAudit } from '../audit.ts'
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
  /** Returned only here; afterwards only its hash is stored. */
  token: string
}

export async function makeApiToken(
  deps: AccountDeps,
  caller: Caller,
  input: NewTokenBody,
  ownsProject: (tx: Tx, projectId: string) => Promise<boolean>,
): Promise<MadeApiToken> {
  const { name, scope, expiresInDays, projectId = null } = input
  const dailyCap = input.dailyCap === undefined ? null : BigInt(input.dailyCap)
  const id = newUuidV7(deps.clock)
  const token = `${API_TOKEN_PREFIX}${newToken()}`
  return deps.db.transaction(async (tx) => {
    if (projectId !== null && !(await ownsProject(tx, projectId))) throw new ServiceError('not_found')
    const accountId = caller.account.id
    const requested = { ...input, id, accountId, tokenHash: toTokenHash(token), projectId, dailyCap }
    const expiresAt = await insertApiToken(tx, requested)
    if (expiresAt === null) throw invalidField('name', 'too_many_tokens')
    const limits = projectId === null ? {} : { projectId, ...(dailyCap && { dailyCap: String(dailyCap) }) }
    const changes = { name, scope, expiresInDays, ...limits }
    await recordAudit(deps, tx, { ...byOwner(caller), action: 'token_made', changes })
    return { id, name, scope, projectId, dailyCap, expiresAt, token }
  })
}

/** Revoking only reduces access, so it needs no step-up. Also removes an expired token from the list. */
export async function endApiToken(deps: AccountDeps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const ended = await revokeApiToken(tx, caller.account.id, id)
    if (!ended) throw new ServiceError('not_found')
    await recordAudit(deps, tx, { ...byOwner(caller), action: 'token_revoked', changes: ended })
  })
}
