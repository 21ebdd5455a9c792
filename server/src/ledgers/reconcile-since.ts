// After a restore: reads what the upstreams have since a time and stores what we lack. The gate opens once all of it was read.
import type { Backend, DisputeReport, RefundReport } from '../backends/backend.ts'
import type { Listed } from '../backends/pager.ts'
import { readGate } from '../db/gate-store.ts'
import { receiveDispute } from '../disputes/receive.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { findPaymentsById } from '../payments/payments-store.ts'
import { toSafeText } from '../payments/record-report.ts'
import { findRefundsById } from '../refunds/period-store.ts'
import { receiveListedRefund } from '../refunds/receive.ts'
import type { Adoption } from './adopt-payments.ts'
import { adoptOrRaise, raiseOrphan, toAdoptionOrder } from './adopt-payments.ts'
import { openGate } from './close-gate.ts'
import { readList } from './read-lists.ts'

/** The upstream's clock may be ahead. */
const AHEAD_MS = 24 * 3_600_000
const PROGRESS_EVERY = 100

export interface ReconcileOptions {
  since: Date
  isDry: boolean
  /** Opens the gate although an upstream does not list what it has. */
  acceptUnlisted: boolean
  onProgress: (line: string) => void
}

export interface ReconciledUpstream {
  upstream: string
  /** False: it does not list its ledger, so nothing could be read. */
  isListed: boolean
  payments: Record<Adoption, number>
  refunds: { listed: number; missing: number }
  disputes: { listed: number; missing: number }
}

export type GateResult = 'was_open' | 'opened' | 'kept_closed' | 'unlisted' | 'since_too_late'

export interface Reconciled {
  upstreams: ReconciledUpstream[]
  gate: GateResult
}

const NONE: Record<Adoption, number> = {
  known: 0,
  updated: 0,
  adopted: 0,
  duplicate: 0,
  orphan: 0,
  ignored: 0,
}

interface Run extends ReconcileOptions {
  deps: PaymentDeps
  backend: Backend
  window: { since: Date; until: Date }
}

async function reconcilePayments(run: Run): Promise<Record<Adoption, number>> {
  const { deps, backend, window, isDry, onProgress } = run
  const lists = backend.lists!
  const items = await readList(deps, backend, lists.sessions ?? lists.payments, window)
  const known = new Set((await findPaymentsById(deps.db, toIds(items))).map(({ id }) => id))
  const counts = { ...NONE }
  let done = 0
  for (const item of toAdoptionOrder(items, (id) => known.has(id))) {
    counts[await adoptOrRaise(deps, backend, item, isDry)] += 1
    done += 1
    if (done % PROGRESS_EVERY === 0)
      onProgress(`${backend.name}: ${done} of ${items.length} payments, ${counts.adopted} adopted`)
  }
  return counts
}

function toIds(items: readonly { id: string | null }[]): string[] {
  return items.flatMap(({ id }) => (id !== null && /^[0-9a-f-]{36}$/.test(id) ? [id] : []))
}

/** Never fails: whatever cannot be stored becomes an incident. */
async function orRaise(
  { deps, backend }: Run,
  object: 'refund' | 'dispute',
  report: RefundReport | DisputeReport,
  record: () => Promise<boolean>,
): Promise<void> {
  let isStored = false
  try {
    isStored = await record()
  } catch (error) {
    deps.log.error({ err: error, object }, 'an entry of the upstream could not be adopted')
  }
  if (isStored) return
  await raiseOrphan(deps, backend, object, {
    id: 'id' in report ? (report.id ?? report.upstreamRef) : report.upstreamRef,
    payment: report.paymentId && toSafeText(report.paymentId),
    amount: report.amount.toString(),
    currency: toSafeText(report.currency),
    status: report.status,
  })
}

async function reconcileRefunds(run: Run): Promise<ReconciledUpstream['refunds']> {
  const { deps, backend, window, isDry } = run
  if (!(await backend.refunds?.isOffered())) return { listed: 0, missing: 0 }
  const items: Listed<RefundReport>[] = await readList(deps, backend, backend.lists!.refunds, window)
  const known = new Set((await findRefundsById(deps.db, toIds(items))).map(({ id }) => id))
  const missing = items.filter(({ id, origin }) => {
    const isOther = origin && origin.installationId !== deps.installation.id
    return id !== null && !isOther && !known.has(id)
  })
  if (!isDry)
    for (const item of items)
      await orRaise(run, 'refund', item, () => receiveListedRefund(deps, backend, item))
  return { listed: items.length, missing: missing.length }
}

async function reconcileDisputes(run: Run): Promise<ReconciledUpstream['disputes']> {
  const { deps, backend, window, isDry } = run
  if (!(await backend.disputes?.isOffered())) return { listed: 0, missing: 0 }
  const items: Listed<DisputeReport>[] = await readList(deps, backend, backend.disputes!.list, window)
  if (!isDry)
    for (const item of items) await orRaise(run, 'dispute', item, () => receiveDispute(deps, backend, item))
  return { listed: items.length, missing: 0 }
}

async function reconcileUpstream(run: Run): Promise<ReconciledUpstream> {
  const upstream = run.backend.name
  const nothing = { listed: 0, missing: 0 }
  if (!(await run.backend.lists?.isOffered()))
    return { upstream, isListed: false, payments: NONE, refunds: nothing, disputes: nothing }
  const payments = await reconcilePayments(run)
  const refunds = await reconcileRefunds(run)
  const disputes = await reconcileDisputes(run)
  return { upstream, isListed: true, payments, refunds, disputes }
}

async function endGate(
  deps: PaymentDeps,
  { since, isDry, acceptUnlisted }: ReconcileOptions,
  upstreams: readonly ReconciledUpstream[],
  closedAt: Date | null,
): Promise<GateResult> {
  const gate = await readGate(deps.db)
  if (gate.closedAt === null) return 'was_open'
  if (isDry || gate.closedAt.getTime() !== closedAt?.getTime()) return 'kept_closed'
  if (gate.since && since > gate.since) return 'since_too_late'
  if (!acceptUnlisted && upstreams.some(({ isListed }) => !isListed)) return 'unlisted'
  return (await openGate(deps, gate.closedAt)) ? 'opened' : 'kept_closed'
}

export async function reconcileSince(deps: PaymentDeps, options: ReconcileOptions): Promise<Reconciled> {
  const { closedAt } = await readGate(deps.db)
  const window = { since: options.since, until: toDate(deps.clock.nowMs() + AHEAD_MS) }
  const { live, previous } = deps.backends
  const upstreams: ReconciledUpstream[] = []
  for (const backend of [live, ...previous])
    upstreams.push(await reconcileUpstream({ ...options, deps, backend, window }))
  return { upstreams, gate: await endGate(deps, options, upstreams, closedAt) }
}
