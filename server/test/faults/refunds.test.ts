// Refunds under races and beside refunds made at the bank: two replicas over real HTTP and the reference
// upstream with its own ledger. Never more than was paid, never twice, and both ledgers agree afterwards.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createHttpBackend } from '../../src/backends/http.ts'
import type { Payment } from '../../src/payments/payment.ts'
import type { Deps } from '../../src/wire.ts'
import { rows } from '../accounts.ts'
import { count } from '../counts.ts'
import { addPayProject } from '../payer.ts'
import { startPayments } from '../payments.ts'
import type { HttpRefund } from '../refunds.ts'
import { compareRefunds, makeRefundToken, payFor, postRefund, resolveRefunds, sumsOf } from '../refunds.ts'
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

/** The same upstream with a short timeout instead of ten seconds. */
function withShortCalls(on: Deps): Deps {
  const options = { url: upstream.url, secret: UPSTREAM_SECRET, clock: on.clock, callTimeoutMs: 1_000 }
  return { ...on, backends: { ...on.backends, live: createHttpBackend(options) } }
}

/** Acts like a careful client: sends the same request again while the service is busy. */
async function send(base: string, payment: Payment, fields: { amount?: string; idempotencyKey: string }) {
  for (;;) {
    const answer = await postRefund(base, token, payment, fields)
    if (answer.status !== 503 && answer.status !== 0) return answer
  }
}

/** Sends all requests at the same moment, alternating between the two replicas. */
function sendAll(
  payment: Payment,
  requests: readonly { amount?: string; idempotencyKey: string }[],
): Promise<HttpRefund[]> {
  return Promise.all(requests.map((fields, index) => send(bases[index % 2]!, payment, fields)))
}

/** A client that had to repeat its request gets 200 instead of 201. */
const isMade = ({ status }: HttpRefund) => status === 201 || status === 200

const newKeys = (times: number, amount?: string) =>
  Array.from({ length: times }, () => ({ idempotencyKey: randomUUID(), ...(amount && { amount }) }))

/** A double click, or a client that repeats: every response is the same refund. */
async function oneKey(payment: Payment, requests: number): Promise<void> {
  const idempotencyKey = randomUUID()
  const answers = await sendAll(
    payment,
    Array.from({ length: requests }, () => ({ idempotencyKey, amount: '700' })),
  )
  assert.ok(answers.filter(({ status }) => status === 201).length <= 1)
  assert.ok(answers.every(isMade))
  assert.equal(new Set(answers.map(({ refund }) => refund?.id)).size, 1)
  const stored = await rows(db, 'select from refunds where transaction_id = $1', [payment.id])
  assert.equal(stored.length, 1)
}

/** Parts that fit only a few times. */
async function manyParts(payment: Payment, requests: number): Promise<void> {
  const answers = await sendAll(payment, newKeys(requests, '400'))
  const made = answers.filter(isMade)
  assert.equal(made.length, Math.min(requests, 3))
  for (const { status, code } of answers.filter((one) => !made.includes(one)))
    assert.deepEqual([status, code], [409, 'refund_exceeds'])
}

/** All that is left, requested many times. */
async function manyWhole(payment: Payment, requests: number): Promise<void> {
  const answers = await sendAll(payment, newKeys(requests))
  assert.equal(answers.filter(isMade).length, 1)
  await until(async () => {
    await resolveRefunds(replicas[1])
    return (await sumsOf(db, payment.id)).refunded === 1500n
  }, 'it is refunded')
}

/** The webhook of each refund arrives before the response. */
async function webhookFirst(payment: Payment, requests: number): Promise<void> {
  const answers = await sendAll(payment, newKeys(Math.min(requests, 2), '4018'))
  assert.ok(answers.every(isMade))
}

