import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSealBox } from './seal.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const plain = Buffer.from('sk_live_something')

test('what was sealed opens again, and only in its own context', () => {
  const box = createSealBox([first], 'project-secret')
  const sealed = box.seal(plain, 'project/a/live/1')
  assert.deepEqual(box.open(sealed, 'project/a/live/1'), plain)
  assert.equal(box.open(sealed, 'project/b/live/1'), null)
  assert.equal(box.open(sealed, 'project/a/live/2'), null)
})

test('another purpose under the same master key opens nothing', () => {
  const sealed = createSealBox([first], 'project-secret').seal(plain, 'x')
  assert.equal(createSealBox([first], 'mail-token').open(sealed, 'x'), null)
})

test('every changed byte is noticed', () => {
  const box = createSealBox([first], 'project-secret')
  const sealed = box.seal(plain, 'x')
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed)
    changed[index]! ^= 1
    assert.equal(box.open(changed, 'x'), null, `byte ${index}`)
  }
  for (let length = 0; length < sealed.length; length += 1)
    assert.equal(box.open(sealed.subarray(0, length), 'x'), null)
})

test('while keys are changed the old one still opens and the new one seals', () => {
  const old = createSealBox([first], 'project-secret')
  const both = createSealBox([second, first], 'project-secret')
  const sealed = old.seal(plain, 'x')
  assert.deepEqual(both.open(sealed, 'x'), plain)
  assert.equal(both.isCurrent(sealed), false)
  assert.equal(both.isCurrent(both.seal(plain, 'x')), true)
  assert.equal(createSealBox([second], 'project-secret').open(sealed, 'x'), null)
})

test('the same text never seals to the same bytes', () => {
  const box = createSealBox([first], 'project-secret')
  assert.notDeepEqual(box.seal(plain, 'x'), box.seal(plain, 'x'))
})
