// Tokens for an owner's own programs: made after a step-up, shown once, ended by time or by a click.
import type { NewTokenBody, TokenScope } from '@pazar/contract'
import { newToken, newUuidV7 } from '../../lib/id.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { byOwner, recordAudit } from '../audit.ts'
import type { AccountDeps } from '../deps.ts'
import type { Caller } from '../sessions.ts'
import { toTokenHash } from '../token-hash.ts'
import { insertApiToken, revokeApiToken } from './api-tokens-store.ts'

/** Tells people, and the programs that look for leaked keys, what it is. */
const PREFIX = 'pat_'
const BEARER = /^Bearer +(\S+) *$/i
const API_TOKEN = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`)

/** Whatever the header calls a bearer's token, ours or not; null with another scheme or none. */
export function findBearer(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}

/** Spares the database what cannot be one of ours. */
export function isApiToken(text: string): boolean {
  return API_TOKEN.test(text)
}

export interface MadeApiToken {
  id: string
  name: string
  scope: TokenScope
  expiresAt: Date
  /** Told this once; afterwards only its hash exists. */
  token: string
}

export async function makeApiToken(
  deps: AccountDeps,
  caller: Caller,
  input: NewTokenBody,
): Promise<MadeApiToken> {
  const { name, scope, expiresInDays } = input
  const id = newUuidV7(deps.clock)
  const token = `${PREFIX}${newToken()}`
  return deps.db.transaction(async (tx) => {
    const wanted = { id, accountId: caller.account.id, tokenHash: toTokenHash(token), ...input }
    const expiresAt = await insertApiToken(tx, wanted)
    if (expiresAt === null) throw invalidField('name', 'too_many_tokens')
    const changes = { name, scope, expiresInDays }
    await recordAudit(deps, tx, { ...byOwner(caller), action: 'token_made', changes })
    return { id, name, scope, expiresAt, token }
  })
}

/** Takes power away, so it needs no step-up. One that ran out may go from the list too. */
export async function endApiToken(deps: AccountDeps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const ended = await revokeApiToken(tx, caller.account.id, id)
    if (!ended) throw new ServiceError('not_found')
    await recordAudit(deps, tx, { ...byOwner(caller), action: 'token_revoked', changes: ended })
  })
}
