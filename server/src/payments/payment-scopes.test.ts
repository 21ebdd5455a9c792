import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createIncidents } from '../../test/incidents.ts'
import { newOrder, startPayments } from '../../test/payments.ts'
import type { StoredPayment } from '../../test/transactions.ts'
import { toDate } from '../lib/clock.ts'
import { insertPayments } from '../../test/transactions.ts'
import { newUuidV7 } from '../lib/id.ts'
import { countOpenPayments } from './backlog-store.ts'
import { recordBankPage } from './bank-step-store.ts'
import { checkNow, checkSoon, claimDue, listDueUpstreams, listOpen, stopChecks } from './checks-store.ts'
import { closeIncident } from './incidents.ts'
import { listEndedPayments } from './lost-results-store.ts'
import { openPayment } from './payments-store.ts'
import { settle } from './settle.ts'
import { findBackend } from './upstream.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

beforeEach(async () => {
  await rows(db, 'truncate transactions, incidents, callbacks cascade')
})

const open = async (backend = 'sandbox', fields: Parameters<typeof newOrder>[1] = {}) =>
  (await openPayment(db, newUuidV7(deps.clock), newOrder(projectId, fields), backend))!

const insert = async (fields: StoredPayment) => (await insertPayments(deps, projectId, [fields]))[0]!

async function dueInSec(id: string): Promise<number | null> {
  const text =
    'select round(extract(epoch from next_check_at - now()))::int as sec from transactions where id = $1'
  return (await rows<{ sec: number | null }>(db, text, [id]))[0]!.sec
}

/** The seconds count down while the test runs. On a busy machine they may be up to 24 fewer than expected. */
function assertDueIn(sec: number | null, expected: number, message?: string): void {
  assert.ok(
    sec !== null && sec <= expected && sec > expected - 25,
    message ?? `${sec} instead of ${expected}`,
  )
}

const setDue = (id: string, sec: number) =>
  rows(
    db,
    'update transactions set next_check_at = now() + make_interval(secs => $2::float8) where id = $1',
    [id, sec],
  )

const { raise, incidentOf } = createIncidents(deps)

test('the backlog counts open payments and incidents, and says for each upstream how long its oldest due lookup has waited', async () => {
  assert.deepEqual(await countOpenPayments(db), { count: 0, oldestSec: 0, lookupWaitsSec: {}, incidents: 0 })
  const [first, second, other] = [await open(), await open(), await open('http')]
  await insert({ state: 'failed' })
  await setDue(other.id, 60)
  await setDue(first.id, 600)
  await setDue(second.id, 60)
  assert.deepEqual(
    (await countOpenPayments(db)).lookupWaitsSec,
    { http: 0, sandbox: 0 },
    'nothing is due yet',
  )
  await setDue(first.id, -90)
  await setDue(second.id, -30)
  await setDue(other.id, -200)
  await raise(first.id)
  await raise(second.id)
  await closeIncident(deps, (await incidentOf('mismatch', second.id)).id)
  const backlog = await countOpenPayments(db)
  assert.deepEqual([backlog.count, backlog.incidents], [3, 1])
  assertDueIn(-Math.round(backlog.lookupWaitsSec['sandbox']!), -90)
  assertDueIn(-Math.round(backlog.lookupWaitsSec['http']!), -200)
})

test('checkSoon moves the next lookup of a processing payment to an earlier time, and checkNow does so for any open payment', async () => {
  const processing = await open()
  await checkSoon(db, processing.id)
  assertDueIn(await dueInSec(processing.id), 1)
  const atBank = await open()
  await recordBankPage(db, atBank.id, 'https://bank.example/')
  await checkSoon(db, atBank.id)
  assertDueIn(await dueInSec(atBank.id), 60, 'the payer is still at the bank')
  await checkNow(db, atBank.id)
  assertDueIn(await dueInSec(atBank.id), 0)
  await setDue(atBank.id, -100)
  await checkNow(db, atBank.id)
  assertDueIn(await dueInSec(atBank.id), -100, 'a lookup that is overdue keeps its time')
  const ended = await insert({ state: 'failed' })
  await setDue(ended, 500)
  await checkNow(db, ended)
  await checkSoon(db, ended)
  assert.ok((await dueInSec(ended))! > 400, 'an ended payment is not looked up')
  await stopChecks(db, processing.id)
  assertDueIn(await dueInSec(processing.id), 1, 'an open payment is always looked up')
})

const claim = (limit = 10) =>
  claimDue(db, { backend: 'sandbox', quota: null, limit, toNextCheckMs: (_, nowMs) => nowMs + 60_000 })

