import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuidV7, toFirstUuidV7 } from './id.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ids made in the same millisecond sort in the order in which they were made', () => {
  for (let atMs = 1_800_000_000_000; atMs < 1_800_000_000_005; atMs += 1) {
    const ids = Array.from({ length: 2_000 }, () => newUuidV7({ nowMs: () => atMs }))
    assert.deepEqual(ids.toSorted(), ids)
    assert.ok(ids.every((id) => UUID_V7.test(id)))
  }
})

test('an id sorts after all ids of earlier milliseconds, and not before toFirstUuidV7 of its own millisecond', () => {
  const earlierIds = Array.from({ length: 5_000 }, () => newUuidV7({ nowMs: () => 1_800_000_000_000 }))
  const laterId = newUuidV7({ nowMs: () => 1_800_000_000_001 })
  assert.ok(earlierIds.every((id) => id >= toFirstUuidV7(1_800_000_000_000)))
  assert.ok(earlierIds.every((id) => id < toFirstUuidV7(1_800_000_000_001)))
  assert.ok(laterId >= toFirstUuidV7(1_800_000_000_001))
  assert.equal(new Set(earlierIds).size, earlierIds.length)
})

test('the last part of an id, after the counter, is random', () => {
  const suffixes = Array.from({ length: 100 }, (_, n) =>
    newUuidV7({ nowMs: () => 1_800_000_000_000 + n }).slice(19),
  )
  assert.equal(new Set(suffixes).size, suffixes.length)
})
