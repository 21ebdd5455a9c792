// The sandbox declines the amount 4000. With the amount 4004, the payer has to confirm at the bank page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { REDIRECT_WAIT_MAX_MS } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { CROSS_SITE_MATRIX, OWN_ORIGIN } from '../../test/cross-site-matrix.ts'
import { startTestService } from '../../test/harness.ts'
import { createTestPayer } from '../../test/pay-outcomes.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { parseQuery } from '../http/query.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { findPayment } from '../payments/payments-store.ts'
import { newAttemptId } from './attempt-token.ts'
import { confirmLink } from './confirm-link.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)
const newPayer = () => new Payer(service.app)

const waits: string[] = []
deps.deliveryWaits = {
  ...deps.deliveryWaits,
  async waitForDelivery(id, maxMs) {
    assert.equal(maxMs, REDIRECT_WAIT_MAX_MS)
    await sleep(50)
    waits.push(id)
    return true
  },
}

test('after Pay, the payer is redirected only after the merchant had time to accept the callback', async () => {
  const { location } = await newPayer().pay(toLink(shop))
  assert.deepEqual(waits.splice(0), [toTransactionId(location)])
})

test('a payer who is declined or sent to the bank does not wait for the merchant', async () => {
  await newPayer().pay(toLink(shop, { amount: '4000' }))
  await newPayer().pay(toLink(shop, { amount: '4004' }))
  assert.deepEqual(waits, [])
})

test('a payer who returns from the bank is redirected only after the merchant had time to accept the callback', async () => {
  const payer = newPayer()
  const atBank = await payer.pay(toLink(shop, { amount: '4004', data: 'kod banke' }))
  const id = toTransactionId(atBank.location)
  await payer.send('POST', `/sandbox/bank/${id}`, 'outcome=approve')
  const jsonResponse = await service.app.inject({
    url: `/pay/${id}?return=1`,
    headers: { accept: 'application/json' },
  })
  assert.equal(jsonResponse.json<{ status: string }>().status, 'succeeded')
  const plain = await payer.open(`/pay/${id}?return=0`)
  assert.equal(plain.status, 200)
  assert.deepEqual(waits, [], 'a JSON client and the receipt do not wait')
  const returned = await payer.open(`/pay/${id}?return=1`)
  assert.match(returned.location ?? '', /status=success/)
  assert.deepEqual(waits.splice(0), [id])
})

test('a payer whose bank adds a parameter in an older encoding sees the payment', async () => {
  const payer = newPayer()
  const atBank = await payer.pay(toLink(shop, { amount: '4004', data: 'stara banka' }))
  const id = toTransactionId(atBank.location)
  const inWindows1250 = 'poruka=Pla%E6anje+uspje%9Ano'
  const open = await payer.open(`/pay/${id}?return=1&${inWindows1250}`)
  assert.deepEqual([open.status, open.heading], [200, 'We are waiting for the result from the bank'])
  await payer.send('POST', `/sandbox/bank/${id}`, 'outcome=approve')
  const returned = await payer.open(`/pay/${id}?${inWindows1250}&return=1`)
  assert.match(returned.location ?? '', /status=success/)
  waits.splice(0)
  const confirmation = await payer.open(`/pay/successful?transactionId=${id}&${inWindows1250}`)
  assert.deepEqual([confirmation.status, confirmation.heading], [200, 'Payment complete'])
})

test('a payer whose bank sends the browser back with a form of any type is redirected to the payment', async () => {
  const payer = newPayer()
  const atBank = await payer.pay(toLink(shop, { amount: '4004', data: 'obrazac banke' }))
  const id = toTransactionId(atBank.location)
  const address = `/pay/${id}?return=1&poruka=uspje%9Ano`
  for (const [type, payload] of [
    ['application/x-www-form-urlencoded', 'poruka=uspje%9Ano'],
    ['application/x-www-form-urlencoded', `cres=${'x'.repeat(100_000)}`],
    ['multipart/form-data; boundary=b', '--b--'],
    ['text/xml', '<ok/>'],
    [undefined, undefined],
  ] as const) {
    const response = await service.app.inject({
      method: 'POST',
      url: address,
      headers: {
        accept: 'text/html',
        origin: 'https://bank.example',
        'sec-fetch-site': 'cross-site',
        ...(type && { 'content-type': type }),
      },
      ...(payload && { payload }),
    })
    assert.deepEqual([response.statusCode, response.headers.location], [303, address], type)
  }
  assert.equal((await findPayment(deps.db, id))?.state, 'requires_action')
  const open = await payer.open(address)
  assert.deepEqual([open.status, open.heading], [200, 'We are waiting for the result from the bank'])
})

test('a link that can no longer be paid leads back to the merchant with the result of the payer’s attempt', async () => {
  const project = await addPayProject(deps)
  const [payer, link] = [newPayer(), toLink(project, { amount: '4000' })]
  assert.equal((await payer.pay(link)).status, 402)
  await rows(deps.db, 'update projects set archived_at = now() where id = $1', [project.id])
  const findReturnUrl = async (browser: Payer) =>
    [...(await browser.open(link)).links.values()]
      .find((url) => url.includes('status='))
      ?.replace(/transactionId=[\w-]+/, 'id')
  assert.equal(await findReturnUrl(payer), 'https://shop.example.com/hvala?status=fail&id')
  assert.equal(await findReturnUrl(newPayer()), 'https://shop.example.com/hvala?status=cancel')
})

test('another site cannot approve a payment at the sandbox’s bank', async () => {
  const { app } = await service.replica({ BASE_URL: OWN_ORIGIN })
  const { location } = await newPayer().pay(toLink(shop, { amount: '4004', data: 'druga strana' }))
  const id = toTransactionId(location)
  for (const { what, headers } of CROSS_SITE_MATRIX.filter(({ passes }) => !passes)) {
    const response = await app.inject({
      method: 'POST',
      url: `/sandbox/bank/${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
      payload: 'outcome=approve',
    })
    assert.equal(response.statusCode, 403, what)
  }
  assert.equal((await findPayment(deps.db, id))?.state, 'requires_action')
})

test('a page whose token names no currency can be paid only if the service’s currency has not changed since the token was sealed', async () => {
  const path = toLink(shop, { data: 'stari obrazac' })
  const query = parseQuery(path.slice(path.indexOf('?') + 1))
  const sealedMs = deps.clock.nowMs() - 60_000
  const press = async (changedMs: number | null) => {
    const plain = { id: newAttemptId(), at: sealedMs, replaces: null, link: parsePayLink(query) }
    const token = deps.attemptTokens
      .seal(Buffer.from(JSON.stringify(plain)), 'attempt-token/1')
      .toString('base64url')
    const currencyChangedAt = changedMs === null ? null : new Date(changedMs)
    const changed = { ...deps, installation: { ...deps.installation, currencyChangedAt } }
    const outcome = await confirmLink(changed, createTestPayer(true), { token, query })
    return outcome.kind === 'form_refused' ? outcome.reason : outcome.kind
  }
  assert.equal(await press(sealedMs + 1), 'currencyChanged')
  assert.equal(await press(sealedMs - 1), 'paid')
  assert.equal(await press(null), 'paid')
})
