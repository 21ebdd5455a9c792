// The sandbox charges the amounts 4002 and 4005, but does not respond. With the amount 4003 the sandbox neither charges
// nor responds. With the amount 4004 the sandbox sends the payer to its bank page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { assertBooksAgree } from '../../test/ledger-check.ts'
import { listCallbacks, countIncidents, makeLookupsDue, requirePayment } from '../../test/payments.ts'
import type { Backend } from '../backends/backend.ts'
import type { Deps } from '../wire.ts'
import { closeUnresolved } from './incidents.ts'
import type { Payment } from './payment.ts'
import { reconcileOnce, refreshPayment } from './reconcile.ts'
import { startReconciledPayments } from '../../test/reconciled-payments.ts'

const { deps, replica, logs, db, open, withUpstream, noResponse, reconcile, pausesOf } =
  await startReconciledPayments()

test('if the upstream charged but did not respond, a lookup finds the charge, and the merchant is notified once', async () => {
  for (const amount of [4002n, 4005n]) {
    const { id } = await open(amount)
    await reconcile()
    await reconcile()
    assert.equal((await requirePayment(db, id)).state, 'succeeded')
    assert.deepEqual(
      (await listCallbacks(db, id)).map((row) => row.result),
      ['success'],
    )
  }
})

test('if the upstream neither responded nor charged, the payment is closed upstream and fails', async () => {
  const { id } = await open(4003n)
  await reconcile()
  const ended = await requirePayment(db, id)
  assert.deepEqual([ended.state, ended.failureCode], ['failed', 'not_charged'])
  assert.equal((await deps.backends.live.find(id))?.status, 'cancelled')
  assert.deepEqual(
    (await listCallbacks(db, id)).map((row) => row.result),
    ['fail'],
  )
})

test('a payment is not looked up while the request that opened it may still be in progress', async () => {
  const stalled = Promise.withResolvers<void>()
  // S1: the payment is stored and not sent yet.
  const stalling: Deps = { ...deps, failpoint: (step) => (step === 'S1' ? stalled.promise : undefined) }
  const confirming = open(1500n, stalling)
  const text =
    "select next_check_at > created_at + interval '25 seconds' as later from transactions where id = $1"
  let found: Payment | undefined
  while (!found) {
    const [row] = await rows<{ id: string }>(db, "select id from transactions where state = 'processing'")
    found = row && (await requirePayment(db, row.id))
  }
  assert.equal(await reconcileOnce(deps), 0)
  assert.deepEqual(await rows(db, text, [found.id]), [{ later: true }])
  stalled.resolve()
  assert.equal((await confirming).state, 'succeeded')
})

test('a payment stays open until the upstream confirms its cancellation, however often it is looked up', async () => {
  const { id } = await open(4003n)
  for (const failing of [withUpstream({ find: noResponse }), withUpstream({ cancel: noResponse })]) {
    await reconcile(failing)
    assert.equal((await requirePayment(db, id)).state, 'processing')
  }
  await reconcile()
  assert.equal((await requirePayment(db, id)).state, 'failed')
})

test('while an upstream is down, lookups pause after each batch instead of trying all due payments', async () => {
  await Promise.all(Array.from({ length: 20 }, () => open(4002n)))
  let calls = 0
  const down = withUpstream({
    find: () => {
      calls += 1
      return noResponse()
    },
  })
  await makeLookupsDue(db)
  assert.equal(await reconcileOnce(down), 0)
  assert.equal(calls, 16, 'a batch has 16 lookups')
  await makeLookupsDue(db)
  assert.equal(await reconcileOnce(deps), 16)
  await reconcile()
})

test('a failing lookup does not delay the lookups of other payments', async () => {
  const failing = await open(4003n)
  const working = await open(4002n)
  await reconcile(
    withUpstream({ find: (id) => (id === failing.id ? noResponse() : deps.backends.live.find(id)) }),
  )
  assert.equal((await requirePayment(db, failing.id)).state, 'processing')
  assert.equal((await requirePayment(db, working.id)).state, 'succeeded')
  await reconcile()
})

test('lookups are frequent at first, then every 15 s, then every minute, and after a day every 15 minutes', async () => {
  const { id } = await open(4003n)
  assert.deepEqual(await pausesOf(id, 7), [1, 2, 4, 8, 15, 15, 15])
  const age = 'update transactions set created_at = now() - $2::interval where id = $1'
  await rows(db, age, [id, '11 minutes'])
  assert.deepEqual(await pausesOf(id, 1), [60])
  await rows(db, age, [id, '25 hours'])
  assert.deepEqual(await pausesOf(id, 1), [900])
  await reconcile()
})

test('if an upstream responds only after more than 50 lookups, the payment ends as that response reports', async () => {
  const { id } = await open(4002n)
  for (let round = 0; round < 60; round += 1)
    await reconcile(withUpstream({ find: noResponse, cancel: noResponse }))
  const [row] = await rows<{ checks: number }>(db, 'select checks from transactions where id = $1', [id])
  assert.ok(row!.checks >= 60)
  assert.equal((await requirePayment(db, id)).state, 'processing')
  await reconcile()
  assert.equal((await requirePayment(db, id)).state, 'succeeded')
})

