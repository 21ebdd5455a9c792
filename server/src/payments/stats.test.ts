import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Mode, StatsView } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import type { Answer, Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder, resolveAll } from '../../test/payments.ts'
import { insertPayments } from '../../test/transactions.ts'
import type { PaymentOnRecord } from '../../test/transactions.ts'
import { addResponses } from '../callbacks/response-times-store.ts'
import { countSteps } from '../callbacks/response-times.ts'
import { newUuidV7 } from '../lib/id.ts'
import { sendToBank } from './bank-step-store.ts'
import { confirmPayment } from './confirm.ts'
import { openPayment } from './payments-store.ts'
import { settle } from './settle.ts'
import { foldAllStats } from './stats.ts'

const service = await startTestService()
const { app, deps } = service
let owner: Client
let stranger: Client

before(async () => {
  owner = await signUp(app)
  stranger = await signUp(app)
})

async function newProject(): Promise<string> {
  const projects = await rows<{ id: string }>(
    deps.db,
    'select id from projects where archived_at is null and owner_id in (select id from accounts where email = $1)',
    [owner.email],
  )
  // Archived, because an owner can have at most five projects.
  for (const { id } of projects)
    await rows(deps.db, 'update projects set archived_at = now() where id = $1', [id])
  return (await owner.addProject()).id
}

function getStats(projectId: string, query: Record<string, string> = {}, as = owner): Promise<Answer> {
  return as.get(`/portal/api/projects/${projectId}/stats?${new URLSearchParams(query)}`)
}

async function stats(projectId: string, query: Record<string, string> = {}): Promise<StatsView> {
  const response = await getStats(projectId, query)
  assert.equal(response.status, 200, response.text)
  return response.json<StatsView>()
}

async function setZone(timeZone: string): Promise<void> {
  assert.equal((await owner.post('/portal/api/account', { timeZone })).status, 200)
}

const NOTHING_TAKEN_BACK = { refunds: 0, refunded: '0', disputes: 0, disputed: '0', net: '0' }

test('a project without payments has zeros, an unknown rate, and a bar for each of seven days', async () => {
  const shop = await newProject()
  const { series, ...whole } = await stats(shop)
  assert.deepEqual(whole, {
    bucket: 'day',
    volume: '0',
    ...NOTHING_TAKEN_BACK,
    count: 0,
    succeeded: 0,
    failed: 0,
    successRate: null,
    callbackMs: { p50: null, p95: null },
  })
  assert.equal(series.length, 7)
  for (const { at, ...bar } of series) {
    assert.match(at, /^\d{4}-\d\d-\d\dT2[23]:00:00\.000Z$/) // Midnight in Podgorica.
    assert.deepEqual(bar, {
      volume: '0',
      ...NOTHING_TAKEN_BACK,
      count: 0,
      succeeded: 0,
      failed: 0,
      callbackP50Ms: null,
    })
  }
})

test('payments are counted by mode; open ones are in the count only, not in volume, succeeded or failed', async () => {
  const shop = await newProject()
  const pay = (amount: bigint, mode: Mode = 'live') => confirmPayment(deps, newOrder(shop, { amount, mode }))
  await pay(1500n)
  await pay(2500n)
  await pay(4000n) // Declined.
  await pay(4004n) // At the bank.
  await pay(700n, 'test')
  const live = await stats(shop)
  assert.deepEqual(
    [live.volume, live.count, live.succeeded, live.failed, live.successRate],
    ['4000', 4, 2, 1, 2 / 3],
  )
  const last = live.series.at(-1)!
  assert.deepEqual([last.volume, last.count, last.succeeded, last.failed], ['4000', 4, 2, 1])
  const testing = await stats(shop, { mode: 'test' })
  assert.deepEqual([testing.volume, testing.count, testing.successRate], ['700', 1, 1])
})

const ZONES = ['Europe/Podgorica', 'Asia/Kathmandu', 'America/Havana', 'UTC']
const STATES = ['succeeded', 'succeeded', 'failed', 'expired', 'processing', 'requires_action'] as const

