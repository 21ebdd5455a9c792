// Stripe does not respond or responds with errors. Payers pay, leave or are declined. Webhooks arrive twice, out of order or
// never.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createStripeBackend } from '../../src/backends/stripe.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { confirmPayment } from '../../src/payments/confirm.ts'
import { createRefundAndDisputeReceivers } from '../../src/refunds/receive.ts'
import { registerUpstreamRoutes } from '../../src/payments/webhook/routes.ts'
import type { Deps } from '../../src/wire.ts'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { findDifferences } from '../ledger-check.ts'
import { newOrder, requirePayment, resolveOpenPayments, startPayments } from '../payments.ts'
import { signEvent, toEventObject } from '../stripe-events.ts'
import { startStripeStandIn } from '../stripe-stand-in.ts'

const standIn = await startStripeStandIn()
after(() => standIn.close())
const { deps, projectId, replica } = await startPayments(standIn.env)
const replicas = [deps, await replica()].map(withShortCalls)
const { app } = await createHttpServer(deps.config, deps.log, deps.metrics)
await registerUpstreamRoutes(app, replicas[0]!, createRefundAndDisputeReceivers(replicas[0]!))
after(() => app.close())

function withShortCalls(replicaDeps: Deps): Deps {
  const { db, clock } = replicaDeps
  const live = createStripeBackend({ ...standIn.options, db, clock, callTimeoutMs: 1_000 })
  return { ...replicaDeps, backends: { ...replicaDeps.backends, live } }
}

const FAULTS = ['lost_before', 'lost_after', 'error_after'] as const
const ACTS = ['pay', 'card_declined', 'pay_later', 'leave'] as const
FAULTS.forEach((fault, n) => standIn.faults.set(6001 + n, fault))

/** Sends the event twice at the same moment. */
async function sendWebhook(object: object): Promise<void> {
  const { body, headers } = signEvent('checkout.session.completed', object)
  const request = { method: 'POST', url: '/upstream/stripe/webhook', headers, payload: body } as const
  const responses = await Promise.all([app.inject(request), app.inject(request)])
  for (const { statusCode } of responses) assert.equal(statusCode, 200)
}

/** Acts as a payer on Stripe's page. In some rounds the webhooks are sent too. */
async function act(id: string, action: (typeof ACTS)[number], round: number): Promise<void> {
  // There is no page if there is no session, for example because the request was lost.
  const hasPage = standIn.sessions.some(({ client_reference_id: reference }) => reference === id)
  if (action === 'leave' || !hasPage) return
  standIn.act(id, action)
  const first = toEventObject(standIn.require(id))
  if (action === 'pay_later') standIn.arrive(id, round % 5 === 0 ? 'insufficient_funds' : 'pay')
  const eventObjects = [first, toEventObject(standIn.require(id))]
  if (round % 3 === 0) eventObjects.reverse()
  for (const one of round % 2 === 0 ? eventObjects : []) await sendWebhook(one)
}

async function runOne(round: number): Promise<string> {
  const replica = replicas[round % 2]!
  const amount = round % 2 === 0 ? 1500n : BigInt(6001 + (Math.floor(round / 2) % FAULTS.length))
  const confirmed = await confirmPayment(replica, newOrder(projectId, { amount, customId: `round-${round}` }))
  assert.equal(confirmed.kind, 'payment')
  const { id } = confirmed.payment
  // Both replicas look up the payment at the same moment. On a busy machine a lookup may time out.
  await Promise.allSettled([
    replica.backends.live.find(id),
    replicas[(round + 1) % 2]!.backends.live.find(id),
  ])
  await act(id, ACTS[Math.floor(round / 8) % ACTS.length]!, round)
  return id
}

test('even if responses and webhooks are lost, charged payments succeed and all others fail or expire', async (t) => {
  const rounds = countRounds('unknownOutcomes', t)
  const ids: string[] = []
  for (let round = 0; round < rounds; round += 25) {
    const size = Math.min(25, rounds - round)
    ids.push(...(await Promise.all(Array.from({ length: size }, (_, n) => runOne(round + n)))))
  }
  await resolveOpenPayments(replicas[0]!)
  // Payments that still wait for their payers become overdue.
  await rows(
    deps.db,
    "update transactions set action_at = now() - interval '1 hour' where state = 'requires_action'",
  )
  await resolveOpenPayments(replicas[1]!)
  const states = new Set<string>()
  for (const id of ids) {
    const { state, needsReview } = await requirePayment(deps.db, id)
    states.add(state)
    assert.equal(state === 'succeeded', standIn.countCharges(id) === 1, `${id} is ${state}`)
    assert.equal(needsReview, false, id)
  }
  assert.deepEqual([...states].sort(), ['expired', 'failed', 'succeeded'])
  assert.deepEqual(
    standIn.sessions.filter(({ status }) => status === 'open'),
    [],
  )
  assert.deepEqual(await findDifferences(deps.db, standIn.movements()), [])
})
