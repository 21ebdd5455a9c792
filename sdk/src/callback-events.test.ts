// Callbacks about refunds and disputes are refused unless `events` names them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import { NOW_SEC, PROJECT_ID, TEST_SECRET } from '../test/forge.ts'
import { signTestCallback } from './callback-sample.ts'
import { safeVerifyCallback, verifyCallback } from './callback-verify.ts'
import type { VerifyCallbackOptions } from './callback-verify.ts'
import { signJwt } from './jwt.ts'
import { callbackHandler as expressHandler } from './express.ts'
import { callbackPlugin } from './fastify.ts'
import { callbackHandler as honoHandler } from './hono.ts'
import { callbackHandler as nextHandler } from './next.ts'
import { receive } from './receive.ts'
import type { JsonObject } from './strict-json.ts'
import { signWebhook } from './webhook.ts'

const ID = 'msg_0190a1b2'
const COMMON = {
  projectId: PROJECT_ID,
  transactionId: '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f',
  amount: '500',
  currency: 'EUR',
  customId: 'order-7',
  mode: 'test',
  createdAt: '2026-11-16T10:00:00.000Z',
}
const REFUND = {
  event: 'refund.result',
  refundStatus: 'succeeded',
  refundId: 're_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f',
  refundedTotal: '500',
  ...COMMON,
}
const DISPUTE = {
  event: 'dispute.opened',
  disputeStatus: 'open',
  disputeId: 'dp_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f',
  respondBy: '2026-11-30T10:00:00.000Z',
  ...COMMON,
}

function sign(facts: JsonObject): { body: string; headers: Record<string, string> } {
  const hash = signJwt({ ...facts, iat: NOW_SEC, jti: ID }, TEST_SECRET)
  const body = JSON.stringify({ ...facts, hash })
  return { body, headers: { ...signWebhook({ id: ID, timestampSec: NOW_SEC, body, secret: TEST_SECRET }) } }
}

const ALL_EVENTS = { events: ['refund.result', 'dispute.opened', 'dispute.closed'] } as const

const merchantOptions: VerifyCallbackOptions = {
  secret: TEST_SECRET,
  projectId: PROJECT_ID,
  expectedAmount: () => assert.fail('only the amount of a payment is compared'),
  nowSec: NOW_SEC,
}

/** The callback's event, or the reason of the refusal. */
async function outcome(facts: JsonObject, change: Partial<VerifyCallbackOptions> = {}): Promise<string> {
  const { body, headers } = sign(facts)
  const result = await safeVerifyCallback(body, headers, { ...merchantOptions, ...change })
  return result.ok ? result.callback.event : result.reason
}

test('a refund or dispute event that is not in `events` is refused as unexpected_event', async () => {
  for (const facts of [REFUND, DISPUTE, { ...DISPUTE, event: 'dispute.closed', disputeStatus: 'won' }])
    assert.equal(await outcome(facts), 'unexpected_event')
  assert.equal(await outcome(DISPUTE, { events: ['refund.result'] }), 'unexpected_event')
})

test('a callback is returned if its event is in `events`, or if it is about a payment', async () => {
  const { body, headers } = sign(REFUND)
  const callback = await verifyCallback(body, headers, { ...merchantOptions, events: ['refund.result'] })
  assert.ok(callback.event === 'refund.result')
  assert.deepEqual([callback.refundStatus, callback.refundedTotal], ['succeeded', '500'])
  assert.equal(
    await outcome({ ...REFUND, refundStatus: 'returned', refundedTotal: '0' }, ALL_EVENTS),
    'refund.result',
  )
  assert.equal(await outcome(DISPUTE, ALL_EVENTS), 'dispute.opened')
  const payment = signTestCallback({ secret: TEST_SECRET, nowSec: NOW_SEC, projectId: PROJECT_ID })
  const options = { ...merchantOptions, ...ALL_EVENTS, expectedAmount: '1500' }
  assert.equal((await verifyCallback(payment.body, payment.headers, options)).event, 'payment.result')
})

