// Tests the delivery log with callbacks in both stored forms (callbacks/new-callbacks-store.ts). In the compact form, a
// callback whose first attempt has no result yet is stored as delivered, and the log shows it as pending.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { DeliveryFilters } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { ACCEPTED, claimAll, queueCallbacks, toAttemptRecord } from '../../test/deliveries.ts'
import { startTwoProjects } from '../../test/queued-results.ts'
import { findUnsound, setCompact } from '../../test/stored-forms.ts'
import { recordAttempts } from '../callbacks/record-store.ts'
import { findEntries } from './log.ts'
import type { LogCursor } from './log-store.ts'
import { walkDelivered, walkLog } from './log-walk-store.ts'

const { db, projectId, otherId } = await startTwoProjects()
beforeEach(() => setCompact(db, true))

/** Ids by state, newest first. */
interface Mixed {
  all: string[]
  pending: string[]
  delivered: string[]
  failed: string[]
}

const FAILED_FOR_AN_HOUR = { next: { status: 'pending', delaySec: 3_600, usesNoStep: false } } as const

/** Each callback is pending, delivered or failed, and has one of the two stored forms. */
async function addMixed(count: number): Promise<Mixed> {
  const mixed: Mixed = { all: [], pending: [], delivered: [], failed: [] }
  for (let n = 0; n < count; n += 1) {
    await setCompact(db, n % 2 === 0)
    const kind = (['pending', 'delivered', 'failed', 'delivered', 'pending', 'pending'] as const)[n % 6]!
    const [id = ''] = await queueCallbacks(db, projectId, 1, {
      mode: n % 3 === 0 ? 'test' : 'live',
      customId: `order-${n}`,
    })
    mixed[kind].unshift(id)
    mixed.all.unshift(id)
    if (kind === 'pending') continue
    const sent = (await claimAll(db)).find((one) => one.id === id)
    await recordAttempts(db, [toAttemptRecord(sent!, kind === 'delivered' ? ACCEPTED : FAILED_FOR_AN_HOUR)])
  }
  await queueCallbacks(db, otherId, 3, { customId: 'order-9' })
  assert.deepEqual(await findUnsound(db), [])
  return mixed
}

const DELIVERED = {
  projectId,
  modes: ['live', 'test'],
  statuses: ['delivered'],
  outcome: null,
  from: null,
  to: null,
} as const

async function readAll(filters: DeliveryFilters, limit: number): Promise<string[]> {
  const seen: string[] = []
  let after: LogCursor | null = null
  for (;;) {
    const { entries, walkedTo } = await findEntries(db, projectId, filters, { after, limit })
    seen.push(...entries.map(({ delivery }) => delivery.id))
    after = entries.length === limit ? entries.at(-1)!.cursor : walkedTo
    if (after === null) return seen
  }
}

test('filters by status, outcome and mode find their callbacks on all pages, and a filter by status works in both orders', async () => {
  const { all, delivered, failed } = await addMixed(36)
  const waiting = all.filter((id) => !delivered.includes(id))
  for (const limit of [1, 4, 100]) {
    assert.deepEqual(await readAll({}, limit), all)
    assert.deepEqual(await readAll({ status: 'pending' }, limit), waiting)
    assert.deepEqual(await readAll({ status: 'delivered' }, limit), delivered)
    assert.deepEqual(await readAll({ outcome: 'delivered' }, limit), delivered)
    assert.deepEqual(await readAll({ outcome: 'http_error' }, limit), failed)
    assert.deepEqual(await readAll({ status: 'pending', outcome: 'delivered' }, limit), [])
    assert.deepEqual(await readAll({ status: 'delivered', order: 'oldest' }, limit), delivered.toReversed())
    assert.deepEqual(await readAll({ status: 'pending', order: 'oldest' }, limit), waiting.toReversed())
    for (const mode of ['live', 'test'] as const) {
      const inMode = new Set(await readAll({ mode }, 100))
      const only = (ids: readonly string[]) => ids.filter((id) => inMode.has(id))
      assert.deepEqual(await readAll({ status: 'delivered', mode }, limit), only(delivered))
      assert.deepEqual(await readAll({ status: 'pending', mode }, limit), only(waiting))
    }
  }
})

