// Starts the route of Stripe's webhooks for tests. Also returns functions that open payments and build paid sessions.
import { after } from 'node:test'
import { startPayments } from './payments.ts'
import { STRIPE_WEBHOOK_SECRET } from './stripe-events.ts'
import { STRIPE_KEY } from './stripe-stand-in.ts'
import type { SignedEvent } from './stripe-events.ts'
import { createOpener } from './webhook-suite.ts'
import { createHttpServer } from '../src/http/server.ts'
import type { Payment } from '../src/payments/payment.ts'
import { createRefundAndDisputeReceivers } from '../src/refunds/receive.ts'
import { registerUpstreamRoutes } from '../src/payments/webhook/routes.ts'

export async function startStripeWebhooks() {
  const COMPLETED = 'checkout.session.completed'

  const PREVIOUS = 'whsec_theSecretBeforeThisOne0123456789'

  const { deps, projectId, logs } = await startPayments({
    BACKEND: 'stripe',
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_WEBHOOK_SECRET_PREVIOUS: PREVIOUS,
    // No server listens there, so every call of Stripe's API fails.
    STRIPE_API_BASE: 'http://127.0.0.1:9',
  })
  const { db } = deps
  const { app } = await createHttpServer(deps.config, deps.log, deps.metrics)
  await registerUpstreamRoutes(app, deps, createRefundAndDisputeReceivers(deps))
  after(() => app.close())

  const open = createOpener(deps, projectId, 'stripe')

  function toPaidSession(payment: Pick<Payment, 'id'>, fields: Record<string, unknown> = {}): object {
    return {
      object: 'checkout.session',
      id: 'cs_test_1',
      livemode: false,
      status: 'complete',
      payment_status: 'paid',
      amount_total: 1500,
      currency: 'eur',
      expires_at: Math.floor(Date.now() / 1000) + 1800,
      url: null,
      metadata: { pazar_transaction: payment.id, pazar_project: projectId },
      payment_intent: 'pi_1',
      customer_details: { email: 'ana@example.com', address: { country: 'ME' } },
      ...fields,
    }
  }

  async function post({ body, headers }: SignedEvent) {
    const response = await app.inject({
      method: 'POST',
      url: '/upstream/stripe/webhook',
      headers,
      payload: body,
    })
    return { status: response.statusCode, code: response.json<{ code?: string }>().code }
  }

  const ACCEPTED = { status: 200, code: undefined }
  return { COMPLETED, PREVIOUS, deps, projectId, logs, db, app, open, toPaidSession, post, ACCEPTED }
}
