// The callbacks of a project without a server are stored in its inbox. In production, live callbacks are not stored there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INBOX_REQUESTS_MAX } from '@pazar/contract'
import type { AttemptView, CallbackView, Problem } from '@pazar/contract'
import { verifyCallback } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { queueCallbacks, untilAttempt } from '../../test/deliveries.ts'
import { startTestService } from '../../test/harness.ts'
import { insertPayments } from '../../test/transactions.ts'
import { createApp } from '../app.ts'
import { findCause } from '../deliveries/explain.ts'
import { removeOldDeliveries } from '../deliveries/retention.ts'
import { newCallbackId, newUuidV7 } from '../lib/id.ts'
import { readSecret, rotateSecret } from '../secrets/secrets.ts'
import type { Deps } from '../wire.ts'
import type { OutgoingCallback } from './outgoing-callback.ts'
import { deliver } from './deliver.ts'
import { eraseCallbackTexts } from './erasure-store.ts'
import { insertInboxRequest } from './inbox-store.ts'
import { insertClaimedCallback } from './send-test-store.ts'
import { startDeliveryWorker } from './worker-loop.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

interface Item {
  receivedAt: string
  headers: Record<string, string>
  body: string
  verified: boolean
}

const service = await startTestService()
const { deps } = service
const { baseUrl } = deps.config
const owner = await signUp(service.app)
const project = await owner.addProject({ apiUrl: `${baseUrl}/inbox`, resultUrl: `${baseUrl}/pay/successful` })
const base = `/portal/api/projects/${project.id}`
const JSON_ONLY = { accept: 'application/json' }
const production: Deps = { ...deps, config: { ...deps.config, production: true } }

async function read(query = ''): Promise<Item[]> {
  const response = await owner.get(`${base}/inbox${query}`)
  assert.equal(response.status, 200, response.text)
  return response.json<{ items: Item[] }>().items
}

async function send(customId: string): Promise<{ callback: CallbackView; attempt: AttemptView }> {
  const sent = await owner.post(`${base}/test-callbacks`, { status: 'success', amount: '1500', customId })
  assert.equal(sent.status, 200, sent.text)
  return sent.json()
}

async function deliverOne(workerDeps: Deps, id: string): Promise<void> {
  const worker = startDeliveryWorker(workerDeps)
  try {
    await untilAttempt(deps.db, id, 1)
  } finally {
    await worker.stop()
  }
}

test('a new project may use the inbox as its apiUrl, which then ends with the project’s id', () => {
  assert.equal(project['apiUrl'], `${baseUrl}/inbox/${project.id}`)
  assert.equal(project['resultUrl'], `${baseUrl}/pay/successful`)
})

test('a test callback is stored with its headers and exact body, and its signature is valid with the test secret', async () => {
  const { callback, attempt } = await send('order-1')
  assert.deepEqual([callback.status, attempt.outcome, attempt.statusCode], ['delivered', 'delivered', null])
  assert.equal(attempt.url, project['apiUrl'])
  assert.match(attempt.cause!, /inbox/)
  const [item] = await read()
  const secret = await readSecret(deps, deps.db, project.id, 'test')
  const verified = await verifyCallback(item!.body, item!.headers, { secret, expectedAmount: '1500' })
  assert.deepEqual([verified.customId, item!.verified], ['order-1', true])
  assert.equal(item!.headers['webhook-id'], callback.id)
  const resent = await owner.post(`${base}/deliveries/${callback.id}/resend`)
  assert.deepEqual([resent.status, resent.code], [409, 'already_delivered'])
  assert.match(resent.json<Problem>().detail, /inbox/)
})

test('the inbox also stores the results of test payments, lists the newest first, and lists at most `limit` of them', async () => {
  const [id] = await queueCallbacks(deps.db, project.id, 1, { mode: 'test', customId: 'order-2' })
  await deliverOne(deps, id!)
  assert.equal((await read())[0]!.headers['webhook-id'], id)
  assert.equal((await read('?limit=1')).length, 1)
  assert.equal((await owner.get(`${base}/inbox`)).headers['cache-control'], 'no-store')
  assert.equal((await owner.get(`${base}/inbox?limit=501`)).status, 400)
})

/** Returns a callback that will be signed with the secret which the project has now. */
function claim(): Promise<OutgoingCallback> {
  const facts = {
    projectId: project.id,
    transactionId: newUuidV7(deps.clock),
    amount: '1500',
    currency: 'EUR',
    amountScale: 2,
    customId: 'order-3',
    data: null,
    mode: 'test',
    createdAt: '2026-11-16T10:00:00.000Z',
    status: 'success',
    failureCode: null,
  } as const
  return insertClaimedCallback(deps.db, { id: newCallbackId(deps.clock), facts, trigger: 'test' })
}

test('a request is stored as not verified if the secret was rotated while the callback was on its way', async () => {
  const claimed = await claim()
  await deps.db.transaction((tx) => rotateSecret(deps, tx, project.id, 'test'))
  assert.equal((await deliver(deps, claimed)).outcome, 'delivered')
  assert.equal((await read())[0]!.verified, false)
})

test('in development, live results are stored with the hash and the signature removed', async () => {
  const [id] = await queueCallbacks(deps.db, project.id, 1, { mode: 'live' })
  await deliverOne(deps, id!)
  const [item] = await read()
  assert.equal(item!.verified, true)
  assert.equal((JSON.parse(item!.body) as { hash: string }).hash, '[removed]')
  assert.equal(item!.headers['webhook-signature'], 'v1,[removed]')
})

