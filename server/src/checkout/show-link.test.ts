import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { signPayLink } from '@pazar/sdk'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'
import { rows } from '../../test/accounts.ts'
import { BAD_AMOUNTS } from '../../test/amounts.ts'
import { countRows } from '../../test/rows.ts'

const service = await startTestService()
const shop = await addPayProject(service.deps)
const signedOnlyProject = await addPayProject(service.deps, { requireSignedLinks: true })

const newPayer = () => new Payer(service.app)
const newCustomId = () => `order-${randomUUID()}`
const setArchived = (value: 'now()' | 'null') =>
  rows(service.deps.db, `update projects set archived_at = ${value} where id = $1`, [shop.id])

test('a link shows the merchant, the amount and a Pay button with the amount', async () => {
  const page = await newPayer().open(toLink(shop, { lang: 'en' }))
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'Pay Knjižara Šćepan')
  assert.match(page.text, /<html lang="en">/)
  assert.match(page.text, /<title>Pay €15\.00 – Knjižara Šćepan<\/title>/)
  assert.match(page.text, /<p class="amount">€15\.00<\/p>/)
  assert.match(page.text, /<button type="submit"[^>]*>Pay €15\.00<\/button>/)
  assert.equal(
    page.links.get('Cancel and return to the merchant'),
    'https://shop.example.com/hvala?status=cancel',
  )
})

test('in Montenegrin the merchant’s name is shown without a case ending', async () => {
  const page = await newPayer().open(toLink(shop, { lang: 'cnr' }))
  assert.equal(page.heading, 'Plaćanje')
  assert.match(page.text, /<html lang="sr-Latn-ME">/)
  assert.match(page.text, /Prodavac: <strong><bdi>Knjižara Šćepan<\/bdi>/)
  assert.match(page.text, /<button[^>]*>Plati 15,00\u00a0€<\/button>/)
})

test('opening a link sends one statement to the database and changes no table', async () => {
  const rowsBefore = await countRows(service.deps.db)
  for (const link of [toLink(shop), toLink(shop, { customId: newCustomId(), signed: true, data: 'x' })]) {
    const statementsBefore = service.deps.db.statementCount()
    const payer = newPayer()
    assert.equal((await payer.open(link)).status, 200)
    assert.equal((await payer.open(link)).status, 200)
    assert.equal(service.deps.db.statementCount() - statementsBefore, 2)
  }
  assert.deepEqual(await countRows(service.deps.db), rowsBefore)
})

test('the order’s text is shown only when the link is signed, and only if people can read it', async () => {
  const shows = async (fields: Parameters<typeof toLink>[1], text: string) =>
    (await newPayer().open(toLink(shop, fields))).text.includes(`<bdi>${text}</bdi>`)
  const data = 'Narudžba 7'
  assert.equal(await shows({ data }, data), false)
  assert.equal(await shows({ data, signed: true }, data), true)
  const unreadable = ['x'.repeat(65), 'a\u202Eb', 'a\u0007b', '\u200B', '   ']
  for (const one of unreadable) assert.equal(await shows({ data: one, signed: true }, one), false, one)
  // The customId is shown even if `data` is unreadable.
  const customId = 'order-77'
  assert.equal(await shows({ data: unreadable[0]!, customId, signed: true }, customId), true)
  assert.equal(await shows({ customId }, customId), false)
})

test('the page says that test mode and the sandbox use no real money', async () => {
  assert.match((await newPayer().open(toLink(shop, { mode: 'test' }))).text, /Test mode: no real money/)
  assert.match((await newPayer().open(toLink(shop))).text, /Test: no real money/)
})

test('an empty or wrong signature is refused, and so is a missing signature where one is required', async () => {
  const statusOf = async (link: string) => (await newPayer().open(link)).status
  assert.equal(await statusOf(toLink(signedOnlyProject, { signed: true })), 200)
  assert.equal(await statusOf(toLink(signedOnlyProject)), 400)
  assert.equal(await statusOf(`${toLink(shop)}&sig=`), 400)
  assert.equal(await statusOf(`${toLink(shop)}&mode=test`), 400)
  const fields = { amount: '1500', project: shop.id, data: '', mode: 'test' as const }
  const testSig = signPayLink(fields, shop.secrets.test)
  assert.equal(await statusOf(`${toLink(shop)}&mode=test&sig=${testSig}`), 200)
  assert.equal(await statusOf(`${toLink(shop)}&sig=${testSig}`), 400)
})

