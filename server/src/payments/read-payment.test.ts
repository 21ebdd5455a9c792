import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { eraseAll, payLongAgo } from '../../test/erasure.ts'
import { createIncidents } from '../../test/incidents.ts'
import { addPayProject } from '../../test/payer.ts'
import { listCallbacks, newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import { payFor } from '../../test/refunds.ts'
import { createPaymentFixtures, newDecision, scriptUpstream, toCharge } from '../../test/resolving.ts'
import { insertPayments } from '../../test/transactions.ts'
import type { AccountId } from '../accounts/account.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { findPaymentsByText } from './reads/find.ts'
import { FOUND_MAX } from './reads/find-store.ts'
import { getTransaction } from './reads/get-transaction.ts'
import { readHistory } from './reads/history.ts'
import { previewLookup } from './lookup-now.ts'
import { toReference } from './payment.ts'
import { resolvePayment } from './resolution/resolve.ts'
import { isErased } from './resolution/resolve-store.ts'

const { deps, projectId } = await startPayments({ PAYMENT_DATA_RETENTION_DAYS: '30' })
const { db } = deps
const ownerOf = async (id: string) => (await findOwnerId(db, id)) as AccountId
const owner = await ownerOf(projectId)
const otherProjectId = (await addPayProject(deps)).id
const NOT_FOUND = { code: 'not_found' }

test('an owner gets a payment of their own project by its id, but no payment of another project', async () => {
  const [own, foreign] = [await payFor(deps, projectId), await payFor(deps, otherProjectId)]
  const get = (readProjectId: string, transactionId: string, reader = owner) =>
    getTransaction(deps, reader, { projectId: readProjectId, transactionId })
  assert.equal((await get(projectId, own.id)).id, own.id)
  await assert.rejects(get(projectId, foreign.id), NOT_FOUND)
  await assert.rejects(get(otherProjectId, foreign.id), NOT_FOUND)
  await assert.rejects(get(projectId, own.id, await ownerOf(otherProjectId)), NOT_FOUND)
  await assert.rejects(get(projectId, randomUUID()), NOT_FOUND)
})

test('an owner gets a payment by its customId (the live payment by default), even after the customId was erased', async () => {
  const customId = randomUUID()
  const live = await payFor(deps, projectId, { customId })
  const inTest = await payFor(deps, projectId, { customId, mode: 'test' })
  await payFor(deps, otherProjectId, { customId })
  const get = async (fields: { customId: string; mode?: 'live' | 'test' }) =>
    (await getTransaction(deps, owner, { projectId, ...fields })).id
  assert.equal(await get({ customId }), live.id)
  assert.equal(await get({ customId, mode: 'test' }), inTest.id)
  await assert.rejects(get({ customId: randomUUID() }), NOT_FOUND)
  const erased = await payLongAgo(deps, newOrder(projectId, { customId: 'long ago' }), 40)
  assert.equal(await isErased(db, erased), false)
  await eraseAll(deps)
  assert.equal(await get({ customId: 'long ago' }), erased)
  assert.deepEqual([await isErased(db, erased), await isErased(db, live.id)], [true, false])
  assert.equal(await isErased(db, randomUUID()), false)
})

test('an operator finds a payment by each of its ids, its reference, and the beginning of its customId or data', async () => {
  const order = newOrder(projectId, { customId: `invoice-${randomUUID()}`, data: 'two coffees' })
  const payment = await payFor(deps, projectId, order)
  await payFor(deps, otherProjectId, { customId: 'another order' })
  await rows(db, 'update transactions set upstream_ref = $2 where id = $1', [payment.id, 'ch_of_this_one'])
  const [callback] = await listCallbacks(db, payment.id)
  const find = async (text: string, options = {}) =>
    (await findPaymentsByText(deps, text, options)).payments.map(({ id }) => id)
  for (const text of [
    ...[payment.id, payment.id.toUpperCase(), order.attemptId, toReference(payment.id), callback!.id],
    ...['ch_of_this_one', ` ${order.customId} `, order.customId!.slice(0, -2), 'two cof'],
  ])
    assert.deepEqual(await find(text), [payment.id], text)
  for (const text of ['', '  ', '\0', randomUUID(), `msg_${'0'.repeat(32)}`])
    assert.deepEqual(await find(text), [], text)
  assert.deepEqual(await find(order.customId!, { isExact: true }), [payment.id])
  for (const text of [order.customId!.slice(0, -2), 'two coffees'])
    assert.deepEqual(await find(text, { isExact: true }), [], text)
})

test('an operator sees the newest matches, and whether there are more', async () => {
  const toList = (count: number) => Array.from({ length: count }, (_, n) => ({ customId: `many-${n}` }))
  const ids = await insertPayments(deps, projectId, toList(FOUND_MAX))
  const all = await findPaymentsByText(deps, 'many-')
  assert.deepEqual([all.payments.map(({ id }) => id), all.hasMore], [ids.toReversed(), false])
  await insertPayments(deps, otherProjectId, [{ customId: 'many-x', createdAt: '2020-01-01T00:00:00Z' }])
  const newest = await findPaymentsByText(deps, 'many-')
  assert.deepEqual([newest.payments.map(({ id }) => id), newest.hasMore], [ids.toReversed(), true])
})

test('the history of a payment shows the record, reports, incidents and callbacks of this payment only', async () => {
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  const [payment, second] = [await makeLateCharge(), await makeLateCharge()]
  const { raise } = createIncidents(deps)
  await raise(second.id)
  assert.equal((await resolvePayment(deps, payment.id, newDecision('paid'))).kind, 'resolved')
  const { record, reports, incidents, callbacks } = await readHistory(deps, payment.id)
  assert.deepEqual(record.payment, await requirePayment(db, payment.id))
  const { resolvedBy, resolutionReason, completedAt, actionAt, checks, nextCheckAt, attemptId } = record
  assert.deepEqual(
    [resolvedBy, resolutionReason, completedAt === null, actionAt, checks, nextCheckAt],
    ['ana', newDecision('paid').reason, false, null, 0, null],
  )
  const [row] = await rows<{ attempt_id: string }>(db, 'select attempt_id from transactions where id = $1', [
    payment.id,
  ])
  assert.equal(attemptId, row!.attempt_id)
  assert.deepEqual(
    reports.map(({ facts }) => facts?.['saidCharge']),
    [`late_${payment.id}`],
  )
  assert.deepEqual(
    incidents.map(({ kind, transactionId }) => [kind, transactionId]),
    [['charged_after_end', payment.id]],
  )
  assert.deepEqual(callbacks.map(({ delivery }) => delivery.result).toSorted(), ['fail', 'success'])
  await assert.rejects(readHistory(deps, randomUUID()), NOT_FOUND)
})

test('a preview of a lookup says what the upstream reports, but nothing is recorded', async () => {
  const { open } = createPaymentFixtures(deps, projectId)
  const payment = await open()
  const upstream = scriptUpstream(deps)
  upstream.findResult = toCharge(payment)
  assert.deepEqual(await previewLookup(deps, payment), { reported: 'succeeded', noResponseReason: null })
  upstream.findResult = null
  assert.deepEqual(await previewLookup(deps, payment), { reported: 'unknown', noResponseReason: null })
  upstream.findResult = new Error('broken\nline')
  assert.deepEqual(await previewLookup(deps, payment), {
    reported: 'no response',
    noResponseReason: 'broken?line',
  })
  assert.deepEqual(await requirePayment(db, payment.id), payment)
  assert.deepEqual(upstream.calls, ['find', 'find', 'find'])
})
