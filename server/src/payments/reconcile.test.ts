import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { assertBooksAgree } from '../../test/ledger-check.ts'
import { callbacksOf, makeDue, newOrder, requireStored, startPayments } from '../../test/payments.ts'
import type { Backend } from '../backends/backend.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import { finishBankStep } from '../backends/sandbox.ts'
import type { Deps } from '../wire.ts'
import { confirmPayment } from './confirm.ts'
import type { Payment } from './payment.ts'
import { claimUnresolved } from './payments-store.ts'
import { abandonBankStep, reconcileOnce, refreshPayment } from './reconcile.ts'

const { deps, projectId, replica, logs } = await startPayments()
const { db } = deps

async function open(amount: bigint, on: Deps = deps): Promise<Payment> {
  const outcome = await confirmPayment(on, newOrder(projectId, { amount }))
  return outcome.kind === 'payment' ? outcome.payment : assert.fail(outcome.kind)
}

function on(backend: Partial<Backend>): Deps {
  const sandbox = { ...deps.backends.live, ...backend }
  return { ...deps, backends: { live: sandbox, test: sandbox } }
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

test('no answer, but charged: asking finds it, and the shop is told once', async () => {
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

test('no answer and not charged: closed upstream first, then failed, and told once', async () => {
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

test('while the request that opened it may still be sending, nobody asks', async () => {
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

test('an upstream that promises nothing leaves the payment open, however often it is asked', async () => {
  const { id } = await open(4003n)
  for (const silent of [on({ find: away }), on({ cancel: away })]) {
    await reconcile(silent)
    assert.equal((await requireStored(db, id)).state, 'processing')
  }
  await reconcile()
  assert.equal((await requireStored(db, id)).state, 'failed')
})

test('an upstream that is down gets a pause after each batch instead of the whole queue at once', async () => {
  await Promise.all(Array.from({ length: 20 }, () => open(4002n)))
  let asked = 0
  const down = on({
    find: () => {
      asked += 1
      return away()
    },
  })
  await makeDue(db)
  assert.equal(await reconcileOnce(down), 0)
  assert.equal(asked, 16)
  await makeDue(db)
  assert.equal(await reconcileOnce(deps), 16)
  await reconcile()
})

test('one that cannot be asked does not keep the others waiting', async () => {
  const bad = await open(4003n)
  const good = await open(4002n)
  await reconcile(on({ find: (id) => (id === bad.id ? away() : deps.backends.live.find(id)) }))
  assert.equal((await requireStored(db, bad.id)).state, 'processing')
  assert.equal((await requireStored(db, good.id)).state, 'succeeded')
  await reconcile()
})

/** Now and the next question in one transaction, whose clock stands still. */
async function pausesOf(id: string, count: number): Promise<number[]> {
  const pauses: number[] = []
  for (let round = 0; round < count; round += 1) {
    await makeDue(db)
    await db.transaction(async (tx) => {
      await claimUnresolved(tx, 100, 30)
      const text =
        'select extract(epoch from next_check_at - now())::float as sec from transactions where id = $1'
      const [row] = await rows<{ sec: number }>(tx, text, [id])
      pauses.push(row!.sec)
    })
  }
  return pauses
}

test('questions come quickly at first, then every 15 s, then by the minute, and after a day four times an hour', async () => {
  const { id } = await open(4003n)
  assert.deepEqual(await pausesOf(id, 7), [1, 2, 4, 8, 15, 15, 15])
  const age = 'update transactions set created_at = now() - $2::interval where id = $1'
  await rows(db, age, [id, '11 minutes'])
  assert.deepEqual(await pausesOf(id, 1), [60])
  await rows(db, age, [id, '25 hours'])
  assert.deepEqual(await pausesOf(id, 1), [900])
  await reconcile()
})

test('a bank page that is open is asked about by the minute, and kept open until its time', async () => {
  const { id } = await open(4004n)
  assert.deepEqual(await pausesOf(id, 2), [60, 60])
  await ageAction(id, 29)
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

test('a payer who approves in the last moment has paid, not expired', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 31)
  await finishBankStep(db, id, 'approve')
  await reconcile()
  assert.equal((await requireStored(db, id)).state, 'succeeded')
})

test('starting anew goes on only once the open bank step is closed upstream', async () => {
  const payment = await open(4004n)
  assert.equal((await abandonBankStep(on({ cancel: away }), payment)).mayStartAnew, false)
  assert.equal((await requireStored(db, payment.id)).state, 'requires_action')
  const { payment: ended, mayStartAnew } = await abandonBankStep(deps, payment)
  assert.deepEqual([mayStartAnew, ended.state, ended.failureCode], [true, 'expired', 'cancelled'])
  assert.equal((await abandonBankStep(deps, ended)).mayStartAnew, true)
})

test('starting anew is refused while the old attempt is in review', async () => {
  const payment = await open(4004n)
  const { payment: ended } = await abandonBankStep(deps, payment)
  assert.equal((await abandonBankStep(deps, { ...ended, needsReview: true })).mayStartAnew, false)
})

test('starting anew is refused where the old attempt turns out to be paid, or may still be', async () => {
  const approved = await open(4004n)
  await finishBankStep(db, approved.id, 'approve')
  const outcome = await abandonBankStep(deps, approved)
  assert.deepEqual([outcome.mayStartAnew, outcome.payment.state], [false, 'succeeded'])
  const silent = await open(4002n)
  assert.equal((await abandonBankStep(deps, silent)).mayStartAnew, false)
  await reconcile()
})

test("a payer's look brings the payment up to date, and never closes it", async () => {
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

test('two replicas never ask about the same payment at once', async () => {
  const second = await replica()
  const opened = await Promise.all(Array.from({ length: 20 }, () => open(4002n)))
  const asked: string[] = []
  const find: Backend['find'] = (id) => {
    asked.push(id)
    return deps.backends.live.find(id)
  }
  await makeDue(db)
  const asking = [deps, second].map((one) => {
    const backend = { ...one.backends.live, find }
    return { ...one, backends: { live: backend, test: backend } }
  })
  await Promise.all(asking.map((one) => reconcileOnce(one)))
  await Promise.all(asking.map((one) => reconcileOnce(one)))
  assert.deepEqual(asked.toSorted(), opened.map((payment) => payment.id).toSorted())
})

test('after all of this the books agree', () => assertBooksAgree(db))
