// Why this is long: the tests of lists share one setup.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { TransactionView } from '@pazar/contract'
import { rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { insertPayments } from '../../../test/transactions.ts'

interface List {
  items: TransactionView[]
  page: number
  limit: number
  total: number
  totalExact: boolean
  hasMore: boolean
}

const service = await startTestService()
const { app, deps } = service
let owner: Client
let project: string
let otherProject: string
let ids: string[]

before(async () => {
  owner = await signUp(app)
  project = (await owner.addProject()).id
  otherProject = (await owner.addProject()).id
  ids = await insertPayments(deps, project, [
    { customId: 'order-1', data: 'Kafa 1 kg', state: 'failed' },
    { customId: 'order-1', data: 'Kafa 1 kg', amount: 1500 },
    { customId: 'order-2', state: 'expired' },
    { customId: 'order-2', mode: 'test', state: 'processing' },
    { data: `${'x'.repeat(70)} end`, state: 'requires_action' },
    { customId: '100%_sure', data: 'Čaj' },
  ])
  await insertPayments(deps, otherProject, [{ customId: 'order-1' }])
})

async function list(body: object = {}): Promise<List> {
  const response = await owner.post('/sdk/transactions/list', body)
  assert.equal(response.status, 200, response.text)
  return response.json<List>()
}

async function findPositions(body: object): Promise<number[]> {
  const { items } = await list({ projectId: project, ...body })
  return items.map(({ id }) => ids.indexOf(id))
}

test('completedFrom and completedTo filter by the time at which a payment ended', async () => {
  const { id } = await owner.addProject()
  const dayAt = (day: number) => `2026-03-0${day}T10:00:00.000Z`
  const insertedPayments = await insertPayments(
    deps,
    id,
    [1, 2, 3, 4].map((day) => ({ createdAt: dayAt(day), state: day === 2 ? 'processing' : 'succeeded' })),
  )
  const listed = async (filters: object) => {
    const { items, total, totalExact } = await list({ projectId: id, ...filters })
    return [items.map((one) => insertedPayments.indexOf(one.id) + 1), total, totalExact]
  }
  assert.deepEqual(await listed({ completedFrom: dayAt(2) }), [[4, 3], 2, true])
  assert.deepEqual(await listed({ completedTo: dayAt(4) }), [[3, 1], 2, true])
  // Each payment ends one second after it begins. `completedFrom` is inclusive, and `completedTo` is exclusive.
  const completedFrom = '2026-03-01T10:00:01.000Z'
  assert.deepEqual(await listed({ completedFrom, completedTo: '2026-03-03T10:00:01.000Z' }), [[1], 1, true])
  assert.deepEqual(await listed({ completedFrom: dayAt(1), state: 'failed' }), [[], 0, true])
  assert.deepEqual(await listed({ completedFrom: dayAt(1), limit: 1, page: 2 }), [[3], 3, true])
  const csv = await owner.get(
    `/portal/api/projects/${id}/transactions.csv?completedFrom=${dayAt(3)}&completedTo=${dayAt(4)}`,
  )
  assert.equal(csv.text.trim().split('\n').length, 2)
  const refusedList = await owner.post('/sdk/transactions/list', { completedFrom: 'yesterday' })
  assert.equal(refusedList.status, 400)
})

test('a project’s payments are listed newest first, each with exactly the fields of the contract', async () => {
  const response = await list({ projectId: project })
  assert.deepEqual(
    response.items.map(({ id }) => id),
    ids.toReversed(),
  )
  const { items, ...rest } = response
  assert.deepEqual(rest, { page: 1, limit: 20, total: 6, totalExact: true, hasMore: false })
  const [paid, failed] = [items[4]!, items[5]!]
  assert.match(paid.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual([failed.successful, failed.failureCode], [false, 'declined'])
  assert.deepEqual(paid, {
    id: ids[1],
    reference: `${ids[1]!.slice(-10, -5)}-${ids[1]!.slice(-5)}`.toUpperCase(),
    projectId: project,
    amount: '1500',
    currency: 'EUR',
    scale: 2,
    state: 'succeeded',
    successful: true,
    mode: 'live',
    customId: 'order-1',
    data: 'Kafa 1 kg',
    failureCode: null,
    needsReview: false,
    resolution: null,
    resolvedAt: null,
    resolutionReason: null,
    refunded: '0',
    refundable: '1500',
    disputed: '0',
    upstreamRef: null,
    callback: null,
    createdAt: paid.createdAt,
    completedAt: paid.completedAt,
  })
})

test('a listed payment shows the status, the attempts, the last response and the delivery time of its callback', async () => {
  const [reported] = await insertPayments(deps, otherProject, [{ customId: 'reported' }])
  await rows(
    deps.db,
    `insert into callbacks (project_id, id, transaction_id, mode, result, payload, attempts)
     values ($1, 'msg_listed', $2, 'live', 'success', '{}', 2)`,
    [otherProject, reported],
  )
  await rows(
    deps.db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome, status_code)
     values ($1, 'msg_listed', 1, 'https://x', now(), 'http_error', 500),
       ($1, 'msg_listed', 2, 'https://x', now(), 'http_error', 503)`,
    [otherProject],
  )
  const { items } = await list({ projectId: otherProject, customId: 'reported' })
  assert.deepEqual(items[0]!.callback, {
    id: 'msg_listed',
    status: 'pending',
    attempts: 2,
    lastStatusCode: 503,
    deliveredAt: null,
    forwarded: false,
  })
  await rows(
    deps.db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome)
     values ($1, 'msg_listed', 3, 'listeners', now(), 'delivered')`,
    [otherProject],
  )
  const [forwarded] = (await list({ projectId: otherProject, customId: 'reported' })).items
  assert.partialDeepStrictEqual(forwarded!.callback, { lastStatusCode: null, forwarded: true })
  // After the resend of a delivered callback, the status is pending again, and `deliveredAt` stays.
  await rows(deps.db, `update callbacks set delivered_at = '2026-11-01T10:00:00Z' where id = 'msg_listed'`)
  const [resent] = (await list({ projectId: otherProject, customId: 'reported' })).items
  assert.equal(resent!.callback!.status, 'pending')
  assert.equal(resent!.callback!.deliveredAt, '2026-11-01T10:00:00.000Z')
})

test('each filter narrows the list, and several filters narrow it further', async () => {
  assert.deepEqual(await findPositions({ mode: 'test' }), [3])
  assert.deepEqual(await findPositions({ mode: 'live', state: 'expired' }), [2])
  assert.deepEqual(await findPositions({ state: 'succeeded' }), [5, 1])
  assert.deepEqual(await findPositions({ customId: 'order-1' }), [1, 0])
  assert.deepEqual(await findPositions({ customId: 'order-1', state: 'failed' }), [0])
  assert.deepEqual(await findPositions({ customId: 'order-2' }), [3, 2])
  assert.deepEqual(await findPositions({ customId: 'nobody' }), [])
})

test('"from" is inclusive and "to" is exclusive, in any time zone', async () => {
  const { items } = await list({ projectId: project })
  const createdAtOf = (index: number) => items.find(({ id }) => id === ids[index])!.createdAt
  assert.deepEqual(await findPositions({ from: createdAtOf(2), to: createdAtOf(4) }), [3, 2])
  assert.deepEqual(await findPositions({ from: createdAtOf(5) }), [5])
  const shifted = new Date(Date.parse(createdAtOf(2)) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  assert.deepEqual(await findPositions({ from: shifted, to: createdAtOf(4) }), [3, 2])
})

test('a search finds a whole id, a reference in any spelling, and the beginning of a customId or of data', async () => {
  const reference = ids[2]!.slice(-10)
  for (const q of [
    ids[2],
    ids[2]!.toUpperCase(),
    reference,
    `${reference.slice(0, 5)}-${reference.slice(5)}`,
  ]) {
    assert.deepEqual(await findPositions({ q }), [2], q)
  }
  assert.deepEqual(await findPositions({ q: 'order' }), [3, 2, 1, 0])
  assert.deepEqual(await findPositions({ q: 'order', mode: 'live', state: 'expired' }), [2])
  assert.deepEqual(await findPositions({ q: 'order-2', customId: 'order-1' }), [])
  assert.deepEqual(await findPositions({ q: 'order-1', customId: 'order-1' }), [1, 0])
  assert.deepEqual(await findPositions({ q: 'Kafa' }), [1, 0])
  assert.deepEqual(await findPositions({ q: 'Č' }), [5])
  assert.deepEqual(await findPositions({ q: `${'x'.repeat(70)} e` }), [4])
  assert.deepEqual(await findPositions({ q: `${'x'.repeat(70)} f` }), [])
  assert.deepEqual(await findPositions({ q: 'rder' }), [])
})

test('a search treats % and _ as ordinary characters', async () => {
  assert.deepEqual(await findPositions({ q: '100%_' }), [5])
  for (const q of ['%', '_', '100_', '1%', '100%%']) assert.deepEqual(await findPositions({ q }), [], q)
})

test('without a project the list has the payments of all projects of the caller and no other payments', async () => {
  const stranger = await signUp(app)
  assert.deepEqual((await stranger.post('/sdk/transactions/list')).json<List>().items, [])
  await insertPayments(deps, (await stranger.addProject()).id, [{ customId: 'order-1' }])
  const ownPage = await list({ customId: 'order-1' })
  assert.deepEqual(new Set(ownPage.items.map(({ projectId }) => projectId)), new Set([project, otherProject]))
  assert.equal(ownPage.total, 3)
  assert.equal((await list({ q: 'order-1' })).total, 3)
})

test('a request for another owner’s project gets the same 404 as for a project that does not exist', async () => {
  const stranger = await signUp(app)
  const responses = await Promise.all(
    [project, 'abcdefghijklmnopqrstuvwx'].map((projectId) =>
      stranger.post('/sdk/transactions/list', { projectId }),
    ),
  )
  const bodies = responses.map((response) => ({ ...response.json(), requestId: '' }))
  assert.deepEqual(bodies[0], bodies[1])
  assert.equal(responses[0]!.status, 404)
})

test('pages have no gaps, and hasMore is true if and only if another page follows', async () => {
  const seen: string[] = []
  for (const page of [1, 2, 3]) {
    const response = await list({ projectId: project, page, limit: 2 })
    seen.push(...response.items.map(({ id }) => id))
    assert.equal(response.hasMore, page < 3)
    assert.equal(response.total, 6)
  }
  assert.deepEqual(seen, ids.toReversed())
  const beyond = await list({ projectId: project, page: 10_000, limit: 100 })
  assert.deepEqual([beyond.items.length, beyond.hasMore, beyond.total], [0, false, 6])
})

test('the order "oldest" returns the same list in the opposite order, even across pages and in a search', async () => {
  const seen: string[] = []
  for (const page of [1, 2, 3]) {
    const response = await list({ projectId: project, page, limit: 2, order: 'oldest' })
    seen.push(...response.items.map(({ id }) => id))
    assert.deepEqual([response.hasMore, response.total], [page < 3, 6])
  }
  assert.deepEqual(seen, ids)
  assert.deepEqual(await findPositions({ q: 'order-', order: 'oldest' }), [0, 1, 2, 3])
  assert.deepEqual(await findPositions({ state: 'expired', order: 'newest' }), [2])
  assert.equal((await owner.post('/sdk/transactions/list', { order: 'amount' })).code, 'invalid_request')
})

test('the deprecated route returns the same list and names its deprecation date and successor', async () => {
  const response = await owner.post('/transactions/list', { projectId: project, limit: 2 })
  assert.deepEqual(response.json(), { ...(await list({ projectId: project, limit: 2 })) })
  assert.equal(response.headers['deprecation'], `@${Date.parse('2026-07-26T00:00:00Z') / 1000}`)
  assert.equal(
    response.headers['link'],
    '<http://localhost:3000/sdk/transactions/list>; rel="successor-version"',
  )
  const refusal = await owner.post('/transactions/list', { page: 0 })
  assert.equal(refusal.status, 400)
  assert.ok(refusal.headers['deprecation'])
  assert.equal((await owner.post('/sdk/transactions/list')).headers['deprecation'], undefined)
})
