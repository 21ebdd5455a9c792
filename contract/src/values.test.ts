import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import * as api from './index.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

function assertEdges(schema: z.ZodType, accepted: readonly unknown[], refused: readonly unknown[]): void {
  for (const value of accepted)
    assert.equal(accepts(schema, value), true, `should be accepted: ${JSON.stringify(value)}`)
  for (const value of refused)
    assert.equal(accepts(schema, value), false, `should be refused: ${JSON.stringify(value)}`)
}

test('an amount is 1 to 12 digits without a leading zero, as text or as a whole number', () => {
  assertEdges(
    api.amountInput,
    ['1', '999999999999', 1, 999_999_999_999],
    ['', '0', '01', '-1', '1.5', '1e3', ' 1', '1000000000000', 0, -1, 1.5, 1_000_000_000_000, null, true],
  )
  assert.equal(api.amountInput.parse(1500), '1500')
  assertEdges(api.money, ['1', '999999999999'], ['0', '01', '1000000000000', 1])
})

test('a customId has 1 to 128 characters, all visible, and no outer spaces', () => {
  assertEdges(
    api.customId,
    ['a', 'a b', 'ž'.repeat(128), '𝕏'.repeat(128)],
    [
      '',
      ' ',
      ' a',
      'a ',
      'a\u0000b',
      'a\u200Bb',
      'a\u202Eb',
      'a\u2028b',
      'a'.repeat(129),
      '𝕏'.repeat(129),
      7,
    ],
  )
})

test('data has at most 2048 bytes of UTF-8', () => {
  assertEdges(api.dataInput, ['', 'x'.repeat(2048), 'ž'.repeat(1024)], ['x'.repeat(2049), 'ž'.repeat(1025)])
})

test('a name has visible characters and is not longer than its limit', () => {
  const name = api.visibleName(5)
  assertEdges(
    name,
    ['a', 'žžžžž', '𝕏𝕏𝕏𝕏𝕏', '№ 1', 'e\u0301\u0302\u0303'],
    ['', '   ', 'abcdef', 'a\u200Bb', '\u2800', '\u3164', '\u0301', 'a\nb'],
  )
  // If this text were normalized although it is too long, the test would exceed the time limit of the run.
  assertEdges(name, [], [`a${'\u0301'.repeat(500_000)}${'\u0316'.repeat(500_000)}`])
  assertEdges(api.visibleName(50), [`x${'\u0336'.repeat(4)}`], [`x${'\u0336'.repeat(5)}`])
})

test('a project id begins with a letter and has 2 to 32 lowercase letters and digits', () => {
  assertEdges(
    api.projectId,
    ['ab', 'a1', `a${'0'.repeat(31)}`],
    ['', 'a', '1a', 'A1', 'a-b', `a${'0'.repeat(32)}`, 'ab\n'],
  )
})

test('a number in a query has only digits and is within its range', () => {
  assertEdges(api.queryInt(100), ['1', '100', '007'], ['0', '101', '', ' 3', '1e1', '0x3', '2.0', '-1', 5])
  assert.deepEqual(api.auditQuery.parse({}), { limit: 50 })
  assert.deepEqual(api.deliveryQuery.parse({}), { limit: 50 })
  assertEdges(api.auditQuery, [{ limit: '100' }], [{ limit: '101' }, { limit: '0' }, { page: '1' }])
})

test('an e-mail address has one @, a valid domain and at most 254 characters', () => {
  assertEdges(
    api.email,
    ['a@b.me', 'ž.petrović+x@firma.co.me', `${'a'.repeat(247)}@bcd.me`],
    [
      ...['a', 'a@b', '@b.me', 'a@', 'a@@b.me', 'a b@c.me', 'a@b..me', 'a@.me', 'a@b.me.', 'a@-b.me'],
      ...['a@b-.me', 'a,b@c.me', 'a<b@c.me', 'a@b.me\n', `${'a'.repeat(248)}@bcd.me`],
    ],
  )
})

test('an instant has a time zone, and its year in UTC is from 1 to 9999', () => {
  assertEdges(
    api.instant,
    ['2026-07-26T10:00:00Z', '2026-07-26T10:00:00+02:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
    ['2026-07-26', '2026-07-26T10:00:00', '2026-13-01T00:00:00Z', '0001-01-01T00:00:00+02:00', 'now', ''],
  )
  assertEdges(api.instant, [], ['9999-12-31T23:59:59.999-01:00'])
})

test('callback ids and transaction ids are accepted only in their exact format', () => {
  const toParams = (callbackId: string) => ({ id: 'ab', callbackId })
  assertEdges(
    api.deliveryParams,
    [toParams(`msg_${'0'.repeat(32)}`)],
    [`msg_${'0'.repeat(31)}`, `msg_${'0'.repeat(33)}`, `msg_${'G'.repeat(32)}`, '0'.repeat(32)].map(toParams),
  )
  const id = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
  assert.match(id, api.TRANSACTION_ID_PATTERN)
  for (const wrongId of [
    id.replace('-7', '-4'),
    id.replace('-9a', '-ca'),
    id.toUpperCase(),
    `${id}0`,
    ` ${id}`,
  ])
    assert.doesNotMatch(wrongId, api.TRANSACTION_ID_PATTERN)
})
