import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALLBACK_EVENTS, DATA_MAX_BYTES, EXAM_REQUESTS } from '@pazar/contract'
import type { CallbackEventName, ExamRequestName } from '@pazar/contract'
import { safeVerifyCallback } from '@pazar/sdk'
import type { CallbackRefusal } from '@pazar/sdk'
import { findCause } from '../deliveries/explain.ts'
import { issueSecret } from '../secrets/issue.ts'
import { buildRequests } from './build-requests.ts'
import type { ExamRequest } from './build-requests.ts'
import { makeLongData, SCENARIOS } from './scenarios.ts'
import { sendRequests } from './send-requests.ts'

const NOW_MS = 1_790_000_000_000
const PROJECT = {
  id: 'tz4a98xxat96iws9zmbrgj3a',
  testSecret: issueSecret('test'),
  currency: 'EUR',
  events: CALLBACK_EVENTS,
}
const requests = buildRequests({ nowMs: () => NOW_MS }, PROJECT)

function find(name: ExamRequestName): ExamRequest {
  return requests.find((one) => one.name === name)!
}

const eventOf = ({ body }: ExamRequest) => (JSON.parse(body) as { event: string }).event

async function findRefusal(
  { body, headers }: ExamRequest,
  secret: string,
  events?: readonly CallbackEventName[],
): Promise<CallbackRefusal | null> {
  const options = { secret, projectId: PROJECT.id, expectedAmount: '1500', nowSec: NOW_MS / 1000, events }
  const verified = await safeVerifyCallback(body, headers, options)
  return verified.ok ? null : verified.reason
}

test('SCENARIOS and the built requests have every request of the contract once, in the order of the contract', () => {
  assert.deepEqual(
    SCENARIOS.map(({ name }) => name),
    [...EXAM_REQUESTS],
  )
  assert.deepEqual(
    requests.map(({ name }) => name),
    [...EXAM_REQUESTS],
  )
})

const REFUSALS: Record<ExamRequestName, CallbackRefusal | null> = {
  good: null,
  repeated: null,
  late_fail: null,
  failure: null,
  unknown_field: null,
  large_data: null,
  bad_signature: 'bad_signature',
  missing_signature: 'bad_signature',
  live_label: 'wrong_mode',
  changed_amount: 'amount_mismatch',
  stale_timestamp: 'expired',
  refund: null,
  refund_first: null,
  forged_refund: 'bad_signature',
  dispute_opened: null,
  forged_dispute: 'bad_signature',
  dispute_closed: null,
}

test('the SDK accepts or refuses each request as the exam expects, and for the expected reason', async () => {
  for (const request of requests) {
    const refusal = await findRefusal(request, PROJECT.testSecret, CALLBACK_EVENTS)
    assert.equal(refusal, REFUSALS[request.name], request.name)
    assert.equal(request.expects, refusal === null ? 'accepted' : 'refused')
  }
})

test('the exam of a project has requests only for the events that the project receives', () => {
  for (let bits = 0; bits < 8; bits += 1) {
    const events = CALLBACK_EVENTS.filter((event, n) => event === 'payment.result' || bits & (1 << (n - 1)))
    const sent = buildRequests({ nowMs: () => NOW_MS }, { ...PROJECT, events })
    assert.deepEqual([...new Set(sent.map(eventOf))], events)
  }
})

test('without the option `events`, the SDK refuses callbacks about refunds and disputes', async () => {
  const others = requests.filter((request) => eventOf(request) !== 'payment.result')
  assert.equal(others.length, 6)
  for (const request of others) {
    assert.doesNotMatch(request.body, /"status"|"successful"/, request.name)
    const reason = request.expects === 'accepted' ? 'unexpected_event' : 'bad_signature'
    assert.equal(await findRefusal(request, PROJECT.testSecret), reason, request.name)
  }
})

test('the refund and the dispute belong to the paid transaction, and the same dispute is opened and closed', () => {
  const readField = (name: ExamRequestName, key: string) =>
    (JSON.parse(find(name).body) as Record<string, string>)[key]
  for (const name of ['refund', 'dispute_opened', 'dispute_closed'] as const)
    assert.equal(readField(name, 'transactionId'), readField('good', 'transactionId'), name)
  assert.notEqual(readField('refund_first', 'transactionId'), readField('good', 'transactionId'))
  assert.equal(readField('dispute_opened', 'disputeId'), readField('dispute_closed', 'disputeId'))
  const ids = requests.map(({ headers }) => headers['webhook-id'])
  assert.equal(
    new Set(ids).size,
    EXAM_REQUESTS.length - 1,
    'only the repeated request has the id of another request',
  )
})

test('no request of an exam passes a check with a live secret, even if its field "mode" is live', async () => {
  for (const request of requests) assert.ok(await findRefusal(request, issueSecret('live')), request.name)
})

test('the repeated callback has the id, the transaction and the order of the first callback, and a new signature', () => {
  const [good, repeated] = [find('good'), find('repeated')]
  const factsOf = ({ body }: ExamRequest) => {
    const { hash: _hash, ...facts } = JSON.parse(body) as Record<string, unknown>
    return facts
  }
  assert.equal(repeated.headers['webhook-id'], good.headers['webhook-id'])
  assert.deepEqual(factsOf(repeated), factsOf(good))
  assert.notEqual(repeated.headers['webhook-signature'], good.headers['webhook-signature'])
})

