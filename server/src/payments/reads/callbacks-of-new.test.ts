// With compact storage, a new callback is stored as delivered although it still waits (callbacks/new-callbacks-store.ts).
// Everything that reads callbacks must show it as waiting.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import {
  ACCEPTED,
  addCallbackProject,
  claimAll,
  queueCallbacks,
  toAttemptRecord,
} from '../../../test/deliveries.ts'
import { listCallbacks, newOrder, startPayments } from '../../../test/payments.ts'
import { findUnsound, listNewIds, setCompact } from '../../../test/stored-forms.ts'
import { findAccepted, findAwaitedResult } from '../../callbacks/await-delivery-store.ts'
import { countDueCallbacks } from '../../callbacks/backlog-store.ts'
import { recordAttempts } from '../../callbacks/record-store.ts'
import { findDeliveriesOfTransaction } from '../../deliveries/log-store.ts'
import { countWaiting, findLaneToNotify } from '../../deliveries/outage-mails-store.ts'
import { findEvents } from '../../streams/events-store.ts'
import { toDate } from '../../lib/clock.ts'
import { confirmPayment } from '../confirm.ts'
import { readFirstSteps } from './first-steps-store.ts'
import { readProjectDays } from './today-store.ts'

const { deps } = await startPayments()
const { db } = deps
let projectId: string

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  await setCompact(db, true)
  projectId = await addCallbackProject(deps, 'https://shop.example.com/callback')
})
test.afterEach(async () => assert.deepEqual(await findUnsound(db), []))

async function pay(): Promise<string> {
  const confirmed = await confirmPayment(deps, newOrder(projectId))
  return confirmed.kind === 'payment' ? confirmed.payment.id : assert.fail()
}

async function deliverAll(durationMs = 20): Promise<void> {
  await rows(db, `update callback_lanes set sending = '{}', held = '{}'`)
  const sent = await claimAll(db)
  await recordAttempts(
    db,
    sent.map((one) => toAttemptRecord(one, { ...ACCEPTED, durationMs })),
  )
}

async function readLast(): Promise<unknown[]> {
  const [owner] = await rows<{ id: string }>(db, 'select owner_id as id from projects where id = $1', [
    projectId,
  ])
  const [day] = await readProjectDays(db, owner!.id, toDate(0), null)
  return [day?.lastCallback?.status, day?.lastCallback?.attempts]
}

test('for both stored forms of a callback, readers see whether the callback waits or was delivered', async () => {
  for (const isCompact of [true, false]) {
    await setCompact(db, isCompact)
    const payment = await pay()
    const [callback] = await listCallbacks(db, payment)
    assert.deepEqual(await listNewIds(db), isCompact ? [callback!.id] : [])
    for (const [status, attempts] of [
      ['pending', 0],
      ['delivered', 1],
    ] as const) {
      if (status === 'delivered') await deliverAll()
      assert.deepEqual(await readLast(), [status, attempts])
      const [delivery] = await findDeliveriesOfTransaction(db, payment)
      assert.deepEqual([delivery?.status, delivery?.attempts], [status, attempts])
      assert.equal((await findAwaitedResult(db, payment))?.status, status)
      assert.equal((await findAccepted(db, [payment])).length, attempts)
      const [event] = await findEvents(db, [{ projectId, id: callback!.id }])
      assert.deepEqual([event?.status, event?.attempts], [status, attempts])
      assert.equal(await countWaiting(db, projectId), 1 - attempts)
      assert.equal((await countDueCallbacks(db)).count, 1 - attempts)
    }
  }
})

test('in the first steps of a project, "callback" is done once a callback was delivered, however many new callbacks wait', async () => {
  const isDone = async () => (await readFirstSteps(db, projectId)).callback
  assert.equal(await isDone(), false)
  await queueCallbacks(db, projectId, 250)
  assert.equal(await isDone(), false)
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  await queueCallbacks(db, projectId)
  await deliverAll()
  assert.equal(await isDone(), true)
  await queueCallbacks(db, projectId, 250)
  assert.equal(await isDone(), true)
})

test('a payer waits for the delivery of a callback only if the merchant’s last five deliveries were quick; newer callbacks that still wait do not count', async () => {
  await queueCallbacks(db, projectId, 5)
  await deliverAll()
  await queueCallbacks(db, projectId, 20)
  const payment = await pay()
  assert.equal((await findAwaitedResult(db, payment))?.isPrompt, true)
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  await queueCallbacks(db, projectId, 4)
  await deliverAll()
  await queueCallbacks(db, projectId, 20)
  assert.equal((await findAwaitedResult(db, await pay()))?.isPrompt, false)
})

test('no mail reports the recovery of a merchant’s server while a callback from before the recovery still waits', async () => {
  await queueCallbacks(db, projectId)
  await rows(
    db,
    `insert into callback_lanes (project_id, mode, healed_at, down_since)
     values ($1, 'live', now() + interval '1 second', now() - interval '1 hour')`,
    [projectId],
  )
  const recover = `update callback_lanes set healed_at = $1 where project_id = $2`
  // The callback is three minutes old, and the recovery is two minutes old.
  await db.query({
    name: 'test.age_callback',
    text: `update callbacks set created_at = now() - interval '3 minutes'`,
  })
  await db.query({
    name: 'test.age_new',
    text: `update new_callbacks set created_at = now() - interval '3 minutes'`,
  })
  await rows(db, recover.replace('$1', `now() - interval '2 minutes'`).replace('$2', '$1'), [projectId])
  assert.equal(await db.transaction(findLaneToNotify), null)
  await deliverAll()
  assert.equal((await db.transaction(findLaneToNotify))?.projectId, projectId)
})
