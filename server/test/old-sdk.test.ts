// Merchants may still use the SDK, the sample shop or the sample code of a release without refunds. That code must not
// treat a refund or a dispute as a payment.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import path from 'node:path'
import type * as Sdk from '@pazar/sdk'
import { signJwt, signTestCallback, signWebhook } from '@pazar/sdk'
import { rows } from './accounts.ts'
import { signUp } from './client.ts'
import { startTestService } from './harness.ts'
import type { OldRelease } from './old-release.ts'
import { explainMissingCommit, unpackRelease } from './old-release.ts'
import { payFor, requireRefund } from './refunds.ts'

/** The last release without refunds. */
const COMMIT = '89207d1'
const whyMissing = await explainMissingCommit(COMMIT)
const skip = whyMissing ?? false
const release: OldRelease | null = whyMissing === null ? await unpackRelease(COMMIT) : null
after(() => release?.remove())

const toOldFile = (file: string) => path.join(release?.root ?? '', file)
const loadOld = async <Module>(file: string) => (await import(pathToFileURL(toOldFile(file)).href)) as Module

const SECRET = `sk_live_${'0123456789abcdef'.repeat(4)}`
const ID = 'msg_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f'
const COMMON = {
  projectId: 'tz4a98xxat96iws9zmbrgj3a',
  transactionId: '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f',
  amount: '1500',
  currency: 'EUR',
  customId: 'order-7',
  data: 'Kafa',
  mode: 'live',
  createdAt: '2026-11-16T10:00:00.000Z',
}
const toRefund = (refundStatus: string) => ({
  event: 'refund.result',
  refundStatus,
  refundId: 're_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f',
  refundedTotal: '1500',
  ...COMMON,
})
const toDispute = (event: string, disputeStatus: string) => ({
  event,
  disputeStatus,
  disputeId: 'dp_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f',
  ...COMMON,
})
const EVENTS = [
  toRefund('succeeded'),
  toRefund('failed'),
  toRefund('returned'),
  toDispute('dispute.opened', 'open'),
  toDispute('dispute.opened', 'inquiry'),
  toDispute('dispute.closed', 'won'),
  toDispute('dispute.closed', 'lost'),
]

/** The signature is correct, so only the kind of event can cause a refusal. */
function sign(facts: Record<string, string>, nowSec: number) {
  const body = JSON.stringify({ ...facts, hash: signJwt({ ...facts, iat: nowSec, jti: ID }, SECRET) })
  return { body, headers: { ...signWebhook({ id: ID, timestampSec: nowSec, body, secret: SECRET }) } }
}

test('the old SDK accepts payments and refuses every refund and dispute', { skip }, async () => {
  const oldSdk = await loadOld<typeof Sdk>('sdk/src/index.ts')
  const nowSec = 1_790_000_000
  const options = { secret: SECRET, expectedAmount: '1500', nowSec }
  const payment = signTestCallback({ secret: SECRET, nowSec, customId: 'order-7' })
  assert.equal((await oldSdk.verifyCallback(payment.body, payment.headers, options)).status, 'success')
  for (const facts of EVENTS) {
    const { body, headers } = sign(facts, nowSec)
    const result = await oldSdk.safeVerifyCallback(body, headers, options)
    assert.equal(result.ok, false, facts.event)
  }
})

test('the refunds and disputes of these tests have no field `status` or `successful`', () => {
  for (const facts of EVENTS) {
    const body = JSON.parse(sign(facts, 1_790_000_000).body) as Record<string, unknown>
    assert.equal('status' in body || 'successful' in body, false, facts.event)
  }
})

interface OldShop {
  createOrders: (nowMs: () => number) => { add(good: { amount: string }, data: string): { id: string } }
  receiveCallback: (
    deps: object,
    body: Buffer,
    headers: object,
  ) => Promise<{ status: number; paid?: boolean }>
}

test(
  'the old sample shop refuses refunds and disputes, and marks an order as paid only after a payment',
  { skip },
  async () => {
    const nowMs = () => 1_790_000_000_000
    const { createOrders } = await loadOld<OldShop>('examples/shop/src/orders.ts')
    const { receiveCallback } = await loadOld<OldShop>('examples/shop/src/callback.ts')
    const orders = createOrders(nowMs)
    const order = orders.add({ amount: '1500' }, 'Kafa')
    const deps = { orders, projectId: COMMON.projectId, mode: 'live', secret: SECRET, nowMs }
    const receive = (body: string, headers: object) => receiveCallback(deps, Buffer.from(body), headers)
    for (const facts of EVENTS) {
      const { body, headers } = sign({ ...facts, customId: order.id }, nowMs() / 1000)
      assert.equal((await receive(body, headers)).status, 400, facts.event)
    }
    assert.match(JSON.stringify(order), /"outcome":null/)
    const nowSec = nowMs() / 1000
    const payment = signTestCallback({
      secret: SECRET,
      projectId: COMMON.projectId,
      nowSec,
      customId: order.id,
    })
    assert.deepEqual(await receive(payment.body, payment.headers), {
      status: 200,
      text: 'The order is paid.',
      paid: true,
    })
  },
)

test('the old TypeScript sample refuses a refund and a dispute', { skip }, async () => {
  const nowSec = 1_790_000_000
  for (const facts of [toRefund('succeeded'), toDispute('dispute.opened', 'open')]) {
    const input = {
      ...sign(facts, nowSec),
      secret: SECRET,
      expectedAmount: '1500',
      now: nowSec,
      orderState: 'open',
    }
    const child = spawn(process.execPath, [toOldFile('examples/verify/typescript/verify.ts')])
    child.stdin.end(JSON.stringify(input))
    assert.equal(await text(child.stdout), 'refused malformed\n', facts.event)
  }
})

test('a project that has not chosen its events gets only payment.result callbacks, even if the payment is refunded', async () => {
  const { app, deps } = await startTestService()
  const owner = await signUp(app)
  const { id: projectId, events } = await owner.addProject()
  assert.deepEqual(events, ['payment.result'])
  const payment = await payFor(deps, projectId)
  await owner.stepUp()
  await requireRefund(owner, payment)
  const listEvents = 'select distinct event from callback_states where project_id = $1'
  assert.deepEqual(await rows(deps.db, listEvents, [projectId]), [{ event: 'payment.result' }])
})
