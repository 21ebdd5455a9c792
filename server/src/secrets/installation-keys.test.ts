import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import { ensureInstallationKey } from './installation-keys.ts'

const service = await startTestService()

test('two processes that create an installation key at the same time get the same key', async () => {
  const { db, installationKeys: box } = service.deps
  const make = (processDb: typeof db) => ensureInstallationKey(processDb, box, 'custom-id-hash')
  let otherKey: Buffer | null = null
  const { deps } = recordStatements(service.deps, async (name, run) => {
    if (name === 'installation_keys.insert') otherKey = await make(db)
    return run()
  })
  const ownKey = await make(deps.db)
  assert.notEqual(otherKey, null)
  assert.deepEqual(ownKey, otherKey)
})

test('a service with an installation key does not start with another master key or without one', async () => {
  await service.deps.erasedOrders.begin()
  const other = { SECRETS_KEY: randomBytes(32).toString('base64') }
  await assert.rejects(service.replica(other), /sealed under another key than SECRETS_KEY/)
  await assert.rejects(service.replica({ SECRETS_KEY: '' }), /secrets\.key is missing/)
  await assert.rejects(access(path.join(service.dataDir, 'secrets.key')))
})
