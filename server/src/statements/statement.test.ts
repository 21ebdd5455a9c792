import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mode } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import {
  addDisputeEvent,
  addRefundEvent,
  openBooks,
  moveWaitingEvents,
  sumAmounts,
  toMonth,
} from '../../test/books.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder } from '../../test/payments.ts'
import { reportCharge } from '../../test/reviewed-payments.ts'
import { systemClock, toDate } from '../lib/clock.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Order } from '../payments/payment.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'

const { app, deps } = await startTestService()
const { db } = deps
const owner = await signUp(app)
const NOW_MONTH = toMonth(toDate(systemClock.nowMs()))
const ZERO_TOTALS = { payments: 0, gross: '0', refunds: '0', returned: '0', disputes: '0', net: '0' }

async function addProject(month = NOW_MONTH, settings: object = {}) {
  await rows(db, 'update projects set archived_at = now() where archived_at is null')
  const { id: projectId } = await owner.addProject({ timeZone: 'UTC', ...settings })
  const pay = async (fields: Partial<Order> = {}) => {
    const outcome = await confirmPayment(deps, newOrder(projectId, fields))
    assert.equal(outcome.kind, 'payment')
    const transactionId = outcome.kind === 'payment' ? outcome.payment.id : ''
    return { projectId, transactionId, amount: fields.amount ?? 1500n }
  }
  return { projectId, pay, ...openBooks(owner, projectId, month) }
}

