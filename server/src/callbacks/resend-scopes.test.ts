// Tests which callbacks count for resends, waiting payers and the backlog, and with which secret a callback is signed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { queueCallbacks } from '../../test/deliveries.ts'
import type { QueuedResult } from '../../test/queued-results.ts'
import { startTwoProjects } from '../../test/queued-results.ts'
import { newUuidV7 } from '../lib/id.ts'
import { readSecret } from '../secrets/secrets.ts'
import { findAccepted, findAwaitedResult, markPayerReturned } from './await-delivery-store.ts'
import { countDueCallbacks, countLaneOwners } from './backlog-store.ts'
import { allowProbe, isSuperseded, lockCallback, startNewRounds } from './resend-store.ts'
import { signRequest } from './sign-request.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { deps, db, projectId, otherId, newId, add, statusOf } = await startTwoProjects()

test('a result is superseded by a later result of its payment; a failure is also superseded if its order or checkout is paid in the same project and mode', async () => {
  const [customId, checkoutId] = ['order-1', randomUUID()]
  const fail = await add({ customId, checkoutId, status: 'exhausted' })
  const isFailSuperseded = () => isSuperseded(db, projectId, fail.id)
  await add({ customId, result: 'success', mode: 'test' })
  await add({ customId, result: 'success', of: otherId })
  await add({ checkoutId, result: 'success', mode: 'test' })
  await add({ customId: 'order-2', result: 'success' })
  await add({ customId, result: 'success', payment: null })
  await add({ customId, result: 'success', status: 'cancelled' })
  assert.equal(await isFailSuperseded(), false)
  const corrected = await add({ customId, result: 'success', status: 'delivered' })
  assert.equal(await isFailSuperseded(), true)
  await add({ payment: corrected.payment, revision: 2, customId })
  assert.equal(await isFailSuperseded(), false, 'the success was corrected to a failure')
  await add({ checkoutId, result: 'success', status: 'delivered' })
  assert.equal(await isFailSuperseded(), true)
  const replaced = await add({ result: 'success', status: 'delivered' })
  assert.equal(await isSuperseded(db, projectId, replaced.id), false)
  await add({ payment: replaced.payment, revision: 2 })
  assert.equal(await isSuperseded(db, projectId, replaced.id), true)
})

test('a bulk resend changes the failed callbacks of one lane that were created since a given time, but no erased callbacks and no callbacks of the exam', async () => {
  const since = new Date(deps.clock.nowMs() - 3_600_000)
  const resent = await add({ status: 'exhausted' })
  const others = [
    await add({ status: 'exhausted', mode: 'test' }),
    await add({ status: 'exhausted', of: otherId }),
    await add({ status: 'exhausted' }),
    await add({ status: 'exhausted' }),
    await add({ status: 'exhausted' }),
    await add({ status: 'delivered' }),
  ]
  const set = (n: number, columns: string) =>
    changeCallbacks(db, `update callbacks set ${columns} where id = $1`, [others[n]!.id])
  await set(2, `created_at = now() - interval '61 minutes'`)
  await set(3, `erased_at = now()`)
  await set(4, `trigger = 'exam'`)
  await changeCallbacks(db, 'update callbacks set attempts = 4 where id = $1', [resent.id])
  assert.deepEqual(await startNewRounds(db, projectId, 'live', since), { count: 1, isLast: true })
  const [row] = await rows(db, 'select status, trigger, round_from from callback_states where id = $1', [
    resent.id,
  ])
  assert.deepEqual(row, { status: 'pending', trigger: 'manual', round_from: 4 })
  for (const [n, one] of others.entries())
    assert.equal(await statusOf(one.id), n === 5 ? 'delivered' : 'exhausted')
  const locked = await db.transaction((tx) => lockCallback(tx, projectId, others[3]!.id))
  assert.deepEqual(locked, { status: 'exhausted', mode: 'live', isErased: true })
  assert.equal(await db.transaction((tx) => lockCallback(tx, otherId, resent.id)), null)
})

test('allowProbe makes only the probe of the given lane due', async () => {
  const lanes = [
    [projectId, 'live'],
    [projectId, 'test'],
    [otherId, 'live'],
  ]
  for (const [laneProjectId, mode] of lanes)
    await rows(
      db,
      `insert into callback_lanes (project_id, mode, probe_at) values ($1, $2, now() + interval '3 seconds')
       on conflict (project_id, mode) do update set probe_at = excluded.probe_at`,
      [laneProjectId, mode],
    )
  await allowProbe(db, projectId, 'live')
  const due = await rows<{ project_id: string; mode: string }>(
    db,
    'select project_id, mode from callback_lanes where probe_at <= now()',
  )
  assert.deepEqual(due, [{ project_id: projectId, mode: 'live' }])
})

