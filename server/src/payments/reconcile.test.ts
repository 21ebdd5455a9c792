import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { assertBooksAgree } from '../../test/ledger-check.ts'
import {
  callbacksOf,
  countIncidents,
  makeDue,
  newOrder,
  requireStored,
  startPayments,
} from '../../test/payments.ts'
import type { Backend } from '../backends/backend.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import { finishBankStep } from '../backends/sandbox.ts'
import type { Deps } from '../wire.ts'
import { claimDue } from './checks-store.ts'
import { toNextCheckMs } from './check-plan.ts'
import { confirmPayment } from './confirm.ts'
import { closeUnresolved } from './incidents.ts'
import type { Payment } from './payment.ts'
import { abandonBankStep, reconcileOnce, refreshPayment } from './reconcile.ts'

const { deps, projectId, replica, logs } = await startPayments()
const { db } = deps

async function open(amount: bigint, on: Deps = deps): Promise<Payment> {
  const outcome = await confirmPayment(on, newOrder(projectId, { amount }))
  return outcome.kind === 'payment' ? outcome.payment : assert.fail(outcome.kind)
}

function on(backend: Partial<Backend>): Deps {
  const sandbox = { ...deps.backends.live, ...backend }
  return { ...deps, backends: { live: sandbox, test: sandbox, previous: [] } }
}

const away = () => Promise.reject(new UnknownOutcomeError('away'))

async function ageAction(id: string, minutes: number): Promise<void> {
  await rows(db, 'update transactions set action_at = now() - make_interval(mins => $2) where id = $1', [
    id,
    minutes,
  ])
}

async function reconcile(on: Deps = deps): Promise<void> {
  await makeDue(db)
  await reconcileOnce(on)
}

test('no response, but charged: a lookup finds it, and the merchant is notified once', async () => {
  for (const amount of [4002n, 4005n]) {
    const { id } = await open(amount)
    await reconcile()
    await reconcile()
    assert.equal((await requireStored(db, id)).state, 'succeeded')
    assert.deepEqual(
      (await callbacksOf(db, id)).map((row) => row.result),
      ['success'],
    )
  }
})

test('no response and not charged: closed upstream first, then failed, and the merchant is notified once', async () => {
  const { id } = await open(4003n)
  await reconcile()
  const ended = await requireStored(db, id)
  assert.deepEqual([ended.state, ended.failureCode], ['failed', 'not_charged'])
  assert.equal((await deps.backends.live.find(id))?.status, 'cancelled')
  assert.deepEqual(
    (await callbacksOf(db, id)).map((row) => row.result),
    ['fail'],
  )
})

test('a payment is not looked up while the request that opened it may still be in progress', async () => {
  const stalled = Promise.withResolvers<void>()
  const stalling: Deps = { ...deps, failpoint: (step) => (step === 'S1' ? stalled.promise : undefined) }
  const confirming = open(1500n, stalling)
  const text =
    "select next_check_at > created_at + interval '25 seconds' as later from transactions where id = $1"
  let found: Payment | undefined
  while (!found) {
    const [row] = await rows<{ id: string }>(db, "select id from transactions where state = 'processing'")
    found = row && (await requireStored(db, row.id))
  }
  assert.equal(await reconcileOnce(deps), 0)
  assert.deepEqual(await rows(db, text, [found.id]), [{ later: true }])
  stalled.resolve()
  assert.equal((await confirming).state, 'succeeded')
})

test('a payment stays open until the upstream confirms the cancel, however often it is looked up', async () => {
  const { id } = await open(4003n)
  for (const failing of [on({ find: away }), on({ cancel: away })]) {
    await reconcile(failing)
    assert.equal((await requireStored(db, id)).state, 'processing')
  }
  await reconcile()
  assert.equal((await requireStored(db, id)).state, 'failed')
})

test('for an upstream that is down, lookups pause after each batch instead of trying all due payments', async () => {
  await Promise.all(Array.from({ length: 20 }, () => open(4002n)))
  let calls = 0
  const down = on({
    find: () => {
      calls += 1
      return away()
    },
  })
  await makeDue(db)
  assert.equal(await reconcileOnce(down), 0)
  assert.equal(calls, 16)
  await makeDue(db)
  assert.equal(await reconcileOnce(deps), 16)
  await reconcile()
})

test('a payment whose lookup fails does not delay the others', async () => {
  const bad = await open(4003n)
  const good = await open(4002n)
  await reconcile(on({ find: (id) => (id === bad.id ? away() : deps.backends.live.find(id)) }))
  assert.equal((await requireStored(db, bad.id)).state, 'processing')
  assert.equal((await requireStored(db, good.id)).state, 'succeeded')
  await reconcile()
})

