// Turns the compact storage of callbacks (new-callbacks-store.ts) on and off. Earlier releases cannot read compact callbacks,
// so operators turn compact storage on after an upgrade, and off before a rollback.
import { setTimeout as sleep } from 'node:timers/promises'
import { recordAudit } from '../accounts/audit.ts'
import { lockInstallation, setCompactCallbacks } from '../db/installation-store.ts'
import type { CallbackDeps } from './deps.ts'
import { hasEarlierRelease } from './lane-store.ts'
import { fillDeliveryTimes, hasNewCallbacks, storeAnyPending } from './new-callbacks-store.ts'
import type { WalkPlace } from './new-callbacks-store.ts'

/** How long transactions that began before compact storage was turned off may still commit compact callbacks. */
const IN_FLIGHT_MS = 15_000
const PASS_GAP_MS = 500

type StorageDeps = Pick<CallbackDeps, 'db' | 'clock'>

/**
 * Compact storage cannot be turned on while a process of an earlier release serves lanes. Once compact storage is on, the
 * database refuses such processes.
 */
export async function turnCompactOn(deps: StorageDeps): Promise<'on' | 'already on' | 'refused'> {
  return deps.db.transaction(async (tx) => {
    // A process of an earlier release holds this lock while it registers.
    await lockInstallation(tx)
    if (await hasEarlierRelease(tx)) return 'refused'
    return (await switchTo(deps, tx, true)) ? 'on' : 'already on'
  })
}

async function switchTo(
  deps: StorageDeps,
  tx: Parameters<typeof lockInstallation>[0],
  isCompact: boolean,
): Promise<boolean> {
  const isChanged = await setCompactCallbacks(tx, isCompact)
  if (!isChanged) return false
  await recordAudit(deps, tx, {
    accountId: null,
    actor: 'operator',
    client: null,
    action: 'callback_storage_changed',
    changes: { compact: isCompact },
  })
  return true
}

/** Returns how many queued callbacks this run stored in the form of earlier releases. An interrupted run can be repeated. */
export async function turnCompactOff(deps: StorageDeps, inFlightMs = IN_FLIGHT_MS): Promise<number> {
  await deps.db.transaction(async (tx) => {
    await lockInstallation(tx)
    await switchTo(deps, tx, false)
  })
  const switchedMs = performance.now()
  let stored = 0
  for (;;) {
    const startedMs = performance.now()
    const count = await storeAllPending(deps)
    stored += count
    const isLate = startedMs - switchedMs >= inFlightMs
    if (isLate && count === 0 && !(await hasNewCallbacks(deps.db))) break
    await sleep(PASS_GAP_MS)
  }
  let place: WalkPlace | null = null
  do place = await fillDeliveryTimes(deps.db, place)
  while (place !== null)
  return stored
}

async function storeAllPending({ db }: StorageDeps): Promise<number> {
  let stored = 0
  for (;;) {
    const count = await storeAnyPending(db)
    if (count === 0) return stored
    stored += count
  }
}
