// A merchant's callback code in steps. Each broken shop is the correct shop with some steps replaced.
import type { ExamScenarioName } from '@pazar/contract'
import { toExamRequests } from '@pazar/contract'
import { verifyWebhook } from '@pazar/sdk'
import type { MerchantReply, ReceivedCallback } from '../merchant.ts'

type Headers = ReceivedCallback['headers']
type Body = Record<string, unknown>

interface Order {
  paid: boolean
}

/** The status to respond with, or null to never respond. */
type Status = number | null

export interface ShopSteps {
  bodyBytesMax: number
  isTrusted: (raw: Buffer, headers: Headers, secret: string) => boolean
  isFresh: (headers: Headers) => boolean
  isOwnMode: (body: Body) => boolean
  knowsFields: (body: Body) => boolean
  /** Called for an order that the shop has not stored yet. */
  acceptsOrder: (customId: string, mode: unknown) => boolean
  isPrice: (amount: unknown) => boolean
  onRepeat: () => Status
  onFailure: () => Status
  onLateFailure: (order: Order) => Status
  readsEvent: boolean
  /** Called for an event other than payment.result. The order is undefined if the shop has not stored it. */
  onEvent: (event: unknown, order: Order | undefined) => Status
  refusal: number
}

function isSignedOver(raw: Buffer | string, headers: Headers, secret: string): boolean {
  return verifyWebhook(raw, headers, { secret, nowSec: 0, toleranceSec: Infinity }).ok
}

const CORRECT: ShopSteps = {
  bodyBytesMax: 64 * 1024,
  isTrusted: isSignedOver,
  isFresh: (headers) => Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) <= 300,
  isOwnMode: (body) => body['mode'] === 'test',
  knowsFields: () => true,
  acceptsOrder: (customId, mode) => mode === 'test' && customId.startsWith('exam-'),
  isPrice: (amount) => amount === '1500',
  onRepeat: () => 200,
  onFailure: () => 200,
  onLateFailure: () => 200,
  readsEvent: true,
  onEvent: () => 200,
  refusal: 400,
}

/** With `saysPaid` the responses say whether the order is paid. */
export function createShopCode(
  secret: string,
  changedSteps: Partial<ShopSteps> = {},
  saysPaid = true,
): MerchantReply {
  const steps = { ...CORRECT, ...changedSteps }
  const orders = new Map<string, Order>()
  const seen = new Set<unknown>()

  function handle({ raw, headers, body }: ReceivedCallback): Status {
    if (raw.length > steps.bodyBytesMax) return 413
    if (!steps.isTrusted(raw, headers, secret) || !steps.isFresh(headers)) return steps.refusal
    if (!steps.isOwnMode(body) || !steps.knowsFields(body)) return steps.refusal
    const customId = String(body['customId'])
    if (!orders.has(customId) && !steps.acceptsOrder(customId, body['mode'])) return 404
    if (steps.readsEvent && body['event'] !== 'payment.result')
      return steps.onEvent(body['event'], orders.get(customId))
    if (!steps.isPrice(body['amount'])) return steps.refusal
    const order = orders.get(customId) ?? { paid: false }
    orders.set(customId, order)
    if (seen.has(body['transactionId'])) return steps.onRepeat()
    seen.add(body['transactionId'])
    if (body['status'] === 'fail') return order.paid ? steps.onLateFailure(order) : steps.onFailure()
    order.paid = true
    return 200
  }
  return (response, callback) => {
    const status = handle(callback)
    const paid = orders.get(String(callback.body['customId']))?.paid ?? false
    if (status !== null) response.writeHead(status).end(saysPaid ? JSON.stringify({ paid }) : 'ok')
  }
}

const FIELDS = 'event status successful projectId transactionId amount currency customId data mode createdAt'
const KNOWN_FIELDS = new Set([...FIELDS.split(' '), 'failureCode', 'hash'])
/**
 * All requests of an exam about payments. A shop that fails all of these scenarios can still pass the scenario of the
 * response time, for which the exam sends no request.
 */
const ALL_REQUESTS = toExamRequests(['payment.result'])

export interface BrokenShop {
  mistake: string
  changedSteps: Partial<ShopSteps>
  fails: readonly ExamScenarioName[]
  /** A part of the English fix for the first scenario in `fails`. */
  fix: RegExp
}

