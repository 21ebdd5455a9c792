// Anybody can post webhooks. So each process counts refused webhooks in memory. For each upstream and kind of refusal, a
// flood causes at most one write a minute and one incident a day.
import type { IncidentKind } from '../../lib/incident-kind.ts'
import { toDate } from '../../lib/clock.ts'
import type { PaymentDeps } from '../deps.ts'
import { raiseIncident } from '../incidents.ts'

/**
 * Within WINDOW_MS, scanners send fewer forged webhooks than this. An upstream that signs with a wrong secret sends more,
 * because it repeats each webhook.
 */
const FORGED_MIN = 5
const WINDOW_MS = 10 * 60_000
/** During a flood, the log line is written and the incident raised at most once in this time. */
const REPEAT_MS = 60_000

export type Refusal = Extract<IncidentKind, 'webhook_refused' | 'webhook_unusable'>

export interface RefusalCount {
  record(upstream: string, kind: Refusal, nowMs: number): boolean
}

interface RecentRefusals {
  atMs: number[]
  raisedMs: number
}

export function createRefusalCount(): RefusalCount {
  const recentRefusals = new Map<string, RecentRefusals>()
  return {
    record(upstream, kind, nowMs) {
      const key = `${kind} ${upstream}`
      const recent = recentRefusals.get(key) ?? { atMs: [], raisedMs: -Infinity }
      recentRefusals.set(key, recent)
      recent.atMs = [...recent.atMs, nowMs].slice(-FORGED_MIN).filter((atMs) => atMs > nowMs - WINDOW_MS)
      // A webhook that is `webhook_unusable` has a correct signature. It comes from the upstream itself, so one is enough.
      const isEnough = kind === 'webhook_unusable' || recent.atMs.length >= FORGED_MIN
      if (!isEnough || nowMs - recent.raisedMs < REPEAT_MS) return false
      recent.raisedMs = nowMs
      return true
    },
  }
}

/** `reason` is our own text and never contains parts of the request. */
export async function reportRefusal(
  deps: PaymentDeps,
  count: RefusalCount,
  { upstream, kind, reason }: { upstream: string; kind: Refusal; reason: string },
): Promise<void> {
  const nowMs = deps.clock.nowMs()
  if (!count.record(upstream, kind, nowMs)) return
  deps.log.warn({ upstream, kind, reason }, 'webhooks of an upstream are refused')
  try {
    await raiseIncident(deps, {
      kind,
      transactionId: null,
      // The facts of forged webhooks do not change within a day, so a stranger cannot reopen an incident that an
      // operator has closed.
      subject: `${upstream} ${toDate(nowMs).toISOString().slice(0, 10)}`,
      facts: kind === 'webhook_unusable' ? { upstream, reason } : { upstream },
    })
  } catch (error) {
    // After a minute, the next refusal tries again to raise the incident.
    deps.log.error({ err: error, upstream, kind }, 'an incident could not be stored')
  }
}
