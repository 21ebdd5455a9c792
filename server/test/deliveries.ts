// Helpers for delivery tests. A lane is the queue of one project in one mode.
import { randomUUID } from 'node:crypto'
import type { AttemptTrigger, Mode } from '@pazar/contract'
import { toAttemptIdentity } from '../src/callbacks/outgoing-callback.ts'
import type { OutgoingCallback } from '../src/callbacks/outgoing-callback.ts'
import type { CallbackDeps } from '../src/callbacks/deps.ts'
import { fetchDue } from '../src/callbacks/fetch-store.ts'
import { toSendingEntry } from '../src/callbacks/flights.ts'
import { takeLanes } from '../src/callbacks/lane-store.ts'
import { recordHealth } from '../src/callbacks/health-store.ts'
import type { LaneHealth } from '../src/callbacks/health-store.ts'
import { recordAttempts } from '../src/callbacks/record-store.ts'
import type { AttemptRecord } from '../src/callbacks/record-store.ts'
import { interruptAttempts } from '../src/callbacks/recover-store.ts'
import { BREAKER_FAILURES } from '../src/callbacks/lanes.ts'
import { STORED_COLUMNS, STORED_VALUES } from '../src/callbacks/new-callbacks-store.ts'
import type { Queryable } from '../src/db/pool.ts'
import { rows } from './accounts.ts'
import { addPayProject } from './payer.ts'
import { until } from './until.ts'
import { changeCallbacks } from './stored-forms.ts'

export async function addCallbackProject(deps: CallbackDeps, apiUrl: string): Promise<string> {
  return (await addPayProject(deps, { apiUrl })).id
}

export interface QueueOptions {
  mode?: Mode
  result?: 'success' | 'fail'
  customId?: string | null
  data?: string | null
  trigger?: AttemptTrigger
  dueInSec?: number
}

/**
 * Queues `count` callbacks of payments that do not exist, and returns the ids of the callbacks, oldest first. With compact
 * storage, callbacks that are due now and have the trigger `auto` get a row in `new_callbacks`.
 */
export async function queueCallbacks(
  db: Queryable,
  projectId: string,
  count = 1,
  options: QueueOptions = {},
): Promise<string[]> {
  const {
    mode = 'live',
    result = 'success',
    customId = null,
    data = null,
    trigger = 'auto',
    dueInSec = 0,
  } = options
  const found = await rows<{ id: string }>(
    db,
    `with added as (
       insert into callbacks (project_id, id, mode, result, custom_id, trigger, payload, next_at, created_at, ${STORED_COLUMNS})
     select $1::text, 'msg_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
         || '7' || right(replace(gen_random_uuid()::text, '-', ''), 19), $2, $3, $4::text, $5,
       jsonb_strip_nulls(jsonb_build_object('status', $3::text, 'projectId', $1::text, 'transactionId', gen_random_uuid(),
         'amount', '1500', 'currency', 'EUR', 'customId', $4::text, 'data', $6::text, 'mode', $2::text,
         'createdAt', '2026-11-15T03:00:00.000Z')),
       now() + make_interval(secs => $7::float8) + n * interval '1 microsecond',
       now() + case when $7 = 0 then n else 0 end * interval '1 microsecond', ${STORED_VALUES}
     from generate_series(1, $8::integer) n
     left join installation s0 on true
     cross join lateral (select s0.compact_callbacks and $7 = 0 and $5 = 'auto' as is_compact) s returning *
     ), queued as (
       insert into new_callbacks (project_id, id, mode, created_at) select project_id, id, mode, created_at from added where attempts = 1
     ) select id from added order by next_at`,
    [projectId, mode, result, customId, trigger, data, dueInSec, count],
  )
  return found.map((row) => row.id)
}

export interface CallbackRow {
  id: string
  project_id: string
  mode: Mode
  status: string
  attempts: number
  trigger: AttemptTrigger
  next_at: Date
  delivered_at: Date | null
  claim: string | null
  last_outcome: string | null
  due_in_sec: number
}

