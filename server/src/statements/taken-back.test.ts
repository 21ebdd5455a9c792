import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Mode, StatsView } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { addDisputeEvent, addRefundEvent, openBooks, moveWaitingEvents, toMonth } from '../../test/books.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { payFor, requireRefund } from '../../test/refunds.ts'
import { insertPayments } from '../../test/transactions.ts'
import { publishAll } from '../feed/publish.ts'
import { systemClock, toDate } from '../lib/clock.ts'

const { app, deps } = await startTestService()
const { db } = deps
const owner = await signUp(app)
await owner.stepUp()
const NOTHING = { volume: '0', refunds: 0, refunded: '0', disputes: 0, disputed: '0', net: '0' }

async function addProject() {
  await rows(db, 'update projects set archived_at = now() where archived_at is null')
  const { id: projectId } = await owner.addProject({ timeZone: 'UTC' })
  const read = async (query: Record<string, string> = {}, reader = owner) => {
    const response = await reader.get(
      `/portal/api/projects/${projectId}/stats?${new URLSearchParams(query).toString()}`,
    )
    assert.equal(response.status, 200, response.text)
    return response.json<StatsView>()
  }
  return { projectId, read }
}

function amountsOf({
  volume,
  refunds,
  refunded,
  disputes,
  disputed,
  net,
}: StatsView | StatsView['series'][number]) {
  return { volume, refunds, refunded, disputes, disputed, net }
}

