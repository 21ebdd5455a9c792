import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { rows } from '../../test/accounts.ts'
import { countRows } from '../../test/rows.ts'
import { parseQuery } from '../http/query.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { toReference } from '../payments/payment.ts'
import { sealAttempt } from './attempt-token.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const payer = () => new Payer(service.app)
const order = () => `order-${randomUUID()}`

/** What the upstream has been asked to do for an order, in its own books. */
async function chargesOf(customId: string): Promise<{ status: string; amount: bigint }[]> {
  const sql = `select c.status, c.amount from sandbox_charges c join transactions t on t.id = c.id
    where t.custom_id = $1 order by c.id`
  return rows(deps.db, sql, [customId])
}

async function stateOf(id: string): Promise<string> {
  const [row] = await rows<{ state: string }>(deps.db, 'select state from transactions where id = $1', [id])
  return row!.state
}

/** A token as this service would have made it, a while ago. */
function oldToken(link: string, id: string = randomUUID()): string {
  const parsed = parsePayLink(parseQuery(link.split('?')[1]!))
  return sealAttempt(
    deps.attemptTokens,
    { id, link: parsed, replaces: null, shown: { currency: 'EUR', scale: 2 } },
    deps.clock.nowMs() - 2 * 3_600_000,
  )
}

test('a paid press leads back to the shop with the outcome, the payment and the order', async () => {
  const customId = order()
  const answer = await payer().pay(toLink(shop, { customId, data: 'x' }))
  assert.equal(answer.status, 303)
  const id = toTransactionId(answer.location)
  assert.equal(
    answer.location,
    `https://shop.example.com/hvala?status=success&transactionId=${id}&customId=${customId}`,
  )
  assert.equal(answer.headers['cache-control'], 'no-store')
  // For whoever does not follow by himself.
  assert.equal(answer.links.get('Continue'), answer.location)
  assert.equal(await stateOf(id), 'succeeded')
})

for (const signed of [true, false]) {
  test(`a link that runs out while its page is open cannot be paid any more (${signed ? 'signed' : 'unsigned'})`, async () => {
    const { app, deps: late } = await service.replica()
    const one = new Payer(app)
    const data = `goods ${randomUUID()}`
    const link = toLink(shop, { data, exp: Math.ceil(late.clock.nowMs() / 1000) + 60, signed })
    const page = await one.open(link)
    assert.ok(page.form)
    const laterMs = late.clock.nowMs() + 120_000
    late.clock = { nowMs: () => laterMs }
    const pressed = await one.press(page)
    assert.deepEqual([pressed.status, pressed.heading], [410, 'The link has expired'])
    const { status, json } = await one.pressAsProgram(page.form.token)
    assert.deepEqual([status, json['code']], [410, 'link_expired'])
    assert.deepEqual(await rows(deps.db, 'select from transactions where data = $1', [data]), [])
  })
}

test('in test mode the way back says so', async () => {
  const answer = await payer().pay(toLink(shop, { mode: 'test' }))
  assert.match(answer.location ?? '', /status=success&transactionId=[^&]+&mode=test$/)
})

test('a declined press is 402 with the reason, that no money was taken, a reference and one click to try again', async () => {
  const one = payer()
  const customId = order()
  const page = await one.pay(toLink(shop, { amount: '4001', customId }))
  assert.equal(page.status, 402)
  assert.match(page.text, /Insufficient funds\./)
  assert.match(page.text, /No money was taken\./)
  const [{ id } = { id: '' }] = await rows<{ id: string }>(
    deps.db,
    'select id from transactions where custom_id = $1',
    [customId],
  )
  assert.match(page.text, new RegExp(`Payment reference: <code>${toReference(id)}</code>`))
  const again = await one.press(page)
  assert.equal(again.status, 402)
  assert.equal((await chargesOf(customId)).length, 2, 'the second press was a new attempt')
})

