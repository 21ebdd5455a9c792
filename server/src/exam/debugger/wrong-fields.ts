// Finds which fields of a signed body are wrong for its event. The SDK only says that the body is not valid.
import { CALLBACK_EVENTS } from '@pazar/contract'
import type { CallbackEventName } from '@pazar/contract'
import type { JsonObject, JsonValue } from '@pazar/sdk'

type Rule = (value: JsonValue | undefined, body: JsonObject) => boolean

const isText: Rule = (value) => typeof value === 'string' && value !== ''
const isAbsent: Rule = (value) => value === undefined
const isAbsentOrText: Rule = (value, body) => isAbsent(value, body) || isText(value, body)
const isAmount: Rule = (value) => typeof value === 'string' && /^[1-9][0-9]{0,11}$/.test(value)
const isOneOf =
  (...texts: readonly string[]): Rule =>
  (value) =>
    typeof value === 'string' && texts.includes(value)

const COMMON: Readonly<Record<string, Rule>> = {
  projectId: isText,
  transactionId: isText,
  amount: isAmount,
  currency: isText,
  customId: isAbsentOrText,
  data: isAbsentOrText,
  mode: isOneOf('live', 'test'),
  createdAt: isText,
  failureCode: isAbsentOrText,
}
/** A callback about a refund or a dispute must not look like a payment result. */
const NO_PAYMENT: Readonly<Record<string, Rule>> = { ...COMMON, status: isAbsent, successful: isAbsent }
const DISPUTE: Readonly<Record<string, Rule>> = {
  ...NO_PAYMENT,
  disputeStatus: isOneOf('inquiry', 'open', 'won', 'lost'),
  disputeId: isText,
  respondBy: isAbsentOrText,
}

const RULES: Readonly<Record<CallbackEventName, Readonly<Record<string, Rule>>>> = {
  'payment.result': {
    ...COMMON,
    status: isOneOf('success', 'fail'),
    successful: (value, { status }) => value === (status === 'success'),
    failureCode: (value, body) => (body['status'] === 'success' ? isAbsent : isAbsentOrText)(value, body),
  },
  'refund.result': {
    ...NO_PAYMENT,
    refundStatus: isOneOf('succeeded', 'failed', 'returned'),
    refundId: isText,
    refundedTotal: (value, body) => value === '0' || isAmount(value, body),
  },
  'dispute.opened': DISPUTE,
  'dispute.closed': DISPUTE,
}

export function findEvent(body: JsonObject | null): CallbackEventName | null {
  return CALLBACK_EVENTS.find((event) => event === body?.['event']) ?? null
}

export function findWrongFields(event: CallbackEventName, body: JsonObject): string[] {
  return Object.entries(RULES[event])
    .filter(([name, isRight]) => !isRight(Object.hasOwn(body, name) ? body[name] : undefined, body))
    .map(([name]) => name)
}
