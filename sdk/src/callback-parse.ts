// A callback's bytes become a checked Callback. Unknown fields are kept, because the body may get new ones.
import { isAmount } from './amount.ts'
import type { Callback } from './callback.ts'
import { CALLBACK_DEPTH_MAX } from './callback-limits.ts'
import { findJsonObject } from './strict-json.ts'
import type { JsonObject } from './strict-json.ts'

export function findCallback(bytes: Uint8Array): (Callback & JsonObject) | null {
  const body = findJsonObject(bytes, { maxDepth: CALLBACK_DEPTH_MAX })
  return body !== null && isCallback(body) ? body : null
}

function isCallback(body: JsonObject): body is Callback & JsonObject {
  const isSuccess = body['status'] === 'success'
  return (
    body['event'] === 'payment.result' &&
    (isSuccess || body['status'] === 'fail') &&
    body['successful'] === isSuccess &&
    (body['mode'] === 'live' || body['mode'] === 'test') &&
    isAmount(body['amount']) &&
    ['projectId', 'transactionId', 'currency', 'createdAt', 'hash'].every((name) => isText(body[name])) &&
    ['customId', 'data', 'failureCode'].every((name) => !Object.hasOwn(body, name) || isText(body[name])) &&
    !(isSuccess && Object.hasOwn(body, 'failureCode'))
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
