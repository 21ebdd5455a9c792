// The device cookie authenticates nobody. Wrong passwords in a known browser are counted separately (lockout.ts), and
// a sign-in with a known browser sends no mail about a new device.
import type { Tx } from '../db/pool.ts'
import { newToken } from '../lib/id.ts'
import type { AccountId } from './account.ts'
import { isKnownDevice, upsertDevice } from './devices-store.ts'
import { toTokenHash } from './token-hash.ts'

const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/

/** Null without a cookie, or if this service cannot have set it. */
export function parseDeviceToken(cookie: string | null): string | null {
  return cookie !== null && TOKEN_SHAPE.test(cookie) ? cookie : null
}

/**
 * A known token stays, because several accounts may share the browser. An unknown token is replaced, because an
 * attacker may have set it.
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
