import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Responses, Finding, MerchantResponse } from './judge.ts'
import { isPassed, judge } from './judge.ts'
import { SCENARIOS } from './scenarios.ts'

function respond(statusCode: number): MerchantResponse {
  const outcome = statusCode < 300 ? 'delivered' : 'http_error'
  return { outcome, statusCode, error: null, responseExcerpt: null, durationMs: 5 }
}

/** A merchant who accepts valid callbacks and refuses forged ones, except for these changes. */
function responsesWith(changes: Record<string, MerchantResponse> = {}): Responses {
  return new Map(
    SCENARIOS.map(({ name, expects }) => [
      name,
      changes[name] ?? respond(expects === 'accepted' ? 200 : 401),
    ]),
  )
}

const findingOf = (responses: Responses, name: string): Finding | undefined =>
  judge(responses).find((verdict) => verdict.name === name)?.finding

test('a merchant who accepts valid callbacks and refuses forged ones passes', () => {
  assert.deepEqual(
    judge(responsesWith()).filter((verdict) => !isPassed(verdict)),
    [],
  )
})

for (const { name } of SCENARIOS.filter(({ expects }) => expects === 'refused')) {
  test(`${name}: accepting it is a fault, and neither 5xx nor a retry status counts as a refusal`, () => {
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

test('a server that refuses everything passes only the response time', () => {
  const all = Object.fromEntries(SCENARIOS.map(({ name }) => [name, respond(401)]))
  const findings = judge(responsesWith(all)).map(({ name, finding }) => [name, finding])
  assert.deepEqual(
    findings.filter(([, finding]) => finding === 'passed').map(([name]) => name),
    ['in_time'],
  )
})
