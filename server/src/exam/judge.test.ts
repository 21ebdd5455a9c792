import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALLBACK_EVENTS } from '@pazar/contract'
import type { Responses, Finding, MerchantResponse } from './judge.ts'
import { isPassed, judge as judgeFor } from './judge.ts'
import { SCENARIOS } from './scenarios.ts'

function respond(statusCode: number): MerchantResponse {
  const outcome = statusCode < 300 ? 'delivered' : 'http_error'
  return { outcome, statusCode, error: null, responseExcerpt: null, durationMs: 5 }
}

function responsesWith(changes: Record<string, MerchantResponse> = {}): Responses {
  return new Map(
    SCENARIOS.map(({ name, expects }) => [
      name,
      changes[name] ?? respond(expects === 'accepted' ? 200 : 401),
    ]),
  )
}

const judge = (responses: Responses) => judgeFor(responses, CALLBACK_EVENTS)

const findingOf = (responses: Responses, name: string): Finding | undefined =>
  judge(responses).find((verdict) => verdict.name === name)?.finding

test('a merchant who accepts valid callbacks and refuses forged ones passes', () => {
  assert.deepEqual(
    judge(responsesWith()).filter((verdict) => !isPassed(verdict)),
    [],
  )
})

for (const { name } of SCENARIOS.filter(({ expects }) => expects === 'refused')) {
  test(`${name}: a server that accepts this request has a fault; 500, 429 and 408 do not count as a refusal`, () => {
    const found = (statusCode: number) => findingOf(responsesWith({ [name]: respond(statusCode) }), name)
    assert.deepEqual([found(200), found(204)], ['own_fault', 'own_fault'])
    assert.deepEqual([found(400), found(401), found(403)], ['passed', 'passed', 'passed'])
    assert.deepEqual([found(500), found(429), found(408)], ['broke', 'not_delivered', 'not_delivered'])
    assert.equal(
      judge(responsesWith({ [name]: respond(200) })).filter((verdict) => !isPassed(verdict)).length,
      1,
    )
  })
}

test('a server that refuses everything passes only the check of its response time', () => {
  const all = Object.fromEntries(SCENARIOS.map(({ name }) => [name, respond(401)]))
  const findings = judge(responsesWith(all)).map(({ name, finding }) => [name, finding])
  assert.deepEqual(
    findings.filter(([, finding]) => finding === 'passed').map(([name]) => name),
    ['in_time'],
  )
})

test('if a project receives only callbacks about payments, the scenarios about refunds and disputes are not judged', () => {
  const names = judgeFor(responsesWith(), ['payment.result']).map(({ name }) => name)
  // There are eleven requests about payments, and one verdict on the response time.
  assert.equal(names.length, 12)
  assert.deepEqual(
    judge(responsesWith())
      .map(({ name }) => name)
      .filter((name) => !names.includes(name)),
    ['refund', 'refund_first', 'forged_refund', 'dispute_opened', 'forged_dispute', 'dispute_closed'],
  )
})

test('a partial refund must leave a paid order paid, and a refund must not mark an order as paid', () => {
  const report = (paid: boolean) => ({ ...respond(200), responseExcerpt: JSON.stringify({ paid }) })
  const found = (name: string, paid: boolean) => findingOf(responsesWith({ [name]: report(paid) }), name)
  assert.deepEqual([found('refund', true), found('refund', false)], ['still_paid', 'undone'])
  assert.deepEqual(
    [found('refund_first', true), found('refund_first', false)],
    ['taken_for_payment', 'not_paid'],
  )
  assert.equal(found('dispute_opened', false), 'passed', 'a merchant may stop a disputed order')
})

const NO_RESPONSE = { statusCode: null, error: null, responseExcerpt: null, durationMs: 5 } as const

test('the finding about a valid callback that is not accepted depends on the response', () => {
  const found = (name: string, response: MerchantResponse) =>
    findingOf(responsesWith({ [name]: response }), name)
  const statuses = (name: string) => [400, 401, 404, 409, 500, 503].map((one) => found(name, respond(one)))
  assert.deepEqual(statuses('good'), [
    ...['own_fault', 'own_fault', 'unknown_order', 'unknown_order', 'crashed'],
    'crashed',
  ])
  assert.deepEqual(statuses('repeated'), [
    ...['own_fault', 'own_fault', 'own_fault', 'own_fault', 'crashed'],
    'crashed',
  ])
  for (const name of ['good', 'repeated'])
    for (const outcome of ['connect', 'timeout', 'redirect'] as const)
      assert.equal(found(name, { ...NO_RESPONSE, outcome }), 'not_delivered', `${name} ${outcome}`)
})

test('only a JSON object with a boolean "paid" says anything about an order', () => {
  for (const text of [
    '',
    'ok',
    'null',
    '[]',
    '"paid"',
    '1',
    '{}',
    '{"paid":1}',
    '{"paid":"true"}',
    '{"paid":null}',
  ])
    assert.equal(
      findingOf(responsesWith({ refund: { ...respond(200), responseExcerpt: text } }), 'refund'),
      'unseen',
      text,
    )
})

test('the verdict on the response time names the late requests, but does not call an unreachable server late', () => {
  const inTime = (changes: Record<string, MerchantResponse>) => {
    const { name, ...verdict } = judge(responsesWith(changes)).at(-1)!
    assert.equal(name, 'in_time')
    return verdict
  }
  const timedOut: MerchantResponse = { ...NO_RESPONSE, outcome: 'timeout' }
  assert.deepEqual(inTime({ repeated: timedOut }), { finding: 'late', response: null, late: ['repeated'] })
  const refused: MerchantResponse = { ...NO_RESPONSE, outcome: 'connect' }
  assert.deepEqual(inTime({ good: refused }), { finding: 'good_first', response: refused })
  assert.equal(inTime({ repeated: refused }).finding, 'passed')
  const slow = { ...respond(200), durationMs: 900 }
  assert.deepEqual(inTime({ repeated: slow }), { finding: 'passed', response: slow })
  const [first] = responsesWith()
  assert.equal(judge(new Map([first!])).at(-1)!.finding, 'not_sent')
})
