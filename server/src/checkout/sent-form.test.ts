import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'
import { countRows } from '../../test/rows.ts'
import { parseQuery } from '../http/query.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { sealAttempt } from './attempt-token.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const newPayer = () => new Payer(service.app)
const newCustomId = () => `order-${randomUUID()}`

/** Returns a token that seems to have been sealed two hours ago. */
function sealOldToken(link: string, id: string = randomUUID()): string {
  const parsed = parsePayLink(parseQuery(link.split('?')[1]!))
  return sealAttempt(
    deps.attemptTokens,
    { id, link: parsed, replaces: null, shown: { currency: 'EUR', scale: 2 } },
    deps.clock.nowMs() - 2 * 3_600_000,
  )
}

test('a token with any byte changed charges nothing, and the page is shown again with a new token', async (t) => {
  const payer = newPayer()
  const page = await payer.open(toLink(shop))
  const rowsBefore = await countRows(deps.db)
  const bytes = Buffer.from(page.form!.token, 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes)
    changed[index]! ^= 1
    const response = await newPayer().send('POST', '/pay', `token=${changed.toString('base64url')}`)
    assert.equal(response.status, 400, `byte ${index}`)
  }
  t.diagnostic(`${bytes.length} bytes`)
  assert.deepEqual(await countRows(deps.db), rowsBefore)
  const shownAgain = await payer.press({ ...page, form: { ...page.form!, token: 'AAAA' } })
  assert.equal(shownAgain.status, 400)
  assert.match(shownAgain.text, /The payment was not started/)
  assert.match(shownAgain.text, /This attempt was not charged\./)
  assert.equal((await payer.press(shownAgain)).status, 303)
})

test('an unreadable token without a link gets 400, as a page or as problem JSON', async () => {
  const page = await newPayer().send('POST', '/pay', 'token=AAAA')
  assert.equal(page.status, 400)
  assert.match(page.text, /Open the pay link again\./)
  assert.ok(!page.links.has('Open the pay link again'))
  const { status, json } = await newPayer().pressAsJsonClient('AAAA')
  assert.equal(status, 400)
  assert.equal(json['code'], 'invalid_request')
})

test('the page after an invalid form links to the pay link in the Referer header, but never to another site', async () => {
  const payer = newPayer()
  const link = toLink(shop)
  const sendFrom = (referer: string) => {
    payer.headers['referer'] = referer
    return payer.send('POST', '/pay', 'token=AAAA')
  }
  const page = await sendFrom(deps.config.baseUrl + link)
  assert.equal(page.links.get('Open the pay link again'), link)
  assert.match(page.text, /Open the pay link again\./)
  assert.doesNotMatch(page.text, /Return to the merchant/)
  assert.equal(page.links.get('Crnogorski'), `${link}&lang=cnr`)
  for (const other of [
    'https://evil.example/pay?amount=1',
    `${deps.config.baseUrl}.evil.example/pay?a`,
    'x',
  ]) {
    assert.ok(!(await sendFrom(other)).links.has('Open the pay link again'), other)
  }
})

test('a page that was open too long is shown again, and can then be paid', async () => {
  const payer = newPayer()
  const link = toLink(shop, { customId: newCustomId() })
  const response = await payer.send('POST', link, `token=${sealOldToken(link)}`)
  assert.equal(response.status, 410)
  assert.match(response.text, /This page was open for too long/)
  assert.match(response.text, /This attempt was not charged\./)
  assert.equal((await payer.press(response)).status, 303)
  const jsonResponse = await newPayer().pressAsJsonClient(sealOldToken(link))
  assert.equal(jsonResponse.status, 410)
  assert.equal(jsonResponse.json['code'], 'token_expired')
})

