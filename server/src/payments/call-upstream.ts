// Every request to an upstream goes through here, so that one whose key is rejected, that cannot be reached or that keeps
// failing is noticed at once: an incident, a metric and a mail.
import type { Backend, UpstreamFault } from '../backends/backend.ts'
import { toUpstreamFault } from '../backends/backend.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from './deps.ts'
import { raiseIncident } from './incidents.ts'
import { pauseLookups } from './lookup-budget-store.ts'
import type { Payment } from './payment.ts'
import type { HealthIncident } from './upstream-health.ts'
import { requireBackend } from './upstream.ts'

/** After a 429 lookups pause this long, so that the requests of payers get through. */
const LIMITED_PAUSE_SEC = 10

async function raise(
  deps: PaymentDeps,
  upstream: string,
  kind: HealthIncident,
  nowMs: number,
): Promise<void> {
  const now = toDate(nowMs).toISOString()
  await raiseIncident(deps, {
    kind,
    transactionId: null,
    // Each day that it lasts or happens again is another incident, also where nobody has closed the last one.
    subject: `${upstream} ${now.slice(0, 10)}`,
    // One that was closed opens again in the next hour in which it happens.
    facts: { upstream, hour: `${now.slice(0, 13)}:00Z` },
  })
}

async function note(
  deps: PaymentDeps,
  backend: Backend,
  fault: UpstreamFault | null,
  call: UpstreamCall,
): Promise<void> {
  // The sandbox is part of this installation.
  if (!backend.quota) return
  const nowMs = deps.clock.nowMs()
  deps.metrics.upstreamCall(backend.name, fault ?? 'answered')
  // Counted separately: lookups that work must not hide that every new payment fails.
  const kind = deps.upstreamHealth.note(`${backend.name} ${call}`, fault, nowMs)
  try {
    // Only for lookups: new payments that an upstream refuses must not delay the lookups of others.
    if (fault === 'rate_limited' && call === 'lookup')
      await pauseLookups(deps.db, backend.name, LIMITED_PAUSE_SEC)
    if (kind) await raise(deps, backend.name, kind, nowMs)
  } catch (error) {
    // It is raised again with the next fault a minute later; the current payment must not fail for it.
    deps.log.error({ err: error, upstream: backend.name, kind }, 'an incident could not be stored')
  }
}

export type UpstreamCall = 'create' | 'lookup'

export async function callUpstream<T>(
  deps: PaymentDeps,
  payment: Payment,
  kind: UpstreamCall,
  call: (backend: Backend) => Promise<T>,
): Promise<T> {
  const backend = requireBackend(deps, payment)
  try {
    const result = await call(backend)
    await note(deps, backend, null, kind)
    return result
  } catch (error) {
    const fault = toUpstreamFault(error)
    if (fault) await note(deps, backend, fault, kind)
    throw error
  }
}
