import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { GOOD_PROJECT, signUp } from '../../test/client.ts'
import type { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import { findRefusedRoles } from '../../test/roles.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { toEmailKey } from '../accounts/email-address.ts'
import { ServiceError } from '../lib/service-error.ts'
import { updateProject } from './projects.ts'

const service = await startTestService()

test('archiving and restoring are in the project’s history, and a repeated request adds no entry', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  await owner.stepUp()
  for (const step of ['archive', 'archive', 'restore', 'restore'])
    assert.equal((await owner.post(`/portal/api/projects/${id}/${step}`)).status, 200)
  const { items } = (await owner.get(`/portal/api/projects/${id}/history`)).json<{
    items: { action: string }[]
  }>()
  assert.deepEqual(
    items.map(({ action }) => action),
    ['project_restored', 'project_archived', 'project_added'],
  )
})

for (const field of ['resultUrl', 'apiUrl', 'testApiUrl']) {
  test(`the owner gets a mail when ${field} is changed`, async () => {
    const owner = await signUp(service.app)
    const { id } = await owner.addProject()
    const url = 'https://shop.example.me/changed'
    const changed = await owner.post('/sdk/project/update', { projectId: id, [field]: url })
    assert.equal(changed.json()[field], url)
    const mails = await rows<{ facts: { fields: string[] } }>(
      service.deps.db,
      "select facts from mails where kind = 'url_changed' and to_address = $1",
      [owner.email],
    )
    assert.deepEqual(
      mails.map(({ facts }) => facts.fields),
      [[field]],
    )
  })
}

test('requireSignedLinks can be switched on without a step-up, but switched off only after a step-up', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const switchedOn = await owner.post('/sdk/project/update', { projectId: id, requireSignedLinks: true })
  assert.equal(switchedOn.json()['requireSignedLinks'], true)
  assert.equal(
    (await owner.post('/sdk/project/update', { projectId: id, requireSignedLinks: false })).code,
    'step_up_required',
  )
  await owner.stepUp()
  assert.equal(
    (await owner.post('/sdk/project/update', { projectId: id, requireSignedLinks: false })).json()[
      'requireSignedLinks'
    ],
    false,
  )
})

test('switching off requireSignedLinks needs a step-up, even if another request switched the setting on during the update', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  const account = await findAccountByEmail(service.deps.db, toEmailKey(owner.email))
  const caller = { account: account!, sessionId: null, token: null, stepUpUntil: null, ip: '', userAgent: '' }
  const { deps } = recordStatements(service.deps, async (name, run) => {
    if (name === 'projects.turn_to_change')
      await owner.post('/sdk/project/update', { projectId: id, requireSignedLinks: true })
    return run()
  })
  const change = updateProject(
    deps,
    caller,
    { projectId: id, testApiUrl: undefined, requireSignedLinks: false },
    () => {
      throw new ServiceError('step_up_required')
    },
  )
  await assert.rejects(change, { code: 'step_up_required' })
  const project = await owner.post('/sdk/project/get', { projectId: id })
  assert.equal(project.json()['requireSignedLinks'], true)
})

test('a change of `events` needs a step-up in a browser but not with the owner’s token, and the owner is mailed', async () => {
  const owner = await signUp(service.app)
  const { id: projectId } = await owner.addProject()
  const update = (who: Client, body: object) => who.post('/sdk/project/update', { projectId, ...body })
  const events = ['payment.result', 'refund.result']
  assert.equal((await update(owner, { events })).code, 'step_up_required')
  assert.equal((await update(owner, { events: ['payment.result'] })).status, 200, 'nothing changes')
  await owner.stepUp()
  assert.deepEqual((await update(owner, { events })).json()['events'], events)
  assert.equal((await update(owner, { requireSignedLinks: true, events })).status, 200)
  const { token } = await makeToken(owner)
  assert.equal(
    (await update(clientWithToken(service.app, token), { events: ['payment.result'] })).status,
    200,
  )
  const mails = await rows<{ changed: object }>(
    service.deps.db,
    `select jsonb_build_object('signed', facts -> 'requireSignedLinks', 'events', facts -> 'events') as changed
     from mails where kind = 'live_settings_changed' and to_address = $1 order by created_at`,
    [owner.email],
  )
  assert.deepEqual(
    mails.map(({ changed }) => changed),
    [
      { signed: null, events },
      { signed: true, events: null },
      { signed: null, events: ['payment.result'] },
    ],
  )
})

test('archiving and restoring need a step-up', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  for (const action of ['archive', 'restore'])
    assert.equal((await owner.post(`/portal/api/projects/${id}/${action}`)).code, 'step_up_required', action)
})

test('the history lists old and new values of each change, and no secret; a wrong limit or cursor is refused', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  await owner.post('/sdk/project/update', {
    projectId: id,
    name: 'Nova',
    testApiUrl: 'https://test.example.com/cb',
  })
  await owner.stepUp()
  const secret = String((await owner.post('/sdk/project/rotateSecret', { projectId: id })).json()['secret'])
  const history = await owner.get(`/portal/api/projects/${id}/history`)
  const { items } = history.json<{ items: { action: string; changes: Record<string, unknown> }[] }>()
  assert.deepEqual(
    items.map((one) => one.action),
    ['secret_rotated', 'project_updated', 'project_added'],
  )
  assert.deepEqual(items[1]?.changes, {
    name: { from: GOOD_PROJECT.name, to: 'Nova' },
    testApiUrl: { from: null, to: 'https://test.example.com/cb' },
  })
  assert.equal(history.text.includes(secret), false)
  assert.equal((await owner.get(`/portal/api/projects/${id}/history?limit=0`)).status, 400)
  assert.equal((await owner.get(`/portal/api/projects/${id}/history?cursor=x`)).status, 400)
  for (const limit of ['1e1', '0x3', '%203%20', '2.0'])
    assert.equal((await owner.get(`/portal/api/projects/${id}/history?limit=${limit}`)).status, 400, limit)
})

test('changes of a project, and requests for its secrets, are refused to exactly the roles that are listed here', async () => {
  const owner = await signUp(service.app)
  const { id: projectId } = await owner.addProject()
  const base = `/portal/api/projects/${projectId}`
  const EXPECTED: [url: string, body: object | undefined, refused: string][] = [
    ['/sdk/project/update', { projectId, name: 'Novo ime' }, 'finance support'],
    ['/sdk/project/update', { projectId, apiUrl: GOOD_PROJECT.apiUrl }, 'developer finance support'],
    ['/sdk/project/update', { projectId, events: ['payment.result'] }, 'developer finance support'],
    ['/sdk/project/seeSecret', { projectId }, 'developer finance support'],
    ['/sdk/project/rotateSecret', { projectId }, 'developer finance support'],
    [`${base}/test-secret/rotate`, undefined, 'finance support'],
    [`${base}/archive`, undefined, 'admin developer finance support'],
    [`${base}/restore`, undefined, 'admin developer finance support'],
  ]
  for (const [url, body, refused] of EXPECTED)
    assert.equal(await findRefusedRoles(service, projectId, (one) => one.post(url, body)), refused, url)
  const read = await findRefusedRoles(service, projectId, (one) => one.get(`${base}/test-secret`))
  assert.equal(read, 'finance support')
})
