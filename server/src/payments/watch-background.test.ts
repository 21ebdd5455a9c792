import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks } from '../../test/deliveries.ts'
import { addPayProject } from '../../test/payer.ts'
import { startPayments } from '../../test/payments.ts'
import { insertPayments } from '../../test/transactions.ts'
import { saveHeartbeats } from '../db/heartbeats-store.ts'
import { createBackgroundWatch, readGauges } from './watch-background.ts'

const { deps } = await startPayments()
const { db } = deps
const projectId = await addCallbackProject(deps, 'https://shop.example.com/callback')

beforeEach(async () => {
  await rows(db, 'truncate callbacks, incidents, loop_heartbeats cascade')
})

function createWatch() {
  const warnings: string[] = []
  let nowMs = Date.UTC(2026, 10, 16, 12)
  const log = {
    ...deps.log,
    warn: (_facts: unknown, text: string) => warnings.push(text),
    error: () => undefined,
  }
  const watched = Object.assign(Object.create(deps), { log, clock: { nowMs: () => nowMs } })
  return {
    check: createBackgroundWatch(watched),
    warnings,
    advance: (ms: number) => {
      nowMs += ms
    },
  }
}

const listIncidents = async () =>
  (await rows<{ kind: string; subject: string }>(db, 'select kind, subject from incidents order by id')).map(
    ({ kind, subject }) => `${kind} ${subject}`,
  )

test('if callbacks are due and no process delivers, there is a warning every 5 minutes and one incident a day', async () => {
  // These callbacks have been due for longer than two minutes.
  await queueCallbacks(db, projectId, 2, { dueInSec: -121 })
  const watch = createWatch()
  for (let minute = 0; minute < 10; minute += 1) {
    await watch.check()
    watch.advance(60_000)
  }
  assert.equal(watch.warnings.length, 2)
  assert.deepEqual(await listIncidents(), ['delivery_stopped 2026-11-16'])
  watch.advance(24 * 60 * 60_000)
  await watch.check()
  assert.deepEqual(await listIncidents(), ['delivery_stopped 2026-11-16', 'delivery_stopped 2026-11-17'])
})

test('a closed incident reopens ten minutes later if delivery is still stopped', async () => {
  await queueCallbacks(db, projectId, 1, { dueInSec: -121 })
  const watch = createWatch()
  await watch.check()
  await rows(db, 'update incidents set closed_at = now()')
  watch.advance(60_000)
  await watch.check()
  const countOpen = async () => (await rows(db, 'select from incidents where closed_at is null')).length
  assert.equal(await countOpen(), 0)
  watch.advance(10 * 60_000)
  await watch.check()
  assert.equal(await countOpen(), 1)
})

test('callbacks that are due while a process delivers, or that have just become due, raise no incident', async () => {
  const watch = createWatch()
  await queueCallbacks(db, projectId, 1, { dueInSec: -30 })
  await watch.check()
  await queueCallbacks(db, projectId, 1, { dueInSec: -3_600 })
  await saveHeartbeats(db, ['delivery'])
  await watch.check()
  assert.deepEqual([watch.warnings, await listIncidents()], [[], []])
})

test('a heartbeat of more than two minutes ago, or of another loop, does not prevent the incident', async () => {
  await queueCallbacks(db, projectId, 1, { dueInSec: -3_600 })
  await saveHeartbeats(db, ['delivery', 'reconcile'])
  await rows(
    db,
    `update loop_heartbeats set beat_at = now() - interval '121 seconds' where loop = 'delivery'`,
  )
  await createWatch().check()
  assert.deepEqual(await listIncidents(), ['delivery_stopped 2026-11-16'])
})

test('if lookups are due and no process reconciles, an incident is raised; the gauges show each backlog', async () => {
  const watch = createWatch()
  const { id: payProjectId } = await addPayProject(deps)
  await insertPayments(deps, payProjectId, [{ state: 'processing' }])
  const setDueSince = (sec: number) =>
    rows(db, 'update transactions set next_check_at = now() - make_interval(secs => $1::float8)', [sec])
  await rows(db, `update transactions set created_at = now() - interval '500 seconds'`)
  await saveHeartbeats(db, ['delivery'])
  await setDueSince(110)
  await watch.check()
  assert.deepEqual(await listIncidents(), [])
  await setDueSince(130)
  await watch.check()
  assert.deepEqual(await listIncidents(), ['delivery_stopped 2026-11-16'])
  await queueCallbacks(db, projectId, 2, { dueInSec: -60 })
  await rows(
    db,
    `insert into mails (id, kind, to_address, locale, facts) values (gen_random_uuid(), 'x', 'ana@example.com', 'en', '{}')`,
  )
  const withSlowClock = { db, clock: { nowMs: () => Date.now() - 5_000 } }
  assert.equal(Math.round((await readGauges(withSlowClock)).clockOffsetSec), 5)
  await rows(
    db,
    `insert into delivery_processes (id, lease_until, is_leaving, reads_compact) values
       (gen_random_uuid(), now() + interval '10 seconds', false, true),
       (gen_random_uuid(), now() + interval '10 seconds', true, true),
       (gen_random_uuid(), now() - interval '1 second', false, true)`,
  )
  const gauges = await readGauges(deps)
  assert.equal(gauges.laneOwners, 1, 'processes that are leaving, or whose lease has ended, are not counted')
  assert.equal(gauges.mailsWaiting, 1)
  assert.deepEqual([gauges.callbacksDue, gauges.paymentsOpen, gauges.incidentsOpen], [2, 1, 1])
  // These times are compared in tens of seconds, because the test itself takes some seconds.
  assert.equal(Math.round(gauges.callbacksOldestDueSec / 10), 6)
  assert.equal(Math.round(gauges.paymentsOldestOpenSec / 10), 50)
  await rows(db, 'truncate incidents, loop_heartbeats cascade')
  await saveHeartbeats(db, ['reconcile http', 'reconcile stripe', 'delivery'])
  await watch.check()
  assert.deepEqual(
    await listIncidents(),
    ['delivery_stopped 2026-11-16'],
    'only loops of other upstreams are running',
  )
  for (const loop of ['reconcile sandbox', 'reconcile']) {
    await rows(db, 'truncate incidents, loop_heartbeats cascade')
    await saveHeartbeats(db, [loop, 'delivery'])
    await watch.check()
    assert.deepEqual(await listIncidents(), [], loop)
  }
})
