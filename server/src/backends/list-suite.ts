import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { systemClock, toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Backend, BackendDisputes, BackendLists, NewCharge } from './backend.ts'
import type { Pager } from './pager.ts'

export interface ListsUnderTest {
  backend: Backend
  pay: (
    amount: bigint,
    fields?: Partial<NewCharge>,
  ) => Promise<{ paymentId: string; chargeId: string | null }>
  dispute: (paymentId: string, status: 'open' | 'lost') => Promise<void>
}

type StartOnce = () => Promise<ListsUnderTest>

const PAYMENTS_COUNT = 105
const PAGES_MAX = 50

async function readAll<Item>(list: Pager<Item>, since: Date): Promise<Item[]> {
  const found: Item[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await list({ since, cursor })
    assert.ok(page.items.length <= 1000)
    found.push(...page.items)
    cursor = page.next
    if (cursor === null) return found
  }
  throw new Error('the list does not end')
}

function requireLists({ lists, disputes }: Backend): BackendLists & { disputes: BackendDisputes } {
  assert.ok(lists && disputes)
  return { ...lists, disputes }
}

/** The times in Stripe's lists are whole seconds. */
const currentSecond = () => toDate(Math.floor(systemClock.nowMs() / 1000) * 1000)
const inOneHour = () => toDate(systemClock.nowMs() + 3_600_000)

function testPayments(name: string, startOnce: StartOnce): void {
  void test(`${name}: lists are offered, and each payment is on exactly one of several pages`, async () => {
    const { backend, pay } = await startOnce()
    const lists = requireLists(backend)
    assert.equal(await lists.isOffered(), true)
    const since = currentSecond()
    const paid = new Map<string, bigint>()
    const charges: (string | null)[] = []
    for (let n = 0; n < PAYMENTS_COUNT; n += 1) {
      const amount = BigInt(100 + n)
      const { paymentId, chargeId } = await pay(amount)
      paid.set(paymentId, amount)
      charges.push(chargeId)
    }
    const found = (await readAll(lists.payments, since)).filter(({ id }) => paid.has(id))
    assert.equal(found.length, PAYMENTS_COUNT)
    assert.deepEqual(new Map(found.map(({ id, amount }) => [id, amount])), paid)
    assert.deepEqual(found.map(({ chargeId }) => chargeId).toSorted(), charges.toSorted())
    for (const { status, currency, createdAt, scale } of found) {
      assert.deepEqual([status, currency], ['succeeded', 'EUR'])
      assert.ok(createdAt && createdAt >= since && createdAt < inOneHour())
      assert.ok(scale === null || scale === 2)
    }
    const futurePayments = await readAll(lists.payments, inOneHour())
    assert.deepEqual(futurePayments, [])
  })
}

function testOrigins(name: string, startOnce: StartOnce): void {
  void test(`${name}: the lists return the fields that were sent with a payment and a refund`, async () => {
    const { backend, pay } = await startOnce()
    const lists = requireLists(backend)
    const since = currentSecond()
    const createdAt = toDate(Date.UTC(2026, 10, 16, 12, 30, 0, 123))
    // The longest customId, with characters of two UTF-16 units.
    const customId = '😀'.repeat(128)
    const data = `${'đ'.repeat(700)}😀`
    const attemptId = randomUUID()
    const checkoutId = randomUUID()
    const origin = { installationId: 'installation-1', attemptId, checkoutId, createdAt }
    const { paymentId, chargeId } = await pay(1234n, { customId, data, origin })
    const refundId = newUuidV7(systemClock)
    const requested = { requestedBy: 'api', idempotencyKey: 'key 1', requestedAmount: 200n } as const
    const projectId = 'tz4a98xxat96iws9zmbrgj3a'
    await backend.refunds!.refund({
      ...{ id: refundId, paymentId, chargeId, projectId, amount: 200n, currency: 'EUR' },
      ...{ upstreamRef: null, isOwn: true },
      origin: { ...requested, installationId: 'installation-1', reason: 'Greška', createdAt },
    })
    const payment = (await readAll(lists.payments, since)).find(({ id }) => id === paymentId)
    const { installationId, ...rebuilt } = payment!.origin!
    // Stripe's adapter does not store `origin.installationId`. It stores the installation id from its options.
    assert.ok(installationId === 'installation-1' || name === 'stripe')
    const expected = { projectId, mode: 'live', attemptId, checkoutId, customId, data, scale: 2, createdAt }
    assert.deepEqual(rebuilt, expected)
    const refund = (await readAll(lists.refunds, since)).find(({ id }) => id === refundId)
    const { installationId: _, ...rebuiltRefund } = refund!.origin!
    assert.deepEqual(rebuiltRefund, { ...requested, reason: 'Greška', createdAt })
  })
}

