// Why this is long: the tests cover every response of one route.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyClient, rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import {
  assertLedgersAgree,
  payFor,
  refund,
  requireRefund,
  resolveRefunds,
  readSums,
} from '../../test/refunds.ts'
import { findMail } from '../../test/accounts.ts'
import { findRefusedRoles } from '../../test/roles.ts'
import { isLocked } from '../../test/row-locks.ts'
import { until } from '../../test/until.ts'

const service = await startTestService()
const { app, deps, databaseUrl } = service
const { db } = deps
const owner = await signUp(app)
const { id: projectId } = await owner.addProject({ events: ['payment.result', 'refund.result'] })
await owner.stepUp()

test('a refund without an amount refunds the whole payment, and the response is 201 with every field of the contract', async () => {
  const payment = await payFor(deps, projectId, { customId: 'order-1' })
  const newRefund = await requireRefund(owner, payment, { reason: 'Vraćena roba' })
  assert.match(newRefund.id, /^re_[0-9a-f]{32}$/)
  const { id, createdAt, completedAt, ...rest } = newRefund
  assert.ok(id && createdAt && completedAt)
  assert.deepEqual(rest, {
    transactionId: payment.id,
    projectId,
    mode: 'live',
    amount: '1500',
    currency: 'EUR',
    scale: 2,
    state: 'succeeded',
    pendingReason: null,
    reason: 'Vraćena roba',
    failureCode: null,
    origin: 'portal',
    returnedAt: null,
  })
  await assertLedgersAgree(db, payment.id)
})

test('a payment is refunded in parts until nothing is left; the payment stays "succeeded"', async () => {
  const payment = await payFor(deps, projectId)
  await requireRefund(owner, payment, { amount: '500' })
  await requireRefund(owner, payment, { amount: 999 })
  const tooMuch = await refund(owner, payment, { amount: '2' })
  assert.deepEqual([tooMuch.status, tooMuch.code], [409, 'refund_exceeds'])
  assert.match(tooMuch.json<{ detail: string }>().detail, /€0\.01/)
  assert.equal((await requireRefund(owner, payment)).amount, '1')
  assert.equal((await refund(owner, payment)).code, 'refund_exceeds')
  const list = await owner.post('/sdk/transactions/list', { projectId, q: payment.id })
  const [item] = list.json<{ items: Record<string, unknown>[] }>().items
  assert.deepEqual(
    [item!['state'], item!['successful'], item!['refunded'], item!['refundable'], item!['disputed']],
    ['succeeded', true, '1500', '0', '0'],
  )
  await assertLedgersAgree(db, payment.id)
})

test('the metric of refunds counts requested and ended refunds by mode and state', async () => {
  const read = async (state: string) => {
    const line = new RegExp(`pazar_refunds_total\\{mode="live",state="${state}"\\} (\\d+)`)
    return Number(line.exec(await deps.metrics.text())?.[1])
  }
  const countsBefore = [await read('processing'), await read('succeeded'), await read('failed')]
  const payment = await payFor(deps, projectId, { amount: 9_000n })
  await requireRefund(owner, payment, { amount: '100' })
  // The sandbox declines a refund of 4000.
  await requireRefund(owner, payment, { amount: '4000' })
  const counts = [await read('processing'), await read('succeeded'), await read('failed')]
  assert.deepEqual(
    counts.map((count, index) => count - countsBefore[index]!),
    [2, 1, 1],
  )
})

test('the same idempotency key with the same request gets 200 and the same refund; with another request it gets 409', async () => {
  const payment = await payFor(deps, projectId)
  const fields = { idempotencyKey: 'once', amount: '400' }
  const first = await requireRefund(owner, payment, fields)
  const repeated = await refund(owner, payment, fields)
  assert.deepEqual([repeated.status, repeated.json<{ refund: object }>().refund], [200, first])
  const otherPayment = await payFor(deps, projectId)
  for (const [target, change] of [
    [payment, { amount: '401' }],
    [payment, { amount: undefined }],
    [payment, { reason: 'other' }],
    [otherPayment, {}],
  ] as const) {
    const response = await refund(owner, target, { ...fields, ...change })
    assert.deepEqual([response.status, response.code], [409, 'idempotency_conflict'])
  }
  assert.equal((await readSums(db, payment.id)).refunded, 400n)
  assert.equal((await readSums(db, otherPayment.id)).refunded, 0n)
})

