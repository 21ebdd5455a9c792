import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { newOrder, startPayments } from '../../test/payments.ts'
import { readRestoreGate, writeClosed, writeOpen } from '../db/gate-store.ts'
import { readInstallation } from '../db/installation-store.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { StartError } from '../lib/start-error.ts'
import { lockBudget, pauseLookups, saveBudget } from './lookup-budget-store.ts'
import { recordBankFinished, recordBankPage } from './bank-step-store.ts'
import { stopChecks } from './checks-store.ts'
import { isRecordedMoney, requireRecordedMoney } from './money-guard.ts'
import { openPayment } from './payments-store.ts'
import { findPaymentByCharge } from './refund-sums-store.ts'
import { storeReport, REPORTS_MAX } from './reports-store.ts'
import { writeResolution } from './resolution/resolve-store.ts'
import { recordSequence } from './sequence-store.ts'
import { storeChargeId } from './settle-store.ts'
import { settle } from './settle.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

const open = async (fields: Parameters<typeof newOrder>[1] = {}) =>
  openPayment(db, newUuidV7(deps.clock), newOrder(projectId, fields), 'sandbox')

async function valueOf<Value>(id: string, expression: string): Promise<Value> {
  const [row] = await rows<{ value: Value }>(
    db,
    `select ${expression} as value from transactions where id = $1`,
    [id],
  )
  return row!.value
}

test('no payment is opened with a currency or scale other than the installation’s', async () => {
  assert.equal(await open({ currency: 'USD' }), null)
  assert.equal(await open({ scale: 0 }), null)
  assert.notEqual(await open(), null)
})

test('no payment is opened while payments are stopped after a restore, even if this process does not know that they are stopped', async () => {
  await writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: null })
  try {
    assert.equal(await open(), null)
  } finally {
    await writeOpen(db, (await readRestoreGate(db)).closedAt!)
  }
  assert.notEqual(await open(), null)
})

test('settings with another currency or scale are refused as soon as there is a payment', async () => {
  await open()
  const recorded = await readInstallation(db, { currency: 'EUR', scale: 2 })
  const start = (settings: { currency: string; scale: number }) =>
    requireRecordedMoney(db, recorded, settings)
  assert.equal(await start({ currency: 'EUR', scale: 2 }), recorded)
  for (const settings of [
    { currency: 'USD', scale: 2 },
    { currency: 'EUR', scale: 0 },
  ]) {
    await assert.rejects(start(settings), StartError)
    assert.equal(await isRecordedMoney(db, settings), false)
  }
})

test('a payment is first looked up half a minute after it was opened', async () => {
  const payment = await open()
  const sec = await valueOf<number>(payment!.id, 'extract(epoch from next_check_at - created_at)::float8')
  assert.equal(Math.round(sec), 30)
})

test('a new bank page restarts the time at the bank, and the payment is looked up within a minute; a repeated report of the page changes nothing', async () => {
  const { id } = (await open())!
  assert.notEqual(await recordBankPage(db, id, 'https://bank.example/1'), null)
  await rows(db, `update transactions set action_at = now() - interval '1 day' where id = $1`, [id])
  assert.notEqual(await recordBankFinished(db, id), null)
  assert.equal((await recordBankPage(db, id, 'https://bank.example/2'))?.actionUrl, 'https://bank.example/2')
  assert.equal(await valueOf(id, `action_at > now() - interval '1 minute'`), true)
  assert.equal(await valueOf(id, `next_check_at between now() and now() + interval '1 minute'`), true)
  await rows(db, `update transactions set action_at = now() - interval '1 day' where id = $1`, [id])
  assert.equal(await recordBankPage(db, id, 'https://bank.example/2'), null)
  assert.equal(await valueOf(id, `action_at < now() - interval '23 hours'`), true)
})

test('a report can begin or end the bank step only if its sequence number is not lower than the recorded number', async () => {
  const { id } = (await open())!
  await recordSequence(db, id, 5, false)
  assert.equal(await recordBankPage(db, id, 'https://bank.example/', 4), null)
  assert.notEqual(await recordBankPage(db, id, 'https://bank.example/', 5), null)
  assert.equal(await recordBankFinished(db, id, 4), null)
  assert.notEqual(await recordBankFinished(db, id, 5), null)
  assert.equal(await recordSequence(db, id, 4, false), null)
  assert.notEqual(await recordSequence(db, id, 4, true), null)
})

test('only a succeeded payment can get a charge id, and only once', async () => {
  const { id } = (await open())!
  assert.equal(await storeChargeId(db, id, 'ch_1'), null)
  await rows(
    db,
    `update transactions set state = 'succeeded', completed_at = now(), next_check_at = null where id = $1`,
    [id],
  )
  assert.equal((await storeChargeId(db, id, 'ch_1'))?.upstreamRef, 'ch_1')
  assert.equal(await storeChargeId(db, id, 'ch_2'), null)
})

