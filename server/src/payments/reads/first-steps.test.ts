import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { FirstStepsView, ProjectsTodayView } from '@pazar/contract'
import { signStatusHash } from '@pazar/sdk'
import { rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { queueCallbacks } from '../../../test/deliveries.ts'
import { startTestService } from '../../../test/harness.ts'
import { newOrder } from '../../../test/payments.ts'
import { insertPayments } from '../../../test/transactions.ts'
import { readSecret } from '../../secrets/secrets.ts'
import { confirmPayment } from '../confirm.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { app, deps } = await startTestService()
let owner: Client
let projectId: string

beforeEach(async () => {
  owner = await signUp(app)
  projectId = (await owner.addProject()).id
})

async function readSteps(): Promise<FirstStepsView> {
  const response = await owner.get(`/portal/api/projects/${projectId}/first-steps`)
  assert.equal(response.status, 200, response.text)
  return response.json()
}

async function postCheck(mode: 'live' | 'test', hash?: string): Promise<number> {
  const check = { projectId, customId: 'order-1' }
  const validHash = signStatusHash(check, await readSecret(deps, deps.db, projectId, mode))
  const response = await new Client(app).post('/sdk/transaction/checkStatus', {
    ...check,
    hash: hash ?? validHash,
  })
  return response.status
}

const NONE: FirstStepsView = { payment: false, callback: false, signature: false, live: false }

test('each step is reported as done only after it has really happened', async () => {
  assert.deepEqual(await readSteps(), NONE)
  await confirmPayment(deps, newOrder(projectId, { mode: 'test', amount: 4000n }))
  assert.deepEqual(await readSteps(), NONE, 'a declined payment does not count')
  await confirmPayment(deps, newOrder(projectId, { mode: 'test' }))
  assert.deepEqual(await readSteps(), { ...NONE, payment: true })

  const [id] = await queueCallbacks(deps.db, projectId, 1, { mode: 'test' })
  assert.equal((await readSteps()).callback, false)
  await changeCallbacks(
    deps.db,
    `update callbacks set status = 'delivered', delivered_at = now() where id = $1`,
    [id],
  )
  assert.deepEqual(await readSteps(), { ...NONE, payment: true, callback: true })

  assert.equal(await postCheck('test', 'x.y.z'), 401)
  assert.equal((await readSteps()).signature, false, 'a wrong hash proves nothing')
  assert.equal(await postCheck('test'), 200)
  assert.equal((await readSteps()).signature, true)

  await confirmPayment(deps, newOrder(projectId))
  assert.deepEqual(await readSteps(), { payment: true, callback: true, signature: true, live: true })
})

test('a live payment completes the step "payment", even without a test payment', async () => {
  await confirmPayment(deps, newOrder(projectId))
  assert.deepEqual(await readSteps(), { ...NONE, payment: true, live: true })
})

test('the first status check with a correct hash is recorded at the secret, and later checks take only one statement', async () => {
  await postCheck('live')
  const read = () =>
    rows<{ mode: string; proved_at: Date | null }>(
      deps.db,
      'select mode, proved_at from project_secrets where project_id = $1 order by mode',
      [projectId],
    )
  const noted = await read()
  assert.notEqual(noted[0]!.proved_at, null)
  assert.equal(noted[1]!.proved_at, null)
  const check = { projectId, customId: 'order-1' }
  const hash = signStatusHash(check, await readSecret(deps, deps.db, projectId, 'live'))
  const statementsBefore = deps.db.statementCount()
  await new Client(app).post('/sdk/transaction/checkStatus', { ...check, hash })
  assert.equal(deps.db.statementCount() - statementsBefore, 1)
  assert.deepEqual(await read(), noted)
})

test('the first steps of another owner’s project, or of an unknown project, are not found', async () => {
  const stranger = await signUp(app)
  const path = `/portal/api/projects/${projectId}/first-steps`
  assert.equal((await stranger.get(path)).code, 'not_found')
  assert.equal((await owner.get('/portal/api/projects/nosuchproject/first-steps')).code, 'not_found')
  assert.equal((await new Client(app).get(path)).code, 'unauthenticated')
  assert.equal((await owner.get(`${path}?mode=live`)).status, 200)
})

async function listToday(person = owner): Promise<ProjectsTodayView['projects']> {
  const response = await person.get('/portal/api/projects/today')
  assert.equal(response.status, 200, response.text)
  return response.json<ProjectsTodayView>().projects
}

test('one response has the live volume of today, the success rate and the last live callback of each project', async () => {
  const quietProjectId = (await owner.addProject({ name: 'Quiet' })).id
  const nowMs = deps.clock.nowMs()
  const toIso = (ms: number) => new Date(ms).toISOString()
  await insertPayments(deps, projectId, [
    { amount: 1500, createdAt: toIso(nowMs) },
    { amount: 500, createdAt: toIso(nowMs) },
    { amount: 9_000, createdAt: toIso(nowMs), state: 'failed' },
    { amount: 70, createdAt: toIso(nowMs), state: 'processing' },
    { amount: 333, createdAt: toIso(nowMs), mode: 'test' },
    // This payment began before today in every time zone.
    { amount: 7_777, createdAt: toIso(nowMs - 26 * 3_600_000) },
  ])
  const [older] = await queueCallbacks(deps.db, projectId, 1)
  await changeCallbacks(
    deps.db,
    `update callbacks set status = 'exhausted', created_at = now() - interval '1 hour' where id = $1`,
    [older],
  )
  await queueCallbacks(deps.db, projectId, 1, { mode: 'test' })
  const [first, second] = await listToday()
  assert.deepEqual(
    { ...first, lastCallback: first?.lastCallback?.status },
    {
      projectId,
      volume: '2000',
      succeeded: 2,
      failed: 1,
      successRate: 2 / 3,
      lastCallback: 'exhausted',
    },
  )
  assert.deepEqual(second, {
    projectId: quietProjectId,
    volume: '0',
    succeeded: 0,
    failed: 0,
    successRate: null,
    lastCallback: null,
  })
  const [newer] = await queueCallbacks(deps.db, projectId, 1)
  await changeCallbacks(
    deps.db,
    `update callbacks set status = 'delivered', delivered_at = now() where id = $1`,
    [newer],
  )
  assert.equal((await listToday())[0]?.lastCallback?.status, 'delivered')
  const [refused] = await queueCallbacks(deps.db, projectId, 1)
  await changeCallbacks(deps.db, 'update callbacks set attempts = 2 where id = $1', [refused])
  const { status, attempts } = (await listToday())[0]?.lastCallback ?? {}
  assert.deepEqual({ status, attempts }, { status: 'pending', attempts: 2 })
})

test('the summary of today takes two statements for any number of projects, and does not show the projects to a stranger', async () => {
  await owner.addProject()
  await owner.addProject()
  const statementsBefore = deps.db.statementCount()
  assert.equal((await listToday()).length, 3)
  assert.equal(deps.db.statementCount() - statementsBefore, 2)
  assert.deepEqual(await listToday(await signUp(app)), [])
  assert.equal((await new Client(app).get('/portal/api/projects/today')).code, 'unauthenticated')
})
