import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createHttpBackend } from '../../src/backends/http.ts'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { pressPay, openForToken, toOutcome } from '../http-payer.ts'
import { assertBooksAgree, findDifferences } from '../ledger-check.ts'
import { addPayProject } from '../payer.ts'
import { listCallbacks, requirePayment, resolveOpenPayments, startPayments } from '../payments.ts'
import { plainResponse, startRawServer } from '../raw-server.ts'
import type { Reply } from '../raw-server.ts'
import { freePort } from '../service-process.ts'
import { until } from '../until.ts'
import { startUpstream, UPSTREAM_SECRET } from '../upstream-process.ts'
import { serve } from './serve.ts'

const upstream = await startUpstream()
const { deps } = await startPayments(upstream.env)
const { db } = deps
const shop = await addPayProject(deps)
const baseUrl = await serve(deps)
after(() => upstream.stop())

const referenceBackend = deps.backends.live

function useUpstreamAt(url: string): void {
  const options = { secret: UPSTREAM_SECRET, clock: deps.clock, accounts: referenceBackend.accounts }
  deps.backends = { ...deps.backends, live: createHttpBackend({ ...options, url, callTimeoutMs: 4_000 }) }
}

async function pay(customId: string, amount = '1500') {
  const response = await pressPay(baseUrl, await openForToken(baseUrl, shop, { amount, customId }))
  const [row] = await rows<{ id: string }>(
    db,
    'select id from transactions where custom_id = $1 order by id desc limit 1',
    [customId],
  )
  return { outcome: toOutcome(response), status: response.status, id: row!.id }
}

async function findIncidentKinds(id: string): Promise<string[]> {
  const text = 'select kind from incidents where transaction_id = $1 order by id'
  return (await rows<{ kind: string }>(db, text, [id])).map((row) => row.kind)
}

test('when the upstream is down or its name does not resolve, the payment fails, and the order can be paid later', async () => {
  await upstream.kill()
  const down = await pay('F14')
  assert.deepEqual([down.status, down.outcome], [402, 'payment_failed'])
  assert.equal((await requirePayment(db, down.id)).failureCode, 'upstream_unavailable')
  useUpstreamAt('http://upstream.invalid')
  assert.equal((await pay('F14')).outcome, 'payment_failed')
  useUpstreamAt(`http://127.0.0.1:${await freePort()}`)
  assert.equal((await pay('F14')).outcome, 'payment_failed')
  deps.backends = { ...deps.backends, live: referenceBackend }
  await upstream.start()
  assert.equal((await pay('F14')).outcome, 'succeeded')
  await assertBooksAgree(db, await upstream.books())
})

test('when the upstream refuses a charge, the payment fails, and the order can be paid again', async () => {
  for (const [amount, code] of [
    ['4000', 'declined'],
    ['4001', 'insufficient_funds'],
    ['4006', 'kyc_required'],
  ] as const) {
    const refused = await pay('F17', amount)
    assert.deepEqual([refused.status, (await requirePayment(db, refused.id)).failureCode], [402, code])
  }
  assert.equal((await pay('F17')).outcome, 'succeeded')
  await assertBooksAgree(db, await upstream.books())
})

/** Amounts of examples/upstream/src/scripts.ts whose outcome is unknown at first, with the later state and incidents. */
const SCRIPTS: readonly (readonly [amount: string, state: string, incidents: string[]])[] = [
  ['4002', 'succeeded', []],
  ['4003', 'failed', []],
  ['4005', 'succeeded', []],
  ['4010', 'succeeded', []],
  ['4011', 'succeeded', ['mismatch']],
  ['4012', 'succeeded', []],
  ['4013', 'succeeded', ['mismatch']],
  ['4014', 'succeeded', ['mismatch']],
  ['4015', 'succeeded', ['mismatch']],
  ['4016', 'succeeded', []],
]

test('a payment whose outcome is unknown at first gets the right state and incidents without an operator', async (t) => {
  const total = countRounds('unknownOutcomes', t)
  // Payments of some amounts take the whole timeout, so many payments are made at the same time.
  const AT_ONCE = 50
  useUpstreamAt(upstream.url)
  for (let done = 0; done < total; done += AT_ONCE) {
    const opened = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, total - done) }, async (_, index) => {
        const script = SCRIPTS[(done + index) % SCRIPTS.length]!
        return { script, payment: await pay(`unknown-${done + index}`, script[0]) }
      }),
    )
    for (const { script, payment } of opened) assert.equal(payment.outcome, 'processing', script[0])
    await resolveOpenPayments(deps, 30)
    for (const { script, payment } of opened) {
      const [amount, state, incidents] = script
      assert.equal((await requirePayment(db, payment.id)).state, state, amount)
      assert.deepEqual(await findIncidentKinds(payment.id), incidents, amount)
    }
  }
  deps.backends = { ...deps.backends, live: referenceBackend }
  await assertBooksAgree(db, await upstream.books())
})

