import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSafety } from './safety.ts'

const WEAK_ACCOUNT = { passkeys: 0, hasApp: false, recoveryCodesLeft: 0, emailConfirmed: true }

test('an account without a second factor is "weak", one that lacks nothing or only a spare factor is "strong", and any other is "fair"', () => {
  const toLevel = (facts: Partial<typeof WEAK_ACCOUNT>) => toSafety({ ...WEAK_ACCOUNT, ...facts }).level
  assert.equal(toLevel({}), 'weak')
  // Recovery codes alone do not count as a second factor.
  assert.equal(toLevel({ recoveryCodesLeft: 10 }), 'weak')
  assert.equal(toLevel({ hasApp: true, recoveryCodesLeft: 2 }), 'fair')
  assert.equal(toLevel({ passkeys: 1, recoveryCodesLeft: 10, emailConfirmed: false }), 'fair')
  assert.equal(toLevel({ passkeys: 1, recoveryCodesLeft: 3 }), 'strong')
  assert.equal(toLevel({ hasApp: true, recoveryCodesLeft: 10 }), 'strong')
})

test('missing parts are named; a spare factor and recovery codes count as missing only if there is a second factor', () => {
  const listMissing = (facts: Partial<typeof WEAK_ACCOUNT>) =>
    toSafety({ ...WEAK_ACCOUNT, ...facts })
      .checks.filter(({ isDone }) => !isDone)
      .map(({ name }) => name)
  assert.deepEqual(listMissing({ emailConfirmed: false }), ['factor', 'email'])
  assert.deepEqual(listMissing({ hasApp: true, emailConfirmed: false }), ['spare', 'codes', 'email'])
  assert.deepEqual(listMissing({ passkeys: 1, recoveryCodesLeft: 10 }), ['spare'])
  assert.deepEqual(listMissing({ passkeys: 1, hasApp: true, recoveryCodesLeft: 10 }), [])
})
