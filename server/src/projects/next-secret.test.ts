import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { copyClient, findMail, readMailedToken } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import type { Client } from '../../test/client.ts'
import { startTeamWorld } from '../../test/team-world.ts'
import { statement } from '../db/pool.ts'
import { readMasterKeys } from '../lib/master-key.ts'
import { createSealBox } from '../lib/seal.ts'
import { rekeyNextSecrets } from '../secrets/next-secret.ts'
import { listKeyIds } from '../secrets/secrets-store.ts'

const { service, newProject, join } = await startTeamWorld()

const pathOf = (id: string) => `/portal/api/projects/${id}/next-secret`

async function prepare(person: Client, id: string): Promise<string> {
  const response = await person.post(pathOf(id))
  assert.equal(response.status, 201, response.text)
  assert.equal(response.headers['cache-control'], 'no-store')
  return String(response.json()['secret'])
}

const isPrepared = async (person: Client, id: string) =>
  (await person.get(pathOf(id))).json<{ next: object | null }>().next !== null

const promote = (person: Client, id: string) =>
  person.post('/sdk/project/rotateSecret', { projectId: id, useNext: true })

const readCurrent = async (person: Client, id: string) =>
  (await person.post('/sdk/project/seeSecret', { projectId: id })).json()['secret']

test('a prepared secret changes nothing until it is promoted, and then it becomes the current secret', async () => {
  const { owner, id } = await newProject()
  const secretBefore = await readCurrent(owner, id)
  const secret = await prepare(owner, id)
  assert.match(secret, /^sk_live_[0-9a-f]{64}$/)
  const shown = (await owner.get(pathOf(id))).json<{ next: { preparedAt: string; expiresAt: string } }>()
  const hours = (Date.parse(shown.next.expiresAt) - Date.parse(shown.next.preparedAt)) / 3_600_000
  assert.equal(hours, 72)
  assert.equal(await readCurrent(owner, id), secretBefore)
  const promoted = await promote(owner, id)
  assert.deepEqual([promoted.status, promoted.json()['secret']], [200, secret])
  assert.equal(await readCurrent(owner, id), secret)
  assert.equal(await isPrepared(owner, id), false)
  const repeated = await promote(owner, id)
  assert.equal(repeated.status, 400)
  assert.equal(repeated.json<{ errors: { code: string }[] }>().errors[0]?.code, 'no_next_secret')
})

test('a rotation without useNext issues a new secret and deletes the prepared secret', async () => {
  const { owner, id } = await newProject()
  const secret = await prepare(owner, id)
  const rotated = await owner.post('/sdk/project/rotateSecret', { projectId: id })
  assert.notEqual(rotated.json()['secret'], secret)
  assert.equal((await promote(owner, id)).status, 400)
})

test('preparing again replaces the prepared secret, and discarding removes it; both are in the history', async () => {
  const { owner, id } = await newProject()
  const [first, second] = [await prepare(owner, id), await prepare(owner, id)]
  assert.notEqual(first, second)
  assert.equal((await owner.post(`${pathOf(id)}/discard`)).status, 204)
  assert.equal((await owner.post(`${pathOf(id)}/discard`)).status, 204)
  assert.equal((await promote(owner, id)).status, 400)
  const { items } = (await owner.get(`/portal/api/projects/${id}/history`)).json<{
    items: { action: string }[]
  }>()
  const actions = items.map(({ action }) => action).filter((action) => action.startsWith('next_secret'))
  assert.deepEqual(actions, ['next_secret_discarded', 'next_secret_prepared', 'next_secret_prepared'])
})

test('without a step-up nothing is prepared', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  assert.equal((await owner.post(pathOf(id))).code, 'step_up_required')
  assert.equal(await isPrepared(owner, id), false)
})

