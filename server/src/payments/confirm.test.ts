import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { assertBooksAgree, listSandboxMovements } from '../../test/ledger-check.ts'
import {
  listCallbacks,
  newOrder,
  requirePayment,
  resolveOpenPayments,
  startPayments,
  recordStatements,
} from '../../test/payments.ts'
import { freePort } from '../../test/service-process.ts'
import type { Backend } from '../backends/backend.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Deps } from '../wire.ts'
import { confirmPayment } from './confirm.ts'
import type { Confirmation } from './confirm.ts'
import type { Order, Payment } from './payment.ts'
import { recordReport } from './record-report.ts'

const { deps, projectId } = await startPayments()

async function confirm(order: Order, payDeps: Deps = deps): Promise<Payment> {
  return requireConfirmed(await confirmPayment(payDeps, order))
}

function requireConfirmed(outcome: Confirmation): Payment {
  assert.equal(outcome.kind, 'payment')
  return outcome.kind === 'payment' ? outcome.payment : assert.fail()
}

function withUpstream(backend: Partial<Backend>): Deps {
  return { ...deps, backends: { ...deps.backends, live: { ...deps.backends.live, ...backend } } }
}

function loseConnection(): never {
  throw new ServiceError('unavailable', { log: 'database: the connection was lost' })
}

test('a payment takes two statements in two commits, and no transaction is open during the call to the upstream', async () => {
  let openTransactions = -1
  const upstream = withUpstream({
    async create(charge) {
      const text = `select from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`
      openTransactions = (await rows(deps.db, text)).length
      return deps.backends.live.create(charge)
    },
  })
  const work = recordStatements(upstream)
  const payment = await confirm(newOrder(projectId, { customId: 'two-statements' }), work.deps)
  assert.equal(payment.state, 'succeeded')
  assert.deepEqual(work.statements, ['payments.open', 'payments.settle_order'])
  assert.equal(work.commits(), 2)
  assert.equal(openTransactions, 0)
})

for (const [amount, state, failureCode] of [
  [1500n, 'succeeded', null],
  [4000n, 'failed', 'declined'],
  [4001n, 'failed', 'insufficient_funds'],
  [4002n, 'processing', null],
  [4003n, 'processing', null],
  [4004n, 'requires_action', null],
  [4005n, 'processing', null],
  [4006n, 'failed', 'kyc_required'],
] as const) {
  test(`amount ${amount} results in "${state}", and the same attempt returns the same payment`, async () => {
    const order = newOrder(projectId, { amount, customId: `amount-${amount}` })
    const first = await confirm(order)
    assert.equal(first.state, state)
    assert.equal(first.failureCode, failureCode)
    assert.deepEqual(await confirm(order), first)
    assert.deepEqual(await requirePayment(deps.db, first.id), first)
    assert.equal(
      (await listCallbacks(deps.db, first.id)).length,
      state === 'succeeded' || state === 'failed' ? 1 : 0,
    )
  })
}

test('another attempt for a paid order gets "already paid", or "conflict" if its amount or data differ', async () => {
  const order = newOrder(projectId, { customId: 'paid', data: 'Kafa' })
  await confirm(order)
  const sameOrder = newOrder(projectId, { customId: 'paid', data: 'Kafa' })
  assert.deepEqual(await confirmPayment(deps, sameOrder), { kind: 'already_paid' })
  assert.deepEqual(await confirmPayment(deps, { ...sameOrder, amount: 5n }), { kind: 'conflict' })
  assert.deepEqual(await confirmPayment(deps, { ...sameOrder, data: null }), { kind: 'conflict' })
  assert.equal((await confirm({ ...sameOrder, mode: 'test' })).state, 'succeeded')
  const text = "select from transactions where custom_id = 'paid' and mode = 'live'"
  assert.equal((await rows(deps.db, text)).length, 1)
})

test('a second attempt gets "in flight" while the first is open; after a failure the order can be paid', async () => {
  const withoutResponse = newOrder(projectId, { amount: 4003n, customId: 'in-flight' })
  const { id } = await confirm(withoutResponse)
  const outcome = await confirmPayment(deps, newOrder(projectId, { amount: 4003n, customId: 'in-flight' }))
  assert.equal(outcome.kind === 'in_flight' && outcome.payment.id, id)
  await resolveOpenPayments(deps)
  assert.equal((await requirePayment(deps.db, id)).state, 'failed')
  assert.equal((await confirm(newOrder(projectId, { customId: 'in-flight' }))).state, 'succeeded')
})

test('an order whose failed payment is in review cannot be paid until the review has ended', async () => {
  const order = newOrder(projectId, { amount: 4000n, customId: 'in-review' })
  const { id } = await confirm(order)
  const setReview = (value: boolean) =>
    rows(deps.db, 'update transactions set needs_review = $2 where id = $1', [id, value])
  await setReview(true)
  const secondAttempt = { ...order, attemptId: randomUUID() }
  const outcome = await confirmPayment(deps, secondAttempt)
  assert.equal(outcome.kind === 'in_flight' && outcome.payment.id, id)
  assert.deepEqual(await confirmPayment(deps, { ...secondAttempt, amount: 1500n }), { kind: 'conflict' })
  assert.equal((await confirm(order)).id, id, 'the same attempt gets the same payment')
  assert.equal((await confirm({ ...secondAttempt, mode: 'test', attemptId: randomUUID() })).state, 'failed')
  await setReview(false)
  assert.equal((await confirm({ ...secondAttempt, amount: 1500n })).state, 'succeeded')
})

