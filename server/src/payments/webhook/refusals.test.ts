import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRefusalCount } from './refusals.ts'

const MINUTE_MS = 60_000

test('the fifth forged webhook within ten minutes raises an incident; later ones raise at most one incident a minute', () => {
  const count = createRefusalCount()
  // A webhook comes every 100 ms, so the 600th webhook after the fifth comes a minute later.
  const raised = Array.from({ length: 1000 }, (_, n) => count.record('http', 'webhook_refused', n * 100))
  assert.deepEqual(
    raised.flatMap((isRaised, n) => (isRaised ? [n] : [])),
    [4, 604],
  )
})

test('a few forged webhooks over a longer time raise no incident', () => {
  const count = createRefusalCount()
  for (let n = 0; n < 100; n += 1)
    assert.equal(count.record('http', 'webhook_refused', n * 3 * MINUTE_MS), false)
})

test('a signed webhook that cannot be parsed raises an incident immediately, separately for each upstream', () => {
  const count = createRefusalCount()
  assert.equal(count.record('http', 'webhook_unusable', 0), true)
  assert.equal(count.record('http', 'webhook_unusable', 1), false)
  assert.equal(count.record('stripe', 'webhook_unusable', 2), true)
  assert.equal(count.record('http', 'webhook_unusable', MINUTE_MS), true)
})