test('with REQUIRE_KYC, an unverified owner cannot prepare a secret; the owner and an admin are mailed when a secret is prepared', async () => {
  const world = await newProject()
  const strict = await service.replica({ REQUIRE_KYC: 'true' })
  assert.equal((await copyClient(world.owner, strict.app).post(pathOf(world.id))).code, 'kyc_required')
  assert.equal(await isPrepared(world.owner, world.id), false)
  const admin = await join(world, 'admin')
  await prepare(world.owner, world.id)
  for (const { email } of [world.owner, admin])
    assert.ok(await findMail(service, email, 'secret_prepared'), email)
})

test('a prepared secret is discarded when a member is removed, is demoted or leaves', async () => {
  const world = await newProject()
  const { owner, id, members } = world
  const [removed, demoted, leaving] = [
    await join(world, 'admin'),
    await join(world, 'admin'),
    await join(world, 'developer'),
  ]
  await prepare(owner, id)
  assert.equal((await owner.post(`${members}/remove`, { email: removed.email })).status, 204)
  assert.equal(await isPrepared(owner, id), false)
  await prepare(owner, id)
  assert.equal((await owner.post(`${members}/role`, { email: demoted.email, role: 'support' })).status, 204)
  assert.equal(await isPrepared(owner, id), false)
  await prepare(owner, id)
  assert.equal((await leaving.post(`${members}/leave`)).status, 204)
  assert.equal((await promote(owner, id)).status, 400)
})

test('a prepared secret is no longer valid when the person who prepared it resets their password', async () => {
  const { owner, id } = await newProject()
  await prepare(owner, id)
  await owner.post('/portal/api/password/forgot', { email: owner.email })
  const token = await readMailedToken(service, owner.email, 'reset_password')
  const password = `fresh ${randomBytes(9).toString('hex')}`
  assert.equal((await owner.post('/portal/api/password/reset', { token, password })).status, 204)
  await owner.post('/portal/api/sign-in', { email: owner.email, password })
  await owner.post('/portal/api/step-up', { password })
  assert.equal(await isPrepared(owner, id), false)
  assert.equal((await promote(owner, id)).status, 400)
})

const EXPIRE = statement('test.age_next', `update next_secrets set expires_at = now() where project_id = $1`)

test('a prepared secret that has expired is not shown and cannot be promoted', async () => {
  const { owner, id } = await newProject()
  await prepare(owner, id)
  await service.deps.db.query(EXPIRE, [id])
  assert.equal(await isPrepared(owner, id), false)
  assert.equal((await promote(owner, id)).status, 400)
})

test('the person who prepared the current secret is shown as knowing it', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  await admin.stepUp()
  await prepare(admin, world.id)
  await promote(world.owner, world.id)
  type People = { members: { email: string; knowsSecret: boolean }[] }
  const people = (await world.owner.get(world.members)).json<People>().members
  assert.equal(people.find(({ email }) => email === admin.email)?.knowsSecret, true)
})

test('rekeying does not change a prepared secret, and of several promotions at the same time, one succeeds', async () => {
  const { owner, id } = await newProject()
  const { deps } = service
  const secret = await prepare(owner, id)
  const [oldKey] = await readMasterKeys(service.config)
  const newKey = randomBytes(32)
  const withNewKey = { ...deps, secretBox: createSealBox([newKey, oldKey], 'project-secret') }
  assert.ok((await rekeyNextSecrets(withNewKey)) >= 1)
  assert.equal(await rekeyNextSecrets(withNewKey), 0)
  // The master key of a prepared secret counts as a key that is in use.
  assert.ok((await listKeyIds(deps.db)).length >= 2)
  const withOldKey = { ...deps, secretBox: createSealBox([oldKey, newKey], 'project-secret') }
  assert.ok((await rekeyNextSecrets(withOldKey)) >= 1)
  const results = await Promise.all(Array.from({ length: 4 }, () => promote(owner, id)))
  assert.deepEqual(results.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
  assert.equal(await readCurrent(owner, id), secret)
})
