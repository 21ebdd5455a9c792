// Tests of refunds that each upstream must pass. In test upstreams, some amounts decide how a refund ends: 4000 is refused,
// 4002 and 4005 are refunded without a usable response, and 4003 is not refunded and gets no response.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Backend, BackendRefunds, NewCharge, NewRefund, RefundReport } from './backend.ts'
import { UnknownOutcomeError } from './backend.ts'

export interface RefundsUnderTest {
  backend: Backend
  pay: (amount: bigint) => Promise<{ paymentId: string; chargeId: string | null }>
  /** How much of a payment was refunded, according to the upstream's own records. */
  sumRefunds: (paymentId: string) => Promise<bigint>
}

type StartOnce = () => Promise<RefundsUnderTest>

function requireRefunds({ refunds }: Backend): BackendRefunds {
  assert.ok(refunds)
  return refunds
}

function toNewRefund(charge: { paymentId: string; chargeId: string | null }, amount: bigint): NewRefund {
  return {
    id: newUuidV7(systemClock),
    ...charge,
    projectId: 'tz4a98xxat96iws9zmbrgj3a',
    amount,
    currency: 'EUR',
    upstreamRef: null,
    isOwn: true,
  }
}

function assertSucceeded(report: RefundReport | null, requested: NewRefund): void {
  assert.ok(report)
  assert.equal(report.status, 'succeeded')
  assert.equal(report.id, requested.id)
  assert.ok(report.paymentId === null || report.paymentId === requested.paymentId)
  assert.equal(report.amount, requested.amount)
  assert.equal(report.currency, 'EUR')
}

function testResponses(name: string, startOnce: StartOnce): void {
  void test(`${name}: refunds are offered, and a refund succeeds; a lookup reports the same`, async () => {
    const { backend, pay, sumRefunds } = await startOnce()
    const refunds = requireRefunds(backend)
    assert.equal(await refunds.isOffered(), true)
    const charge = await pay(1500n)
    const requested = toNewRefund(charge, 600n)
    assertSucceeded(await refunds.refund(requested), requested)
    assertSucceeded(await refunds.findRefund(requested), requested)
    assert.equal(await sumRefunds(charge.paymentId), 600n)
  })

  void test(`${name}: twenty requests for a refund with the same id make one refund`, async () => {
    const { backend, pay, sumRefunds } = await startOnce()
    const refunds = requireRefunds(backend)
    const charge = await pay(1500n)
    const requested = toNewRefund(charge, 50n)
    const reports = await Promise.all(Array.from({ length: 20 }, () => refunds.refund(requested)))
    for (const report of reports) assertSucceeded(report, requested)
    assert.equal(await sumRefunds(charge.paymentId), 50n)
  })

  void test(`${name}: of five refunds of 300 requested at the same time, three succeed for a charge of 1000`, async () => {
    const { backend, pay, sumRefunds } = await startOnce()
    const refunds = requireRefunds(backend)
    const charge = await pay(1000n)
    const requested = Array.from({ length: 5 }, () => toNewRefund(charge, 300n))
    const reports = await Promise.all(requested.map((one) => refunds.refund(one)))
    assert.equal(reports.filter(({ status }) => status === 'succeeded').length, 3)
    assert.equal(await sumRefunds(charge.paymentId), 900n)
  })

  void test(`${name}: a refund of 4000 fails, and nothing is refunded`, async () => {
    const { backend, pay, sumRefunds } = await startOnce()
    const charge = await pay(9000n)
    const requested = toNewRefund(charge, 4000n)
    const report = await requireRefunds(backend).refund(requested)
    assert.equal(report.status, 'failed')
    assert.equal(report.amount, 4000n)
    assert.equal(await sumRefunds(charge.paymentId), 0n)
  })

  void test(`${name}: a lookup of an unknown refund returns null`, async () => {
    const { backend, pay } = await startOnce()
    const requested = toNewRefund(await pay(1500n), 100n)
    assert.equal(await requireRefunds(backend).findRefund(requested), null)
  })
}

function testNoResponse(name: string, startOnce: StartOnce): void {
  for (const amount of [4002n, 4005n]) {
    void test(`${name}: a refund of ${amount} gives no usable response; a lookup finds the refund, and the money is refunded once`, async () => {
      const { backend, pay, sumRefunds } = await startOnce()
      const refunds = requireRefunds(backend)
      const charge = await pay(9000n)
      const requested = toNewRefund(charge, amount)
      await assert.rejects(refunds.refund(requested), UnknownOutcomeError)
      assertSucceeded(await refunds.findRefund(requested), requested)
      await refunds
        .refund(requested)
        .catch((error: unknown) => assert.ok(error instanceof UnknownOutcomeError))
      assert.equal(await sumRefunds(charge.paymentId), amount)
    })
  }

  void test(`${name}: a refund of 4003 gives no response and refunds nothing`, async () => {
    const { backend, pay, sumRefunds } = await startOnce()
    const refunds = requireRefunds(backend)
    const charge = await pay(9000n)
    const requested = toNewRefund(charge, 4003n)
    await assert.rejects(refunds.refund(requested), UnknownOutcomeError)
    assert.equal(await refunds.findRefund(requested), null)
    assert.equal(await sumRefunds(charge.paymentId), 0n)
  })
}

export function testRefunds(name: string, start: StartOnce): void {
  let started: Promise<RefundsUnderTest> | null = null
  const startOnce: StartOnce = () => (started ??= start())
  testResponses(name, startOnce)
  testNoResponse(name, startOnce)
}

export async function payAt(
  backend: Backend,
  amount: bigint,
  fields: Partial<NewCharge> = {},
): Promise<{ paymentId: string; chargeId: string | null }> {
  const id = newUuidV7(systemClock)
  const charge = await backend.create({
    id,
    amount,
    currency: 'EUR',
    scale: 2,
    projectId: 'tz4a98xxat96iws9zmbrgj3a',
    mode: 'live',
    customId: null,
    data: null,
    returnUrl: `http://localhost:3000/pay/${id}?return=1`,
    ...fields,
  })
  return { paymentId: id, chargeId: charge.chargeId }
}
