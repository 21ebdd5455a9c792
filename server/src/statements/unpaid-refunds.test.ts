// If a payment does not count as paid, the statement does not include its refunds and disputes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBooks, toMonth } from '../../test/books.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder, requirePayment } from '../../test/payments.ts'
import { reportCharge } from '../../test/reviewed-payments.ts'
import { receiveDispute } from '../disputes/receive.ts'
import { systemClock, toDate } from '../lib/clock.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'
import { receiveListedRefund } from '../refunds/receive.ts'

const { app, deps } = await startTestService()
const { db } = deps
const owner = await signUp(app)
const { id: projectId } = await owner.addProject({ timeZone: 'UTC' })
const books = openBooks(owner, projectId, toMonth(toDate(systemClock.nowMs())))

async function pay(amount: bigint): Promise<string> {
  const outcome = await confirmPayment(deps, newOrder(projectId, { amount }))
  return outcome.kind === 'payment' ? outcome.payment.id : ''
}

/** Makes a payment that fails, because the sandbox declines 4000. Afterwards the upstream reports a charge of this payment. */
async function makeLateCharge(): Promise<string> {
  const id = await pay(4000n)
  await reportCharge(deps, id)
  return id
}

const toReport = (id: string, amount: bigint, upstreamRef: string) => ({
  paymentId: id,
  chargeId: null,
  amount,
  currency: 'EUR',
  upstreamRef,
})

async function returnAtUpstream(id: string, amount: bigint): Promise<void> {
  const rest = { id: null, status: 'succeeded', pendingReason: null, failureCode: null } as const
  await receiveListedRefund(deps, deps.backends.live, { ...toReport(id, amount, `re_of_${id}`), ...rest })
}

async function dispute(id: string, amount: bigint, status: 'open' | 'lost'): Promise<void> {
  const rest = { status, reason: null, respondBy: null }
  await receiveDispute(deps, deps.backends.live, { ...toReport(id, amount, `dp_of_${id}`), ...rest })
}

const resolve = (id: string, as: 'paid' | 'unpaid') =>
  resolvePayment(deps, id, { as, reason: 'looked up at the bank', by: 'ana' })

async function listEntries(id: string): Promise<[string, string][]> {
  const { totals } = await books.readStatement()
  const lines = await books.readCsv()
  const net = lines.reduce((sum, { amount }) => sum + BigInt(amount!), 0n)
  assert.equal(net.toString(), totals.net)
  return lines.filter(({ transactionId }) => transactionId === id).map(({ type, amount }) => [type!, amount!])
}

test('a late charge that is refunded at the upstream and resolved as unpaid is not in the statement', async () => {
  const id = await makeLateCharge()
  await returnAtUpstream(id, 4000n)
  assert.deepEqual(await listEntries(id), [])
  assert.equal((await resolve(id, 'unpaid')).kind, 'resolved')
  assert.deepEqual(await listEntries(id), [])
})

test('a late charge that is disputed and resolved as unpaid is not in the statement', async () => {
  const id = await makeLateCharge()
  await dispute(id, 4000n, 'open')
  await resolve(id, 'unpaid')
  await dispute(id, 4000n, 'lost')
  assert.deepEqual(await listEntries(id), [])
})

test('if a late charge is resolved as paid, its earlier refunds and disputes are in the statement', async () => {
  const id = await makeLateCharge()
  await returnAtUpstream(id, 500n)
  await dispute(id, 700n, 'open')
  assert.deepEqual(await listEntries(id), [])
  await resolve(id, 'paid')
  const entries: [string, string][] = [
    ['payment', '4000'],
    ['refund', '-500'],
    ['dispute', '-700'],
  ]
  assert.deepEqual(await listEntries(id), entries)
  await dispute(id, 700n, 'lost')
  assert.deepEqual(await listEntries(id), entries)
})

test('a refunded payment is reversed when it is resolved as unpaid, and posted again when it is then resolved as paid', async () => {
  const id = await pay(1500n)
  await reportCharge(deps, id, 'ch_first')
  await reportCharge(deps, id, 'ch_second')
  await returnAtUpstream(id, 1500n)
  const before: [string, string][] = [
    ['payment', '1500'],
    ['refund', '-1500'],
  ]
  assert.deepEqual(await listEntries(id), before)
  await resolve(id, 'unpaid')
  const reversed: [string, string][] = [
    ['payment_reversed', '-1500'],
    ['refund_returned', '1500'],
  ]
  assert.deepEqual(await listEntries(id), [...before, ...reversed])
  await resolve(id, 'paid')
  assert.deepEqual(await listEntries(id), [...before, ...reversed, ...before])
  assert.equal((await requirePayment(db, id)).resolution, 'paid')
})
