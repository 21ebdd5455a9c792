// Links and callbacks, with the result that the samples must give. `now` is fixed, so that a callback expires only on
// purpose.
// Why this is long: one table of callbacks and links.
import { createHmac, randomBytes } from 'node:crypto'
import { signJwt, signTestCallback, signWebhook } from '@pazar/sdk'
import type { JsonObject, PayLinkFields, SignedCallback } from '@pazar/sdk'

/** What the command of every `verify` sample reads. */
export interface VerifyInput {
  headers: Record<string, string>
  body: string
  /** One secret, or several with a space between them. */
  secret: string
  expectedAmount: string
  now?: number
  orderState?: string
}

export interface Vector {
  name: string
  given: VerifyInput
  /** The result as text, such as `ok paid` or `expired`, without the transaction's id. */
  expected: string
  /** Every language runs this case, also in `npm test`. */
  isForAll?: boolean
  /**
   * The result of the SDK, if different. For example, the SDK refuses unknown events, but the samples leave unknown
   * events to the handler.
   */
  sdkExpected?: string
}

const NOW = 1_795_000_000
// The live secrets are longer than a block of the hash function, and the test secret is shorter.
const LIVE = newSecret('sk_live_')
const NEXT = newSecret('sk_live_')
const TEST = newSecret('sk_test_', 'base64url')
const ID = 'msg_0198f3c0a1b27c3d8e4f'

/** Characters that some JSON serializers or shells treat specially. */
export const HARD_DATA = 'Kafa „Šljiva“ 1 kg \\ "amount":"1" $(id) `id` %s \'x\' </script> \n\t\u0001 🛒 '

function newSecret(prefix: string, encoding: 'hex' | 'base64url' = 'hex'): string {
  return prefix + randomBytes(32).toString(encoding)
}

type Changes = Partial<VerifyInput>

function toInput(signed: SignedCallback, changes: Changes = {}): VerifyInput {
  return {
    headers: { ...signed.headers },
    body: signed.body,
    secret: LIVE,
    expectedAmount: '1500',
    now: NOW,
    ...changes,
  }
}

/** Signs like the service. */
function signText(body: string, secret: string): SignedCallback {
  return { body, headers: signWebhook({ id: ID, timestampSec: NOW, body, secret }) }
}

/** A server without a secret would accept this callback, unless it refuses to verify with an empty secret. */
function signWithEmptySecret(): SignedCallback {
  const mac = createHmac('sha256', '').update(`${ID}.${NOW}.${good.body}`).digest('base64')
  return { body: good.body, headers: { ...good.headers, 'webhook-signature': `v1,${mac}` } }
}

function labelAsTest(secret = LIVE): SignedCallback {
  const { hash: _hash, ...facts } = JSON.parse(good.body) as JsonObject
  const relabelled = { ...facts, mode: 'test' }
  const hash = signJwt({ ...relabelled, iat: NOW, jti: ID }, secret)
  return signText(JSON.stringify({ ...relabelled, hash }), secret)
}

const good = signTestCallback({ secret: LIVE, id: ID, nowSec: NOW, customId: 'order-7', data: HARD_DATA })
const failed = signTestCallback({ secret: LIVE, nowSec: NOW, status: 'fail' })
const testCallback = signTestCallback({ secret: TEST, nowSec: NOW })

/** Signs an event with these fields instead of the result of a payment. */
function signEvent(fields: Record<string, string>): SignedCallback {
  const {
    hash: _hash,
    status: _status,
    successful: _successful,
    ...facts
  } = JSON.parse(good.body) as JsonObject
  const all = { ...facts, ...fields }
  const hash = signJwt({ ...all, iat: NOW, jti: ID }, LIVE)
  return signText(JSON.stringify({ ...all, hash }), LIVE)
}

const refund = signEvent({
  event: 'refund.result',
  refundStatus: 'succeeded',
  refundId: 're_0198f3c0a1b27c3d8e4f5a6b7c8d9e0f',
  refundedTotal: '1500',
})
const signDispute = (event: string, disputeStatus: string) =>
  signEvent({ event, disputeStatus, disputeId: 'dp_0198f3c0a1b27c3d8e4f5a6b7c8d9e0f' })

function withHeader(name: keyof typeof good.headers, value: string | null): VerifyInput {
  const { [name]: _old, ...others } = good.headers
  return toInput(good, { headers: value === null ? others : { ...others, [name]: value } })
}

const signature = good.headers['webhook-signature']
const mac = signature.slice('v1,'.length)
const urlSafeMac = mac.replaceAll('+', '-').replaceAll('/', '_').replace(/=$/, '')
const hexMac = Buffer.from(mac, 'base64').toString('hex')

