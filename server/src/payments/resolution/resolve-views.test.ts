// The sandbox declines the amount 4000.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProjectsTodayView, StatsView } from '@pazar/contract'
import { rows } from '../../../test/accounts.ts'
import { signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { Payer, toLink } from '../../../test/payer.ts'
import type { PayProject } from '../../../test/payer.ts'
import { listCallbacks } from '../../../test/payments.ts'
import { createPaymentFixtures, newDecision, toCharge } from '../../../test/resolving.ts'
import { readSecret } from '../../secrets/secrets.ts'
import { recordReport } from '../record-report.ts'
import { resolvePayment } from './resolve.ts'
import { foldAllStats } from '../reads/stats.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const service = await startTestService()
const { deps, app } = service
const owner = await signUp(app)
const { id: projectId } = await owner.addProject()
const live = await readSecret(deps, deps.db, projectId, 'live')
const shop: PayProject = { id: projectId, secrets: { live, test: live } }
const { end, makeLateCharge, open } = createPaymentFixtures(deps, projectId)
let orders = 0
const newOrderId = () => `view-${++orders}`

async function itemOf(customId: string): Promise<Record<string, unknown>> {
  const response = await owner.post('/sdk/transactions/list', { projectId, customId })
  return response.json<{ items: Record<string, unknown>[] }>().items[0]!
}

async function readStats(): Promise<{ count: number; succeeded: number; failed: number; volume: string }> {
  const { count, succeeded, failed, volume } = (
    await owner.get(`/portal/api/projects/${projectId}/stats`)
  ).json<StatsView>()
  return { count, succeeded, failed, volume }
}

test('the list and the CSV file show the decision, and the field "successful" agrees with the decision', async () => {
  const customId = newOrderId()
  const payment = await makeLateCharge({ customId })
  const inReview = await itemOf(customId)
  assert.deepEqual(
    [inReview['needsReview'], inReview['successful'], inReview['resolution']],
    [true, false, null],
  )
  await resolvePayment(deps, payment.id, newDecision('paid', { reason: 'Seen on the statement' }))
  const item = await itemOf(customId)
  assert.deepEqual(
    [item['state'], item['successful'], item['needsReview'], item['resolution'], item['resolutionReason']],
    ['failed', true, false, 'paid', 'Seen on the statement'],
  )
  assert.match(String(item['resolvedAt']), /^\d{4}-.*Z$/)
  const [, second] = (await listCallbacks(deps.db, payment.id)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  assert.equal((item['callback'] as { id: string }).id, second!.id)
  const csv = await owner.get(
    `/portal/api/projects/${projectId}/transactions.csv?lang=en&customId=${customId}`,
  )
  assert.match(csv.text.split('\n')[0]!, /Decision after review,Decided \(UTC\),Reason for the decision/)
  assert.match(csv.text, /,paid,20\d\d-[^,]+Z,Seen on the statement/)
})

test('the owner’s status check shows the result of the decision, and whether the payment is in review', async () => {
  const checkStatus = async (customId: string) => {
    const response = await owner.post(`/portal/api/projects/${projectId}/status-check`, { customId })
    const { transactionId: _id, ...rest } = response.json()
    return rest
  }
  const paid = newOrderId()
  await resolvePayment(deps, (await makeLateCharge({ customId: paid })).id, newDecision('paid'))
  assert.deepEqual(await checkStatus(paid), {
    found: true,
    state: 'failed',
    successful: true,
    needsReview: false,
  })
  const chargedTwice = newOrderId()
  const payment = await end('succeeded', { customId: chargedTwice })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'twice' }))
  const twice = { found: true, state: 'succeeded' }
  assert.deepEqual(await checkStatus(chargedTwice), { ...twice, successful: true, needsReview: true })
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  assert.deepEqual(await checkStatus(chargedTwice), { ...twice, successful: false, needsReview: false })
})

test('stats follow the operator’s decision, also after a correction and for a payment that was still open', async () => {
  const statsBefore = await readStats()
  const payment = await makeLateCharge()
  await resolvePayment(deps, payment.id, newDecision('paid'))
  const paid = await readStats()
  assert.deepEqual(
    [
      paid.succeeded - statsBefore.succeeded,
      paid.failed - statsBefore.failed,
      Number(paid.volume) - Number(statsBefore.volume),
    ],
    [1, 0, 1500],
  )
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  const corrected = await readStats()
  assert.deepEqual(
    [corrected.succeeded - statsBefore.succeeded, corrected.failed - statsBefore.failed, corrected.volume],
    [0, 1, statsBefore.volume],
  )
  const stuck = await open()
  await rows(deps.db, 'update transactions set needs_review = true where id = $1', [stuck.id])
  await resolvePayment(deps, stuck.id, newDecision('paid'))
  const ended = await readStats()
  assert.deepEqual([ended.succeeded - corrected.succeeded, ended.failed - corrected.failed], [1, 0])
})

