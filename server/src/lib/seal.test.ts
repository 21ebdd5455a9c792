import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSealBox } from './seal.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const plain = Buffer.from('sk_live_something')

test('a sealed value can be opened in its own context only', () => {
  const box = createSealBox([oldKey], 'project-secret')
  const sealed = box.seal(plain, 'project/a/live/1')
  assert.deepEqual(box.open(sealed, 'project/a/live/1'), plain)
  assert.equal(box.open(sealed, 'project/b/live/1'), null)
  assert.equal(box.open(sealed, 'project/a/live/2'), null)
})

test('a sealed value cannot be opened for another purpose with the same master key', () => {
  const sealed = createSealBox([oldKey], 'project-secret').seal(plain, 'x')
  assert.equal(createSealBox([oldKey], 'mail-token').open(sealed, 'x'), null)
})

test('a value with any changed byte cannot be opened', () => {
  const box = createSealBox([oldKey], 'project-secret')
  const sealed = box.seal(plain, 'x')
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed)
    changed[index]! ^= 1
    assert.equal(box.open(changed, 'x'), null, `byte ${index}`)
  }
  for (let length = 0; length < sealed.length; length += 1)
    assert.equal(box.open(sealed.subarray(0, length), 'x'), null)
})

test('while the master key is being replaced, old values can still be opened, and new values are sealed with the new key', () => {
  const withOldKey = createSealBox([oldKey], 'project-secret')
  const withBothKeys = createSealBox([newKey, oldKey], 'project-secret')
  const sealed = withOldKey.seal(plain, 'x')
  assert.deepEqual(withBothKeys.open(sealed, 'x'), plain)
  assert.equal(withBothKeys.isCurrent(sealed), false)
  assert.equal(withBothKeys.isCurrent(withBothKeys.seal(plain, 'x')), true)
  assert.equal(createSealBox([newKey], 'project-secret').open(sealed, 'x'), null)
})

test('sealing the same text twice gives different bytes', () => {
  const box = createSealBox([oldKey], 'project-secret')
  assert.notDeepEqual(box.seal(plain, 'x'), box.seal(plain, 'x'))
})
