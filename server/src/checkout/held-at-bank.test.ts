// Tests a payment that waits for the payer at the bank page. In most tests, another payment of the same order or checkout is
// in review, so continuing at the bank could charge the payer twice. The sandbox has a bank page for the amount 4004.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import type { PayerPage } from '../../test/payer.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { makeDeclinedAttempts, listPaymentIds, reportCharge } from '../../test/reviewed-payments.ts'
import { toReference } from '../payments/payment.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const IN_REVIEW = 'Your payment is being checked'
const newPayer = () => new Payer(service.app)
const resolve = (id: string, as: 'paid' | 'unpaid') =>
  resolvePayment(deps, id, { as, reason: 'checked with the bank', by: 'operator' })

const CONTINUE = 'Continue the payment'

/** Makes two attempts with the same browser. The bank declines the first; the second still waits at the bank. */
async function leaveSecondAtBank(
  fields: Parameters<typeof toLink>[1],
): Promise<{ payer: Payer; form: PayerPage; ids: string[] }> {
  const [payer, data] = [newPayer(), randomUUID()]
  const link = toLink(shop, { amount: '4004', data, ...fields })
  await payer.pay(link)
  const [first = ''] = await listPaymentIds(deps, data)
  await payer.send('POST', `/sandbox/bank/${first}`, 'outcome=decline')
  const form = await payer.open(`/pay/${first}?return=1`)
  await payer.press(form)
  const ids = await listPaymentIds(deps, data)
  assert.equal(ids.length, 2)
  return { payer, form, ids }
}

async function stateOf(id: string): Promise<Record<string, unknown>> {
  const response = await service.app.inject({ url: `/pay/${id}`, headers: { accept: 'application/json' } })
  return response.json<Record<string, unknown>>()
}

for (const kind of ['with customId', 'without customId']) {
  const fields = () => (kind === 'with customId' ? { customId: `order-${randomUUID()}` } : {})

  test(`no page links to the bank while an earlier attempt is in review (${kind})`, async () => {
    const { payer, form, ids } = await leaveSecondAtBank(fields())
    const [first = '', second = ''] = ids
    const pageBefore = await payer.open(`/pay/${second}`)
    assert.notEqual(pageBefore.links.get(CONTINUE), undefined)
    await reportCharge(deps, first)

    const page = await payer.open(`/pay/${second}`)
    assert.deepEqual([page.status, page.heading, page.form], [200, IN_REVIEW, null])
    assert.equal(page.links.get(CONTINUE), undefined)
    assert.ok(page.text.includes(toReference(first)))
    assert.equal((await payer.press(form)).location, `http://localhost:3000/pay/${first}`)
    const state = await stateOf(second)
    assert.deepEqual([state['status'], state['needsReview']], ['processing', true])
    assert.equal(state['redirectUrl'], `http://localhost:3000/pay/${second}?return=1`)

    // An operator cannot resolve the first payment as paid before the second has ended.
    assert.equal((await resolve(first, 'paid')).kind, 'order_held')
  })

  test(`once the first attempt is resolved as unpaid, the second can continue at the bank (${kind})`, async () => {
    const { payer, ids } = await leaveSecondAtBank(fields())
    await reportCharge(deps, ids[0]!)
    assert.equal((await resolve(ids[0]!, 'unpaid')).kind, 'resolved')
    const page = await payer.open(`/pay/${ids[1]!}`)
    assert.notEqual(page.links.get(CONTINUE), undefined)
    assert.equal((await stateOf(ids[1]!))['status'], 'requires_action')
  })
}

test('no page links to the bank while another device’s attempt of the order is in review', async () => {
  const customId = `order-${randomUUID()}`
  const otherDevice = await makeDeclinedAttempts(deps, shop, newPayer(), 1, { customId })
  const [payer, data] = [newPayer(), randomUUID()]
  const link = toLink(shop, { amount: '4004', data, customId })
  const form = await payer.open(link)
  await payer.press(form)
  const [id = ''] = await listPaymentIds(deps, data)
  await reportCharge(deps, otherDevice.ids[0]!)
  for (const page of [await payer.open(link), await payer.open(`/pay/${id}`)]) {
    assert.deepEqual([page.heading, page.form, page.links.get(CONTINUE)], [IN_REVIEW, null, undefined])
    assert.ok(
      !page.text.includes(toReference(otherDevice.ids[0]!)),
      'the other device’s payment is not named',
    )
  }
  assert.equal((await payer.press(form)).location, `http://localhost:3000/pay/${id}`)
  const jsonResponse = await payer.pressAsJsonClient(form.form!.token)
  assert.deepEqual([jsonResponse.status, jsonResponse.json['status']], [200, 'processing'])
})

test('if the first attempt is in review and the second was paid, pressing Pay again in the form of the first leads to the page of the first', async () => {
  const [payer, data] = [newPayer(), randomUUID()]
  const form = await payer.open(toLink(shop, { amount: '4004', data }))
  await payer.press(form)
  const [first = ''] = await listPaymentIds(deps, data)
  await payer.send('POST', `/sandbox/bank/${first}`, 'outcome=decline')
  await payer.press(await payer.open(`/pay/${first}?return=1`))
  const [, second = ''] = await listPaymentIds(deps, data)
  await payer.send('POST', `/sandbox/bank/${second}`, 'outcome=approve')
  assert.equal((await payer.open(`/pay/${second}`)).heading, 'Payment complete')
  await reportCharge(deps, first)
  assert.equal((await payer.press(form)).location, `http://localhost:3000/pay/${first}`)
})

test('while the bank decides, no page offers to start over', async () => {
  const [payer, otherDevice, data] = [newPayer(), newPayer(), randomUUID()]
  const link = toLink(shop, { amount: '4004', customId: `order-${randomUUID()}`, data, signed: true })
  const first = toTransactionId((await payer.pay(link)).location)
  const [page, otherPage] = [await payer.open(link), await otherDevice.pay(link)]
  const { live } = deps.backends
  const cancel = async (id: string) =>
    ({ ...(await live.find(id))!, status: 'processing', actionUrl: null }) as const
  deps.backends.live = { ...live, cancel }
  const [response, otherResponse] = [await payer.press(page), await otherDevice.press(otherPage)]
  deps.backends.live = live
  assert.equal(new URL(response.location!).pathname, `/pay/${first}`)
  assert.equal(otherResponse.heading, 'A payment for this order is already in progress')
  assert.doesNotMatch(otherResponse.text, /start over/i)
  assert.deepEqual(await listPaymentIds(deps, data), [first])
})
