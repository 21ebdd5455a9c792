// Why this is long: it tests every difference that the command `books check` finds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import { reserveRefund } from '../../test/refunds.ts'
import { createPaymentFixtures, newDecision } from '../../test/resolving.ts'
import type { Backend, Charge } from '../backends/backend.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import type { Listed, Pager } from '../backends/pager.ts'
import { payAt } from '../backends/refund-suite.ts'
import { recordDispute } from '../disputes/record-dispute.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Payment } from '../payments/payment.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'
import { recordRefundReport } from '../refunds/record-report.ts'
import { books } from './books.ts'
import { RefusedError, toHelp, toPrinted, UsageError } from './command.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { end } = createPaymentFixtures(deps, projectId)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The clock is an hour ahead, because payments of the last ten minutes are left out. */
const depsInAnHour = { ...deps, clock: { nowMs: () => deps.clock.nowMs() + HOUR_MS } }
const toDay = (ms: number) => toDate(ms).toISOString().slice(0, 10)
const today = () => toDay(depsInAnHour.clock.nowMs())
const yesterday = () => toDay(depsInAnHour.clock.nowMs() - DAY_MS)

async function check(given: Partial<typeof depsInAnHour> = {}) {
  const usedDeps = { ...depsInAnHour, ...given }
  // Just before midnight, the clock that is an hour ahead is already in the next day.
  const nowMs = usedDeps.clock.nowMs()
  return toPrinted(
    await books.run(usedDeps, ['check', '--from', toDay(nowMs - DAY_MS), '--to', toDay(nowMs)]),
  )
}

const withLive = (fields: Partial<Backend>) => ({
  backends: { ...deps.backends, live: { ...deps.backends.live, ...fields } },
})

const listIncidents = () =>
  rows<{ subject: string; times: number; facts: Record<string, string>; transaction_id: string | null }>(
    db,
    "select subject, times, facts, transaction_id from incidents where kind = 'books_differ' order by id",
  )

async function clear(): Promise<void> {
  const tables = 'incidents, refunds, disputes, callbacks, transactions, sandbox_refunds, sandbox_charges'
  await rows(db, `truncate ${tables} cascade`)
}

async function pay(amount = 1500n): Promise<Payment> {
  const outcome = await confirmPayment(deps, newOrder(projectId, { amount }))
  assert.ok(outcome.kind === 'payment')
  return requirePayment(db, outcome.payment.id)
}

async function refund(payment: Payment, amount: bigint) {
  const reserved = await reserveRefund(deps, payment, amount)
  const report = await deps.backends.live.refunds!.refund({
    id: reserved.id,
    paymentId: payment.id,
    projectId,
    amount,
    currency: 'EUR',
    chargeId: null,
    upstreamRef: null,
    isOwn: true,
  })
  return recordRefundReport(deps, payment, reserved, report)
}

async function dispute(payment: Payment, upstreamRef: string): Promise<void> {
  await recordDispute(deps, payment, {
    paymentId: payment.id,
    chargeId: null,
    status: 'open',
    amount: payment.amount,
    currency: 'EUR',
    upstreamRef,
    reason: null,
    respondBy: null,
  })
}

test('payments of the last ten minutes are not compared, and their number is printed', async () => {
  await clear()
  await pay()
  await pay()
  const { text, exitCode } = await check({ clock: deps.clock })
  assert.deepEqual(
    [text, exitCode],
    [
      'sandbox: compared: payments 0, refunds 0, disputes 0; left out because they are from the last ten minutes: 2.\nThe ledgers agree.',
      0,
    ],
  )
  await clear()
})

