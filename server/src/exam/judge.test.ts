import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answers, Finding, ShopAnswer } from './judge.ts'
import { isPassed, judge } from './judge.ts'
import { SCENARIOS } from './scenarios.ts'

function answer(statusCode: number): ShopAnswer {
  const outcome = statusCode < 300 ? 'delivered' : 'http_error'
  return { outcome, statusCode, error: null, responseExcerpt: null, durationMs: 5 }
}

/** A merchant who accepts what is right and refuses what is not, but for these. */
function answersWith(changes: Record<string, ShopAnswer> = {}): Answers {
  return new Map(
    SCENARIOS.map(({ name, expects }) => [name, changes[name] ?? answer(expects === 'accepted' ? 200 : 401)]),
  )
}

const findingOf = (answers: Answers, name: string): Finding | undefined =>
  judge(answers).find((verdict) => verdict.name === name)?.finding

test('whoever accepts what is right and refuses what is not passes', () => {
  assert.deepEqual(
    judge(answersWith()).filter((verdict) => !isPassed(verdict)),
    [],
  )
})

for (const { name } of SCENARIOS.filter(({ expects }) => expects === 'refused')) {
  test(`${name}: accepted is a fault, a fault of the server is not a refusal, and "not now" is none either`, () => {
    const found = (statusCode: number) => findingOf(answersWith({ [name]: answer(statusCode) }), name)
    assert.deepEqual([found(200), found(204)], ['own_fault', 'own_fault'])
    assert.deepEqual([found(400), found(401), found(403)], ['passed', 'passed', 'passed'])
    assert.deepEqual([found(500), found(429), found(408)], ['broke', 'not_delivered', 'not_delivered'])
    assert.equal(
      judge(answersWith({ [name]: answer(200) })).filter((verdict) => !isPassed(verdict)).length,
      1,
    )
  })
}

test('whoever refuses everything has told nothing apart', () => {
  const all = Object.fromEntries(SCENARIOS.map(({ name }) => [name, answer(401)]))
  const findings = judge(answersWith(all)).map(({ name, finding }) => [name, finding])
  assert.deepEqual(
    findings.filter(([, finding]) => finding === 'passed').map(([name]) => name),
    ['in_time'],
  )
})
