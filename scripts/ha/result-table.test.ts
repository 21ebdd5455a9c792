import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFaults, toTable } from './result-table.ts'
import type { Result } from './result-table.ts'

const VERDICT = { payments: 40, lost: [], chargedTwice: [], stuck: [], wrongResults: [], repeats: 3 }
const PASSED: Result = {
  scenario: 'switchover',
  requests: 90,
  failures: ['POST /pay: 503 unavailable'],
  mayShowErrors: true,
  databaseSec: 4.21,
  servedSec: 1.04,
  verdict: VERDICT,
}

test('a failed request is a fault, except in scenarios where payers may see errors', () => {
  assert.deepEqual(findFaults(PASSED), [])
  assert.deepEqual(findFaults({ ...PASSED, mayShowErrors: false }), [
    'request failed: POST /pay: 503 unavailable',
  ])
})

test('a replica that serves again too late, a lost payment and a scenario without payments are faults', () => {
  assert.deepEqual(findFaults({ ...PASSED, servedSec: 30.5 }), ['a replica served again only after 30.5 s'])
  assert.deepEqual(findFaults({ ...PASSED, verdict: { ...VERDICT, lost: ['p1'] } }), ['lost: p1'])
  assert.deepEqual(findFaults({ ...PASSED, verdict: { ...VERDICT, payments: 0 } }), ['no payment was made'])
})

test('the table has one line per scenario, with its result', () => {
  const rolling = { ...PASSED, scenario: 'rolling', mayShowErrors: false, databaseSec: null }
  const [head, , first, second] = toTable([PASSED, rolling]).split('\n')
  const toCells = (line = '') => line.split('|').map((cell) => cell.trim())
  assert.deepEqual(toCells(head).slice(1, 5), ['scenario', 'payments', 'requests', 'failed'])
  assert.deepEqual(toCells(first).slice(1, -1), [
    ...['switchover', '40', '90', '1', '4.2 s', '1.0 s', '0', '0', '0', '0', '3', 'pass'],
  ])
  assert.equal(toCells(second).at(5), '-')
  assert.equal(toCells(second).at(-2), 'FAIL')
})
