// The SDK of the last release: a shop that installed it before there were refunds never takes one for a payment.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import path from 'node:path'
import type * as Sdk from '@pazar/sdk'
import { signJwt, signTestCallback, signWebhook } from '@pazar/sdk'
import type { OldRelease } from './old-release.ts'
import { findWhyMissing, unpackRelease } from './old-release.ts'

/** The last release without refunds. */
const COMMIT = '89207d1'
const why = await findWhyMissing(COMMIT)
let release: OldRelease | null = null
after(() => release?.remove())

async function loadOldSdk(): Promise<typeof Sdk> {
  release ??= await unpackRelease(COMMIT)
  return (await import(pathToFileURL(path.join(release.root, 'sdk/src/index.ts')).href)) as typeof Sdk
}

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
const refund = (refundStatus: string) => ({
  event: 'refund.result',
  refundStatus,
  refundId: 're_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f',
  refundedTotal: '1500',
  ...COMMON,
})
const dispute = (event: string, disputeStatus: string) => ({
  event,
  disputeStatus,
  disputeId: 'dp_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f',
  ...COMMON,
})
const EVENTS = [
  refund('succeeded'),
  refund('failed'),
  refund('returned'),
  dispute('dispute.opened', 'open'),
  dispute('dispute.opened', 'inquiry'),
  dispute('dispute.closed', 'won'),
  dispute('dispute.closed', 'lost'),
]

/** Signed as the service signs it, with the right secret: only the kind of event can refuse it. */
function sign(facts: Record<string, string>, nowSec: number) {
  const body = JSON.stringify({ ...facts, hash: signJwt({ ...facts, iat: nowSec, jti: ID }, SECRET) })
  return { body, headers: { ...signWebhook({ id: ID, timestampSec: nowSec, body, secret: SECRET }) } }
}

test(
  'the SDK of the last release accepts payments and refuses every refund and dispute',
  { skip: why ?? false },
  async () => {
    const old = await loadOldSdk()
    const nowSec = 1_790_000_000
    const options = { secret: SECRET, expectedAmount: '1500', nowSec }
    const payment = signTestCallback({ secret: SECRET, nowSec, customId: 'order-7' })
    assert.equal((await old.verifyCallback(payment.body, payment.headers, options)).status, 'success')
    for (const facts of EVENTS) {
      const { body, headers } = sign(facts, nowSec)
      const result = await old.safeVerifyCallback(body, headers, options)
      assert.equal(result.ok, false, facts.event)
    }
  },
)

test('a handler of the last release that reads only status and successful ships nothing for a refund or dispute', () => {
  for (const facts of EVENTS) {
    const body = JSON.parse(sign(facts, 1_790_000_000).body) as Record<string, unknown>
    assert.equal('status' in body || 'successful' in body, false, facts.event)
  }
})
