// Refunds of one payment are requested at two replicas at the same moment. The upstream adds and changes refunds.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createHttpBackend } from '../../src/backends/http.ts'
import type { Payment } from '../../src/payments/payment.ts'
import type { Deps } from '../../src/wire.ts'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { addPayProject } from '../payer.ts'
import { startPayments } from '../payments.ts'
import type { HttpRefund } from '../refunds.ts'
import { compareRefunds, makeRefundToken, payFor, postRefund, resolveRefunds, readSums } from '../refunds.ts'
import { freePort } from '../service-process.ts'
import { until } from '../until.ts'
import { startUpstream, UPSTREAM_SECRET } from '../upstream-process.ts'
import { serve } from './serve.ts'

const port = await freePort()
const upstream = await startUpstream({ webhookUrl: `http://127.0.0.1:${port}/upstream/http/webhook` })
after(() => upstream.stop())
const { deps, replica } = await startPayments(upstream.env)
const { db } = deps
const replicas = [withShortCalls(deps), withShortCalls(await replica())] as const
const bases = [await serve(replicas[0], port), await serve(replicas[1])] as const
const { id: projectId } = await addPayProject(deps)
await rows(db, "update projects set events = '{payment.result,refund.result}' where id = $1", [projectId])
const token = await makeRefundToken(deps, projectId)

function withShortCalls(replicaDeps: Deps): Deps {
  const options = {
    url: upstream.url,
    secret: UPSTREAM_SECRET,
    clock: replicaDeps.clock,
    callTimeoutMs: 1_000,
  }
  return { ...replicaDeps, backends: { ...replicaDeps.backends, live: createHttpBackend(options) } }
}

/** Repeats the request while the service is busy (503) or does not respond. */
async function send(base: string, payment: Payment, fields: { amount?: string; idempotencyKey: string }) {
  for (;;) {
    const response = await postRefund(base, token, payment, fields)
    if (response.status !== 503 && response.status !== 0) return response
  }
}

function sendAll(
  payment: Payment,
  requests: readonly { amount?: string; idempotencyKey: string }[],
): Promise<HttpRefund[]> {
  return Promise.all(requests.map((fields, index) => send(bases[index % 2]!, payment, fields)))
}

/** A client that repeats its request may get 200 instead of 201. */
const isMade = ({ status }: HttpRefund) => status === 201 || status === 200

const newKeys = (times: number, amount?: string) =>
  Array.from({ length: times }, () => ({ idempotencyKey: randomUUID(), ...(amount && { amount }) }))

/** Sends one request many times. Every response shows the same refund. */
async function repeatOneKey(payment: Payment, requests: number): Promise<void> {
  const idempotencyKey = randomUUID()
  const responses = await sendAll(
    payment,
    Array.from({ length: requests }, () => ({ idempotencyKey, amount: '700' })),
  )
  assert.ok(responses.filter(({ status }) => status === 201).length <= 1)
  assert.ok(responses.every(isMade))
  assert.equal(new Set(responses.map(({ refund }) => refund?.id)).size, 1)
  const stored = await rows(db, 'select from refunds where transaction_id = $1', [payment.id])
  assert.equal(stored.length, 1)
}

async function requestManyParts(payment: Payment, requests: number): Promise<void> {
  const responses = await sendAll(payment, newKeys(requests, '400'))
  const madeRefunds = responses.filter(isMade)
  assert.equal(madeRefunds.length, Math.min(requests, 3))
  for (const { status, code } of responses.filter((one) => !madeRefunds.includes(one)))
    assert.deepEqual([status, code], [409, 'refund_exceeds'])
}

/** Sends many requests for the whole amount. One refund is made. */
async function requestWholeManyTimes(payment: Payment, requests: number): Promise<void> {
  const responses = await sendAll(payment, newKeys(requests))
  assert.equal(responses.filter(isMade).length, 1)
  await until(async () => {
    await resolveRefunds(replicas[1])
    return (await readSums(db, payment.id)).refunded === 1500n
  }, 'the payment is refunded')
}

async function requestWithEarlyWebhooks(payment: Payment, requests: number): Promise<void> {
  const responses = await sendAll(payment, newKeys(Math.min(requests, 2), '4018'))
  assert.ok(responses.every(isMade))
}

const RACES: readonly [amount: bigint, race: (payment: Payment, requests: number) => Promise<void>][] = [
  [1500n, repeatOneKey],
  [1500n, requestManyParts],
  [1500n, requestWholeManyTimes],
  [9000n, requestWithEarlyWebhooks],
]

