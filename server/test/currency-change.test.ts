// CURRENCY and AMOUNT_SCALE are changed while pages are open and payments are stored.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import type { StatsView } from '@pazar/contract'
import { currency } from '../src/cli/currency.ts'
import { parsePayLink } from '../src/paylinks/pay-link.ts'
import { parseQuery } from '../src/http/query.ts'
import { readSecret } from '../src/secrets/secrets.ts'
import { rows } from './accounts.ts'
import { clientWithToken, makeToken } from './api-tokens.ts'
import { Client, signUp } from './client.ts'
import { startTestService } from './harness.ts'
import { Payer, toLink, toTransactionId } from './payer.ts'
import { refund, requireRefund } from './refunds.ts'
import type { PayProject } from './payer.ts'
import { changeCallbacks } from './stored-forms.ts'

const service = await startTestService()
const { app, deps } = service
const NEW_SETTINGS = { CURRENCY: 'USD', AMOUNT_SCALE: '0' }
let owner: Client
let shop: PayProject
let changedReplica: Awaited<ReturnType<typeof service.replica>>

function sealWithoutCurrency(link: string, agoMs: number): string {
  const parsed = parsePayLink(parseQuery(link.split('?')[1]!))
  const plain = { id: randomUUID(), link: parsed, replaces: null, at: deps.clock.nowMs() - agoMs }
  return deps.attemptTokens.seal(Buffer.from(JSON.stringify(plain)), 'attempt-token/1').toString('base64url')
}

async function countStored(customId: string): Promise<number> {
  return (await rows(deps.db, 'select from transactions where custom_id = $1', [customId])).length
}

let euroId: string
let openPage: Awaited<ReturnType<Payer['open']>>
let openToken: string
const openPayer = new Payer(app)

before(async () => {
  owner = await signUp(app)
  const { id } = await owner.addProject()
  shop = { id, secrets: { live: await readSecret(deps, deps.db, id, 'live'), test: '' } }
})

test('if there are no payments, the service starts with changed settings and changes the currency', async () => {
  assert.equal(await currency.run(deps, ['show']), 'EUR:2')
  await service.replica(NEW_SETTINGS)
  assert.equal(await currency.run(deps, ['show']), 'USD:0')
  // The first replica still has the earlier settings, so it must refuse payments.
  const token = (await openPayer.open(toLink(shop, { customId: 'two-currencies' }))).form!.token
  assert.equal((await openPayer.pressAsJsonClient(token)).status, 503)
  await service.replica()
  assert.equal(await currency.run(deps, ['show']), 'EUR:2')
})

test('a refund token stops working when the settings change before the first payment', async () => {
  const fields = { projectId: shop.id, scope: 'refund', dailyCap: '2000' }
  const [limited, reading] = [await makeToken(owner, fields), await makeToken(owner, { scope: 'read' })]
  await service.replica(NEW_SETTINGS)
  await service.replica()
  const [ofLimited, ofReading] = [clientWithToken(app, limited.token), clientWithToken(app, reading.token)]
  assert.equal((await ofLimited.post('/sdk/project/list', {})).status, 401)
  assert.equal((await ofReading.post('/sdk/project/list', {})).status, 200)
})

test('if there are payments, the service does not start with changed settings, and the error names the needed command', async () => {
  euroId = toTransactionId((await new Payer(app).pay(toLink(shop, { customId: 'euro' }))).location)
  for (const env of [NEW_SETTINGS, { CURRENCY: 'USD' }, { AMOUNT_SCALE: '0' }])
    await assert.rejects(
      service.replica(env),
      /^StartError: CURRENCY and AMOUNT_SCALE are .*currency change /,
    )
  const token = sealWithoutCurrency(toLink(shop, { customId: 'sealed-before' }), 1000)
  assert.equal((await openPayer.pressAsJsonClient(token)).status, 200)
})

for (const args of [
  [],
  ['change'],
  ['change', 'usd:0'],
  ['change', 'USD'],
  ['change', 'USD:5'],
  ['show', 'x'],
]) {
  test(`"currency ${args.join(' ')}" prints its usage`, async () => {
    await assert.rejects(currency.run(deps, args), /Usage: npm run pazar -- currency/)
  })
}