const SANDBOX: [amount: string, status: number, leadsTo: RegExp | null][] = [
  ['4000', 402, null],
  ['4002', 303, /^http:\/\/localhost:3000\/pay\/[0-9a-f-]{36}\?return=1$/],
  ['4003', 303, /^http:\/\/localhost:3000\/pay\/[0-9a-f-]{36}\?return=1$/],
  ['4004', 303, /^http:\/\/localhost:3000\/sandbox\/bank\/[0-9a-f-]{36}$/],
  ['4005', 303, /^http:\/\/localhost:3000\/pay\/[0-9a-f-]{36}\?return=1$/],
  ['4006', 402, null],
]
for (const [amount, status, leadsTo] of SANDBOX) {
  test(`amount ${amount}: the form is answered with ${status}${leadsTo ? ' and leads on' : ''}`, async () => {
    const answer = await payer().pay(toLink(shop, { amount }))
    assert.equal(answer.status, status)
    if (leadsTo) assert.match(answer.location ?? '', leadsTo)
    else assert.ok(answer.form, 'a fresh token')
  })
}

test('a program gets the same as JSON', async () => {
  const one = payer()
  const press = async (amount: string) =>
    one.pressAsProgram((await one.open(toLink(shop, { amount }))).form!.token)
  const paid = await press('1501')
  assert.equal(paid.status, 200)
  assert.deepEqual(Object.keys(paid.json).sort(), ['redirectUrl', 'status', 'transactionId'])
  assert.equal(paid.json['status'], 'succeeded')
  assert.equal((await press('4002')).json['status'], 'processing')
  const atBank = await press('4004')
  assert.equal(atBank.json['status'], 'requires_action')
  assert.match(String(atBank.json['redirectUrl']), /\/sandbox\/bank\//)
  const declined = await press('4001')
  assert.equal(declined.status, 402)
  assert.equal(declined.json['code'], 'payment_failed')
  assert.deepEqual(declined.json['errors'], [
    { path: 'payment', code: 'insufficient_funds', message: 'Insufficient funds.' },
  ])
})

for (const amount of ['1500', '4000', '4003', '4004']) {
  test(`the same token gives the same result, however often it is sent (amount ${amount})`, async () => {
    const page = await payer().open(toLink(shop, { amount }))
    const first = await payer().press(page)
    const before = await countRows(deps.db)
    for (let times = 0; times < 3; times += 1) {
      const next = await payer().press(page)
      assert.equal(next.status, first.status)
      assert.equal(next.location, first.location)
    }
    assert.deepEqual(await countRows(deps.db), before)
  })
}

test('50 presses at once, on two replicas, are one payment, and all get the same result', async () => {
  const { app } = await service.replica()
  const customId = order()
  const page = await payer().open(toLink(shop, { customId }))
  const presses = Array.from({ length: 50 }, (_, index) =>
    new Payer(index % 2 === 0 ? service.app : app).press(page),
  )
  const answers = await Promise.all(presses)
  assert.deepEqual(await chargesOf(customId), [{ status: 'succeeded', amount: 1500n }])
  const shops = new Set(
    answers.filter(({ location }) => location?.includes('status=success')).map((one) => one.location),
  )
  assert.equal(shops.size, 1)
  for (const answer of answers) {
    assert.equal(answer.status, 303)
    assert.equal(toTransactionId(answer.location), toTransactionId([...shops][0]!))
  }
})

test('one order in two browsers, on two replicas, for two amounts: one charge, whoever wins', async () => {
  const { app } = await service.replica()
  for (let round = 0; round < 5; round += 1) {
    const customId = order()
    const browsers = [0, 1, 2, 3, 4, 5].map((index) => new Payer(index % 2 === 0 ? service.app : app))
    const pages = await Promise.all(
      browsers.map((one, index) => one.open(toLink(shop, { customId, amount: index < 3 ? '1500' : '1600' }))),
    )
    const answers = await Promise.all(browsers.map((one, index) => one.press(pages[index]!)))
    assert.equal((await chargesOf(customId)).length, 1)
    assert.equal(answers.filter(({ status }) => status === 303).length, 1)
    for (const { status } of answers) assert.ok([200, 303, 409].includes(status), String(status))
  }
})

test('another token for a paid order is told that it is paid, without whose payment that was', async () => {
  const customId = order()
  const link = toLink(shop, { customId })
  const late = await payer().open(link)
  const id = toTransactionId((await payer().pay(link)).location)
  const page = await payer().press(late)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'This order is already paid')
  assert.doesNotMatch(page.text, new RegExp(`${id}|${toReference(id)}`))
  const { status, json } = await payer().pressAsProgram((await payer().open(link)).form!.token)
  assert.equal(status, 200)
  assert.deepEqual(json, {
    status: 'succeeded',
    redirectUrl: `https://shop.example.com/hvala?status=success&customId=${customId}`,
  })
  assert.equal((await chargesOf(customId)).length, 1)
})

