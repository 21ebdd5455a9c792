// What an http upstream receives when a refund is requested.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer, startRawServer } from '../../test/raw-server.ts'
import { UPSTREAM_SECRET } from '../../test/upstream-process.ts'
import { systemClock } from '../lib/clock.ts'
import type { NewRefund } from './backend.ts'
import { createHttpBackend } from './http.ts'

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const REFUND: NewRefund = {
  id: ID,
  paymentId: '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e914',
  projectId: 'tz4a98xxat96iws9zmbrgj3a',
  amount: 500n,
  currency: 'EUR',
  chargeId: 'ch_second',
  upstreamRef: null,
  isOwn: true,
}

test('the request names the charge only if it is not the payment’s own', async (t) => {
  const { id, paymentId, projectId, currency } = REFUND
  const refunded = JSON.stringify({ id, paymentId, amount: '500', currency, status: 'succeeded' })
  const server = await startRawServer(t, answer('200 OK', refunded, 'content-type: application/json'))
  const url = `http://127.0.0.1:${server.port}`
  const { refunds } = createHttpBackend({
    url,
    secret: UPSTREAM_SECRET,
    clock: systemClock,
    callTimeoutMs: 5_000,
  })
  for (const isOtherCharge of [true, false])
    assert.equal((await refunds!.refund({ ...REFUND, isOtherCharge })).status, 'succeeded')
  await refunds!.refund(REFUND)
  const metadata = { pazar_refund: id, pazar_transaction: paymentId, pazar_project: projectId }
  const own = { id, amount: '500', currency, metadata }
  assert.deepEqual(
    server.requests.map((text) => JSON.parse(text.split('\r\n\r\n')[1]!) as unknown),
    [{ ...own, chargeId: 'ch_second' }, own, own],
  )
})
