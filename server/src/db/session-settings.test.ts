import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findShortage } from './connection-budget.ts'
import { findPoolerProblems } from './pooler.ts'
import { findWrongSettings, SESSION_SETTING_NAMES, toAlterRole } from './session-settings.ts'

const GOOD = {
  statement_timeout: '5000',
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '10000',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
}
const wrongOf = (changed: Record<string, string>) =>
  findWrongSettings(new Map(Object.entries({ ...GOOD, ...changed })))

test('a role needs every timeout, at most as long as ours, and the planner settings', () => {
  assert.deepEqual(wrongOf({}), [])
  assert.deepEqual(wrongOf({ statement_timeout: '1' }), [], 'a shorter one is accepted')
  assert.deepEqual(wrongOf({ statement_timeout: '0' }), ['statement_timeout'], '0 means none')
  assert.deepEqual(wrongOf({ lock_timeout: '2001' }), ['lock_timeout'])
  assert.deepEqual(wrongOf({ enable_seqscan: 'on' }), ['enable_seqscan'])
  assert.deepEqual(wrongOf({ jit: 'on' }), ['jit'])
  assert.deepEqual(findWrongSettings(new Map()), SESSION_SETTING_NAMES)
})

test('the statements for the role quote its name and the name of the database', () => {
  assert.equal(
    toAlterRole('pa"zar', 'the shop', ['statement_timeout', 'enable_seqscan']),
    `alter role "pa""zar" in database "the shop" set statement_timeout = '5s'; alter role "pa""zar" in database "the shop" set enable_seqscan = off;`,
  )
})

test('a pooler is refused with missing settings, a pooled direct address, or two databases, each with its setting', () => {
  const facts = {
    role: 'pazar',
    database: 'pazar',
    settings: new Map(Object.entries(GOOD)),
    isSameDatabase: true,
    isDirectPooled: false,
  }
  const placesOf = (changed: Partial<typeof facts>) =>
    findPoolerProblems({ ...facts, ...changed }).map(({ where }) => where)
  assert.deepEqual(placesOf({}), [])
  assert.deepEqual(placesOf({ settings: new Map() }), ['DATABASE_URL'])
  assert.deepEqual(placesOf({ isSameDatabase: false }), ['DATABASE_DIRECT_URL'])
  assert.deepEqual(placesOf({ isDirectPooled: true }), ['DATABASE_DIRECT_URL'])
})

test('connections run short when the processes may open more than the database allows', () => {
  const isShort = (connectionsMax: number, processes: number, isPooled: boolean) =>
    findShortage({ connectionsMax, processes, isPooled }) !== null
  assert.equal(isShort(5 * 17 + 3, 5, false), false)
  assert.equal(isShort(5 * 17 + 2, 5, false), true)
  assert.equal(isShort(20 + 50 + 3, 50, true), false, 'behind a pooler each process needs one')
  assert.equal(isShort(20 + 50 + 2, 50, true), true)
})
