import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { createIncidents } from '../../../test/incidents.ts'
import { listCallbacks, newOrder, requirePayment, startPayments } from '../../../test/payments.ts'
import { createPaymentFixtures, newDecision, scriptUpstream, toCharge } from '../../../test/resolving.ts'
import type { NewCharge } from '../../backends/backend.ts'
import { recordBankPage } from '../bank-step-store.ts'
import { listOpenOf } from '../checks-store.ts'
import { claimLookups } from '../claim-lookups.ts'
import { confirmPayment } from '../confirm.ts'
import { hasOpenIncident } from '../incidents-store.ts'
import { closeIncident } from '../incidents.ts'
import { countOpen } from '../money-guard-store.ts'
import { recordReport } from '../record-report.ts'
import { storeReport, REPORTS_MAX } from '../reports-store.ts'
import { resolvePayment } from './resolve.ts'
import { readEvidenceIds, toEvidenceCode } from '../evidence.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const sandbox = deps.backends
const { open, end, makeLateCharge } = createPaymentFixtures(deps, projectId)
const { raise, incidentOf } = createIncidents(deps)

beforeEach(() => {
  deps.backends = { ...sandbox }
})

const outcomesOf = async (id: string) =>
  (await listCallbacks(db, id)).map(({ result, status }) => `${result} ${status}`)

test('resolving a payment as paid cancels the queued "fail" callback of another payment of the same checkout', async () => {
  const checkoutId = randomUUID()
  const failed = await end('failed', { checkoutId })
  const ofOtherCheckout = await end('failed', { checkoutId: randomUUID() })
  const chargedLate = await makeLateCharge({ checkoutId })
  assert.equal((await resolvePayment(deps, chargedLate.id, newDecision('paid'))).kind, 'resolved')
  assert.deepEqual(
    [await outcomesOf(failed.id), await outcomesOf(ofOtherCheckout.id)],
    [['fail cancelled'], ['fail pending']],
  )
})

test('a success cancels the "fail" callbacks of payments with the same customId or the same checkout id', async () => {
  const [checkoutId, customId] = [randomUUID(), randomUUID()]
  const fails = [await end('failed', { checkoutId }), await end('failed', { customId })]
  await end('succeeded', { checkoutId, customId })
  for (const { id } of fails) assert.deepEqual(await outcomesOf(id), ['fail cancelled'])
})

test('a decision closes only the incidents of its own payment, and removes the payment’s bank page', async () => {
  const [payment, other] = [await open(), await open()]
  for (const { id } of [payment, other]) {
    await recordBankPage(db, id, 'https://bank.example/')
    await raise(id, 'mismatch', true)
  }
  scriptUpstream(deps)
  assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'resolved')
  assert.equal((await requirePayment(db, payment.id)).actionUrl, null)
  assert.deepEqual(
    [await hasOpenIncident(db, payment.id), await hasOpenIncident(db, other.id)],
    [false, true],
  )
  assert.equal((await requirePayment(db, other.id)).needsReview, true)
})

test('resolving a payment as unpaid cancels the payment upstream, unless the payment ends during the lookup', async () => {
  for (const [status, evenIfPayerFinished] of [
    ['processing', true],
    ['requires_action', false],
    [null, false],
  ] as const) {
    const upstream = scriptUpstream(deps)
    const payment = await open()
    await raise(payment.id)
    upstream.findResult = status && toCharge(payment, { status, actionUrl: 'https://bank.example/' })
    const requested: unknown[] = []
    upstream.backend.cancel = async (id, options) => {
      requested.push(options)
      return toCharge(payment, { id, status: 'cancelled' })
    }
    await resolvePayment(deps, payment.id, newDecision('unpaid'))
    assert.deepEqual(requested, [{ evenIfPayerFinished }])
  }
  const upstream = scriptUpstream(deps)
  const payment = await open()
  await raise(payment.id)
  upstream.backend.find = async () => {
    await recordReport(deps, payment, toCharge(payment, { status: 'failed' }))
    return toCharge(payment, { status: 'processing' })
  }
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  assert.deepEqual(upstream.calls, [])
})