export const BROKEN_SHOPS: readonly BrokenShop[] = [
  {
    mistake: 'trusts any signature',
    changedSteps: { isTrusted: (_raw, headers) => headers['webhook-signature'] !== undefined },
    fails: ['bad_signature'],
    fix: /Compare the signature you compute/,
  },
  {
    mistake: 'accepts a callback without a signature',
    changedSteps: {
      isTrusted: (raw, headers, secret) =>
        headers['webhook-signature'] === undefined || isSignedOver(raw, headers, secret),
    },
    fails: ['missing_signature'],
    fix: /missing signature as a wrong one/,
  },
  {
    mistake: 'verifies JSON that it has parsed and serialized again',
    changedSteps: {
      isTrusted: (raw, headers, secret) =>
        isSignedOver(JSON.stringify(JSON.parse(raw.toString()), null, 2), headers, secret),
    },
    fails: ALL_REQUESTS,
    fix: /over the raw body with this project’s test secret/,
  },
  {
    mistake: 'ignores the mode',
    changedSteps: { isOwnMode: () => true },
    fails: ['live_label'],
    fix: /Compare mode in the body/,
  },
  {
    mistake: 'ignores the amount',
    changedSteps: { isPrice: () => true },
    fails: ['changed_amount'],
    fix: /your own records/,
  },
  {
    mistake: 'ignores the time',
    changedSteps: { isFresh: () => true },
    fails: ['stale_timestamp'],
    fix: /more than 5 minutes off/,
  },
  {
    mistake: 'fails when a callback is repeated',
    changedSteps: { onRepeat: () => 500 },
    fails: ['repeated'],
    fix: /error log.* Then: Save the webhook-id/,
  },
  {
    mistake: 'accepts only the fields it knows',
    changedSteps: { knowsFields: (body) => Object.keys(body).every((name) => KNOWN_FIELDS.has(name)) },
    fails: ['unknown_field'],
    fix: /Ignore unknown fields/,
  },
  {
    mistake: 'accepts only short bodies',
    changedSteps: { bodyBytesMax: 4096 },
    fails: ['large_data'],
    fix: /bodies of up to 64 KB/,
  },
  {
    mistake: 'refuses callbacks about failures',
    changedSteps: { onFailure: () => 422, onLateFailure: () => 422 },
    fails: ['late_fail', 'failure'],
    fix: /If an order is already paid, respond with 200 to a failure of another checkout attempt/,
  },
  {
    mistake: 'refuses a failure of a paid order',
    changedSteps: { onLateFailure: () => 409 },
    fails: ['late_fail'],
    fix: /If an order is already paid, respond with 200 to a failure of another checkout attempt/,
  },
  {
    mistake: 'marks a paid order as unpaid after a late failure',
    changedSteps: {
      onLateFailure: (order) => {
        order.paid = false
        return 200
      },
    },
    fails: ['late_fail'],
    fix: /must not make it unpaid/,
  },
  {
    mistake: 'responds with 500 to a forged callback',
    changedSteps: { refusal: 500 },
    fails: ['bad_signature', 'missing_signature', 'live_label', 'changed_amount', 'stale_timestamp'],
    fix: /Refuse a forged callback with 400 instead of failing.*error log/,
  },
  {
    mistake: 'does not know the exam’s orders',
    changedSteps: { acceptsOrder: () => false },
    fails: ALL_REQUESTS,
    fix: /customId starts with exam-/,
  },
]

/** Projects of these shops receive every event. */
export const BROKEN_EVENT_SHOPS: readonly BrokenShop[] = [
  {
    mistake: 'treats every signed event as a payment',
    changedSteps: { readsEvent: false },
    fails: ['refund', 'refund_first'],
    fix: /Read event first/,
  },
  {
    mistake: 'marks a partly refunded order as unpaid',
    changedSteps: {
      onEvent: (event, order) => {
        if (event === 'refund.result' && order) order.paid = false
        return 200
      },
    },
    fails: ['refund'],
    fix: /a partial refund does not make an order unpaid/,
  },
  {
    mistake: 'checks the signature of payments but not of other events',
    changedSteps: {
      isTrusted: (raw, headers, secret) =>
        !raw.includes('"event":"payment.result"') || isSignedOver(raw, headers, secret),
    },
    fails: ['forged_refund', 'forged_dispute'],
    fix: /Check the signature before you read event/,
  },
  {
    mistake: 'refuses every event other than a payment',
    changedSteps: { onEvent: () => 400 },
    fails: ['refund', 'refund_first', 'dispute_opened', 'dispute_closed'],
    fix: /Respond with 200 to refund\.result/,
  },
  {
    mistake: 'responds with 500 when a dispute is closed',
    changedSteps: { onEvent: (event) => (event === 'dispute.closed' ? 500 : 200) },
    fails: ['dispute_closed'],
    fix: /error log.* Then: Read event first/,
  },
]