/** Counts the rows in the range by the days of their owner's time zone. */
function countRows(payments: Required<PaymentOnRecord>[], from: string, to: string, zone: string) {
  const show = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  const inRange = payments.filter(
    ({ createdAt, mode }) =>
      mode === 'live' && Date.parse(createdAt) >= Date.parse(from) && Date.parse(createdAt) < Date.parse(to),
  )
  const sum = (list: typeof inRange) => ({
    volume: list
      .reduce((all, { state, amount }) => all + (state === 'succeeded' ? BigInt(amount) : 0n), 0n)
      .toString(),
    count: list.length,
    succeeded: list.filter(({ state }) => state === 'succeeded').length,
    failed: list.filter(({ state }) => state === 'failed' || state === 'expired').length,
  })
  const days = Map.groupBy(inRange, ({ createdAt }) => show.format(new Date(createdAt)))
  return { whole: sum(inRange), days: new Map([...days].map(([day, list]) => [day, sum(list)])) }
}

for (const zone of ZONES) {
  test(`in ${zone} every range matches a count of the rows, over both changes of the clocks`, async () => {
    await setZone(zone)
    const shop = await newProject()
    const show = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
    for (const middle of ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z']) {
      const around = (hours: number) =>
        new Date(Date.parse(middle) + (Math.random() - 0.5) * hours * 3_600_000).toISOString()
      const payments = Array.from({ length: 150 }, (_, n) => ({
        createdAt:
          n % 3 === 0 ? `${around(96).slice(0, 14)}${n % 2 === 0 ? '00' : '45'}:00.000Z` : around(96),
        amount: 1 + Math.floor(Math.random() * 1_000_000),
        state: STATES[n % STATES.length]!,
        mode: n % 7 === 0 ? ('test' as const) : ('live' as const),
        customId: null,
        data: null,
      }))
      await insertPayments(deps, shop, payments)
      for (let round = 0; round < 25; round += 1) {
        const [from, to] = [around(round % 2 === 0 ? 200 : 40), around(200)].toSorted() as [string, string]
        const { whole, days } = countRows(payments, from, to, zone)
        const reported = await stats(shop, { from, to })
        const { volume, count, succeeded, failed } = reported
        assert.deepEqual({ volume, count, succeeded, failed }, whole, `${from} to ${to}`)
        const ended = succeeded + failed
        assert.equal(reported.successRate, ended === 0 ? null : succeeded / ended)
        if (reported.bucket === 'hour') continue
        const reportedDays = reported.series.map(
          ({ at, volume, count, succeeded, failed }) =>
            [show.format(new Date(at)), { volume, count, succeeded, failed }] as const,
        )
        assert.deepEqual(
          new Map(reportedDays.filter(([, bar]) => bar.count > 0)),
          new Map([...days].toSorted(([a], [b]) => (a < b ? -1 : 1))),
          `${from} to ${to}`,
        )
      }
    }
    await setZone('Europe/Podgorica')
  })
}

test('the hours of a short range add up to its total, each by the clock of the time zone', async () => {
  const shop = await newProject()
  await insertPayments(deps, shop, [
    { createdAt: '2026-10-25T00:30:00Z', amount: 100 }, // 02:30, for the first time
    { createdAt: '2026-10-25T01:30:00Z', amount: 200 }, // 02:30, the second time
    { createdAt: '2026-10-25T01:59:59.999Z', amount: 400 },
  ])
  const { bucket, series, volume } = await stats(shop, {
    from: '2026-10-24T22:00:00Z',
    to: '2026-10-25T23:00:00Z',
  })
  assert.equal(bucket, 'hour')
  assert.equal(volume, '700')
  assert.equal(series.length, 25)
  assert.deepEqual(
    series.filter((bar) => bar.count > 0).map((bar) => [bar.at, bar.volume]),
    [
      ['2026-10-25T00:00:00.000Z', '100'],
      ['2026-10-25T01:00:00.000Z', '600'],
    ],
  )
})

test('the beginning is in the range, the end is not; an empty range is zeros without bars', async () => {
  const shop = await newProject()
  await insertPayments(deps, shop, [{ createdAt: '2026-11-10T10:07:00Z' }])
  const countIn = async (from: string, to: string) => (await stats(shop, { from, to })).count
  assert.equal(await countIn('2026-11-10T10:07:00Z', '2026-11-10T10:07:00.001Z'), 1)
  assert.equal(await countIn('2026-11-10T10:00:00Z', '2026-11-10T10:07:00Z'), 0)
  assert.equal(await countIn('2026-11-10T10:07:00.001Z', '2026-11-10T11:00:00Z'), 0)
  const { series, count, successRate } = await stats(shop, {
    from: '2026-11-10T10:07:00Z',
    to: '2026-11-10T10:07:00Z',
  })
  assert.deepEqual({ series, count, successRate }, { series: [], count: 0, successRate: null })
})

