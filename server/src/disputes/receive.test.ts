import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startPayments } from '../../test/payments.ts'
import { payFor } from '../../test/refunds.ts'
import type { Backend, DisputeReport } from '../backends/backend.ts'
import type { Listed } from '../backends/pager.ts'
import { toDate } from '../lib/clock.ts'
import { listDisputes } from './disputes-store.ts'
import { createDisputePoll, receiveDispute } from './receive.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const START_MS = Date.parse('2026-11-16T12:00:00Z')
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const report: Listed<DisputeReport> = {
  paymentId: null,
  chargeId: 'ch_of_other_business',
  status: 'open',
  amount: 1_000n,
  currency: 'EUR',
  upstreamRef: 'du_1',
  reason: null,
  respondBy: null,
  createdAt: null,
  scale: null,
}

function createPolled(upstreamRole: 'current' | 'previous' = 'current') {
  const lists: { sinceMs: number; cursor: string | null }[] = []
  const upstream = { pages: 1, isFailing: false, isOffered: true, nowMs: START_MS, lists, listed: report }
  const disputes: NonNullable<Backend['disputes']> = {
    pollMs: MINUTE_MS,
    isOffered: async () => upstream.isOffered,
    list: async ({ since, cursor }) => {
      lists.push({ sinceMs: since.getTime(), cursor })
      if (upstream.isFailing) throw new Error('the upstream does not respond')
      const next = Number(cursor ?? 0) + 1
      return { items: [upstream.listed], next: next < upstream.pages ? String(next) : null }
    },
  }
  const { disputes: _none, ...plain } = deps.backends.live
  const polled = { ...deps.backends.live, disputes }
  const poll = createDisputePoll({
    ...deps,
    clock: { ...deps.clock, nowMs: () => upstream.nowMs },
    backends:
      upstreamRole === 'current'
        ? { live: polled, test: polled, previous: [] }
        : { live: plain, test: plain, previous: [polled] },
  })
  return { upstream, lists, poll }
}

test('the first poll reads the disputes of the last three days; a later poll overlaps the previous one by ten minutes', async () => {
  const { upstream, lists, poll } = createPolled()
  await poll()
  upstream.nowMs += MINUTE_MS
  await poll()
  assert.deepEqual(
    lists.map(({ sinceMs }) => sinceMs),
    [START_MS - 3 * DAY_MS, START_MS - 10 * MINUTE_MS],
  )
})

test('an upstream is not polled more often than its pollMs says', async () => {
  const { upstream, lists, poll } = createPolled()
  await poll()
  upstream.nowMs += MINUTE_MS - 1
  await poll()
  assert.equal(lists.length, 1)
  upstream.nowMs += 1
  await poll()
  assert.equal(lists.length, 2)
})

test('if a poll fails, the next poll reads the same range again, after the usual pause', async () => {
  const { upstream, lists, poll } = createPolled()
  upstream.isFailing = true
  await poll()
  await poll()
  assert.equal(lists.length, 1)
  upstream.isFailing = false
  upstream.nowMs += 60 * MINUTE_MS
  await poll()
  assert.deepEqual(lists.at(-1), { sinceMs: START_MS - 3 * DAY_MS, cursor: null })
})

test('one poll reads every page of a list, up to a hundred pages', async () => {
  const { upstream, lists, poll } = createPolled()
  upstream.pages = 3
  await poll()
  assert.deepEqual(
    lists.map(({ cursor }) => cursor),
    [null, '1', '2'],
  )
  upstream.pages = Infinity
  upstream.nowMs += MINUTE_MS
  lists.length = 0
  await poll()
  assert.equal(lists.length, 100)
})

test('a list that is too long for one poll is continued by the next polls', async () => {
  const { upstream, lists, poll } = createPolled()
  upstream.pages = 250
  for (let polls = 0; polls < 3; polls += 1) {
    await poll()
    upstream.nowMs += MINUTE_MS
  }
  assert.deepEqual(
    lists.map(({ cursor }) => Number(cursor ?? 0)),
    Array.from({ length: 250 }, (_, page) => page),
  )
  assert.ok(lists.every(({ sinceMs }) => sinceMs === START_MS - 3 * DAY_MS))
  upstream.pages = 1
  await poll()
  // The pages may lack disputes that were opened during these polls, so the next list starts ten minutes before the first
  // page was read.
  assert.deepEqual(lists.at(-1), { sinceMs: START_MS - 10 * MINUTE_MS, cursor: null })
})

test('a continued list whose cursor fails is read again from its beginning', async () => {
  const { upstream, lists, poll } = createPolled()
  upstream.pages = 150
  await poll()
  upstream.isFailing = true
  upstream.nowMs += MINUTE_MS
  await poll()
  assert.equal(lists.at(-1)?.cursor, '100')
  upstream.isFailing = false
  upstream.pages = 1
  upstream.nowMs += MINUTE_MS
  await poll()
  assert.deepEqual(lists.at(-1), { sinceMs: START_MS - 3 * DAY_MS, cursor: null })
  upstream.nowMs += MINUTE_MS
  await poll()
  assert.deepEqual(lists.at(-1), { sinceMs: START_MS + 2 * MINUTE_MS - 10 * MINUTE_MS, cursor: null })
})

test('once a day, a poll reads all disputes since the oldest open one, and the end of that dispute is recorded', async () => {
  const payment = await payFor(deps, projectId)
  await receiveDispute(deps, deps.backends.live, { ...report, paymentId: payment.id, upstreamRef: 'du_old' })
  const openedMs = Date.parse('2026-10-01T12:00:00Z')
  await rows(db, 'alter table disputes disable trigger disputes_guard')
  await rows(db, 'update disputes set opened_at = $1', [toDate(openedMs)])
  await rows(db, 'alter table disputes enable trigger disputes_guard')
  const { upstream, lists, poll } = createPolled()
  for (const pauseMs of [0, MINUTE_MS, DAY_MS]) {
    upstream.nowMs += pauseMs
    await poll()
  }
  const sinceMs = openedMs - 3 * DAY_MS
  assert.deepEqual(
    lists.map((one) => one.sinceMs),
    [sinceMs, START_MS - 10 * MINUTE_MS, sinceMs],
  )
  upstream.listed = { ...report, paymentId: payment.id, upstreamRef: 'du_old', status: 'won' }
  for (let polls = 0; polls < 2; polls += 1) {
    upstream.nowMs += DAY_MS
    await poll()
  }
  assert.equal((await listDisputes(db, projectId, payment.id))[0]!.state, 'won')
  assert.deepEqual(
    lists.slice(3).map((one) => one.sinceMs),
    [sinceMs, upstream.nowMs - DAY_MS - 10 * MINUTE_MS],
  )
})

test('an upstream that offers no disputes is not polled', async () => {
  const { upstream, lists, poll } = createPolled()
  upstream.isOffered = false
  await poll()
  assert.equal(lists.length, 0)
})

test('a previous upstream is polled too', async () => {
  const { lists, poll } = createPolled('previous')
  await poll()
  assert.equal(lists.length, 1)
})

test('a dispute report without a payment id is accepted even if its charge is unknown; a report with an unknown payment id is not accepted', async () => {
  const { live } = deps.backends
  assert.equal(await receiveDispute(deps, live, report), true)
  const unknown = { ...report, paymentId: '019a8f0e-0000-7000-8000-000000000001' }
  assert.equal(await receiveDispute(deps, live, unknown), false)
})