test('a search by customId distinguishes pending from delivered callbacks', async () => {
  const { pending, delivered, failed } = await addMixed(24)
  const sorted = (ids: readonly string[]) => ids.toSorted()
  for (const limit of [1, 5, 100]) {
    const read = async (filters: DeliveryFilters) => sorted(await readAll({ q: 'order-', ...filters }, limit))
    assert.deepEqual(await read({}), sorted([...pending, ...delivered, ...failed]))
    assert.deepEqual(await read({ status: 'pending' }), sorted([...pending, ...failed]))
    assert.deepEqual(await read({ status: 'delivered' }), sorted(delivered))
    assert.deepEqual(await read({ outcome: 'delivered' }), sorted(delivered))
    assert.deepEqual(await read({ outcome: 'http_error' }), sorted(failed))
    assert.deepEqual(await read({ outcome: 'http_error', status: 'delivered' }), [])
    assert.deepEqual(
      await read({ from: '2020-01-01T00:00:00Z' }),
      sorted([...pending, ...delivered, ...failed]),
    )
  }
})

test('an entry shows the state of its callback', async () => {
  const { pending, delivered } = await addMixed(6)
  for (const [id, status, attempts] of [
    [pending[0]!, 'pending', 0],
    [delivered[0]!, 'delivered', 1],
  ] as const) {
    const [byId] = (await findEntries(db, projectId, { q: id }, { after: null, limit: 1 })).entries
    const [listed] = (await findEntries(db, projectId, {}, { after: null, limit: 100 })).entries.filter(
      ({ delivery }) => delivery.id === id,
    )
    for (const entry of [byId!, listed!]) {
      assert.deepEqual([entry.delivery.status, entry.delivery.attempts], [status, attempts])
      assert.equal(entry.delivery.deliveredAt === null, status === 'pending')
      assert.equal(entry.lastAttempt === null, status === 'pending')
    }
    assert.deepEqual(
      (await findEntries(db, projectId, { q: id, status: 'delivered' }, { after: null, limit: 1 })).entries
        .length,
      attempts,
    )
  }
})

test('if delivered callbacks come after many new ones, each page reads a limited number of callbacks and returns where to continue', async () => {
  const [first = ''] = await queueCallbacks(db, projectId)
  const [sent] = await claimAll(db)
  await recordAttempts(db, [toAttemptRecord(sent!, ACCEPTED)])
  await queueCallbacks(db, projectId, 50, { customId: 'order-1' })
  for (const isOldestFirst of [false, true]) {
    const seen: string[] = []
    let pages = 0
    let after: LogCursor | null = null
    do {
      const page = await walkDelivered(
        db,
        { ...DELIVERED, isOldestFirst },
        { after, limit: 5, walkedMax: 10 },
      )
      seen.push(...page.entries.map(({ delivery }) => delivery.id))
      after = page.walkedTo
      pages += 1
    } while (after !== null)
    assert.deepEqual([seen, pages], [[first], 6])
  }
  const { entries, walkedTo } = await walkLog(db, DELIVERED, 'order-', {
    after: null,
    limit: 5,
    walkedMax: 10,
  })
  assert.deepEqual(entries, [])
  assert.notEqual(walkedTo, null)
  await rows(db, 'truncate callbacks cascade')
})

test('a list of delivered callbacks of both modes misses none, even if the callbacks of one mode fill a page', async () => {
  const inTest = await queueCallbacks(db, projectId, 6, { mode: 'test' })
  const inLive = await queueCallbacks(db, projectId, 41)
  inTest.push(...(await queueCallbacks(db, projectId, 6, { mode: 'test' })))
  const middle = inLive[20]!
  const sent = (await claimAll(db)).filter(({ id, mode }) => mode === 'test' || id === middle)
  await recordAttempts(
    db,
    sent.map((one) => toAttemptRecord(one, ACCEPTED)),
  )
  const all = [...inTest.slice(0, 6), middle, ...inTest.slice(6)]
  for (const isOldestFirst of [false, true]) {
    const seen: string[] = []
    for (let after: LogCursor | null = null; ;) {
      const place = { after, limit: 5, walkedMax: 10 }
      const { entries, walkedTo } = await walkDelivered(db, { ...DELIVERED, isOldestFirst }, place)
      seen.push(...entries.map(({ delivery }) => delivery.id))
      after = entries.length === 5 ? entries.at(-1)!.cursor : walkedTo
      if (after === null) break
    }
    assert.deepEqual(seen, isOldestFirst ? all : all.toReversed())
  }
})
