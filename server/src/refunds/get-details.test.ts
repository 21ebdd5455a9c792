import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPage, TransactionDetails, TransactionView } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder } from '../../test/payments.ts'
import { payFor, requireRefund } from '../../test/refunds.ts'
import { confirmPayment } from '../payments/confirm.ts'

const service = await startTestService()
const { app, deps } = service
const GET_URL = '/sdk/transaction/get'
const owner = await signUp(app)
const { id: projectId } = await owner.addProject()
await owner.stepUp()

async function get(body: object, caller: Client = owner): Promise<TransactionDetails> {
  const response = await caller.post(GET_URL, { projectId, ...body })
  assert.equal(response.status, 200, response.text)
  return response.json<TransactionDetails>()
}

async function expectRefusal(status: number, body: object, caller: Client = owner) {
  const response = await caller.post(GET_URL, body)
  assert.equal(response.status, status, response.text)
  return response.json<{ code: string; errors?: { path: string; code: string }[] }>()
}

test('a payment is found by its id, and its refunds are listed with the oldest first', async () => {
  const { id } = await payFor(deps, projectId, { customId: 'order-1', data: 'Kafa' })
  const first = await requireRefund(owner, { id, projectId }, { amount: '500' })
  const second = await requireRefund(owner, { id, projectId }, { amount: '300', reason: 'Oštećeno' })
  const { transaction, refunds, disputes } = await get({ transactionId: id })
  assert.partialDeepStrictEqual(transaction, {
    id,
    customId: 'order-1',
    data: 'Kafa',
    amount: '1500',
    successful: true,
    refunded: '800',
    refundable: '700',
    disputed: '0',
    upstreamRef: null,
  })
  assert.deepEqual(refunds, [first, second])
  assert.deepEqual(disputes, [])
  const list = await owner.post('/sdk/transactions/list', { projectId, q: id })
  assert.deepEqual(list.json<{ items: TransactionView[] }>().items, [transaction])
})

async function decline(customId: string): Promise<string> {
  const outcome = await confirmPayment(deps, newOrder(projectId, { customId, amount: 4000n }))
  return outcome.kind === 'payment' ? outcome.payment.id : assert.fail(outcome.kind)
}

test('a request with a customId gets the paid payment of the order in the requested mode, or the newest payment if none is paid', async () => {
  const customId = 'order-2'
  const declined = await decline(customId)
  const find = async (mode?: string) => (await get({ customId, mode })).transaction.id
  assert.equal(await find(), declined)
  const newest = await decline(customId)
  assert.equal(await find(), newest)
  const paid = await payFor(deps, projectId, { customId })
  assert.equal(await find(), paid.id)
  const test = await payFor(deps, projectId, { customId, mode: 'test' })
  assert.equal(await find('test'), test.id)
  assert.equal(await find('live'), paid.id)
})

test('a token with the scope "read" gets a payment', async () => {
  const { token } = await makeToken(owner, { scope: 'read' })
  const { id } = await payFor(deps, projectId)
  assert.equal((await get({ transactionId: id }, clientWithToken(app, token))).transaction.id, id)
})

test('a request for a payment of another project or merchant gets the same 404 as a request for an unknown payment', async () => {
  const stranger = await signUp(app)
  const { id: foreignProject } = await stranger.addProject()
  const { id: otherProject } = await owner.addProject()
  const { id } = await payFor(deps, projectId, { customId: 'order-3' })
  const unknown = '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f'
  const problems = [
    await expectRefusal(404, { projectId, transactionId: id }, stranger),
    await expectRefusal(404, { projectId: foreignProject, transactionId: id }, stranger),
    await expectRefusal(404, { projectId: otherProject, transactionId: id }),
    await expectRefusal(404, { projectId: otherProject, customId: 'order-3' }),
    await expectRefusal(404, { projectId, transactionId: unknown }),
    await expectRefusal(404, { projectId, customId: 'nobody' }),
    await expectRefusal(404, { projectId: 'tz4a98xxat96iws9zmbrgj3a', transactionId: id }),
  ].map((problem) => ({ ...problem, requestId: '' }))
  for (const problem of problems) assert.deepEqual(problem, problems[0])
  assert.equal(problems[0]?.code, 'not_found')
})

test('callers without a session, from another site or with wrong fields are refused', async () => {
  const transactionId = '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f'
  assert.equal(
    (await expectRefusal(401, { projectId, transactionId }, new Client(app))).code,
    'unauthenticated',
  )
  const crossSite = await owner.post(
    GET_URL,
    { projectId, transactionId },
    { origin: 'https://evil.example.com' },
  )
  assert.deepEqual([crossSite.status, crossSite.code], [403, 'forbidden_origin'])
  const wrongBodies: [body: object, path: string][] = [
    [{ projectId }, 'transactionId'],
    [{ projectId, transactionId, customId: 'order-1' }, 'transactionId'],
    [{ projectId, transactionId: 'order-1' }, 'transactionId'],
    [{ projectId, customId: '' }, 'customId'],
    [{ projectId, customId: 'order-1', mode: 'both' }, 'mode'],
    [{ transactionId }, 'projectId'],
    [{ projectId, transactionId, nonsense: 1 }, 'nonsense'],
  ]
  for (const [body, path] of wrongBodies) {
    const { code, errors } = await expectRefusal(400, body)
    assert.deepEqual(
      [code, errors?.map((one) => one.path)],
      ['invalid_request', [path]],
      JSON.stringify(body),
    )
  }
})

