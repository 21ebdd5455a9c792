// Which callbacks are sent first when there are more than slots.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Mode } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { ACCEPTED, addCallbackProject, queueCallbacks, toAttemptRecord } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import type { Claimed } from './claimed.ts'
import { claimCallbacks } from './claim-store.ts'
import { recordAttempts } from './record-store.ts'
import type { Held, Lane } from './lanes.ts'
import { FETCH_LIMITS } from '../egress/public-fetch.ts'
import { HOST_SLOTS, LANE_SLOTS, LONE_SLOTS, POOL_SLOTS, SLOTS, SLOTS_RESERVED } from './lanes.ts'

const { deps } = await startPayments()
const { db } = deps

let merchants = 0
/** Each on its own host. */
const addProject = () => addCallbackProject(deps, `https://shop-${(merchants += 1)}.example.com/callback`)
const addProjectAt = (host: string) => addCallbackProject(deps, `https://${host}/callback`)
/** One after the other: hundreds at once would wait for connections until they time out. */
async function addProjects(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await addProject())
  return ids
}

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
})

const claim = (
  free = SLOTS,
  after: Lane | null = null,
  inFlight: readonly Held[] = [],
  slowHosts: readonly string[] = [],
) => claimCallbacks(db, free, after, inFlight, slowHosts)

const hold = (projectId: string, host: string, held: number, mode: Mode = 'live'): Held => ({
  projectId,
  mode,
  host,
  held,
})

function countByProject(claimed: readonly Claimed[]): Record<string, number> {
  const groups = Map.groupBy(claimed, (one) => one.projectId)
  return Object.fromEntries([...groups].map(([id, list]) => [id, list.length]))
}

test('as many connections to one origin are reused as a single merchant has slots', () => {
  assert.equal(FETCH_LIMITS.idlePerOriginMax, LONE_SLOTS)
})

test('a lone merchant gets every slot but the reserved ones', async () => {
  const merchant = await addProject()
  await queueCallbacks(db, merchant, 600)
  const { claimed, hasMore } = await claim()
  assert.equal(claimed.length, LONE_SLOTS)
  assert.equal(hasMore, true)
})

test('a claim reports that more is due, also when every row it considered was claimed', async () => {
  const merchants = await Promise.all(Array.from({ length: 3 }, addProject))
  for (const merchant of merchants) await queueCallbacks(db, merchant, 200)
  const { claimed, hasMore } = await claim(merchants.length * LANE_SLOTS.live)
  assert.equal(claimed.length, merchants.length * LANE_SLOTS.live)
  assert.equal(hasMore, true)
})

test('a merchant with a long queue does not use the share of the others', async () => {
  const big = await addProject()
  await queueCallbacks(db, big, 2_000, { dueInSec: -3600 })
  const small = await Promise.all(Array.from({ length: 5 }, addProject))
  for (const merchant of small) await queueCallbacks(db, merchant, 20)
  const counts = countByProject((await claim()).claimed)
  for (const merchant of small) assert.equal(counts[merchant], LANE_SLOTS.live, `shop ${merchant}`)
  // It gets its own share and, by age, the slots that nobody else uses.
  assert.ok(counts[big]! >= LANE_SLOTS.live)
  assert.ok(counts[big]! <= LONE_SLOTS - 5 * LANE_SLOTS.live)
})

test('requests in flight count against a merchant’s share', async () => {
  const [busy, idle] = [await addProject(), await addProject()]
  await queueCallbacks(db, busy, 50, { dueInSec: -60 })
  await queueCallbacks(db, idle, 50)
  const held = [hold(busy, 'busy.example.com', LONE_SLOTS)]
  const counts = countByProject((await claim(SLOTS_RESERVED, null, held)).claimed)
  assert.deepEqual(counts, { [idle]: LANE_SLOTS.live })
})

test('test traffic uses no slots of the live traffic of the same merchant', async () => {
  const merchant = await addProject()
  const other = await addProject()
  await queueCallbacks(db, merchant, 100, { mode: 'test', dueInSec: -60 })
  await queueCallbacks(db, merchant, 100)
  await queueCallbacks(db, other, 100)
  const { claimed } = await claim(2 * LANE_SLOTS.live + LANE_SLOTS.test)
  const lanes = Map.groupBy(claimed, (one) => `${one.projectId} ${one.mode}`)
  assert.equal(lanes.get(`${merchant} live`)?.length, LANE_SLOTS.live)
  assert.equal(lanes.get(`${merchant} test`)?.length, LANE_SLOTS.test)
})