function json(value: unknown): Reply {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return plainResponse('200 OK', text, 'content-type: application/json')
}

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const MUTATIONS: readonly [what: string, mutate: (good: Record<string, unknown>) => unknown][] = [
  ['one cent more', (good) => ({ ...good, amount: '1501' })],
  ['one cent less', (good) => ({ ...good, amount: '1499' })],
  ['a hundred times as much', (good) => ({ ...good, amount: '150000' })],
  ['an amount of zero', (good) => ({ ...good, amount: '0' })],
  ['another currency', (good) => ({ ...good, currency: 'RSD' })],
  ['no currency', (good) => ({ ...good, currency: '' })],
  ['the id of another payment', (good) => ({ ...good, id: ID })],
  ['the id in capitals', (good) => ({ ...good, id: String(good['id']).toUpperCase() })],
  ["another merchant's project", (good) => ({ ...good, projectId: 'kxxxxxxxxxxxxxxxxxxxxxxx' })],
  ['a list', (good) => [good]],
  ['the response inside a "data" field', (good) => ({ data: good })],
  ['no id', ({ id: _id, ...rest }) => rest],
  ['no amount', ({ amount: _amount, ...rest }) => rest],
  ['no status', ({ status: _status, ...rest }) => rest],
  ['success as a flag', ({ status: _status, ...rest }) => ({ ...rest, successful: true })],
  ['an amount with a comma', (good) => ({ ...good, amount: '15,00' })],
  ['an amount as a float', (good) => ({ ...good, amount: 1500.01 })],
  ['a response that is cut off', (good) => JSON.stringify(good).slice(0, -5)],
  ['the status twice', (good) => JSON.stringify(good).replace('{', '{"status":"failed",')],
  ['an HTML page', () => '<!doctype html><title>Welcome</title>'],
  ['an empty response', () => ''],
  ['null', () => 'null'],
]

for (const [index, [what, mutate]] of MUTATIONS.entries()) {
  test(`a wrong response to a charge (${what}) raises an incident and does not end the payment`, async (t) => {
    const wrongUpstream = await startRawServer(t, (socket, request) => {
      const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(request)![0]
      json(mutate({ id, status: 'succeeded', amount: '1500', currency: 'EUR' }))(socket, request)
    })
    useUpstreamAt(`http://127.0.0.1:${wrongUpstream.port}`)
    const { id, outcome } = await pay(`F18-${index}`)
    assert.equal(outcome, 'processing')
    await resolveOpenPayments(deps, 2)
    assert.equal((await requirePayment(db, id)).state, 'processing')
    assert.deepEqual(await findIncidentKinds(id), ['mismatch'])
    assert.deepEqual(await listCallbacks(db, id), [])
    assert.equal(wrongUpstream.requests.filter((text) => text.startsWith('POST /payments HTTP')).length, 1)
    // The reference upstream does not know the payment.
    deps.backends = { ...deps.backends, live: referenceBackend }
    await resolveOpenPayments(deps, 30)
    assert.equal((await requirePayment(db, id)).state, 'failed')
    await assertBooksAgree(db, await upstream.books())
  })
}

test('if the upstream charges twice after one request, the second charge is detected', async (t) => {
  const port = await freePort()
  const doubleChargingUpstream = await startUpstream({
    webhookUrl: `http://127.0.0.1:${port}/upstream/http/webhook`,
  })
  t.after(() => doubleChargingUpstream.stop())
  const { deps: ownDeps } = await startPayments(doubleChargingUpstream.env)
  const url = await serve(ownDeps, port)
  const ownShop = await addPayProject(ownDeps)
  const token = await openForToken(url, ownShop, { amount: '4019', customId: 'F19' })
  assert.equal(toOutcome(await pressPay(url, token)), 'succeeded')
  assert.equal(toOutcome(await pressPay(url, token)), 'succeeded')
  const books = await doubleChargingUpstream.books()
  assert.deepEqual([books.payments.length, books.charges.length], [1, 2])
  await until(async () => {
    const found = await rows<{ kind: string }>(ownDeps.db, 'select kind from incidents')
    return found.some((row) => row.kind === 'charged_twice')
  }, 'the second charge is an incident')
  const payment = await requirePayment(ownDeps.db, books.payments[0]!.id)
  assert.deepEqual([payment.state, payment.needsReview], ['succeeded', true])
  assert.equal((await listCallbacks(ownDeps.db, payment.id)).length, 1)
  // The second charge is the only difference between the ledgers.
  assert.deepEqual(await findDifferences(ownDeps.db, books.charges), [`${payment.id} was charged 2 times`])
  // The payment is in review but still paid.
  assert.equal(toOutcome(await pressPay(url, token)), 'succeeded')
})