test('if the ledgers agree, the command reports what was compared and raises no incident', async () => {
  await clear()
  await refund(await pay(), 500n)
  // The sandbox declines this amount, so the payment is not compared.
  await pay(4000n)
  // The sandbox disputes a payment of this amount a few seconds after it was made.
  const disputed = await pay(4007n)
  await rows(db, `update sandbox_charges set created_at = created_at - interval '6 seconds' where id = $1`, [
    disputed.id,
  ])
  await dispute(disputed, `dispute-${disputed.id}`)
  assert.deepEqual(await check(), {
    text: 'sandbox: compared: payments 2, refunds 1, disputes 1.\nThe ledgers agree.',
    exitCode: 0,
  })
  assert.deepEqual(await listIncidents(), [])
})

test('a difference is printed and raises one incident, however often it is found; payments do not change', async () => {
  await clear()
  const { paymentId: unknownId } = await payAt(deps.backends.live, 700n)
  const failed = await end('failed')
  await deps.backends.live.create({
    id: failed.id,
    amount: failed.amount,
    currency: 'EUR',
    scale: 2,
    projectId,
    mode: 'live',
    customId: null,
    data: null,
    returnUrl: 'http://localhost:3000/',
  })
  const uncharged = await end('succeeded')
  const wrongAmount = await pay()
  await rows(db, 'update sandbox_charges set amount = amount + 1 where id = $1', [wrongAmount.id])
  const wrongCurrency = await pay()
  await rows(db, "update sandbox_charges set currency = 'USD' where id = $1", [wrongCurrency.id])
  const paid = await pay()
  const refunded = await refund(paid, 500n)
  await rows(db, 'delete from sandbox_refunds where id = $1', [refunded.id])
  const extraRefundId = newUuidV7(deps.clock)
  await rows(
    db,
    `insert into sandbox_refunds (id, payment_id, amount, currency, status) values ($1, $2, 30, 'EUR', 'succeeded')`,
    [extraRefundId, paid.id],
  )
  const disputed = await pay(4007n)
  await rows(db, `update sandbox_charges set created_at = created_at - interval '6 seconds' where id = $1`, [
    disputed.id,
  ])
  await dispute(paid, 'du_unlisted')
  const paymentsBefore = await rows(db, 'select * from transactions order by id')
  const { text, exitCode } = await check()
  assert.equal(exitCode, 1)
  for (const [object, difference, id, facts] of [
    ['payment', 'missing here', unknownId, /nothing +700 EUR, succeeded$/],
    ['payment', 'missing here', failed.id, /1500 EUR with 2 decimals, failed +1500 EUR, succeeded$/],
    ['payment', 'missing there', uncharged.id, /1500 EUR with 2 decimals, succeeded +nothing$/],
    ['payment', 'amount', wrongAmount.id, /1500 EUR with 2 decimals, succeeded +1501 EUR, succeeded$/],
    ['payment', 'currency', wrongCurrency.id, /1500 EUR with 2 decimals, succeeded +1500 USD, succeeded$/],
    ['refund', 'missing there', refunded.id, /500 EUR with 2 decimals, succeeded +nothing$/],
    ['refund', 'missing here', extraRefundId, /nothing +30 EUR, succeeded$/],
    ['dispute', 'missing here', `dispute-${disputed.id}`, /nothing +4007 EUR, open$/],
    ['dispute', 'missing there', 'du_unlisted', /1500 EUR with 2 decimals, open +nothing$/],
  ] as const) {
    const line = text.split('\n').find((one) => one.includes(id) && one.includes(difference)) ?? ''
    assert.ok(line.startsWith(object), `${object} ${difference} ${text}`)
    assert.match(line, facts)
  }
  assert.match(text, /\nDifferences: 9, each an incident: npm run pazar -- incidents list$/)
  const raised = await listIncidents()
  assert.equal(raised.length, 9)
  assert.equal(raised.find(({ facts }) => facts['id'] === unknownId)!.transaction_id, null)
  assert.equal(raised.find(({ facts }) => facts['id'] === refunded.id)!.transaction_id, paid.id)
  assert.equal((await check()).text, text)
  assert.deepEqual(
    (await listIncidents()).map(({ subject, times }) => [subject, times]),
    raised.map(({ subject }) => [subject, 2]),
  )
  assert.deepEqual(await rows(db, 'select * from transactions order by id'), paymentsBefore)
})