test('with few slots free, the lanes are served in turn, starting after the last one', async () => {
  const merchants = (await Promise.all(Array.from({ length: 10 }, addProject))).toSorted()
  for (const merchant of merchants) await queueCallbacks(db, merchant, 30)
  const served: string[] = []
  let after: Lane | null = null
  for (let round = 0; round < 5; round += 1) {
    const batch = await claim(4, after)
    after = batch.endedAt
    served.push(...batch.claimed.map((one) => one.projectId))
  }
  assert.deepEqual(served, [...merchants, ...merchants])
})

test('with more lanes than one poll visits, every lane is served within a few polls', async () => {
  const merchants = await addProjects(160)
  for (const merchant of merchants) await queueCallbacks(db, merchant, 4)
  const seen = new Set<string>()
  let after: Lane | null = null
  for (let round = 0; round < 4; round += 1) {
    const batch = await claim(SLOTS, after)
    after = batch.endedAt
    for (const one of batch.claimed) seen.add(one.projectId)
  }
  assert.equal(seen.size, merchants.length)
})

test('lanes with nothing due do not hide a small merchant behind a big one', async () => {
  const ids = (await addProjects(302)).toSorted()
  const [big, small] = [ids[0]!, ids.at(-1)!]
  for (const id of ids.slice(1, -1)) await queueCallbacks(db, id, 1, { dueInSec: 86_400 })
  await queueCallbacks(db, big, 2_000, { dueInSec: -3600 })
  const [wanted] = await queueCallbacks(db, small)
  let after: Lane | null = null
  for (let poll = 1; poll <= 4; poll += 1) {
    const { claimed, endedAt } = await claim(SLOTS, after)
    if (claimed.some((one) => one.id === wanted)) return
    assert.ok(claimed.length > 0, 'the big one is served meanwhile')
    await recordAttempts(
      db,
      claimed.map((one) => toAttemptRecord(one, ACCEPTED)),
    )
    after = endedAt
  }
  assert.fail('not found in four polls')
})

test('many merchants on one host share the limit of a host and leave slots for the others', async () => {
  const crowd = await Promise.all(Array.from({ length: 16 }, () => addProjectAt('crowd.example.com')))
  for (const merchant of crowd) await queueCallbacks(db, merchant, 20, { dueInSec: -60 })
  const { claimed } = await claim()
  assert.equal(claimed.length, LONE_SLOTS)
  const counts = Object.values(countByProject(claimed))
  assert.equal(counts.length, crowd.length, 'each merchant is served')
  const other = await addProject()
  await queueCallbacks(db, other, 20)
  const held = crowd.map((merchant) => hold(merchant, 'crowd.example.com', 6))
  const later = await claim(SLOTS - 16 * 6, null, held)
  assert.deepEqual(countByProject(later.claimed), { [other]: LANE_SLOTS.live })
  // Where slots are scarce, the merchants on this host together get the share of a host, not sixteen shares.
  for (let n = 0; n < 8; n += 1) await queueCallbacks(db, await addProject(), 20)
  const scarce = await claim(SLOTS, null, [])
  assert.ok(scarce.claimed.filter((one) => one.host === 'crowd.example.com').length <= HOST_SLOTS)
})

test('all test traffic together leaves slots for live traffic', async () => {
  const testers = await Promise.all(Array.from({ length: 32 }, addProject))
  for (const merchant of testers) await queueCallbacks(db, merchant, 10, { mode: 'test', dueInSec: -60 })
  const { claimed } = await claim()
  assert.equal(claimed.length, POOL_SLOTS.test)
  const held = claimed.map((one) => hold(one.projectId, one.host, 1, 'test'))
  assert.deepEqual((await claim(SLOTS - held.length, null, held)).claimed, [])
})

test('slow merchants share a part of the slots, however many hosts they have', async () => {
  const slow = Array.from({ length: 20 }, (_shop, n) => `slow-${n}.example.com`)
  for (const host of slow) await queueCallbacks(db, await addProjectAt(host), 20, { dueInSec: -60 })
  const quick = await addProject()
  await queueCallbacks(db, quick, 5)
  const { claimed } = await claim(SLOTS, null, [], slow)
  assert.equal(countByProject(claimed)[quick], 5)
  assert.equal(claimed.length, POOL_SLOTS.slow + 5)
  const held = claimed.map((one) => hold(one.projectId, one.host, 1))
  assert.deepEqual((await claim(SLOTS - held.length, null, held, slow)).claimed, [])
})
