// Many requests for one order: two replicas over real HTTP, up to fifty confirms at once, and the upstream's
// response racing its webhook. There is one charge and one callback, and every page shows the same state.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../accounts.ts'
import { count } from '../counts.ts'
import type { PayerResponse } from '../http-payer.ts'
import { pressPay, openForToken, toOutcome } from '../http-payer.ts'
import { assertBooksAgree } from '../ledger-check.ts'
import { addPayProject } from '../payer.ts'
import { resolveAll, startPayments } from '../payments.ts'
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

/** Submits all forms at the same moment, alternating between the two replicas. */
function pressAll(tokens: readonly string[]): Promise<PayerResponse[]> {
  return Promise.all(tokens.map((token, index) => pressPay(bases[index % 2]!, token)))
}

async function countCharges(customId: string): Promise<number> {
  const { payments, charges } = await upstream.books()
  const ids = new Set(payments.filter((one) => one.customId === customId).map((one) => one.id))
  return charges.filter((charge) => ids.has(charge.paymentId)).length
}

async function stateOf(customId: string): Promise<string[]> {
  const text = "select state from transactions where custom_id = $1 and state <> 'failed'"
  return (await rows<{ state: string }>(deps.db, text, [customId])).map((row) => row.state)
}

function repeat<T>(times: number, value: T): T[] {
  return Array.from({ length: times }, () => value)
}

/** One form, submitted many times: every response shows the same payment, charged once. */
async function pressOneForm(name: string, requests: number, amount: string): Promise<void> {
  const token = await openPage(name, amount)
  const answers = await pressAll(repeat(requests, token))
  for (const answer of answers) assert.match(toOutcome(answer), /^(?:succeeded|processing)$/)
  assert.equal(new Set(answers.map((answer) => answer.body['transactionId'])).size, 1)
  assert.equal(toOutcome(await pressPay(bases[1], token)), 'succeeded')
  assert.equal(await countCharges(name), 1)
}

/** One order in many tabs: one of them pays, the others show that it is paid or being paid. */
async function pressManyForms(name: string, requests: number): Promise<void> {
  const tokens = await Promise.all(repeat(requests, null).map(() => openPage(name, '1500')))
  const answers = await pressAll(tokens)
  for (const answer of answers) assert.match(toOutcome(answer), /^(?:succeeded|processing)$/)
  const withTransactionId = answers.filter((answer) => answer.body['transactionId'] !== undefined)
  assert.equal(withTransactionId.length, 1, 'only the tab that paid knows the payment')
  for (const answer of await pressAll(tokens)) assert.equal(toOutcome(answer), 'succeeded')
  assert.equal(await countCharges(name), 1)
}

/** One order with two amounts: the first is charged, the other one is a conflict. */
async function pressTwoAmounts(name: string, requests: number): Promise<void> {
  const amounts = repeat(requests, null).map((_, index) => (index % 3 === 0 ? '1500' : '2500'))
  const tokens = await Promise.all(amounts.map((amount) => openPage(name, amount)))
  const answers = await pressAll(tokens)
  const winner = amounts[answers.findIndex((answer) => answer.body['transactionId'] !== undefined)]
  for (const [index, answer] of answers.entries()) {
    const expected = amounts[index] === winner ? /^(?:succeeded|processing)$/ : /^custom_id_conflict$/
    assert.match(toOutcome(answer), expected)
  }
  assert.equal(await countCharges(name), 1)
}

/** A form that is declined: every response is the same decline, and the order can be paid again. */
async function pressDeclined(name: string, requests: number): Promise<void> {
  const token = await openPage(name, '4000')
  for (const answer of await pressAll(repeat(requests, token)))
    assert.match(toOutcome(answer), /^(?:payment_failed|processing)$/)
  assert.equal(toOutcome(await pressPay(bases[1], token)), 'payment_failed')
  assert.equal(await countCharges(name), 0)
  await pressOneForm(name, 2, '1500')
}

const KINDS: readonly ((name: string, requests: number) => Promise<void>)[] = [
  (name, requests) => pressOneForm(name, requests, '1500'),
  // The upstream's webhook is sent and accepted before its response.
  (name, requests) => pressOneForm(name, requests, '4018'),
  // Five webhooks race the response.
  (name, requests) => pressOneForm(name, requests, '4017'),
  pressManyForms,
  pressTwoAmounts,
  pressDeclined,
]

test('however many requests at either replica, there is one charge and one state', async (t) => {
  const rounds = count('confirmRaces', t)
  for (let round = 0; round < rounds; round += 1) {
    // From two requests to fifty, the extremes among the first.
    const requests = round % 10 === 0 ? 50 : 2 + Math.floor(Math.random() * 12)
    await KINDS[round % KINDS.length]!(`race-${round}`, requests)
    assert.deepEqual(await stateOf(`race-${round}`), ['succeeded'], `race-${round}`)
  }
  await resolveAll(deps)
  await assertBooksAgree(deps.db, await upstream.books())
})

test('live and test, and two shops, are different orders under one customId', async () => {
  const other = await addPayProject(deps)
  const tokens = await Promise.all([
    openForToken(bases[0], shop, { customId: 'shared' }),
    openForToken(bases[0], shop, { customId: 'shared', mode: 'test' }),
    openForToken(bases[0], other, { customId: 'shared' }),
  ])
  for (const answer of await pressAll(tokens)) {
    assert.equal(toOutcome(answer), 'succeeded')
    assert.notEqual(answer.body['transactionId'], undefined)
  }
  await assertBooksAgree(deps.db, await upstream.books())
})