function testRefundList(name: string, startOnce: StartOnce): void {
  void test(`${name}: successful refunds are listed with our id, their payment or charge, amount and time`, async () => {
    const { backend, pay } = await startOnce()
    const lists = requireLists(backend)
    const since = currentSecond()
    const charge = await pay(9000n)
    const newRefund = (amount: bigint) => ({
      id: newUuidV7(systemClock),
      ...charge,
      projectId: 'tz4a98xxat96iws9zmbrgj3a',
      amount,
      currency: 'EUR',
      upstreamRef: null,
      isOwn: true,
    })
    const requestedRefunds = [newRefund(100n), newRefund(250n), newRefund(8000n)]
    for (const one of requestedRefunds) await backend.refunds!.refund(one)
    // This refund is larger than the rest of the payment. Some upstreams list it as failed, others do not list it.
    const refused = newRefund(5000n)
    await backend.refunds!.refund(refused)
    const found = await readAll(lists.refunds, since)
    assert.notEqual(found.find(({ id }) => id === refused.id)?.status, 'succeeded')
    for (const one of requestedRefunds) {
      const own = found.filter(({ id }) => id === one.id)
      assert.equal(own.length, 1)
      const { status, amount, currency, paymentId, chargeId, createdAt } = own[0]!
      assert.deepEqual([status, amount, currency], ['succeeded', one.amount, 'EUR'])
      assert.ok(paymentId === charge.paymentId || chargeId === charge.chargeId)
      assert.ok(createdAt && createdAt >= since && createdAt < inOneHour())
    }
    assert.deepEqual(await readAll(lists.refunds, inOneHour()), [])
  })
}

function testDisputes(name: string, startOnce: StartOnce): void {
  void test(`${name}: disputes are offered and listed with their payment, amount, deadline and current status`, async () => {
    const { backend, pay, dispute } = await startOnce()
    const { disputes } = requireLists(backend)
    assert.equal(await disputes.isOffered(), true)
    const since = currentSecond()
    const charge = await pay(4007n)
    await dispute(charge.paymentId, 'open')
    const find = async () => {
      const all = await readAll(disputes.list, since)
      return all.filter(
        ({ paymentId, chargeId }) =>
          paymentId === charge.paymentId || (chargeId !== null && chargeId === charge.chargeId),
      )
    }
    const [opened, ...others] = await find()
    assert.deepEqual(others, [])
    assert.ok(opened)
    assert.deepEqual([opened.status, opened.amount, opened.currency], ['open', 4007n, 'EUR'])
    assert.ok(opened.upstreamRef !== '' && opened.respondBy !== null && opened.createdAt !== null)
    await dispute(charge.paymentId, 'lost')
    const [lost] = await find()
    // The disputes of the sandbox stay open.
    assert.equal(lost?.status, name === 'sandbox' ? 'open' : 'lost')
    assert.equal(lost?.upstreamRef, opened.upstreamRef)
    assert.deepEqual(await readAll(disputes.list, inOneHour()), [])
  })
}

export function testLists(name: string, start: StartOnce): void {
  let started: Promise<ListsUnderTest> | null = null
  const startOnce: StartOnce = () => (started ??= start())
  testPayments(name, startOnce)
  testOrigins(name, startOnce)
  testRefundList(name, startOnce)
  testDisputes(name, startOnce)
}