test('a statement lists every day of the month with its sums, and its CSV file adds up to the net total', async () => {
  const { projectId, pay, readStatement: statement, readCsv: csv } = await addProject()
  const first = await pay({ amount: 10_000n })
  const second = await pay({ amount: 2_500n })
  // The sandbox declines 4000.
  await pay({ amount: 4000n })
  await addRefundEvent(db, { ...first, amount: 300n }, 're_1', 'succeeded')
  await addRefundEvent(db, { ...first, amount: 200n }, 're_2', 'succeeded')
  await addRefundEvent(db, { ...first, amount: 200n }, 're_2', 'returned')
  await addRefundEvent(db, { ...first, amount: 999n }, 're_3', 'failed')
  await addDisputeEvent(db, { ...second, amount: 2_500n }, 'dp_1', 'inquiry')
  await addDisputeEvent(db, { ...second, amount: 2_500n }, 'dp_1', 'open')
  await addDisputeEvent(db, { ...first, amount: 700n }, 'dp_2', 'open')
  await addDisputeEvent(db, { ...first, amount: 700n }, 'dp_2', 'won')
  await addDisputeEvent(db, { ...first, amount: 800n }, 'dp_3', 'lost')

  const { days, totals, ...rest } = await statement()
  const [year, month] = NOW_MONTH.split('-').map(Number) as [number, number]
  const unit = { currency: 'EUR', scale: 2, currencies: ['EUR'] }
  assert.deepEqual(rest, { month: NOW_MONTH, timeZone: 'UTC', ...unit })
  assert.equal(days.length, toDate(Date.UTC(year, month, 0)).getUTCDate())
  assert.equal(days[0]!.date, `${NOW_MONTH}-01`)
  assert.deepEqual(totals, {
    payments: 2,
    gross: '12500',
    refunds: '500',
    returned: '200',
    disputes: '3300',
    net: '8900',
  })
  const daysWithEntries = days.filter(({ net }) => net !== '0')
  assert.deepEqual(daysWithEntries, [
    { date: toDate(systemClock.nowMs()).toISOString().slice(0, 10), ...totals },
  ])

  const lines = await csv()
  assert.equal(sumAmounts(lines), 8_900n)
  assert.deepEqual(
    lines.map(({ type, amount, refundId, disputeId }) => [type, amount, refundId, disputeId]),
    [
      ['payment', '10000', '', ''],
      ['payment', '2500', '', ''],
      ['refund', '-300', 're_1', ''],
      ['refund', '-200', 're_2', ''],
      ['refund_returned', '200', 're_2', ''],
      ['dispute', '-2500', '', 'dp_1'],
      ['dispute', '-700', '', 'dp_2'],
      ['dispute_won', '700', '', 'dp_2'],
      ['dispute', '-800', '', 'dp_3'],
    ],
  )
  const { at, ...firstRefund } = lines[2]!
  assert.match(at!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(firstRefund, {
    type: 'refund',
    amount: '-300',
    transactionId: first.transactionId,
    refundId: 're_1',
    upstreamRef: 'up_re_1',
    date: daysWithEntries[0]!.date,
    disputeId: '',
    currency: 'EUR',
    amountDecimal: '-3.00',
  })
  assert.deepEqual(await rows(db, 'select from feed_inbox where project_id = $1', [projectId]), [])
})

test('a test payment is only in the statement of test mode', async () => {
  const { pay, readStatement: statement, readCsv: csv } = await addProject()
  await pay({ amount: 100n })
  await pay({ amount: 7n, mode: 'test' })
  const netOf = async (mode: Mode) => (await statement(`&mode=${mode}`)).totals.net
  assert.deepEqual([await netOf('live'), await netOf('test')], ['100', '7'])
  assert.equal((await statement()).totals.net, '100')
  assert.equal(sumAmounts(await csv()), 100n)
})

test('an entry is posted on its day in the project’s time zone, and a later change of the zone does not move it', async () => {
  const {
    projectId,
    pay,
    readStatement: statement,
    readCsv: csv,
  } = await addProject('2026-10', { timeZone: 'Europe/Podgorica' })
  const payAt = async (amount: bigint, at: string) => {
    await pay({ amount })
    await moveWaitingEvents(db, projectId, at)
  }
  // Clocks go back in the night of 25 October.
  await payAt(1n, '2026-09-30T21:59:59.999Z')
  await statement()
  await payAt(10n, '2026-09-30T22:00:00.000Z')
  await statement()
  await payAt(100n, '2026-10-31T22:59:59.999Z')
  await statement()
  await payAt(1_000n, '2026-10-31T23:00:00.000Z')
  const listDates = async () =>
    (await statement()).days.filter(({ payments }) => payments > 0).map(({ date, gross }) => [date, gross])
  const expected = [
    ['2026-10-01', '10'],
    ['2026-10-31', '100'],
  ]
  assert.deepEqual(await listDates(), expected)
  assert.equal((await statement()).totals.gross, '110')
  const changed = await owner.post('/sdk/project/update', { projectId, timeZone: 'America/New_York' })
  assert.equal(changed.json()['timeZone'], 'America/New_York')
  assert.deepEqual(await listDates(), expected)
  assert.equal(sumAmounts(await csv()), 110n)
  await payAt(5n, '2026-11-01T03:30:00.000Z')
  assert.deepEqual(await listDates(), [
    ['2026-10-01', '10'],
    ['2026-10-31', '105'],
  ])
  assert.equal((await statement()).timeZone, 'America/New_York')
})

test('a failed payment in review is not counted until an operator has decided that it is paid', async () => {
  const { pay, readStatement: statement, readCsv: csv } = await addProject()
  const { transactionId } = await pay({ amount: 4000n })
  await reportCharge(deps, transactionId)
  assert.deepEqual((await statement()).totals, ZERO_TOTALS)
  await resolvePayment(deps, transactionId, { as: 'paid', reason: 'the charge is real', by: 'operator' })
  assert.deepEqual((await statement()).totals, { ...ZERO_TOTALS, payments: 1, gross: '4000', net: '4000' })
  assert.deepEqual(
    (await csv()).map(({ type, amount }) => [type, amount]),
    [['payment', '4000']],
  )
})

test('a payment that was charged twice is reversed only if it is resolved as unpaid', async () => {
  const { pay, readStatement: statement, readCsv: csv } = await addProject()
  const { transactionId } = await pay()
  await reportCharge(deps, transactionId, 'ch_first')
  await reportCharge(deps, transactionId, 'ch_second')
  assert.equal((await statement()).totals.gross, '1500')
  await rows(
    db,
    `update transactions set resolution = 'unpaid', resolved_at = now(), resolved_by = 'operator',
    resolution_reason = 'both returned', needs_review = false where id = $1`,
    [transactionId],
  )
  assert.deepEqual((await statement()).totals, ZERO_TOTALS)
  assert.deepEqual(
    (await csv()).map(({ type, amount, upstreamRef }) => [type, amount, upstreamRef]),
    [
      ['payment', '1500', 'ch_first'],
      ['payment_reversed', '-1500', 'ch_first'],
    ],
  )
})

test('the database refuses to change the day or the amount of a ledger entry', async () => {
  const { projectId, pay, readStatement: statement } = await addProject()
  await pay()
  await statement()
  for (const change of ['posted_on = posted_on + 1', 'amount = 1'])
    await assert.rejects(
      rows(db, `update ledger_entries set ${change} where project_id = $1`, [projectId]),
      /never changes/,
    )
})

test('a CSV file that is read with several queries contains each entry once', async () => {
  const { projectId, readStatement: statement, readCsv: csv } = await addProject('2026-03')
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, created_at, completed_at)
     select gen_random_uuid(), $1, 'live', gen_random_uuid(), n, 'EUR', 'succeeded', at, at
     from generate_series(1, 2500) as n cross join lateral
       (select timestamptz '2026-03-01Z' + n * interval '17 minutes' as at) as times`,
    [projectId],
  )
  const { totals } = await statement()
  const lines = await csv()
  assert.equal(totals.payments, 2500)
  assert.equal(lines.length, 2500)
  assert.equal(new Set(lines.map(({ transactionId }) => transactionId)).size, 2500)
  assert.equal(sumAmounts(lines).toString(), totals.net)
})

test('a month in which the currency changed has a statement for each currency', async () => {
  const { projectId, readStatement: statement, readCsv: csv } = await addProject('2026-04')
  const insert = (amount: number, currency: string, scale: number) =>
    rows(
      db,
      `insert into transactions (id, project_id, mode, attempt_id, amount, currency, amount_scale, state, created_at, completed_at)
       select gen_random_uuid(), $1, 'live', gen_random_uuid(), $2, $3, $4, 'succeeded', at, at
       from (select timestamptz '2026-04-10Z' as at) as times`,
      [projectId, amount, currency, scale],
    )
  await insert(700, 'RSD', 0)
  assert.partialDeepStrictEqual(await statement(), { currency: 'RSD', scale: 0, totals: { net: '700' } })
  await insert(900, 'EUR', 2)
  assert.partialDeepStrictEqual(await statement(), { currency: 'EUR', scale: 2, totals: { net: '900' } })
  assert.partialDeepStrictEqual(await statement('&currency=RSD'), { currency: 'RSD', totals: { net: '700' } })
  assert.equal(sumAmounts(await csv()), 900n)
  assert.equal(sumAmounts(await csv('&currency=RSD')), 700n)
  assert.partialDeepStrictEqual(await statement('&currency=USD'), { currency: 'USD', totals: ZERO_TOTALS })
})
