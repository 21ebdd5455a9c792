// If Stripe refuses a refund because of the refund itself, the refund has failed. After any other refusal, the outcome
// of the refund is unknown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { STRIPE_KEY } from '../../test/stripe-stand-in.ts'
import type { NewRefund, RefundReport } from './backend.ts'
import { createStripeRefunds } from './stripe-refunds.ts'

const REFUND: NewRefund = {
  ...{ id: '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e914', paymentId: '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913' },
  ...{ projectId: 'tz4a98xxat96iws9zmbrgj3a', amount: 500n, currency: 'EUR' },
  ...{ chargeId: 'pi_1', upstreamRef: null, isOwn: true },
}

async function refund(t: TestContext, status: string, code?: string): Promise<RefundReport> {
  const body = JSON.stringify({ error: { type: 'invalid_request_error', code } })
  const { port } = await startRawServer(t, plainResponse(status, body, 'content-type: application/json'))
  const options = { secretKey: STRIPE_KEY, livemode: false, itemName: 'Pazar', installationId: 'a' }
  const refunds = createStripeRefunds({ ...options, apiBase: `http://127.0.0.1:${port}` }, async () => null)
  return refunds.refund(REFUND)
}

for (const [caseName, status, code] of [
  ['the payment is in another account', '404 Not Found', 'resource_missing'],
  ['the key is wrong', '401 Unauthorized', 'api_key_expired'],
  ['the key may not refund', '403 Forbidden', 'permission_denied'],
  ['there are too many requests', '429 Too Many Requests', 'rate_limit'],
  ['no reason is named', '400 Bad Request', undefined],
] as const)
  test(`a refund that Stripe refuses has an unknown outcome if ${caseName}`, async (t) => {
    await assert.rejects(refund(t, status, code), { name: 'UnknownOutcomeError' })
  })

for (const code of ['charge_already_refunded', 'charge_disputed', 'insufficient_funds'])
  test(`a refund that Stripe refuses with ${code} has failed`, async (t) => {
    const report = await refund(t, '400 Bad Request', code)
    assert.deepEqual([report.status, report.failureCode], ['failed', code])
    assert.deepEqual([report.id, report.amount], [REFUND.id, REFUND.amount])
  })
