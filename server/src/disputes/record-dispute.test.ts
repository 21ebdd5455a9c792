// Why this is long: the tests of disputes share one setup.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPage, TransactionDetails } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { openBooks, sumAmounts, toMonth } from '../../test/books.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { countIncidents, newOrder, requirePayment, resolveOpenPayments } from '../../test/payments.ts'
import { payFor, refund, requireRefund, readSums } from '../../test/refunds.ts'
import { toCharge } from '../../test/resolving.ts'
import type { DisputeReport } from '../backends/backend.ts'
import { systemClock, toDate } from '../lib/clock.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Payment } from '../payments/payment.ts'
import { toReference } from '../payments/payment.ts'
import { recordReport } from '../payments/record-report.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'
import { createDisputePoll } from './receive.ts'
import { recordDispute } from './record-dispute.ts'

const OPERATOR = 'operator@example.com'
const service = await startTestService({ OPERATOR_EMAIL: OPERATOR })
const { app, deps } = service
const { db } = deps
const owner = await signUp(app)
await owner.stepUp()
const EVENTS = ['payment.result', 'refund.result', 'dispute.opened', 'dispute.closed']
const RESPOND_BY = '2026-12-01T12:00:00.000Z'

async function addProject(fields: Record<string, unknown> = {}) {
  await rows(db, 'update projects set archived_at = now() where archived_at is null')
  const { id: projectId } = await owner.addProject({ timeZone: 'UTC', ...fields })
  const books = openBooks(owner, projectId, toMonth(toDate(systemClock.nowMs())))
  const eventsOf = async (id: string) => {
    const { items } = (await owner.post('/sdk/events/list', { projectId })).json<EventPage>()
    return items.filter(({ type, transactionId }) => type.startsWith('dispute') && transactionId === id)
  }
  const get = async (transactionId: string) =>
    (await owner.post('/sdk/transaction/get', { projectId, transactionId })).json<TransactionDetails>()
  return { projectId, books, eventsOf, get }
}

function toReport(payment: Payment, fields: Partial<DisputeReport> = {}): DisputeReport {
  return {
    paymentId: payment.id,
    chargeId: null,
    status: 'open',
    amount: payment.amount,
    currency: 'EUR',
    upstreamRef: 'du_1',
    reason: 'fraudulent',
    respondBy: toDate(Date.parse(RESPOND_BY)),
    ...fields,
  }
}

const callbacksOf = (id: string) =>
  rows<{ event: string; result: string | null; revision: number; payload: Record<string, unknown> }>(
    db,
    'select event, result, revision, payload from callback_states where transaction_id = $1 and dispute_id is not null order by id',
    [id],
  )

const mailsOf = (id: string) =>
  rows<{ kind: string; to_address: string; reader: string }>(
    db,
    `select kind, to_address, facts ->> 'reader' as reader from mails where facts ->> 'transactionId' = $1 order by created_at, kind, to_address`,
    [id],
  )