const RACES: readonly [amount: bigint, race: (payment: Payment, requests: number) => Promise<void>][] = [
  [1500n, oneKey],
  [1500n, manyParts],
  [1500n, manyWhole],
  [9000n, webhookFirst],
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
  const wrong = await rows(
    db,
    `select r.id, r.state, count(c.id) from refunds r left join callbacks c on c.refund_id = r.id
     group by r.id, r.state having count(c.id) <> case r.state when 'returned' then 2 else 1 end`,
  )
  assert.deepEqual(wrong, [])
}

test('refunds of one payment at the same time, over two replicas: never above the amount, never twice', async (t) => {
  const rounds = count('refundRaces', t)
  for (let round = 0; round < rounds; round += 1) {
    const [amount, race] = RACES[round % RACES.length]!
    const requests = round % 10 === 0 ? 50 : 2 + (round % 7)
    await race(await payFor(deps, projectId, { amount }), requests)
  }
  const above = await rows(db, 'select from transactions where refunded + refunds_processing > amount')
  assert.equal(above.length, 0)
  await assertBooksAgree()
  await assertReportedOnce()
})

test('a refund made at the bank is adopted once, whatever we refund at the same time', async () => {
  for (let round = 0; round < 5; round += 1) {
    const payment = await payFor(deps, projectId)
    await Promise.all([
      upstream.refundAtBank(payment.id, 500n),
      send(bases[round % 2]!, payment, { amount: '600', idempotencyKey: randomUUID() }),
    ])
    const ended = 'select from refunds where transaction_id = $1 and completed_at is not null'
    await until(async () => (await rows(db, ended, [payment.id])).length === 2, 'it is adopted')
    const origins = await rows(
      db,
      'select origin, amount, state from refunds where transaction_id = $1 order by amount',
      [payment.id],
    )
    assert.deepEqual(origins, [
      { origin: 'upstream', amount: 500n, state: 'succeeded' },
      { origin: 'api', amount: 600n, state: 'succeeded' },
    ])
    const left = await send(bases[0], payment, { idempotencyKey: randomUUID() })
    assert.equal(left.refund?.amount, '400')
  }
  await assertBooksAgree()
  await assertReportedOnce()
})

test('a refund at the bank above what is left is recorded, puts the payment in review and raises one incident', async () => {
  const payment = await payFor(deps, projectId)
  await send(bases[0], payment, { amount: '1000', idempotencyKey: randomUUID() })
  await upstream.refundAtBank(payment.id, 1000n)
  await until(async () => (await sumsOf(db, payment.id)).refunded === 2000n, 'it is recorded')
  const review = 'select needs_review from transactions where id = $1 and needs_review'
  await until(async () => (await rows(db, review, [payment.id])).length === 1, 'it is in review')
  const incidents = await rows(db, "select from incidents where kind = 'refund_exceeds' and subject = $1", [
    payment.id,
  ])
  assert.equal(incidents.length, 1)
  const more = await send(bases[0], payment, { amount: '1', idempotencyKey: randomUUID() })
  assert.deepEqual([more.status, more.code], [409, 'not_refundable'])
  await assertBooksAgree()
})

test('a refund that the upstream processes ends by its webhook, and one that comes back is returned', async () => {
  const payment = await payFor(deps, projectId, { amount: 20_000n })
  const slow = await send(bases[1], payment, { amount: '4016', idempotencyKey: randomUUID() })
  assert.deepEqual([slow.refund?.state, slow.refund?.pendingReason], ['processing', 'processing'])
  const back = await send(bases[0], payment, { amount: '4009', idempotencyKey: randomUUID() })
  assert.equal(back.refund?.state, 'succeeded')
  const states = 'select amount, state from refunds where transaction_id = $1 order by amount'
  await until(async () => {
    const found = await rows<{ state: string }>(db, states, [payment.id])
    return found.map(({ state }) => state).join() === 'returned,succeeded'
  }, 'both have changed by webhook')
  assert.equal((await sumsOf(db, payment.id)).refunded, 4016n)
  await assertBooksAgree()
  await assertReportedOnce()
})
