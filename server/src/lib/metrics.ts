// Events are counted in memory; the text is built only when the metrics are read.
import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Gauges {
  callbacksDue: number
  callbacksOldestDueSec: number
  laneOwners: number
  paymentsOpen: number
  paymentsOldestOpenSec: number
  incidentsOpen: number
  mailsWaiting: number
  schemaVersion: number
  clockOffsetSec: number
  restoreGateClosed: number
}

const GAUGES: Record<keyof Gauges, [name: string, help: string]> = {
  callbacksDue: ['pazar_callbacks_due', 'Callbacks that are due, counted up to 10,000'],
  callbacksOldestDueSec: [
    'pazar_callbacks_oldest_due_seconds',
    'How long the oldest due callback has been due',
  ],
  laneOwners: [
    'pazar_lane_owners',
    'Running delivery processes; each delivers its share (lanes) of the callbacks',
  ],
  paymentsOpen: ['pazar_payments_open', 'Payments without a result, counted up to 10,000'],
  paymentsOldestOpenSec: ['pazar_payments_oldest_open_seconds', 'Age of the oldest payment without a result'],
  incidentsOpen: ['pazar_incidents_open', 'Incidents that nobody has closed, counted up to 10,000'],
  mailsWaiting: ['pazar_mails_waiting', 'Mails that are neither sent nor given up, counted up to 10,000'],
  schemaVersion: ['pazar_schema_version', 'The newest migration that was applied to the database'],
  clockOffsetSec: [
    'pazar_clock_offset_seconds',
    'How far the clock of the database is ahead of this process; negative if it is behind',
  ],
  restoreGateClosed: ['pazar_restore_gate_closed', '1 while payments are stopped after a restore, else 0'],
}
/** The values are reused for this time, so that several readers cost no more than one. */
const GAUGES_FRESH_MS = 5_000
/** After this time without a response of the database, the last values are used. */
const GAUGES_WAIT_MAX_MS = 2_000

export interface PoolState {
  busy: number
  idle: number
  waiting: number
}

export interface MetricsOptions {
  /** Label values that are known at the start. Their counters begin at 0, so that the first increase is noticed. */
  knownLabels?: {
    incidentKinds: readonly string[]
    paymentStates: readonly string[]
    refundStates: readonly string[]
    attemptOutcomes: readonly string[]
    callOutcomes: readonly string[]
    upstreams: readonly string[]
  }
  readPool?: () => PoolState
  requireReady?: () => Promise<void>
  build?: { version: string; schema: string; role: string }
}

/**
 * The alerts look for a rise in the counts of these statuses. These counts begin at 0, because a count that begins at 1
 * shows no rise.
 */
const STATUSES_OF_ALERTS = [500, 503]

/** In seconds. The smallest value fits a cached page, and the largest fits a slow request. */
const DURATION_BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

export interface Metrics {
  countIncident(kind: string): void
  countEndedPayment(mode: string, state: string): void
  /** `state` is `processing` if this service has just reserved the refund, otherwise the state in which the refund ended. */
  countRefundState(mode: string, state: string): void
  countAttempt(outcome: string): void
  recordUpstreamCall(upstream: string, outcome: string, durationMs: number): void
  /** Must be called for each route that the process serves, so that the route's counts of STATUSES_OF_ALERTS begin at 0. */
  startResponses(method: string, route: string): void
  recordResponse(method: string, route: string, status: number, durationMs: number): void
  countDroppedSpans(count: number): void
  /** Until a step of the loop succeeds, the loop's age counts from this call. So a loop that always fails is noticed. */
  startLoopAge(loop: string): void
  recordLoopStep(loop: string): void
  listActiveLoops(withinSec: number): string[]
  text(): Promise<string>
  contentType: string
}

function createGaugeRefresher(registry: Registry, read: () => Promise<Gauges>): () => Promise<void> {
  const gauges = Object.entries(GAUGES).map(
    ([key, [name, help]]) => [key as keyof Gauges, new Gauge({ name, help, registers: [registry] })] as const,
  )
  let lastReadMs = -Infinity
  let reading: Promise<void> | null = null

  async function refresh(): Promise<void> {
    try {
      const values = await read()
      for (const [key, gauge] of gauges) gauge.set(values[key])
      lastReadMs = performance.now()
    } catch {
      // The last values stay. /readyz reports that the database is unavailable.
    } finally {
      reading = null
    }
  }

  return async () => {
    if (performance.now() - lastReadMs < GAUGES_FRESH_MS) return
    reading ??= refresh()
    const stopWaiting = new AbortController()
    // The abort below makes `sleep` reject. The rejection is ignored, because nobody waits for the deadline any more.
    const deadline = sleep(GAUGES_WAIT_MAX_MS, undefined, { signal: stopWaiting.signal }).catch(
      () => undefined,
    )
    await Promise.race([reading, deadline])
    stopWaiting.abort()
  }
}

function addPoolGauge(registry: Registry, readPool: () => PoolState): void {
  const gauge = new Gauge({
    name: 'pazar_pool_connections',
    help: 'Database connections of this process, and requests that wait for one',
    labelNames: ['state'],
    registers: [],
    collect() {
      for (const [state, count] of Object.entries(readPool())) this.set({ state }, count)
    },
  })
  registry.registerMetric(gauge)
}

