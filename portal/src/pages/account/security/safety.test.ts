import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSafety } from './safety.ts'

const NOTHING = { passkeys: 0, hasApp: false, recoveryCodesLeft: 0, emailConfirmed: true }

test('an account is weak without a second factor, fair with something left to do, and strong with all of it', () => {
  const levelOf = (facts: Partial<typeof NOTHING>) => toSafety({ ...NOTHING, ...facts }).level
  assert.equal(levelOf({}), 'weak')
  // Codes alone are no second factor.
  assert.equal(levelOf({ recoveryCodesLeft: 10 }), 'weak')
  assert.equal(levelOf({ hasApp: true, recoveryCodesLeft: 2 }), 'fair')
  assert.equal(levelOf({ passkeys: 1, recoveryCodesLeft: 10, emailConfirmed: false }), 'fair')
  assert.equal(levelOf({ passkeys: 1, recoveryCodesLeft: 3 }), 'strong')
  assert.equal(levelOf({ hasApp: true, recoveryCodesLeft: 10 }), 'strong')
})

test('each thing to do is named, and a second way in is only good to have', () => {
  const missing = (facts: Partial<typeof NOTHING>) =>
    toSafety({ ...NOTHING, ...facts })
      .checks.filter(({ isRight }) => !isRight)
      .map(({ name }) => name)
  assert.deepEqual(missing({ emailConfirmed: false }), ['factor', 'email'])
  assert.deepEqual(missing({ hasApp: true, emailConfirmed: false }), ['spare', 'codes', 'email'])
  assert.deepEqual(missing({ passkeys: 1, recoveryCodesLeft: 10 }), ['spare'])
  assert.deepEqual(missing({ passkeys: 1, hasApp: true, recoveryCodesLeft: 10 }), [])
})
