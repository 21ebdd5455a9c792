import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'

const service = await startTestService()

const SECRET = /^sk_live_[0-9a-f]{64}$/

test('the live secret is shown only after a step-up, and stays the same until it is rotated', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const refused = await owner.post('/sdk/project/seeSecret', { projectId: id })
  assert.equal(refused.status, 403)
  assert.equal(refused.code, 'step_up_required')
  assert.equal(refused.text.includes('sk_live_'), false)
  assert.equal((await owner.post('/sdk/project/rotateSecret', { projectId: id })).code, 'step_up_required')

  await owner.stepUp()
  const seen = await owner.post('/sdk/project/seeSecret', { projectId: id })
  assert.match(String(seen.json()['secret']), SECRET)
  assert.equal(seen.headers['cache-control'], 'no-store')
  const rotated = await owner.post('/sdk/project/rotateSecret', { projectId: id })
  assert.match(String(rotated.json()['secret']), SECRET)
  assert.notEqual(rotated.json()['secret'], seen.json()['secret'])
  assert.deepEqual((await owner.post('/sdk/project/seeSecret', { projectId: id })).json(), rotated.json())
})

test('the test secret needs no step-up and is rotated separately', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const first = (await owner.get(`/portal/api/projects/${id}/test-secret`)).json()['secret']
  assert.match(String(first), /^sk_test_[0-9a-f]{64}$/)
  const second = (await owner.post(`/portal/api/projects/${id}/test-secret/rotate`)).json()['secret']
  assert.notEqual(first, second)
  assert.equal((await owner.get(`/portal/api/projects/${id}/test-secret`)).json()['secret'], second)
})

test('the rotation of each secret is a separate entry in the audit trail and the project’s history', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  type Entry = { action: string; projectId: string | null }
  const rotations = async (url: string) => {
    const { items } = (await owner.get(url)).json<{ items: Entry[] }>()
    return items.map(({ action }) => action).filter((action) => action.includes('secret_rotated'))
  }
  await owner.post(`/portal/api/projects/${id}/test-secret/rotate`)
  for (const url of ['/portal/api/audit', `/portal/api/projects/${id}/history`])
    assert.deepEqual(await rotations(url), ['test_secret_rotated'], url)
  await owner.stepUp()
  await owner.post('/sdk/project/rotateSecret', { projectId: id })
  for (const url of ['/portal/api/audit', `/portal/api/projects/${id}/history`])
    assert.deepEqual(await rotations(url), ['secret_rotated', 'test_secret_rotated'], url)
})

test('rotations at the same time return different secrets, and one of these is the current secret afterwards', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  await owner.stepUp()
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => owner.post('/sdk/project/rotateSecret', { projectId: id })),
  )
  const secrets = responses.map((one) => one.json()['secret'])
  assert.equal(new Set(secrets).size, 10)
  const current = (await owner.post('/sdk/project/seeSecret', { projectId: id })).json()['secret']
  assert.ok(secrets.includes(current))
})

test('with REQUIRE_KYC an unverified account gets no live secret, but gets the test secret', async () => {
  const strict = await service.replica({ REQUIRE_KYC: 'true' })
  const owner = await signUp(strict.app)
  const { id } = await owner.addProject()
  await owner.stepUp()
  assert.equal((await owner.post('/sdk/project/seeSecret', { projectId: id })).code, 'kyc_required')
  assert.equal((await owner.post('/sdk/project/rotateSecret', { projectId: id })).code, 'kyc_required')
  assert.equal((await owner.get(`/portal/api/projects/${id}/test-secret`)).status, 200)
})
