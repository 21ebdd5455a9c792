// A merchant's callback code, step by step, and common mistakes in it: each broken shop is the correct one with one step
// replaced.
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
type Step = number | null

export interface Habits {
  bodyBytesMax: number
  isTrusted: (raw: Buffer, headers: Headers, secret: string) => boolean
  isFresh: (headers: Headers) => boolean
  isOwnMode: (body: Body) => boolean
  knowsFields: (body: Body) => boolean
  knowsOrder: (customId: string) => boolean
  isPrice: (amount: unknown) => boolean
  onRepeat: () => Step
  onFailure: () => Step
  onLateFailure: (order: Order) => Step
  readsEvent: boolean
  /** Called for an event that is not about a payment. The order is missing if there was no callback about it before. */
  onEvent: (event: unknown, order: Order | undefined) => Step
  refusal: number
}

function isSignedOver(raw: Buffer | string, headers: Headers, secret: string): boolean {
  return verifyWebhook(raw, headers, { secret, nowSec: 0, toleranceSec: Infinity }).ok
}

const CORRECT: Habits = {
  bodyBytesMax: 64 * 1024,
  isTrusted: isSignedOver,
  isFresh: (headers) => Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) <= 300,
  isOwnMode: (body) => body['mode'] === 'test',
  knowsFields: () => true,
  knowsOrder: (customId) => customId.startsWith('exam-'),
  isPrice: (amount) => amount === '1500',
  onRepeat: () => 200,
  onFailure: () => 200,
  onLateFailure: () => 200,
  readsEvent: true,
  onEvent: () => 200,
  refusal: 400,
}

/** With `saysPaid` its responses say whether the order is paid. */
export function createShopCode(secret: string, habits: Partial<Habits> = {}, saysPaid = true): MerchantReply {
  const has = { ...CORRECT, ...habits }
  const orders = new Map<string, Order>()
  const seen = new Set<unknown>()

  function handle({ raw, headers, body }: ReceivedCallback): Step {
    if (raw.length > has.bodyBytesMax) return 413
    if (!has.isTrusted(raw, headers, secret) || !has.isFresh(headers)) return has.refusal
    if (!has.isOwnMode(body) || !has.knowsFields(body)) return has.refusal
    const customId = String(body['customId'])
    if (!has.knowsOrder(customId)) return 404
    if (has.readsEvent && body['event'] !== 'payment.result')
      return has.onEvent(body['event'], orders.get(customId))
    if (!has.isPrice(body['amount'])) return has.refusal
    const order = orders.get(customId) ?? { paid: false }
    orders.set(customId, order)
    if (seen.has(body['transactionId'])) return has.onRepeat()
    seen.add(body['transactionId'])
    if (body['status'] === 'fail') return order.paid ? has.onLateFailure(order) : has.onFailure()
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
/** All scenarios except the response time: a shop with wrong responses can still be quick. */
const ALL_REQUESTS = toExamRequests(['payment.result'])

export interface BrokenShop {
  how: string
  habits: Partial<Habits>
  /** Exactly these scenarios fail. */
  fails: readonly ExamScenarioName[]
  /** A part of the English fix for the first of them. */
  fix: RegExp
}

export const BROKEN_SHOPS: readonly BrokenShop[] = [
  {
    how: 'trusts any signature',
    habits: { isTrusted: (_raw, headers) => headers['webhook-signature'] !== undefined },
    fails: ['bad_signature'],
    fix: /Compare the signature you compute/,
  },
  {
    how: 'checks a signature only where there is one',
    habits: {
      isTrusted: (raw, headers, secret) =>
        headers['webhook-signature'] === undefined || isSignedOver(raw, headers, secret),
    },
    fails: ['missing_signature'],
    fix: /missing signature as a wrong one/,
  },
  {
    how: 'checks JSON that it has serialized again',
    habits: {
      isTrusted: (raw, headers, secret) =>
        isSignedOver(JSON.stringify(JSON.parse(raw.toString()), null, 2), headers, secret),
    },
    fails: ALL_REQUESTS,
    fix: /over the raw body with this project’s test secret/,
  },
  {
    how: 'ignores the mode',
    habits: { isOwnMode: () => true },
    fails: ['live_label'],
    fix: /Compare mode in the body/,
  },
  {
    how: 'ignores the amount',
    habits: { isPrice: () => true },
    fails: ['changed_amount'],
    fix: /your own records/,
  },
  {
    how: 'ignores the time',
    habits: { isFresh: () => true },
    fails: ['stale_timestamp'],
    fix: /more than 5 minutes off/,
  },
  {
    how: 'fails when a callback is repeated',
    habits: { onRepeat: () => 500 },
    fails: ['repeated'],
    fix: /error log.* Then: Save the webhook-id/,
  },
  {
    how: 'accepts only the fields it knows',
    habits: { knowsFields: (body) => Object.keys(body).every((name) => KNOWN_FIELDS.has(name)) },
    fails: ['unknown_field'],
    fix: /Ignore unknown fields/,
  },
  {
    how: 'accepts only short bodies',
    habits: { bodyBytesMax: 4096 },
    fails: ['large_data'],
    fix: /bodies of up to 64 KB/,
  },
  {
    how: 'refuses callbacks about failures',
    habits: { onFailure: () => 422, onLateFailure: () => 422 },
    fails: ['late_fail', 'failure'],
    fix: /failure of another checkout attempt for an order that is already paid/,
  },
  {
    how: 'refuses a failure of a paid order',
    habits: { onLateFailure: () => 409 },
    fails: ['late_fail'],
    fix: /failure of another checkout attempt for an order that is already paid/,
  },
  {
    how: 'lets a late failure undo a paid order',
    habits: {
      onLateFailure: (order) => {
        order.paid = false
        return 200
      },
    },
    fails: ['late_fail'],
    fix: /must not make it unpaid/,
  },
  {
    how: 'fails instead of refusing',
    habits: { refusal: 500 },
    fails: ['bad_signature', 'missing_signature', 'live_label', 'changed_amount', 'stale_timestamp'],
    fix: /Refuse a forged callback with 400 instead of failing.*error log/,
  },
  {
    how: 'does not know the exam’s orders',
    habits: { knowsOrder: () => false },
    fails: ALL_REQUESTS,
    fix: /customId starts with exam-/,
  },
]

/** These receive every event. */
export const BROKEN_EVENT_SHOPS: readonly BrokenShop[] = [
  {
    how: 'takes everything that is signed for a payment',
    habits: { readsEvent: false },
    fails: ['refund', 'refund_first'],
    fix: /Read event first/,
  },
  {
    how: 'marks a partly refunded order as unpaid',
    habits: {
      onEvent: (event, order) => {
        if (event === 'refund.result' && order) order.paid = false
        return 200
      },
    },
    fails: ['refund'],
    fix: /a partial refund does not make an order unpaid/,
  },
  {
    how: 'checks the signature of payments alone',
    habits: {
      isTrusted: (raw, headers, secret) =>
        !raw.includes('"event":"payment.result"') || isSignedOver(raw, headers, secret),
    },
    fails: ['forged_refund', 'forged_dispute'],
    fix: /Check the signature before you read event/,
  },
  {
    how: 'refuses what is no payment',
    habits: { onEvent: () => 400 },
    fails: ['refund', 'refund_first', 'dispute_opened', 'dispute_closed'],
    fix: /Respond 200 to refund\.result/,
  },
  {
    how: 'fails on the end of a dispute',
    habits: { onEvent: (event) => (event === 'dispute.closed' ? 500 : 200) },
    fails: ['dispute_closed'],
    fix: /error log.* Then: Read event first/,
  },
]
