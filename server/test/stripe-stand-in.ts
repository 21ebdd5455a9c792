// A stand-in for Stripe's API on a loopback port, with checkout sessions, refunds and disputes. Stripe's real SDK calls it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StripeBackendOptions } from '../src/backends/stripe.ts'
import type { StandInDisputes } from './stripe-disputes-stand-in.ts'
import { createStandInDisputes } from './stripe-disputes-stand-in.ts'
import { STRIPE_WEBHOOK_SECRET } from './stripe-events.ts'
import type { StandInRefunds } from './stripe-refunds-stand-in.ts'
import { createStandInRefunds, toPage } from './stripe-refunds-stand-in.ts'
import type { ReceivedRequest, StandInResponse, StandInSessions } from './stripe-sessions-stand-in.ts'
import { createStandInSessions, refuse } from './stripe-sessions-stand-in.ts'

export const STRIPE_KEY = 'sk_test_standInForStripe0123456789'

export interface StripeStandIn extends Omit<StandInSessions, 'respond'>, StandInDisputes {
  url: string
  /** Settings for the service: the upstream, its URL and its keys. */
  env: Record<string, string>
  /** The same settings, for a backend that is created without a service. */
  options: Omit<StripeBackendOptions, 'db' | 'clock'>
  receivedRequests: ReceivedRequest[]
  refunds: StandInRefunds
  close(): Promise<void>
}

/**
 * Each stand-in is a separate account. `account` is the id of the account and by default contains the port. Null: the key
 * cannot read the account.
 */
export async function startStripeStandIn(fields: { account?: string | null } = {}): Promise<StripeStandIn> {
  const receivedRequests: ReceivedRequest[] = []
  const sessions = createStandInSessions(
    (id) => `http://localhost:${port}/c/pay/${id}#fidkdWxOYHwnPyd1blpxYHZxWjA0`,
  )
  const disputes = createStandInDisputes((transactionId) => sessions.require(transactionId))
  const refunds = createStandInRefunds((paymentIntent) => {
    const paid = sessions.sessions.find(
      (one) => one.payment_intent?.id === paymentIntent && one.payment_status === 'paid',
    )
    return paid ? { amount: paid.amount_total, currency: paid.currency } : null
  })

  function respond(request: ReceivedRequest): StandInResponse | null {
    const { method, path, headers, form } = request
    if (!headers.authorization?.startsWith(`Bearer ${STRIPE_KEY}`))
      return refuse(401, { message: 'Invalid API Key' })
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    if (pathname === '/v1/account') return account ? { status: 200, body: account } : refuse(403, {})
    if (pathname === '/v1/disputes') return toPage(disputes.disputes, searchParams)
    if (pathname === '/v1/refunds')
      return refunds.respond({ method, key: String(headers['idempotency-key']), form, query: searchParams })
    return sessions.respond(request)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
    }
    // Accounts and disputes are polled in the background at any time, so these requests are not recorded.
    if (!/^\/v1\/(?:account|disputes)/.test(one.path)) receivedRequests.push(one)
    const reply = respond(one)
    if (!reply) return
    response.writeHead(reply.status, { 'content-type': 'application/json', 'request-id': 'req_standin' })
    response.end(JSON.stringify(reply.body))
  }

  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const account = fields.account === null ? null : { object: 'account', id: fields.account ?? `acct_${port}` }
  return {
    url,
    env: {
      BACKEND: 'stripe',
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRET,
      STRIPE_API_BASE: url,
    },
    options: {
      secretKey: STRIPE_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      webhookSecretPrevious: null,
      installationId: '00000000-0000-4000-8000-000000000000',
      livemode: false,
      apiBase: url,
      itemName: 'Pazar',
      actionTimeoutMin: 30,
      accounts: [`acct_${port} test`, null],
    },
    receivedRequests,
    refunds,
    ...disputes,
    ...sessions,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
