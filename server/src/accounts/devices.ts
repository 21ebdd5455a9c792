// Remembers the browsers an account has signed in from. The device cookie authenticates nobody. It only gives the browser
// a lockout bucket (a counter of failed sign-ins) of its own, and avoids a mail about a new device.
import type { Tx } from '../db/pool.ts'
import { newToken } from '../lib/id.ts'
import type { AccountId } from './account.ts'
import { isKnownDevice, upsertDevice } from './devices-store.ts'
import { toTokenHash } from './token-hash.ts'

const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/

/** Null for a cookie that this service cannot have set. */
export function parseDeviceToken(cookie: string | null): string | null {
  return cookie !== null && TOKEN_SHAPE.test(cookie) ? cookie : null
}

/**
 * Stores the browser as known to the account, and returns its token. A browser has one token for all accounts that sign in
 * there. Otherwise two people who share the browser would replace each other's token. Only a token issued here is accepted.
 * Otherwise an attacker could set a token that they know in many browsers.
 */
export async function rememberDevice(
  tx: Tx,
  accountId: AccountId,
  cookieToken: string | null,
): Promise<string> {
  const isKnown = cookieToken !== null && (await isKnownDevice(tx, toTokenHash(cookieToken)))
  const token = isKnown ? cookieToken : newToken()
  await upsertDevice(tx, accountId, toTokenHash(token))
  return token
}
