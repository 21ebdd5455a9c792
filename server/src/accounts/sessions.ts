// A session ends after SESSION_IDLE_MAX_HOURS without a request, and at the latest after SESSION_MAX_DAYS.
import { SESSION_MAX_DAYS } from '@pazar/contract'
import type { TokenScope } from '@pazar/contract'
import type { Tx } from '../db/pool.ts'
import { newToken, newUuidV7 } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Account } from './account.ts'
import { byAccount, recordAudit } from './audit.ts'
import type { ClientFacts } from './client.ts'
import type { AccountDeps } from './deps.ts'
import { rememberDevice } from './devices.ts'
import {
  deleteSession,
  deleteSessionByToken,
  deleteSessions,
  hasActiveSession,
  insertSession,
} from './sessions-store.ts'
import { toTokenHash } from './token-hash.ts'

/** The cookie lasts as long as a session can last. The database decides whether a session has ended earlier. */
export const SESSION_COOKIE_MAX_AGE_SEC = SESSION_MAX_DAYS * 24 * 3600

export interface Browser {
  client: ClientFacts
  sessionToken: string | null
  deviceToken: string | null
}

export interface SignedIn {
  account: Account
  sessionToken: string
  deviceToken: string
}

export interface CallerToken {
  id: string
  name: string
  scope: TokenScope
  /** The only project that the token can use. Null if it can use all projects of the account. */
  projectId: string | null
  /** The most that the token can refund in a day. Null if it cannot refund. */
  dailyCap: bigint | null
}

/** The sender of a request: a person signed in with a browser, or a program with an API token. */
export interface Caller extends ClientFacts {
  account: Account
  /** Null for a program. */
  sessionId: string | null
  /** Null for a browser. */
  token: CallerToken | null
  /** When the step-up ends. Null if this request has no cookie of a valid step-up. */
  stepUpUntil: Date | null
  /** True if the step-up was made with a recovery code. Such a step-up allows only changes of second factors. */
  stepUpByRecovery?: boolean
  isRecovering?: boolean
}

export type SessionCaller = Caller & { sessionId: string }

/** The browser's previous session ends, so a token planted by an attacker is useless. */
export async function startSession(
  deps: AccountDeps,
  tx: Tx,
  account: Account,
  browser: Browser,
): Promise<SignedIn> {
  if (browser.sessionToken !== null) await deleteSessionByToken(tx, toTokenHash(browser.sessionToken))
  const sessionToken = newToken()
  await insertSession(tx, {
    id: newUuidV7(deps.clock),
    accountId: account.id,
    tokenHash: toTokenHash(sessionToken),
    client: browser.client,
  })
  return { account, sessionToken, deviceToken: await rememberDevice(tx, account.id, browser.deviceToken) }
}

export async function signOut(deps: AccountDeps, caller: SessionCaller): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await deleteSession(tx, caller.account.id, caller.sessionId)
    await recordAudit(deps, tx, { ...byAccount(caller), action: 'signed_out' })
  })
}

/** Ends the session with this id. Without an id, ends all sessions of the account except the caller's own. */
export async function revokeSessions(
  deps: AccountDeps,
  caller: SessionCaller,
  id: string | undefined,
): Promise<{ count: number }> {
  if (id !== undefined && !(await hasActiveSession(deps.db, caller.account.id, id))) {
    throw new ServiceError('not_found')
  }
  if (id !== caller.sessionId && (caller.stepUpUntil === null || caller.stepUpByRecovery))
    throw new ServiceError('step_up_required')
  return deps.db.transaction(async (tx) => {
    const count =
      id === undefined
        ? await deleteSessions(tx, caller.account.id, { except: caller.sessionId })
        : await deleteSession(tx, caller.account.id, id)
    await recordAudit(deps, tx, { ...byAccount(caller), action: 'sessions_revoked', changes: { count } })
    return { count }
  })
}