test('an inquiry blocks nothing, an open dispute blocks its amount, and a won dispute frees the amount', async () => {
  const { projectId, books, eventsOf, get } = await addProject({ events: EVENTS })
  const payment = await payFor(deps, projectId, { amount: 5_000n, customId: 'order-7', data: 'Kafa' })
  await recordDispute(deps, payment, toReport(payment, { status: 'inquiry' }))
  assert.equal((await readSums(db, payment.id)).disputed, 0n)
  assert.equal((await books.readStatement()).totals.net, '5000')
  for (let repeat = 0; repeat < 2; repeat += 1) await recordDispute(deps, payment, toReport(payment))
  await recordDispute(deps, payment, toReport(payment, { status: 'inquiry' }))
  const { transaction, disputes } = await get(payment.id)
  assert.deepEqual([transaction.disputed, transaction.refundable], ['5000', '0'])
  assert.partialDeepStrictEqual(disputes, [
    { state: 'open', amount: '5000', currency: 'EUR', reason: 'fraudulent', respondBy: RESPOND_BY },
  ])
  assert.match(disputes[0]!.id, /^dp_[0-9a-f]{32}$/)
  assert.equal((await books.readStatement()).totals.disputes, '5000')
  const refused = await refund(owner, payment, { amount: '1' })
  assert.deepEqual([refused.status, refused.code], [409, 'not_refundable'])
  await recordDispute(deps, payment, toReport(payment, { status: 'won' }))
  await recordDispute(deps, payment, toReport(payment, { status: 'won' }))
  assert.equal((await readSums(db, payment.id)).disputed, 0n)
  assert.deepEqual(
    (await get(payment.id)).disputes.map(({ state }) => state),
    ['won'],
  )
  const events = await eventsOf(payment.id)
  assert.deepEqual(
    events.map(({ type, payload }) => [type, (payload as { state: string }).state]),
    [
      ['dispute.opened', 'inquiry'],
      ['dispute.opened', 'open'],
      ['dispute.closed', 'won'],
    ],
  )
  const lines = await books.readCsv()
  assert.deepEqual(
    lines.map(({ type, amount, upstreamRef }) => [type, amount, upstreamRef]),
    [
      ['payment', '5000', ''],
      ['dispute', '-5000', 'du_1'],
      ['dispute_won', '5000', 'du_1'],
    ],
  )
  assert.equal(sumAmounts(lines), 5_000n)
  const callbacks = await callbacksOf(payment.id)
  assert.deepEqual(
    callbacks.map(({ event, result, revision, payload }) => [
      event,
      result,
      revision,
      payload['disputeStatus'],
    ]),
    [
      ['dispute.opened', null, 0, 'inquiry'],
      ['dispute.opened', null, 1, 'open'],
      ['dispute.closed', null, 0, 'won'],
    ],
  )
  assert.ok(callbacks.every(({ payload }) => !('status' in payload) && !('successful' in payload)))
})

test('a dispute is mailed to the owner, the operator and the members who chose mails about disputes, and to no other member', async () => {
  const { projectId } = await addProject()
  const members: [email: string, mails: string[]][] = [
    [(await signUp(app)).email, ['disputes']],
    [(await signUp(app)).email, ['failures', 'security']],
  ]
  for (const [email, mails] of members)
    await rows(
      db,
      `insert into project_members (project_id, account_id, role, mails)
       select $1, id, 'admin', $3 from accounts where email = $2`,
      [projectId, email, mails],
    )
  const payment = await payFor(deps, projectId)
  await recordDispute(deps, payment, toReport(payment))
  const mailed = (await mailsOf(payment.id)).map(({ to_address: to, reader }) => `${reader} ${to}`)
  const expected = [`merchant ${owner.email}`, `merchant ${members[0]![0]}`, `operator ${OPERATOR}`]
  assert.deepEqual(mailed.toSorted(), expected.toSorted())
})

test('merchant and operator are mailed when a dispute opens and when it closes', async () => {
  const { projectId } = await addProject()
  const payment = await payFor(deps, projectId)
  await recordDispute(deps, payment, toReport(payment))
  await recordDispute(deps, payment, toReport(payment, { status: 'lost' }))
  const mails = await mailsOf(payment.id)
  assert.deepEqual(mails.map(({ kind }) => kind).toSorted(), [
    'dispute_closed',
    'dispute_closed',
    'dispute_opened',
    'dispute_opened',
  ])
  for (const { to_address: to, reader } of mails)
    assert.equal(reader, to === OPERATOR ? 'operator' : 'merchant')
  assert.equal(mails.filter(({ to_address: to }) => to === OPERATOR).length, 2)
  // The project has not subscribed to events of disputes.
  assert.deepEqual(await callbacksOf(payment.id), [])
})

test('a mail about a dispute has the reference of the payment, and its customId only if the link was signed', async () => {
  const { projectId } = await addProject()
  for (const isLinkSigned of [true, false]) {
    const payment = await payFor(deps, projectId, { customId: `order-${isLinkSigned}`, isLinkSigned })
    await recordDispute(deps, payment, toReport(payment))
    const mailed = await rows(
      db,
      `select distinct facts ->> 'reference' as reference, facts ->> 'order' as "order" from mails where facts ->> 'transactionId' = $1`,
      [payment.id],
    )
    const order = isLinkSigned ? 'order-true' : null
    assert.deepEqual(mailed, [{ reference: toReference(payment.id), order }])
  }
})

