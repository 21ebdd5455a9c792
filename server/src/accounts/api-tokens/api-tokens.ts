// Tokens for an owner's own programs: created after a step-up, shown once, ended by expiry or by revoking.
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
  /** Shown only here; afterwards only its hash exists. */
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

/** Revoking takes power away, so it needs no step-up. An expired token can be removed from the list too. */
export async function endApiToken(deps: AccountDeps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const ended = await revokeApiToken(tx, caller.account.id, id)
    if (!ended) throw new ServiceError('not_found')
    await recordAudit(deps, tx, { ...byOwner(caller), action: 'token_revoked', changes: ended })
  })
}
