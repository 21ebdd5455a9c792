// Up to fifty requests pay one order at the same moment, at two replicas. The upstream's webhook may arrive before the
// upstream's response.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import type { PayerResponse } from '../http-payer.ts'
import { pressPay, openForToken, toOutcome } from '../http-payer.ts'
import { assertBooksAgree } from '../ledger-check.ts'
import { addPayProject } from '../payer.ts'
import { resolveOpenPayments, startPayments } from '../payments.ts'
import { freePort } from '../service-process.ts'
import { startUpstream } from '../upstream-process.ts'
import { serve } from './serve.ts'

const port = await freePort()
const upstream = await startUpstream({ webhookUrl: `http://127.0.0.1:${port}/upstream/http/webhook` })
const { deps, replica } = await startPayments(upstream.env)
const shop = await addPayProject(deps)
const bases = [await serve(deps, port), await serve(await replica())] as const
after(() => upstream.stop())

function openPage(customId: string, amount: string): Promise<string> {
  return openForToken(bases[0], shop, { amount, customId })
}

function pressAll(tokens: readonly string[]): Promise<PayerResponse[]> {
  return Promise.all(tokens.map((token, index) => pressPay(bases[index % 2]!, token)))
}

async function countCharges(customId: string): Promise<number> {
  const { payments, charges } = await upstream.books()
  const ids = new Set(payments.filter((one) => one.customId === customId).map((one) => one.id))
  return charges.filter((charge) => ids.has(charge.paymentId)).length
}

async function readStates(customId: string): Promise<string[]> {
  const text = "select state from transactions where custom_id = $1 and state <> 'failed'"
  return (await rows<{ state: string }>(deps.db, text, [customId])).map((row) => row.state)
}

function repeat<T>(times: number, value: T): T[] {
  return Array.from({ length: times }, () => value)
}

/** Submits one form many times: every response shows the same payment, which is charged once. */
async function pressOneForm(name: string, requests: number, amount: string): Promise<void> {
  const token = await openPage(name, amount)
  const responses = await pressAll(repeat(requests, token))
  for (const response of responses) assert.match(toOutcome(response), /^(?:succeeded|processing)$/)
  assert.equal(new Set(responses.map((response) => response.body['transactionId'])).size, 1)
  assert.equal(toOutcome(await pressPay(bases[1], token)), 'succeeded')
  assert.equal(await countCharges(name), 1)
}

/** Submits one order from many tabs: one tab pays, the others show that the order is paid or being paid. */
async function pressManyForms(name: string, requests: number): Promise<void> {
  const tokens = await Promise.all(repeat(requests, null).map(() => openPage(name, '1500')))
  const responses = await pressAll(tokens)
  for (const response of responses) assert.match(toOutcome(response), /^(?:succeeded|processing)$/)
  const withTransactionId = responses.filter((response) => response.body['transactionId'] !== undefined)
  assert.equal(withTransactionId.length, 1, 'only the tab that paid knows the payment')
  for (const response of await pressAll(tokens)) assert.equal(toOutcome(response), 'succeeded')
  assert.equal(await countCharges(name), 1)
}

/** Submits one order with two amounts: the first amount to arrive is charged, the other is refused. */
async function pressTwoAmounts(name: string, requests: number): Promise<void> {
  const amounts = repeat(requests, null).map((_, index) => (index % 3 === 0 ? '1500' : '2500'))
  const tokens = await Promise.all(amounts.map((amount) => openPage(name, amount)))
  const responses = await pressAll(tokens)
  const winner = amounts[responses.findIndex((response) => response.body['transactionId'] !== undefined)]
  for (const [index, response] of responses.entries()) {
    const expected = amounts[index] === winner ? /^(?:succeeded|processing)$/ : /^custom_id_conflict$/
    assert.match(toOutcome(response), expected)
  }
  assert.equal(await countCharges(name), 1)
}

/** Submits a form whose payment is declined. No response is a success and nothing is charged. The order can be paid later. */
async function pressDeclined(name: string, requests: number): Promise<void> {
  const token = await openPage(name, '4000')
  for (const response of await pressAll(repeat(requests, token)))
    assert.match(toOutcome(response), /^(?:payment_failed|processing)$/)
  assert.equal(toOutcome(await pressPay(bases[1], token)), 'payment_failed')
  assert.equal(await countCharges(name), 0)
  await pressOneForm(name, 2, '1500')
}

const RACES: readonly ((name: string, requests: number) => Promise<void>)[] = [
  (name, requests) => pressOneForm(name, requests, '1500'),
  // The upstream sends its webhook first. It responds to the service's request only after the service has accepted
  // the webhook.
  (name, requests) => pressOneForm(name, requests, '4018'),
  // Five webhooks arrive at about the same time as the response.
  (name, requests) => pressOneForm(name, requests, '4017'),
  pressManyForms,
  pressTwoAmounts,
  pressDeclined,
]

test('an order that many requests pay at the same moment, at two replicas, is charged once', async (t) => {
  const rounds = countRounds('confirmRaces', t)
  for (let round = 0; round < rounds; round += 1) {
    const requests = round % 10 === 0 ? 50 : 2 + Math.floor(Math.random() * 12)
    await RACES[round % RACES.length]!(`race-${round}`, requests)
    assert.deepEqual(await readStates(`race-${round}`), ['succeeded'], `race-${round}`)
  }
  await resolveOpenPayments(deps)
  await assertBooksAgree(deps.db, await upstream.books())
})

test('the same customId in live and test mode, or in two projects, means different orders', async () => {
  const other = await addPayProject(deps)
  const tokens = await Promise.all([
    openForToken(bases[0], shop, { customId: 'shared' }),
    openForToken(bases[0], shop, { customId: 'shared', mode: 'test' }),
    openForToken(bases[0], other, { customId: 'shared' }),
  ])
  for (const response of await pressAll(tokens)) {
    assert.equal(toOutcome(response), 'succeeded')
    assert.notEqual(response.body['transactionId'], undefined)
  }
  await assertBooksAgree(deps.db, await upstream.books())
})
