import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { fetchDue } from './fetch-store.ts'
import { toHeldSinceMs } from './flights.ts'
import { findPreferred } from './lane-owner.ts'
import type { StoredLane, TakeOptions } from './lane-store.ts'
import {
  findOwnedLanes,
  giveBackLanes,
  LANES_MAX,
  removeProcess,
  renewProcess,
  takeLanes,
} from './lane-store.ts'
import type { Lane } from './lanes.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { deps } = await startPayments()
const { db } = deps
const merchants: string[] = []
/** The merchants are added one after the other, because hundreds of concurrent requests would time out. */
while (merchants.length < LANES_MAX + 20)
  merchants.push(await addCallbackProject(deps, `https://shop-${merchants.length}.example.com/callback`))

const A = randomUUID()
const B = randomUUID()

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes, delivery_processes cascade')
  for (const id of [A, B]) await renewProcess(db, id, 'no such session')
})

const take = async (id: string, fields: Partial<TakeOptions> = {}) =>
  takeLanes(db, id, { after: null, dead: [], alive: [id], ...fields })
const fetch = (id: string, lane: StoredLane, slots = 10) =>
  fetchDue(db, id, [{ ...lane, slots, unrecordedIds: [], entries: [], held: [], isProbe: false }])
function toAge({ held, readAtMs }: StoredLane, entry: string): number {
  assert.deepEqual(
    held.map((one) => one.slice(0, one.lastIndexOf(':'))),
    [entry],
  )
  return readAtMs - toHeldSinceMs(held[0]!)
}
const namesOf = (lanes: readonly Lane[]) => lanes.map(({ projectId }) => projectId).toSorted()

test('a lane with something due is taken once, even if two processes take lanes at the same time', async () => {
  for (const id of merchants.slice(0, 20)) await queueCallbacks(db, id)
  const results = await Promise.all([take(A), take(B)])
  assert.equal(results.flatMap(({ lanes }) => lanes).length, 20)
  assert.deepEqual(namesOf([...(await findOwnedLanes(db, A)), ...(await findOwnedLanes(db, B))]), [
    ...merchants.slice(0, 20).toSorted(),
  ])
})

test('a lane with nothing due is not taken', async () => {
  await queueCallbacks(db, merchants[0]!, 1, { dueInSec: 60 })
  assert.deepEqual((await take(A)).lanes, [])
})

test('a lane is left to its preferred process until its callbacks are overdue', async () => {
  const firstForty = merchants.slice(0, 40)
  for (const id of firstForty) await queueCallbacks(db, id)
  const { lanes } = await take(A, { alive: [A, B] })
  const preferred = firstForty.filter((projectId) => findPreferred([A, B], { projectId, mode: 'live' }) === A)
  assert.deepEqual(namesOf(lanes), preferred.toSorted())
  await changeCallbacks(db, `update callbacks set next_at = now() - interval '4 seconds'`)
  assert.equal((await take(A, { alive: [A, B] })).lanes.length, firstForty.length - preferred.length)
})

test('a lane that a wake-up names is taken, even if one call of takeLanes cannot visit all waiting lanes', async () => {
  for (const id of merchants) await queueCallbacks(db, id)
  const [last] = merchants.toSorted().toReversed()
  const named = [{ projectId: last!, mode: 'live' } as const]
  const { lanes, endedAt } = await take(A, { named: [...named, { projectId: 'none', mode: 'test' }] })
  assert.equal(lanes.length, LANES_MAX + 1)
  assert.ok(lanes.some(({ projectId }) => projectId === last))
  assert.ok(endedAt!.projectId < last!, 'the next call of takeLanes begins before the named lane')
  assert.deepEqual((await take(B, { named })).lanes, [])
})

test('a lane with an owner is taken only if the owner is dead or unknown; the new owner holds back the callbacks that were in flight', async () => {
  const [id] = await queueCallbacks(db, merchants[0]!)
  const [lane] = (await take(A)).lanes
  await fetch(A, lane!)
  await queueCallbacks(db, merchants[0]!)
  assert.deepEqual((await take(B)).lanes, [])
  const [taken] = (await take(B, { dead: [A] })).lanes
  assert.equal(Number(taken?.fence), Number(lane!.fence) + 1)
  const heldMs = toAge(taken!, `${id}:0:auto`)
  assert.ok(Math.abs(heldMs) < 1_000, String(heldMs))
  await removeProcess(db, B)
  const [takenAgain] = (await take(A)).lanes
  assert.deepEqual(
    takenAgain?.held,
    taken?.held,
    'the next owner knows since when the callback has been held back',
  )
})

test('a process that lost its lane fetches nothing from it and cannot give it back', async () => {
  await queueCallbacks(db, merchants[0]!, 3)
  const [lane] = (await take(A)).lanes
  await take(B, { dead: [A] })
  assert.deepEqual(await fetch(A, lane!), [])
  await giveBackLanes(db, A, [{ ...lane!, sending: [] }])
  assert.equal((await findOwnedLanes(db, B)).length, 1)
})

test('a lane that was given back can be taken, and callbacks that are still being sent are held back', async () => {
  await queueCallbacks(db, merchants[0]!, 3)
  const [lane] = (await take(A)).lanes
  const [first] = await fetch(A, lane!, 1)
  await giveBackLanes(db, A, [{ ...lane!, sending: [`${first!.id}:0:auto`] }])
  const [taken] = (await take(B)).lanes
  assert.ok(toAge(taken!, `${first!.id}:0:auto`) < 1_000)
})

