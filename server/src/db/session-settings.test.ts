import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findShortage } from './connection-budget.ts'
import { findPoolerProblems } from './pooler.ts'
import { findWrongSettings, SESSION_SETTING_NAMES, toAlterRole } from './session-settings.ts'

const GOOD_SETTINGS = {
  statement_timeout: '5000',
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '10000',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  DateStyle: 'ISO, DMY',
}
const findWrong = (changed: Record<string, string>) =>
  findWrongSettings(new Map(Object.entries({ ...GOOD_SETTINGS, ...changed })))

test('a database role needs our planner settings, our date style and every timeout; its timeouts may be shorter than ours', () => {
  assert.deepEqual(findWrong({}), [])
  assert.deepEqual(findWrong({ statement_timeout: '1' }), [], 'a shorter timeout is accepted')
  assert.deepEqual(findWrong({ statement_timeout: '0' }), ['statement_timeout'], '0 means no timeout')
  assert.deepEqual(findWrong({ lock_timeout: '2001' }), ['lock_timeout'])
  assert.deepEqual(findWrong({ enable_seqscan: 'on' }), ['enable_seqscan'])
  assert.deepEqual(findWrong({ jit: 'on' }), ['jit'])
  assert.deepEqual(findWrong({ DateStyle: 'German, DMY' }), ['DateStyle'])
  assert.deepEqual(findWrongSettings(new Map()), SESSION_SETTING_NAMES)
})

test('the "alter role" statements quote the name of the role and the name of the database', () => {
  assert.equal(
    toAlterRole('pa"zar', 'the shop', ['statement_timeout', 'jit', 'DateStyle']),
    ["statement_timeout = '5s'", 'jit = off', "DateStyle = 'ISO'"]
      .map((setting) => `alter role "pa""zar" in database "the shop" set ${setting};`)
      .join(' '),
  )
})

test('missing settings are a problem of DATABASE_URL; if DATABASE_DIRECT_URL leads to another database or a pooler, that is a problem of DATABASE_DIRECT_URL', () => {
  const facts = {
    role: 'pazar',
    database: 'pazar',
    settings: new Map(Object.entries(GOOD_SETTINGS)),
    isSameDatabase: true,
    isDirectPooled: false,
  }
  const findSettings = (changed: Partial<typeof facts>) =>
    findPoolerProblems({ ...facts, ...changed }).map(({ where }) => where)
  assert.deepEqual(findSettings({}), [])
  assert.deepEqual(findSettings({ settings: new Map() }), ['DATABASE_URL'])
  assert.deepEqual(findSettings({ isSameDatabase: false }), ['DATABASE_DIRECT_URL'])
  assert.deepEqual(findSettings({ isDirectPooled: true }), ['DATABASE_DIRECT_URL'])
})

test('a shortage is found when the processes may open more connections than the database allows', () => {
  const hasShortage = (connectionsMax: number, processes: number, isPooled: boolean) =>
    findShortage({ connectionsMax, processes, isPooled }) !== null
  // Each process needs 17 connections, a pooler has 20 of its own, and 3 more must stay free.
  assert.equal(hasShortage(5 * 17 + 3, 5, false), false)
  assert.equal(hasShortage(5 * 17 + 2, 5, false), true)
  assert.equal(
    hasShortage(20 + 50 + 3, 50, true),
    false,
    'behind a pooler, each process needs only one connection',
  )
  assert.equal(hasShortage(20 + 50 + 2, 50, true), true)
})
