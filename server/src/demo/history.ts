// Sixty days of invented payments, so that lists, filters and charts show realistic data.
import { createHash } from 'node:crypto'
import { toDate } from '../lib/clock.ts'
import { createRandom, pick } from './random.ts'

export interface PastPayment {
  id: string
  attempt_id: string
  amount: string
  custom_id: string | null
  data: string | null
  state: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'expired'
  failure_code: string | null
  action_url: string | null
  created_at: string
  completed_at: string | null
}

export interface PastAttempt {
  callback_id: string
  attempt: number
  started_at: string
  duration_ms: number
  outcome: string
  status_code: number | null
  error: string | null
  response_excerpt: string | null
}

export interface PastCallback {
  id: string
  transaction_id: string
  result: 'success' | 'fail'
  custom_id: string | null
  status: 'pending' | 'delivered' | 'exhausted' | 'cancelled'
  attempts: number
  last_outcome: string | null
  next_at: string
  created_at: string
  delivered_at: string | null
}

export interface History {
  payments: PastPayment[]
  callbacks: PastCallback[]
  attempts: PastAttempt[]
}

const DAYS = 60
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const GOODS: readonly (readonly [weight: number, good: readonly [amount: number, data: string]])[] = [
  [6, [1500, 'Kafa 1 kg']],
  [4, [890, 'Čaj od žalfije']],
  [3, [2490, 'Njeguški sir']],
  [2, [5990, 'Maslinovo ulje 5 l']],
  [1, [12900, 'Poklon paket']],
]

type Fault = Pick<PastAttempt, 'outcome' | 'status_code' | 'error' | 'response_excerpt' | 'duration_ms'>

function toHttpFault(status_code: number, response_excerpt: string | null, duration_ms: number): Fault {
  const outcome = status_code < 400 ? 'redirect' : 'http_error'
  return { outcome, status_code, error: null, response_excerpt, duration_ms }
}

function toNetworkFault(outcome: string, error: string, duration_ms: number): Fault {
  return { outcome, status_code: null, error, response_excerpt: null, duration_ms }
}

