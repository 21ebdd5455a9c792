// A project that uses our own confirmation page has no site to return to, unless its brand names a website.
// Sandbox amounts: 4000 is declined; 4001 is declined for insufficient funds; 4003 gets no response and is not charged;
// 4004 waits for the payer at the bank page; 4006 is refused because of the payer's identity.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addBrandedProject } from '../../test/branded-project.ts'
import { startTestService } from '../../test/harness.ts'
import type { PayerPage, PayProject } from '../../test/payer.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'

const service = await startTestService()
const { deps } = service
const resultUrl = `${deps.config.baseUrl}/pay/successful`
const plain = await addPayProject(deps, { resultUrl })
const branded = await addBrandedProject(deps, { resultUrl })

async function openPages(shop: PayProject, lang: string): Promise<Record<string, PayerPage>> {
  const link = (amount: string) => toLink(shop, { amount, customId: `order-${randomUUID()}`, mode: 'test' })
  const payer = new Payer(service.app)
  payer.headers['accept-language'] = lang
  const pay = async (amount: string) => {
    const { location } = await payer.pay(link(amount))
    return payer.open(`/pay/${/[0-9a-f]{8}-[0-9a-f-]{27}/.exec(location ?? '')![0]}`)
  }
  const failing = link('4001')
  const declined = await payer.pay(failing)
  return {
    ready: await payer.open(link('1500')),
    declined,
    'declined, opened again': await payer.open(failing),
    'identity check': await payer.pay(link('4006')),
    receipt: await pay('1500'),
    waiting: await pay('4003'),
    'bank step': await pay('4004'),
  }
}

for (const lang of ['en', 'cnr']) {
  test(`without a website in the brand, no page offers to return to the merchant's site (${lang})`, async () => {
    for (const [name, page] of Object.entries(await openPages(plain, lang)))
      assert.doesNotMatch(page.text, /merchant’s site|sajt prodavca/, name)
  })
}

test('with a website in the brand, every page links to that website', async () => {
  for (const [name, { links }] of Object.entries(await openPages(branded, 'en'))) {
    const href = links.get('Return to the merchant’s site') ?? links.get('Cancel and return to the merchant')
    assert.equal(href, 'https://kafana.example.com/', name)
  }
})

test('after a decline, the checkout page and the confirmation page say the same about money', async () => {
  const payer = new Payer(service.app)
  const customId = `order-${randomUUID()}`
  const declined = await payer.pay(toLink(plain, { amount: '4000', customId }))
  const find = 'select id from transactions where custom_id = $1'
  const [row] = await rows<{ id: string }>(deps.db, find, [customId])
  const confirmation = await payer.open(`/pay/successful?status=fail&transactionId=${row!.id}`)
  const sentence = /The bank did not approve this payment\. <strong>This attempt was not charged\.<\/strong>/
  for (const page of [declined, confirmation]) {
    assert.match(page.text, sentence)
    assert.ok(page.form)
  }
})
