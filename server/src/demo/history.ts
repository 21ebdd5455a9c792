// Sixty days of a shop that never was: every end a payment can have, and the ways a callback can fail, so that lists,
// filters and charts have something true to their shape to show.
import { createHash } from 'node:crypto'
import { toDate } from '../lib/clock.ts'
import { createRandom, pick } from './random.ts'

export interface PastPayment {
  id: string
  attempt_id: string
  amount: string
  custom_id: string | null
  data: string | null
  state: 'succeeded' | 'failed' | 'expired' | 'requires_action'
  failure_code: string | null
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
  status: 'delivered' | 'exhausted' | 'cancelled'
  attempts: number
  created_at: string
  delivered_at: string | null
}

export interface History {
  payments: PastPayment[]
  callbacks: PastCallback[]
  attempts: PastAttempt[]
}

const DAYS = 60
const DAY_MS = 86_400_000
const GOODS: readonly (readonly [number, readonly [amount: number, data: string]])[] = [
  [6, [1500, 'Kafa 1 kg']],
  [4, [890, 'Čaj od žalfije']],
  [3, [2490, 'Njeguški sir']],
  [2, [5990, 'Maslinovo ulje 5 l']],
  [1, [12900, 'Poklon paket']],
]

type Fault = Pick<PastAttempt, 'outcome' | 'status_code' | 'error' | 'response_excerpt' | 'duration_ms'>
const FAULTS: readonly (readonly [number, Fault])[] = [
  [
    4,
    {
      outcome: 'http_error',
      status_code: 500,
      error: null,
      response_excerpt: 'Internal Server Error',
      duration_ms: 212,
    },
  ],
  [
    2,
    {
      outcome: 'timeout',
      status_code: null,
      error: 'no answer within 15 s',
      response_excerpt: null,
      duration_ms: 15_000,
    },
  ],
  [
    2,
    {
      outcome: 'http_error',
      status_code: 403,
      error: null,
      response_excerpt: '<title>Just a moment</title>',
      duration_ms: 88,
    },
  ],
  [
    1,
    {
      outcome: 'tls',
      status_code: null,
      error: 'certificate has expired',
      response_excerpt: null,
      duration_ms: 61,
    },
  ],
  [
    1,
    {
      outcome: 'connect',
      status_code: null,
      error: 'connection refused',
      response_excerpt: null,
      duration_ms: 12,
    },
  ],
  [1, { outcome: 'redirect', status_code: 301, error: null, response_excerpt: null, duration_ms: 40 }],
]
/** Seconds between tries, near enough to the real schedule for a picture of it. */
const GAPS_SEC = [5, 30, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** A UUIDv7 that is the same for the same seed and number. */
function toId(ms: number, label: string): string {
  const hex = createHash('sha256').update(label).digest('hex')
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

function iso(ms: number): string {
  return toDate(ms).toISOString()
}

export function makeHistory(projectId: string, nowMs: number): History {
  const random = createRandom(20_260_726)
  const history: History = { payments: [], callbacks: [], attempts: [] }
  let order = 0
  for (let day = DAYS; day >= 1; day -= 1) {
    const weekend = toDate(nowMs - day * DAY_MS).getUTCDay() % 6 === 0
    const orders = Math.round((weekend ? 6 : 11) + random() * 9 + (DAYS - day) / 8)
    for (let n = 0; n < orders; n += 1) {
      order += 1
      const at = Math.round(nowMs - day * DAY_MS + random() * DAY_MS)
      addPayment(history, { projectId, random, order, at: Math.min(at, nowMs - 600_000) })
    }
  }
  return history
}

function addPayment(
  history: History,
  facts: { projectId: string; random: () => number; order: number; at: number },
): void {
  const { random, order, at } = facts
  const [amount, data] = pick(random, GOODS)
  const [state, failure_code] = pick(random, [
    [88, ['succeeded', null]],
    [6, ['failed', 'declined']],
    [3, ['failed', 'insufficient_funds']],
    [2, ['expired', 'expired']],
    [0.4, ['requires_action', null]],
  ] as const)
  const id = toId(at, `${facts.projectId} ${order}`)
  const customId = random() < 0.92 ? `order-${10_000 + order}` : null
  const done = state === 'requires_action' ? null : at + 400 + Math.round(random() * 900)
  history.payments.push({
    id,
    attempt_id: toId(at, `attempt ${facts.projectId} ${order}`),
    amount: String(amount * (random() < 0.15 ? 2 : 1)),
    custom_id: customId,
    data,
    state,
    failure_code,
    created_at: iso(at),
    completed_at: done === null ? null : iso(done),
  })
  if (done !== null)
    addCallback(history, { random, id, customId, done, result: state === 'succeeded' ? 'success' : 'fail' })
}

function addCallback(
  history: History,
  facts: {
    random: () => number
    id: string
    customId: string | null
    done: number
    result: 'success' | 'fail'
  },
): void {
  const { random, done } = facts
  const callback_id = `msg_${toId(done, `callback ${facts.id}`).replaceAll('-', '')}`
  const failures = pick(random, [
    [90, 0],
    [5, 1],
    [2, 2],
    [1, 3],
    [0.7, 11],
  ])
  const fault = pick(random, FAULTS)
  let at = done + 4
  for (let attempt = 1; attempt <= failures; attempt += 1) {
    history.attempts.push({ callback_id, attempt, started_at: iso(at), ...fault })
    at += fault.duration_ms + (GAPS_SEC[attempt - 1] ?? 0) * 1000
  }
  const exhausted = failures > GAPS_SEC.length
  if (!exhausted) {
    const duration_ms = 18 + Math.round(random() * 90)
    history.attempts.push({
      callback_id,
      attempt: failures + 1,
      started_at: iso(at),
      duration_ms,
      outcome: 'delivered',
      status_code: 200,
      error: null,
      response_excerpt: 'ok',
    })
    at += duration_ms
  }
  history.callbacks.push({
    id: callback_id,
    transaction_id: facts.id,
    result: facts.result,
    custom_id: facts.customId,
    status: exhausted ? 'exhausted' : 'delivered',
    attempts: exhausted ? failures : failures + 1,
    created_at: iso(done),
    delivered_at: exhausted ? null : iso(at),
  })
}