test('a payment that expires days after it began is counted as failed on the day it began', async () => {
  const shop = await newProject()
  const id = newUuidV7(deps.clock)
  const payment = (await openPayment(deps.db, id, newOrder(shop), 'sandbox'))!
  await sendToBank(deps.db, id, 'https://bank.example.com/1')
  const began =
    "update transactions set created_at = now() - interval '3 days' where id = $1 returning created_at as at"
  const [{ at } = { at: new Date() }] = await rows<{ at: Date }>(deps.db, began, [id])
  const around = (ms: number) => new Date(at.getTime() + ms).toISOString()
  const counts = async (query: Record<string, string>) => {
    const { count, failed, series } = await stats(shop, query)
    return [count, failed, series.map((bar) => bar.failed).filter((n) => n > 0)]
  }
  // From the stats that are stored per quarter of an hour, and from single payments at the ends of a range.
  const ranges = [{}, { from: around(-1_000), to: around(1_000) }]
  for (const range of ranges) assert.deepEqual(await counts(range), [1, 0, []])
  await settle(deps, payment, { state: 'expired', failureCode: 'expired', upstreamRef: null })
  for (const range of ranges) assert.deepEqual(await counts(range), [1, 1, [1]])
  await foldAllStats(deps)
  assert.deepEqual(await counts({}), [1, 1, [1]])
  const listed = await owner.post('/sdk/transactions/list', { projectId: shop, state: 'expired' })
  assert.equal(listed.json()['total'], 1)
})

test('payments that end late, at the same time and from many connections are in the stats', async () => {
  const shop = await newProject()
  const replica = await service.replica()
  const both = [deps, replica.deps]
  const amounts = [1500n, 4000n, 4002n, 4003n, 4004n]
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      confirmPayment(both[n % 2]!, newOrder(shop, { amount: amounts[n % 5]! })),
    ),
  )
  await resolveAll(deps, 2)
  const plain = async () => {
    const [row] = await rows<{ volume: string; succeeded: number; failed: number; count: number }>(
      deps.db,
      `select coalesce(sum(amount) filter (where state = 'succeeded'), 0)::text as volume, count(*)::int as count,
         (count(*) filter (where state = 'succeeded'))::int as succeeded,
         (count(*) filter (where state in ('failed', 'expired')))::int as failed
       from transactions where project_id = $1 and mode = 'live'`,
      [shop],
    )
    return row
  }
  const reported = async () => {
    const { volume, succeeded, failed, count } = await stats(shop)
    return { volume, succeeded, failed, count }
  }
  assert.deepEqual(await reported(), await plain())
  const shards = await rows(deps.db, 'select from payment_figures where project_id = $1', [shop])
  assert.ok(shards.length > 1, 'with one row every payment would wait for the one before it')
})

test('rows of many connections are merged into one, also while payments of that hour still end', async () => {
  const shop = await newProject()
  const replica = await service.replica()
  const createdAt = new Date(deps.clock.nowMs() - 3 * 3_600_000).toISOString()
  const ids = await insertPayments(
    deps,
    shop,
    Array.from({ length: 80 }, () => ({ createdAt, amount: 100, state: 'processing' as const })),
  )
  const both = [deps.db, replica.deps.db]
  const end = (id: string, n: number) =>
    rows(both[n % 2]!, 'update transactions set state = $2, completed_at = now() where id = $1', [
      id,
      n % 4 === 0 ? 'failed' : 'succeeded',
    ])
  // So that the others are added to an existing row.
  await Promise.all(ids.slice(0, 40).map(end))
  await foldAllStats(deps)
  const ending = ids.slice(40).map(end)
  const folding = Array.from({ length: 12 }, () => foldAllStats(deps))
  await Promise.all([...ending, ...folding])
  await foldAllStats(deps)
  const { volume, succeeded, failed } = await stats(shop)
  assert.deepEqual({ volume, succeeded, failed }, { volume: '6000', succeeded: 60, failed: 20 })
  const left = await rows(deps.db, 'select shard from payment_figures where project_id = $1', [shop])
  assert.deepEqual(left, [{ shard: 0 }])
})

test('deleted payments are removed from the stats, and a rolled back change never counts', async () => {
  const shop = await newProject()
  await insertPayments(deps, shop, [{ amount: 100 }, { amount: 200, state: 'failed' }, { amount: 400 }])
  await rows(deps.db, 'delete from transactions where project_id = $1 and amount = 400', [shop])
  const undone = deps.db.transaction(async (tx) => {
    await rows(tx, 'delete from transactions where project_id = $1', [shop])
    throw new Error('changed its mind')
  })
  await assert.rejects(undone, /changed its mind/)
  const { volume, succeeded, failed } = await stats(shop)
  assert.deepEqual({ volume, succeeded, failed }, { volume: '100', succeeded: 1, failed: 1 })
})

