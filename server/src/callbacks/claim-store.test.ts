import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackShop, attemptRows, callbackRow, queueCallbacks } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { claimProbes } from './breaker-store.ts'
import type { Claimed } from './claim-store.ts'
import { claimCallbacks, releaseClaims, toFence } from './claim-store.ts'
import type { AttemptRecord } from './flush-store.ts'
import { recordAttempts } from './flush-store.ts'
import { LANE_SLOTS, SLOTS, SLOTS_KEPT_FREE } from './lanes.ts'

const { deps } = await startPayments()
const { db } = deps
const addShop = () => addCallbackShop(deps, 'https://shop.example.com/callback')

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
})

const claim = (
  free = SLOTS,
  after: Claimed | null = null,
  inFlight: Parameters<typeof claimCallbacks>[3] = [],
) => claimCallbacks(db, free, after, inFlight)

function countByProject(claimed: readonly Claimed[]): Record<string, number> {
  const groups = Map.groupBy(claimed, (one) => one.projectId)
  return Object.fromEntries([...groups].map(([id, list]) => [id, list.length]))
}

function toRecord(claimed: Claimed, fields: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    ...toFence(claimed),
    url: 'https://shop.example.com/callback',
    remoteIp: '203.0.113.1',
    startedMs: performance.now() - 20,
    durationMs: 20,
    outcome: 'http_error',
    statusCode: 500,
    error: null,
    excerpt: 'oops',
    bodySha256: null,
    next: { status: 'pending', delaySec: 5, isNotReady: false },
    counts: true,
    ...fields,
  }
}

const delivered = { outcome: 'delivered', statusCode: 200, next: { status: 'delivered' } } as const

test('what is due is claimed, what is not yet due is left', async () => {
  const shop = await addShop()
  const [due] = await queueCallbacks(db, shop)
  await queueCallbacks(db, shop, 1, { dueInSec: 60 })
  const { claimed, hasMore } = await claim()
  assert.deepEqual(
    claimed.map((one) => one.id),
    [due],
  )
  assert.equal(hasMore, false)
  const row = await callbackRow(db, due!)
  assert.deepEqual([row.status, row.attempts], ['sending', 1])
})

test('nothing is claimed twice while its lease lasts, not even by two processes at once', async () => {
  const shop = await addShop()
  await queueCallbacks(db, shop, 300)
  const batches = await Promise.all(Array.from({ length: 8 }, () => claim(64)))
  const ids = batches.flatMap((batch) => batch.claimed.map((one) => one.id))
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.length > 0)
})

test('a lone shop gets every hand but those kept free', async () => {
  const shop = await addShop()
  await queueCallbacks(db, shop, 600)
  const { claimed, hasMore } = await claim()
  assert.equal(claimed.length, SLOTS - SLOTS_KEPT_FREE)
  assert.equal(hasMore, true)
})

test('a shop with a long queue leaves the others their share', async () => {
  const big = await addShop()
  await queueCallbacks(db, big, 2_000, { dueInSec: -3600 })
  const small = await Promise.all(Array.from({ length: 5 }, addShop))
  for (const shop of small) await queueCallbacks(db, shop, 20)
  const counts = countByProject((await claim()).claimed)
  for (const shop of small) assert.equal(counts[shop], LANE_SLOTS.live, `shop ${shop}`)
  // It has its own share, and what nobody else wants by age.
  assert.ok(counts[big]! >= LANE_SLOTS.live)
  assert.ok(counts[big]! <= SLOTS - SLOTS_KEPT_FREE - 5 * LANE_SLOTS.live)
})

test('what a shop holds already counts against its share', async () => {
  const [busy, idle] = [await addShop(), await addShop()]
  await queueCallbacks(db, busy, 50, { dueInSec: -60 })
  await queueCallbacks(db, idle, 50)
  const held = [{ projectId: busy, mode: 'live' as const, held: SLOTS - SLOTS_KEPT_FREE }]
  const counts = countByProject((await claim(SLOTS_KEPT_FREE, null, held)).claimed)
  assert.deepEqual(counts, { [idle]: LANE_SLOTS.live })
})

test('test traffic takes nothing from live traffic of the same shop', async () => {
  const shop = await addShop()
  const other = await addShop()
  await queueCallbacks(db, shop, 100, { mode: 'test', dueInSec: -60 })
  await queueCallbacks(db, shop, 100)
  await queueCallbacks(db, other, 100)
  const { claimed } = await claim(2 * LANE_SLOTS.live + LANE_SLOTS.test)
  const lanes = Map.groupBy(claimed, (one) => `${one.projectId} ${one.mode}`)
  assert.equal(lanes.get(`${shop} live`)?.length, LANE_SLOTS.live)
  assert.equal(lanes.get(`${shop} test`)?.length, LANE_SLOTS.test)
})

