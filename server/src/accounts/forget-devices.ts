// Lists and forgets known browsers. The next sign-in with a forgotten browser causes a mail about a new device.
import { byAccount, recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { deleteOtherDevices, findDevices } from './devices-store.ts'
import type { SessionCaller } from './sessions.ts'
import { toTokenHash } from './token-hash.ts'

const toHash = (token: string | null) => (token === null ? null : toTokenHash(token))

export async function listDevices(deps: AccountDeps, { account }: SessionCaller, current: string | null) {
  const found = await findDevices(deps.db, account.id, toHash(current))
  return found.map((one) => ({
    current: one.current,
    createdAt: one.createdAt.toISOString(),
    lastUsedAt: one.lastUsedAt.toISOString(),
  }))
}

export async function forgetOtherDevices(
  deps: AccountDeps,
  caller: SessionCaller,
  current: string | null,
): Promise<{ count: number }> {
  return deps.db.transaction(async (tx) => {
    const count = await deleteOtherDevices(tx, caller.account.id, toHash(current))
    await recordAudit(deps, tx, { ...byAccount(caller), action: 'devices_forgotten', changes: { count } })
    return { count }
  })
}
