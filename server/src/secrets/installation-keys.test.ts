import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'

const service = await startTestService()

test('another master key is refused with a sentence also where nothing but an installation key is sealed', async () => {
  await service.deps.erasedOrders.begin()
  const other = { SECRETS_KEY: randomBytes(32).toString('base64') }
  await assert.rejects(service.replica(other), /sealed under another key than SECRETS_KEY/)
  // Nor is a new one made.
  await assert.rejects(service.replica({ SECRETS_KEY: '' }), /secrets\.key is missing/)
  await assert.rejects(access(path.join(service.dataDir, 'secrets.key')))
})