for (const [caseName, shown] of [
  ['another currency', { currency: 'USD', scale: 2 }],
  ['other decimals', { currency: 'EUR', scale: 0 }],
] as const) {
  test(`pressing Pay charges nothing if the page showed the amount with ${caseName}`, async () => {
    const link = toLink(shop, { customId: newCustomId() })
    const parsed = parsePayLink(parseQuery(link.split('?')[1]!))
    const attempt = { id: randomUUID(), link: parsed, replaces: null, shown }
    const rowsBefore = await countRows(deps.db)
    const token = sealAttempt(deps.attemptTokens, attempt, deps.clock.nowMs())
    const response = await newPayer().send('POST', link, `token=${token}`)
    assert.equal(response.status, 410)
    assert.match(response.text, /The amount or currency has changed/)
    assert.deepEqual(await countRows(deps.db), rowsBefore)
  })
}

test('if an attempt already has a payment, its token leads to this payment even when the token is too old', async () => {
  const link = toLink(shop)
  const id = randomUUID()
  const newToken = sealAttempt(
    deps.attemptTokens,
    {
      id,
      link: parsePayLink(parseQuery(link.split('?')[1]!)),
      replaces: null,
      shown: { currency: 'EUR', scale: 2 },
    },
    deps.clock.nowMs(),
  )
  const paid = await newPayer().send('POST', link, `token=${newToken}`)
  assert.equal(paid.status, 303)
  const repeated = await newPayer().send('POST', link, `token=${sealOldToken(link, id)}`)
  assert.equal(repeated.status, 303)
  assert.equal(repeated.location, paid.location)
})

test('if a project is changed while a page is open, Pay follows the new settings', async () => {
  const project = await addPayProject(deps)
  const set = (column: string, value: string) =>
    rows(deps.db, `update projects set ${column} = ${value} where id = $1`, [project.id])
  const payer = newPayer()
  const paidPage = await payer.open(toLink(project))
  const paid = await payer.press(paidPage)
  const page = await newPayer().open(toLink(project))
  const rowsBefore = await countRows(deps.db)
  await set('require_signed_links', 'true')
  assert.equal((await newPayer().press(page)).status, 400)
  await set('require_signed_links', 'false')
  await set('archived_at', 'now()')
  assert.equal((await newPayer().press(page)).status, 410)
  assert.deepEqual(await countRows(deps.db), rowsBefore)
  assert.equal((await payer.press(paidPage)).location, paid.location)
})

test('a JSON request gets JSON, however its content type is written', async () => {
  for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
    const { token } = (await newPayer().open(toLink(shop))).form!
    const response = await service.app.inject({
      method: 'POST',
      url: '/pay',
      headers: { 'content-type': type },
      payload: JSON.stringify({ token }),
    })
    assert.deepEqual(
      [response.statusCode, response.json<{ status: string }>().status],
      [200, 'succeeded'],
      type,
    )
  }
})

test('a body that is not our form is refused with a page, and stores nothing', async () => {
  const { token } = (await newPayer().open(toLink(shop))).form!
  const rowsBefore = await countRows(deps.db)
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
    const response = await post(payload, type)
    assert.equal(response.statusCode, status, payload.slice(0, 40))
    assert.match(response.payload, /This attempt was not charged\./)
  }
  assert.deepEqual(await countRows(deps.db), rowsBefore)
})

test('pressing Pay on a page that was opened before a restore charges nothing', async () => {
  const restored = await service.replica()
  const payer = new Payer(restored.app)
  const nowMs = deps.clock.nowMs()
  const clock = { nowMs: () => nowMs - 1 }
  restored.deps.clock = clock
  const page = await payer.open(toLink(shop, { customId: newCustomId() }))
  restored.deps.restoreGate = { ...deps.restoreGate, restoredMs: () => nowMs }
  clock.nowMs = () => nowMs
  const rowsBefore = await countRows(deps.db)
  const shownAgain = await payer.press(page)
  assert.equal(shownAgain.status, 410)
  assert.match(shownAgain.text, /This page was open for too long/)
  assert.deepEqual(await countRows(deps.db), rowsBefore)
  assert.equal((await payer.press(shownAgain)).status, 303)
})
