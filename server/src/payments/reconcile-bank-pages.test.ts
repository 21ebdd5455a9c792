// With the amount 4004 the sandbox sends the payer to its bank page. The page may stay open for 30 minutes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { assertBooksAgree } from '../../test/ledger-check.ts'
import { listCallbacks, countIncidents, requirePayment } from '../../test/payments.ts'
import { finishBankStep } from '../backends/sandbox.ts'
import { abandonBankStep } from './reconcile.ts'
import { startReconciledPayments } from '../../test/reconciled-payments.ts'

const { deps, db, open, withUpstream, noResponse, reconcile, pausesOf } = await startReconciledPayments()

async function ageAction(id: string, minutes: number): Promise<void> {
  await rows(db, 'update transactions set action_at = now() - make_interval(mins => $2) where id = $1', [
    id,
    minutes,
  ])
}

test('while the payer is at the bank’s page, lookups become rarer, and one follows as soon as the page’s 30 minutes are over', async () => {
  const { id } = await open(4004n)
  assert.deepEqual(await pausesOf(id, 2), [60, 60])
  await ageAction(id, 5)
  assert.deepEqual(await pausesOf(id, 1), [300])
  await ageAction(id, 29)
  assert.deepEqual(await pausesOf(id, 1), [60])
  await reconcile()
  assert.equal((await requirePayment(db, id)).state, 'requires_action')
  await finishBankStep(db, id, 'approve')
  await reconcile()
  assert.equal((await requirePayment(db, id)).state, 'succeeded')
})

test('a bank page that is open for too long is closed upstream, and the payment expires', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 31)
  await reconcile(withUpstream({ cancel: noResponse }))
  assert.equal((await requirePayment(db, id)).state, 'requires_action')
  await reconcile()
  const ended = await requirePayment(db, id)
  assert.deepEqual([ended.state, ended.failureCode, ended.actionUrl], ['expired', 'expired', null])
  assert.deepEqual(
    (await listCallbacks(db, id)).map((row) => row.payload['failureCode']),
    ['expired'],
  )
  await finishBankStep(db, id, 'approve')
  assert.equal((await deps.backends.live.find(id))?.status, 'cancelled')
})

test('a payment is looked up before its bank page is closed, so that the page is not closed if the payer has finished', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 31)
  await finishBankStep(db, id, 'approve')
  let cancels = 0
  const cancel = () => {
    cancels += 1
    return noResponse()
  }
  await reconcile(withUpstream({ cancel }))
  assert.equal((await requirePayment(db, id)).state, 'succeeded')
  assert.equal(cancels, 0)
})

test('a payment that the bank is still processing is not closed when the time for its bank page is over', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 31)
  let cancels = 0
  const settling = withUpstream({
    find: async (one) => ({
      ...(await deps.backends.live.find(one))!,
      status: 'processing',
      actionUrl: null,
    }),
    cancel: (one) => {
      cancels += 1
      return deps.backends.live.cancel(one)
    },
  })
  for (let round = 0; round < 3; round += 1) await reconcile(settling)
  const stored = await requirePayment(db, id)
  assert.deepEqual([stored.state, stored.actionUrl, cancels], ['requires_action', null, 0])
  // The next payment has been open for hours when it is looked up. Its payer has finished, so no operator is needed.
  const { id: lateId } = await open(4004n)
  await ageAction(lateId, 30 + 361)
  await reconcile(settling)
  assert.equal((await requirePayment(db, lateId)).needsReview, false)
  assert.equal(await countIncidents(db, 'unresolved', lateId), 0)
  for (const one of [id, lateId]) await finishBankStep(db, one, 'approve')
  await reconcile()
  for (const one of [id, lateId]) assert.equal((await requirePayment(db, one)).state, 'succeeded')
})