const FAULTS: readonly (readonly [weight: number, fault: Fault])[] = [
  [4, toHttpFault(500, 'Internal Server Error', 212)],
  [2, toNetworkFault('timeout', 'no answer in time', 15_000)],
  [2, toHttpFault(403, '<title>Just a moment</title>', 88)],
  [1, toNetworkFault('tls', 'certificate has expired', 61)],
  [1, toNetworkFault('connect', 'connection refused', 12)],
  [1, toHttpFault(301, null, 40)],
]
const DELIVERED = { outcome: 'delivered', status_code: 200, error: null, response_excerpt: 'ok' }
/** Seconds between delivery attempts, close to the real schedule. */
const GAPS_SEC = [5, 30, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** A UUIDv7 that depends only on the time and the label. */
function toStableId(ms: number, label: string): string {
  const hex = createHash('sha256').update(label).digest('hex')
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

function toIso(ms: number): string {
  return toDate(ms).toISOString()
}

interface Builder {
  history: History
  projectId: string
  baseUrl: string
  random: () => number
  orders: number
}

interface Plan {
  atMs: number
  state: PastPayment['state']
  failureCode?: string
  /** Set if two payments are for the same order: the second is made after the first failed. */
  customId?: string
  callback?: Partial<Pick<PastCallback, 'status'>> & { failures?: number; nextAtMs?: number }
}

export function makeHistory(projectId: string, baseUrl: string, nowMs: number): History {
  const history: History = { payments: [], callbacks: [], attempts: [] }
  const random = createRandom(20_260_726)
  const builder: Builder = { history, projectId, baseUrl, random, orders: 0 }
  for (let day = DAYS; day >= 1; day -= 1) {
    const weekend = toDate(nowMs - day * DAY_MS).getUTCDay() % 6 === 0
    const orders = Math.round((weekend ? 6 : 11) + random() * 9 + (DAYS - day) / 8)
    for (let n = 0; n < orders; n += 1) {
      const createdMs = Math.round(nowMs - day * DAY_MS + random() * DAY_MS)
      addRandomPayment(builder, Math.min(createdMs, nowMs - HOUR_MS))
    }
  }
  addToday(builder, nowMs)
  return history
}

function addRandomPayment(builder: Builder, atMs: number): void {
  const { random } = builder
  const result = pick(random, [
    [88, { state: 'succeeded' }],
    [6, { state: 'failed', failureCode: 'declined' }],
    [3, { state: 'failed', failureCode: 'insufficient_funds' }],
    [2, { state: 'expired', failureCode: 'expired' }],
  ] as const)
  const failures = pick(random, [
    [90, 0],
    [5, 1],
    [2, 2],
    [1, 3],
    [0.7, 11],
  ])
  addPayment(builder, { atMs, ...result, callback: { failures } })
}

function addToday(builder: Builder, nowMs: number): void {
  const minutesAgo = (minutes: number) => nowMs - minutes * MINUTE_MS
  addPayment(builder, {
    atMs: minutesAgo(50),
    state: 'failed',
    failureCode: 'declined',
    customId: 'order-9001',
    callback: { status: 'cancelled' },
  })
  addPayment(builder, { atMs: minutesAgo(49), state: 'succeeded', customId: 'order-9001' })
  addPayment(builder, {
    atMs: minutesAgo(20),
    state: 'succeeded',
    callback: { failures: 3, nextAtMs: nowMs + 25 * MINUTE_MS },
  })
  addPayment(builder, { atMs: minutesAgo(5), state: 'requires_action' })
  addPayment(builder, { atMs: minutesAgo(1), state: 'processing' })
}

function addPayment(builder: Builder, plan: Plan): void {
  const { random, history, projectId } = builder
  builder.orders += 1
  const [amount, data] = pick(random, GOODS)
  const id = toStableId(plan.atMs, `${projectId} ${builder.orders}`)
  const customId = plan.customId ?? (random() < 0.92 ? `order-${10_000 + builder.orders}` : null)
  const isOpen = plan.state === 'processing' || plan.state === 'requires_action'
  const endedMs = plan.atMs + 400 + Math.round(random() * 900)
  history.payments.push({
    id,
    attempt_id: toStableId(plan.atMs, `attempt ${projectId} ${builder.orders}`),
    amount: String(amount * (random() < 0.15 ? 2 : 1)),
    custom_id: customId,
    data,
    state: plan.state,
    failure_code: plan.failureCode ?? null,
    action_url: plan.state === 'requires_action' ? `${builder.baseUrl}/sandbox/bank/${id}` : null,
    created_at: toIso(plan.atMs),
    completed_at: isOpen ? null : toIso(endedMs),
  })
  if (!isOpen) addCallback(builder, { id, customId, endedMs, plan })
}

function addCallback(
  builder: Builder,
  facts: { id: string; customId: string | null; endedMs: number; plan: Plan },
): void {
  const { random, history } = builder
  const { endedMs, plan } = facts
  const { failures = 0, nextAtMs, status: given } = plan.callback ?? {}
  const callback_id = `msg_${toStableId(endedMs, `callback ${facts.id}`).replaceAll('-', '')}`
  const fault = pick(random, FAULTS)
  let attemptMs = endedMs + 4
  for (let attempt = 1; attempt <= failures; attempt += 1) {
    history.attempts.push({ callback_id, attempt, started_at: toIso(attemptMs), ...fault })
    attemptMs += fault.duration_ms + (GAPS_SEC[attempt - 1] ?? 0) * 1000
  }
  const status = given ?? (nextAtMs ? 'pending' : failures > GAPS_SEC.length ? 'exhausted' : 'delivered')
  if (status === 'delivered') {
    const duration_ms = 18 + Math.round(random() * 90)
    history.attempts.push({
      callback_id,
      attempt: failures + 1,
      started_at: toIso(attemptMs),
      duration_ms,
      ...DELIVERED,
    })
    attemptMs += duration_ms
  }
  history.callbacks.push({
    id: callback_id,
    transaction_id: facts.id,
    result: plan.state === 'succeeded' ? 'success' : 'fail',
    custom_id: facts.customId,
    status,
    attempts: status === 'delivered' ? failures + 1 : failures,
    last_outcome: status === 'delivered' ? 'delivered' : failures > 0 ? fault.outcome : null,
    next_at: toIso(nextAtMs ?? endedMs),
    created_at: toIso(endedMs),
    delivered_at: status === 'delivered' ? toIso(attemptMs) : null,
  })
}