test('a paid order is "already paid" even if another of its payments is in review', async () => {
  const order = newOrder(projectId, { amount: 4000n, customId: 'review-after-paid' })
  const { id } = await confirm(order)
  const paid = { ...order, attemptId: randomUUID(), amount: 1500n }
  assert.equal((await confirm(paid)).state, 'succeeded')
  await rows(deps.db, 'update transactions set needs_review = true where id = $1', [id])
  assert.deepEqual(await confirmPayment(deps, { ...paid, attemptId: randomUUID() }), { kind: 'already_paid' })
})

test('a payment whose request failed with an unknown outcome is due for a lookup within seconds', async () => {
  const { id } = await confirm(newOrder(projectId, { amount: 4002n }))
  const text = "select next_check_at <= now() + interval '5 seconds' as soon from transactions where id = $1"
  assert.deepEqual(await rows(deps.db, text, [id]), [{ soon: true }])
})

test('if the payment that blocks an order fails while a new payment is being opened, the new payment is opened immediately', async () => {
  const otherPayment = await confirm(newOrder(projectId, { amount: 4002n, customId: 'freed' }))
  const work = recordStatements(deps, async (name, run) => {
    if (name === 'payments.find_rival') await recordReport(deps, otherPayment, 'never_sent')
    return run()
  })
  const order = newOrder(projectId, { customId: 'freed' })
  assert.equal((await confirm(order, work.deps)).state, 'succeeded')
  // The sandbox has charged the other payment, but our record says that the payment failed. In the last test, this charge
  // would not match our payments.
  await rows(deps.db, 'delete from sandbox_charges where id = $1', [otherPayment.id])
})

test('if the commit of a new payment is not acknowledged, the payment is found again and sent to the upstream once', async () => {
  const work = recordStatements(deps, async (name, run) => {
    const result = await run()
    return name === 'payments.open' ? loseConnection() : result
  })
  const order = newOrder(projectId, { customId: 'open-unknown' })
  const payment = await confirm(order, work.deps)
  assert.equal(payment.state, 'succeeded')
  assert.deepEqual(work.statements, ['payments.open', 'payments.find_rival', 'payments.settle_order'])
  assert.deepEqual(await confirm(order), payment)
})

test('a payment that could not be stored is refused with "unavailable", and nothing is sent to the upstream', async () => {
  const movementsBefore = (await listSandboxMovements(deps.db)).length
  const work = recordStatements(deps, (name, run) => (name === 'payments.open' ? loseConnection() : run()))
  const order = newOrder(projectId, { customId: 'not-stored' })
  await assert.rejects(confirmPayment(work.deps, order), { code: 'unavailable' })
  assert.equal((await listSandboxMovements(deps.db)).length, movementsBefore)
  assert.equal((await confirm(order)).state, 'succeeded')
})

test('if the commit of the outcome is not acknowledged, the payment is read again', async () => {
  const work = recordStatements(deps, async (name, run) => {
    const result = await run()
    return name.startsWith('payments.settle') ? loseConnection() : result
  })
  const payment = await confirm(newOrder(projectId), work.deps)
  assert.equal(payment.state, 'succeeded')
  assert.equal((await listCallbacks(deps.db, payment.id)).length, 1)
})

test('if the database is lost after the charge, the payment stays "processing" and the charge is found later', async () => {
  const work = recordStatements(deps, (name, run) => (name === 'payments.open' ? run() : loseConnection()))
  const charging = { ...work.deps, backends: deps.backends }
  const payment = await confirm(newOrder(projectId), charging)
  assert.equal(payment.state, 'processing')
  await resolveOpenPayments(deps)
  assert.equal((await requirePayment(deps.db, payment.id)).state, 'succeeded')
})

test('an exception in the adapter of the upstream counts as an unknown outcome: the payment stays open until a lookup', async () => {
  const broken = withUpstream({ create: () => Promise.reject(new TypeError('oops')) })
  const payment = await confirm(newOrder(projectId), broken)
  assert.equal(payment.state, 'processing')
  await resolveOpenPayments(deps)
  assert.equal((await requirePayment(deps.db, payment.id)).failureCode, 'not_charged')
})

test('if the upstream cannot be reached, the payment fails, and another attempt opens a new payment', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const unreachable = await startPayments({
    BACKEND: 'http',
    BACKEND_URL: url,
    BACKEND_SECRET: 'x'.repeat(32),
  })
  const order = newOrder(unreachable.projectId, { customId: 'unreachable' })
  const payment = await confirm(order, unreachable.deps)
  assert.equal(payment.state, 'failed')
  assert.equal(payment.failureCode, 'upstream_unavailable')
  assert.deepEqual(await confirm(order, unreachable.deps), payment)
  const retried = await confirm({ ...order, attemptId: randomUUID() }, unreachable.deps)
  assert.notEqual(retried.id, payment.id)
})

test('a process that was paused between storing and sending does not send the charge', async () => {
  let nowMs = deps.clock.nowMs()
  let sentCount = 0
  const paused: Deps = {
    ...withUpstream({
      create: (charge) => {
        sentCount += 1
        return deps.backends.live.create(charge)
      },
    }),
    clock: { nowMs: () => nowMs },
    failpoint: (step) => {
      // S1: the payment is stored and not sent yet.
      if (step === 'S1') nowMs += 60_000
    },
  }
  const payment = await confirm(newOrder(projectId), paused)
  assert.equal(payment.state, 'failed')
  assert.equal(sentCount, 0)
})

test('after all tests the payments match the ledger of the upstream', async () => {
  await resolveOpenPayments(deps)
  const text = "select id from transactions where state = 'requires_action'"
  for (const { id } of await rows<{ id: string }>(deps.db, text))
    await recordReport(deps, await requirePayment(deps.db, id), await deps.backends.live.cancel(id))
  await assertBooksAgree(deps.db)
})