for (const [what, changed] of [
  ['amount', { amount: '5' }],
  ['data', { data: 'another' }],
] as const) {
  test(`a paid order with another ${what} is a conflict, and nothing is charged`, async () => {
    const customId = order()
    await payer().pay(toLink(shop, { customId }))
    const page = await payer().pay(toLink(shop, { customId, ...changed }))
    assert.equal(page.status, 409)
    assert.equal(page.heading, 'The order details do not match')
    assert.match(page.text, /This attempt was not charged\./)
    assert.ok(page.links.has('Return to the merchant’s site'))
    const { token } = (await payer().open(toLink(shop, { customId, ...changed }))).form!
    const { status, json } = await payer().pressAsProgram(token)
    assert.equal(status, 409)
    assert.equal(json['code'], 'custom_id_conflict')
    assert.equal((await chargesOf(customId)).length, 1)
  })
}

test('a failed try leaves the order free for the next one', async () => {
  const customId = order()
  assert.equal((await payer().pay(toLink(shop, { customId, amount: '4000' }))).status, 402)
  assert.equal((await payer().pay(toLink(shop, { customId, amount: '1500' }))).status, 303)
})

test('while an order is being paid elsewhere, the page says so and leads on', async () => {
  const customId = order()
  const link = toLink(shop, { customId, amount: '4003' })
  await payer().pay(link)
  const page = await payer().pay(link)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'A payment for this order is already in progress')
  assert.match(page.text, /Do not pay again\./)
  assert.doesNotMatch(page.text, /\/pay\/[0-9a-f]{8}-/, 'nobody else gets the way to that payment')
  assert.ok(page.links.has('Check again'))
  const { json } = await payer().pressAsProgram((await payer().open(link)).form!.token)
  assert.deepEqual(Object.keys(json).sort(), ['redirectUrl', 'status'])
  assert.equal(json['status'], 'processing')
})

test('somebody who opens an order’s page a hundred times and never pays is in nobody’s way', async () => {
  const customId = order()
  const link = toLink(shop, { customId })
  for (let times = 0; times < 100; times += 1) await payer().open(link)
  assert.equal((await payer().pay(link)).status, 303)
})

test('a token with any byte changed charges nothing, and the page is shown anew with one that works', async (t) => {
  const one = payer()
  const page = await one.open(toLink(shop))
  const before = await countRows(deps.db)
  const bytes = Buffer.from(page.form!.token, 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    const answer = await payer().send('POST', '/pay', `token=${changed.toString('base64url')}`)
    assert.equal(answer.status, 400, `byte ${at}`)
  }
  t.diagnostic(`${bytes.length} bytes`)
  assert.deepEqual(await countRows(deps.db), before)
  const anew = await one.press({ ...page, form: { ...page.form!, token: 'AAAA' } })
  assert.equal(anew.status, 400)
  assert.match(anew.text, /The payment form was not valid/)
  assert.match(anew.text, /Nothing was charged\./)
  assert.equal((await one.press(anew)).status, 303)
})

test('without its link’s address an unreadable token is a page that says what to do, and 400 for a program', async () => {
  const page = await payer().send('POST', '/pay', 'token=AAAA')
  assert.equal(page.status, 400)
  assert.match(page.text, /Return to the merchant and open the pay link again\./)
  const { status, json } = await payer().pressAsProgram('AAAA')
  assert.equal(status, 400)
  assert.equal(json['code'], 'invalid_request')
})

test('a page that was open too long is shown anew, and one press later it is paid', async () => {
  const one = payer()
  const link = toLink(shop, { customId: order() })
  const answer = await one.send('POST', link, `token=${oldToken(link)}`)
  assert.equal(answer.status, 410)
  assert.match(answer.text, /This page was open for too long/)
  assert.match(answer.text, /Nothing was charged\./)
  assert.equal((await one.press(answer)).status, 303)
  const program = await payer().pressAsProgram(oldToken(link))
  assert.equal(program.status, 410)
  assert.equal(program.json['code'], 'token_expired')
})