function addReadyGauge(registry: Registry, requireReady: () => Promise<void>): void {
  const gauge = new Gauge({
    name: 'pazar_ready',
    help: '1 while this process can serve requests, else 0; a process that is shutting down still reports 1',
    registers: [],
    async collect() {
      this.set(
        await requireReady().then(
          () => 1,
          () => 0,
        ),
      )
    },
  })
  registry.registerMetric(gauge)
}

function addBuildInfo(registry: Registry, build: { version: string; schema: string; role: string }): void {
  new Gauge({
    name: 'pazar_build_info',
    help: 'Always 1; the labels say which release runs, which schema it knows, and its role',
    labelNames: ['version', 'schema', 'role'],
    registers: [registry],
  }).set(build, 1)
}

// Why this is long: short functions that share one registry.
export function createMetrics(readGauges: () => Promise<Gauges>, options: MetricsOptions = {}): Metrics {
  const registry = new Registry()
  const { knownLabels: known, readPool, requireReady, build } = options
  if (readPool) addPoolGauge(registry, readPool)
  if (requireReady) addReadyGauge(registry, requireReady)
  if (build) addBuildInfo(registry, build)
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const incidents = counter('pazar_incidents_total', 'Incidents raised, by kind', ['kind'])
  const payments = counter('pazar_payments_total', 'Payments that ended', ['mode', 'state'])
  const refunds = counter('pazar_refunds_total', 'Refunds that were requested (processing) or ended', [
    'mode',
    'state',
  ])
  const attempts = counter('pazar_callback_attempts_total', 'Attempts to deliver a callback', ['outcome'])
  const calls = counter('pazar_upstream_calls_total', 'Requests to an upstream, by outcome', [
    'upstream',
    'outcome',
  ])
  const spansDropped = counter(
    'pazar_spans_dropped_total',
    'Spans that the OpenTelemetry collector did not accept in time',
    [],
  )
  const durations = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS, registers: [registry] })
  const requestSeconds = durations('pazar_http_request_seconds', 'How long requests took', ['route'])
  const callSeconds = durations(
    'pazar_upstream_call_seconds',
    'How long requests to an upstream took, by outcome',
    ['upstream', 'outcome'],
  )
  for (const kind of known?.incidentKinds ?? []) incidents.inc({ kind }, 0)
  for (const mode of ['live', 'test']) {
    for (const state of known?.paymentStates ?? []) payments.inc({ mode, state }, 0)
    for (const state of known?.refundStates ?? []) refunds.inc({ mode, state }, 0)
  }
  for (const outcome of known?.attemptOutcomes ?? []) attempts.inc({ outcome }, 0)
  for (const upstream of known?.upstreams ?? [])
    for (const outcome of known?.callOutcomes ?? []) {
      calls.inc({ upstream, outcome }, 0)
      callSeconds.zero({ upstream, outcome })
    }
  // Keyed by the string "method route status", because every request is counted and each label would cost a lookup.
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
  const refreshGauges = createGaugeRefresher(registry, readGauges)
  const loopStarts = new Map<string, number>()
  const beats = new Map<string, number>()
  const toAgeSec = (beatMs: number) => (performance.now() - beatMs) / 1000
  const heartbeat = new Gauge({
    name: 'pazar_loop_heartbeat_seconds',
    help: 'How long ago a background loop of this process last finished a step, or started',
    labelNames: ['loop'],
    registers: [],
    collect() {
      for (const [loop, beatMs] of [...loopStarts, ...beats]) this.set({ loop }, toAgeSec(beatMs))
    },
  })
  registry.registerMetric(heartbeat)
  let hasDefaults = false
  return {
    countIncident: (kind) => incidents.inc({ kind }),
    countEndedPayment: (mode, state) => payments.inc({ mode, state }),
    countRefundState: (mode, state) => refunds.inc({ mode, state }),
    countAttempt: (outcome) => attempts.inc({ outcome }),
    recordUpstreamCall(upstream, outcome, durationMs) {
      calls.inc({ upstream, outcome })
      callSeconds.observe({ upstream, outcome }, durationMs / 1000)
    },
    countDroppedSpans: (count) => spansDropped.inc(count),
    startResponses(method, route) {
      for (const status of STATUSES_OF_ALERTS) responses.set(`${method} ${route} ${status}`, 0)
    },
    recordResponse(method, route, status, durationMs) {
      requestSeconds.observe({ route }, durationMs / 1000)
      const key = `${method} ${route} ${status}`
      responses.set(key, (responses.get(key) ?? 0) + 1)
    },
    startLoopAge: (loop) => void loopStarts.set(loop, performance.now()),
    recordLoopStep: (loop) => void beats.set(loop, performance.now()),
    listActiveLoops: (withinSec) =>
      [...beats].flatMap(([loop, beatMs]) => (toAgeSec(beatMs) < withinSec ? [loop] : [])),
    async text() {
      await refreshGauges()
      // Measuring the event loop and the heap costs a little, so it starts when the metrics are first read.
      if (!hasDefaults) collectDefaultMetrics({ register: registry })
      hasDefaults = true
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}
