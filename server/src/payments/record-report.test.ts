import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { listCallbacks, newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import type { Charge } from '../backends/backend.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Payment } from './payment.ts'
import { openPayment } from './payments-store.ts'
import { recordReport, recordWebhook } from './record-report.ts'

const { deps, projectId, logs } = await startPayments({ OPERATOR_EMAIL: 'operator@example.com' })
const { db } = deps

async function open(customId: string | null = null): Promise<Payment> {
  const payment = await openPayment(db, newUuidV7(deps.clock), newOrder(projectId, { customId }), 'sandbox')
  return payment ?? assert.fail('the order has another payment')
}

function toReport(payment: Payment, status: Charge['status'], fields: Partial<Charge> = {}): Charge {
  return {
    id: payment.id,
    status,
    amount: payment.amount,
    currency: payment.currency,
    projectId: null,
    chargeId: null,
    failureCode: null,
    actionUrl: status === 'requires_action' ? 'https://bank.example/3ds' : null,
    ...fields,
  }
}

async function incidentsOf(payment: Payment): Promise<[kind: string, times: number][]> {
  const text = 'select kind, times from incidents where transaction_id = $1 order by id'
  const found = await rows<{ kind: string; times: number }>(db, text, [payment.id])
  return found.map((row) => [row.kind, row.times])
}

test('a payer who has finished at the bank is not sent there again, unless the bank requires it', async () => {
  const payment = await open()
  const atBank = await recordReport(deps, payment, toReport(payment, 'requires_action'))
  assert.equal(atBank.actionUrl, 'https://bank.example/3ds')
  for (let round = 0; round < 2; round += 1) {
    const afterBank = await recordReport(deps, atBank, toReport(payment, 'processing'))
    assert.deepEqual([afterBank.state, afterBank.actionUrl], ['requires_action', null])
  }
  const afterBank = await requirePayment(db, payment.id)
  const sentBack = await recordReport(deps, afterBank, toReport(payment, 'requires_action'))
  assert.deepEqual([sentBack.state, sentBack.actionUrl], ['requires_action', 'https://bank.example/3ds'])
  assert.equal((await recordReport(deps, sentBack, toReport(payment, 'succeeded'))).state, 'succeeded')
})

for (const [caseName, fields] of [
  ['another amount', { amount: 1501n }],
  ['another currency', { currency: 'RSD' }],
  ["another merchant's project", { projectId: 'kxxxxxxxxxxxxxxxxxxxxxxx' }],
  ['another id', { id: newUuidV7(deps.clock) }],
] as const) {
  test(`a report of a charge with ${caseName} raises an incident, and the payment succeeds only after a report of the right charge`, async () => {
    const payment = await open()
    for (let round = 0; round < 3; round += 1)
      assert.equal(
        (await recordReport(deps, payment, toReport(payment, 'succeeded', fields))).state,
        'processing',
      )
    assert.deepEqual(await incidentsOf(payment), [['mismatch', 3]])
    assert.deepEqual(await listCallbacks(db, payment.id), [])
    assert.equal((await recordReport(deps, payment, toReport(payment, 'succeeded'))).state, 'succeeded')
  })

  test(`a report of a failure with ${caseName} raises an incident and does not end the payment`, async () => {
    const payment = await open()
    await recordReport(deps, payment, toReport(payment, 'failed', fields))
    assert.equal((await requirePayment(db, payment.id)).state, 'processing')
    assert.deepEqual(await incidentsOf(payment), [['mismatch', 1]])
  })
}

test('if the same charge is reported a hundred times at the same time, there is one success and one callback', async () => {
  const payment = await open()
  const reported = await Promise.all(
    Array.from({ length: 100 }, () =>
      recordReport(deps, payment, toReport(payment, 'succeeded', { chargeId: 'ch_1' })),
    ),
  )
  for (const one of reported) assert.equal(one.state, 'succeeded')
  assert.equal((await listCallbacks(db, payment.id)).length, 1)
  assert.deepEqual(await incidentsOf(payment), [])
})

test('if a charge and a failure are reported at the same time, one report is recorded and the other report raises an incident', async () => {
  for (let round = 0; round < 10; round += 1) {
    const payment = await open()
    await Promise.all([
      recordReport(deps, payment, toReport(payment, 'succeeded')),
      recordReport(deps, payment, toReport(payment, 'failed')),
    ])
    const { state, needsReview } = await requirePayment(db, payment.id)
    const succeeded = state === 'succeeded'
    assert.deepEqual(await incidentsOf(payment), [[succeeded ? 'contradiction' : 'charged_after_end', 1]])
    assert.equal(needsReview, !succeeded)
    const results = (await listCallbacks(db, payment.id)).map((row) => row.result)
    assert.deepEqual(results, [succeeded ? 'success' : 'fail'])
  }
})

test('a late report of an earlier state changes nothing and raises no incident', async () => {
  for (const end of ['succeeded', 'failed'] as const) {
    const payment = await open()
    const ended = await recordReport(deps, payment, toReport(payment, end))
    for (const status of ['processing', 'requires_action'] as const)
      assert.deepEqual(await recordReport(deps, ended, toReport(payment, status)), ended)
    // This call gets the payment as it was before its end.
    assert.deepEqual(await recordReport(deps, payment, toReport(payment, 'requires_action')), ended)
    assert.deepEqual(await requirePayment(db, payment.id), ended)
    assert.deepEqual(await incidentsOf(payment), [])
  }
})

for (const contrary of ['failed', 'cancelled'] as const) {
  test(`a report "${contrary}" after a success raises an incident, and the payment stays "succeeded"`, async () => {
    const payment = await open()
    await recordReport(deps, payment, toReport(payment, 'succeeded'))
    const recorded = await recordReport(deps, payment, toReport(payment, contrary))
    assert.equal(recorded.state, 'succeeded')
    assert.deepEqual(await incidentsOf(payment), [['contradiction', 1]])
    assert.equal((await listCallbacks(db, payment.id)).length, 1)
  })
}

test('a charge of a failed payment causes a review and one incident, however often it is reported; the payment stays "failed"', async () => {
  const payment = await open('late')
  await recordReport(deps, payment, toReport(payment, 'failed'))
  for (let round = 0; round < 5; round += 1)
    assert.equal((await recordReport(deps, payment, toReport(payment, 'succeeded'))).state, 'failed')
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
  assert.deepEqual(await incidentsOf(payment), [['charged_after_end', 5]])
  assert.equal((await listCallbacks(db, payment.id)).length, 1)
})

test('a second charge of a payment is recognized by its charge id', async () => {
  const payment = await open()
  const paid = await recordReport(deps, payment, toReport(payment, 'succeeded', { chargeId: 'ch_1' }))
  assert.equal(paid.upstreamRef, 'ch_1')
  await recordReport(deps, payment, toReport(payment, 'succeeded', { chargeId: 'ch_2' }))
  assert.deepEqual(await incidentsOf(payment), [['charged_twice', 1]])
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, stored.needsReview, stored.upstreamRef], ['succeeded', true, 'ch_1'])
})

