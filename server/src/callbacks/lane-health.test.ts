// Checks what a batch of attempts changes in the row of its lane (one project in one mode). A tally has the counts of one
// batch.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  listAttemptRows,
  claimAll,
  queueCallbacks,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startTwoProjects } from '../../test/queued-results.ts'
import type { LaneHealth, Tally } from './health-store.ts'
import { recordHealth } from './health-store.ts'
import { BREAKER_FAILURES, UNRESERVED_SLOTS, PROBE_GAP_SEC, RAMP_FROM } from './lanes.ts'
import { recordAttempts } from './record-store.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { db, projectId, otherId } = await startTwoProjects()
const LANE = { projectId, mode: 'live' } as const

beforeEach(() => rows(db, 'truncate callbacks, callback_lanes cascade'))

const EMPTY_TALLY: Tally = { ...LANE, good: 0, bad: 0, failures: 0, hasProbe: false, late: 0, exhausted: 0 }
const GOOD = { good: 1 }
const BAD = { bad: 1, failures: 1 }

// States of a lane before a batch, as SQL.
const FAILING = `failures_in_row = 3, failing_since = now() - interval '10 minutes', last_failure_at = now() - interval '5 minutes'`
const REPORTED = `${FAILING}, down_since = now() - interval '10 minutes', caught_up = 4, given_up = 4`
const RECOVERED = `down_since = now() - interval '10 minutes', healed_at = now() - interval '3 minutes', caught_up = 4, given_up = 4`
const TRIPPED = `${FAILING}, ramp = 7, probe_at = now() + interval '1 hour'`.replace(
  'failures_in_row = 3',
  `failures_in_row = ${BREAKER_FAILURES}`,
)

/** Each time is returned as minutes before now. */
async function readLane() {
  const [lane] = await rows<Record<string, number | null>>(
    db,
    `select failures_in_row as failures, round(extract(epoch from now() - failing_since) / 60)::int as failing,
       round(extract(epoch from now() - last_failure_at) / 60)::int as "lastFailure",
       round(extract(epoch from now() - down_since) / 60)::int as down,
       round(extract(epoch from now() - healed_at) / 60)::int as recovered, caught_up as "caughtUp", given_up as "givenUp",
       exhausted_untold as unreported, ramp
     from callback_lanes where project_id = $1 and mode = 'live'`,
    [projectId],
  )
  return lane!
}

async function recordOn(columns: string | null, tally: Partial<Tally>): Promise<LaneHealth> {
  await rows(db, 'delete from callback_lanes where project_id = $1 and mode = $2', [projectId, 'live'])
  if (columns !== null) {
    await rows(db, `insert into callback_lanes (project_id, mode) values ($1, 'live')`, [projectId])
    await rows(db, `update callback_lanes set ${columns} where project_id = $1 and mode = 'live'`, [
      projectId,
    ])
  }
  const [health, ...others] = await recordHealth(db, [{ ...EMPTY_TALLY, ...tally }])
  assert.deepEqual([health?.projectId, health?.mode, others], [projectId, 'live', []])
  return health!
}

type Case = [
  what: string,
  columns: string | null,
  tally: Partial<Tally>,
  expected: Record<string, number | null>,
]