test('a request above the limit per account is refused', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_TRANSACTION_GET: '1' })
  const caller = new Client(limited.app)
  for (const [name, value] of owner.jar) caller.jar.set(name, value)
  const { id } = await payFor(deps, projectId)
  await get({ transactionId: id }, caller)
  const response = await caller.post(GET_URL, { projectId, transactionId: id })
  assert.deepEqual([response.status, response.code], [429, 'rate_limited'])
})

test('payments can be filtered by whether they have refunds or disputes; the filter for refunds also works for CSV files', async () => {
  const { id: newProjectId } = await owner.addProject()
  const [untouched, partlyRefunded, disputed] = [
    await payFor(deps, newProjectId),
    await payFor(deps, newProjectId),
    await payFor(deps, newProjectId),
  ]
  await owner.stepUp()
  await requireRefund(owner, partlyRefunded, { amount: '1' })
  await rows(deps.db, 'update transactions set disputed = 1500 where id = $1', [disputed.id])
  const listIds = async (filters: object) => {
    const response = await owner.post('/sdk/transactions/list', { projectId: newProjectId, ...filters })
    const { items, total, totalExact } = response.json<{
      items: TransactionView[]
      total: number
      totalExact: boolean
    }>()
    assert.deepEqual([total, totalExact], [items.length, true])
    return items.map(({ id }) => id)
  }
  assert.deepEqual(await listIds({ refunded: true }), [partlyRefunded.id])
  assert.deepEqual(await listIds({ refunded: false }), [disputed.id, untouched.id])
  assert.deepEqual(await listIds({ disputed: true }), [disputed.id])
  assert.deepEqual(await listIds({ disputed: false, refunded: false }), [untouched.id])
  assert.deepEqual(await listIds({ refunded: true, completedFrom: '2020-01-01T00:00:00Z' }), [
    partlyRefunded.id,
  ])
  assert.deepEqual(await listIds({ refunded: true, q: partlyRefunded.id }), [partlyRefunded.id])
  const csv = await owner.get(`/portal/api/projects/${newProjectId}/transactions.csv?refunded=true`)
  assert.equal(csv.text.trim().split('\n').length, 2)
  assert.ok(csv.text.includes(partlyRefunded.id))
  const badFilter = await owner.get(`/portal/api/projects/${newProjectId}/transactions.csv?refunded=maybe`)
  assert.equal(badFilter.status, 400)
})

test('payments can be filtered by whether they are in review, with an exact total; the filter also works for CSV files', async () => {
  const { id: newProjectId } = await owner.addProject()
  const [reviewed, paid] = [await payFor(deps, newProjectId), await payFor(deps, newProjectId)]
  await rows(deps.db, 'update transactions set needs_review = true where id = $1', [reviewed.id])
  const list = async (filters: object) => {
    const response = await owner.post('/sdk/transactions/list', { projectId: newProjectId, ...filters })
    const { items, total, totalExact } = response.json<{
      items: TransactionView[]
      total: number
      totalExact: boolean
    }>()
    assert.deepEqual([total, totalExact], [items.length, true])
    return items.map(({ id }) => id)
  }
  assert.deepEqual(await list({ needsReview: true }), [reviewed.id])
  assert.deepEqual(await list({ needsReview: false }), [paid.id])
  assert.deepEqual(await list({ needsReview: false, state: 'succeeded' }), [paid.id])
  assert.deepEqual(await list({ needsReview: false, state: 'failed' }), [])
  assert.deepEqual(await list({ needsReview: false, from: '2020-01-01T00:00:00Z' }), [paid.id])
  assert.deepEqual(await list({ needsReview: true, q: reviewed.id }), [reviewed.id])
  const csv = await owner.get(`/portal/api/projects/${newProjectId}/transactions.csv?needsReview=false`)
  assert.equal(csv.text.trim().split('\n').length, 2)
  assert.ok(csv.text.includes(paid.id))
})

test('a refund adds an event when it is requested and when it ends; the events do not contain its reason', async () => {
  const { id: newProjectId } = await owner.addProject()
  const payment = await payFor(deps, newProjectId, { customId: 'order-9' })
  await owner.stepUp()
  const refund = await requireRefund(owner, payment, { amount: '500', reason: 'private words' })
  const response = await owner.post('/sdk/events/list', { projectId: newProjectId })
  const { items } = response.json<EventPage>()
  assert.deepEqual(
    items.map(({ type }) => type),
    ['payment.created', 'payment.result', 'refund.created', 'refund.result'],
  )
  const ended = items[3]!
  assert.equal(ended.type === 'refund.result' && ended.refundId, refund.id)
  assert.partialDeepStrictEqual(ended.payload, {
    amount: '500',
    state: 'succeeded',
    refundedTotal: '500',
    customId: 'order-9',
    origin: 'portal',
  })
  assert.doesNotMatch(response.text, /private words/)
})
