// An address can contain anything, because anybody can type one or send one as a link.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  isFiltered,
  isProjectId,
  keepOfferedFilters,
  parseDay,
  parseListSearch,
  parseModeSearch,
  parseNext,
  parseQuery,
  parseRangeSearch,
  parseState,
  parseStatusSearch,
  writeQuery,
} from './search.ts'

before(() => {
  // Of the browser's global objects, search.ts uses only `location`.
  Object.defineProperty(globalThis, 'location', {
    value: new URL('https://pay.example.me/en/sign-in'),
    configurable: true,
  })
})

test('a mode is read only if it is "test" or "live"', () => {
  assert.deepEqual(parseModeSearch({ mode: 'test' }), { mode: 'test' })
  assert.deepEqual(parseModeSearch({ mode: 'live' }), { mode: 'live' })
  for (const mode of ['TEST', '', 1, null, undefined, ['test']])
    assert.deepEqual(parseModeSearch({ mode }), {})
})

test('a day is read only if it exists and is in this century', () => {
  for (const day of ['2026-07-26', '2024-02-29', '2000-01-01', '2099-12-31']) assert.equal(parseDay(day), day)
  for (const day of [
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '1999-12-31',
    '0202-01-01',
    '2026-07-26T',
    '',
    20260726,
    null,
  ])
    assert.equal(parseDay(day), undefined, String(day))
})

test('long filters are cut, and invalid ones are left out', () => {
  assert.deepEqual(
    parseListSearch({ q: 'x'.repeat(200), status: 'y'.repeat(30), row: 'z'.repeat(70), page: '2' }),
    {
      q: 'x'.repeat(128),
      status: 'y'.repeat(20),
      row: 'z'.repeat(64),
      page: 2,
    },
  )
  assert.deepEqual(parseListSearch({ q: 7, from: '2026-07-01', to: 'soon', outcome: '' }), {
    q: '7',
    from: '2026-07-01',
  })
  for (const page of ['1', '0', '-2', '1.5', '10001', 'x', ''])
    assert.deepEqual(parseListSearch({ page }), {}, page)
  assert.deepEqual(parseListSearch({ page: '10000' }), { page: 10_000 })
})

test('a state or an outcome counts as a filter only if the list offers it', () => {
  const offered = { states: { succeeded: 'Successful' }, outcomes: { timeout: 'Timed out' } }
  const known = { status: 'succeeded', outcome: 'timeout', q: 'a', page: 2 }
  assert.deepEqual(keepOfferedFilters(known, offered), known)
  assert.deepEqual(keepOfferedFilters(known, { states: offered.states }), {
    status: 'succeeded',
    q: 'a',
    page: 2,
  })
  for (const name of ['foo', 'toString'])
    assert.deepEqual(keepOfferedFilters({ status: name, outcome: name }, offered), {})
  for (const filter of [{ q: 'a' }, { status: 'b' }, { outcome: 'c' }, { from: 'd' }, { to: 'e' }])
    assert.equal(isFiltered(filter), true)
  assert.equal(isFiltered({ page: 2, row: 'r', order: 'oldest' }), false)
})

test('only the customId is read from the URL of a status check, and it is not cut', () => {
  for (const customId of ['😀'.repeat(128), 'x'.repeat(129), 'order 7'])
    assert.deepEqual(parseStatusSearch({ q: customId, page: '2' }), { q: customId })
  assert.deepEqual([parseStatusSearch({}), parseStatusSearch({ q: '' })], [{}, {}])
})

test('a range is either a first and a last day in this order, or the last 30 or 90 days', () => {
  const days = { from: '2026-07-01', to: '2026-07-26' }
  assert.deepEqual(parseRangeSearch({ ...days, days: '30' }), days)
  assert.deepEqual(parseRangeSearch({ from: '2026-07-01', to: '2026-07-01' }), {
    from: '2026-07-01',
    to: '2026-07-01',
  })
  assert.deepEqual(parseRangeSearch({ from: days.to, to: days.from, days: '90' }), { days: 90 })
  for (const search of [{ days: '7' }, { days: '31' }, { from: days.from }, {}])
    assert.deepEqual(parseRangeSearch(search), {})
})

test('a state is read only if payments can have it', () => {
  for (const state of ['processing', 'requires_action', 'succeeded', 'failed', 'expired'])
    assert.equal(parseState(state), state)
  for (const state of ['paid', '', undefined]) assert.equal(parseState(state), undefined)
})

test('only a page of this portal can be opened after signing in', () => {
  assert.deepEqual(parseNext({ next: '/en/projects?mode=test#x' }), { next: '/en/projects?mode=test#x' })
  assert.deepEqual(parseNext({ next: '/cnr/account' }), { next: '/cnr/account' })
  for (const next of [
    ...['//evil.example/en/', 'https://evil.example/en/', '/\\evil.example/en/', '/\t/evil.example/en/'],
    ...[
      'javascript:alert(1)',
      '/pay?amount=1',
      '/de/projects',
      '/en',
      '/en/../pay',
      '',
      'en/projects',
      7,
      null,
    ],
  ])
    assert.deepEqual(parseNext({ next }), {}, String(next))
})

test('every value of a query stays text', () => {
  const query = parseQuery('?q=1e5&row=00012345678901234567&x=a%20b')
  assert.deepEqual(query, { q: '1e5', row: '00012345678901234567', x: 'a b' })
  assert.equal(writeQuery({ q: '1e5', page: 2, row: undefined, to: null }), '?q=1e5&page=2')
  assert.equal(writeQuery({ row: undefined }), '')
})

test('only a text in the right format is the id of a project', () => {
  for (const id of ['ab', `a${'0'.repeat(31)}`]) assert.equal(isProjectId(id), true, id)
  for (const id of ['a', '1a', 'a/b', '../x', 'AB', `a${'0'.repeat(32)}`, 'ab\n', ''])
    assert.equal(isProjectId(id), false)
})
