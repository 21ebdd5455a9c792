import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addView, parseChoices, VIEWS_MAX } from './table-choices.ts'

test('stored choices are read again unchanged', () => {
  const choices = {
    columns: { transactions: ['amount', 'state'] },
    views: { 'abc transactions': [{ name: 'Failed', query: '?status=failed' }] },
  }
  assert.deepEqual(parseChoices(JSON.stringify({ me: choices })), { me: choices })
  assert.deepEqual(parseChoices(null), {})
})

test('stored text that is not a choice is ignored', () => {
  for (const text of ['', '{', 'null', '1', '"x"', '[]', '[1]']) assert.doesNotThrow(() => parseChoices(text))
  const damaged = {
    me: { columns: { transactions: 'amount', deliveries: [1] }, views: { a: 'x', b: [null, { name: 1 }] } },
    you: null,
  }
  assert.deepEqual(parseChoices(JSON.stringify(damaged)), {
    me: { columns: {}, views: { a: [], b: [] } },
    you: { columns: {}, views: {} },
  })
})

test('a new view replaces a view with the same name, and above the limit the oldest view is dropped', () => {
  const one = { name: 'One', query: '?q=1' }
  assert.deepEqual(addView([one], { name: 'One', query: '?q=2' }), [{ name: 'One', query: '?q=2' }])
  const full = Array.from({ length: VIEWS_MAX }, (_, n) => ({ name: String(n), query: '' }))
  const views = addView(full, one)
  assert.equal(views.length, VIEWS_MAX)
  assert.deepEqual([views[0]!.name, views.at(-1)!.name], ['1', 'One'])
})