test('a payment that the upstream lists with another scale, or with a second charge, is a difference', async () => {
  await clear()
  const [wrongScale, chargedTwice] = [await pay(), await pay()]
  const { payments } = deps.backends.live.lists!
  const list: Pager<Listed<Charge>> = async (options) => {
    const { items, next } = await payments(options)
    const charged = items.map((one) => ({
      ...one,
      chargeId: 'ch_1',
      scale: one.id === wrongScale.id ? 0 : 2,
    }))
    const secondCharges = charged
      .filter(({ id }) => id === chargedTwice.id)
      .map((one) => ({ ...one, chargeId: 'ch_2' }))
    return { items: [...charged, ...secondCharges], next }
  }
  const { text } = await check(withLive({ lists: { ...deps.backends.live.lists!, payments: list } }))
  assert.match(text, new RegExp(`payment +scale +${wrongScale.id}`))
  assert.match(text, new RegExp(`payment +charged twice +${chargedTwice.id} .* second charge ch_2`))
  assert.match(text, /\nDifferences: 2,/)
})

test('an entry that changes while the ledgers are read is not reported as a difference', async () => {
  await clear()
  await pay()
  const { payments } = deps.backends.live.lists!
  let times = 0
  const list: Pager<Listed<Charge>> = async (options) => {
    times += 1
    const page = await payments(options)
    return times === 1 ? { items: [], next: null } : page
  }
  const { exitCode } = await check(withLive({ lists: { ...deps.backends.live.lists!, payments: list } }))
  assert.deepEqual([exitCode, times], [0, 2])
  assert.deepEqual(await listIncidents(), [])
})

test('a payment that an operator resolved, and one that has been open for less than a day, are left out', async () => {
  await clear()
  const decided = await end('succeeded')
  await rows(db, 'update transactions set needs_review = true where id = $1', [decided.id])
  await resolvePayment(deps, decided.id, newDecision('paid'))
  const { id } = await createPaymentFixtures(deps, projectId).open()
  await rows(
    db,
    `insert into sandbox_charges (id, amount, currency, status) values ($1, 1500, 'EUR', 'succeeded')`,
    [id],
  )
  assert.deepEqual(await check(), {
    text: 'sandbox: compared: payments 0, refunds 0, disputes 0; left out because an operator decided: 1.\nThe ledgers agree.',
    exitCode: 0,
  })
  const nextDay = { nowMs: () => depsInAnHour.clock.nowMs() + DAY_MS }
  const text = toPrinted(
    await books.run({ ...deps, clock: nextDay }, ['check', '--from', yesterday(), '--to', today()]),
  ).text
  assert.match(text, new RegExp(`payment +missing here +${id}`))
})

test('payments outside the period are not compared', async () => {
  await clear()
  await end('succeeded')
  await payAt(deps.backends.live, 700n)
  const nowMs = deps.clock.nowMs()
  const earlierPeriod = ['check', '--from', toDay(nowMs - 10 * DAY_MS), '--to', toDay(nowMs - 2 * DAY_MS)]
  assert.equal(toPrinted(await books.run(depsInAnHour, earlierPeriod)).exitCode, 0)
  assert.equal((await check()).exitCode, 1)
})

test('a difference is not reported until its payment is more than ten minutes old', async () => {
  await clear()
  await end('succeeded')
  const afterMinutes = (minutes: number) => ({ nowMs: () => deps.clock.nowMs() + minutes * 60_000 })
  assert.equal((await check({ clock: deps.clock })).exitCode, 0)
  assert.equal((await check({ clock: afterMinutes(9) })).exitCode, 0)
  assert.equal((await check({ clock: afterMinutes(11) })).exitCode, 1)
})

