import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { isLocked } from '../../test/row-locks.ts'
import type { AccountId } from '../accounts/account.ts'
import { sealDecoy } from './decoy.ts'
import { isKeyOlderThan, listSealedKeys } from './installation-keys-store.ts'
import { ensureInstallationKey } from './installation-keys.ts'
import {
  findNextSecret,
  lockNextSecretsToReseal,
  putNextSecret,
  takeNextSecret,
} from './next-secrets-store.ts'
import {
  findSealedSecret,
  hasProvedSecret,
  listKeyIds,
  lockSecretsToReseal,
  lockSecretVersion,
  recordProved,
} from './secrets-store.ts'
import { openCachedSecret, openSecret, readSecret, rotateSecret } from './secrets.ts'

const { app, deps, databaseUrl } = await startTestService()
const { db } = deps
const addProject = async () => (await (await signUp(app)).addProject()).id

const SELECT_SECRET = 'select from project_secrets where project_id = $1 and mode = $2'

test('a rotation locks the secret that it replaces, and no other', async () => {
  const id = await addProject()
  await db.transaction(async (tx) => {
    assert.equal(await lockSecretVersion(tx, id, 'live'), 1)
    assert.deepEqual(
      [
        await isLocked(databaseUrl, SELECT_SECRET, [id, 'live']),
        await isLocked(databaseUrl, SELECT_SECRET, [id, 'test']),
      ],
      [true, false],
    )
  })
})

test('rekeying locks each batch of secrets', async () => {
  const id = await addProject()
  await db.transaction(async (tx) => {
    const batch = await lockSecretsToReseal(tx, null, 100)
    assert.ok(batch.some(({ projectId, mode }) => projectId === id && mode === 'test'))
    assert.equal(await isLocked(databaseUrl, SELECT_SECRET, [id, 'test']), true)
  })
})

test('each batch of a rekeying starts after the last secret of the previous batch, even if that batch ends between the two secrets of one project', async () => {
  for (let n = 0; n < 2; n += 1) await addProject()
  const all = await db.transaction((tx) => lockSecretsToReseal(tx, null, 1000))
  const paged: typeof all = []
  for (;;) {
    const part = await db.transaction((tx) => lockSecretsToReseal(tx, paged.at(-1) ?? null, 1))
    if (part.length === 0) break
    paged.push(...part)
  }
  assert.deepEqual(paged, all)
})

test('while installation keys are sealed again, they are locked', async () => {
  await ensureInstallationKey(db, deps.installationKeys, 'custom-id-hash')
  await db.transaction(async (tx) => {
    await listSealedKeys(tx)
    assert.equal(await isLocked(databaseUrl, 'select from installation_keys'), true)
  })
})

test('isKeyOlderThan compares the age of an installation key in minutes, and is false for an unknown key', async () => {
  const makeOlder = `update installation_keys set created_at = now() - $1::interval`
  const isOlder = () => isKeyOlderThan(db, 'custom-id-hash', 10)
  await rows(db, makeOlder, ['9 minutes 50 seconds'])
  assert.equal(await isOlder(), false)
  await rows(db, makeOlder, ['10 minutes'])
  assert.equal(await isOlder(), true)
  assert.equal(await isKeyOlderThan(db, 'another-key', 0), false)
})

test('a rotation changes the version and the rotation time of the rotated secret, and does not change the secret of the other mode', async () => {
  const id = await addProject()
  await rows(db, `update project_secrets set rotated_at = now() - interval '1 hour' where project_id = $1`, [
    id,
  ])
  const secret = await db.transaction((tx) => rotateSecret(deps, tx, id, 'live'))
  assert.equal(await readSecret(deps, db, id, 'live'), secret)
  const text = `select mode, version, rotated_at > now() - interval '1 minute' as now from project_secrets
    where project_id = $1 order by mode`
  assert.deepEqual(await rows(db, text, [id]), [
    { mode: 'live', version: 2, now: true },
    { mode: 'test', version: 1, now: false },
  ])
})

