import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSealBox } from './seal.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const plain = Buffer.from('sk_live_something')

test('a sealed value can be opened in its own context only', () => {
  const box = createSealBox([first], 'project-secret')
  const sealed = box.seal(plain, 'project/a/live/1')
  assert.deepEqual(box.open(sealed, 'project/a/live/1'), plain)
  assert.equal(box.open(sealed, 'project/b/live/1'), null)
  assert.equal(box.open(sealed, 'project/a/live/2'), null)
})

test('a sealed value cannot be opened for another purpose with the same master key', () => {
  const sealed = createSealBox([first], 'project-secret').seal(plain, 'x')
  assert.equal(createSealBox([first], 'mail-token').open(sealed, 'x'), null)
})

test('a value with any changed byte cannot be opened', () => {
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

test('during a key change the old key still opens and the new key seals', () => {
  const old = createSealBox([first], 'project-secret')
  const both = createSealBox([second, first], 'project-secret')
  const sealed = old.seal(plain, 'x')
  assert.deepEqual(both.open(sealed, 'x'), plain)
  assert.equal(both.isCurrent(sealed), false)
  assert.equal(both.isCurrent(both.seal(plain, 'x')), true)
  assert.equal(createSealBox([second], 'project-secret').open(sealed, 'x'), null)
})

test('sealing the same text twice gives different bytes', () => {
  const box = createSealBox([first], 'project-secret')
  assert.notDeepEqual(box.seal(plain, 'x'), box.seal(plain, 'x'))
})
