// The sandbox declines the amount 4000.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signStatusHash } from '@pazar/sdk'
import { rows } from '../../../test/accounts.ts'
import { signUp } from '../../../test/client.ts'
import { dumpDatabase } from '../../../test/dump.ts'
import { eraseAll, payLongAgo } from '../../../test/erasure.ts'
import { startTestService } from '../../../test/harness.ts'
import { Payer, toLink } from '../../../test/payer.ts'
import { newOrder } from '../../../test/payments.ts'
import { removeStale } from '../../accounts/cleanup.ts'
import { readSecret } from '../../secrets/secrets.ts'
import { findPaymentsByText } from '../reads/find.ts'
import { raiseIncident } from '../incidents.ts'
import { resolvePayment } from '../resolution/resolve.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { app, deps } = await startTestService({ PAYMENT_DATA_RETENTION_DAYS: '30' })
const { db } = deps
const owner = await signUp(app)
const { id: projectId } = await owner.addProject()
const secrets = {
  live: await readSecret(deps, db, projectId, 'live'),
  test: await readSecret(deps, db, projectId, 'test'),
}
const shop = { id: projectId, secrets }

const CUSTOM_ID = 'canary-custom-7'
const DATA = 'canary-data-7'
const order = { customId: CUSTOM_ID, data: DATA }

