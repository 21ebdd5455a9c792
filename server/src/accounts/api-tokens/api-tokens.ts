// Tokens for an owner's programs: created after a step-up, shown once, valid until they expire or are revoked.
import type { NewTokenBody, TokenScope } from '@pazar/contract'
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
  expiresAt: Date
  /** Returned only here; afterwards only its hash is stored. */
  token: string
}

export async function makeApiToken(
  deps: AccountDeps,
  caller: Caller,
  input: NewTokenBody,
): Promise<MadeApiToken> {
  const { name, scope, expiresInDays } = input
  const id = newUuidV7(deps.clock)
  const token = `${API_TOKEN_PREFIX}${newToken()}`
  return deps.db.transaction(async (tx) => {
    const requested = { id, accountId: caller.account.id, tokenHash: toTokenHash(token), ...input }
    const expiresAt = await insertApiToken(tx, requested)
    if (expiresAt === null) throw invalidField('name', 'too_many_tokens')
    const changes = { name, scope, expiresInDays }
    await recordAudit(deps, tx, { ...byOwner(caller), action: 'token_made', changes })
    return { id, name, scope, expiresAt, token }
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