test('a signed link is refused if a value is changed, moved or removed, or if it has the signature of another link', async () => {
  const exp = 4_000_000_000
  const link = toLink(shop, { customId: 'order-1', data: 'x', exp, signed: true })
  assert.equal((await newPayer().open(link)).status, 200)
  const otherLink = toLink(shop, { customId: 'order-2', data: 'y', exp, signed: true })
  const sigOf = (url: string) => /sig=([^&]+)/.exec(url)![1]!
  const changed = [
    link.replace('amount=1500', 'amount=1'),
    link.replace('amount=1500', 'amount=15000'),
    link.replace(shop.id, signedOnlyProject.id),
    link.replace('data=x', 'data='),
    link.replace('data=x', 'data=xx'),
    link.replace('data=x', 'data=x%20'),
    link.replace('customId=order-1', 'customId=order-2'),
    link.replace('&customId=order-1', ''),
    link.replace(`exp=${exp}`, `exp=${exp + 1}`),
    link.replace(`&exp=${exp}`, ''),
    link.replace('data=x', 'data=order-1').replace('customId=order-1', 'customId=x'),
    `${link}&mode=test`,
    link.replace(sigOf(link), sigOf(otherLink)),
    link.replace(sigOf(link), sigOf(link).slice(0, -1)),
    link.replace(sigOf(link), `${sigOf(link)}A`),
    link.replace(sigOf(link), sigOf(link).toLowerCase()),
  ]
  assert.equal(new Set(changed).size, 16)
  for (const one of changed) assert.equal((await newPayer().open(one)).status, 400, one)
})

const toBroken = (query: string) => `/pay?project=${shop.id}&${query}`

const REFUSED = [
  ['a link that has expired', 410, () => toLink(shop, { exp: 1_700_000_000 }), 'The link has expired', true],
  ['a wrong signature', 400, () => `${toLink(shop)}&sig=AAAA`, 'This pay link is not valid', true],
  [
    'an unknown project',
    404,
    () => '/pay?amount=1&project=nobody&data=',
    'This pay link is not valid',
    false,
  ],
  ['a broken amount', 400, () => toBroken('amount=1e3&data='), 'This pay link is not valid', true],
  ['broken encoding', 400, () => toBroken('amount=1&data=%E0%A4%A'), 'This pay link is not valid', true],
  ['NUL in the data', 400, () => toBroken('amount=1&data=a%00b'), 'This pay link is not valid', true],
  ['no parameters at all', 400, () => '/pay', 'This pay link is not valid', false],
] as const

for (const [caseName, status, link, heading, knowsMerchant] of REFUSED) {
  test(`${caseName}: the page says that this attempt was not charged${knowsMerchant ? ' and links back to the merchant' : ''}`, async () => {
    const page = await newPayer().open(link())
    assert.equal(page.status, status)
    assert.equal(page.heading, heading)
    assert.match(page.text, /This attempt was not charged\./)
    assert.doesNotMatch(page.text, /You can try again/)
    assert.equal(page.form, null)
    assert.equal(page.links.has('Return to the merchant’s site'), knowsMerchant)
    assert.equal(page.text.includes('Knjižara Šćepan'), knowsMerchant)
    assert.equal(page.headers['cache-control'], 'no-store')
  })

  test(`${caseName}: a JSON client gets problem JSON with the same status`, async () => {
    const response = await service.app.inject({ url: link(), headers: { accept: 'application/json' } })
    assert.equal(response.statusCode, status)
    assert.match(String(response.headers['content-type']), /^application\/problem\+json/)
    assert.equal(response.json<{ status: number }>().status, status)
  })
}

test('a link with a malformed amount gets 400, and nothing is stored', async () => {
  const rowsBefore = await countRows(service.deps.db)
  for (const amount of [...BAD_AMOUNTS, '5%00', '%FF', '%']) {
    const response = await service.app.inject(toLink(shop).replace('amount=1500', `amount=${amount}`))
    assert.equal(response.statusCode, 400, amount)
  }
  assert.deepEqual(await countRows(service.deps.db), rowsBefore)
})