async function echoEverywhere(transactionId: string): Promise<void> {
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome, error, response_excerpt)
     select project_id, id, n, 'https://shop.example.com/callback', now() - interval '40 days', 'redirect',
       'https://shop.example.com/?order=canary-custom-7', 'no such order: canary-custom-7, canary-data-7'
     from callback_states, generate_series(1, 3) n where transaction_id = $1`,
    [transactionId],
  )
  await rows(
    db,
    `insert into mails (id, kind, to_address, locale, facts, sent_at)
     values (gen_random_uuid(), 'deliveries_failing', 'a@example.com', 'en',
       '{"cause": "It leads to https://shop.example.com/?order=canary-custom-7"}', now() - interval '31 days')`,
  )
}

async function check(customId: string, amount?: string, secret = secrets.live) {
  const fields = { projectId, customId, ...(amount === undefined ? {} : { amount }) }
  const response = await owner.post('/sdk/transaction/checkStatus', {
    ...fields,
    hash: signStatusHash(fields, secret),
  })
  return response.json()
}

async function countCharges(): Promise<number> {
  return (await rows(db, 'select from sandbox_charges')).length
}

test('after the retention time no table contains customId or data, and the order still counts as paid and cannot be paid again', async () => {
  const declined = await payLongAgo(deps, newOrder(projectId, { ...order, amount: 4000n }), 41)
  const paid = await payLongAgo(deps, newOrder(projectId, order), 40)
  await echoEverywhere(paid)
  await echoEverywhere(declined)
  const facts = `select id, amount, currency, state, failure_code, upstream_ref, completed_at from transactions order by id`
  const paymentsBefore = await rows(db, facts)
  assert.ok((await dumpDatabase(db)).includes('canary'))

  await eraseAll(deps)
  await removeStale(deps)
  const found = (await dumpDatabase(db)).split('\n').filter((line) => line.includes('canary'))
  assert.deepEqual(found, [])
  assert.deepEqual(await rows(db, facts), paymentsBefore)

  assert.deepEqual(await check(CUSTOM_ID), { successful: true })
  assert.deepEqual(await check(CUSTOM_ID, '1500'), { successful: true })
  assert.deepEqual(await check(CUSTOM_ID, '1501'), { successful: false })
  assert.deepEqual(await check('canary-custom-8'), { successful: false })
  const status = await owner.post(`/portal/api/projects/${projectId}/status-check`, { customId: CUSTOM_ID })
  const { transactionId, ...rest } = status.json()
  assert.match(String(transactionId), /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, { found: true, state: 'succeeded', successful: true, needsReview: false })

  // A signed link shows "already paid" immediately. An unsigned link shows it after Pay is pressed.
  const charges = await countCharges()
  const signed = await new Payer(app).open(toLink(shop, { ...order, signed: true }))
  assert.equal(signed.status, 200)
  assert.equal(signed.form, null)
  assert.match(signed.heading, /already paid/i)
  const pressed = await new Payer(app).pay(toLink(shop, order))
  assert.equal(pressed.status, 200)
  assert.match(pressed.heading, /already paid/i)
  const otherAmount = await new Payer(app).pay(toLink(shop, { ...order, amount: '1600' }))
  assert.equal(otherAmount.status, 409)
  // Because the data is erased, only the amount can be compared.
  const otherData = await new Payer(app).pay(toLink(shop, { ...order, data: 'something else' }))
  assert.match(otherData.heading, /already paid/i)
  assert.equal(await countCharges(), charges)
  assert.equal((await rows(db, 'select from transactions')).length, 2)
})

test('lists find an erased order by its whole customId, and show its remaining fields', async () => {
  type Listed = { items: { amount: string; state: string; customId: null; data: null }[]; total: number }
  const list = async (body: object) => (await owner.post('/sdk/transactions/list', body)).json<Listed>()
  const { items, total } = await list({ projectId, customId: CUSTOM_ID })
  assert.equal(total, 2)
  assert.deepEqual(
    items.map(({ amount, state, customId, data }) => ({ amount, state, customId, data })),
    [
      { amount: '1500', state: 'succeeded', customId: null, data: null },
      { amount: '4000', state: 'failed', customId: null, data: null },
    ],
  )
  assert.equal((await list({ customId: CUSTOM_ID, state: 'failed' })).total, 1)
  assert.equal((await list({ customId: CUSTOM_ID, mode: 'test' })).total, 0)
  assert.equal((await list({ customId: CUSTOM_ID, limit: 1, page: 2 })).items[0]?.state, 'failed')
  const csv = await owner.get(`/portal/api/projects/${projectId}/transactions.csv?customId=${CUSTOM_ID}`)
  assert.equal(csv.text.trim().split('\n').length, 3)
  const stranger = await signUp(app)
  await stranger.addProject()
  const response = await stranger.post('/sdk/transactions/list', { customId: CUSTOM_ID })
  assert.equal(response.json<Listed>().total, 0)
})

test('an erased callback cannot be resent, either alone or together with all failed callbacks', async () => {
  const [callback] = await rows<{ id: string }>(db, `select id from callback_states where result = 'success'`)
  const base = `/portal/api/projects/${projectId}/deliveries`
  const refused = await owner.post(`${base}/${callback!.id}/resend`, { again: true })
  assert.equal(refused.status, 400)
  assert.equal(refused.json<{ errors: { code: string }[] }>().errors[0]?.code, 'erased')
  await changeCallbacks(db, `update callbacks set status = 'exhausted', delivered_at = null`)
  const since = '2020-01-01T00:00:00.000Z'
  assert.deepEqual((await owner.post(`${base}/resend-failed`, { since })).json(), { count: 0 })
  const shown = await owner.get(`${base}/${callback!.id}`)
  assert.equal(shown.status, 200)
})

test('the same customId in another project or in the other mode is another order', async () => {
  const { id: second } = await owner.addProject()
  assert.ok(await payLongAgo(deps, newOrder(second, order), 0))
  const page = await new Payer(app).open(toLink(shop, { ...order, mode: 'test' }))
  assert.equal(page.status, 200)
  assert.ok(page.form, page.heading)
  assert.deepEqual(await check(CUSTOM_ID, undefined, secrets.test), { successful: false })
  assert.ok(await payLongAgo(deps, newOrder(projectId, { ...order, mode: 'test' }), 0))
  assert.deepEqual(await check(CUSTOM_ID, undefined, secrets.test), { successful: true })
})

test('if the key for hashes of erased customIds is created after a replica has started, the replica loads the key later', async () => {
  const service = await startTestService()
  const newMerchant = await signUp(service.app)
  const { id } = await newMerchant.addProject()
  await payLongAgo(service.deps, newOrder(id, { customId: 'late-1' }), 40)
  const eraser = await service.replica({ PAYMENT_DATA_RETENTION_DAYS: '30' })
  const { toHash } = service.deps.erasedOrders
  assert.equal(toHash(id, 'late-1'), null)
  await eraseAll(eraser.deps)
  assert.equal(await service.deps.erasedOrders.reload(), true)
  assert.deepEqual(toHash(id, 'late-1'), eraser.deps.erasedOrders.toHash(id, 'late-1'))
  const status = await newMerchant.post(`/portal/api/projects/${id}/status-check`, { customId: 'late-1' })
  assert.equal(status.json()['successful'], true)
})

test('an operator finds an erased order by its customId, and cannot resolve another attempt of a paid order as paid', async () => {
  const { payments } = await findPaymentsByText(deps, CUSTOM_ID)
  assert.ok(payments.filter(({ customId }) => customId === null).length === 2)
  const declined = payments.find(({ state }) => state === 'failed')!
  await raiseIncident(
    deps,
    { kind: 'mismatch', transactionId: declined.id, subject: declined.id, facts: {} },
    { needsReview: true },
  )
  const outcome = await resolvePayment(deps, declined.id, { as: 'paid', reason: 'test', by: 'operator' })
  assert.equal(outcome.kind, 'order_held')
})

test('an erased attempt cannot be resolved as paid while another attempt is paid; resolving the erased attempt as unpaid sends no callback', async () => {
  const customId = 'erased-attempt-7'
  const declined = await payLongAgo(deps, newOrder(projectId, { customId, amount: 4000n }), 40)
  await eraseAll(deps)
  const paid = await payLongAgo(deps, newOrder(projectId, { customId }), 0)
  await payLongAgo(deps, newOrder(projectId, { customId: 'a later order' }), 0)
  const incident = { kind: 'mismatch', transactionId: declined, subject: declined, facts: {} } as const
  await raiseIncident(deps, incident, { needsReview: true })
  const decision = { reason: 'test', by: 'operator' }
  const outcome = await resolvePayment(deps, declined, { ...decision, as: 'paid' })
  assert.equal(outcome.kind === 'order_held' && outcome.holder?.id, paid)
  const unpaid = await resolvePayment(deps, declined, { ...decision, as: 'unpaid' })
  assert.equal(unpaid.kind === 'resolved' && unpaid.callbackId, null)
})

test('an erased order of the other mode does not prevent resolving a payment as paid', async () => {
  const customId = 'both-modes-7'
  await payLongAgo(deps, newOrder(projectId, { customId }), 40)
  await eraseAll(deps)
  const id = await payLongAgo(deps, newOrder(projectId, { customId, mode: 'test', amount: 4000n }), 0)
  await raiseIncident(
    deps,
    { kind: 'mismatch', transactionId: id, subject: id, facts: {} },
    { needsReview: true },
  )
  const outcome = await resolvePayment(deps, id, { as: 'paid', reason: 'test', by: 'operator' })
  assert.equal(outcome.kind, 'resolved')
})
