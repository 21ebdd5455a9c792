import type { UpstreamFault } from '../backends/backend.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'

/** In a window of this length, a short interruption raises no incident, but an outage is noticed within minutes. */
const WINDOW_MS = 5 * 60_000
/** With fewer requests, a failure rate means little. */
const CALLS_MIN = 10
/** At most this many requests are remembered for each upstream and kind of call, to limit the memory. */
const CALLS_MAX = 200
/** Declined cards are not failures here, so a healthy upstream has almost no failures. */
const FAILING_SHARE = 0.5
/** During an outage, a process raises an incident at most once in this time per kind of incident and `key`. */
const REPEAT_MS = 60_000

export type HealthIncident = Extract<
  IncidentKind,
  'upstream_key_rejected' | 'upstream_unreachable' | 'upstream_failing'
>

export interface UpstreamHealth {
  /**
   * `key` names the upstream and the kind of call. `fault` is null if the upstream gave a usable response. Returns the
   * kind of incident to raise now, if any.
   */
  record(key: string, fault: UpstreamFault | null, nowMs: number): HealthIncident | null
}

interface RecentCalls {
  calls: { atMs: number; isFailed: boolean }[]
  raisedMs: Map<HealthIncident, number>
}

function toIncident(fault: UpstreamFault, calls: RecentCalls['calls']): HealthIncident | null {
  // A single rejected key is enough for an incident, because no payer can pay until somebody changes the key.
  if (fault === 'key_rejected') return 'upstream_key_rejected'
  // A single call that does not reach the upstream is enough for an incident, because new payments fail too.
  if (fault === 'unreachable') return 'upstream_unreachable'
  const failed = calls.filter(({ isFailed }) => isFailed).length
  return calls.length >= CALLS_MIN && failed >= calls.length * FAILING_SHARE ? 'upstream_failing' : null
}

export function createUpstreamHealth(): UpstreamHealth {
  const recentCalls = new Map<string, RecentCalls>()
  return {
    record(key, fault, nowMs) {
      const recent: RecentCalls = recentCalls.get(key) ?? { calls: [], raisedMs: new Map() }
      recentCalls.set(key, recent)
      recent.calls.push({ atMs: nowMs, isFailed: fault !== null })
      recent.calls = recent.calls.slice(-CALLS_MAX).filter(({ atMs }) => atMs > nowMs - WINDOW_MS)
      const kind = fault && toIncident(fault, recent.calls)
      if (!kind || nowMs - (recent.raisedMs.get(kind) ?? -Infinity) < REPEAT_MS) return null
      recent.raisedMs.set(kind, nowMs)
      return kind
    },
  }
}