test('a lane that was given back is left to the preferred process for a while, even if its callbacks are overdue', async () => {
  await queueCallbacks(db, merchants[0]!, 1, { dueInSec: -60 })
  const lane = { projectId: merchants[0]!, mode: 'live' as const }
  const [preferred, other] = findPreferred([A, B], lane) === A ? [A, B] : [B, A]
  const alive = [A, B]
  const [taken] = (await take(other, { alive })).lanes
  await giveBackLanes(db, other, [{ ...taken!, sending: [] }])
  assert.deepEqual((await take(other, { alive })).lanes, [])
  assert.equal((await take(preferred, { alive })).lanes.length, 1)
  await removeProcess(db, preferred)
  await rows(db, `update callback_lanes set freed_at = now() - interval '4 seconds'`)
  assert.equal((await take(other, { alive })).lanes.length, 1, 'the preferred process is gone')
})

test('callbacks that are in flight or held back are not fetched', async () => {
  const [first, second, third] = await queueCallbacks(db, merchants[0]!, 3)
  const [lane] = (await take(A)).lanes
  const request = { ...lane!, slots: 10, isProbe: false, entries: [] }
  const fetched = await fetchDue(db, A, [{ ...request, unrecordedIds: [first!], held: [`${second}:0`] }])
  assert.deepEqual(
    fetched.map(({ id }) => id),
    [third],
  )
})

test('if one call of takeLanes cannot visit all lanes, the next call continues after the last visited lane', async () => {
  for (const id of merchants) await queueCallbacks(db, id, 1, { dueInSec: 86_400 })
  const last = merchants.toSorted().at(-1)!
  await queueCallbacks(db, last)
  const first = await take(A)
  assert.deepEqual(first.lanes, [])
  const second = await take(A, { after: first.endedAt })
  assert.deepEqual([namesOf(second.lanes), second.endedAt], [[last], null])
})

test('a renewal returns whether other processes have a session, have an expired lease or are stopping', async () => {
  const { isSeen, others } = await renewProcess(db, A, 'no such session')
  const [seen] = others
  assert.equal(isSeen, false)
  // B is stored without a session, because the database has no session with the name that B gave. A process that is stored
  // without a session counts as having one.
  assert.deepEqual([seen?.id, seen?.isExpired, seen?.hasSession], [B, false, true])
  await rows(db, `update delivery_processes set session = 'gone' where id = $1`, [B])
  assert.equal((await renewProcess(db, A, 'none')).others[0]?.hasSession, false)
  // No process writes a lease that lasts an hour. Such a lease was written before the clock was turned back, so it counts as
  // expired.
  await rows(db, `update delivery_processes set lease_until = now() + interval '1 hour' where id = $1`, [B])
  assert.equal((await renewProcess(db, A, 'none')).others[0]?.isExpired, true)
  await rows(db, `update delivery_processes set lease_until = now() - interval '1 second' where id = $1`, [B])
  assert.equal((await renewProcess(db, A, 'none')).others[0]?.isExpired, true)
  await renewProcess(db, B, 'none', true)
  const [leaving] = (await renewProcess(db, A, 'none')).others
  assert.deepEqual([leaving?.isExpired, leaving?.takesNoLanes], [false, true])
  await removeProcess(db, B)
  assert.deepEqual((await renewProcess(db, A, 'none')).others, [])
})

test('a process is forgotten an hour after the end of its lease, and not sooner', async () => {
  for (const [age, remaining] of [
    ['59 minutes', 1],
    ['61 minutes', 0],
  ] as const) {
    const expireLease = `update delivery_processes set lease_until = now() - $2::interval where id = $1`
    await rows(db, expireLease, [B, age])
    // The first call still sees the process that it removes.
    await renewProcess(db, A, 'none')
    assert.equal((await renewProcess(db, A, 'none')).others.length, remaining, age)
  }
})

const claimAsEarlierRelease = (id: string) =>
  changeCallbacks(
    db,
    `update callbacks set status = 'sending', attempts = 1, claim = gen_random_uuid(), lease_until = now() + interval '45 s'
     where id = $1 and status = 'pending' returning id`,
    [id],
  )

test('an earlier release claims only callbacks of lanes that no living process serves', async () => {
  const [first, second, third] = await queueCallbacks(db, merchants[0]!, 3)
  assert.equal((await claimAsEarlierRelease(first!)).length, 1)
  const [lane] = (await take(A)).lanes
  assert.deepEqual(await claimAsEarlierRelease(second!), [])
  assert.deepEqual(
    (await fetch(A, lane!)).map(({ id }) => id),
    [second, third],
  )
  // The owner's lease ended a minute ago. No request takes a minute, so none of the owner's requests is still running.
  await rows(db, `update delivery_processes set lease_until = now() - interval '1 minute'`)
  assert.equal((await claimAsEarlierRelease(second!)).length, 1)
  await renewProcess(db, A, 'none')
  await giveBackLanes(db, A, [{ ...lane!, sending: [] }])
  assert.equal((await claimAsEarlierRelease(third!)).length, 1)
})

test('a lane is not taken while an earlier release is claiming a callback in it', async () => {
  const [id] = await queueCallbacks(db, merchants[0]!)
  let taking: Promise<unknown> = Promise.resolve()
  let isTaken = false
  await db.transaction(async (tx) => {
    await changeCallbacks(tx, CLAIM, [id])
    taking = take(A).then(() => (isTaken = true))
    // Gives take() enough time to reach the lock.
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal(isTaken, false)
  })
  await taking
  assert.deepEqual(
    (await rows<{ status: string }>(db, 'select status from callback_states')).map(({ status }) => status),
    ['sending'],
  )
})

const CLAIM = `update callbacks set status = 'sending', attempts = 1, claim = gen_random_uuid(),
  lease_until = now() + interval '45 s' where id = $1 and status = 'pending'`