test('a link with a repeated parameter gets 400, and nothing is stored', async () => {
  const rowsBefore = await countRows(service.deps.db)
  const polluted = [
    'amount=2000',
    'amount=1500',
    `project=${shop.id}`,
    'data=',
    'data=x',
    'sig=&sig=',
    'lang=en&lang=en',
  ]
  for (const parameter of polluted) {
    const response = await service.app.inject(`${toLink(shop)}&${parameter}`)
    assert.equal(response.statusCode, 400, parameter)
  }
  assert.equal((await service.app.inject(toLink(shop).replace('amount=', 'amount[]='))).statusCode, 400)
  assert.deepEqual(await countRows(service.deps.db), rowsBefore)
})

test('a link of an archived project is refused, and the page does not repeat the link’s data', async () => {
  await setArchived('now()')
  const page = await newPayer().open(toLink(shop, { data: 'RAW-INPUT' }))
  await setArchived('null')
  assert.equal(page.status, 410)
  assert.equal(page.heading, 'This merchant no longer accepts payments here')
  assert.doesNotMatch(page.text.replaceAll(/href="[^"]*"/g, ''), /RAW-INPUT/)
})

test('with REQUIRE_KYC, a live link of an unverified owner is refused, and a test link is not', async () => {
  const { app } = await service.replica({ REQUIRE_KYC: 'true' })
  const payerWithKycRequired = new Payer(app)
  const rowsBefore = await countRows(service.deps.db)
  const page = await payerWithKycRequired.open(toLink(shop))
  assert.equal(page.status, 403)
  assert.equal(page.heading, 'This merchant cannot accept payments yet')
  assert.equal((await payerWithKycRequired.open(toLink(shop, { mode: 'test' }))).status, 200)
  assert.deepEqual(await countRows(service.deps.db), rowsBefore)
  const verified = await addPayProject(service.deps)
  const verify = `update accounts set kyc_verified_at = now() where id = (select owner_id from projects where id = $1)`
  await rows(service.deps.db, verify, [verified.id])
  assert.equal((await payerWithKycRequired.pay(toLink(verified))).status, 303)
})

test('a paid order is shown as paid only by a signed link', async () => {
  const customId = newCustomId()
  await newPayer().pay(toLink(shop, { customId }))
  assert.ok((await newPayer().open(toLink(shop, { customId }))).form, 'an unsigned link shows the Pay button')
  const page = await newPayer().open(toLink(shop, { customId, signed: true }))
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'This order is already paid')
  assert.equal(page.form, null)
  assert.doesNotMatch(page.text, /transactionId/)
})

test('a signed link shows that its order is paid even if the link has expired or the project is archived', async () => {
  const project = await addPayProject(service.deps)
  const { app, deps } = await service.replica({ REQUIRE_KYC: 'true' })
  const link = toLink(project, {
    customId: newCustomId(),
    exp: Math.ceil(deps.clock.nowMs() / 1000) + 60,
    signed: true,
  })
  const lateForm = await newPayer().open(link)
  assert.equal((await newPayer().pay(link)).status, 303)
  const laterMs = deps.clock.nowMs() + 120_000
  deps.clock = { nowMs: () => laterMs }
  await rows(service.deps.db, 'update projects set archived_at = now() where id = $1', [project.id])
  for (const page of [await new Payer(app).open(link), await new Payer(app).press(lateForm)]) {
    assert.equal(page.status, 200)
    assert.equal(page.heading, 'This order is already paid')
    assert.equal(page.form, null)
  }
  // An unsigned link reveals nothing about the order.
  assert.equal((await new Payer(app).open(link.replace(/&(?:sig|exp)=[^&]+/g, ''))).status, 410)
})

test('a JSON client gets the payable amount and the token of the Pay button', async () => {
  const response = await service.app.inject({ url: toLink(shop), headers: { accept: 'application/json' } })
  const { token, ...rest } = response.json<{ token: string }>()
  assert.deepEqual(rest, {
    status: 'ready',
    merchant: 'Knjižara Šćepan',
    amount: '1500',
    currency: 'EUR',
    mode: 'live',
  })
  const paid = await newPayer().pressAsJsonClient(token)
  assert.equal(paid.status, 200)
})
