import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addBrandedProject } from '../../test/branded-project.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { requirePayment } from '../../test/payments.ts'
import { reserveRefund } from '../../test/refunds.ts'
import { endRefund } from '../refunds/end-refund.ts'

import { createMailer } from '../accounts/mailer.ts'

const service = await startTestService({ TRUST_PROXY: '1' })
const { deps } = service
const shop = await addPayProject(deps)

async function pay(
  options: Parameters<typeof toLink>[1] = {},
): Promise<{ payer: Payer; id: string; link: string }> {
  const payer = new Payer(service.app)
  const link = toLink(shop, options)
  const { location } = await payer.pay(link)
  return { payer, id: toTransactionId(location), link }
}

const request = (payer: Payer, id: string, email: string) =>
  payer.send('POST', `/pay/${id}/receipt`, new URLSearchParams({ email }).toString())

const listReceipts = () =>
  rows<{ to_address: string; facts: Record<string, unknown>; locale: string }>(
    deps.db,
    `select to_address, facts, locale from mails where kind = 'receipt' order by created_at`,
  )

test('the browser that paid can request the receipt by mail; the address and the facts are erased once the mail is sent', async () => {
  const { payer, id, link } = await pay({ data: 'Kafa i kolač', customId: 'receipt-1', signed: true })
  const page = await payer.open(link)
  assert.match(page.text, new RegExp(`action="/pay/${id}/receipt"`))
  const sent = await request(payer, id, 'payer@example.me')
  assert.equal(sent.status, 202)
  assert.match(sent.text, /The receipt is on its way/)
  assert.match(sent.text, /It goes to [^ ]+@example\.me and should arrive/)
  assert.match(sent.text, /<summary[^>]*>Send to another address</)
  const reopened = await payer.open(`/pay/${id}/receipt`)
  assert.deepEqual([reopened.status, reopened.location], [303, `/pay/${id}`])
  const [queued, ...others] = await listReceipts()
  assert.equal(others.length, 0)
  assert.equal(queued?.to_address, 'payer@example.me')
  assert.equal(queued.facts['description'], 'Kafa i kolač')
  assert.equal(queued.facts['order'], 'receipt-1')
  const mailer = createMailer(deps)
  await mailer.runOnce()
  await mailer.stop()
  const [erased] = await listReceipts()
  assert.deepEqual([erased?.to_address, erased?.facts], ['', {}])
  assert.ok(!service.logs.join('').includes('payer@example.me'))
})

test('the receipt by mail shows the refunds that had ended or were in progress when it was requested', async () => {
  const { payer, id } = await pay({ amount: '2500' })
  const payment = await requirePayment(deps.db, id)
  const end = { state: 'succeeded', failureCode: null, upstreamRef: null, changesInMs: null } as const
  await endRefund(deps, await reserveRefund(deps, payment, 500n), end)
  await reserveRefund(deps, payment, 700n)
  assert.equal((await request(payer, id, 'refunded@example.me')).status, 202)
  const mail = (await listReceipts()).find((one) => one.to_address === 'refunded@example.me')
  assert.ok(mail)
  const { refundedAt, ...amounts } = mail.facts['moneyBack'] as { refundedAt: string }
  assert.ok(!Number.isNaN(Date.parse(refundedAt)))
  const expected = { refunded: '500', byBank: '0', byBankAt: null, refunding: '700', net: '2000' }
  assert.deepEqual(amounts, expected)
  assert.equal(mail.facts['transactionId'], id)
})

test('the receipt by mail has the merchant’s contacts that the page shows', async () => {
  const branded = await addBrandedProject(deps)
  const verify = `update accounts set kyc_verified_at = now() where id = (select owner_id from projects where id = $1)`
  await rows(deps.db, verify, [branded.id])
  const payer = new Payer(service.app)
  const { location } = await payer.pay(toLink(branded, {}))
  const id = toTransactionId(location)
  assert.match((await payer.open(`/pay/${id}`)).text, /mailto:pomoc@kafana\.example\.me/)
  assert.equal((await request(payer, id, 'contacts@example.me')).status, 202)
  const mail = (await listReceipts()).find((one) => one.to_address === 'contacts@example.me')
  const { supportEmail, website } = mail?.facts ?? {}
  assert.deepEqual([supportEmail, website], ['pomoc@kafana.example.me', 'https://kafana.example.com/'])
})