test('with few hands free, the lanes are served in turn, starting after the last one', async () => {
  const shops = (await Promise.all(Array.from({ length: 10 }, addShop))).toSorted()
  for (const shop of shops) await queueCallbacks(db, shop, 30)
  const served: string[] = []
  let after: Claimed | null = null
  for (let round = 0; round < 5; round += 1) {
    const batch = await claim(4, after)
    after = batch.claimed.at(-1) ?? null
    served.push(...batch.claimed.map((one) => one.projectId))
  }
  assert.deepEqual(served, [...shops, ...shops])
})

test('with more lanes than one look can see, every lane is served within a few looks', async () => {
  const shops = await Promise.all(Array.from({ length: 160 }, addShop))
  for (const shop of shops) await queueCallbacks(db, shop, 4)
  const seen = new Set<string>()
  let after: Claimed | null = null
  for (let round = 0; round < 4; round += 1) {
    const batch = await claim(SLOTS, after)
    after = batch.claimed.at(-1) ?? null
    for (const one of batch.claimed) seen.add(one.projectId)
  }
  assert.equal(seen.size, shops.length)
})

test('a claim whose lease ran out is on record as interrupted and can be taken again under the same id', async () => {
  const shop = await addShop()
  const [id] = await queueCallbacks(db, shop)
  const [lost] = (await claim()).claimed
  await rows(db, `update callbacks set lease_until = now() - interval '1 second'`)
  const recovered = await claim()
  assert.deepEqual([recovered.claimed.length, recovered.isContended], [0, true])
  const [again] = (await claim()).claimed
  assert.deepEqual([again?.id, again?.attempt], [id, 2])
  assert.deepEqual(
    (await attemptRows(db, id!)).map((row) => [row.attempt, row.outcome]),
    [[1, 'interrupted']],
  )
  // The one who lost it comes back late: nothing of his is written.
  assert.deepEqual((await recordAttempts(db, [toRecord(lost!, delivered)])).recorded, [])
  assert.equal((await callbackRow(db, id!)).status, 'sending')
  assert.equal((await recordAttempts(db, [toRecord(again!, delivered)])).recorded.length, 1)
  assert.equal((await callbackRow(db, id!)).status, 'delivered')
})

test('tries that end by our own fault count too: a callback that ends every process is given up at last', async () => {
  const shop = await addShop()
  const [id] = await queueCallbacks(db, shop, 1, { mode: 'test' })
  for (let round = 0; round < 10 && (await callbackRow(db, id!)).status !== 'exhausted'; round += 1) {
    await claim()
    await rows(db, `update callbacks set lease_until = now() - interval '1 second' where status = 'sending'`)
    await claim()
    await rows(db, `update callbacks set lease_until = now() - interval '1 second' where status = 'sending'`)
  }
  const row = await callbackRow(db, id!)
  assert.deepEqual([row.status, row.attempts], ['exhausted', 4])
  assert.equal((await attemptRows(db, id!)).length, 4)
})

test('a claim given back is as if it had never been taken', async () => {
  const shop = await addShop()
  const [id] = await queueCallbacks(db, shop)
  await releaseClaims(db, (await claim()).claimed, 0)
  const row = await callbackRow(db, id!)
  assert.deepEqual([row.status, row.attempts, row.claim], ['pending', 0, null])
  assert.deepEqual(await attemptRows(db, id!), [])
})

test('a whole batch is written in one statement, and claimed in one', async () => {
  const shops = await Promise.all(Array.from({ length: 4 }, addShop))
  for (const shop of shops) await queueCallbacks(db, shop, 10)
  const before = db.statementCount()
  const { claimed } = await claim()
  const { recorded } = await recordAttempts(
    db,
    claimed.map((one) => toRecord(one, delivered)),
  )
  assert.equal(db.statementCount() - before, 2)
  assert.equal(recorded.length, 40)
})