export interface LinkVector extends PayLinkFields {
  data: string
  secret: string
  /** The signature that the guide prints. Null if the SDK gives the expected signature. */
  sig: string | null
}

const GUIDE_SECRET = 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const GUIDE_LINK = {
  project: 'tz4a98xxat96iws9zmbrgj3a',
  amount: '1500',
  data: 'Narudžba 7',
  mode: 'test',
} as const

/** The first two are on the guide's page about pay links. */
export const LINKS: readonly LinkVector[] = [
  { ...GUIDE_LINK, secret: GUIDE_SECRET, sig: 'iLpWrJqSoOe3yUWOobQ_3N0L1Nd7yBtdS8g5jPNDTs0' },
  {
    ...GUIDE_LINK,
    customId: 'order-7',
    exp: 1_795_000_000,
    secret: GUIDE_SECRET,
    sig: 'PszkV_C7gdWgeegZ7Kv53i6zrm8aIsMMZk3PXNjzReM',
  },
  { project: GUIDE_LINK.project, amount: '1', data: '', customId: 'a+b & c%20', secret: LIVE, sig: null },
]

/** Common cases and simple attacks. */
export const USUAL_CASES: readonly Vector[] = [
  { name: 'a success', given: toInput(good), expected: 'ok' },
  { name: 'a failure', given: toInput(failed), expected: 'ok' },
  { name: 'test mode with its secret', given: toInput(testCallback, { secret: TEST }), expected: 'ok' },
  { name: 'five minutes old', given: toInput(good, { now: NOW + 300 }), expected: 'ok' },
  {
    name: 'two signatures, the second right',
    given: withHeader('webhook-signature', `v1,${'A'.repeat(43)}= ${signature}`),
    expected: 'ok',
  },
  {
    name: 'a changed byte',
    given: toInput(good, { body: good.body.replace('1500', '1600') }),
    expected: 'bad_signature',
  },
  {
    name: 'parsed and written again',
    given: toInput(good, { body: JSON.stringify(JSON.parse(good.body), null, 1) }),
    expected: 'bad_signature',
  },
  { name: 'without its id', given: withHeader('webhook-id', null), expected: 'bad_signature' },
  { name: 'without its time', given: withHeader('webhook-timestamp', null), expected: 'bad_signature' },
  { name: 'without its signature', given: withHeader('webhook-signature', null), expected: 'bad_signature' },
  {
    name: 'the secret of another project',
    given: toInput(good, { secret: newSecret('sk_live_') }),
    expected: 'bad_signature',
  },
  {
    name: 'signed with the next secret',
    given: toInput(signTestCallback({ secret: NEXT, nowSec: NOW }), { secret: `${LIVE} ${NEXT}` }),
    expected: 'ok',
    isForAll: true,
  },
  {
    name: 'signed with the current secret while the next one is prepared',
    given: toInput(good, { secret: `${LIVE} ${NEXT}` }),
    expected: 'ok',
  },
  {
    name: 'signed with neither secret',
    given: toInput(signTestCallback({ secret: newSecret('sk_live_'), nowSec: NOW }), {
      secret: `${LIVE} ${NEXT}`,
    }),
    expected: 'bad_signature',
    isForAll: true,
  },
  { name: 'a test callback with the live secret', given: toInput(testCallback), expected: 'bad_signature' },
  {
    name: 'no secret set, signed with an empty one',
    given: toInput(signWithEmptySecret(), { secret: '' }),
    expected: 'no_secret',
  },
  { name: 'too old', given: toInput(good, { now: NOW + 301 }), expected: 'expired' },
  { name: 'from the future', given: toInput(good, { now: NOW - 301 }), expected: 'expired' },
  { name: 'signed, but not JSON', given: toInput(signText('payment.result', LIVE)), expected: 'malformed' },
  {
    name: 'mode test, but signed with the live secret',
    given: toInput(labelAsTest()),
    expected: 'wrong_mode',
  },
  { name: 'paid a cent less', given: toInput(good, { expectedAmount: '1501' }), expected: 'amount_mismatch' },
  {
    name: 'without an amount, for an unknown order',
    given: toInput(signText('{"event":"payment.result","mode":"live","transactionId":"tx"}', LIVE), {
      expectedAmount: '',
    }),
    expected: 'amount_mismatch',
    sdkExpected: 'malformed',
    isForAll: true,
  },
  { name: 'a success after a failure', given: toInput(good, { orderState: 'failed' }), expected: 'ok paid' },
  { name: 'a failure after a success', given: toInput(failed, { orderState: 'paid' }), expected: 'ok paid' },
  // The order states differ, so a sample that always returns the same state fails.
  {
    name: 'a refund does not pay an order',
    given: toInput(refund, { orderState: 'open' }),
    expected: 'ok open',
  },
  {
    name: 'a refund of a part has its own amount',
    given: toInput(refund, { orderState: 'sent', expectedAmount: '9900' }),
    expected: 'ok sent',
  },
  {
    name: 'a dispute does not pay an order',
    given: toInput(signDispute('dispute.opened', 'open'), { orderState: 'waiting' }),
    expected: 'ok waiting',
  },
  {
    name: 'an unknown event is accepted and changes nothing',
    given: toInput(signEvent({ event: 'order.praised' }), { orderState: 'new' }),
    expected: 'ok new',
    sdkExpected: 'malformed',
  },
  {
    name: 'a changed refund',
    given: toInput({ ...refund, body: refund.body.replace('succeeded', 'returned') }),
    expected: 'bad_signature',
  },
]