test('the time of the first correct use of a secret is stored, per project and mode', async () => {
  const [id, other] = [await addProject(), await addProject()]
  const text = `select mode, proved_at from project_secrets where project_id = any ($1) and proved_at is not null`
  const isProved = `select ${hasProvedSecret('$1')} as proved`
  assert.deepEqual(await rows(db, isProved, [id]), [{ proved: false }])
  await recordProved(db, id, 'test')
  const first = await rows<{ mode: string; proved_at: Date }>(db, text, [[id, other]])
  assert.deepEqual(
    first.map(({ mode }) => mode),
    ['test'],
  )
  await recordProved(db, id, 'test')
  assert.deepEqual(await rows(db, text, [[id, other]]), first)
  assert.deepEqual(
    [...(await rows(db, isProved, [id])), ...(await rows(db, isProved, [other]))],
    [{ proved: true }, { proved: false }],
  )
})

test('an opened secret is cached per project and mode, and after a rotation the new secret is returned', async () => {
  const ids = [await addProject(), await addProject()]
  let opened = 0
  const secretBox: typeof deps.secretBox = {
    ...deps.secretBox,
    open: (sealed, context) => {
      opened += 1
      return deps.secretBox.open(sealed, context)
    },
  }
  const read = async (id: string, mode: 'live' | 'test' = 'live') =>
    openCachedSecret({ secretBox }, id, mode, (await findSealedSecret(db, id, mode))!)
  const first = [await read(ids[0]!), await read(ids[1]!), await read(ids[0]!, 'test')]
  assert.equal(new Set(first).size, 3)
  assert.deepEqual([await read(ids[0]!), await read(ids[1]!), await read(ids[0]!, 'test')], first)
  assert.equal(opened, 3)
  const rotated = await db.transaction((tx) => rotateSecret(deps, tx, ids[0]!, 'live'))
  assert.equal(await read(ids[0]!), rotated)
})

test('decoy secrets are new each time they are sealed', () => {
  const open = (mode: 'live' | 'test') => openSecret(deps, '0', mode, sealDecoy(deps)[mode])
  for (const mode of ['live', 'test'] as const) {
    assert.match(open(mode), new RegExp(`^sk_${mode}_[0-9a-f]{64}$`))
    assert.notEqual(open(mode), open(mode))
  }
})

test('rekeying also locks prepared secrets, and preparing a secret again updates the time of preparation', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  await owner.stepUp()
  const prepare = async () =>
    assert.equal((await owner.post(`/portal/api/projects/${id}/next-secret`)).status, 201)
  await prepare()
  await rows(db, `update next_secrets set prepared_at = now() - interval '2 hours' where project_id = $1`, [
    id,
  ])
  await prepare()
  const recent = `select from next_secrets where project_id = $1 and prepared_at > now() - interval '1 hour'`
  assert.equal((await rows(db, recent, [id])).length, 1)
  await db.transaction(async (tx) => {
    const batch = await lockNextSecretsToReseal(tx, '', 100)
    assert.ok(batch.some(({ projectId }) => projectId === id))
    assert.equal(await isLocked(databaseUrl, 'select from next_secrets where project_id = $1', [id]), true)
  })
})

test('a prepared secret is valid until it expires or the person who prepared it changes the password', async () => {
  const person = await signUp(app)
  const { id } = await person.addProject()
  const [account] = await rows<{ id: AccountId }>(db, 'select id from accounts where email = $1', [
    person.email,
  ])
  const put = (hours: number) =>
    db.transaction((tx) =>
      putNextSecret(tx, { projectId: id, sealed: Buffer.from('sealed'), preparedBy: account!.id, hours }),
    )
  const isValid = async () => [
    (await findNextSecret(db, id)) !== null,
    (await db.transaction((tx) => takeNextSecret(tx, id))) !== null,
  ]
  await put(1)
  const keyIds = (await listKeyIds(db)).map(String)
  assert.ok(keyIds.includes('seal'), 'the key of the prepared secret counts as in use')
  assert.deepEqual(await isValid(), [true, true])
  await put(-1)
  assert.deepEqual(await isValid(), [false, false])
  await put(1)
  await rows(db, 'update accounts set credential_version = credential_version + 1 where id = $1', [
    account!.id,
  ])
  assert.deepEqual(await isValid(), [false, false])
})
