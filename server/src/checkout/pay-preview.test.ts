import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'

const service = await startTestService()
const { db, config } = service.deps
const shop = await addPayProject(service.deps)
const verified = await addPayProject(service.deps, { name: 'Pekara "Zora" <b>' })
await rows(
  db,
  `update accounts set kyc_verified_at = now() where id = (select owner_id from projects where id = $1)`,
  [verified.id],
)

/** Reads the preview as a chat program does: without cookies, and accepting any content type. */
async function previewOf(link: string): Promise<Map<string, string>> {
  const { payload } = await service.app.inject({ url: link, headers: { accept: '*/*' } })
  return new Map(
    [...payload.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)">/g)].map(([, a, b]) => [a!, b!]),
  )
}

test('the preview of a signed link shows amount, verified name and our picture, but no text of the order', async () => {
  const link = toLink(verified, { signed: true, data: 'Torta za Anu', customId: 'order-preview', lang: 'en' })
  const preview = await previewOf(link)
  assert.equal(preview.get('title'), 'Pay €15.00 – Pekara &quot;Zora&quot; &lt;b&gt;')
  assert.equal(preview.get('image'), `${config.baseUrl}/preview.png`)
  assert.equal(preview.get('site_name'), config.operatorName)
  assert.doesNotMatch([...preview.values()].join(' '), /Torta|order-preview|sig=/)
  const cnr = await previewOf(link.replace('lang=en', 'lang=cnr'))
  assert.equal(cnr.get('title'), 'Platite 15,00\u00a0€ – Pekara &quot;Zora&quot; &lt;b&gt;')
})

test('a preview leaves out the name of an unverified merchant, and the preview of a test link says that it is a test', async () => {
  const live = await previewOf(toLink(shop, { signed: true, lang: 'en' }))
  assert.equal(live.get('title'), 'Pay €15.00')
  const inTest = await previewOf(toLink(shop, { mode: 'test', lang: 'en' }))
  assert.match(inTest.get('description') ?? '', /^Test mode: no real money\. /)
  for (const text of [...live.values(), ...inTest.values()]) assert.ok(!text.includes('Šćepan'), text)
})

test('unsigned, forged, expired and paid links have no preview; a declined link has none in the browser that tried to pay', async () => {
  const customId = 'order-paid'
  const paid = toLink(verified, { signed: true, customId })
  const declined = toLink(verified, { signed: true, amount: '4000', customId: 'order-declined' })
  assert.notEqual((await previewOf(paid)).size, 0)
  const payer = new Payer(service.app)
  await payer.pay(paid)
  await payer.pay(declined)
  for (const link of [
    paid,
    toLink(verified, { customId: 'order-unsigned' }),
    toLink(verified, { signed: true }).replace('amount=1500', 'amount=1'),
    toLink(verified, { signed: true, exp: 1 }),
    `/pay/successful`,
  ])
    assert.equal((await previewOf(link)).size, 0, link)
  const reopened = await payer.open(declined)
  assert.doesNotMatch(reopened.text, /og:title/)
})
