// Closes the restore gate after a restore from a backup, or after a failover that lost writes. Payments, refunds,
// decisions on reviews and deliveries stop until the upstreams' ledgers have been read (reconcile-since.ts). Sessions and
// tokens that were revoked after the backup are valid again, so everybody is signed out and API tokens are suspended.
// Prepared secrets that were discarded after the backup are back, so all prepared secrets are discarded.
import path from 'node:path'
import { deleteAllFactorResets } from '../accounts/factor-resets-store.ts'
import { endAllInvitations } from '../accounts/invitations-store.ts'
import { voidAllMailLinks } from '../accounts/mail-links-store.ts'
import { endAllSessions } from '../accounts/sessions-store.ts'
import { suspendAllApiTokens } from '../accounts/api-tokens-store.ts'
import { queueRestoreMails } from '../accounts/mail/mails-store.ts'
import { readRestoreName } from '../db/embedded-backup.ts'
import { lockGate, readFirstStart, readRestoreGate, writeClosed, writeOpen } from '../db/gate-store.ts'
import type { Queryable } from '../db/pool.ts'
import { hasEpochSince, startEpoch } from '../feed/feed-store.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { closeAsResolved, listOpenFacts } from '../payments/incidents-store.ts'
import { findNewestPaymentAt } from '../payments/reads/period-store.ts'
import { deleteAllTransfers } from '../projects/transfers-store.ts'
import { findNewestRefundAt } from '../refunds/period-store.ts'
import { deleteAllNextSecrets } from '../secrets/next-secrets-store.ts'

/** A margin for clocks that differ, and for requests that were in progress when the backup was made. */
export const SLACK_MS = 10 * 60_000

export interface GateCause {
  reason: 'restored' | 'upstream_ahead' | 'write_lost'
  /** From this time on, the upstream may know more than we do. Absent or null: findKnownUntil finds the time. */
  since?: Date | null
  /** The value of RESTORED_FROM, or the name of a restore of the embedded database. Each value closes the gate once. */
  restoredFrom?: string
}

/** When our newest payment or refund was created. Null: we have none. */
export async function findNewestAt(db: Queryable): Promise<Date | null> {
  const times = [await findNewestPaymentAt(db), await findNewestRefundAt(db)].filter((time) => time !== null)
  return times.length === 0 ? null : toDate(Math.max(...times.map((time) => time.getTime())))
}

/**
 * Returns the time from which the upstream may know more than we do: ten minutes before our newest payment or refund. If we
 * have neither, the backup may be older than our first payment, so the time is ten minutes before our first start.
 */
export async function findKnownUntil({ db }: Pick<PaymentDeps, 'db'>): Promise<Date> {
  const newest = (await findNewestAt(db)) ?? (await readFirstStart(db))
  return toDate(newest.getTime() - SLACK_MS)
}

/**
 * Finishes closing the gate: raises the incident, ends sessions, suspends API tokens and queues the mails. The gate is
 * already closed in the database, so an error here does not let payments continue. The gate opens only after this function
 * has succeeded once.
 */
export async function finishClosing(deps: PaymentDeps): Promise<void> {
  const { closedAt, restoredAt, reason, restoredFrom, since } = await readRestoreGate(deps.db)
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
    await voidAllMailLinks(tx)
    await endAllInvitations(tx)
    await deleteAllFactorResets(tx)
    await deleteAllTransfers(tx)
    await deleteAllNextSecrets(tx)
    await startEpoch(tx, since ?? toDate(0))
    await queueRestoreMails(tx, toDate(deps.clock.nowMs()))
  })
}

/**
 * Each value of `restoredFrom` has an effect once, even if the gate is closed already. Without `restoredFrom`, a closed gate
 * does not change. A closing that was interrupted is finished in any case.
 */
export async function closeGate(deps: PaymentDeps, cause: GateCause): Promise<void> {
  const { reason, restoredFrom = null } = cause
  const since = cause.since ?? (await findKnownUntil(deps))
  await writeClosed(deps.db, { reason, since, restoredFrom })
  await deps.restoreGate.refresh()
  deps.lastWrite.forget()
  await finishClosing(deps)
}

/** Opens the gate that was closed at `closedAt`. False: the gate is open already, or was closed again later. */
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

/**
 * Each value of RESTORED_FROM and each restore of the embedded database closes the gate once. The command that restores the
 * embedded database closes the gate itself, but it may have been interrupted before that.
 */
export async function applyRestoredFrom(deps: PaymentDeps): Promise<void> {
  const { restoredFrom, databaseUrl, dataDir } = deps.config
  const embeddedRestore = databaseUrl === null ? await readRestoreName(path.join(dataDir, 'postgres')) : null
  for (const name of [restoredFrom, embeddedRestore])
    if (name !== null) await closeGate(deps, { reason: 'restored', restoredFrom: name })
}
