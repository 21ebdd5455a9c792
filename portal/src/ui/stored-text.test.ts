import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { createStoredText } from './stored-text.ts'

/** Replaces Node's own `localStorage`, which needs a file. */
function replaceStorage(get: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): void {
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get })
}

const original = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
afterEach(() => {
  if (original) Object.defineProperty(globalThis, 'localStorage', original)
})

test('a text is stored, read and deleted', () => {
  const stored = new Map<string, string>()
  replaceStorage(() => ({
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => void stored.set(key, text),
    removeItem: (key) => void stored.delete(key),
  }))
  const one = createStoredText('localStorage', 'one')
  assert.equal(one.read(), null)
  one.write('a')
  assert.deepEqual([one.read(), stored.get('one')], ['a', 'a'])
  one.write(null)
  assert.deepEqual([one.read(), stored.size], [null, 0])
})

test('if the browser blocks its storage, a text lasts until the reload', () => {
  replaceStorage(() => {
    throw new Error('SecurityError')
  })
  const one = createStoredText('localStorage', 'one')
  assert.equal(one.read(), null)
  one.write('a')
  assert.equal(one.read(), 'a')
  one.write(null)
  assert.equal(one.read(), null)
  assert.equal(createStoredText('localStorage', 'one').read(), null)
})

test('if the storage is full, read() returns the new text and not the old text in the storage', () => {
  replaceStorage(() => ({
    getItem: () => 'old',
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
    removeItem: () => undefined,
  }))
  const one = createStoredText('localStorage', 'one')
  one.write('new')
  assert.equal(one.read(), 'new')
})
