import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { readMasterKeys } from '../lib/master-key.ts'
import { createSealBox } from '../lib/seal.ts'
import { ensureInstallationKey, findInstallationKey, rekeyInstallationKeys } from './installation-keys.ts'
import { discardNextSecret, prepareSecret, promoteSecret, rekeyNextSecrets } from './next-secret.ts'
import { readSecret } from './secrets.ts'

const service = await startTestService()
const { deps } = service
const { db } = deps
const owner = await signUp(service.app)
const account = (await findAccountByEmail(db, owner.email))!
const [{ id }, other] = [await owner.addProject(), await owner.addProject()]
const [oldKey] = await readMasterKeys(service.config)

const prepare = (projectId = id) => db.transaction((tx) => prepareSecret(deps, tx, projectId, account.id))
const promote = (projectId = id, secretDeps = deps) =>
  db.transaction((tx) => promoteSecret(secretDeps, tx, projectId))
const discard = (projectId = id) => db.transaction((tx) => discardNextSecret(tx, projectId))
const read = (projectId = id, mode: 'live' | 'test' = 'live') => readSecret(deps, db, projectId, mode)

test('a prepared secret can replace the live secret of its project once; the other secrets do not change', async () => {
  const secretsBefore = [await read(), await read(id, 'test'), await read(other.id)]
  const { secret, preparedAt, expiresAt } = await prepare()
  assert.equal((expiresAt.getTime() - preparedAt.getTime()) / 3_600_000, 72)
  assert.ok(!secretsBefore.includes(secret))
  assert.equal(await read(), secretsBefore[0])
  assert.equal(await promote(other.id), null)
  assert.equal(await promote(), secret)
  assert.deepEqual(
    [await read(), await read(id, 'test'), await read(other.id)],
    [secret, ...secretsBefore.slice(1)],
  )
  assert.equal(await promote(), null)
  assert.equal(await read(), secret)
})

test('a prepared secret cannot be used after it was discarded, after it expired, or after its creator changed the password', async () => {
  const secretBefore = await read()
  assert.equal(await discard(), false)
  await prepare()
  assert.equal(await discard(other.id), false)
  assert.equal(await discard(), true)
  assert.equal(await promote(), null)
  await prepare()
  await rows(db, 'update next_secrets set expires_at = now()')
  assert.equal(await promote(), null)
  await prepare()
  await rows(db, 'update accounts set credential_version = credential_version + 1 where id = $1', [
    account.id,
  ])
  assert.equal(await promote(), null)
  assert.equal(await read(), secretBefore)
})

test('after rekeying, prepared secrets and installation keys open only with the new master key', async () => {
  const prepared = [await prepare(), await prepare(other.id)]
  const key = await ensureInstallationKey(db, deps.installationKeys, 'custom-id-hash')
  const newKey = randomBytes(32)
  const withBothKeys = {
    ...deps,
    secretBox: createSealBox([newKey, oldKey], 'project-secret'),
    installationKeys: createSealBox([newKey, oldKey], 'installation-key'),
  }
  assert.deepEqual([await rekeyNextSecrets(withBothKeys), await rekeyInstallationKeys(withBothKeys)], [2, 1])
  assert.deepEqual([await rekeyNextSecrets(withBothKeys), await rekeyInstallationKeys(withBothKeys)], [0, 0])
  const box = createSealBox([newKey], 'installation-key')
  assert.deepEqual(await findInstallationKey(db, box, 'custom-id-hash'), key)
  await assert.rejects(findInstallationKey(db, deps.installationKeys, 'custom-id-hash'), /cannot be opened/)
  const withNewKey = { ...deps, secretBox: createSealBox([newKey], 'project-secret') }
  await assert.rejects(promote(id), /cannot be opened/)
  assert.equal(await promote(id, withNewKey), prepared[0]!.secret)
  await rows(
    db,
    `insert into next_secrets (project_id, sealed, prepared_by, credential_version, expires_at)
     select $1, sealed, prepared_by, credential_version, expires_at from next_secrets where project_id = $2`,
    [id, other.id],
  )
  await assert.rejects(promote(id, withNewKey), /cannot be opened/)
  assert.equal(await promote(other.id, withNewKey), prepared[1]!.secret)
})