async function assertBooksAgree(): Promise<void> {
  await until(async () => {
    await resolveRefunds(replicas[0])
    return (await compareRefunds(db, await upstream.books())).length === 0
  }, 'both ledgers agree').catch(async () =>
    assert.deepEqual(await compareRefunds(db, await upstream.books()), []),
  )
}

async function assertReportedOnce(): Promise<void> {
  const wronglyReported = await rows(
    db,
    `select r.id, r.state, count(c.id) from refunds r left join callback_states c on c.refund_id = r.id
     group by r.id, r.state having count(c.id) <> case r.state when 'returned' then 2 else 1 end`,
  )
  assert.deepEqual(wronglyReported, [])
}

test('refunds at two replicas at the same time never exceed the payment, and none is made twice', async (t) => {
  const rounds = countRounds('refundRaces', t)
  for (let round = 0; round < rounds; round += 1) {
    const [amount, race] = RACES[round % RACES.length]!
    const requests = round % 10 === 0 ? 50 : 2 + (round % 7)
    await race(await payFor(deps, projectId, { amount }), requests)
  }
  const overRefunded = await rows(db, 'select from transactions where refunded + refunds_processing > amount')
  assert.equal(overRefunded.length, 0)
  await assertBooksAgree()
  await assertReportedOnce()
})

test('a refund made at the upstream is stored once, even if the service makes another refund at the same time', async () => {
  for (let round = 0; round < 5; round += 1) {
    const payment = await payFor(deps, projectId)
    await Promise.all([
      upstream.refundAtBank(payment.id, 500n),
      send(bases[round % 2]!, payment, { amount: '600', idempotencyKey: randomUUID() }),
    ])
    const ended = 'select from refunds where transaction_id = $1 and completed_at is not null'
    await until(async () => (await rows(db, ended, [payment.id])).length === 2, 'both refunds are stored')
    const origins = await rows(
      db,
      'select origin, amount, state from refunds where transaction_id = $1 order by amount',
      [payment.id],
    )
    assert.deepEqual(origins, [
      { origin: 'upstream', amount: 500n, state: 'succeeded' },
      { origin: 'api', amount: 600n, state: 'succeeded' },
    ])
    const refundOfRest = await send(bases[0], payment, { idempotencyKey: randomUUID() })
    assert.equal(refundOfRest.refund?.amount, '400')
  }
  await assertBooksAgree()
  await assertReportedOnce()
})

test('an upstream refund that exceeds the payment is recorded and puts the payment in review, with one incident', async () => {
  const payment = await payFor(deps, projectId)
  await send(bases[0], payment, { amount: '1000', idempotencyKey: randomUUID() })
  await upstream.refundAtBank(payment.id, 1000n)
  await until(async () => (await readSums(db, payment.id)).refunded === 2000n, 'the refund is recorded')
  const review = 'select needs_review from transactions where id = $1 and needs_review'
  await until(async () => (await rows(db, review, [payment.id])).length === 1, 'the payment is in review')
  const incidents = await rows(db, "select from incidents where kind = 'refund_exceeds' and subject = $1", [
    payment.id,
  ])
  assert.equal(incidents.length, 1)
  const oneMore = await send(bases[0], payment, { amount: '1', idempotencyKey: randomUUID() })
  assert.deepEqual([oneMore.status, oneMore.code], [409, 'not_refundable'])
  await assertBooksAgree()
})

test('a webhook ends a refund that was "processing", and a refund that the bank sends back becomes "returned"', async () => {
  const payment = await payFor(deps, projectId, { amount: 20_000n })
  // The upstream takes some time for a refund of 4016, and the bank sends a refund of 4009 back.
  const slow = await send(bases[1], payment, { amount: '4016', idempotencyKey: randomUUID() })
  assert.deepEqual([slow.refund?.state, slow.refund?.pendingReason], ['processing', 'processing'])
  const returned = await send(bases[0], payment, { amount: '4009', idempotencyKey: randomUUID() })
  assert.equal(returned.refund?.state, 'succeeded')
  const states = 'select amount, state from refunds where transaction_id = $1 order by amount'
  await until(async () => {
    const found = await rows<{ state: string }>(db, states, [payment.id])
    return found.map(({ state }) => state).join() === 'returned,succeeded'
  }, 'webhooks have changed both refunds')
  assert.equal((await readSums(db, payment.id)).refunded, 4016n)
  await assertBooksAgree()
  await assertReportedOnce()
})