test('in stats, a payment in review never counts as failed, and counts as succeeded only while it counts as paid', async () => {
  const { id } = await owner.addProject()
  const reviews = createPaymentFixtures(deps, id)
  const declined = await reviews.makeLateCharge()
  const charged = await reviews.end('succeeded')
  await recordReport(deps, charged, toCharge(charged, { chargeId: 'second' }))
  await reviews.end('succeeded')
  await reviews.end('failed')
  const nowMs = deps.clock.nowMs()
  // Whole quarters of an hour are read from the stored stats, the rest of a range from single payments.
  const single = new URLSearchParams({
    from: new Date(nowMs - 60_000).toISOString(),
    to: new Date(nowMs + 60_000).toISOString(),
  })
  const check = async (
    count: number,
    succeeded: number,
    failed: number,
    volume: string,
    inReview: number,
  ) => {
    const successRate = succeeded / (succeeded + failed)
    for (const range of ['', String(single)]) {
      const stats = (await owner.get(`/portal/api/projects/${id}/stats?${range}`)).json<StatsView>()
      const expected = { count, succeeded, failed, volume, successRate, inReview }
      assert.deepEqual({ ...stats, ...expected }, stats, range)
    }
    const { projects } = (await owner.get('/portal/api/projects/today')).json<ProjectsTodayView>()
    const today = projects.find(({ projectId }) => projectId === id)!
    assert.deepEqual({ ...today, succeeded, failed, volume, successRate }, today)
  }
  await check(4, 2, 1, '3000', 1)
  await resolvePayment(deps, declined.id, newDecision('paid'))
  await check(4, 3, 1, '4500', 0)
  await resolvePayment(deps, charged.id, newDecision('unpaid'))
  await check(4, 2, 2, '3000', 0)
  await recordReport(deps, charged, toCharge(charged, { chargeId: 'third' }))
  await check(4, 2, 1, '3000', 1)
  await foldAllStats(deps)
  await check(4, 2, 1, '3000', 1)
  await resolvePayment(deps, charged.id, newDecision('paid'))
  await check(4, 3, 1, '4500', 0)
})

async function stateOf(id: string): Promise<Record<string, unknown>> {
  const response = await app.inject({ url: `/pay/${id}`, headers: { accept: 'application/json' } })
  return response.json<Record<string, unknown>>()
}

test('the page of an open payment in review says that the payment is being checked, and does not link to the bank', async () => {
  const payment = await open({ customId: newOrderId() })
  await rows(
    deps.db,
    `update transactions set state = 'requires_action', action_url = 'https://bank.example/1', needs_review = true
     where id = $1`,
    [payment.id],
  )
  const page = await new Payer(app).open(`/pay/${payment.id}?return=1`)
  assert.equal(page.heading, 'Your payment is being checked')
  assert.match(page.text, /Do not pay again\./)
  assert.equal(page.form, null)
  assert.equal(page.links.has('Continue at the bank'), false)
  const state = await stateOf(payment.id)
  assert.deepEqual(
    [state['status'], state['needsReview'], state['successful']],
    ['requires_action', true, false],
  )
  assert.match(String(state['redirectUrl']), new RegExp(`/pay/${payment.id}`))
})

test('the page of a payment resolved as paid is a receipt, the redirect reports success, and the order cannot be paid again', async () => {
  const payer = new Payer(app)
  const customId = newOrderId()
  const link = toLink(shop, { amount: '4000', customId, signed: true })
  const page = await payer.open(link)
  const pressed = await payer.press(page)
  assert.equal(pressed.status, 402)
  const item = await itemOf(customId)
  const id = String(item['id'])
  const otherPayer = new Payer(app)
  const otherPage = await otherPayer.open(link)
  await rows(deps.db, 'update transactions set needs_review = true where id = $1', [id])
  await resolvePayment(deps, id, newDecision('paid'))
  const receipt = await payer.open(`/pay/${id}`)
  assert.equal(receipt.heading, 'Payment complete')
  assert.match(receipt.text, /This payment was checked manually and is confirmed as paid\./)
  const state = await stateOf(id)
  assert.deepEqual(
    [state['status'], state['successful'], state['resolution'], state['needsReview']],
    ['failed', true, 'paid', false],
  )
  assert.match(String(state['redirectUrl']), /status=success/)
  assert.match((await payer.press(page)).location ?? '', /status=success/)
  assert.equal((await otherPayer.press(otherPage)).heading, 'This order is already paid')
  assert.equal((await new Payer(app).open(link)).heading, 'This order is already paid')
})

test('the page of a payment resolved as unpaid does not say that nothing was charged, and the order can be paid again', async () => {
  const payer = new Payer(app)
  const customId = newOrderId()
  const link = toLink(shop, { amount: '4000', customId })
  await payer.press(await payer.open(link))
  const id = String((await itemOf(customId))['id'])
  await rows(deps.db, 'update transactions set needs_review = true where id = $1', [id])
  await resolvePayment(deps, id, newDecision('unpaid'))
  const page = await payer.open(`/pay/${id}`)
  assert.equal(page.heading, 'The payment did not go through')
  assert.doesNotMatch(page.text, /This attempt was not charged\./)
  assert.notEqual(page.form, null)
  assert.match(String((await stateOf(id))['redirectUrl']), /status=fail/)
})

test('the callback that a decision replaced cannot be resent; the callback of the decision can', async () => {
  const payment = await makeLateCharge()
  await changeCallbacks(
    deps.db,
    `update callbacks set status = 'delivered', delivered_at = now() where transaction_id = $1`,
    [payment.id],
  )
  const [first] = await listCallbacks(deps.db, payment.id)
  const outcome = await resolvePayment(deps, payment.id, newDecision('paid'))
  const resend = (id: string) =>
    owner.post(`/portal/api/projects/${projectId}/deliveries/${id}/resend`, { again: true })
  assert.equal((await resend(first!.id)).code, 'custom_id_conflict')
  assert.equal((await resend(outcome.kind === 'resolved' ? outcome.callbackId! : '')).status, 202)
})

test('after a succeeded payment was resolved as unpaid, the callback of a failed payment of the same order can be resent', async () => {
  const customId = newOrderId()
  const payment = await end('succeeded', { customId })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'twice' }))
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  const failed = await end('failed', { customId })
  const [fail] = await listCallbacks(deps.db, failed.id)
  const response = await owner.post(`/portal/api/projects/${projectId}/deliveries/${fail!.id}/resend`, {})
  assert.equal(response.status, 202)
})
