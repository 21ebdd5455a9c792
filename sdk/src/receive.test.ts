import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BODY_BYTES_MAX } from './limits.ts'
import { readBytes } from './receive.ts'

async function* inChunks(...lengths: number[]): AsyncGenerator<Uint8Array> {
  for (const length of lengths) yield new Uint8Array(length).fill(7)
}

test('a body of exactly the limit is read whole, and a body with one byte more is refused', async () => {
  assert.equal(BODY_BYTES_MAX, 64 * 1024)
  for (const lengths of [[BODY_BYTES_MAX], [BODY_BYTES_MAX - 1, 1], [0, BODY_BYTES_MAX]]) {
    const bytes = await readBytes(inChunks(...lengths))
    assert.equal(bytes?.length, BODY_BYTES_MAX)
    assert.ok(bytes.every((byte) => byte === 7))
  }
  for (const lengths of [[BODY_BYTES_MAX + 1], [BODY_BYTES_MAX, 1], [1, BODY_BYTES_MAX]])
    assert.equal(await readBytes(inChunks(...lengths)), null)
  assert.equal((await readBytes(inChunks()))?.length, 0)
})