test('a second bank page has its own 30 minutes, however long the first page and the bank took', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 3 * 60)
  await reconcile(
    withUpstream({
      find: async (one) => ({
        ...(await deps.backends.live.find(one))!,
        status: 'processing',
        actionUrl: null,
      }),
    }),
  )
  assert.equal((await requirePayment(db, id)).actionUrl, null)
  for (let round = 0; round < 3; round += 1) await reconcile()
  const stored = await requirePayment(db, id)
  assert.deepEqual([stored.state, stored.actionUrl === null], ['requires_action', false])
  await ageAction(id, 31)
  await reconcile()
  assert.equal((await requirePayment(db, id)).state, 'expired')
})

test('the lookup that finds a second bank page raises no incident, also if the first page was shown a day ago', async () => {
  const { id } = await open(4004n)
  await ageAction(id, 24 * 60)
  await reconcile(
    withUpstream({
      find: async (one) => ({
        ...(await deps.backends.live.find(one))!,
        status: 'processing',
        actionUrl: null,
      }),
    }),
  )
  await reconcile()
  const stored = await requirePayment(db, id)
  assert.deepEqual([stored.state, stored.actionUrl === null], ['requires_action', false])
  assert.deepEqual([stored.needsReview, await countIncidents(db, 'unresolved', id)], [false, 0])
})

test('if the upstream does not close a bank page, the payment is looked up less and less often, and then an incident is raised', async () => {
  const { id } = await open(4004n)
  const stuck = withUpstream({ cancel: noResponse })
  await ageAction(id, 31)
  assert.deepEqual(await pausesOf(id, 1), [60])
  await ageAction(id, 30 + 20)
  assert.deepEqual(await pausesOf(id, 1), [1200])
  await reconcile(stuck)
  assert.equal(await countIncidents(db, 'unresolved', id), 0)
  // An operator is needed six hours after the timeout.
  await ageAction(id, 30 + 361)
  await reconcile(stuck)
  assert.equal(await countIncidents(db, 'unresolved', id), 1)
  const listed = await requirePayment(db, id)
  assert.deepEqual([listed.state, listed.needsReview], ['requires_action', true])
  assert.deepEqual(await pausesOf(id, 1), [3600])
  await reconcile()
  const ended = await requirePayment(db, id)
  assert.deepEqual([ended.state, ended.needsReview], ['expired', false])
  const text =
    "select closed_at is not null as closed from incidents where kind = 'unresolved' and subject = $1"
  assert.deepEqual(await rows(db, text, [id]), [{ closed: true }])
})

test('a payer may start over only after the open bank step was closed upstream', async () => {
  const payment = await open(4004n)
  assert.equal((await abandonBankStep(withUpstream({ cancel: noResponse }), payment)).mayStartOver, false)
  assert.equal((await requirePayment(db, payment.id)).state, 'requires_action')
  const { payment: ended, mayStartOver } = await abandonBankStep(deps, payment)
  assert.deepEqual([mayStartOver, ended.state, ended.failureCode], [true, 'expired', 'cancelled'])
  assert.equal((await abandonBankStep(deps, ended)).mayStartOver, true)
})

test('a payer may not start over while the old attempt is in review', async () => {
  const payment = await open(4004n)
  const { payment: ended } = await abandonBankStep(deps, payment)
  assert.equal((await abandonBankStep(deps, { ...ended, needsReview: true })).mayStartOver, false)
})

test('a payer may not start over if the old attempt turns out to be paid or may still be paid', async () => {
  const approved = await open(4004n)
  await finishBankStep(db, approved.id, 'approve')
  const outcome = await abandonBankStep(deps, approved)
  assert.deepEqual([outcome.mayStartOver, outcome.payment.state], [false, 'succeeded'])
  // The sandbox charges the amount 4002, but does not respond.
  const unresponsive = await open(4002n)
  assert.equal((await abandonBankStep(deps, unresponsive)).mayStartOver, false)
  await reconcile()
})

test('after all tests the payments match the ledger of the upstream', () => assertBooksAgree(db))