/** Rarer cases. */
export const RARE_CASES: readonly Vector[] = [
  {
    name: 'a short secret beside a good one',
    given: toInput(good, { secret: `${LIVE} sk_live_short` }),
    expected: 'no_secret',
  },
  {
    name: 'mode test, but signed with the next secret',
    given: toInput(labelAsTest(NEXT), { secret: `${LIVE} ${NEXT}` }),
    expected: 'wrong_mode',
  },
  { name: 'a clock five minutes slow', given: toInput(good, { now: NOW - 300 }), expected: 'ok' },
  { name: 'one byte more', given: toInput(good, { body: `${good.body}\n` }), expected: 'bad_signature' },
  { name: 'no body', given: toInput(good, { body: '' }), expected: 'bad_signature' },
  { name: 'another id', given: withHeader('webhook-id', 'msg_1'), expected: 'bad_signature' },
  {
    name: 'a newer timestamp',
    given: withHeader('webhook-timestamp', `${NOW + 1}`),
    expected: 'bad_signature',
  },
  {
    name: 'a timestamp that is not a number',
    given: withHeader('webhook-timestamp', 'soon'),
    expected: 'bad_signature',
  },
  { name: 'an empty signature', given: withHeader('webhook-signature', ''), expected: 'bad_signature' },
  { name: 'only the scheme', given: withHeader('webhook-signature', 'v1,'), expected: 'bad_signature' },
  {
    name: 'a signature cut short',
    given: withHeader('webhook-signature', signature.slice(0, -4)),
    expected: 'bad_signature',
  },
  { name: 'another scheme', given: withHeader('webhook-signature', `v2,${mac}`), expected: 'bad_signature' },
  {
    name: 'a signature without its scheme',
    given: withHeader('webhook-signature', mac),
    expected: 'bad_signature',
  },
  {
    name: 'a signature in URL-safe base64',
    given: withHeader('webhook-signature', `v1,${urlSafeMac}`),
    expected: 'bad_signature',
  },
  {
    name: 'a signature in hex',
    given: withHeader('webhook-signature', `v1,${hexMac}`),
    expected: 'bad_signature',
  },
  {
    name: 'a star instead of a signature',
    given: withHeader('webhook-signature', '*'),
    expected: 'bad_signature',
  },
  { name: 'signed, but a list', given: toInput(signText('["payment.result"]', LIVE)), expected: 'malformed' },
  {
    name: 'signed, but without an event',
    given: toInput(signText('{"mode":"live"}', LIVE)),
    expected: 'malformed',
  },
  {
    name: 'the end of a dispute leaves a paid order paid',
    given: toInput(signDispute('dispute.closed', 'lost'), { orderState: 'paid' }),
    expected: 'ok paid',
  },
  { name: 'an unknown order', given: toInput(good, { expectedAmount: '' }), expected: 'amount_mismatch' },
  { name: 'a success pays an order', given: toInput(good, { orderState: 'open' }), expected: 'ok paid' },
  {
    name: 'a failure of an open order',
    given: toInput(failed, { orderState: 'open' }),
    expected: 'ok failed',
  },
]

/** Signed bodies with fields of another type. Any reason of refusal is allowed, but no crash. */
export const WRONG_TYPES: readonly VerifyInput[] = [
  '{"event":"payment.result","mode":"live","amount":{"cents":"1500"}}',
  '{"event":"payment.result","mode":["live"],"amount":"1500"}',
  '{"event":{"name":"payment.result"},"mode":"live","amount":"1500"}',
].map((body) => toInput(signText(body, LIVE)))