test('the URL of a bank step is stored, and removed when a report ends the payment', async () => {
  const payment = await open()
  const waiting = await recordReport(deps, payment, toReport(payment, 'requires_action'))
  assert.deepEqual([waiting.state, waiting.actionUrl], ['requires_action', 'https://bank.example/3ds'])
  assert.deepEqual(await recordReport(deps, payment, toReport(payment, 'requires_action')), waiting)
  const failed = await recordReport(
    deps,
    payment,
    toReport(payment, 'failed', { failureCode: 'insufficient_funds' }),
  )
  assert.deepEqual(
    [failed.state, failed.failureCode, failed.actionUrl],
    ['failed', 'insufficient_funds', null],
  )
})

test('text from an upstream is shortened and made printable for log and incident', async () => {
  const payment = await open()
  const id = `\u001b[31m${'x'.repeat(500)}\n{"level":"fatal"}`
  await recordReport(deps, payment, toReport(payment, 'succeeded', { id }))
  const [row] = await rows<{ facts: Record<string, string> }>(
    db,
    'select facts from incidents where transaction_id = $1',
    [payment.id],
  )
  assert.equal(row?.facts['saidId'], `?[31m${'x'.repeat(59)}`, '64 characters are left')
  const line = logs.find((one) => one.includes(payment.id) && one.includes('"incident"'))
  assert.ok(line && JSON.parse(line).facts.saidId === row.facts['saidId'])
})