test('when the merchant’s account is closed, only the operator is mailed', async () => {
  const merchant = await signUp(app)
  const { id: projectId } = await merchant.addProject()
  const payment = await payFor(deps, projectId)
  await rows(
    db,
    `update accounts set closed_at = now(), email = 'closed-' || id || '@account.invalid'
     where id = (select owner_id from projects where id = $1)`,
    [projectId],
  )
  await recordDispute(deps, payment, toReport(payment))
  assert.deepEqual(await mailsOf(payment.id), [
    { kind: 'dispute_opened', to_address: OPERATOR, reader: 'operator_alone' },
  ])
})

test('a dispute whose first report is "lost" is recorded as lost', async () => {
  const { projectId, books, eventsOf } = await addProject()
  const payment = await payFor(deps, projectId)
  await recordDispute(deps, payment, toReport(payment, { status: 'lost', respondBy: null }))
  assert.equal((await readSums(db, payment.id)).disputed, 1_500n)
  assert.deepEqual(
    (await eventsOf(payment.id)).map(({ type }) => type),
    ['dispute.closed'],
  )
  assert.equal((await books.readStatement()).totals.net, '0')
})

test('a report whose final state, amount or currency contradicts the dispute or its payment changes nothing and raises an incident', async () => {
  const { projectId } = await addProject()
  const payment = await payFor(deps, projectId)
  await recordDispute(deps, payment, toReport(payment, { status: 'won' }))
  await recordDispute(deps, payment, toReport(payment, { status: 'lost' }))
  assert.equal(await countIncidents(db, 'dispute_contradiction', `${payment.id} du_1`), 1)
  await recordDispute(deps, payment, toReport(payment, { amount: 1n }))
  assert.equal(await countIncidents(db, 'dispute_mismatch', `${payment.id} du_1`), 1)
  await recordDispute(deps, payment, toReport(payment, { upstreamRef: 'du_2', currency: 'USD' }))
  assert.equal(await countIncidents(db, 'dispute_mismatch', `${payment.id} du_2`), 1)
  // The longest id that an http upstream may use.
  const longRef = 'd'.repeat(128)
  await recordDispute(deps, payment, toReport(payment, { upstreamRef: longRef, currency: '\u001bc\0' }))
  const [incident] = await rows<{ facts: object }>(
    db,
    `select facts from incidents where kind = 'dispute_mismatch' and facts->>'dispute' = $1`,
    [longRef],
  )
  assert.deepEqual(incident?.facts, {
    dispute: longRef,
    said: 'open',
    saidAmount: '1500',
    saidCurrency: '?c?',
  })
  assert.equal((await readSums(db, payment.id)).disputed, 0n)
})

test('a dispute over an amount that was already refunded is recorded and puts the payment in review', async () => {
  const { projectId } = await addProject()
  const payment = await payFor(deps, projectId)
  await requireRefund(owner, payment, { amount: '1000' })
  await recordDispute(deps, payment, toReport(payment))
  assert.equal((await readSums(db, payment.id)).disputed, 1_500n)
  assert.equal(await countIncidents(db, 'refund_exceeds', payment.id), 1)
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
})

test('a repeated report raises the incident that a killed process did not raise', async () => {
  const { projectId } = await addProject()
  const payment = await payFor(deps, projectId)
  await requireRefund(owner, payment, { amount: '1000' })
  await recordDispute(deps, payment, toReport(payment))
  // This is the state if a process was killed after it recorded the dispute and before it raised the incident.
  await rows(db, 'delete from incidents where subject = $1', [payment.id])
  await rows(db, 'update transactions set needs_review = false where id = $1', [payment.id])
  await recordDispute(deps, payment, toReport(payment))
  assert.equal(await countIncidents(db, 'refund_exceeds', payment.id), 1)
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
})

test('several reports of a dispute at the same time record it once', async () => {
  const { projectId, eventsOf } = await addProject()
  const payment = await payFor(deps, projectId)
  await Promise.all(Array.from({ length: 10 }, () => recordDispute(deps, payment, toReport(payment))))
  assert.equal((await readSums(db, payment.id)).disputed, 1_500n)
  assert.equal((await eventsOf(payment.id)).length, 1)
})