export async function readCallbackRow(db: Queryable, id: string): Promise<CallbackRow> {
  const [row] = await rows<CallbackRow>(
    db,
    `select *, extract(epoch from next_at - now())::float8 as due_in_sec from callback_states where id = $1`,
    [id],
  )
  if (!row) throw new Error(`There is no callback ${id}.`)
  return row
}

export interface AttemptRow {
  attempt: number
  trigger: AttemptTrigger
  url: string
  outcome: string
  status_code: number | null
  error: string | null
  response_excerpt: string | null
  secret_version: number | null
  duration_ms: number | null
}

export async function listAttemptRows(db: Queryable, id: string): Promise<AttemptRow[]> {
  return rows<AttemptRow>(db, 'select * from callback_attempts where callback_id = $1 order by attempt', [id])
}

export async function untilStatus(db: Queryable, id: string, ...statuses: string[]): Promise<CallbackRow> {
  return until(
    async () => {
      const row = await readCallbackRow(db, id)
      return statuses.includes(row.status) && row
    },
    `${id} becomes ${statuses.join(' or ')}`,
  )
}

export async function untilAttempt(db: Queryable, id: string, nth: number): Promise<AttemptRow> {
  return until(
    async () => (await listAttemptRows(db, id)).find((row) => row.attempt === nth),
    `attempt ${nth} of ${id}`,
  )
}

export async function makeCallbackDue(db: Queryable, id: string): Promise<void> {
  await changeCallbacks(db, `update callbacks set next_at = now() where id = $1 and status = 'pending'`, [id])
}

/** By default the merchant responded with an error, and the next attempt is in five seconds. */
export function toAttemptRecord(
  claimed: OutgoingCallback,
  fields: Partial<AttemptRecord> = {},
): AttemptRecord {
  return {
    ...toAttemptIdentity(claimed),
    url: 'https://shop.example.com/callback',
    remoteIp: '203.0.113.1',
    startedMs: performance.now(),
    durationMs: 20,
    outcome: 'http_error',
    statusCode: 500,
    error: null,
    excerpt: 'oops',
    bodySha256: null,
    next: { status: 'pending', delaySec: 5, usesNoStep: false },
    counts: true,
    ...fields,
  }
}

export const isRecording = (name: string) => name === 'callbacks.record' || name === 'callbacks.record_new'

export async function recordWithHealth(db: Queryable, done: readonly AttemptRecord[]): Promise<LaneHealth[]> {
  const { tallies } = await recordAttempts(db, done)
  return recordHealth(db, tallies)
}

export const ACCEPTED = { outcome: 'delivered', statusCode: 200, next: { status: 'delivered' } } as const

/** A new process takes the lanes with due callbacks, and claims up to `slots` callbacks of each lane. */
export async function claimAll(db: Queryable, slots = 256): Promise<OutgoingCallback[]> {
  const processId = randomUUID()
  await rows(db, 'update callback_lanes set owner = null')
  const { lanes } = await takeLanes(db, processId, { after: null, dead: [], alive: [processId] })
  const common = { slots, unrecordedIds: [], entries: [], held: [] }
  return fetchDue(
    db,
    processId,
    lanes.map((lane) => ({ ...lane, ...common, isProbe: lane.failuresInRow >= BREAKER_FAILURES })),
  )
}

/** Queues `count` callbacks of one project, and records a failed attempt of each. The next attempt is in an hour. */
export async function recordFailures(db: Queryable, projectId: string, count: number): Promise<string[]> {
  await queueCallbacks(db, projectId, count)
  const claimed = await claimAll(db, count)
  const next = { status: 'pending', delaySec: 3600, usesNoStep: false } as const
  await recordWithHealth(
    db,
    claimed.map((one) => toAttemptRecord(one, { next })),
  )
  return claimed.map((one) => one.id)
}

/** Records the attempt as interrupted, as the next owner of a killed process's lane does. */
export async function recordInterruption(db: Queryable, lost: OutgoingCallback): Promise<void> {
  // The entry counts the attempts before this one.
  await interruptAttempts(db, lost, [toSendingEntry(lost.id, lost.attempt - 1, lost.trigger)])
}
