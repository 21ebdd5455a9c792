import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from '@pazar/words'
import { toOrderRows } from './order-line.ts'

const words = catalogue('en').checkout
const toValues = (data: string | null, isLinkSigned = true) =>
  toOrderRows(words, { data, customId: 'order-7', isLinkSigned }).map(([, value]) => value)

test('customId and data of the order are shown only if the merchant signed the link', () => {
  assert.deepEqual(toValues('Kafa i kolač'), ['Kafa i kolač', 'order-7'])
  assert.deepEqual(toValues('Kafa i kolač', false), [null, null])
})

test('unreadable and too long texts are not shown, and two equal texts are shown once', () => {
  for (const data of [null, '', '  ', 'x'.repeat(65), 'two\nlines', '\u202Edesrever', 'a\u0000b'])
    assert.deepEqual(toValues(data), [null, 'order-7'], JSON.stringify(data))
  assert.deepEqual(toValues('order-7'), ['order-7', null])
})