test('after the command "currency change", the service starts only with the new settings', async () => {
  openPage = await openPayer.open(toLink(shop, { customId: 'open-page' }))
  openToken = (await openPayer.open(toLink(shop, { customId: 'open-token' }))).form!.token
  const printed = await currency.run(deps, ['change', 'USD:0'])
  assert.ok(typeof printed === 'string' && printed.startsWith('Changed from EUR:2 to USD:0.'))
  assert.equal(await currency.run(deps, ['change', 'USD:0']), 'It is USD:0 already.')
  const audited = await rows(
    deps.db,
    "select account_id, actor, changes from audit_events where action = 'currency_changed'",
  )
  assert.deepEqual(audited, [
    { account_id: null, actor: 'operator', changes: { from: 'EUR:2', to: 'USD:0' } },
  ])
  await assert.rejects(service.replica(), /StartError/)
  changedReplica = await service.replica(NEW_SETTINGS)
})

test('a form that showed euros is refused and shown again in dollars; the new form then charges dollars', async () => {
  assert.match(openPage.text, /€15\.00/)
  const payer = new Payer(changedReplica.app)
  const refused = await payer.press(openPage)
  assert.equal(refused.status, 410)
  assert.match(refused.text, /The amount or currency has changed/)
  assert.match(refused.text, /This attempt was not charged/)
  assert.match(refused.text, /\$1,500/)
  assert.equal(await countStored('open-page'), 0)
  const { status, json } = await payer.pressAsJsonClient(openToken)
  assert.deepEqual([status, json['code']], [410, 'token_expired'])
  assert.equal(await countStored('open-token'), 0)

  const id = toTransactionId((await payer.press(refused)).location)
  const [row] = await rows(deps.db, 'select amount, currency, amount_scale from transactions where id = $1', [
    id,
  ])
  assert.deepEqual(row, { amount: 1500n, currency: 'USD', amount_scale: 0 })
  const [charge] = await rows(deps.db, 'select currency from sandbox_charges where id = $1', [id])
  assert.deepEqual(charge, { currency: 'USD' })
})

test('a token without currency and decimals is accepted only if it was issued after the change', async () => {
  const payer = new Payer(changedReplica.app)
  const issuedBefore = await payer.pressAsJsonClient(
    sealWithoutCurrency(toLink(shop, { customId: 'unsaid' }), 60_000),
  )
  assert.deepEqual([issuedBefore.status, issuedBefore.json['code']], [410, 'token_expired'])
  assert.equal(await countStored('unsaid'), 0)
  const issuedAfter = await payer.pressAsJsonClient(
    sealWithoutCurrency(toLink(shop, { customId: 'unsaid' }), 0),
  )
  assert.equal(issuedAfter.status, 200)
})

test('a replica that still runs with the previous settings opens no payment', async () => {
  const { status, json } = await openPayer.pressAsJsonClient(openToken)
  assert.deepEqual([status, json['code']], [503, 'unavailable'])
  assert.equal(await countStored('open-token'), 0)
})

async function readPayment() {
  const payer = new Payer(changedReplica.app)
  const client = new Client(changedReplica.app)
  for (const [name, value] of owner.jar) client.jar.set(name, value)
  const list = await client.post('/sdk/transactions/list', { projectId: shop.id, customId: 'euro' })
  const log = await client.get(`/portal/api/projects/${shop.id}/deliveries?q=euro`)
  const csv = await client.get(`/portal/api/projects/${shop.id}/transactions.csv?customId=euro`)
  const logCsv = await client.get(`/portal/api/projects/${shop.id}/deliveries.csv?q=euro`)
  const [item] = list.json<{ items: { amount: string; currency: string; scale: number }[] }>().items
  const [callback] = log.json<{ items: { amount: string; currency: string; scale: number }[] }>().items
  return {
    receipt: (await payer.open(`/pay/${euroId}`)).text,
    item: [item!.amount, item!.currency, item!.scale],
    callback: [callback!.amount, callback!.currency, callback!.scale],
    csv: csv.text,
    logCsv: logCsv.text,
  }
}