test('a batch puts each row in its own state, and its try in the log', async () => {
  const shop = await addShop()
  await queueCallbacks(db, shop, 3)
  const [good, bad, last] = (await claim()).claimed
  await recordAttempts(db, [
    toRecord(good!, delivered),
    toRecord(bad!, { next: { status: 'pending', delaySec: 300, isNotReady: true } }),
    toRecord(last!, { next: { status: 'exhausted' }, outcome: 'timeout', statusCode: null }),
  ])
  const [one, two, three] = await Promise.all([good!, bad!, last!].map((row) => callbackRow(db, row.id)))
  assert.deepEqual([one!.status, two!.status, three!.status], ['delivered', 'pending', 'exhausted'])
  assert.ok(one!.delivered_at)
  assert.ok(two!.due_in_sec > 290 && two!.due_in_sec <= 300)
  assert.equal(three!.last_outcome, 'timeout')
  const [attempt] = await attemptRows(db, last!.id)
  assert.deepEqual(
    [attempt!.outcome, attempt!.status_code, attempt!.response_excerpt],
    ['timeout', null, 'oops'],
  )
})

/** One more failed try than the lane can bear. */
async function trip(shop: string): Promise<void> {
  const ids = await queueCallbacks(db, shop, 20)
  const { claimed } = await claim()
  await recordAttempts(
    db,
    claimed.map((one) => toRecord(one, { next: { status: 'pending', delaySec: 3600, isNotReady: false } })),
  )
  assert.equal(claimed.length, ids.length)
}

const makeProbeDue = () => rows(db, 'update callback_lanes set probe_at = now()')

test('after twenty failures in a row a lane is only probed, and what is never sent loses no try', async () => {
  const [shop, other] = [await addShop(), await addShop()]
  await trip(shop)
  await queueCallbacks(db, shop, 30)
  await queueCallbacks(db, other, 1)
  await makeProbeDue()
  const { claimed, tripped } = await claim()
  assert.deepEqual(countByProject(claimed), { [other]: 1 })
  assert.deepEqual(tripped, [{ projectId: shop, mode: 'live' }])
  const [first, second] = await Promise.all([claimProbes(db, tripped), claimProbes(db, tripped)])
  assert.equal(first.length + second.length, 1, 'one probe, whoever asks')
  assert.deepEqual((await claim()).tripped, [], 'the others stand in line')
  const waiting = await rows<{ attempts: number }>(
    db,
    `select attempts from callbacks where project_id = $1 and status = 'pending' and attempts = 0`,
    [shop],
  )
  assert.equal(waiting.length, 29)
})

test('the first 2xx of a probe opens the lane, and says so', async () => {
  const shop = await addShop()
  await trip(shop)
  await queueCallbacks(db, shop, 30)
  await makeProbeDue()
  const [probe] = await claimProbes(db, (await claim()).tripped)
  const { healed } = await recordAttempts(db, [toRecord(probe!, delivered)])
  assert.deepEqual(healed, [{ projectId: shop, mode: 'live' }])
  await rows(db, `update callbacks set next_at = now() where status = 'pending'`)
  const { claimed, tripped } = await claim()
  assert.deepEqual(tripped, [])
  assert.ok(claimed.length > LANE_SLOTS.live)
})

test('a failed probe is followed by a pause, and stragglers of before do not shorten it', async () => {
  const shop = await addShop()
  await queueCallbacks(db, shop, 40)
  const { claimed } = await claim()
  await recordAttempts(
    db,
    claimed.slice(0, 39).map((one) => toRecord(one)),
  )
  await queueCallbacks(db, shop, 5)
  await makeProbeDue()
  const [probe] = await claimProbes(db, (await claim()).tripped)
  assert.ok(probe)
  // The last of the burst comes back while the probe is out.
  await recordAttempts(db, [toRecord(claimed[39]!)])
  const waits = async () =>
    (
      await rows<{ sec: number }>(
        db,
        `select extract(epoch from probe_at - now())::float8 as sec from callback_lanes`,
      )
    )[0]!.sec
  assert.ok((await waits()) > 10, 'still as long as the lease')
  await recordAttempts(db, [toRecord(probe)])
  assert.ok((await waits()) <= 5, 'the pause between two probes')
  await queueCallbacks(db, shop, 1)
  assert.deepEqual(await claimProbes(db, (await claim()).tripped), [])
})

test('one success among the failures keeps the lane open', async () => {
  const shop = await addShop()
  await queueCallbacks(db, shop, 30)
  const { claimed } = await claim()
  await recordAttempts(
    db,
    claimed.map((one, n) => toRecord(one, n === 15 ? delivered : {})),
  )
  await queueCallbacks(db, shop, 5)
  const next = await claim()
  assert.deepEqual([next.tripped, next.claimed.length], [[], 5])
})