test('the receipt by mail contains neither customId nor data of an unsigned link', async () => {
  const { payer, id } = await pay({ data: 'Written by anybody', customId: 'receipt-2' })
  assert.equal((await request(payer, id, 'second@example.me')).status, 202)
  const mail = (await listReceipts()).find((one) => one.to_address === 'second@example.me')
  assert.deepEqual([mail?.facts['description'], mail?.facts['order']], [null, null])
})

test('another browser cannot request the receipt, and nobody can request a receipt of a test payment or of an unpaid payment', async () => {
  const { id } = await pay()
  const stranger = await request(new Payer(service.app), id, 'stranger@example.me')
  assert.equal(stranger.status, 404)
  const inTest = await pay({ mode: 'test', signed: true })
  assert.equal((await request(inTest.payer, inTest.id, 'stranger@example.me')).status, 404)
  assert.doesNotMatch((await inTest.payer.open(inTest.link)).text, /\/receipt"/)
  // The sandbox does not respond to this amount, so the payment stays open.
  const unpaid = await pay({ amount: '4003' })
  assert.equal((await request(unpaid.payer, unpaid.id, 'stranger@example.me')).status, 404)
  assert.ok((await listReceipts()).every((one) => one.to_address !== 'stranger@example.me'))
})

test('another payer of the same link cannot request the receipt', async () => {
  const { id, link } = await pay({ amount: '1777' })
  const otherPayer = new Payer(service.app)
  const { location } = await otherPayer.pay(link)
  assert.notEqual(toTransactionId(location), id)
  assert.equal((await request(otherPayer, id, 'other@example.me')).status, 404)
  assert.ok((await listReceipts()).every((one) => one.to_address !== 'other@example.me'))
})

test('an invalid address is refused on the page, and so is the fourth receipt of a payment', async () => {
  const { payer, id } = await pay()
  for (const email of ['', 'nobody', 'a@b', 'x@example.me\r\nBcc: y@example.me', 'a b@example.me']) {
    const page = await request(payer, id, email)
    assert.equal(page.status, 400, email)
    assert.match(page.text, /The email address is not valid/)
    assert.match(page.text, /Payment complete/)
    assert.match(page.text, /<details open>/)
    assert.match(page.text, /aria-invalid="true" aria-describedby="invalid" autofocus/)
    assert.ok(page.text.includes(` value="${email}"`), page.text)
  }
  const statuses = []
  for (let n = 0; n < 4; n += 1) statuses.push((await request(payer, id, `n${n}@example.me`)).status)
  assert.deepEqual(statuses, [202, 202, 202, 429])
})

test('over all replicas, an IP address can request ten receipts an hour, and a mailbox gets five', async () => {
  const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }
  const replicas = [await service.replica(env), await service.replica(env)]
  const payAndRequest = async (n: number, email: string, ip: string) => {
    const { app } = replicas[n % 2]!
    const payer = new Payer(app)
    payer.headers = { ...payer.headers, 'x-forwarded-for': ip }
    const { location } = await payer.pay(toLink(shop, { amount: String(2000 + n) }))
    return (await request(payer, toTransactionId(location), email)).status
  }
  const ofNetwork = []
  for (let n = 0; n < 11; n += 1) ofNetwork.push(await payAndRequest(n, `net${n}@example.me`, '198.51.100.7'))
  assert.deepEqual(ofNetwork, [...Array<number>(10).fill(202), 429])
  const ofMailbox = []
  for (let n = 0; n < 6; n += 1)
    ofMailbox.push(await payAndRequest(20 + n, 'One@example.me', `198.51.100.${20 + n}`))
  assert.deepEqual(ofMailbox, [...Array<number>(5).fill(202), 429])
})
