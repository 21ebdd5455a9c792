import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signWebhook } from '@pazar/sdk'
import { countIncidents, newOrder, requirePayment, startPayments } from '../../../test/payments.ts'
import { toCharge } from '../../../test/resolving.ts'
import { createHttpServer } from '../../http/server.ts'
import { newUuidV7 } from '../../lib/id.ts'
import { createRefundAndDisputeReceivers } from '../../refunds/receive.ts'
import { openPayment } from '../payments-store.ts'
import { recordReport } from '../record-report.ts'
import { findPaymentOf } from './receive.ts'
import { registerUpstreamRoutes } from './routes.ts'

const SECRET = 'the-secret-that-both-sides-have-0123'
const { deps, projectId } = await startPayments({
  BACKEND: 'sandbox',
  BACKENDS_KEPT: 'http',
  BACKEND_URL: 'http://127.0.0.1:9',
  BACKEND_SECRET: SECRET,
})
const { db } = deps
const { app } = await createHttpServer(deps.config, deps.log, deps.metrics)
await registerUpstreamRoutes(app, deps, createRefundAndDisputeReceivers(deps))
after(() => app.close())

const account = deps.backends.previous[0]!.accounts[0]

async function report(upstreamAccount: string | null): Promise<{ id: string; status: number }> {
  const payment = await openPayment(db, newUuidV7(deps.clock), newOrder(projectId), 'http', upstreamAccount)
  const { id } = payment!
  const body = JSON.stringify({ id, status: 'succeeded', amount: '1500', currency: 'EUR' })
  const signed = signWebhook({
    id: 'evt_1',
    timestampSec: Math.floor(Date.now() / 1000),
    body,
    secret: SECRET,
  })
  const response = await app.inject({
    method: 'POST',
    url: '/upstream/http/webhook',
    headers: { 'content-type': 'application/json', ...signed },
    payload: body,
  })
  return { id, status: response.statusCode }
}

test('a webhook is accepted from an upstream that is configured only for earlier payments', async () => {
  const { id, status } = await report(account)
  assert.equal(status, 200)
  assert.equal((await requirePayment(db, id)).state, 'succeeded')
})

test('a webhook cannot end a payment of another account of the same upstream', async () => {
  const { id, status } = await report('another-account')
  assert.equal(status, 404)
  assert.equal((await requirePayment(db, id)).state, 'processing')
  assert.equal(await countIncidents(db, 'unknown_payment', id), 1)
})

test('a report with only a charge id is matched to a payment of the same account, but not to a payment of another account', async () => {
  const upstream = deps.backends.previous[0]!
  const find = async (upstreamAccount: string) => {
    const payment = (await openPayment(
      db,
      newUuidV7(deps.clock),
      newOrder(projectId),
      'http',
      upstreamAccount,
    ))!
    await recordReport(deps, payment, toCharge(payment, { chargeId: `ch_${upstreamAccount}` }))
    const found = await findPaymentOf(deps, upstream, { paymentId: null, chargeId: `ch_${upstreamAccount}` })
    return found?.id === payment.id
  }
  assert.equal(await find(account), true)
  assert.equal(await find('another-account'), false)
})