test('a repeated request without an amount gets the same refund, even if nothing is left', async () => {
  const payment = await payFor(deps, projectId)
  const first = await requireRefund(owner, payment, { idempotencyKey: 'all' })
  const repeated = await refund(owner, payment, { idempotencyKey: 'all' })
  assert.deepEqual([repeated.status, repeated.json<{ refund: object }>().refund], [200, first])
})

test('the same idempotency key in live and in test mode makes two refunds', async () => {
  for (const mode of ['live', 'test'] as const)
    await requireRefund(owner, await payFor(deps, projectId, { mode }), { idempotencyKey: 'both' })
})

test('a payment that is not paid, or is in review, is not refundable', async () => {
  const declined = await rows<{ id: string }>(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, completed_at)
     values (gen_random_uuid(), $1, 'live', gen_random_uuid(), 4000, 'EUR', 'failed', now()) returning id`,
    [projectId],
  )
  // The database's function makes ids of version 4, but the service makes and accepts only version 7.
  const id = declined[0]!.id.replace(/^(.{14})4/, '$17')
  await rows(db, 'alter table transactions disable trigger user')
  await rows(db, 'update transactions set id = $2 where id = $1', [declined[0]!.id, id])
  await rows(db, 'alter table transactions enable trigger user')
  const failed = await refund(owner, { projectId, id })
  assert.deepEqual([failed.status, failed.code], [409, 'not_refundable'])
  const reviewed = await payFor(deps, projectId)
  await rows(db, 'update transactions set needs_review = true where id = $1', [reviewed.id])
  assert.equal((await refund(owner, reviewed)).code, 'not_refundable')
})

test('a payment of another project or account is not found, and neither is an unknown payment', async () => {
  const payment = await payFor(deps, projectId)
  const { id: otherId } = await owner.addProject()
  const stranger = await signUp(app)
  await stranger.stepUp()
  assert.equal((await refund(owner, { projectId: otherId, id: payment.id })).code, 'not_found')
  assert.equal((await refund(stranger, payment)).code, 'not_found')
  const unknown = '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f'
  assert.equal((await refund(owner, { projectId, id: unknown })).code, 'not_found')
  assert.equal((await readSums(db, payment.id)).refunded, 0n)
})

for (const [caseName, fields] of [
  ['an amount of 0', { amount: 0 }],
  ['a negative amount', { amount: '-5' }],
  ['a decimal amount', { amount: '1.5' }],
  ['a currency', { currency: 'USD' }],
  ['an empty idempotency key', { idempotencyKey: '' }],
  ['an idempotency key of 65 characters', { idempotencyKey: 'k'.repeat(65) }],
  ['a reason of 201 characters', { reason: 'r'.repeat(201) }],
  ['a reason with a NUL', { reason: 'a\0b' }],
  ['a transaction id in a wrong format', { transactionId: 're_1' }],
  ['no idempotency key', { idempotencyKey: undefined }],
] as const) {
  test(`a refund with ${caseName} gets 400, and nothing is reserved`, async () => {
    const payment = await payFor(deps, projectId)
    const response = await refund(owner, payment, fields)
    assert.deepEqual([response.status, response.code], [400, 'invalid_request'], response.text)
    assert.deepEqual(await readSums(db, payment.id), { refunded: 0n, processing: 0n, disputed: 0n })
  })
}

test('a refund cannot be refunded: its id is not the id of a payment', async () => {
  const newRefund = await requireRefund(owner, await payFor(deps, projectId))
  const uuid = newRefund.id.slice(3).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  assert.equal((await refund(owner, { projectId, id: uuid })).code, 'not_found')
})

test('a refund with an unknown token gets 401; a refund without a step-up or from another site gets 403', async () => {
  const payment = await payFor(deps, projectId)
  const newOwner = await signUp(app)
  const { id } = await newOwner.addProject()
  const own = await payFor(deps, id)
  const unconfirmed = await refund(newOwner, own)
  assert.deepEqual([unconfirmed.status, unconfirmed.code], [403, 'step_up_required'])
  // Access to the project is checked before the step-up.
  assert.equal((await refund(newOwner, payment)).code, 'not_found')
  const body = { projectId, transactionId: payment.id, idempotencyKey: 'x' }
  const crossSite = await owner.post('/sdk/transaction/refund', body, { origin: 'https://evil.example' })
  assert.equal(crossSite.code, 'forbidden_origin')
  const stranger = clientWithToken(app, `pat_${'x'.repeat(43)}`)
  assert.equal((await refund(stranger, payment)).status, 401)
})

test('a token with the scope "refund" refunds payments of its own project up to its daily limit, and a mail reports its first use', async () => {
  const payment = await payFor(deps, projectId)
  const second = await payFor(deps, projectId)
  const { token } = await makeToken(owner, { name: 'ERP', scope: 'refund', projectId, dailyCap: '2000' })
  const apiClient = clientWithToken(app, token)
  assert.equal((await requireRefund(apiClient, payment)).origin, 'api')
  const mail = await findMail(service, owner.email, 'refund_token_used')
  assert.ok(mail)
  const aboveRemaining = await refund(apiClient, second, { amount: '501' })
  assert.deepEqual([aboveRemaining.status, aboveRemaining.code], [409, 'refund_exceeds'])
  assert.match(aboveRemaining.json<{ detail: string }>().detail, /€5\.00/)
  await requireRefund(apiClient, second, { amount: '500' })
  assert.equal((await refund(apiClient, second, { amount: '1' })).code, 'refund_exceeds')
  const mails = await rows(db, "select from mails where kind = 'refund_token_used'")
  assert.equal(mails.length, 1)
  const { id: otherId } = await owner.addProject()
  const ofOtherProject = await payFor(deps, otherId)
  assert.equal((await refund(apiClient, ofOtherProject)).code, 'not_found')
  assert.equal((await apiClient.post('/sdk/project/get', { projectId: otherId })).code, 'not_found')
  const listed = (await apiClient.post('/sdk/project/list')).json<{ projects: { id: string }[] }>().projects
  assert.deepEqual(
    listed.map(({ id }) => id),
    [projectId],
  )
  const items = (await apiClient.post('/sdk/transactions/list')).json<{ items: { projectId: string }[] }>()
    .items
  assert.ok(items.length > 0 && items.every((one) => one.projectId === projectId))
})

test('test refunds count towards the daily limit of a token', async () => {
  const { token } = await makeToken(owner, { scope: 'refund', projectId, dailyCap: '2000' })
  const apiClient = clientWithToken(app, token)
  await requireRefund(apiClient, await payFor(deps, projectId, { mode: 'test' }), { amount: '1500' })
  const payment = await payFor(deps, projectId)
  assert.equal((await refund(apiClient, payment, { amount: '501' })).code, 'refund_exceeds')
  await requireRefund(apiClient, payment, { amount: '500' })
})

test("a token's first test refund and its first live refund of a day each cause a mail, which names the mode", async () => {
  const { token } = await makeToken(owner, { name: 'Both', scope: 'refund', projectId, dailyCap: '9000' })
  const apiClient = clientWithToken(app, token)
  const readModes = async () => {
    const text = `select facts->>'mode' as mode from mails
      where kind = 'refund_token_used' and facts->>'token' = 'Both' order by id`
    return (await rows<{ mode: string }>(db, text)).map(({ mode }) => mode)
  }
  const refundIn = async (mode: 'test' | 'live') =>
    requireRefund(apiClient, await payFor(deps, projectId, { mode }))
  await refundIn('test')
  await refundIn('test')
  assert.deepEqual(await readModes(), ['test'])
  await refundIn('live')
  assert.deepEqual(await readModes(), ['test', 'live'])
  await refundIn('live')
  await refundIn('test')
  assert.deepEqual(await readModes(), ['test', 'live'])
})

test('while a refund waits for the lock on its payment, the token that requested the refund is locked', async () => {
  const payment = await payFor(deps, projectId)
  const madeToken = await makeToken(owner, { scope: 'refund', projectId, dailyCap: '2000' })
  const { request } = await db.transaction(async (tx) => {
    await rows(tx, 'select from transactions where id = $1 for update', [payment.id])
    const request = refund(clientWithToken(app, madeToken.token), payment)
    await until(
      async () =>
        (
          await rows(
            db,
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).length > 0,
      'the refund waits for its payment',
    )
    assert.equal(await isLocked(databaseUrl, 'select from api_tokens where id = $1', [madeToken.id]), true)
    return { request }
  })
  assert.equal((await request).status, 201)
})

for (const scope of ['read', 'write'] as const) {
  test(`a token with the scope "${scope}" cannot refund`, async () => {
    const payment = await payFor(deps, projectId)
    const { token } = await makeToken(owner, { scope })
    const response = await refund(clientWithToken(app, token), payment)
    assert.deepEqual([response.status, response.code], [403, 'step_up_required'])
  })
}

test('a refund token needs a project of its owner and a daily limit; other tokens must not have a limit', async () => {
  const stranger = await signUp(app)
  const { id: otherProjectId } = await stranger.addProject()
  const make = (fields: object) =>
    owner.post('/portal/api/tokens', { name: 'T', scope: 'refund', expiresInDays: 1, ...fields })
  assert.equal((await make({ dailyCap: '100' })).status, 400)
  assert.equal((await make({ projectId })).status, 400)
  assert.equal((await make({ projectId, dailyCap: '0' })).status, 400)
  assert.equal((await make({ projectId, dailyCap: '100', scope: 'write' })).status, 400)
  assert.equal((await make({ projectId: otherProjectId, dailyCap: '100' })).code, 'not_found')
})

test('a refund that a person requested is in the audit log, with its payment, amount and reason', async () => {
  const payment = await payFor(deps, projectId)
  const newRefund = await requireRefund(owner, payment, { amount: '7' })
  const [entry] = await rows<{ actor: string; changes: object }>(
    db,
    "select actor, changes from audit_events where action = 'refund_requested' order by id desc limit 1",
  )
  const changes = {
    refundId: newRefund.id,
    transactionId: payment.id,
    amount: '7',
    currency: 'EUR',
    scale: 2,
    reason: null,
  }
  assert.deepEqual(entry, { actor: 'owner', changes })
})

test('the activity of the account and the history of the project show the refunded amount and the order', async () => {
  const paid = await payFor(deps, projectId, { customId: 'order-1045' })
  await requireRefund(owner, paid, { amount: '7' })
  const expected = {
    money: { amount: '7', currency: 'EUR', scale: 2 },
    payment: { id: paid.id, mode: 'live', customId: 'order-1045', data: paid.data },
  }
  for (const path of ['/portal/api/audit', `/portal/api/projects/${projectId}/history`]) {
    const { items } = (await owner.get(`${path}?limit=1`)).json<{ items: (typeof expected)[] }>()
    const [{ money, payment } = assert.fail(path)] = items
    assert.deepEqual({ money, payment }, expected, path)
  }
})

test('the activity of an account can be limited to payments, to projects, or to the account itself', async () => {
  await requireRefund(owner, await payFor(deps, projectId), { amount: '7' })
  const list = async (about: string) => {
    const response = await owner.get(`/portal/api/audit?limit=100&about=${about}`)
    const { items } = response.json<{ items: { action: string; projectId: string | null }[] }>()
    return items
  }
  const [payments, projects, account] = [
    await list('payments'),
    await list('projects'),
    await list('account'),
  ]
  assert.deepEqual([...new Set(payments.map(({ action }) => action))], ['refund_requested'])
  assert.ok(projects.length > payments.length && projects.every((one) => one.projectId !== null))
  assert.ok(projects.some(({ action }) => action === 'project_added'))
  assert.ok(
    account.some(({ action }) => action === 'step_up') && account.every((one) => one.projectId === null),
  )
})

for (const [amount, state, failureCode] of [
  [4000n, 'failed', 'declined'],
  [4002n, 'succeeded', null],
  [4003n, 'failed', 'not_refunded'],
  [4005n, 'succeeded', null],
] as const) {
  test(`a sandbox refund of ${amount} ends as "${state}"`, async () => {
    const payment = await payFor(deps, projectId, { amount: 9000n })
    const newRefund = await requireRefund(owner, payment, { amount: String(amount) })
    if (amount !== 4000n)
      assert.deepEqual([newRefund.state, newRefund.pendingReason], ['processing', 'no_response'])
    await resolveRefunds(deps)
    if (amount === 4003n) {
      assert.equal(
        (await readSums(db, payment.id)).processing,
        amount,
        'the refund is sent again for 30 s before it fails',
      )
      await resolveRefunds(deps, 31_000)
    }
    const text = 'select state, failure_code from refunds where transaction_id = $1'
    assert.deepEqual(await rows(db, text, [payment.id]), [{ state, failure_code: failureCode }])
    await assertLedgersAgree(db, payment.id)
  })
}

test('a sandbox refund of 4009 succeeds and is returned later, which frees its amount; both results are reported', async () => {
  const payment = await payFor(deps, projectId, { amount: 9000n })
  const newRefund = await requireRefund(owner, payment, { amount: '4009' })
  assert.equal(newRefund.state, 'succeeded')
  await rows(db, 'update sandbox_refunds set returns_at = now() where payment_id = $1', [payment.id])
  await resolveRefunds(deps)
  const [row] = await rows<{ state: string; next_check_at: Date | null }>(
    db,
    'select state, next_check_at from refunds where transaction_id = $1',
    [payment.id],
  )
  assert.deepEqual(row, { state: 'returned', next_check_at: null })
  const sent = await rows<{ payload: Record<string, unknown>; revision: number }>(
    db,
    "select payload, revision from callback_states where transaction_id = $1 and event = 'refund.result' order by id",
    [payment.id],
  )
  assert.deepEqual(
    sent.map(({ payload, revision }) => [payload['refundStatus'], payload['refundedTotal'], revision]),
    [
      ['succeeded', '4009', 0],
      ['returned', '0', 1],
    ],
  )
  assert.equal((await requireRefund(owner, payment)).amount, '9000')
  await assertLedgersAgree(db, payment.id)
})

test('each change of a refund is an event of the project, with the refunded total', async () => {
  const payment = await payFor(deps, projectId)
  const newRefund = await requireRefund(owner, payment, { amount: '300' })
  const types: unknown[] = []
  let after: string | undefined
  for (;;) {
    const body = { projectId, limit: 500, ...(after && { after }) }
    const page = (await owner.post('/sdk/events/list', body)).json<EventPage>()
    const own = page.items.filter(({ refundId }) => refundId === newRefund.id)
    types.push(...own.map(({ type, payload }) => [type, payload.state, payload.refundedTotal]))
    if (!page.hasMore) break
    after = page.next
  }
  assert.deepEqual(types, [
    ['refund.created', 'processing', '0'],
    ['refund.result', 'succeeded', '300'],
  ])
})

interface EventPage {
  items: { type: string; refundId?: string; payload: { state: string; refundedTotal?: string } }[]
  next: string
  hasMore: boolean
}

test('refunds are limited per account and project, so another account does not use up the limit', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_REFUND: '2' })
  const stranger = copyClient(await signUp(app), limited.app)
  const limitedOwner = copyClient(owner, limited.app)
  const payment = await payFor(deps, projectId)
  const codesOf = async (client: typeof owner) => {
    const responses = [1, 2, 3].map(() => refund(client, payment, { amount: '1' }))
    return (await Promise.all(responses)).map(({ status }) => status).toSorted()
  }
  assert.deepEqual(await codesOf(stranger), [404, 404, 429])
  assert.deepEqual(await codesOf(limitedOwner), [201, 201, 429])
})

test('only the owner, admins and finance can request a refund', async () => {
  const payment = await payFor(deps, projectId, { customId: 'order-roles' })
  const refused = await findRefusedRoles(service, projectId, (one) => refund(one, payment))
  assert.equal(refused, 'developer support')
})
