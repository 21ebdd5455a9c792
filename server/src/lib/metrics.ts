// Metrics for the operator: results of payments and deliveries, and incidents that need a decision. Counting is an addition
// in memory; the text is built only for a scrape.
import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'

/** Read from the database at a scrape. */
export interface Gauges {
  callbacksDue: number
  callbacksOldestDueSec: number
  paymentsOpen: number
  paymentsOldestOpenSec: number
  incidentsOpen: number
}

const GAUGES: Record<keyof Gauges, [name: string, help: string]> = {
  callbacksDue: ['pazar_callbacks_due', 'Callbacks that are due, counted up to 10,000'],
  callbacksOldestDueSec: ['pazar_callbacks_oldest_due_seconds', 'How long the oldest of them has been due'],
  paymentsOpen: ['pazar_payments_open', 'Payments without a result, counted up to 10,000'],
  paymentsOldestOpenSec: ['pazar_payments_oldest_open_seconds', 'Age of the oldest of them'],
  incidentsOpen: ['pazar_incidents_open', 'Incidents that nobody has closed, counted up to 10,000'],
}
/** So that several scrapers cost no more than one. */
const GAUGES_FRESH_MS = 5_000
/** A database that does not respond must not block a scrape: it gets the last values. */
const GAUGES_WAIT_MAX_MS = 2_000

export interface Metrics {
  incident(kind: string): void
  paymentEnded(mode: string, state: string): void
  attempt(outcome: string): void
  upstreamCall(upstream: string, outcome: string): void
  responded(method: string, route: string, status: number): void
  /** A background loop of this process has finished a step. */
  loopBeat(loop: string): void
  /** Loops of this process that finished a step within `withinSec`. */
  listBeating(withinSec: number): string[]
  /** In the text form that Prometheus reads. */
  text(): Promise<string>
  contentType: string
}

/** Sets the gauges from what `read` returns, at most every few seconds. */
function createGauges(registry: Registry, read: () => Promise<Gauges>): () => Promise<void> {
  const gauges = Object.entries(GAUGES).map(
    ([key, [name, help]]) => [key as keyof Gauges, new Gauge({ name, help, registers: [registry] })] as const,
  )
  let readMs = -Infinity
  let reading: Promise<void> | null = null

  async function refresh(): Promise<void> {
    try {
      const values = await read()
      for (const [key, gauge] of gauges) gauge.set(values[key])
      readMs = performance.now()
    } catch {
      // The last values stay; /readyz reports that the database is unavailable.
    } finally {
      reading = null
    }
  }

  return async () => {
    if (performance.now() - readMs < GAUGES_FRESH_MS) return
    reading ??= refresh()
    const isOver = new AbortController()
    // An abort only ends the wait; nothing is lost.
    const deadline = sleep(GAUGES_WAIT_MAX_MS, undefined, { signal: isOver.signal }).catch(() => undefined)
    await Promise.race([reading, deadline])
    isOver.abort()
  }
}

export function createMetrics(readGauges: () => Promise<Gauges>): Metrics {
  const registry = new Registry()
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const incidents = counter('pazar_incidents_total', 'Incidents raised, by kind', ['kind'])
  const payments = counter('pazar_payments_total', 'Payments that ended', ['mode', 'state'])
  const attempts = counter('pazar_callback_attempts_total', 'Attempts to deliver a callback', ['outcome'])
  const calls = counter('pazar_upstream_calls_total', 'Requests to an upstream, by outcome', [
    'upstream',
    'outcome',
  ])
  // Keyed by the string "method route status", because this runs for every request and each label would cost a lookup.
  const responses = new Map<string, number>()
  const responded = new Counter({
    name: 'pazar_http_answers_total',
    help: 'Responses to requests',
    labelNames: ['method', 'route', 'status'],
    registers: [],
    collect() {
      this.reset()
      for (const [key, count] of responses) {
        const [method = '', route = '', status = ''] = key.split(' ')
        this.inc({ method, route, status }, count)
      }
    },
  })
  registry.registerMetric(responded)
  const refreshGauges = createGauges(registry, readGauges)
  const beats = new Map<string, number>()
  const toAgeSec = (beatMs: number) => (performance.now() - beatMs) / 1000
  const heartbeat = new Gauge({
    name: 'pazar_loop_heartbeat_seconds',
    help: 'How long ago a background loop of this process last finished a step',
    labelNames: ['loop'],
    registers: [],
    collect() {
      for (const [loop, beatMs] of beats) this.set({ loop }, toAgeSec(beatMs))
    },
  })
  registry.registerMetric(heartbeat)
  let hasDefaults = false
  return {
    incident: (kind) => incidents.inc({ kind }),
    paymentEnded: (mode, state) => payments.inc({ mode, state }),
    attempt: (outcome) => attempts.inc({ outcome }),
    upstreamCall: (upstream, outcome) => calls.inc({ upstream, outcome }),
    responded(method, route, status) {
      const key = `${method} ${route} ${status}`
      responses.set(key, (responses.get(key) ?? 0) + 1)
    },
    loopBeat: (loop) => void beats.set(loop, performance.now()),
    listBeating: (withinSec) =>
      [...beats].flatMap(([loop, beatMs]) => (toAgeSec(beatMs) < withinSec ? [loop] : [])),
    async text() {
      await refreshGauges()
      // Measuring the event loop and the heap costs a little, so it starts with the first scrape.
      if (!hasDefaults) collectDefaultMetrics({ register: registry })
      hasDefaults = true
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}
