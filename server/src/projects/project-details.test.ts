import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { GOOD_PROJECT, signUp } from '../../test/client.ts'
import type { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { isLocked } from '../../test/row-locks.ts'
import { checkUrls } from './check-urls.ts'
import type { Project } from './project.ts'
import { findProjectForChange, lockProjects } from './projects-store.ts'

const service = await startTestService()
const { app, deps, databaseUrl } = service
const { db } = deps

type View = Record<keyof Project, string | null>

const viewOf = async (owner: Client, id: string) =>
  (await owner.post('/sdk/project/get', { projectId: id })).json<View>()

async function mailsTo(email: string, kind: string): Promise<Record<string, unknown>[]> {
  const text = 'select facts from mails where to_address = $1 and kind = $2 order by id'
  const found = await rows<{ facts: Record<string, unknown> }>(db, text, [email, kind])
  return found.map(({ facts: { at: _at, timeZone: _zone, userAgent: _agent, ...facts } }) => facts)
}

test('findProjectForChange and lockProjects lock the project until the transaction ends', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const select = 'select from projects where id = $1'
  const [row] = await rows<{ owner_id: string }>(db, 'select owner_id from projects where id = $1', [id])
  for (const lock of [findProjectForChange, lockProjects])
    await db.transaction(async (tx) => {
      await lock(tx, row!.owner_id, id)
      assert.equal(await isLocked(databaseUrl, select, [id]), true, lock.name)
    })
  assert.equal(await isLocked(databaseUrl, select, [id]), false)
})

test('projects are listed in the order in which they were added', async () => {
  const owner = await signUp(app)
  const ids = [(await owner.addProject()).id, (await owner.addProject()).id, (await owner.addProject()).id]
  const backwards = ids.toSorted().toReversed()
  for (const [n, id] of backwards.entries())
    await rows(db, `update projects set created_at = now() + make_interval(mins => $2) where id = $1`, [
      id,
      n,
    ])
  const { projects } = (await owner.post('/sdk/project/list')).json<{ projects: { id: string }[] }>()
  assert.deepEqual(
    projects.map(({ id }) => id),
    backwards,
  )
})

test('an update changes only the given fields and updatedAt, and the rotation of a secret changes only its rotation time', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  await owner.stepUp()
  await rows(
    db,
    `update projects set created_at = now() - interval '1 hour', updated_at = now() - interval '1 hour'`,
  )
  await rows(db, `update project_secrets set rotated_at = now() - interval '1 hour'`)
  let lastView = await viewOf(owner, id)
  const findChangedFields = async (url: string, body: object) => {
    const response = await owner.post(url, body)
    assert.equal(response.status, 200, response.text)
    const newView = await viewOf(owner, id)
    const changed = (Object.keys(newView) as (keyof Project)[]).filter(
      (field) => JSON.stringify(newView[field]) !== JSON.stringify(lastView[field]),
    )
    lastView = newView
    return changed.toSorted()
  }
  const portal = `/portal/api/projects/${id}`
  const update = (fields: object) => findChangedFields('/sdk/project/update', { projectId: id, ...fields })
  assert.deepEqual(await update({ name: GOOD_PROJECT.name, apiUrl: GOOD_PROJECT.apiUrl }), [])
  assert.deepEqual(await update({ name: 'Nova' }), ['name', 'updatedAt'])
  assert.deepEqual(await update({ testApiUrl: 'https://test.example.com/' }), ['testApiUrl', 'updatedAt'])
  assert.deepEqual(await update({ name: 'Još novija' }), ['name', 'updatedAt'])
  assert.deepEqual(await update({ testApiUrl: null }), ['testApiUrl', 'updatedAt'])
  assert.equal(lastView.testApiUrl, null)
  assert.deepEqual(await findChangedFields('/sdk/project/rotateSecret', { projectId: id }), [
    'secretRotatedAt',
  ])
  assert.deepEqual(await findChangedFields(`${portal}/test-secret/rotate`, {}), ['testSecretRotatedAt'])
  assert.deepEqual(await findChangedFields(`${portal}/archive`, {}), ['archivedAt', 'updatedAt'])
  assert.deepEqual(await findChangedFields(`${portal}/archive`, {}), [])
  assert.deepEqual(await findChangedFields(`${portal}/restore`, {}), ['archivedAt', 'updatedAt'])
  assert.deepEqual(await findChangedFields(`${portal}/restore`, {}), [])
  const history = `select count(*)::integer as n from audit_events where project_id = $1 and action = 'project_updated'`
  assert.deepEqual(await rows(db, history, [id]), [{ n: 4 }])
})