test('an upstream without lists or without a response makes the command fail, and raises no incident', async () => {
  await clear()
  await end('succeeded')
  const { lists: _none, ...withoutLists } = deps.backends.live
  const isOffered = async () => false
  for (const live of [
    withoutLists,
    { ...withoutLists, lists: { ...deps.backends.live.lists!, isOffered } },
  ]) {
    const { text, exitCode } = await check({ backends: { ...deps.backends, live } })
    assert.deepEqual([exitCode, text.startsWith('sandbox: not compared')], [1, true])
  }
  const payments = async () => {
    throw new UnknownOutcomeError('the upstream responded 500 to a list')
  }
  const broken = check(withLive({ lists: { ...deps.backends.live.lists!, payments } }))
  await assert.rejects(broken, (error) => error instanceof RefusedError && /no incident/.test(error.message))
  assert.deepEqual(await listIncidents(), [])
})

test('refunds and disputes are not read from an upstream that does not offer them', async () => {
  await clear()
  await pay()
  const { refunds: _refunds, disputes: _disputes, ...withoutBoth } = deps.backends.live
  const { text } = await check({ backends: { ...deps.backends, live: withoutBoth } })
  assert.match(
    text,
    /^sandbox: compared: payments 1, no refunds at this upstream, no disputes at this upstream\./,
  )
})

test('a list with too many entries is refused, and every page that is read counts against the quota of lookups', async () => {
  await clear()
  const readEntry = async () =>
    (await deps.backends.live.lists!.payments({ since: toDate(0), cursor: null })).items[0]!
  await pay()
  const item = await readEntry()
  const thousandItems = Array.from({ length: 1000 }, () => item)
  const payments: Pager<Listed<Charge>> = async ({ cursor }) => ({
    items: thousandItems,
    next: String(Number(cursor ?? 0) + 1),
  })
  const refused = check(withLive({ lists: { ...deps.backends.live.lists!, payments } }))
  await assert.rejects(refused, /more than 50000 entries for this period/)
  const quota = { perSec: 10, burst: 2, waitingPerSec: 10, waitingBurst: 2 }
  let pages = 0
  const listFivePages: Pager<Listed<Charge>> = async () => {
    pages += 1
    return { items: [item], next: pages < 5 ? String(pages) : null }
  }
  const { exitCode } = await check(
    withLive({ quota, lists: { ...deps.backends.live.lists!, payments: listFivePages } }),
  )
  assert.deepEqual([exitCode, pages], [0, 5])
  const [budget] = await rows<{ tokens: number }>(
    db,
    "select tokens from lookup_budgets where upstream = 'sandbox'",
  )
  assert.ok(budget!.tokens < 2)
})

test('wrong days are refused with the reason, and help explains the differences', async () => {
  const run = (...args: string[]) => books.run(depsInAnHour, args)
  for (const [args, message] of [
    [[], /^Usage: npm run pazar -- books check/],
    [['compare'], /^Usage/],
    [['check', '--since', '2026-11-01'], /^Usage/],
    [['check', 'now', '--from', '2026-11-01', '--to', '2026-11-02'], /^Usage/],
    [['check', '--to', '2026-11-01'], /^--from is missing/],
    [['check', '--from', '2026-11-01'], /^--to is missing/],
    [
      ['check', '--from', '2026-02-30', '--to', '2026-03-01'],
      /^--from must be a day such as .* not 2026-02-30/,
    ],
    [['check', '--from', '01.11.2026', '--to', '2026-11-01'], /^--from must be a day/],
    [['check', '--from', '2026-11-01', '--to', '2026-11-01T00:00:00Z'], /^--to must be a day/],
    [['check', '--from', '2026-11-02', '--to', '2026-11-01'], /^--to is before --from/],
    [['check', '--from', '2020-01-01', '--to', '2020-06-01'], /^At most 100 days/],
    [
      ['check', '--from', today(), '--to', toDay(depsInAnHour.clock.nowMs() + 2 * DAY_MS)],
      /^--to is in the future/,
    ],
  ] as const)
    await assert.rejects(run(...args), (error) => error instanceof UsageError && message.test(error.message))
  assert.match(toHelp(books), /missing here +the upstream moved money/)
})