test('a success cancels the unsent "fail" callbacks of its own order only', async () => {
  const failed = await open('overtaken')
  await recordReport(deps, failed, toReport(failed, 'failed'))
  const ofOtherOrder = await open('other')
  await recordReport(deps, ofOtherOrder, toReport(ofOtherOrder, 'failed'))
  const paid = await open('overtaken')
  await recordReport(deps, paid, toReport(paid, 'succeeded'))
  const statusOf = async (payment: Payment) => (await listCallbacks(db, payment.id)).map((row) => row.status)
  assert.deepEqual(await statusOf(failed), ['cancelled'])
  assert.deepEqual(await statusOf(ofOtherOrder), ['pending'])
  assert.deepEqual(await statusOf(paid), ['pending'])
})

test('a late report with a lower sequence number changes nothing', async () => {
  const payment = await open()
  await recordReport(deps, payment, toReport(payment, 'requires_action', { sequence: 1 }))
  const afterBank = await recordReport(deps, payment, toReport(payment, 'processing', { sequence: 2 }))
  assert.equal(afterBank.actionUrl, null)
  await recordWebhook(deps, afterBank, toReport(payment, 'requires_action', { sequence: 1 }))
  const webhook = { isWebhook: true }
  for (const status of ['requires_action', 'failed', 'cancelled', 'succeeded'] as const) {
    const recorded = await recordReport(deps, afterBank, toReport(payment, status, { sequence: 1 }), webhook)
    assert.deepEqual(recorded, afterBank)
  }
  const outdated = toReport(payment, 'requires_action', { sequence: 1 })
  assert.deepEqual(await recordReport(deps, afterBank, outdated), afterBank)
  const sentBack = await recordReport(deps, afterBank, toReport(payment, 'requires_action', { sequence: 3 }))
  assert.equal(sentBack.actionUrl, 'https://bank.example/3ds')
  const paid = await recordReport(deps, payment, toReport(payment, 'succeeded', { sequence: 4 }))
  assert.equal(paid.state, 'succeeded')
  assert.deepEqual(
    await recordReport(deps, paid, toReport(payment, 'failed', { sequence: 3 }), webhook),
    paid,
  )
  assert.deepEqual(await incidentsOf(payment), [])
})

test('the report with the highest sequence number decides, in any order of arrival', async () => {
  for (let round = 0; round < 20; round += 1) {
    const payment = await open()
    const messages = [
      toReport(payment, 'requires_action', { sequence: 1 }),
      toReport(payment, 'processing', { sequence: 2 }),
    ]
    if (round % 2 === 1) messages.reverse()
    await Promise.all(messages.map((one) => recordReport(deps, payment, one)))
    assert.equal((await requirePayment(db, payment.id)).actionUrl, null)
  }
})

test('a charge that is reported after a failure requires a review, even if its report has a lower sequence number', async () => {
  const payment = await open()
  await recordReport(deps, payment, toReport(payment, 'failed', { sequence: 5 }))
  await recordReport(deps, payment, toReport(payment, 'succeeded', { sequence: 4 }))
  assert.deepEqual(await incidentsOf(payment), [['charged_after_end', 1]])
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
})

test('a webhook without a sequence number cannot send a payer back to the bank: the payment is looked up instead', async () => {
  const payment = await open()
  const atBank = await recordReport(deps, payment, toReport(payment, 'requires_action'))
  const afterBank = await recordReport(deps, atBank, toReport(payment, 'processing'))
  await rows(db, "update transactions set next_check_at = now() + interval '1 hour' where id = $1", [
    payment.id,
  ])
  await recordWebhook(deps, afterBank, toReport(payment, 'requires_action'))
  assert.equal((await requirePayment(db, payment.id)).actionUrl, null)
  const text = 'select next_check_at <= now() as due from transactions where id = $1'
  assert.deepEqual(await rows(db, text, [payment.id]), [{ due: true }])
})