test('an outcome that stays unknown for a day raises an incident, which reopens the next day if it was closed', async () => {
  const { id } = await open(4003n)
  const age = 'update transactions set created_at = now() - $2::interval where id = $1'
  const failing = withUpstream({ find: noResponse })
  await rows(db, age, [id, '23 hours'])
  await reconcile(failing)
  assert.equal(await countIncidents(db, 'unresolved', id), 0)
  await rows(db, age, [id, '25 hours'])
  await reconcile(failing)
  assert.equal(await countIncidents(db, 'unresolved', id), 1)
  const text = "select id, closed_at from incidents where kind = 'unresolved' and subject = $1"
  const incident = async () => (await rows<{ id: number; closed_at: Date | null }>(db, text, [id]))[0]!
  await closeUnresolved(deps, id)
  await reconcile(failing)
  assert.notEqual((await incident()).closed_at, null)
  await rows(db, age, [id, '49 hours'])
  await reconcile(failing)
  assert.equal((await incident()).closed_at, null)
  await reconcile()
  assert.deepEqual(
    [(await requirePayment(db, id)).state, (await incident()).closed_at === null],
    ['failed', false],
  )
})

test('a payment that stays "processing" upstream is left open for days, and cancelled upstream after two weeks', async () => {
  const { id } = await open(4004n)
  const age = 'update transactions set created_at = now() - $2::interval where id = $1'
  const found: Backend['find'] = async (one) => ({
    ...(await deps.backends.live.find(one))!,
    status: 'processing',
    actionUrl: null,
  })
  const calls: unknown[] = []
  const cancel: Backend['cancel'] = (one, options) => {
    calls.push(options)
    return deps.backends.live.cancel(one)
  }
  await rows(db, age, [id, '13 days'])
  await reconcile(withUpstream({ find: found, cancel }))
  assert.deepEqual([(await requirePayment(db, id)).state, calls], ['requires_action', []])
  assert.equal(await countIncidents(db, 'unresolved', id), 0)
  await rows(db, age, [id, '14 days'])
  await reconcile(withUpstream({ find: found, cancel }))
  const ended = await requirePayment(db, id)
  assert.deepEqual(
    [ended.state, ended.failureCode, calls],
    ['expired', 'expired', [{ evenIfPayerFinished: true }]],
  )
})

test('a charge of another amount puts an open payment in review, and the payment is then looked up once an hour', async () => {
  const { id } = await open(4002n)
  const findOtherAmount: Backend['find'] = async (one) => ({
    ...(await deps.backends.live.find(one))!,
    amount: 4001n,
  })
  await reconcile(withUpstream({ find: findOtherAmount }))
  const stored = await requirePayment(db, id)
  assert.deepEqual([stored.state, stored.needsReview], ['processing', true])
  assert.equal(await countIncidents(db, 'mismatch', id), 1)
  assert.deepEqual(await pausesOf(id, 2), [3600, 3600])
  await reconcile()
})

test("a payer's page looks up the payment, but never closes the payment", async () => {
  const charged = await open(4002n)
  assert.equal((await refreshPayment(deps, charged)).state, 'succeeded')
  const unknown = await open(4003n)
  assert.equal((await refreshPayment(deps, unknown)).state, 'processing')
  assert.equal(await deps.backends.live.find(unknown.id), null)
  assert.equal((await refreshPayment(withUpstream({ find: noResponse }), unknown)).state, 'processing')
  await reconcile()
})

test('a payment of an upstream that is no longer configured stays open', async () => {
  const withOtherUpstream: Deps = {
    ...deps,
    backends: { ...deps.backends, live: { ...deps.backends.live, name: 'http' } },
  }
  const { id } = await open(4003n, withOtherUpstream)
  await reconcile()
  assert.equal((await requirePayment(db, id)).state, 'processing')
  assert.ok(logs.some((line) => line.includes(`the upstream http of transaction ${id} is not configured`)))
  await reconcile(withOtherUpstream)
  assert.equal((await requirePayment(db, id)).state, 'failed')
})

test('two replicas never look up the same payment at the same time', async () => {
  const second = await replica()
  const opened = await Promise.all(Array.from({ length: 20 }, () => open(4002n)))
  const calls: string[] = []
  const find: Backend['find'] = (id) => {
    calls.push(id)
    return deps.backends.live.find(id)
  }
  await makeLookupsDue(db)
  const countingReplicas = [deps, second].map((one) => {
    const backend = { ...one.backends.live, find }
    return { ...one, backends: { live: backend, test: backend, previous: [] } }
  })
  await Promise.all(countingReplicas.map((one) => reconcileOnce(one)))
  await Promise.all(countingReplicas.map((one) => reconcileOnce(one)))
  assert.deepEqual(calls.toSorted(), opened.map((payment) => payment.id).toSorted())
})

test('after all tests the payments match the ledger of the upstream', () => assertBooksAgree(db))
