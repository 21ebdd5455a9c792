// Payments that do not count as paid, but for which "This attempt was not charged. You can try again." would be wrong.
// At the sandbox, a payment of 4004 waits for the payer at the bank page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'
import { newDecision, toCharge } from '../../test/resolving.ts'
import { makeDeclinedAttempts, listPaymentIds, reportCharge } from '../../test/reviewed-payments.ts'
import { findPayment } from '../payments/payments-store.ts'
import { recordReport } from '../payments/record-report.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

test('for a payment resolved as unpaid, a JSON client does not get "This attempt was not charged"', async () => {
  const payer = new Payer(service.app)
  const { pages, ids } = await makeDeclinedAttempts(deps, shop, payer, 1, { customId: randomUUID() })
  await reportCharge(deps, ids[0]!)
  await resolvePayment(deps, ids[0]!, newDecision('unpaid'))
  const { status, json } = await payer.pressAsJsonClient(pages[0]!.form!.token)
  const message = 'This payment was checked manually: it was not made.'
  assert.deepEqual(
    [status, json['code'], json['detail'], json['errors']],
    [
      402,
      'payment_failed',
      'If your bank shows a charge anyway, do not pay again. In that case, contact the merchant and give the payment reference. If there is no charge, you can pay again.',
      [{ path: 'payment', code: 'resolved_unpaid', message }],
    ],
  )
})

for (const failureCode of ['amount_too_small', 'amount_too_large']) {
  test(`after "${failureCode}", neither the payer nor a JSON client is advised to try the same amount again`, async () => {
    const data = randomUUID()
    const payer = new Payer(service.app)
    const link = toLink(shop, { amount: '4004', data, customId: data })
    const form = await payer.open(link)
    await payer.press(form)
    const [id = ''] = await listPaymentIds(deps, data)
    const payment = (await findPayment(deps.db, id))!
    await recordReport(deps, payment, toCharge(payment, { status: 'failed', failureCode }))

    for (const page of [await payer.press(form), await payer.open(link), await payer.open(`/pay/${id}`)]) {
      assert.match(
        page.text,
        /does not accept such a (small|large) amount\. [^]*This attempt was not charged\.[^]*Ask the merchant how you can pay\./,
      )
      assert.equal(page.form, null)
      assert.match(page.links.get('Return to the merchant’s site')!, /\?status=fail&transactionId=/)
    }
    const { json } = await payer.pressAsJsonClient(form.form!.token)
    assert.equal(json['detail'], 'This attempt was not charged. Ask the merchant how you can pay.')
  })
}