/** The payment has no events of its own, so that only the events of a test are counted. */
async function insertPaid(projectId: string, createdAt: string, amount: number, currency = 'EUR') {
  const [row] = await rows<{ id: string }>(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, amount_scale, state, created_at, completed_at)
     select gen_random_uuid(), $1, 'live', gen_random_uuid(), $2, $3, 2, 'succeeded', at, at
     from (select $4::timestamptz as at) as times returning id`,
    [projectId, amount, currency, createdAt],
  )
  await rows(db, 'delete from feed_inbox where project_id = $1', [projectId])
  return { projectId, transactionId: row!.id, amount: BigInt(amount) }
}

test('a project without refunds has zeros, and its net amount is its volume', async () => {
  const { projectId, read } = await addProject()
  assert.deepEqual(amountsOf(await read()), NOTHING)
  await payFor(deps, projectId, { amount: 2500n })
  const stats = await read()
  assert.deepEqual(amountsOf(stats), { ...NOTHING, volume: '2500', net: '2500' })
  assert.deepEqual(amountsOf(stats.series.at(-1)!), amountsOf(stats))
})

test('a refund through the API is in the stats of its mode immediately, and is not counted as a payment', async () => {
  const { projectId, read } = await addProject()
  const payment = await payFor(deps, projectId, { amount: 2500n, mode: 'live' })
  const testPayment = await payFor(deps, projectId, { amount: 900n, mode: 'test' })
  await requireRefund(owner, payment, { amount: '1000' })
  await requireRefund(owner, payment, { amount: '4' })
  await requireRefund(owner, testPayment)
  const expected: Record<Mode, object> = {
    live: { ...NOTHING, volume: '2500', refunds: 2, refunded: '1004', net: '1496' },
    test: { ...NOTHING, volume: '900', refunds: 1, refunded: '900', net: '0' },
  }
  for (const mode of ['live', 'test'] as const) {
    const stats = await read({ mode })
    assert.deepEqual(amountsOf(stats), expected[mode])
    assert.deepEqual([stats.count, stats.succeeded, stats.failed, stats.successRate], [1, 1, 0, 1])
  }
})

test('a refund counts on its own day, and a returned refund on the day of the return', async () => {
  const { projectId, read } = await addProject()
  const payment = await insertPaid(projectId, '2026-11-02T10:00:00Z', 1000)
  const publishAt = async (at: string, add: Promise<void>) => {
    await add
    await moveWaitingEvents(db, projectId, at)
    await publishAll(deps, projectId)
  }
  const part = { ...payment, amount: 400n }
  // In Podgorica, the owner's time zone, this is half past midnight on the 4th.
  await publishAt('2026-11-03T23:30:00Z', addRefundEvent(db, part, 're_1', 'succeeded'))
  await publishAt('2026-11-05T12:00:00Z', addRefundEvent(db, part, 're_1', 'returned'))
  await publishAt('2026-11-05T12:01:00Z', addRefundEvent(db, part, 're_2', 'failed'))
  await publishAt('2026-11-06T12:00:00Z', addDisputeEvent(db, payment, 'dp_1', 'inquiry'))
  await publishAt('2026-11-06T13:00:00Z', addDisputeEvent(db, payment, 'dp_1', 'open'))
  await publishAt('2026-11-07T13:00:00Z', addDisputeEvent(db, payment, 'dp_1', 'won'))
  const range = { from: '2026-11-01T23:00:00Z', to: '2026-11-07T23:00:00Z' }
  const stats = await read(range)
  assert.deepEqual(
    stats.series.map((bar) => amountsOf(bar)),
    [
      { ...NOTHING, volume: '1000', net: '1000' },
      NOTHING,
      { ...NOTHING, refunds: 1, refunded: '400', net: '-400' },
      { ...NOTHING, refunded: '-400', net: '400' },
      { ...NOTHING, disputes: 1, disputed: '1000', net: '-1000' },
      { ...NOTHING, disputed: '-1000', net: '1000' },
    ],
  )
  assert.deepEqual(amountsOf(stats), { ...NOTHING, volume: '1000', refunds: 1, disputes: 1, net: '1000' })

  assert.equal((await owner.post('/portal/api/account', { timeZone: 'America/Havana' })).status, 200)
  const otherZone = await read({ from: '2026-11-02T05:00:00Z', to: '2026-11-08T05:00:00Z' })
  assert.deepEqual(
    otherZone.series.map((bar) => bar.refunded),
    ['0', '400', '0', '-400', '0', '0'],
  )
  assert.equal((await owner.post('/portal/api/account', { timeZone: 'Europe/Podgorica' })).status, 200)
})

test('a range counts exactly the refunds at or after its beginning and before its end, to the millisecond', async () => {
  const { projectId, read } = await addProject()
  const payment = await insertPaid(projectId, '2026-11-01T10:00:00Z', 900_000)
  const timesMs = Array.from({ length: 60 }, (_, n) => Date.parse('2026-11-10T10:00:00Z') + n * 433_111)
  for (const [index, atMs] of timesMs.entries()) {
    await addRefundEvent(db, { ...payment, amount: BigInt(index + 1) }, `re_${index}`, 'succeeded')
    await moveWaitingEvents(db, projectId, toDate(atMs).toISOString())
    await publishAll(deps, projectId)
  }
  for (const [first, end] of [
    [0, 60],
    [3, 4],
    [7, 8],
    [7, 41],
    [59, 60],
    [20, 20],
  ] as const) {
    const fromMs = timesMs[first]!
    const toMs = timesMs[end] ?? timesMs.at(-1)! + 1
    const { refunds, refunded, series } = await read({
      from: toDate(fromMs).toISOString(),
      to: toDate(toMs).toISOString(),
    })
    const expected = timesMs.reduce((sum, _, n) => sum + (n >= first && n < end ? n + 1 : 0), 0)
    assert.deepEqual([refunds, refunded], [end - first, String(expected)], `${first} to ${end}`)
    assert.equal(
      series.reduce((sum, bar) => sum + Number(bar.refunded), 0),
      expected,
    )
  }
})

test('a refund or dispute in another currency than the installation’s is counted, but its amount is not added', async () => {
  const { projectId, read } = await addProject()
  const createdAt = toDate(systemClock.nowMs()).toISOString()
  const euro = await insertPaid(projectId, createdAt, 1000)
  const dinar = await insertPaid(projectId, createdAt, 70_000, 'RSD')
  await addRefundEvent(db, { ...euro, amount: 100n }, 're_1', 'succeeded')
  await addRefundEvent(db, { ...dinar, amount: 5_000n }, 're_2', 'succeeded')
  await addDisputeEvent(db, { ...dinar, amount: 3_000n }, 'dp_1', 'open')
  const { refunds, refunded, disputes, disputed } = await read()
  assert.deepEqual([refunds, refunded, disputes, disputed], [2, '100', 1, '0'])
})

test('stats and statement of the same days have the same net amount', async () => {
  const { projectId, read } = await addProject()
  const payment = await payFor(deps, projectId, { amount: 2500n })
  await requireRefund(owner, payment, { amount: '700' })
  await addDisputeEvent(db, { projectId, transactionId: payment.id, amount: 300n }, 'dp_1', 'lost')
  const nowDate = toDate(systemClock.nowMs())
  const { net, disputes } = await read({ to: toDate(nowDate.getTime() + 60_000).toISOString() })
  assert.deepEqual([net, disputes], ['1500', 1])
  const { totals } = await openBooks(owner, projectId, nowDate.toISOString().slice(0, 7)).readStatement()
  assert.equal(totals.net, net)
})

test('0052_ledger_quarters.sql counts existing entries of the ledger in the same way as the trigger counts new entries', async () => {
  const readQuarters = () =>
    rows(db, 'select * from ledger_quarters order by project_id, mode, quarter, currency, amount_scale')
  const quartersBefore = await readQuarters()
  assert.ok(quartersBefore.length > 10)
  const text = await readFile(new URL('../../migrations/0052_ledger_quarters.sql', import.meta.url), 'utf8')
  const backfill = /^insert into ledger_quarters\n[^;]+;/m.exec(text)![0]
  await rows(db, 'truncate ledger_quarters')
  await rows(db, backfill)
  assert.deepEqual(await readQuarters(), quartersBefore)
})

test('a paid payment in review counts as paid, and an unpaid payment in review counts as neither succeeded nor failed', async () => {
  const { projectId, read } = await addProject()
  const paid = await payFor(deps, projectId, { amount: 2500n })
  await requireRefund(owner, paid, { amount: '1000' })
  await insertPayments(deps, projectId, [{ state: 'failed' }])
  await rows(db, 'update transactions set needs_review = true where project_id = $1', [projectId])
  const stats = await read()
  assert.deepEqual([stats.count, stats.succeeded, stats.failed], [2, 1, 0])
  assert.deepEqual(amountsOf(stats), {
    ...NOTHING,
    volume: '2500',
    refunds: 1,
    refunded: '1000',
    net: '1500',
  })
  const books = openBooks(owner, projectId, toMonth(toDate(systemClock.nowMs())))
  const { gross, net } = (await books.readStatement()).totals
  assert.deepEqual([gross, net], [stats.volume, stats.net])
})