async function pausesOf(id: string, count: number): Promise<number[]> {
  const pauses: number[] = []
  for (let round = 0; round < count; round += 1) {
    await makeDue(db)
    const due = await claimDue(db, {
      backend: 'sandbox',
      quota: null,
      limit: 100,
      toNextCheckMs: (open, nowMs) => toNextCheckMs(open, nowMs, 30),
    })
    const { nowMs } = due.find(({ payment }) => payment.id === id) ?? assert.fail('not due')
    const text =
      'select extract(epoch from next_check_at)::float * 1000 as ms from transactions where id = $1'
    const [row] = await rows<{ ms: number }>(db, text, [id])
    pauses.push(Math.round((row!.ms - nowMs) / 1000))
  }
  return pauses
}

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

test('an open bank page is looked up at growing intervals and stays open until its timeout', async () => {
  const { id } = await open(4004n)
  assert.deepEqual(await pausesOf(id, 2), [60, 60])
  await ageAction(id, 5)
  assert.deepEqual(await pausesOf(id, 1), [300])
  await ageAction(id, 29)
  assert.deepEqual(await pausesOf(id, 1), [60])
  await reconcile()
  assert.equal((await requireStored(db, id)).state, 'requires_action')
  await finishBankStep(db, id, 'approve')
  await reconcile()
  assert.equal((await requireStored(db, id)).state, 'succeeded')
})

test('a bank page open for too long is closed upstream, and then expired', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 31)
  await reconcile(on({ cancel: away }))
  assert.equal((await requireStored(db, id)).state, 'requires_action')
  await reconcile()
  const ended = await requireStored(db, id)
  assert.deepEqual([ended.state, ended.failureCode, ended.actionUrl], ['expired', 'expired', null])
  assert.deepEqual(
    (await callbacksOf(db, id)).map((row) => row.payload['failureCode']),
    ['expired'],
  )
  await finishBankStep(db, id, 'approve')
  assert.equal((await deps.backends.live.find(id))?.status, 'cancelled')
})

test('a payer who has finished at the bank is looked up before anything is closed, however late it is', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 31)
  await finishBankStep(db, id, 'approve')
  let cancels = 0
  const cancel = () => {
    cancels += 1
    return away()
  }
  await reconcile(on({ cancel }))
  assert.equal((await requireStored(db, id)).state, 'succeeded')
  assert.equal(cancels, 0)
})

test('a slow method is not closed because the time for the bank page is over', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 31)
  let cancels = 0
  const settling = on({
    find: async (one) => ({
      ...(await deps.backends.live.find(one))!,
      status: 'processing',
      actionUrl: null,
    }),
    cancel: (one) => {
      cancels += 1
      return deps.backends.live.cancel(one)
    },
  })
  for (let round = 0; round < 3; round += 1) await reconcile(settling)
  const now = await requireStored(db, id)
  assert.deepEqual([now.state, now.actionUrl, cancels], ['requires_action', null, 0])
  // Another one has been open for hours when the upstream responds again: the payer has finished, so nothing is in doubt.
  const { id: late } = await open(4004n)
  await ageAction(late, 30 + 361)
  await reconcile(settling)
  assert.equal((await requireStored(db, late)).needsReview, false)
  assert.equal(await countIncidents(db, 'unresolved', late), 0)
  for (const one of [id, late]) await finishBankStep(db, one, 'approve')
  await reconcile()
  for (const one of [id, late]) assert.equal((await requireStored(db, one)).state, 'succeeded')
})

test('a page that the upstream does not close is looked up less and less often, and then becomes an incident', async () => {
  const { id } = await open(4004n)
  const stuck = on({ cancel: away })
  await ageAction(id, 31)
  assert.deepEqual(await pausesOf(id, 1), [60])
  await ageAction(id, 30 + 20)
  assert.deepEqual(await pausesOf(id, 1), [1200])
  await reconcile(stuck)
  assert.equal(await countIncidents(db, 'unresolved', id), 0)
  await ageAction(id, 30 + 361)
  await reconcile(stuck)
  assert.equal(await countIncidents(db, 'unresolved', id), 1)
  const listed = await requireStored(db, id)
  assert.deepEqual([listed.state, listed.needsReview], ['requires_action', true])
  assert.deepEqual(await pausesOf(id, 1), [3600])
  // The upstream works again before an operator has decided.
  await reconcile()
  const ended = await requireStored(db, id)
  assert.deepEqual([ended.state, ended.needsReview], ['expired', false])
  const text =
    "select closed_at is not null as closed from incidents where kind = 'unresolved' and subject = $1"
  assert.deepEqual(await rows(db, text, [id]), [{ closed: true }])
})

test('an upstream that does not respond to more than 50 lookups and then does: the payment ends as it reports', async () => {
  const { id } = await open(4002n)
  for (let round = 0; round < 60; round += 1) await reconcile(on({ find: away, cancel: away }))
  const [row] = await rows<{ checks: number }>(db, 'select checks from transactions where id = $1', [id])
  assert.ok(row!.checks >= 60)
  assert.equal((await requireStored(db, id)).state, 'processing')
  await reconcile()
  assert.equal((await requireStored(db, id)).state, 'succeeded')
})