const CASES: Case[] = [
  ['a first failure', null, BAD, { failures: 1, failing: 0, lastFailure: 0, recovered: null, ramp: null }],
  ['two callbacks that were given up', null, { exhausted: 2 }, { failing: null, unreported: 2, givenUp: 2 }],
  ['two more failures', FAILING, { bad: 2, failures: 2 }, { failures: 5, failing: 10, lastFailure: 0 }],
  [
    'a success in a failing lane',
    FAILING,
    GOOD,
    { failures: 0, failing: null, lastFailure: 5, recovered: null },
  ],
  [
    'failures after a success in the same batch',
    FAILING,
    { good: 1, bad: 2, failures: 2 },
    { failures: 2, failing: 0 },
  ],
  [
    'a success after a reported outage',
    REPORTED,
    { good: 2, late: 2 },
    { failures: 0, down: 10, recovered: 0, caughtUp: 6, givenUp: 4 },
  ],
  [
    'more successes after the recovery',
    RECOVERED,
    { good: 2, late: 1 },
    { down: 10, recovered: 3, caughtUp: 5 },
  ],
  [
    'a failure before the mail about the recovery',
    RECOVERED,
    BAD,
    { failures: 1, failing: 0, recovered: null },
  ],
  [
    'a callback that was given up because of our own fault',
    `${RECOVERED}, exhausted_untold = 2`,
    { exhausted: 1 },
    { recovered: 3, unreported: 3, givenUp: 5 },
  ],
  [
    'a callback that was given up during an outage',
    REPORTED,
    { ...BAD, exhausted: 1 },
    { givenUp: 5, unreported: 1, failing: 10 },
  ],
  [
    'a callback that was given up long after an outage',
    'given_up = 4',
    { ...BAD, exhausted: 1 },
    { givenUp: 1, unreported: 1 },
  ],
]

for (const [caseName, columns, tally, expected] of CASES)
  test(`after ${caseName}, the row of the lane has ${JSON.stringify(expected)}`, async () => {
    const health = await recordOn(columns, tally)
    const lane = await readLane()
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, lane[name]]))
    assert.deepEqual(found, expected)
    assert.deepEqual([health.failuresInRow, health.ramp], [lane['failures'], lane['ramp']])
  })

test('a failed probe, or the failure that trips a lane, delays the next probe', async () => {
  const probeAfterSec = async (columns: string, tally: Partial<Tally>) =>
    (await recordOn(columns, tally)).probeInMs / 1_000
  assert.ok((await probeAfterSec(TRIPPED, BAD)) > 60, 'an attempt from before the trip delays no probe')
  assert.equal(await probeAfterSec(TRIPPED, { ...BAD, hasProbe: true }), PROBE_GAP_SEC)
  const oneBeforeTrip = TRIPPED.replace(String(BREAKER_FAILURES), String(BREAKER_FAILURES - 1))
  assert.equal(await probeAfterSec(oneBeforeTrip, BAD), PROBE_GAP_SEC)
})

test('the concurrency of a lane starts low after a trip, grows with successes and is halved by many failures', async () => {
  const rampAfter = async (columns: string, tally: Partial<Tally>) => (await recordOn(columns, tally)).ramp
  assert.equal(await rampAfter(TRIPPED, { ...GOOD, hasProbe: true }), RAMP_FROM)
  assert.equal(await rampAfter(TRIPPED, BAD), 7)
  assert.equal(await rampAfter(FAILING, GOOD), null)
  assert.equal(await rampAfter('ramp = 8', { good: 4 }), 12)
  assert.equal(await rampAfter('ramp = 8', { good: 8, bad: 2 }), 16)
  assert.equal(await rampAfter('ramp = 8', { good: 8, bad: 3 }), 4)
  assert.equal(await rampAfter('ramp = 1', BAD), 1)
  assert.equal(await rampAfter(`ramp = ${UNRESERVED_SLOTS - 2}`, { good: 1 }), UNRESERVED_SLOTS - 1)
  assert.equal(await rampAfter(`ramp = ${UNRESERVED_SLOTS - 2}`, { good: 2 }), null)
})

test('a recovery is a success after a trip, or after a reported outage of more than two minutes', async () => {
  const isRecovered = async (columns: string | null, tally: Partial<Tally>) =>
    (await recordOn(columns, tally)).recoveredAt !== null
  assert.equal(await isRecovered(TRIPPED, GOOD), true)
  assert.equal(await isRecovered(TRIPPED, BAD), false)
  assert.equal(await isRecovered(REPORTED, GOOD), true)
  assert.equal(await isRecovered(REPORTED, BAD), false)
  const shortOutage = REPORTED.replace(`interval '10 minutes'`, `interval '110 seconds'`)
  assert.equal(await isRecovered(shortOutage, GOOD), false)
  assert.equal(await isRecovered(FAILING, GOOD), false)
  assert.equal(await isRecovered(null, GOOD), false)
})

