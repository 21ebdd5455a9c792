import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { STRIPE_KEY } from '../../test/stripe-stand-in.ts'
import { openDb } from '../db/pool.ts'
import { systemClock } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { UnknownOutcomeError } from './backend.ts'
import { createStripeBackend } from './stripe.ts'

const database = await createTestDatabase()
const db = openDb(database.url, { onError: () => undefined })
after(async () => {
  await db.close()
  await database.drop()
})

const toSession = (id: string, status: 'open' | 'expired') => ({
  ...{
    object: 'checkout.session',
    id: `cs_test_${id.slice(-12)}`,
    livemode: false,
    status,
    payment_status: 'unpaid',
  },
  ...{ amount_total: 1500, currency: 'eur', expires_at: Math.floor(systemClock.nowMs() / 1000) + 3_600 },
  ...{ url: status === 'open' ? 'https://checkout.stripe.com/c/pay/cs_test_1' : null, payment_intent: null },
  metadata: { pazar_transaction: id, pazar_project: 'shop', pazar_installation: 'ours' },
})

async function openAt(t: TestContext, closing: { status: string; stateAfter: 'open' | 'expired' }) {
  const id = newUuidV7(systemClock)
  let isClosed = false
  const server = await startRawServer(t, (socket, request) => {
    const isExpire = request.includes('/expire')
    const session = toSession(id, isClosed ? closing.stateAfter : 'open')
    if (isExpire) isClosed = true
    const refused = { error: { type: 'invalid_request_error', message: 'no' } }
    const body = JSON.stringify(isExpire ? refused : session)
    plainResponse(
      isExpire ? closing.status : '200 OK',
      body,
      'content-type: application/json',
    )(socket, request)
  })
  const backend = createStripeBackend({
    ...{ secretKey: STRIPE_KEY, livemode: false, apiBase: `http://127.0.0.1:${server.port}` },
    ...{ itemName: 'Pazar', installationId: 'ours', webhookSecret: 'whsec_x', webhookSecretPrevious: null },
    ...{ actionTimeoutMin: 30, db, clock: systemClock, accounts: ['acct_1 test'], callTimeoutMs: 5_000 },
  })
  const order = { amount: 1500n, currency: 'EUR', scale: 2, projectId: 'shop', mode: 'live' as const }
  const opened = await backend.create({ id, ...order, customId: null, data: null, returnUrl: 'http://x/' })
  assert.equal(opened.status, 'requires_action')
  return { id, backend }
}

test('if Stripe refuses to close a session that is still open, the outcome is unknown', async (t) => {
  const { id, backend } = await openAt(t, { status: '400 Bad Request', stateAfter: 'open' })
  await assert.rejects(backend.cancel(id), UnknownOutcomeError)
})

test('if Stripe refuses to close a session because the session has expired, the payment is cancelled', async (t) => {
  const { id, backend } = await openAt(t, { status: '400 Bad Request', stateAfter: 'expired' })
  assert.equal((await backend.cancel(id)).status, 'cancelled')
})

test('if Stripe responds 500 to the request to close a session, the outcome is unknown, even if the session has expired', async (t) => {
  const { id, backend } = await openAt(t, { status: '500 Internal Server Error', stateAfter: 'expired' })
  await assert.rejects(backend.cancel(id), UnknownOutcomeError)
})
