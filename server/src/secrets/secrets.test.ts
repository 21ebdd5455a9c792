import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { statement } from '../db/pool.ts'
import { createSealBox } from '../lib/seal.ts'
import { readMasterKeys } from '../lib/master-key.ts'
import { rekeySecrets } from './rekey.ts'
import { readSecret } from './secrets.ts'

const service = await startTestService()
const { deps } = service

const COPY_SEALED = statement(
  'test.copy_sealed',
  `update project_secrets a set sealed = b.sealed from project_secrets b
   where a.project_id = $1 and a.mode = $2 and b.project_id = $3 and b.mode = $4`,
)

test('a sealed secret that was copied to another project or mode cannot be opened', async () => {
  const owner = await signUp(service.app)
  const [first, second] = [await owner.addProject(), await owner.addProject()]
  await deps.db.query(COPY_SEALED, [first.id, 'live', second.id, 'live'])
  await assert.rejects(readSecret(deps, deps.db, first.id, 'live'), /cannot be opened/)
  await deps.db.query(COPY_SEALED, [second.id, 'test', second.id, 'live'])
  await assert.rejects(readSecret(deps, deps.db, second.id, 'test'), /cannot be opened/)
})

test('rekeying seals every secret with the new master key and does not change the secrets', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const [liveSecret, testSecret] = [
    await readSecret(deps, deps.db, id, 'live'),
    await readSecret(deps, deps.db, id, 'test'),
  ]
  await deps.db.query(statement('test.forget', 'delete from project_secrets where project_id <> $1'), [id])

  const [oldKey] = await readMasterKeys(service.config)
  const newKey = randomBytes(32)
  const withBothKeys = { ...deps, secretBox: createSealBox([newKey, oldKey], 'project-secret') }
  assert.equal(await rekeySecrets(withBothKeys), 2)
  assert.equal(await rekeySecrets(withBothKeys), 0)

  const withNewKey = { secretBox: createSealBox([newKey], 'project-secret') }
  assert.equal(await readSecret(withNewKey, deps.db, id, 'live'), liveSecret)
  assert.equal(await readSecret(withNewKey, deps.db, id, 'test'), testSecret)
  await assert.rejects(readSecret(deps, deps.db, id, 'live'), /cannot be opened/)
})