test('sums beyond the range of a JavaScript number are exact', async () => {
  const shop = await newProject()
  const amount = 999_999_999_999
  await insertPayments(
    deps,
    shop,
    Array.from({ length: 40 }, () => ({ amount })),
  )
  await rows(deps.db, 'update payment_figures set volume = volume * 1000 where project_id = $1', [shop])
  assert.equal((await stats(shop)).volume, (BigInt(amount) * 40_000n).toString())
})

test('callback times are reported for the whole range and for each bar, and separately by mode', async () => {
  const shop = await newProject()
  const counts = (...durations: number[]) => countSteps(durations)
  const at = (text: string) => Date.parse(text)
  await addResponses(deps.db, [
    { projectId: shop, mode: 'live', hourMs: at('2026-11-08T23:00:00Z'), counts: counts(5, 5, 9) },
    { projectId: shop, mode: 'live', hourMs: at('2026-11-09T22:00:00Z'), counts: counts(9, 9, 9) },
    { projectId: shop, mode: 'live', hourMs: at('2026-11-09T23:00:00Z'), counts: counts(12) },
    { projectId: shop, mode: 'test', hourMs: at('2026-11-09T22:00:00Z'), counts: counts(15) },
  ])
  const range = { from: '2026-11-08T23:00:00Z', to: '2026-11-11T23:00:00Z' }
  const live = await stats(shop, range)
  assert.deepEqual(live.callbackMs, { p50: 9, p95: 12 })
  assert.deepEqual(
    live.series.map((bar) => bar.callbackP50Ms),
    [9, 12, null],
  )
  assert.deepEqual((await stats(shop, { ...range, mode: 'test' })).callbackMs, { p50: 15, p95: 15 })
  // An hour counts as a whole if any part of it is in the range.
  const part = await stats(shop, { from: '2026-11-09T23:30:00Z', to: '2026-11-09T23:40:00Z' })
  assert.deepEqual(part.callbackMs, { p50: 12, p95: 12 })
})

const refused: [name: string, query: Record<string, string>, path: string, code: string][] = [
  ['with a time that is none', { from: 'yesterday' }, 'from', 'invalid_time'],
  ['with a time without a zone', { to: '2026-11-10T10:00:00' }, 'to', 'invalid_time'],
  [
    'that ends before it begins',
    { from: '2026-11-10T10:00:00Z', to: '2026-11-09T10:00:00Z' },
    'to',
    'ends_before_it_begins',
  ],
  ['past 92 days', { from: '2026-01-01T00:00:00Z', to: '2026-05-01T00:00:00Z' }, 'from', 'range_too_long'],
  [
    'before there were payments',
    { from: '1970-01-01T00:00:00Z', to: '1970-01-02T00:00:00Z' },
    'to',
    'invalid_time',
  ],
  ['in an unknown mode', { mode: 'both' }, 'mode', 'not_one_of'],
  ['with an unknown field', { bucket: 'hour' }, 'bucket', 'unknown_field'],
]
for (const [name, query, path, code] of refused) {
  test(`stats of a range ${name} are refused with 400, and the error names the field`, async () => {
    const response = await getStats(await newProject(), query)
    assert.equal(response.status, 400, response.text)
    const { errors } = response.json<{ errors: { path: string; code: string; message: string }[] }>()
    assert.deepEqual(
      errors.map((error) => [error.path, error.code]),
      [[path, code]],
    )
    assert.ok(errors[0]!.message.length > 10)
  })
}

test('stats of another owner’s or an unknown project are not found, and they require a session', async () => {
  const shop = await newProject()
  assert.equal((await getStats(shop, {}, stranger)).code, 'not_found')
  assert.equal((await getStats('nosuchproject', {}, owner)).code, 'not_found')
  const response = await app.inject(`/portal/api/projects/${shop}/stats`)
  assert.equal(response.statusCode, 401)
})

test('stats take six statements, including session and ownership, however long the range is', async () => {
  const shop = await newProject()
  await getStats(shop)
  for (const query of [{}, { from: '2026-08-20T10:07:00Z', to: '2026-11-15T09:13:00Z' }]) {
    const from = deps.db.statementCount()
    await stats(shop, query)
    assert.equal(deps.db.statementCount() - from, 6)
  }
})