test('the owner is mailed about changed URLs, a revealed secret and each rotated secret', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const client = { ip: '127.0.0.1', projectId: id }
  const project = GOOD_PROJECT.name
  await owner.stepUp()
  await owner.post('/sdk/project/seeSecret', { projectId: id })
  await owner.post('/sdk/project/rotateSecret', { projectId: id })
  await owner.post(`/portal/api/projects/${id}/test-secret/rotate`, {})
  const urls = {
    resultUrl: 'https://new.example.com/hvala?key=sk_hidden',
    testApiUrl: 'https://new.example.com/test',
  }
  await owner.post('/sdk/project/update', { projectId: id, name: 'Novo ime', ...urls })
  await owner.post('/sdk/project/update', { projectId: id, name: 'Treće ime' })
  assert.deepEqual(await mailsTo(owner.email, 'secret_revealed'), [{ ...client, project }])
  assert.deepEqual(await mailsTo(owner.email, 'secret_rotated'), [
    { ...client, project, mode: 'live' },
    { ...client, project, mode: 'test' },
  ])
  assert.deepEqual(await mailsTo(owner.email, 'url_changed'), [
    {
      ...client,
      project: 'Novo ime',
      fields: ['resultUrl', 'testApiUrl'],
      // The query string is left out, because it can contain a secret.
      urls: [
        { field: 'resultUrl', from: 'shop.example.com/hvala', to: 'new.example.com/hvala' },
        { field: 'testApiUrl', from: null, to: 'new.example.com/test' },
      ],
    },
  ])
})

test('with REQUIRE_KYC, an unverified owner can neither see nor rotate the live secret', async () => {
  const strict = await service.replica({ REQUIRE_KYC: 'true' })
  const owner = await signUp(strict.app)
  const { id } = await owner.addProject()
  await owner.stepUp()
  const viewBefore = await viewOf(owner, id)
  for (const route of ['seeSecret', 'rotateSecret'])
    assert.equal((await owner.post(`/sdk/project/${route}`, { projectId: id })).code, 'kyc_required', route)
  assert.deepEqual(await viewOf(owner, id), viewBefore)
  for (const kind of ['secret_revealed', 'secret_rotated'])
    assert.deepEqual(await mailsTo(owner.email, kind), [])
})

test('a read token lists and reads projects, and only a write token adds and changes them', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const reader = clientWithToken(app, (await makeToken(owner, { scope: 'read' })).token)
  const writer = clientWithToken(app, (await makeToken(owner, { scope: 'write' })).token)
  const statusOf = async (apiClient: Client, route: string, body: object) =>
    (await apiClient.post(`/sdk/project/${route}`, body)).status
  for (const apiClient of [reader, writer])
    assert.deepEqual(
      [await statusOf(apiClient, 'list', {}), await statusOf(apiClient, 'get', { projectId: id })],
      [200, 200],
    )
  const changes = [
    ['add', GOOD_PROJECT],
    ['update', { projectId: id, name: 'Promijenjeno' }],
  ] as const
  for (const [route, body] of changes) assert.equal(await statusOf(reader, route, body), 403, route)
  assert.deepEqual(
    [await statusOf(writer, 'add', GOOD_PROJECT), await statusOf(writer, ...changes[1])],
    [201, 200],
  )
})

test('saving waits for a slow name server, and only callback URLs have to resolve to public addresses', async () => {
  const resolveSlowly = async () => {
    await sleep(100)
    return ['10.0.0.1']
  }
  const resolver = { ...deps.resolver, resolve4: resolveSlowly, resolve6: resolveSlowly }
  const check = (urls: object) => checkUrls({ ...deps, resolver }, 'tz4a98xxat96iws9zmbrgj3a', urls, null)
  const url = 'https://inside.example.com/'
  assert.deepEqual(await check({ resultUrl: url }), { resultUrl: url })
  for (const field of ['apiUrl', 'testApiUrl'])
    await assert.rejects(check({ [field]: url }), { code: 'invalid_url' }, field)
})

test('the history is paged, newest first, and has only entries of this project', async () => {
  const owner = await signUp(app)
  const [{ id }, other] = [await owner.addProject(), await owner.addProject()]
  for (const name of ['A', 'B', 'C']) await owner.post('/sdk/project/update', { projectId: id, name })
  await owner.post('/sdk/project/update', { projectId: other.id, name: 'D' })
  interface Page {
    items: { action: string; changes: { name?: { to: string } } }[]
    nextCursor: string | null
  }
  const read = async (query: string) =>
    (await owner.get(`/portal/api/projects/${id}/history?${query}`)).json<Page>()
  const first = await read('limit=2')
  const second = await read(`limit=2&cursor=${first.nextCursor}`)
  const names = [first, second].map(({ items }) => items.map(({ changes }) => changes.name?.to ?? null))
  // The oldest entry records the name of the added project as one value, without `from` and `to`.
  assert.deepEqual(names, [
    ['C', 'B'],
    ['A', null],
  ])
  assert.deepEqual([second.nextCursor, second.items[1]?.action], [null, 'project_added'])
})

test('a token of one project lists only that project, and cannot add projects', async () => {
  const owner = await signUp(app)
  const { id: projectId } = await owner.addProject()
  await owner.addProject()
  const { token } = await makeToken(owner, { projectId })
  const apiClient = clientWithToken(app, token)
  const { projects } = (await apiClient.post('/sdk/project/list')).json<{ projects: { id: string }[] }>()
  assert.deepEqual(
    projects.map(({ id }) => id),
    [projectId],
  )
  const refused = await apiClient.post('/sdk/project/add', GOOD_PROJECT)
  assert.equal(refused.status, 403, refused.text)
  const [error] = refused.json<{ errors: { path: string; code: string }[] }>().errors
  assert.deepEqual([error?.path, error?.code], ['authorization', 'token_project'])
})
