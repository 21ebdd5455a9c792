// Parses and checks the body of a callback. Unknown fields are allowed, because later versions may add fields.
import { isAmount } from './amount.ts'
import type { AnyCallback, DisputeCallback, RefundCallback } from './callback-events.ts'
import type { Callback } from './callback-build.ts'
import { CALLBACK_DEPTH_MAX } from './limits.ts'
import { findJsonObject } from './strict-json.ts'
import type { JsonObject } from './strict-json.ts'

export function findCallback(bytes: Uint8Array): (AnyCallback & JsonObject) | null {
  const body = findJsonObject(bytes, { maxDepth: CALLBACK_DEPTH_MAX })
  if (body === null || !hasCommonFields(body)) return null
  return isPayment(body) || isRefund(body) || isDispute(body) ? body : null
}

function hasCommonFields(body: JsonObject): boolean {
  return (
    (body['mode'] === 'live' || body['mode'] === 'test') &&
    isAmount(body['amount']) &&
    ['projectId', 'transactionId', 'currency', 'createdAt', 'hash'].every((name) => isText(body[name])) &&
    ['customId', 'data', 'failureCode'].every((name) => !Object.hasOwn(body, name) || isText(body[name]))
  )
}

function isPayment(body: JsonObject): body is Callback & JsonObject {
  const isSuccess = body['status'] === 'success'
  return (
    body['event'] === 'payment.result' &&
    (isSuccess || body['status'] === 'fail') &&
    body['successful'] === isSuccess &&
    !(isSuccess && Object.hasOwn(body, 'failureCode'))
  )
}

function lacksPaymentFields(body: JsonObject): boolean {
  return !Object.hasOwn(body, 'status') && !Object.hasOwn(body, 'successful')
}

function isRefund(body: JsonObject): body is RefundCallback & JsonObject {
  return (
    body['event'] === 'refund.result' &&
    lacksPaymentFields(body) &&
    isOneOf(body['refundStatus'], ['succeeded', 'failed', 'returned']) &&
    isText(body['refundId']) &&
    (body['refundedTotal'] === '0' || isAmount(body['refundedTotal']))
  )
}

function isDispute(body: JsonObject): body is DisputeCallback & JsonObject {
  return (
    isOneOf(body['event'], ['dispute.opened', 'dispute.closed']) &&
    lacksPaymentFields(body) &&
    isOneOf(body['disputeStatus'], ['inquiry', 'open', 'won', 'lost']) &&
    isText(body['disputeId']) &&
    (!Object.hasOwn(body, 'respondBy') || isText(body['respondBy']))
  )
}

function isOneOf(value: unknown, texts: readonly string[]): boolean {
  return typeof value === 'string' && texts.includes(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