test('a refund or dispute with a field of a payment, or with an invalid field, is malformed', async () => {
  const malformed: JsonObject[] = [
    { ...REFUND, status: 'success' },
    { ...REFUND, successful: true },
    { ...DISPUTE, status: 'fail' },
    { ...REFUND, refundStatus: 'processing' },
    { ...REFUND, refundId: '' },
    { ...REFUND, refundedTotal: '-5' },
    { ...REFUND, amount: '0' },
    { ...DISPUTE, disputeStatus: 'maybe' },
    { ...DISPUTE, disputeId: 7 },
    { ...DISPUTE, respondBy: '' },
    { ...REFUND, event: 'refund.created' },
  ]
  for (const facts of malformed)
    assert.equal(await outcome(facts, ALL_EVENTS), 'malformed', JSON.stringify(facts))
})

test('project, mode and hash of a refund are checked as for a payment', async () => {
  assert.equal(await outcome(REFUND, { ...ALL_EVENTS, projectId: 'other' }), 'wrong_project')
  assert.equal(await outcome({ ...REFUND, mode: 'live' }, ALL_EVENTS), 'wrong_mode')
  const { body } = sign(REFUND)
  const forged = body.replace('"500"', '"900"')
  const headers = { ...signWebhook({ id: ID, timestampSec: NOW_SEC, body: forged, secret: TEST_SECRET }) }
  const result = await safeVerifyCallback(forged, headers, { ...merchantOptions, ...ALL_EVENTS })
  assert.equal(result.ok ? 'ok' : result.reason, 'bad_signature')
})

test('a handler gets a refund only in onEvent, and only if `events` names the refund event', async () => {
  const seen: string[] = []
  const { body, headers } = sign(REFUND)
  const handler = {
    ...merchantOptions,
    onCallback: () => assert.fail('a refund is not a payment'),
    onEvent: (event: { event: string }, context: { webhookId: string }) =>
      void seen.push(event.event, context.webhookId),
  }
  assert.equal((await receive(body, headers, { ...handler, ...ALL_EVENTS })).status, 200)
  assert.deepEqual(seen, ['refund.result', headers['webhook-id']])
  const refused = await receive(body, headers, handler)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /^unexpected_event/)
})

test('an adapter throws at the start if `events` has a refund event but onEvent is missing', async () => {
  const payments = { ...merchantOptions, onCallback: () => undefined }
  const refused = { name: 'TypeError', message: /refund\.result.*onEvent/ }
  const events = ['payment.result', 'refund.result'] as const
  for (const handler of [expressHandler, honoHandler, nextHandler]) {
    assert.throws(() => handler({ ...payments, events }), refused)
    handler({ ...payments, events, onEvent: () => undefined })
    for (const one of [undefined, [], ['payment.result'] as const]) handler({ ...payments, events: one })
  }
  const app = Fastify()
  const plugin = { url: '/callback', ...payments, events }
  await assert.rejects(async () => app.register(callbackPlugin, plugin), refused)
  await app.close()
  const { body, headers } = sign(REFUND)
  await assert.rejects(receive(body, headers, { ...payments, events }), TypeError)
})

test('the response 200 waits until onEvent has ended', async () => {
  const steps: string[] = []
  const { body, headers } = sign(REFUND)
  const onEvent = async () => {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    steps.push('stored')
  }
  const { status } = await receive(body, headers, {
    ...merchantOptions,
    ...ALL_EVENTS,
    onCallback: () => undefined,
    onEvent,
  })
  steps.push(`responded ${status}`)
  assert.deepEqual(steps, ['stored', 'responded 200'])
})

test('an onEvent that rejects makes Fastify respond with 500', async () => {
  const { body, headers } = sign(DISPUTE)
  const onEvent = () => Promise.reject(new Error('the stock is locked'))
  const options = { ...merchantOptions, ...ALL_EVENTS, onCallback: () => undefined, onEvent }
  await assert.rejects(receive(body, headers, options), /the stock is locked/)
  const app = Fastify()
  await app.register(callbackPlugin, { url: '/callback', ...options })
  const request = { method: 'POST', url: '/callback', payload: body, headers } as const
  assert.equal((await app.inject(request)).statusCode, 500)
  await app.close()
})