test('an outcome that stays unknown for a day is an incident, which reopens the next day if it was closed', async () => {
  const { id } = await open(4003n)
  const age = 'update transactions set created_at = now() - $2::interval where id = $1'
  const failing = on({ find: away })
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
    [(await requireStored(db, id)).state, (await incident()).closed_at === null],
    ['failed', false],
  )
})

test('a payment that stays "processing" upstream is left open for days, and cancelled there after two weeks', async () => {
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
  await reconcile(on({ find: found, cancel }))
  assert.deepEqual([(await requireStored(db, id)).state, calls], ['requires_action', []])
  assert.equal(await countIncidents(db, 'unresolved', id), 0)
  await rows(db, age, [id, '14 days'])
  await reconcile(on({ find: found, cancel }))
  const ended = await requireStored(db, id)
  assert.deepEqual([ended.state, ended.failureCode, calls], ['expired', 'expired', [{ isUnderway: true }]])
})

test('a charge of another amount puts an open payment in review, and it is looked up once an hour', async () => {
  const { id } = await open(4002n)
  const wrong: Backend['find'] = async (one) => ({ ...(await deps.backends.live.find(one))!, amount: 4001n })
  await reconcile(on({ find: wrong }))
  const now = await requireStored(db, id)
  assert.deepEqual([now.state, now.needsReview], ['processing', true])
  assert.equal(await countIncidents(db, 'mismatch', id), 1)
  assert.deepEqual(await pausesOf(id, 2), [3600, 3600])
  await reconcile()
})

test('a payment that the payer approves at the last moment succeeds and does not expire', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 31)
  await finishBankStep(db, id, 'approve')
  await reconcile()
  assert.equal((await requireStored(db, id)).state, 'succeeded')
})

test('starting over is allowed only once the open bank step is closed upstream', async () => {
  const payment = await open(4004n)
  assert.equal((await abandonBankStep(on({ cancel: away }), payment)).mayStartOver, false)
  assert.equal((await requireStored(db, payment.id)).state, 'requires_action')
  const { payment: ended, mayStartOver } = await abandonBankStep(deps, payment)
  assert.deepEqual([mayStartOver, ended.state, ended.failureCode], [true, 'expired', 'cancelled'])
  assert.equal((await abandonBankStep(deps, ended)).mayStartOver, true)
})

test('starting over is refused while the old attempt is in review', async () => {
  const payment = await open(4004n)
  const { payment: ended } = await abandonBankStep(deps, payment)
  assert.equal((await abandonBankStep(deps, { ...ended, needsReview: true })).mayStartOver, false)
})

test('starting over is refused if the old attempt turns out to be paid or may still be paid', async () => {
  const approved = await open(4004n)
  await finishBankStep(db, approved.id, 'approve')
  const outcome = await abandonBankStep(deps, approved)
  assert.deepEqual([outcome.mayStartOver, outcome.payment.state], [false, 'succeeded'])
  const silent = await open(4002n)
  assert.equal((await abandonBankStep(deps, silent)).mayStartOver, false)
  await reconcile()
})

test("a payer's page looks the payment up, and never closes it", async () => {
  const charged = await open(4002n)
  assert.equal((await refreshPayment(deps, charged)).state, 'succeeded')
  const unknown = await open(4003n)
  assert.equal((await refreshPayment(deps, unknown)).state, 'processing')
  assert.equal(await deps.backends.live.find(unknown.id), null)
  assert.equal((await refreshPayment(on({ find: away }), unknown)).state, 'processing')
  await reconcile()
})

test('a payment of an upstream that is no longer configured stays open', async () => {
  const other: Deps = {
    ...deps,
    backends: { ...deps.backends, live: { ...deps.backends.live, name: 'http' } },
  }
  const { id } = await open(4003n, other)
  await reconcile()
  assert.equal((await requireStored(db, id)).state, 'processing')
  assert.ok(logs.some((line) => line.includes(`the upstream http of transaction ${id} is not configured`)))
  await reconcile(other)
  assert.equal((await requireStored(db, id)).state, 'failed')
})

test('two replicas never look up the same payment at the same time', async () => {
  const second = await replica()
  const opened = await Promise.all(Array.from({ length: 20 }, () => open(4002n)))
  const calls: string[] = []
  const find: Backend['find'] = (id) => {
    calls.push(id)
    return deps.backends.live.find(id)
  }
  await makeDue(db)
  const asking = [deps, second].map((one) => {
    const backend = { ...one.backends.live, find }
    return { ...one, backends: { live: backend, test: backend, previous: [] } }
  })
  await Promise.all(asking.map((one) => reconcileOnce(one)))
  await Promise.all(asking.map((one) => reconcileOnce(one)))
  assert.deepEqual(calls.toSorted(), opened.map((payment) => payment.id).toSorted())
})

test('after all tests the payments match the ledger of the upstream', () => assertBooksAgree(db))
