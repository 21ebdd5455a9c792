import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ATTEMPT_TOKEN_MAX, CUSTOM_ID_MAX, DATA_MAX_BYTES } from '@pazar/contract'
import { createSealBox } from '../lib/seal.ts'
import { newAttemptId, nextAttemptId, openAttempt, sealAttempt } from './attempt-token.ts'

const BOX = createSealBox([Buffer.alloc(32, 7)], 'attempt-token')
const NOW_MS = Date.parse('2026-11-15T12:00:00Z')
const HOUR_MS = 3_600_000
const LINK = {
  projectId: 'tz4a98xxat96iws9zmbrgj3a',
  amount: '1500',
  data: 'Narudžba 7',
  customId: 'order-7',
  mode: 'live' as const,
  exp: null,
  sig: null,
}
const ATTEMPT = { id: newAttemptId(), link: LINK, replaces: null, shown: { currency: 'EUR', scale: 2 } }

test('opening a token returns the sealed attempt', () => {
  const token = sealAttempt(BOX, ATTEMPT, NOW_MS)
  assert.deepEqual(openAttempt(BOX, token, NOW_MS), {
    ...ATTEMPT,
    checkoutId: ATTEMPT.id,
    sealedMs: NOW_MS,
    isTooOld: false,
  })
})

test('the checkout id of a token is the sealed checkout id, or the attempt id if no checkout id was sealed', () => {
  const first = openAttempt(BOX, sealAttempt(BOX, ATTEMPT, NOW_MS), NOW_MS)!
  const second = { ...ATTEMPT, id: nextAttemptId(first.id), checkoutId: first.checkoutId }
  assert.equal(openAttempt(BOX, sealAttempt(BOX, second, NOW_MS), NOW_MS)?.checkoutId, ATTEMPT.id)
})

test('a token is valid for an hour and then reported as expired', () => {
  const token = sealAttempt(BOX, ATTEMPT, NOW_MS)
  assert.equal(openAttempt(BOX, token, NOW_MS + HOUR_MS)?.isTooOld, false)
  assert.equal(openAttempt(BOX, token, NOW_MS + HOUR_MS + 1)?.isTooOld, true)
})

test('a token is refused if any byte is changed, if it is cut at any byte, or if a byte is added', (t) => {
  const token = sealAttempt(BOX, ATTEMPT, NOW_MS)
  const bytes = Buffer.from(token, 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    for (const mask of [0x01, 0x80, 0xff]) {
      const changed = Buffer.from(bytes)
      changed[index]! ^= mask
      assert.equal(openAttempt(BOX, changed.toString('base64url'), NOW_MS), null, `byte ${index} ^ ${mask}`)
    }
    assert.equal(
      openAttempt(BOX, bytes.subarray(0, index).toString('base64url'), NOW_MS),
      null,
      `cut at ${index}`,
    )
  }
  assert.equal(openAttempt(BOX, Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url'), NOW_MS), null)
  t.diagnostic(`${bytes.length} bytes: each was changed in three ways, and the token was cut before each`)
})

test('other base64 spellings of a token, and texts that are no token, are refused', () => {
  const token = sealAttempt(BOX, ATTEMPT, NOW_MS)
  for (const other of ['', ' ', `${token}=`, `${token}==`, ` ${token}`, `${token}\n`, 'AAAA', '💶', '%00'])
    assert.equal(openAttempt(BOX, other, NOW_MS), null, other)
})

test('a token sealed for another purpose or with an unknown key is refused', () => {
  const token = sealAttempt(BOX, ATTEMPT, NOW_MS)
  const otherKey = createSealBox([Buffer.alloc(32, 8)], 'attempt-token')
  const otherPurpose = createSealBox([Buffer.alloc(32, 7)], 'mail-token')
  assert.equal(openAttempt(otherKey, token, NOW_MS), null)
  assert.equal(openAttempt(otherPurpose, token, NOW_MS), null)
  const rekeyed = createSealBox([Buffer.alloc(32, 8), Buffer.alloc(32, 7)], 'attempt-token')
  assert.equal(openAttempt(rekeyed, token, NOW_MS)?.id, ATTEMPT.id)
})

test('the same attempt sealed twice gives two different tokens', () => {
  assert.notEqual(sealAttempt(BOX, ATTEMPT, NOW_MS), sealAttempt(BOX, ATTEMPT, NOW_MS))
})

test('the longest possible link makes a token that is accepted', () => {
  const longest = {
    ...LINK,
    amount: '9'.repeat(12),
    data: '\u0001'.repeat(DATA_MAX_BYTES),
    customId: '"'.repeat(CUSTOM_ID_MAX),
    exp: '9'.repeat(12),
    sig: 'x'.repeat(200),
  }
  const token = sealAttempt(BOX, { ...ATTEMPT, link: longest, replaces: newAttemptId() }, NOW_MS)
  assert.ok(token.length <= ATTEMPT_TOKEN_MAX, String(token.length))
  assert.deepEqual(openAttempt(BOX, token, NOW_MS)?.link, longest)
})

test('the id of the next attempt depends only on the id of the attempt before it, and is a valid uuid', () => {
  const next = nextAttemptId(ATTEMPT.id)
  assert.equal(nextAttemptId(ATTEMPT.id), next)
  assert.notEqual(next, ATTEMPT.id)
  assert.notEqual(nextAttemptId(next), next)
  assert.match(next, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(openAttempt(BOX, sealAttempt(BOX, { ...ATTEMPT, id: next }, NOW_MS), NOW_MS)?.id, next)
})
