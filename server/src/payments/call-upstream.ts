// Calls an upstream and records the result. An incident notifies the operator if the upstream rejects our key, cannot
// be reached or keeps failing.
import type { Backend, UpstreamFault } from '../backends/backend.ts'
import { toUpstreamFault } from '../backends/backend.ts'
import { toDate } from '../lib/clock.ts'
import { traceCall } from '../lib/trace-span.ts'
import type { PaymentDeps } from './deps.ts'
import { raiseIncident } from './incidents.ts'
import { pauseLookups } from './lookup-budget-store.ts'
import type { Payment } from './payment.ts'
import type { HealthIncident } from './upstream-health.ts'
import { requireBackend } from './upstream.ts'

/** After a 429 to a lookup, lookups pause this long, so that the requests of payers get through. */
const LIMITED_PAUSE_SEC = 10

async function raiseHealthIncident(
  deps: PaymentDeps,
  upstream: string,
  kind: HealthIncident,
  nowMs: number,
): Promise<void> {
  const nowText = toDate(nowMs).toISOString()
  await raiseIncident(deps, {
    kind,
    transactionId: null,
    // Each day on which the fault occurs has its own incident, even if the previous one is still open.
    subject: `${upstream} ${nowText.slice(0, 10)}`,
    // The hour is one of the facts, so a closed incident reopens if the fault still occurs in a later hour of the day.
    facts: { upstream, hour: `${nowText.slice(0, 13)}:00Z` },
  })
}

async function recordResult(
  deps: PaymentDeps,
  backend: Backend,
  fault: UpstreamFault | null,
  { kind: call, startedMs }: { kind: UpstreamCall; startedMs: number },
): Promise<void> {
  // Only the sandbox has no quota. Calls to the sandbox are not recorded, because the sandbox is part of this installation.
  if (!backend.quota) return
  const nowMs = deps.clock.nowMs()
  deps.metrics.recordUpstreamCall(backend.name, fault ?? 'answered', performance.now() - startedMs)
  // Each kind of call is counted separately: lookups that work must not hide that new payments fail.
  const kind = deps.upstreamHealth.record(`${backend.name} ${call}`, fault, nowMs)
  try {
    // A 429 to a new payment must not delay the lookups of other payments.
    if (fault === 'rate_limited' && call === 'lookup')
      await pauseLookups(deps.db, backend.name, LIMITED_PAUSE_SEC)
    if (kind) await raiseHealthIncident(deps, backend.name, kind, nowMs)
  } catch (error) {
    // This error is only logged, so that the payment does not fail. If the upstream keeps failing, the fault is stored
    // after a later call.
    deps.log.error(
      { err: error, upstream: backend.name, kind },
      'the fault of an upstream could not be stored',
    )
  }
}

export type UpstreamCall = 'create' | 'lookup' | 'refund'

export async function callUpstream<T>(
  deps: PaymentDeps,
  payment: Payment,
  kind: UpstreamCall,
  call: (backend: Backend) => Promise<T>,
): Promise<T> {
  return callBackend(deps, requireBackend(deps, payment), kind, call)
}

export async function callBackend<T>(
  deps: PaymentDeps,
  backend: Backend,
  kind: UpstreamCall,
  call: (backend: Backend) => Promise<T>,
): Promise<T> {
  const startedMs = performance.now()
  try {
    const result = await traceCall(deps, {
      name: `${backend.name} ${kind}`,
      work: () => call(backend),
      toFacts: (ended) => {
        const fault = 'error' in ended ? (toUpstreamFault(ended.error) ?? 'other') : null
        const attributes = { 'pazar.upstream': backend.name, 'pazar.outcome': fault ?? 'answered' }
        return { isError: fault !== null, attributes }
      },
    })
    await recordResult(deps, backend, null, { kind, startedMs })
    return result
  } catch (error) {
    const fault = toUpstreamFault(error)
    if (fault) await recordResult(deps, backend, fault, { kind, startedMs })
    throw error
  }
}