test('only due payments of the given upstream are claimed; the payment that has been due longest comes first, and none is claimed twice', async () => {
  const [dueShortly, dueLongest, notDue, ofOtherUpstream] = [
    await open(),
    await open(),
    await open(),
    await open('http'),
  ]
  await setDue(dueShortly.id, -5)
  await setDue(dueLongest.id, -50)
  await setDue(notDue.id, 5)
  await setDue(ofOtherUpstream.id, -500)
  assert.deepEqual((await listDueUpstreams(db)).toSorted(), ['http', 'sandbox'])
  const claimed = await claim(1)
  assert.deepEqual(
    claimed.map(({ payment }) => payment.id),
    [dueLongest.id],
  )
  assert.deepEqual(
    (await claim()).map(({ payment }) => payment.id),
    [dueShortly.id],
  )
  assert.deepEqual(await claim(), [])
  assertDueIn(await dueInSec(dueLongest.id), 60)
  assert.deepEqual(await listDueUpstreams(db), ['http'])
  const [checks] = await rows(db, 'select checks from transactions where id = $1', [dueLongest.id])
  assert.deepEqual(checks, { checks: 1 })
  assert.deepEqual(
    (await listOpen(db, 2)).map(({ id }) => id),
    [ofOtherUpstream.id, notDue.id],
  )
})

test('a payment that another process has locked is not claimed', async () => {
  const { id } = await open()
  await setDue(id, -5)
  await db.transaction(async (tx) => {
    await rows(tx, 'select from transactions where id = $1 for update', [id])
    assert.deepEqual(await claim(), [])
  })
  assert.equal((await claim()).length, 1)
})

test('the daily check for lost results lists payments that ended in the last four days, even one that began 18 days ago', async () => {
  const ended = await insert({ state: 'failed' })
  await open()
  const listEnded = async (after: string | null) => (await listEndedPayments(db, after)).ids
  assert.deepEqual(await listEnded(null), [ended])
  assert.deepEqual(await listEnded(ended), [])
  const DAY_MS = 24 * 3_600_000
  const daysAgo = (days: number) => ({ ...deps, clock: { nowMs: () => deps.clock.nowMs() - days * DAY_MS } })
  const createdAt = (days: number) => toDate(deps.clock.nowMs() - days * DAY_MS).toISOString()
  // The time at which a payment began is in its id.
  const [slow] = await insertPayments(daysAgo(18), projectId, [
    { state: 'failed', createdAt: createdAt(3.9) },
    { state: 'failed', createdAt: createdAt(4.1) },
  ])
  assert.deepEqual(await listEnded(null), [slow, ended])
})

test('the end of a payment wakes the delivery and is counted; a second end of the payment does nothing', async () => {
  let woken = 0
  const ended: string[] = []
  const counting = {
    ...deps,
    wakeDelivery: () => (woken += 1),
    metrics: {
      ...deps.metrics,
      countEndedPayment: (...labels: string[]) => void ended.push(labels.join(' ')),
    },
  }
  const payment = await open('sandbox', { mode: 'test' })
  const end = { state: 'failed', failureCode: 'declined', upstreamRef: 'ch_1' } as const
  const settled = await settle(counting, payment, end)
  assert.deepEqual(
    [settled?.state, settled?.failureCode, settled?.upstreamRef],
    ['failed', 'declined', 'ch_1'],
  )
  assert.deepEqual([woken, ended], [1, ['test failed']])
  assert.equal(await settle(counting, payment, end), null)
  assert.deepEqual([woken, ended], [1, ['test failed']])
})

test('a payment is looked up only at the upstream and account it was opened with', () => {
  const backend = (name: 'http' | 'stripe' | 'sandbox', ...accounts: [string, ...(string | null)[]]) =>
    ({ name, accounts }) as never
  const backends = {
    live: backend('http', 'one'),
    test: backend('sandbox', 'sandbox', null),
    previous: [backend('stripe', 'acct_1', null), backend('http', 'two')],
  }
  const find = (name: string, upstreamAccount: string | null) =>
    findBackend(backends, { mode: 'live', backend: name, upstreamAccount })?.accounts[0] ?? null
  assert.equal(find('http', 'one'), 'one')
  assert.equal(find('http', 'two'), 'two')
  assert.equal(find('http', 'three'), null)
  assert.equal(find('http', null), null)
  assert.equal(find('stripe', null), 'acct_1')
  assert.equal(find('sandbox', null), 'sandbox')
})
