// Resends of all failed callbacks. A merchant that failed too often gets only probes: single requests that show whether
// its server is back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { readCallbackRow, queueCallbacks } from '../../test/deliveries.ts'
import { deliverAll, startDeliveryOwner } from '../../test/delivery-owner.ts'
import { respondWith } from '../../test/merchant.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { merchant, service, owner, projectId, base } = await startDeliveryOwner()
const { deps } = service
const { db } = deps

test('resending all failed callbacks leaves out callbacks of the test button and the exam', async () => {
  const since = new Date(0).toISOString()
  for (const trigger of ['test', 'exam', 'manual'] as const) {
    const [id] = await queueCallbacks(db, projectId, 1, { trigger })
    await changeCallbacks(db, `update callbacks set status = 'exhausted' where id = $1`, [id])
  }
  const response = await owner.post(`${base}/deliveries/resend-failed`, { since })
  assert.deepEqual(response.json(), { count: 1 })
})

for (const caseName of ['one callback', 'all failed callbacks'] as const) {
  test(`resending ${caseName} makes a probe due, unless a probe is in flight`, async () => {
    const insertLane = `insert into callback_lanes (project_id, mode, failures_in_row, failing_since, probe_at)
      values ($1, $2, 20, now(), now() + $3::interval)`
    // A `probe_at` further away than the pause between two probes means that a probe is in flight.
    await rows(db, insertLane, [projectId, 'live', '3 seconds'])
    await rows(db, insertLane, [projectId, 'test', '10 minutes'])
    const ids = [
      ...(await queueCallbacks(db, projectId, 1)),
      ...(await queueCallbacks(db, projectId, 1, { mode: 'test' })),
    ]
    await changeCallbacks(db, `update callbacks set status = 'exhausted' where id = any ($1)`, [ids])
    const paths = caseName === 'one callback' ? ids.map((id) => `${id}/resend`) : ['resend-failed']
    const body = caseName === 'one callback' ? {} : { since: new Date(0).toISOString() }
    for (const path of paths) assert.equal((await owner.post(`${base}/deliveries/${path}`, body)).status, 202)
    const found = await rows<{ mode: string }>(db, 'select mode from callback_lanes where probe_at <= now()')
    assert.deepEqual(found, [{ mode: 'live' }])
  })
}

test('all failed callbacks that were created since a given time are resent, and no others', async () => {
  merchant.reply = respondWith(410)
  await queueCallbacks(db, projectId, 1)
  await deliverAll(deps)
  await changeCallbacks(db, `update callbacks set created_at = now() - interval '2 days'`)
  await queueCallbacks(db, projectId, 2)
  const [testId] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await deliverAll(deps)
  merchant.reply = respondWith(500)
  const [waitingId] = await queueCallbacks(db, projectId, 1)
  await deliverAll(deps)
  const [notAttemptedId] = await queueCallbacks(db, projectId, 1, { dueInSec: 60 })
  // This callback was given up while it waited in the queue, without an attempt.
  const [givenUpId] = await queueCallbacks(db, projectId, 1, { dueInSec: 60 })
  await changeCallbacks(db, `update callbacks set status = 'exhausted' where id = $1`, [givenUpId])
  const [yesterday] = await rows<{ at: Date }>(db, `select now() - interval '1 day' as at`)
  const response = await owner.post(`${base}/deliveries/resend-failed`, {
    since: yesterday!.at.toISOString(),
    mode: 'live',
  })
  assert.equal(response.status, 202, response.text)
  assert.deepEqual(response.json(), { count: 4 })
  assert.deepEqual(
    (
      await rows<{ status: string; n: bigint }>(
        db,
        'select status, count(*) as n from callback_states group by 1 order by 1',
      )
    ).map((row) => [row.status, Number(row.n)]),
    [
      ['exhausted', 2],
      ['pending', 5],
    ],
  )
  assert.equal((await readCallbackRow(db, waitingId!)).trigger, 'manual')
  assert.equal((await readCallbackRow(db, givenUpId!)).trigger, 'manual')
  assert.equal((await readCallbackRow(db, testId!)).status, 'exhausted')
  assert.equal((await readCallbackRow(db, notAttemptedId!)).trigger, 'auto')
  const inBothModes = await owner.post(`${base}/deliveries/resend-failed`, {
    since: yesterday!.at.toISOString(),
  })
  assert.deepEqual(inBothModes.json(), { count: 1 })
})

for (const body of [{}, { since: 'monday' }, { since: '2026-01-01T00:00:00Z', mode: 'all' }, { since: 1 }]) {
  test(`resending all failed callbacks refuses ${JSON.stringify(body)}`, async () => {
    assert.equal((await owner.post(`${base}/deliveries/resend-failed`, body)).code, 'invalid_request')
  })
}
