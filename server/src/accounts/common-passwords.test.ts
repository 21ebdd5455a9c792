import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD_MIN } from '@pazar/contract'
import { COMMON_PASSWORDS } from './common-password-list.ts'
import { isCommonPassword, refuseCommonPassword } from './common-passwords.ts'

const EMAIL = 'marko.petrovic@knjizara.me'

function assertRefused(...passwords: string[]): void {
  for (const one of passwords) assert.equal(isCommonPassword(one, EMAIL), true, one)
}

test('the list has at least 150 passwords, none shorter than the minimum and all in lower case', () => {
  assert.ok(COMMON_PASSWORDS.size >= 150)
  for (const one of COMMON_PASSWORDS) {
    assert.ok(one.length >= PASSWORD_MIN, one)
    assert.equal(one, one.toLowerCase())
  }
})

test('a password of the list is refused in any letter case', () => {
  assertRefused('correcthorsebatterystaple', 'CorrectHorseBatteryStaple', 'MichaelJackson', 'qwer1234asdf')
})

test('a repeated character or a short repeated sequence is refused', () => {
  assertRefused(
    'aaaaaaaaaaaa',
    '            ',
    'abababababab',
    'abcabcabcabca',
    '198419841984',
    'šššššššššššš',
  )
})

test('a sequence is refused, forwards and backwards', () => {
  assertRefused('123456789012', '987654321098', 'abcdefghijklm', 'QWERTYUIOPAS', 'poiuztrewq')
  assertRefused('qwertzuiopasd', '1qaz2wsx3edc', '1q2w3e4r5t6y')
})

test('a sequence is refused, even with a few characters before or after it', () => {
  assertRefused(
    'qwertyuiop12',
    'Asdfghjkl2026',
    '!!1qaz2wsx3edc',
    'zxcvbnm12345',
    '0987654321ab',
    'abcdefghijk?!',
  )
})

test('well-known words are refused, even with digits and symbols around them or substituted characters', () => {
  assertRefused(
    'password2026!',
    'P@ssw0rd1234',
    '!!lozinka!!123',
    'Crnagora2026.',
    'adminadmin2026',
    'welcome-password',
  )
})

test('the product name and the person’s own address are refused, even with digits and symbols around them', () => {
  assertRefused(
    'pazar1234567',
    'Pazar-Pazar-2026',
    EMAIL,
    'marko.petrovic',
    'MarkoPetrovic1990',
    'knjizara.me2026',
  )
})

test('passwords that are hard to guess are accepted', () => {
  for (const one of [
    'tri zelena jaja u gnijezdu',
    'sedam plavih brodova kod obale',
    'k7#mq9!2xLp0',
    'marko voli tamnoplavu boju',
    'passwordless sunset over Durmitor',
    '839201746352',
    'qwerty na obali mora',
    'jutro12345podne',
    'šuma pod snijegom 12',
  ]) {
    assert.equal(isCommonPassword(one, EMAIL), false, one)
  }
})

test('the refusal of a common password names the field', () => {
  assert.throws(() => refuseCommonPassword('password1234', EMAIL), {
    code: 'invalid_request',
    fields: [{ path: 'password', code: 'password_too_common' }],
  })
})

test('a password of the maximum length is accepted if only a part of it consists of weak words', () => {
  const password = 'abc'.repeat(42) + 'x!'
  assert.equal(isCommonPassword(password, EMAIL), false)
})
