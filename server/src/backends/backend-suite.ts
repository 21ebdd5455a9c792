import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Backend, Charge, NewCharge } from './backend.ts'
import { UnknownOutcomeError } from './backend.ts'

export interface BackendUnderTest {
  backend: Backend
  actAtBank: (id: string, outcome: 'approve' | 'decline') => Promise<void>
  /** How often this id was charged, according to the upstream's own records. */
  countCharges: (id: string) => Promise<number>
}

type StartOnce = () => Promise<BackendUnderTest>

const REFUSALS = [
  [4000n, 'declined'],
  [4001n, 'insufficient_funds'],
  [4006n, 'kyc_required'],
] as const
export type Refusal = (typeof REFUSALS)[number][1]

function newCharge(amount: bigint): NewCharge {
  const id = newUuidV7(systemClock)
  return {
    id,
    amount,
    currency: 'EUR',
    scale: 2,
    projectId: 'tz4a98xxat96iws9zmbrgj3a',
    mode: 'live',
    customId: 'Narudžba 7',
    data: null,
    returnUrl: `http://localhost:3000/pay/${id}?return=1`,
  }
}

function assertReports(charge: Charge | null, requested: NewCharge, status: Charge['status']): void {
  assert.ok(charge)
  assert.equal(charge.status, status)
  assert.equal(charge.id, requested.id)
  assert.equal(charge.amount, requested.amount)
  assert.equal(charge.currency, 'EUR')
}

function testResponses(name: string, startOnce: StartOnce, refusals: readonly Refusal[]): void {
  void test(`${name}: a charge succeeds, and a lookup reports the same`, async () => {
    const { backend, countCharges } = await startOnce()
    const requested = newCharge(1500n)
    assertReports(await backend.create(requested), requested, 'succeeded')
    assertReports(await backend.find(requested.id), requested, 'succeeded')
    assert.equal(await countCharges(requested.id), 1)
  })

  void test(`${name}: twenty requests to create a payment with the same id make one charge`, async () => {
    const { backend, countCharges } = await startOnce()
    const requested = newCharge(1500n)
    const reports = await Promise.all(Array.from({ length: 20 }, () => backend.create(requested)))
    for (const report of reports) assertReports(report, requested, 'succeeded')
    assert.equal(await countCharges(requested.id), 1)
  })

  for (const [amount, code] of REFUSALS.filter(([, one]) => refusals.includes(one))) {
    void test(`${name}: a payment of ${amount} is refused with ${code} and never charged`, async () => {
      const { backend, countCharges } = await startOnce()
      const requested = newCharge(amount)
      const report = await backend.create(requested)
      assertReports(report, requested, 'failed')
      assert.equal(report.failureCode, code)
      assert.equal((await backend.cancel(requested.id)).status, 'failed')
      assert.equal(await countCharges(requested.id), 0)
    })
  }

  void test(`${name}: a lookup of an unknown payment returns null`, async () => {
    const { backend } = await startOnce()
    assert.equal(await backend.find(newUuidV7(systemClock)), null)
  })
}

function testNoResponse(name: string, startOnce: StartOnce): void {
  for (const amount of [4002n, 4005n]) {
    void test(`${name}: a payment of ${amount} is charged without a usable response; a lookup finds the charge`, async () => {
      const { backend, countCharges } = await startOnce()
      const requested = newCharge(amount)
      await assert.rejects(backend.create(requested), UnknownOutcomeError)
      assertReports(await backend.find(requested.id), requested, 'succeeded')
      assertReports(await backend.cancel(requested.id), requested, 'succeeded')
      assert.equal(await countCharges(requested.id), 1)
    })
  }

  void test(`${name}: a payment of 4003 gets no response and is not charged; once cancelled, it can never be charged`, async () => {
    const { backend, countCharges } = await startOnce()
    const requested = newCharge(4003n)
    await assert.rejects(backend.create(requested), UnknownOutcomeError)
    assert.equal(await backend.find(requested.id), null)
    assert.equal((await backend.cancel(requested.id)).status, 'cancelled')
    // The delayed request arrives after the cancel.
    assert.equal((await backend.create({ ...requested, amount: 1500n })).status, 'cancelled')
    assert.equal((await backend.find(requested.id))?.status, 'cancelled')
    assert.equal(await countCharges(requested.id), 0)
  })

  void test(`${name}: a payment that is created and cancelled at the same time ends charged or cancelled, never both`, async () => {
    const { backend, countCharges } = await startOnce()
    for (let round = 0; round < 10; round += 1) {
      const requested = newCharge(1500n)
      const [, cancelled] = await Promise.all([backend.create(requested), backend.cancel(requested.id)])
      const found = await backend.find(requested.id)
      assert.equal(cancelled.status, found?.status)
      assert.equal(await countCharges(requested.id), found?.status === 'succeeded' ? 1 : 0)
    }
  })
}

function testBankPage(name: string, startOnce: StartOnce): void {
  for (const [outcome, status, charges] of [
    ['approve', 'succeeded', 1],
    ['decline', 'failed', 0],
  ] as const) {
    void test(`${name}: a payment of 4004 sends the payer to a bank page; "${outcome}" there ends the payment as "${status}"`, async () => {
      const { backend, actAtBank, countCharges } = await startOnce()
      const requested = newCharge(4004n)
      const report = await backend.create(requested)
      assertReports(report, requested, 'requires_action')
      assert.match(report.actionUrl ?? '', /^http:\/\/localhost:\d+\//)
      await actAtBank(requested.id, outcome)
      await actAtBank(requested.id, outcome)
      const ended = await backend.find(requested.id)
      assertReports(ended, requested, status)
      assert.equal(ended?.actionUrl, null)
      assert.equal(await countCharges(requested.id), charges)
    })
  }

  void test(`${name}: a cancelled bank step cannot be approved any more`, async () => {
    const { backend, actAtBank, countCharges } = await startOnce()
    const requested = newCharge(4004n)
    await backend.create(requested)
    assert.equal((await backend.cancel(requested.id)).status, 'cancelled')
    await actAtBank(requested.id, 'approve')
    assert.equal((await backend.find(requested.id))?.status, 'cancelled')
    assert.equal(await countCharges(requested.id), 0)
  })
}

/** `refusals`: the failure codes that this upstream distinguishes; all by default. */
export function testBackend(
  name: string,
  start: StartOnce,
  refusals: readonly Refusal[] = REFUSALS.map(([, code]) => code),
): void {
  let started: Promise<BackendUnderTest> | null = null
  const startOnce: StartOnce = () => (started ??= start())
  testResponses(name, startOnce, refusals)
  testNoResponse(name, startOnce)
  testBankPage(name, startOnce)
}
