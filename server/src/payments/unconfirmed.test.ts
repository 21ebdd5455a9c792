// A payment that an operator ended as unpaid is looked up until its upstream reports an end or a charge.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { countIncidents, makeLookupsDue, requirePayment, startPayments } from '../../test/payments.ts'
import { createPaymentFixtures, newDecision, scriptUpstream, toCharge } from '../../test/resolving.ts'
import { insertManyPayments } from '../../test/transactions.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import type { Queryable } from '../db/pool.ts'
import { listDueUpstreams } from './checks-store.ts'
import { raiseIncident } from './incidents.ts'
import type { Payment } from './payment.ts'
import { reconcileOnce } from './reconcile.ts'
import { recordReport } from './record-report.ts'
import { resolvePayment } from './resolution/resolve.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { open } = createPaymentFixtures(deps, projectId)

async function resolveWithoutResponse(as: 'paid' | 'unpaid' = 'unpaid') {
  const upstream = scriptUpstream(deps)
  const payment = await open({ customId: crypto.randomUUID() })
  const incident = { kind: 'unresolved', transactionId: payment.id, subject: payment.id, facts: {} } as const
  await raiseIncident(deps, incident, { needsReview: true })
  assert.equal((await resolvePayment(deps, payment.id, newDecision(as))).kind, 'resolved')
  upstream.calls.length = 0
  return { upstream, payment }
}

async function hasNextLookup({ id }: Payment): Promise<boolean> {
  const text = 'select next_check_at is not null as found from transactions where id = $1'
  return (await rows<{ found: boolean }>(db, text, [id]))[0]!.found
}

async function lookUp(): Promise<void> {
  await makeLookupsDue(db)
  await reconcileOnce(deps)
}

test('while the upstream does not respond, a payment resolved as unpaid is looked up every hour and is not put in review', async () => {
  const { upstream, payment } = await resolveWithoutResponse()
  for (let round = 0; round < 3; round += 1) await lookUp()
  assert.deepEqual(upstream.calls, ['find', 'find', 'find'])
  assert.equal(await hasNextLookup(payment), true)
  assert.equal((await requirePayment(db, payment.id)).needsReview, false)
  const text = `select next_check_at between now() + interval '59 minutes' and now() + interval '61 minutes' as hourly
    from transactions where id = $1`
  assert.deepEqual(await rows(db, text, [payment.id]), [{ hourly: true }])
  upstream.findResult = toCharge(payment, { status: 'failed' })
  await lookUp()
  assert.equal(await hasNextLookup(payment), false)
})

test('if the upstream reports a charge of a payment resolved as unpaid, the payment is put in review, with an incident', async () => {
  const { upstream, payment } = await resolveWithoutResponse()
  upstream.findResult = toCharge(payment, { chargeId: 'ch_9' })
  await lookUp()
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.needsReview, stored.resolution], [true, 'unpaid'])
  assert.equal(await countIncidents(db, 'charged_after_end', payment.id), 1)
  assert.equal(await hasNextLookup(payment), false)
})

for (const status of ['cancelled', 'failed'] as const) {
  test(`once the upstream reports "${status}", by lookup or webhook, the payment is not looked up again`, async () => {
    for (const channel of ['lookup', 'webhook']) {
      const { upstream, payment } = await resolveWithoutResponse()
      upstream.findResult = toCharge(payment, { status })
      if (channel === 'lookup') await lookUp()
      else await recordReport(deps, await requirePayment(db, payment.id), upstream.findResult)
      assert.equal(await hasNextLookup(payment), false, channel)
      assert.equal((await requirePayment(db, payment.id)).needsReview, false)
    }
  })
}

test('a payment resolved as unpaid is cancelled upstream if the upstream reports it as open or does not know it', async () => {
  for (const status of ['processing', 'requires_action', null] as const) {
    const { upstream, payment } = await resolveWithoutResponse()
    upstream.findResult = status && toCharge(payment, { status, actionUrl: 'https://bank.example/3ds' })
    upstream.cancelResult = toCharge(payment, { status: 'cancelled' })
    await lookUp()
    assert.deepEqual(upstream.calls, ['find', 'cancel'])
    assert.equal(await hasNextLookup(payment), false)
  }
})

test('a payment resolved as paid is neither looked up nor cancelled upstream; after a correction to unpaid, it is looked up', async () => {
  const { upstream, payment } = await resolveWithoutResponse('paid')
  await lookUp()
  assert.deepEqual([await hasNextLookup(payment), upstream.calls], [false, []])
  assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'resolved')
  assert.equal(await hasNextLookup(payment), true)
})

test('a payment that the upstream had ended before an operator resolved it as unpaid is not looked up again', async () => {
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  const payment = await makeLateCharge({ customId: crypto.randomUUID() })
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  assert.equal(await hasNextLookup(payment), false)
})

test('upstreams with due payments are found by an index, however many payments there are', async () => {
  await insertManyPayments(deps, projectId, 3_000)
  await rows(db, 'vacuum analyze transactions')
  const plans: string[] = []
  const explaining: Queryable = {
    async query(what, values) {
      const text = `explain ${what.text}`
      const lines = await db.query<{ 'QUERY PLAN': string }>({ name: `${what.name}.plan`, text }, values)
      plans.push(...lines.map((line) => line['QUERY PLAN']))
      return []
    },
  }
  await listDueUpstreams(explaining)
  for (const index of ['transactions_unresolved', 'transactions_unconfirmed'])
    assert.ok(plans.join('\n').includes(index), `${index} is not used:\n${plans.join('\n')}`)
})

test('no incident is raised if a lookup times out after a webhook has ended the payment', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await open({ customId: crypto.randomUUID() })
  upstream.backend.find = async () => {
    await recordReport(deps, payment, toCharge(payment, { status: 'failed' }))
    throw new UnknownOutcomeError('no response within 10 s')
  }
  // After a day without a response, a payment that is still open would raise an incident.
  await reconcileOnce(deps, { nowMs: Date.now() + 25 * 3_600_000 })
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, stored.needsReview], ['failed', false])
  assert.equal(await countIncidents(db, 'unresolved', payment.id), 0)
})