test('the sequence number of a report about another payment is ignored', async () => {
  const payment = await open()
  await recordReport(
    deps,
    payment,
    toCharge(payment, { id: randomUUID(), status: 'processing', sequence: 99 }),
  )
  const recorded = await recordReport(deps, payment, toCharge(payment, { sequence: 1 }), { isWebhook: true })
  assert.equal(recorded.state, 'succeeded')
})

test('the evidence code changes with the decision, each report and each open incident', async () => {
  const payment = await end('failed')
  const codeOf = async () =>
    requirePayment(db, payment.id).then(async (stored) =>
      toEvidenceCode(stored, await readEvidenceIds(deps, db, stored)),
    )
  const note = (said: string) => db.transaction((tx) => storeReport(tx, payment.id, null, { said }))
  const firstCode = await codeOf()
  await raise(payment.id)
  const codeWithIncident = await codeOf()
  await closeIncident(deps, (await incidentOf('mismatch', payment.id)).id)
  assert.deepEqual(
    [codeWithIncident === firstCode, await codeOf()],
    [false, firstCode],
    'a closed incident does not change the code',
  )
  for (let n = 0; n <= REPORTS_MAX; n += 1) await note(`report ${n}`)
  const codeAtLimit = await codeOf()
  await note('one more')
  assert.notEqual(await codeOf(), codeAtLimit, 'a report beyond the limit changes the code')
  const stored = await requirePayment(db, payment.id)
  const evidence = await readEvidenceIds(deps, db, stored)
  const codes = (['paid', 'unpaid', null] as const).map((resolution) =>
    toEvidenceCode({ ...stored, resolution }, evidence),
  )
  assert.equal(new Set(codes).size, 3)
})

test('lookups for an operator are limited like all lookups that can wait, even at an upstream that is only in BACKENDS_KEPT', async () => {
  const quota = { perSec: 0, burst: 10, waitingPerSec: 0, waitingBurst: 3 }
  const live = { ...sandbox.live, name: 'stripe' as const, quota: { ...quota, waitingBurst: 9 } }
  const kept = { ...sandbox.live, name: 'http' as const, quota }
  deps.backends = { live, test: sandbox.test, previous: [kept] }
  await rows(
    db,
    `insert into lookup_budgets (upstream, tokens, waiting_tokens, refilled_at) values ('http', 10, 3, now()), ('stripe', 10, 9, now())`,
  )
  const claimed = []
  for (const [backend, requested] of [
    ['http', 2],
    ['http', 5],
    ['http', 1],
    ['stripe', 20],
    ['sandbox', 1000],
  ] as const)
    claimed.push(await claimLookups(deps, backend, requested))
  assert.deepEqual(claimed, [2, 1, 0, 9, 1000])
  const [budget] = await rows(db, `select tokens, waiting_tokens from lookup_budgets where upstream = 'http'`)
  assert.deepEqual(budget, { tokens: 7, waiting_tokens: 0 })
})

test('open payments are counted whether they wait for the upstream or for the payer, and are listed by upstream', async () => {
  await rows(db, 'truncate transactions, callbacks, incidents cascade')
  const [processing, atBank] = [await open(), await open()]
  await recordBankPage(db, atBank.id, 'https://bank.example/')
  await end('failed')
  assert.equal(await countOpen(db), 2)
  assert.deepEqual(
    (await listOpenOf(db, 'sandbox')).map(({ id }) => id).toSorted(),
    [processing.id, atBank.id].toSorted(),
  )
  assert.deepEqual(await listOpenOf(db, 'http'), [])
})

test('the upstream gets the fields from which a lost payment can be restored', async () => {
  let sent: NewCharge | null = null
  const live = {
    ...sandbox.live,
    create: async (charge: NewCharge) => {
      sent = charge
      return sandbox.live.create(charge)
    },
  }
  const order = newOrder(projectId, { checkoutId: randomUUID(), data: 'Kafa', merchantName: 'Knjižara' })
  const outcome = await confirmPayment({ ...deps, backends: { ...sandbox, live } }, order)
  assert.ok(outcome.kind === 'payment' && sent)
  const { origin, merchantName, data, scale, mode } = sent as NewCharge
  assert.deepEqual(origin, {
    installationId: deps.installation.id,
    attemptId: order.attemptId,
    checkoutId: order.checkoutId,
    createdAt: outcome.payment.createdAt,
  })
  assert.deepEqual([merchantName, data, scale, mode], ['Knjižara', 'Kafa', 2, 'live'])
})
