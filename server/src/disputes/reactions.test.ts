import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disputeState } from '@pazar/contract'
import { DISPUTE_REACTIONS, DISPUTE_REPORTS } from './reactions.ts'

const STATES = ['new', ...disputeState.options] as const

test('DISPUTE_REACTIONS has a reaction for every state and report, and nothing else', () => {
  assert.deepEqual(Object.keys(DISPUTE_REACTIONS).toSorted(), STATES.toSorted())
  for (const state of STATES)
    assert.deepEqual(Object.keys(DISPUTE_REACTIONS[state]).toSorted(), DISPUTE_REPORTS.toSorted(), state)
})

test('a dispute moves only forward, only to the reported state, and not at all after it is won or lost', () => {
  for (const state of STATES)
    for (const report of DISPUTE_REPORTS) {
      const reaction = DISPUTE_REACTIONS[state][report]
      if (reaction.act !== 'move') continue
      assert.equal(reaction.state, report)
      assert.ok(STATES.indexOf(state) < STATES.indexOf(reaction.state), `${state} + ${report}`)
      assert.ok(state !== 'won' && state !== 'lost')
    }
})

/**
 * Each word is the reaction to one report, in the order of DISPUTE_REPORTS: the next state, `=` (no change), or the
 * kind of incident.
 */
const PROMISED: Record<(typeof STATES)[number], string> = {
  new: 'inquiry open won lost dispute_mismatch',
  inquiry: '= open won lost dispute_mismatch',
  open: '= = won lost dispute_mismatch',
  won: '= = = dispute_contradiction dispute_mismatch',
  lost: '= = dispute_contradiction = dispute_mismatch',
}

test('each report in each state has exactly the reaction that is listed here', () => {
  for (const state of STATES) {
    const reactions = DISPUTE_REPORTS.map((report) => {
      const reaction = DISPUTE_REACTIONS[state][report]
      if (reaction.act === 'keep') return '='
      return reaction.act === 'move' ? reaction.state : reaction.kind
    })
    assert.equal(reactions.join(' '), PROMISED[state], state)
  }
})