test('each lane of a batch gets its own outcomes, and no other lane changes', async () => {
  const others = [
    { projectId, mode: 'test' },
    { projectId: otherId, mode: 'live' },
    { projectId: otherId, mode: 'test' },
  ] as const
  for (const { projectId: laneProjectId, mode } of [LANE, ...others])
    await rows(db, `insert into callback_lanes (project_id, mode) values ($1, $2)`, [laneProjectId, mode])
  await rows(db, `update callback_lanes set ${FAILING}`)
  const selectOther = `select * from callback_lanes where project_id = $1 and mode = 'test'`
  const rowBefore = await rows(db, selectOther, [otherId])
  await recordHealth(db, [
    { ...EMPTY_TALLY, ...GOOD },
    { ...EMPTY_TALLY, ...others[0], ...BAD },
    { ...EMPTY_TALLY, ...others[1], bad: 2, failures: 2 },
  ])
  const found = await rows<{ key: string; n: number }>(
    db,
    `select project_id || ' ' || mode as key, failures_in_row as n from callback_lanes`,
  )
  assert.deepEqual(
    new Map(found.map(({ key, n }) => [key, n])),
    new Map([
      [`${projectId} live`, 0],
      [`${projectId} test`, 4],
      [`${otherId} live`, 5],
      [`${otherId} test`, 3],
    ]),
  )
  assert.deepEqual(await rows(db, selectOther, [otherId]), rowBefore)
})

const talliesAfter = async (change: string) => {
  await queueCallbacks(db, projectId)
  const [sent] = await claimAll(db)
  await rows(db, `update callback_lanes set ${change}`)
  return (await recordAttempts(db, [toAttemptRecord(sent!, ACCEPTED)])).tallies
}

test('a success gives a tally only if its lane failed, has reduced concurrency or was reported as down', async () => {
  assert.deepEqual(await talliesAfter('failures_in_row = 0'), [])
  for (const change of [FAILING, 'ramp = 5', `down_since = now()`]) {
    await rows(db, 'truncate callbacks, callback_lanes cascade')
    assert.deepEqual(await talliesAfter(change), [{ ...EMPTY_TALLY, good: 1 }], change)
  }
})

test('a callback counts as late after a failed attempt or after a minute, and only live callbacks count as given up', async () => {
  const record = async (columns: string, mode: 'live' | 'test' = 'live', isAccepted = true) => {
    await rows(db, 'truncate callbacks, callback_lanes cascade')
    await queueCallbacks(db, projectId, 1, { mode })
    await changeCallbacks(db, `update callbacks set ${columns}`)
    const [sent] = await claimAll(db)
    await rows(db, 'update callback_lanes set ramp = 5')
    const next = isAccepted ? ACCEPTED : ({ next: { status: 'exhausted' } } as const)
    const [tally] = (await recordAttempts(db, [toAttemptRecord(sent!, next)])).tallies
    return tally!
  }
  assert.equal((await record('attempts = 0')).late, 0)
  assert.equal((await record('attempts = 1')).late, 1)
  assert.equal((await record(`created_at = now() - interval '61 seconds'`)).late, 1)
  const resent = `attempts = 1, delivered_at = now() - interval '1 hour', trigger = 'manual', round_from = 1`
  assert.equal((await record(resent)).late, 0, 'a resent callback is not late if it had already arrived')
  const kept = `select delivered_at < now() - interval '59 minutes' as kept from callback_states`
  assert.deepEqual(await rows(db, kept), [{ kept: true }])
  assert.equal((await record('attempts = 10', 'live', false)).exhausted, 1)
  assert.deepEqual((await record('attempts = 3', 'test', false)).exhausted, 0)
})

test('recording an attempt a second time does not change its entry in the log', async () => {
  const [id = ''] = await queueCallbacks(db, projectId)
  const [sent] = await claimAll(db)
  await recordAttempts(db, [toAttemptRecord(sent!)])
  await recordAttempts(db, [toAttemptRecord(sent!, ACCEPTED)])
  assert.deepEqual(
    (await listAttemptRows(db, id)).map((row) => [row.attempt, row.outcome, row.status_code]),
    [[1, 'http_error', 500]],
  )
})
