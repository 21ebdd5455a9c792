// A restore from a backup, or a failover that lost writes. Payments, refunds, decisions and deliveries stop until the
// upstream's ledger was read (reconcile.ts). What was revoked after the backup works again, so everybody has to sign in
// again, API tokens stop, and owners are asked to replace their secrets.
import { endAllSessions } from '../accounts/sessions-store.ts'
import { suspendAllApiTokens } from '../accounts/api-tokens-store.ts'
import { queueRestoreMails } from '../accounts/mail/mails-store.ts'
import { lockGate, readGate, writeClosed, writeOpen } from '../db/gate-store.ts'
import { hasEpochSince, startEpoch } from '../feed/feed-store.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { closeAsResolved, listOpenFacts } from '../payments/incidents-store.ts'
import { findNewestPaymentAt } from '../payments/period-store.ts'
import { deleteAllTransfers } from '../projects/transfers-store.ts'
import { findNewestRefundAt } from '../refunds/period-store.ts'

/** For clocks that differ, and for requests that were on their way when the backup was made. */
export const SLACK_MS = 10 * 60_000

export interface GateCause {
  reason: 'restored' | 'upstream_ahead' | 'write_lost'
  /** From when on the upstream may know more. Without it: from the newest row of ours. */
  since?: Date | null
  /** The value of RESTORED_FROM, which closes the gate once. */
  restoredFrom?: string
}

/** The newest row of ours, less ten minutes: from then on the upstream may know more than we do. Null: there are no rows. */
export async function findKnownUntil(deps: Pick<PaymentDeps, 'db'>): Promise<Date | null> {
  const times = [await findNewestPaymentAt(deps.db), await findNewestRefundAt(deps.db)]
  const newestMs = Math.max(...times.map((time) => time?.getTime() ?? -Infinity))
  return newestMs === -Infinity ? null : toDate(newestMs - SLACK_MS)
}

/**
 * What follows a closing. The gate's row is committed before it, so that nothing here can keep payments going; it is
 * repeated until it has succeeded once, and the gate does not open before.
 */
export async function finishClosing(deps: PaymentDeps): Promise<void> {
  const { closedAt, restoredAt, reason, restoredFrom, since } = await readGate(deps.db)
  if (closedAt === null || restoredAt === null || (await hasEpochSince(deps.db, restoredAt))) return
  const facts = { reason: reason ?? '', restoredFrom, since: since?.toISOString() ?? null }
  deps.log.error(facts, 'payments, refunds and deliveries are stopped: run reconcile --since')
  await raiseIncident(deps, {
    kind: 'restored',
    transactionId: null,
    subject: restoredAt.toISOString(),
    facts,
  })
  await deps.db.transaction(async (tx) => {
    await lockGate(tx)
    if (await hasEpochSince(tx, restoredAt)) return
    await endAllSessions(tx)
    await suspendAllApiTokens(tx)
    await deleteAllTransfers(tx)
    await startEpoch(tx)
    await queueRestoreMails(tx, toDate(deps.clock.nowMs()))
  })
}

/** Changes nothing if it was closed before, for this or another reason. */
export async function closeGate(deps: PaymentDeps, cause: GateCause): Promise<void> {
  const { reason, restoredFrom = null } = cause
  const since = cause.since ?? (await findKnownUntil(deps)) ?? toDate(0)
  await writeClosed(deps.db, { reason, since, restoredFrom })
  await deps.restoreGate.refresh()
  deps.lastWrite.forget()
  await finishClosing(deps)
}

/** False: it is open, or was closed again since `closedAt`. */
export async function openGate(deps: PaymentDeps, closedAt: Date): Promise<boolean> {
  await finishClosing(deps)
  const isOpened = await writeOpen(deps.db, closedAt)
  await deps.restoreGate.refresh()
  if (!isOpened) return false
  const incidents = await listOpenFacts(deps.db, 'restored')
  await closeAsResolved(
    deps.db,
    incidents.map(({ id }) => id),
    { reconciledAt: toDate(deps.clock.nowMs()).toISOString() },
  )
  return true
}

/** Each value of RESTORED_FROM closes the gate once. */
export async function applyRestoredFrom(deps: PaymentDeps): Promise<void> {
  const { restoredFrom } = deps.config
  if (restoredFrom !== null) await closeGate(deps, { reason: 'restored', restoredFrom })
}