test('a sandbox payment of 4007 is disputed once, five seconds after it succeeded', async () => {
  const { projectId, get } = await addProject()
  const payment = await payFor(deps, projectId, { amount: 4007n, mode: 'test' })
  const poll = createDisputePoll(deps)
  await poll()
  assert.deepEqual((await get(payment.id)).disputes, [])
  await rows(db, "update sandbox_charges set created_at = created_at - interval '5 seconds' where id = $1", [
    payment.id,
  ])
  for (let repeat = 0; repeat < 2; repeat += 1) await createDisputePoll(deps)()
  const { transaction, disputes } = await get(payment.id)
  assert.deepEqual(
    disputes.map(({ state, amount }) => [state, amount]),
    [['open', '4007']],
  )
  assert.equal(transaction.disputed, '4007')
  assert.deepEqual(
    (await mailsOf(payment.id)).map(({ kind }) => kind),
    ['dispute_opened'],
  )
})

test('a sandbox payment of 4008 is processing for twenty seconds, then succeeds', async () => {
  const { projectId } = await addProject()
  const outcome = await confirmPayment(deps, newOrder(projectId, { amount: 4008n }))
  const id = outcome.kind === 'payment' ? outcome.payment.id : assert.fail(outcome.kind)
  await resolveOpenPayments(deps, 1)
  assert.equal((await requirePayment(db, id)).state, 'processing')
  await rows(db, "update sandbox_charges set created_at = created_at - interval '20 seconds' where id = $1", [
    id,
  ])
  await resolveOpenPayments(deps)
  assert.equal((await requirePayment(db, id)).state, 'succeeded')
})

test('a report without reason and deadline keeps the stored reason and deadline; a dispute over the amount 0 raises an incident', async () => {
  const { projectId, get } = await addProject()
  const payment = await payFor(deps, projectId)
  await recordDispute(deps, payment, toReport(payment, { status: 'inquiry' }))
  await recordDispute(deps, payment, toReport(payment, { respondBy: null, reason: null }))
  const { disputes } = await get(payment.id)
  assert.partialDeepStrictEqual(disputes, [{ state: 'open', reason: 'fraudulent', respondBy: RESPOND_BY }])
  const second = await payFor(deps, projectId)
  await recordDispute(deps, second, toReport(second, { upstreamRef: 'du_0', amount: 0n }))
  assert.deepEqual((await get(second.id)).disputes, [])
  assert.equal(await countIncidents(db, 'dispute_mismatch', `${second.id} du_0`), 1)
})

test('a dispute of a second charge is recorded, but counts neither in the disputed amount of the payment nor in the statement', async () => {
  const { projectId, books, eventsOf, get } = await addProject()
  const payment = await payFor(deps, projectId, { amount: 5_000n })
  await rows(db, `update transactions set upstream_ref = 'ch_first' where id = $1`, [payment.id])
  const paid = await requirePayment(db, payment.id)
  await recordReport(deps, paid, toCharge(paid, { chargeId: 'ch_second' }))
  const reported = await requirePayment(db, payment.id)
  assert.equal(reported.needsReview, true)
  const ofSecond = { chargeId: 'ch_second', upstreamRef: 'du_second' }
  for (const status of ['open', 'lost'] as const)
    await recordDispute(deps, reported, toReport(payment, { ...ofSecond, status }))
  assert.equal((await readSums(db, payment.id)).disputed, 0n)
  assert.equal(await countIncidents(db, 'refund_exceeds', payment.id), 0)
  const { transaction, disputes } = await get(payment.id)
  assert.deepEqual([transaction.disputed, disputes.map(({ state }) => state)], ['0', ['lost']])
  assert.equal((await eventsOf(payment.id)).length, 2)
  const { totals } = await books.readStatement()
  assert.deepEqual([totals.gross, totals.disputes, totals.net], ['5000', '0', '5000'])
  // An operator's decision posts the payment's disputes to the ledger, but not those of a second charge.
  const seen = { as: 'paid', reason: 'The first charge is right', by: 'ana' } as const
  assert.equal((await resolvePayment(deps, payment.id, seen)).kind, 'resolved')
  assert.equal((await books.readStatement()).totals.net, '5000')
  await recordDispute(deps, reported, toReport(payment, { chargeId: 'ch_first', upstreamRef: 'du_first' }))
  assert.equal((await readSums(db, payment.id)).disputed, 5_000n)
  assert.equal((await books.readStatement()).totals.net, '0')
})