test('"late_fail" has the order of "good", "live_label" has the order of "failure", and both have their own transactions', () => {
  const payments = requests.filter((request) => eventOf(request) === 'payment.result')
  const orderOf = new Map(payments.map(({ name, order }) => [name, order]))
  assert.equal(orderOf.get('late_fail'), orderOf.get('good'))
  assert.equal(orderOf.get('live_label'), orderOf.get('failure'))
  assert.equal(new Set(orderOf.values()).size, payments.length - 3)
  const transactionOf = (name: ExamRequestName) =>
    (JSON.parse(find(name).body) as { transactionId: string }).transactionId
  assert.notEqual(transactionOf('late_fail'), transactionOf('good'))
  assert.notEqual(transactionOf('live_label'), transactionOf('failure'))
  for (const order of orderOf.values()) assert.match(order, /^exam-[0-9a-f]{8}-[a-z-]+$/)
})

test('the unsigned request has neither a signature nor a hash', () => {
  const { headers, body } = find('missing_signature')
  assert.equal(headers['webhook-signature'], undefined)
  assert.equal('hash' in (JSON.parse(body) as object), false)
})

test('the longest data has exactly the maximum number of bytes', () => {
  assert.equal(Buffer.byteLength(makeLongData()), DATA_MAX_BYTES)
  assert.ok(makeLongData().isWellFormed())
})

test('the first requests of two exams have different order IDs', () => {
  const secondExam = buildRequests({ nowMs: () => NOW_MS }, PROJECT)
  assert.notEqual(secondExam[0]!.order, requests[0]!.order)
})

const ACCEPTED = {
  outcome: 'delivered',
  statusCode: 200,
  error: null,
  responseBody: Buffer.from('ok'),
  bodyEnd: 'whole',
  remoteIp: null,
  durationMs: 1,
  retryAfter: null,
  location: null,
  isEgressFault: false,
} as const

test('after the time limit no further request is sent', async () => {
  const publicFetch = { post: async () => ACCEPTED, close: async () => undefined }
  const all = await sendRequests({ publicFetch }, 'https://shop.example.me/', requests)
  assert.equal(all.size, EXAM_REQUESTS.length)
  const stoppedEarly = await sendRequests({ publicFetch }, 'https://shop.example.me/', requests, 0)
  assert.deepEqual([...stoppedEarly.keys()], ['good'])
})

test('by default, no request starts after 45 seconds', async (t) => {
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const countSent = async (requestMs: number) => {
    nowMs = 0
    const post = async () => {
      nowMs += requestMs
      return ACCEPTED
    }
    const publicFetch = { post, close: async () => undefined }
    return (await sendRequests({ publicFetch }, 'https://shop.example.me/', requests)).size
  }
  assert.deepEqual([await countSent(44_999), await countSent(45_000)], [2, 1])
})

test('a fault of the egress proxy is reported as ours, not as the merchant’s', async () => {
  const broken = {
    outcome: 'connect',
    statusCode: null,
    error: 'the proxy is down',
    responseBody: Buffer.alloc(0),
    bodyEnd: 'whole',
    remoteIp: null,
    durationMs: 1,
    retryAfter: null,
    location: null,
    isEgressFault: true,
  } as const
  const publicFetch = { post: async () => broken, close: async () => undefined }
  const responses = await sendRequests({ publicFetch }, 'https://shop.example.me/', requests)
  assert.equal(responses.get('good')?.outcome, 'interrupted')
  assert.equal(findCause(responses.get('good')!), 'not_sent')
})

test('if a server echoes signatures and the secret, the results contain none of them', async () => {
  const redirect = { ...ACCEPTED, outcome: 'redirect', statusCode: 302 } as const
  const secrets = [PROJECT.testSecret]
  const post = async (_url: string, headers: Record<string, string>, body: Buffer) => {
    const { hash } = JSON.parse(body.toString()) as { hash?: string }
    const mac = headers['webhook-signature']?.slice('v1,'.length)
    const sent = [hash, mac].filter((text) => text !== undefined)
    secrets.push(...sent)
    const text = [PROJECT.testSecret, ...sent].join(' ')
    return {
      ...redirect,
      responseBody: Buffer.from(text),
      location: `https://shop.example.me/?${text.replaceAll(' ', '&')}`,
    }
  }
  const publicFetch = { post, close: async () => undefined }
  const responses = await sendRequests({ publicFetch }, 'https://shop.example.me/', [
    find('good'),
    find('repeated'),
  ])
  const shown = JSON.stringify([...responses.values()])
  // `secrets` has the test secret, and the hash and the signature of each request.
  assert.deepEqual([responses.size, secrets.length], [2, 5])
  for (const secret of secrets) assert.ok(!shown.includes(secret), secret)
})

test('if the first request gets no response, nothing more is sent', async () => {
  const noResponse = { ...ACCEPTED, outcome: 'connect', statusCode: null, error: 'refused' } as const
  const publicFetch = { post: async () => noResponse, close: async () => undefined }
  const responses = await sendRequests({ publicFetch }, 'https://shop.example.me/', requests)
  assert.deepEqual([...responses.keys()], ['good'])
})
