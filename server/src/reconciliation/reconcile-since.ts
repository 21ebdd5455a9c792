// After a restore: reads the upstreams' entries since a given time and stores those that we lack. The restore gate
// opens at the end of the run, unless one of the reasons in GateResult keeps it closed.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { UsedAccount } from '../backends/accounts-store.ts'
import type { Backend, Charge, DisputeReport, RefundReport } from '../backends/backend.ts'
import type { Listed } from '../backends/pager.ts'
import { readRestoreGate } from '../db/gate-store.ts'
import { receiveDispute } from '../disputes/receive.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { listMissingAccounts } from '../payments/missing-upstreams.ts'
import { findPaymentsById } from '../payments/payments-store.ts'
import { toSafeText } from '../payments/record-report.ts'
import { findRefundsById } from '../refunds/period-store.ts'
import { receiveListedRefund } from '../refunds/receive.ts'
import type { Adoption, AdoptOptions } from './adopt-payments.ts'
import { tryAdopt, raiseOrphan, toAdoptionOrder } from './adopt-payments.ts'
import { openGate } from './close-gate.ts'
import { lookUpOpen } from './look-up-open.ts'
import { readList } from './read-lists.ts'

/** The lists are read up to this far into the future, because the upstream's clock may be ahead. */
const AHEAD_MS = 24 * 3_600_000
const PROGRESS_EVERY = 100
const DAY_MS = 24 * 3_600_000

export interface ReconcileOptions extends AdoptOptions {
  since: Date
  /**
   * Opens the gate even if an upstream does not list its payments, lists charges without our metadata, or has no settings
   * in this run.
   */
  acceptUnlisted: boolean
  onProgress: (line: string) => void
}

export interface ReconciledList {
  listed: number
  /**
   * How many of the listed refunds have an id of ours, but were not stored before the run. Refunds of other installations
   * are not counted. Always 0 for disputes.
   */
  missing: number
  failed: number
}

export interface ReconciledUpstream {
  upstream: string
  isListed: boolean
  payments: Record<Adoption, number>
  refunds: ReconciledList
  disputes: ReconciledList
}

/** Whether the gate is open after the run and, if not, why. */
export type GateResult =
  | 'was_open'
  | 'opened'
  /** It was a dry run, or somebody closed the gate again during the run. */
  | 'kept_closed'
  /** An upstream that was in use when the backup was made has no settings in this run, so its lists were not read. */
  | 'not_configured'
  /** An upstream does not list its payments. */
  | 'unlisted'
  /** An upstream lists charges without our metadata. */
  | 'unmarked'
  /** An entry could not be stored, or a payment could not be looked up. */
  | 'failed'
  /** The run's `since` is later than the gate's `since`, so the entries between the two times were not read. */
  | 'since_too_late'

export interface Reconciled {
  upstreams: ReconciledUpstream[]
  notConfigured: UsedAccount[]
  gate: GateResult
}

const NO_PAYMENTS: Record<Adoption, number> = {
  known: 0,
  updated: 0,
  adopted: 0,
  duplicate: 0,
  orphan: 0,
  unmarked: 0,
  ignored: 0,
  failed: 0,
}
const NO_ENTRIES: ReconciledList = { listed: 0, missing: 0, failed: 0 }

interface Run extends ReconcileOptions {
  deps: PaymentDeps
  backend: Backend
  window: { since: Date; until: Date }
  isGateClosed: boolean
}

/**
 * Restores what the adapter had stored about known payments, such as the id of a session. A payment can be in the backup
 * without these records. A lookup would then report a paid payment as cancelled.
 */
async function adoptKnown({ isDry, backend }: Run, knownItems: readonly Listed<Charge>[]): Promise<void> {
  if (!isDry) for (const item of knownItems) await backend.adopt?.(item)
}

async function reconcilePayments(run: Run): Promise<Record<Adoption, number>> {
  const { deps, backend, window, onProgress } = run
  const lists = backend.lists!
  const items = await readList(deps, backend, lists.sessions ?? lists.payments, window, Infinity)
  const knownIds = new Set((await findPaymentsById(deps.db, toIds(items))).map(({ id }) => id))
  const isKnown = (id: string) => knownIds.has(id)
  await adoptKnown(
    run,
    items.filter(({ id }) => isKnown(id)),
  )
  const lookedUp = run.isDry ? null : await lookUpOpen(deps, backend, run.isGateClosed)
  const counts = { ...NO_PAYMENTS, ...lookedUp }
  let doneCount = 0
  for (const item of toAdoptionOrder(items, isKnown)) {
    counts[await tryAdopt(deps, backend, item, run)] += 1
    doneCount += 1
    if (doneCount % PROGRESS_EVERY === 0)
      onProgress(`${backend.name}: ${doneCount} of ${items.length} payments, ${counts.adopted} adopted`)
  }
  return counts
}

function toIds(items: readonly { id: string | null }[]): string[] {
  return items.flatMap(({ id }) => (id !== null && TRANSACTION_ID_PATTERN.test(id) ? [id] : []))
}

/**
 * Records a report. Raises an incident if the report names a payment that is not stored here. If recording fails, returns
 * false and, with acceptFailed, also raises the incident.
 */