test('a pause of lookups empties the budget of one upstream, is not extended by a second pause, and is not ended by saving the budget', async () => {
  const read = (upstream: string) => db.transaction((tx) => lockBudget(tx, upstream, null))
  const fullBudget = { tokens: 7, waitingTokens: 3 }
  const nowMs = deps.clock.nowMs()
  for (const upstream of ['http', 'stripe']) {
    await read(upstream)
    await db.transaction((tx) => saveBudget(tx, upstream, fullBudget, nowMs - 60_000))
  }
  await pauseLookups(db, 'http', 30)
  const { tokens, waitingTokens } = await read('stripe')
  assert.deepEqual({ tokens, waitingTokens }, fullBudget)
  const paused = await read('http')
  assert.deepEqual([paused.tokens, paused.waitingTokens], [0, 0])
  assert.ok(paused.elapsedMs > -30_000 && paused.elapsedMs < -20_000, String(paused.elapsedMs))
  await pauseLookups(db, 'http', 3_000)
  assert.ok((await read('http')).elapsedMs > -30_000)
  await db.transaction((tx) => saveBudget(tx, 'http', { tokens: 0, waitingTokens: 0 }, nowMs))
  assert.ok((await read('http')).elapsedMs < -20_000)
})

test('after the clock of the database was turned back, lookups continue soon', async () => {
  const readAfter = async (ahead: string) => {
    await rows(db, `update lookup_budgets set refilled_at = now() + $1::interval where upstream = 'http'`, [
      ahead,
    ])
    return db.transaction(async (tx) => {
      const { tokens, waitingTokens, nowMs } = await lockBudget(tx, 'http', null)
      await saveBudget(tx, 'http', { tokens, waitingTokens }, nowMs)
      return lockBudget(tx, 'http', null)
    })
  }
  assert.ok((await readAfter('10 seconds')).elapsedMs < -9_000, 'a pause of 10 s is kept')
  assert.ok((await readAfter('1 hour')).elapsedMs >= 0)
})

test('a repeated report is recognized by the fields that the upstream sent, and the number of stored reports is limited', async () => {
  const { id } = (await open())!
  const storeFacts = (
    facts: Record<string, string | null>,
    decidedAt = new Date(deps.clock.nowMs() + 60_000),
  ) => db.transaction((tx) => storeReport(tx, id, decidedAt, facts))
  const reportFields = { said: 'succeeded', saidAmount: '1500' }
  assert.equal(
    await storeFacts({ ...reportFields, state: 'processing', amount: '1', currency: 'EUR', charge: null }),
    false,
  )
  assert.equal(
    await storeFacts({ ...reportFields, state: 'failed', amount: '2', currency: 'USD', charge: 'ch' }),
    true,
  )
  assert.equal(await storeFacts(reportFields, new Date(0)), false)
  assert.equal(await storeFacts({ ...reportFields, saidAmount: '1501' }), false)
  for (let n = 0; n < REPORTS_MAX; n += 1) await storeFacts({ said: `other ${n}` })
  const [row] = await rows<{ n: number }>(
    db,
    'select count(*)::int as n from upstream_reports where transaction_id = $1',
    [id],
  )
  assert.equal(row!.n, REPORTS_MAX + 1)
  assert.equal(await storeFacts({ said: 'one too many' }), false)
})

test('a payment that ends while the payer is at the bank loses its bank page, even if an operator ends the payment', async () => {
  const openAtBank = async () => {
    const { id } = (await open())!
    return (await recordBankPage(db, id, 'https://bank.example/1'))!
  }
  const [ended, resolved] = [await openAtBank(), await openAtBank()]
  assert.equal(ended.actionUrl, 'https://bank.example/1')
  const end = { state: 'failed', failureCode: 'declined', upstreamRef: null } as const
  assert.equal((await settle(deps, ended, end))!.actionUrl, null)
  const decision = { as: 'unpaid', reason: 'never paid', by: 'ana' } as const
  const written = await db.transaction((tx) => writeResolution(tx, resolved.id, decision))
  assert.equal(written.payment.actionUrl, null)
})

test('stopChecks stops the lookups of a payment only if an operator has resolved the payment', async () => {
  const payment = (await open())!
  await stopChecks(db, payment.id)
  assert.equal(await valueOf(payment.id, 'next_check_at is not null'), true)
  await settle(deps, payment, { state: 'failed', failureCode: 'declined', upstreamRef: null })
  await rows(db, 'update transactions set next_check_at = now() where id = $1', [payment.id])
  await stopChecks(db, payment.id)
  assert.equal(await valueOf(payment.id, 'next_check_at is not null'), true)
})

test('after an operator’s decision, only a payment that was open and is now resolved as unpaid is still looked up', async () => {
  const resolve = async (as: 'paid' | 'unpaid', isEnded: boolean) => {
    const payment = (await open())!
    if (isEnded) await settle(deps, payment, { state: 'failed', failureCode: 'declined', upstreamRef: null })
    await db.transaction((tx) => writeResolution(tx, payment.id, { as, reason: 'checked', by: 'ana' }))
    return valueOf<boolean>(payment.id, 'next_check_at is not null')
  }
  assert.deepEqual([await resolve('unpaid', false), await resolve('unpaid', true)], [true, false])
  assert.deepEqual([await resolve('paid', false), await resolve('paid', true)], [false, false])
})

test('a payment is found by its charge only at its own upstream', async () => {
  const payment = (await open())!
  await settle(deps, payment, { state: 'succeeded', failureCode: null, upstreamRef: 'ch_shared' })
  assert.equal((await findPaymentByCharge(db, 'sandbox', 'ch_shared'))?.id, payment.id)
  assert.equal(await findPaymentByCharge(db, 'stripe', 'ch_shared'), null)
  assert.equal(await findPaymentByCharge(db, 'sandbox', 'ch_other'), null)
})