test('an old token whose attempt was paid gives that payment, not a second button', async () => {
  const link = toLink(shop)
  const id = randomUUID()
  const fresh = sealAttempt(
    deps.attemptTokens,
    {
      id,
      link: parsePayLink(parseQuery(link.split('?')[1]!)),
      replaces: null,
      shown: { currency: 'EUR', scale: 2 },
    },
    deps.clock.nowMs(),
  )
  const paid = await payer().send('POST', link, `token=${fresh}`)
  assert.equal(paid.status, 303)
  const later = await payer().send('POST', link, `token=${oldToken(link, id)}`)
  assert.equal(later.status, 303)
  assert.equal(later.location, paid.location)
})

test('a shop that changed its mind while the page was open is not paid, but what is paid stays paid', async () => {
  const own = await addPayProject(deps)
  const set = (column: string, value: string) =>
    rows(deps.db, `update projects set ${column} = ${value} where id = $1`, [own.id])
  const one = payer()
  const paidPage = await one.open(toLink(own))
  const paid = await one.press(paidPage)
  const page = await payer().open(toLink(own))
  const before = await countRows(deps.db)
  await set('require_signed_links', 'true')
  assert.equal((await payer().press(page)).status, 400)
  await set('require_signed_links', 'false')
  await set('archived_at', 'now()')
  assert.equal((await payer().press(page)).status, 410)
  assert.deepEqual(await countRows(deps.db), before)
  assert.equal((await one.press(paidPage)).location, paid.location)
})

test('an amount lowered in an unsigned link is paid as lowered and told so; a shop that demands signatures is safe', async () => {
  const customId = order()
  const paid = await payer().pay(toLink(shop, { customId, data: 'o99' }).replace('amount=1500', 'amount=1'))
  assert.equal(paid.status, 303)
  const [callback] = await rows<{ payload: { amount: string } }>(
    deps.db,
    'select payload from callbacks where transaction_id = $1',
    [toTransactionId(paid.location)],
  )
  assert.equal(callback!.payload.amount, '1')
  const safe = await addPayProject(deps, { requireSignedLinks: true })
  const before = await countRows(deps.db)
  const signed = toLink(safe, { customId, data: 'o99', signed: true })
  for (const link of [signed.replace('amount=1500', 'amount=1'), signed.replace(/&sig=[^&]+/, '')])
    assert.equal((await payer().open(link)).status, 400)
  assert.deepEqual(await countRows(deps.db), before)
})

test('whoever sends JSON gets JSON, however its type is spelled', async () => {
  for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
    const { token } = (await payer().open(toLink(shop))).form!
    const answer = await service.app.inject({
      method: 'POST',
      url: '/pay',
      headers: { 'content-type': type },
      payload: JSON.stringify({ token }),
    })
    assert.deepEqual([answer.statusCode, answer.json<{ status: string }>().status], [200, 'succeeded'], type)
  }
})

test('a press that is no form of ours is refused as a page, and leaves no row', async () => {
  const { token } = (await payer().open(toLink(shop))).form!
  const before = await countRows(deps.db)
  const post = (payload: string, type: string) =>
    service.app.inject({
      method: 'POST',
      url: '/pay',
      headers: { 'content-type': type, accept: 'text/html' },
      payload,
    })
  const form = 'application/x-www-form-urlencoded'
  const refused: [payload: string, type: string, status: number][] = [
    ['', form, 400],
    ['token=', form, 400],
    [`token=${token}&token=${token}`, form, 400],
    [`token[]=${token}`, form, 400],
    [`token=${token}&amount=1`, form, 400],
    [`token=${token}&__proto__=1`, form, 400],
    ['token=%E0%A4%A', form, 400],
    ['token=a%00', form, 400],
    [`token=${token}`, 'text/plain', 415],
    [`token=${token}`, 'multipart/form-data; boundary=x', 415],
    [`token=${'A'.repeat(70_000)}`, form, 413],
    [`token=${'A'.repeat(30_000)}`, form, 400],
  ]
  for (const [payload, type, status] of refused) {
    const answer = await post(payload, type)
    assert.equal(answer.statusCode, status, payload.slice(0, 40))
    assert.match(answer.payload, /This attempt was not charged\./)
  }
  assert.deepEqual(await countRows(deps.db), before)
})