test('in production, a live result is not stored in the inbox but stays pending, and its log entry says why', async () => {
  const countBefore = (await read()).length
  const record = await deliver(production, { ...(await claim()), mode: 'live', trigger: 'auto' })
  assert.deepEqual([record.outcome, record.next.status, record.counts], ['blocked_address', 'pending', true])
  assert.equal(findCause({ ...record, responseExcerpt: null }), 'live_inbox')
  assert.equal((await read()).length, countBefore)
})

test('in production, live links of a project with an inbox are refused, and test links work', async () => {
  const app = await createApp(production)
  const payer = new Client(app)
  const sign = async (mode: string) => {
    const response = await owner.post(`${base}/pay-link`, { amount: '1500', mode })
    return new URL(response.json<{ url: string }>().url)
  }
  const liveLink = await sign('live')
  const refused = await payer.get(liveLink.pathname + liveLink.search, {
    accept: 'text/html',
    'accept-language': 'en',
  })
  assert.equal(refused.status, 403)
  assert.match(refused.text, /not ready for payments yet/)
  assert.equal((await payer.get(liveLink.pathname + liveLink.search, JSON_ONLY)).code, 'shop_not_ready')
  const testLink = await sign('test')
  assert.equal((await payer.get(testLink.pathname + testLink.search)).status, 200)
  const inDevelopment = await new Client(service.app).get(liveLink.pathname + liveLink.search)
  assert.equal(inDevelopment.status, 200)
  await app.close()
})

test('there is no page at the address of an inbox', async () => {
  const path = new URL(String(project['apiUrl'])).pathname
  assert.equal((await new Client(service.app).get(path)).status, 404)
  assert.equal((await new Client(service.app).post(path, {})).status, 404)
  assert.equal((await new Client(service.app).get('/inbox')).status, 404)
})

test('a project without a server can start the exam only with deliver: "caller"', async () => {
  const response = await owner.post(`${base}/exam`, { confirm: true })
  assert.equal(response.json<{ errors: { code: string }[] }>().errors[0]!.code, 'exam_without_server')
  assert.equal((await owner.post(`${base}/exam`, { deliver: 'caller' })).status, 200)
})

test('an inbox keeps the newest requests up to its limit', async () => {
  const { callback } = await send('order-4')
  const request = { headers: {}, body: '{}', verified: true }
  await rows(
    deps.db,
    `insert into inbox_requests (project_id, callback_id, headers, body, verified)
     select $1, $2, '{}', n::text, true from generate_series(1, $3::integer) n`,
    [project.id, callback.id, INBOX_REQUESTS_MAX],
  )
  await insertInboxRequest(deps.db, { projectId: project.id, id: callback.id }, request)
  const items = await read()
  assert.deepEqual([items.length, items[0]!.body, items.at(-1)!.body], [INBOX_REQUESTS_MAX, '{}', '2'])
  assert.equal((await rows(deps.db, 'select from inbox_requests')).length, INBOX_REQUESTS_MAX)
})

test('a full inbox deletes no request of another project, and an erasure deletes no request of another callback', async () => {
  const other = await owner.addProject()
  const [ofOther = ''] = await queueCallbacks(deps.db, other.id, 1, { mode: 'test', dueInSec: 3_600 })
  const [erased = '', kept = ''] = await queueCallbacks(deps.db, project.id, 2, {
    mode: 'test',
    dueInSec: 3_600,
  })
  const request = { headers: {}, body: '{}', verified: true }
  const list = async () =>
    (await rows<{ id: string }>(deps.db, 'select callback_id as id from inbox_requests')).map(({ id }) => id)
  // This is the oldest request of all, but the inbox of its own project is nearly empty.
  await rows(
    deps.db,
    `insert into inbox_requests (id, project_id, callback_id, headers, body, verified) overriding system value
     values (0, $1, $2, '{}', '', true)`,
    [other.id, ofOther],
  )
  await insertInboxRequest(deps.db, { projectId: project.id, id: erased }, request)
  await insertInboxRequest(deps.db, { projectId: project.id, id: kept }, request)
  await insertInboxRequest(deps.db, { projectId: other.id, id: ofOther }, request)
  assert.equal((await list()).filter((id) => id === ofOther).length, 2)
  const [payment] = await insertPayments(deps, project.id, [{ mode: 'test', state: 'succeeded' }])
  await changeCallbacks(deps.db, 'update callbacks set transaction_id = $2 where id = $1', [erased, payment])
  await deps.db.transaction((tx) => eraseCallbackTexts(tx, [payment!]))
  const remaining = await list()
  assert.deepEqual([remaining.includes(erased), remaining.includes(kept)], [false, true])
  assert.equal(remaining.length, INBOX_REQUESTS_MAX - 1 + 2)
  await rows(deps.db, 'delete from callbacks where id = any($1)', [[ofOther, kept]])
})

test('requests are deleted after seven days, or earlier when the data of their payment is erased', async () => {
  const { callback } = await send('order-5')
  const ids = async () =>
    (await read()).map((item) => item.headers['webhook-id']).filter((id) => id === callback.id)
  assert.equal((await ids()).length, 1)
  await rows(
    deps.db,
    `update inbox_requests set received_at = now() - case when callback_id = $1 then interval '167 hours'
       else interval '169 hours' end`,
    [callback.id],
  )
  assert.equal((await read()).length, 1, 'an old request is not shown, even before it is deleted')
  await removeOldDeliveries(deps)
  assert.equal((await rows(deps.db, 'select from inbox_requests')).length, 1)
  const [payment] = await insertPayments(deps, project.id, [{ mode: 'test', state: 'succeeded' }])
  await changeCallbacks(deps.db, 'update callbacks set transaction_id = $2 where id = $1', [
    callback.id,
    payment,
  ])
  await deps.db.transaction((tx) => eraseCallbackTexts(tx, [payment!]))
  assert.deepEqual(await ids(), [])
})
