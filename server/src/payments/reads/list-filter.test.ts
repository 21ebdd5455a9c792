import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseReference, toPrefixRange, toSearch } from './list-filter.ts'
import { toReference } from '../payment.ts'

test('a text is in the range of a prefix if and only if the text begins with the prefix', () => {
  const char = fc.constantFrom(
    'a',
    'b',
    'č',
    '%',
    '_',
    '\u007f',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
    '\u{10ffff}',
  )
  const text = fc.array(char, { maxLength: 4 }).map((chars) => chars.join(''))
  fc.assert(
    fc.property(text, text, (prefix, other) => {
      fc.pre(prefix !== '')
      const { start, end } = toPrefixRange(prefix)
      const bytes = Buffer.from(other)
      const isWithin =
        Buffer.compare(Buffer.from(start), bytes) <= 0 && Buffer.compare(bytes, Buffer.from(end)) < 0
      assert.equal(isWithin, other.startsWith(prefix), JSON.stringify([prefix, other, end]))
    }),
    { numRuns: 5_000 },
  )
})

test('a prefix of only U+10FFFF characters has a range too, and the range includes even the longest text that can be stored', () => {
  const last = '\u{10ffff}'
  const { start, end } = toPrefixRange(last)
  for (const text of [last, last.repeat(3), last.repeat(512)]) assert.ok(text >= start && text < end)
  assert.ok('\u{10fffe}' < start)
})

test('a reference is recognized as it is written on the payer’s page, and in other spellings', () => {
  const id = '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f'
  const reference = toReference(id)
  assert.equal(reference, '1B2C3-D4E5F')
  for (const typed of [reference, reference.toLowerCase(), '1b2c3d4e5f', '1B2C3 D4E5F', `  ${reference} `]) {
    assert.equal(parseReference(typed), '1b2c3d4e5f', typed)
  }
  for (const other of ['', '1B2C3-D4E5', '1B2C3-D4E5FF', 'order-12345', '1B2C3--D4E5F', 'G1234-12345']) {
    assert.equal(parseReference(other), null, other)
  }
})

test('a whole id is searched both as an id and as the beginning of a customId', () => {
  const search = toSearch(' 0198F2C4-A6B1-7C3E-8D5F-0A1B2C3D4E5F')
  assert.equal(search.transactionId, '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f')
  assert.equal(search.customId.start, ' 0198F2C4-A6B1-7C3E-8D5F-0A1B2C3D4E5F')
  assert.equal(toSearch('order-7').transactionId, null)
})
