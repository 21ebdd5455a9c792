import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { signPayLink } from '@pazar/sdk'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { rows } from '../../test/accounts.ts'
import { BAD_AMOUNTS } from '../../test/amounts.ts'
import { countRows } from '../../test/rows.ts'
import { toReference } from '../payments/payment.ts'

const service = await startTestService()
const shop = await addPayProject(service.deps)
const demanding = await addPayProject(service.deps, { requireSignedLinks: true })

const payer = () => new Payer(service.app)
const order = () => `order-${randomUUID()}`
const setArchived = (value: 'now()' | 'null') =>
  rows(service.deps.db, `update projects set archived_at = ${value} where id = $1`, [shop.id])

test('a link shows who asks for how much, and a button that says what it does', async () => {
  const page = await payer().open(toLink(shop, { lang: 'en' }))
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

test('in Montenegrin the name stands where it need not decline', async () => {
  const page = await payer().open(toLink(shop, { lang: 'cnr' }))
  assert.equal(page.heading, 'Plaćanje')
  assert.match(page.text, /<html lang="sr-Latn-ME">/)
  assert.match(page.text, /Prodavac: <strong><bdi>Knjižara Šćepan<\/bdi>/)
  assert.match(page.text, /<button[^>]*>Plati 15,00\u00a0€<\/button>/)
})

test('opening a link is one statement and leaves every table as it was', async () => {
  const before = await countRows(service.deps.db)
  for (const link of [toLink(shop), toLink(shop, { customId: order(), signed: true, data: 'x' })]) {
    const from = service.deps.db.statementCount()
    const one = payer()
    assert.equal((await one.open(link)).status, 200)
    assert.equal((await one.open(link)).status, 200)
    assert.equal(service.deps.db.statementCount() - from, 2)
  }
  assert.deepEqual(await countRows(service.deps.db), before)
})

test('the order’s text is shown only when the shop has signed it, and only if a person can read it', async () => {
  const shows = async (fields: Parameters<typeof toLink>[1], text: string) =>
    (await payer().open(toLink(shop, fields))).text.includes(`<bdi>${text}</bdi>`)
  const data = 'Narudžba 7'
  assert.equal(await shows({ data }, data), false)
  assert.equal(await shows({ data, signed: true }, data), true)
  const unreadable = ['x'.repeat(65), 'a\u202Eb', 'a\u0007b', '\u200B', '   ']
  for (const one of unreadable) assert.equal(await shows({ data: one, signed: true }, one), false, one)
  // Then the customId stands in for it, which the merchant's search finds as well.
  const customId = 'order-77'
  assert.equal(await shows({ data: unreadable[0]!, customId, signed: true }, customId), true)
  assert.equal(await shows({ customId }, customId), false)
})

test('test mode and the sandbox are said on top of the page', async () => {
  assert.match((await payer().open(toLink(shop, { mode: 'test' }))).text, /Test mode: no real money/)
  assert.match((await payer().open(toLink(shop))).text, /Sandbox: no real money/)
})

test('signatures: stripped where demanded, of the other mode, on a test link, or empty', async () => {
  const status = async (link: string) => (await payer().open(link)).status
  assert.equal(await status(toLink(demanding, { signed: true })), 200)
  assert.equal(await status(toLink(demanding)), 400)
  assert.equal(await status(`${toLink(shop)}&sig=`), 400)
  assert.equal(await status(`${toLink(shop)}&mode=test`), 400)
  const fields = { amount: '1500', project: shop.id, data: '', mode: 'test' as const }
  const testSig = signPayLink(fields, shop.secrets.test)
  assert.equal(await status(`${toLink(shop)}&mode=test&sig=${testSig}`), 200)
  assert.equal(await status(`${toLink(shop)}&sig=${testSig}`), 400)
})

test('a signed link whose values were moved, changed or dropped is refused, and so is its signature elsewhere', async () => {
  const exp = 4_000_000_000
  const link = toLink(shop, { customId: 'order-1', data: 'x', exp, signed: true })
  assert.equal((await payer().open(link)).status, 200)
  const other = toLink(shop, { customId: 'order-2', data: 'y', exp, signed: true })
  const sigOf = (url: string) => /sig=([^&]+)/.exec(url)![1]!
  const changed = [
    link.replace('amount=1500', 'amount=1'),
    link.replace('amount=1500', 'amount=15000'),
    link.replace(shop.id, demanding.id),
    link.replace('data=x', 'data='),
    link.replace('data=x', 'data=xx'),
    link.replace('data=x', 'data=x%20'),
    link.replace('customId=order-1', 'customId=order-2'),
    link.replace('&customId=order-1', ''),
    link.replace(`exp=${exp}`, `exp=${exp + 1}`),
    link.replace(`&exp=${exp}`, ''),
    link.replace('data=x', 'data=order-1').replace('customId=order-1', 'customId=x'),
    `${link}&mode=test`,
    link.replace(sigOf(link), sigOf(other)),
    link.replace(sigOf(link), sigOf(link).slice(0, -1)),
    link.replace(sigOf(link), `${sigOf(link)}A`),
    link.replace(sigOf(link), sigOf(link).toLowerCase()),
  ]
  assert.equal(new Set(changed).size, 16)
  for (const one of changed) assert.equal((await payer().open(one)).status, 400, one)
})

const REFUSED = [
  ['a link that has expired', 410, () => toLink(shop, { exp: 1_700_000_000 }), 'The link has expired', true],
  ['a wrong signature', 400, () => `${toLink(shop)}&sig=AAAA`, 'The pay link is not valid', true],
  ['an unknown project', 404, () => '/pay?amount=1&project=nobody&data=', 'The pay link is not valid', false],
  [
    'a broken amount',
    400,
    () => `/pay?amount=1e3&project=${shop.id}&data=`,
    'The pay link is not valid',
    false,
  ],
  [
    'broken encoding',
    400,
    () => `/pay?amount=1&project=${shop.id}&data=%E0%A4%A`,
    'The pay link is not valid',
    false,
  ],
  [
    'NUL in the data',
    400,
    () => `/pay?amount=1&project=${shop.id}&data=a%00b`,
    'The pay link is not valid',
    false,
  ],
  ['no parameters at all', 400, () => '/pay', 'The pay link is not valid', false],
] as const

for (const [what, status, link, heading, knowsShop] of REFUSED) {
  test(`${what} is a page that says nothing was charged this time${knowsShop ? ' and leads back to the shop' : ''}`, async () => {
    const page = await payer().open(link())
    assert.equal(page.status, status)
    assert.equal(page.heading, heading)
    assert.match(page.text, /This attempt was not charged\./)
    assert.doesNotMatch(page.text, /No money was taken/)
    assert.equal(page.form, null)
    assert.equal(page.links.has('Return to the merchant’s site'), knowsShop)
    assert.equal(page.headers['cache-control'], 'no-store')
  })

  test(`${what} is the same status as problem JSON for a program`, async () => {
    const answer = await service.app.inject({ url: link(), headers: { accept: 'application/json' } })
    assert.equal(answer.statusCode, status)
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
    assert.equal(answer.json<{ status: number }>().status, status)
  })
}

test('an amount in any other writing is 400, and nothing is stored', async () => {
  const before = await countRows(service.deps.db)
  for (const amount of [...BAD_AMOUNTS, '5%00', '%FF', '%']) {
    const answer = await service.app.inject(toLink(shop).replace('amount=1500', `amount=${amount}`))
    assert.equal(answer.statusCode, 400, amount)
  }
  assert.deepEqual(await countRows(service.deps.db), before)
})

test('a parameter said twice is 400, and nothing is stored', async () => {
  const before = await countRows(service.deps.db)
  const polluted = [
    'amount=2000',
    'amount=1500',
    `project=${shop.id}`,
    'data=',
    'data=x',
    'sig=&sig=',
    'lang=en&lang=en',
  ]
  for (const more of polluted) {
    const answer = await service.app.inject(`${toLink(shop)}&${more}`)
    assert.equal(answer.statusCode, 400, more)
  }
  assert.equal((await service.app.inject(toLink(shop).replace('amount=', 'amount[]='))).statusCode, 400)
  assert.deepEqual(await countRows(service.deps.db), before)
})

test('an archived shop takes no payments, and a refused link’s text never repeats what came in', async () => {
  await setArchived('now()')
  const page = await payer().open(toLink(shop, { data: 'RAW-INPUT' }))
  await setArchived('null')
  assert.equal(page.status, 410)
  assert.equal(page.heading, 'The merchant no longer accepts payments through this link')
  assert.doesNotMatch(page.text.replaceAll(/href="[^"]*"/g, ''), /RAW-INPUT/)
})

test('where shops must be checked first, a live link is refused and a test link is not', async () => {
  const { app } = await service.replica({ REQUIRE_KYC: 'true' })
  const strict = new Payer(app)
  const before = await countRows(service.deps.db)
  const page = await strict.open(toLink(shop))
  assert.equal(page.status, 403)
  assert.equal(page.heading, 'This shop cannot accept payments yet')
  assert.equal((await strict.open(toLink(shop, { mode: 'test' }))).status, 200)
  assert.deepEqual(await countRows(service.deps.db), before)
})

test('a paid order is told as paid only to whoever has the shop’s signed link', async () => {
  const customId = order()
  await payer().pay(toLink(shop, { customId }))
  assert.ok((await payer().open(toLink(shop, { customId }))).form, 'the ready page')
  const page = await payer().open(toLink(shop, { customId, signed: true }))
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'This order is already paid')
  assert.equal(page.form, null)
  assert.doesNotMatch(page.text, /transactionId/)
})

test('a paid order is told as paid also when its signed link has expired, or the shop was closed since', async () => {
  const own = await addPayProject(service.deps)
  const { app, deps } = await service.replica({ REQUIRE_KYC: 'true' })
  const link = toLink(own, {
    customId: order(),
    exp: Math.ceil(deps.clock.nowMs() / 1000) + 60,
    signed: true,
  })
  const lateForm = await payer().open(link)
  assert.equal((await payer().pay(link)).status, 303)
  const laterMs = deps.clock.nowMs() + 120_000
  deps.clock = { nowMs: () => laterMs }
  await rows(service.deps.db, 'update projects set archived_at = now() where id = $1', [own.id])
  for (const page of [await new Payer(app).open(link), await new Payer(app).press(lateForm)]) {
    assert.equal(page.status, 200)
    assert.equal(page.heading, 'This order is already paid')
    assert.equal(page.form, null)
  }
  // A stranger's unsigned link to the same order learns nothing of it.
  assert.equal((await new Payer(app).open(link.replace(/&(?:sig|exp)=[^&]+/g, ''))).status, 410)
})

test('an order paid elsewhere is told as paid to the browser whose own try had failed', async () => {
  const customId = order()
  const one = payer()
  const link = toLink(shop, { customId, amount: '4000', signed: true })
  const failed = await one.pay(link)
  assert.equal(failed.status, 402)
  await payer().pay(toLink(shop, { customId, amount: '1500' }))
  const page = await one.open(link)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'This order is already paid')
  assert.doesNotMatch(page.text, /No money was taken/)
})

test('the browser that paid sees its payment: on Back, on reload and when it opens the link again', async () => {
  const one = payer()
  const link = toLink(shop)
  const id = toTransactionId((await one.pay(link)).location)
  const page = await one.open(link)
  assert.equal(page.heading, 'Payment complete')
  assert.match(page.text, new RegExp(toReference(id)))
  assert.equal(page.form, null)
  assert.ok((await payer().open(link)).form, 'another browser sees the link')
})

test('paying once more is a second act, named for the payment it follows, and good once', async () => {
  const one = payer()
  const link = toLink(shop)
  const first = toTransactionId((await one.pay(link)).location)
  const again = (await one.open(link)).links.get('Pay again')
  assert.ok(again)
  const second = toTransactionId((await one.pay(again)).location)
  assert.notEqual(second, first)
  // The same address once more, as Back would ask for it: the second payment, not a third.
  const after = await one.open(again)
  assert.equal(after.heading, 'Payment complete')
  assert.match(after.text, new RegExp(toReference(second)))
})

test('with a customId nothing offers to pay once more', async () => {
  const one = payer()
  const link = toLink(shop, { customId: order() })
  await one.pay(link)
  const page = await one.open(link)
  assert.equal(page.heading, 'Payment complete')
  assert.equal(page.links.has('Pay again'), false)
})

test('an answer that was lost on the way is found again by the link', async () => {
  const one = payer()
  const link = toLink(shop, { amount: '4000' })
  const declined = await one.pay(link)
  assert.equal(declined.status, 402)
  const kept = new Map(one.jar)
  const retry = await one.press(declined)
  assert.equal(retry.status, 402)
  // The browser never saw that second answer, so its cookie still names the first attempt.
  one.jar.clear()
  for (const [name, value] of kept) one.jar.set(name, value)
  const page = await one.open(link)
  assert.equal(page.status, 200)
  const [latest] = await rows<{ id: string }>(
    service.deps.db,
    'select id from transactions where project_id = $1 order by id desc limit 1',
    [shop.id],
  )
  assert.match(page.text, new RegExp(toReference(latest!.id)))
})

test('two windows of one browser hold one attempt, also before anything was paid', async () => {
  const one = payer()
  const link = toLink(shop)
  const [left, right] = [await one.open(link), await one.open(link)]
  const paid = await one.press(left)
  const again = await one.press(right)
  assert.equal(paid.status, 303)
  assert.equal(again.location, paid.location)
})

test('a browser that tried and failed is told so, and can try again at once', async () => {
  const one = payer()
  const link = toLink(shop, { amount: '4001' })
  await one.pay(link)
  const page = await one.open(link)
  assert.equal(page.status, 200)
  assert.match(page.text, /role="alert"/)
  assert.match(page.text, /Insufficient funds\. <strong>No money was taken\./)
  assert.ok(page.form)
  const [row] = await rows<{ id: string }>(
    service.deps.db,
    'select id from transactions where project_id = $1 order by id desc limit 1',
    [shop.id],
  )
  assert.equal(
    page.links.get('Cancel and return to the merchant'),
    `https://shop.example.com/hvala?status=fail&transactionId=${row!.id}`,
  )
})

test('what the browser remembers is sealed, and belongs to that link alone', async () => {
  const one = payer()
  await one.pay(toLink(shop))
  const [[name, value] = ['', '']] = [...one.jar].filter(([key]) => key.startsWith('attempt-'))
  assert.match(name, /^attempt-[\w-]{16}$/)
  // Copied to another link's cookie it opens nothing.
  const other = payer()
  await other.open(toLink(shop, { amount: '2000' }))
  const otherName = [...other.jar.keys()].find((key) => key.startsWith('attempt-'))!
  other.jar.set(otherName, value)
  assert.ok((await other.open(toLink(shop, { amount: '2000' }))).form)
})

test('a browser that opens many links keeps only the latest few in mind', async () => {
  const one = payer()
  for (let amount = 1; amount <= 30; amount += 1) await one.open(toLink(shop, { amount: String(amount) }))
  const attempts = [...one.jar.keys()].filter((key) => key.startsWith('attempt-'))
  assert.equal(attempts.length, 12)
})

test('what a browser did more than an hour ago is forgotten', async () => {
  const { app, deps } = await service.replica()
  const one = new Payer(app)
  await one.pay(toLink(shop, { amount: '1900' }))
  const laterMs = deps.clock.nowMs() + 60 * 60_000 + 1000
  assert.equal((await one.open(toLink(shop, { amount: '1900' }))).form, null)
  deps.clock = { nowMs: () => laterMs }
  assert.ok((await one.open(toLink(shop, { amount: '1900' }))).form)
})

test('a program is told what can be paid and gets the token of the button', async () => {
  const answer = await service.app.inject({ url: toLink(shop), headers: { accept: 'application/json' } })
  const { token, ...rest } = answer.json<{ token: string }>()
  assert.deepEqual(rest, {
    status: 'ready',
    merchant: 'Knjižara Šćepan',
    amount: '1500',
    currency: 'EUR',
    mode: 'live',
  })
  const paid = await payer().pressAsProgram(token)
  assert.equal(paid.status, 200)
})