test('the backlog has the number of due callbacks and the age of the oldest one', async () => {
  assert.deepEqual(await countDueCallbacks(db), { count: 0, oldestSec: 0 })
  await queueCallbacks(db, projectId, 1, { dueInSec: -30 })
  await queueCallbacks(db, otherId, 1, { dueInSec: -90 })
  await queueCallbacks(db, projectId, 1, { dueInSec: 30 })
  await add({ status: 'exhausted' })
  const { count, oldestSec } = await countDueCallbacks(db)
  assert.deepEqual([count, Math.round(oldestSec)], [2, 90])
})

test('delivery processes are counted if their lease is valid and they are not stopping', async () => {
  await rows(db, 'truncate delivery_processes')
  assert.equal(await countLaneOwners(db), 0)
  await rows(
    db,
    `insert into delivery_processes (id, lease_until, is_leaving, reads_compact)
     values (gen_random_uuid(), now() + interval '5 seconds', false, true), (gen_random_uuid(), now() - interval '1 second', false, true),
       (gen_random_uuid(), now() + interval '5 seconds', true, true)`,
  )
  assert.equal(await countLaneOwners(db), 1)
})

test('a payer waits for the callback only if the last five callbacks in the mode of the payment arrived quickly, and the lane is not failing', async () => {
  const addArrived = async (
    fields: QueuedResult & { of?: string } & { durationMs?: number; outcome?: string } = {},
  ) => {
    const { id } = await add({ status: 'delivered', ...fields })
    await changeCallbacks(db, 'update callbacks set attempts = 1 where id = $1', [id])
    await rows(
      db,
      `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
       values ($1, $2, 1, 'https://shop.example.com/', now(), $3, $4)`,
      [fields.of ?? projectId, id, fields.durationMs ?? 100, fields.outcome ?? 'delivered'],
    )
  }
  const { payment } = await add()
  const isPrompt = async () => (await findAwaitedResult(db, payment))?.isPrompt
  for (let n = 0; n < 4; n += 1) await addArrived()
  for (let n = 0; n < 5; n += 1) {
    await addArrived({ mode: 'test' })
    await addArrived({ of: otherId })
  }
  assert.equal(await isPrompt(), false, 'only four in this lane')
  await addArrived()
  assert.equal(await isPrompt(), true)
  await rows(
    db,
    `insert into callback_lanes (project_id, mode, failures_in_row, failing_since) values ($1, 'test', 1, now())`,
    [projectId],
  )
  assert.equal(await isPrompt(), true, 'the other mode fails')
  await rows(
    db,
    `insert into callback_lanes (project_id, mode, failures_in_row, failing_since) values ($1, 'live', 1, now())
     on conflict (project_id, mode) do update set failures_in_row = 1, failing_since = now()`,
    [projectId],
  )
  assert.equal(await isPrompt(), false)
  await rows(db, `update callback_lanes set failures_in_row = 0, failing_since = null`)
  await addArrived({ durationMs: 3_000 })
  assert.equal(await isPrompt(), false, 'the newest was slow')
})

test('the first return of a payer is stored, and only delivered callbacks count as accepted', async () => {
  const [one, two] = [await add({ status: 'delivered' }), await add()]
  assert.deepEqual(await findAccepted(db, [one.payment, two.payment]), [{ id: one.id, status: 'delivered' }])
  await markPayerReturned(db, one.payment)
  const read = () => rows(db, 'select payer_returned_at from callback_states where id = $1', [one.id])
  const first = await read()
  await markPayerReturned(db, one.payment)
  assert.deepEqual(await read(), first)
  assert.deepEqual(await rows(db, 'select payer_returned_at from callback_states where id = $1', [two.id]), [
    { payer_returned_at: null },
  ])
})

test('a callback is signed with the current time and the secret of its mode, and the request lists the texts that must not be stored', async () => {
  const secret = await readSecret(deps, db, projectId, 'test')
  const [sealed] = await rows<{ sealed: Buffer; version: number }>(
    db,
    `select sealed, version from project_secrets where project_id = $1 and mode = 'test'`,
    [projectId],
  )
  const facts = {
    status: 'fail' as const,
    projectId,
    transactionId: newUuidV7(deps.clock),
    amount: '1500',
    currency: 'EUR',
    customId: 'order-1',
    data: null,
    mode: 'test' as const,
    createdAt: '2026-11-16T03:00:00.000Z',
    failureCode: 'declined',
  }
  const nowMs = Date.UTC(2026, 10, 16, 3)
  const id = newId()
  const request = signRequest(
    { ...deps, clock: { nowMs: () => nowMs } },
    { projectId, mode: 'test', id, facts, sealed: sealed!.sealed, secretVersion: sealed!.version },
  )
  assert.equal(request.headers['webhook-id'], id)
  assert.equal(request.headers['webhook-timestamp'], String(nowMs / 1000))
  assert.equal(request.headers['content-type'], 'application/json')
  const { hash } = JSON.parse(request.body) as { hash: string }
  const mac = request.headers['webhook-signature']!.slice('v1,'.length)
  assert.deepEqual(request.signatures.toSorted(), [secret, hash, mac].toSorted())
})