test('receipts, lists, the log and CSV files show an earlier payment in its own currency and decimals', async () => {
  for (let round = 0; round < 2; round += 1) {
    const seen = await readPayment()
    assert.match(seen.receipt, /€15\.00/)
    assert.deepEqual(seen.item, ['1500', 'EUR', 2])
    assert.deepEqual(seen.callback, ['1500', 'EUR', 2])
    assert.match(seen.csv, /,15\.00,1500,EUR,/)
    assert.match(seen.logCsv, /,15\.00,1500,EUR,/)
    // The second round reads rows without decimals, as an earlier release stored them.
    await rows(deps.db, 'alter table transactions disable trigger transactions_terms_guard')
    await rows(deps.db, 'update transactions set amount_scale = null where id = $1', [euroId])
    await changeCallbacks(
      deps.db,
      "update callbacks set payload = payload - 'amountScale' where transaction_id = $1",
      [euroId],
    )
  }
})

test('stats count all payments, but add up only the amounts paid after the change', async () => {
  await rows(deps.db, "update installation set currency_changed_at = now() - interval '1 hour'")
  const replica = await service.replica(NEW_SETTINGS)
  const readStats = async (replica: typeof changedReplica) => {
    const viewer = new Client(replica.app)
    for (const [name, value] of owner.jar) viewer.jar.set(name, value)
    const url = `/portal/api/projects/${shop.id}/stats`
    return (await viewer.get(url)).json<{ volume: string; succeeded: number }>()
  }
  const all = await readStats(replica)
  assert.equal(BigInt(all.volume), BigInt(all.succeeded) * 1500n)
  await rows(deps.db, "update installation set currency_changed_at = now() + interval '1 hour'")
  assert.deepEqual(
    { ...(await readStats(await service.replica(NEW_SETTINGS))), series: [] },
    { ...all, series: [], volume: '0', net: '0' },
  )
})

test('stats do not add up payments and refunds that are older than the last change of the currency', async () => {
  const viewer = async () => {
    const { app } = await service.replica()
    const client = new Client(app)
    for (const [name, value] of owner.jar) client.jar.set(name, value)
    return client
  }
  await currency.run(deps, ['change', 'EUR:2'])
  await rows(deps.db, 'update installation set currency_changed_at = null')
  await owner.stepUp()
  const refunded = await requireRefund(owner, { projectId: shop.id, id: euroId }, { amount: '400' })
  assert.equal(refunded.state, 'succeeded')
  const url = `/portal/api/projects/${shop.id}/stats`
  const before = (await (await viewer()).get(url)).json<StatsView>()
  assert.deepEqual([before.refunds, before.refunded], [1, '400'])
  await rows(deps.db, "update installation set currency_changed_at = now() + interval '1 hour'")
  const { volume, refunds, refunded: sum, net } = (await (await viewer()).get(url)).json<StatsView>()
  assert.deepEqual([volume, refunds, sum, net], ['0', 1, '0', '0'])
})

test('after the number of decimals changes, earlier refund tokens stop working, and a new token can refund earlier payments up to its limit', async () => {
  const { id } = await owner.addProject()
  const secrets = { live: await readSecret(deps, deps.db, id, 'live'), test: '' }
  const pay = async (customId: string) =>
    toTransactionId((await new Payer(app).pay(toLink({ id, secrets }, { customId }))).location)
  const [first, second] = [await pay('first'), await pay('second')]
  const fields = { scope: 'refund', projectId: id }
  const earlier = await makeToken(owner, { ...fields, dailyCap: '2000' })
  const printed = await currency.run(deps, ['change', 'EUR:0'])
  assert.ok(typeof printed === 'string')
  assert.match(printed, /API tokens that refund \(1\) no longer work, because their daily limit was in EUR:2/)
  const { app: newApp } = await service.replica({ AMOUNT_SCALE: '0' })
  assert.equal(
    (await refund(clientWithToken(newApp, earlier.token), { projectId: id, id: first })).status,
    401,
  )
  // The limit is 20 euros, and each payment is 15 euros.
  const limited = clientWithToken(newApp, (await makeToken(owner, { ...fields, dailyCap: '20' })).token)
  await requireRefund(limited, { projectId: id, id: first })
  const above = await refund(limited, { projectId: id, id: second })
  assert.deepEqual([above.status, above.code], [409, 'refund_exceeds'])
  assert.match(above.json<{ detail: string }>().detail, /€5\.00/)
})
