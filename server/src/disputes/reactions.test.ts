import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DISPUTE_REACTIONS, DISPUTE_REPORTS, DISPUTE_STATES } from './reactions.ts'

const STATES = ['new', ...DISPUTE_STATES] as const

test('the table has a reaction for every state and report, and nothing else', () => {
  assert.deepEqual(Object.keys(DISPUTE_REACTIONS).toSorted(), STATES.toSorted())
  for (const state of STATES)
    assert.deepEqual(Object.keys(DISPUTE_REACTIONS[state]).toSorted(), DISPUTE_REPORTS.toSorted(), state)
})

test('a dispute moves only forward, and to what is reported', () => {
  for (const state of STATES)
    for (const report of DISPUTE_REPORTS) {
      const reaction = DISPUTE_REACTIONS[state][report]
      if (reaction.act !== 'move') continue
      assert.equal(reaction.state, report)
      assert.ok(STATES.indexOf(state) < STATES.indexOf(reaction.state), `${state} + ${report}`)
      assert.ok(state !== 'won' && state !== 'lost')
    }
})
