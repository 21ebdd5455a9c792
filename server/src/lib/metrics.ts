// What those who run the service watch: how payments end, how deliveries go, and whether anything needs a person.
// Counting is an addition in memory; names and texts are put together only when somebody asks.
import { collectDefaultMetrics, Counter, Registry } from 'prom-client'

export interface Metrics {
  incident(kind: string): void
  paymentEnded(mode: string, state: string): void
  attempt(outcome: string): void
  upstreamCall(upstream: string, outcome: string): void
  answered(method: string, route: string, status: number): void
  /** In the text form that Prometheus reads. */
  text(): Promise<string>
  contentType: string
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const incidents = counter('pazar_incidents_total', 'Incidents raised, by kind', ['kind'])
  const payments = counter('pazar_payments_total', 'Payments that ended', ['mode', 'state'])
  const attempts = counter('pazar_callback_attempts_total', 'Tries to deliver a callback', ['outcome'])
  const calls = counter('pazar_upstream_calls_total', 'Requests to an upstream, by what came of them', [
    'upstream',
    'outcome',
  ])
  // By "method route status", one string: labels cost a lookup each, and this is counted for every request.
  const answers = new Map<string, number>()
  const answered = new Counter({
    name: 'pazar_http_answers_total',
    help: 'Answers to requests',
    labelNames: ['method', 'route', 'status'],
    registers: [],
    collect() {
      this.reset()
      for (const [key, count] of answers) {
        const [method = '', route = '', status = ''] = key.split(' ')
        this.inc({ method, route, status }, count)
      }
    },
  })
  registry.registerMetric(answered)
  let hasDefaults = false
  return {
    incident: (kind) => incidents.inc({ kind }),
    paymentEnded: (mode, state) => payments.inc({ mode, state }),
    attempt: (outcome) => attempts.inc({ outcome }),
    upstreamCall: (upstream, outcome) => calls.inc({ upstream, outcome }),
    answered(method, route, status) {
      const key = `${method} ${route} ${status}`
      answers.set(key, (answers.get(key) ?? 0) + 1)
    },
    async text() {
      // Watching the event loop and the heap costs a little, so it begins with the first who looks.
      if (!hasDefaults) collectDefaultMetrics({ register: registry })
      hasDefaults = true
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}