async function recordOrRaise(
  { deps, backend, acceptFailed }: Run,
  object: 'refund' | 'dispute',
  report: RefundReport | DisputeReport,
  record: () => Promise<boolean>,
): Promise<boolean> {
  let hasFailed = false
  try {
    if (await record()) return true
  } catch (error) {
    deps.log.error({ err: error, object }, 'an entry of the upstream could not be adopted')
    hasFailed = true
    if (!acceptFailed) return false
  }
  await raiseOrphan(deps, backend, object, {
    id: 'id' in report ? (report.id ?? report.upstreamRef) : report.upstreamRef,
    payment: report.paymentId && toSafeText(report.paymentId),
    amount: report.amount.toString(),
    currency: toSafeText(report.currency),
    status: report.status,
  })
  return !hasFailed
}

async function recordEach<Report extends RefundReport | DisputeReport>(
  run: Run,
  object: 'refund' | 'dispute',
  items: readonly Report[],
  record: (item: Report) => Promise<boolean>,
): Promise<number> {
  let failed = 0
  if (run.isDry) return failed
  for (const item of items) if (!(await recordOrRaise(run, object, item, () => record(item)))) failed += 1
  return failed
}

async function reconcileRefunds(run: Run): Promise<ReconciledList> {
  const { deps, backend, window } = run
  if (!(await backend.refunds?.isOffered())) return NO_ENTRIES
  const items: Listed<RefundReport>[] = await readList(
    deps,
    backend,
    backend.lists!.refunds,
    window,
    Infinity,
  )
  const knownIds = new Set((await findRefundsById(deps.db, toIds(items))).map(({ id }) => id))
  const missing = items.filter(({ id, origin }) => {
    const isOfOtherInstallation = origin && origin.installationId !== deps.installation.id
    return id !== null && !isOfOtherInstallation && !knownIds.has(id)
  })
  const failed = await recordEach(run, 'refund', items, (item) => receiveListedRefund(deps, backend, item))
  return { listed: items.length, missing: missing.length, failed }
}

async function reconcileDisputes(run: Run): Promise<ReconciledList> {
  const { deps, backend, window } = run
  if (!(await backend.disputes?.isOffered())) return NO_ENTRIES
  const items: Listed<DisputeReport>[] = await readList(
    deps,
    backend,
    backend.disputes!.list,
    window,
    Infinity,
  )
  const failed = await recordEach(run, 'dispute', items, (item) => receiveDispute(deps, backend, item))
  return { listed: items.length, missing: 0, failed }
}

async function reconcileUpstream(run: Run): Promise<ReconciledUpstream> {
  const upstream = run.backend.name
  if (!(await run.backend.lists?.isOffered()))
    return { upstream, isListed: false, payments: NO_PAYMENTS, refunds: NO_ENTRIES, disputes: NO_ENTRIES }
  const payments = await reconcilePayments(run)
  const refunds = await reconcileRefunds(run)
  const disputes = await reconcileDisputes(run)
  return { upstream, isListed: true, payments, refunds, disputes }
}

const hasFailedEntries = ({ payments, refunds, disputes }: ReconciledUpstream) =>
  payments.failed + refunds.failed + disputes.failed > 0

async function openGateIfComplete(
  deps: PaymentDeps,
  { since, isDry, acceptUnlisted, acceptFailed }: ReconcileOptions,
  { upstreams, notConfigured }: Omit<Reconciled, 'gate'>,
  closedAt: Date | null,
): Promise<GateResult> {
  const gate = await readRestoreGate(deps.db)
  if (gate.closedAt === null) return 'was_open'
  if (gate.closedAt.getTime() !== closedAt?.getTime()) return 'kept_closed'
  if (gate.since && since > gate.since) return 'since_too_late'
  if (!acceptUnlisted && notConfigured.length > 0) return 'not_configured'
  if (isDry) return 'kept_closed'
  if (!acceptUnlisted && upstreams.some(({ isListed }) => !isListed)) return 'unlisted'
  if (!acceptFailed && upstreams.some(hasFailedEntries)) return 'failed'
  if (!acceptUnlisted && upstreams.some(({ payments }) => payments.unmarked > 0)) return 'unmarked'
  return (await openGate(deps, gate.closedAt)) ? 'opened' : 'kept_closed'
}

export async function reconcileSince(deps: PaymentDeps, options: ReconcileOptions): Promise<Reconciled> {
  const { closedAt, since: stoppedSince } = await readRestoreGate(deps.db)
  const isGateClosed = closedAt !== null
  const window = { since: options.since, until: toDate(deps.clock.nowMs() + AHEAD_MS) }
  const { live, previous } = deps.backends
  const upstreams: ReconciledUpstream[] = []
  for (const backend of [live, ...previous])
    upstreams.push(await reconcileUpstream({ ...options, deps, backend, window, isGateClosed }))
  // A day is added as a margin, because the use of an account is recorded at most once an hour.
  const ageMs = deps.clock.nowMs() - (stoppedSince ?? options.since).getTime()
  const notConfigured = await listMissingAccounts(deps, Math.ceil(ageMs / DAY_MS) + 1)
  const read = { upstreams, notConfigured }
  return { ...read, gate: await openGateIfComplete(deps, options, read, closedAt) }
}
