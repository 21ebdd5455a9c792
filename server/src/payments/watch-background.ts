// Notices when no process delivers callbacks or looks payments up: work is due, and there is no heartbeat. Due work
// alone may also mean that a merchant is down or a quota is used up.
import { countWaitingMails } from '../accounts/mail/mails-store.ts'
import { countDueCallbacks, countLaneOwners } from '../callbacks/backlog-store.ts'
import { readRestoreGate } from '../db/gate-store.ts'
import { listActiveLoops } from '../db/heartbeats-store.ts'
import { readServerState } from '../http/health-store.ts'
import { toDate } from '../lib/clock.ts'
import type { Gauges } from '../lib/metrics.ts'
import { countOpenPayments } from './backlog-store.ts'
import type { PaymentDeps } from './deps.ts'
import { raiseIncident } from './incidents.ts'

/** A restart of the delivery processes takes less time. Payers and merchants hardly notice a pause of this length. */
export const STOPPED_AFTER_SEC = 120
const WARN_EVERY_MS = 5 * 60_000

export async function readGauges({ db, clock }: Pick<PaymentDeps, 'db' | 'clock'>): Promise<Gauges> {
  const [due, laneOwners, open, mailsWaiting, gate] = await Promise.all([
    countDueCallbacks(db),
    countLaneOwners(db),
    countOpenPayments(db),
    countWaitingMails(db),
    readRestoreGate(db),
  ])
  const requestedMs = clock.nowMs()
  const { nowMs, schemaVersion } = await readServerState(db)
  // The database read its clock some time between our request and its response.
  const middleMs = (requestedMs + clock.nowMs()) / 2
  return {
    laneOwners,
    mailsWaiting,
    schemaVersion,
    clockOffsetSec: (nowMs - middleMs) / 1000,
    callbacksDue: due.count,
    callbacksOldestDueSec: due.oldestSec,
    paymentsOpen: open.count,
    paymentsOldestOpenSec: open.oldestSec,
    incidentsOpen: open.incidents,
    restoreGateClosed: gate.closedAt === null ? 0 : 1,
  }
}

/** The name of the loop that looks up payments at this upstream. */
export const toReconcileLoop = (upstream: string) => `reconcile ${upstream}`

async function listStopped({ db }: Pick<PaymentDeps, 'db'>): Promise<string[]> {
  const [due, open, beating] = await Promise.all([
    countDueCallbacks(db),
    countOpenPayments(db),
    listActiveLoops(db, STOPPED_AFTER_SEC),
  ])
  const isStopped = (waitsSec: number, ...heartbeats: string[]) =>
    waitsSec > STOPPED_AFTER_SEC && !heartbeats.some((loop) => beating.includes(loop))
  // Processes of an earlier release save one heartbeat, `reconcile`, for the lookups at all upstreams.
  const lookups = Object.entries(open.lookupWaitsSec).flatMap(([upstream, waitsSec]) =>
    isStopped(waitsSec, toReconcileLoop(upstream), 'reconcile') ? [toReconcileLoop(upstream)] : [],
  )
  return [...(isStopped(due.oldestSec, 'delivery') ? ['delivery'] : []), ...lookups]
}

export function createBackgroundWatch(deps: PaymentDeps): () => Promise<void> {
  let warnedMs = -Infinity
  return async () => {
    const stopped = await listStopped(deps)
    if (stopped.length === 0) return
    if (deps.clock.nowMs() - warnedMs >= WARN_EVERY_MS) {
      warnedMs = deps.clock.nowMs()
      deps.log.warn({ stopped }, 'work is due, but no process with ROLE=delivery or ROLE=all is doing it')
    }
    const nowText = toDate(deps.clock.nowMs()).toISOString()
    await raiseIncident(deps, {
      kind: 'delivery_stopped',
      transactionId: null,
      subject: nowText.slice(0, 10),
      // The facts change every ten minutes, so a closed incident reopens if the fault lasts.
      facts: { setting: 'ROLE=delivery', at: `${nowText.slice(0, 15)}0Z` },
    })
  }
}
