import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GOOD_PROJECT, signUp } from '../../test/client.ts'
import { queueCallbacks } from '../../test/deliveries.ts'
import { startTestService } from '../../test/harness.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const service = await startTestService()
const { deps } = service
const { baseUrl } = deps.config
const owner = await signUp(service.app)

async function codesOf(path: string, body: Record<string, unknown>): Promise<string[]> {
  const response = await owner.post(path, body)
  if (response.status < 300) return []
  assert.equal(response.code, 'invalid_url', response.text)
  return response
    .json<{ errors: { path: string; code: string }[] }>()
    .errors.map((error) => `${error.path} ${error.code}`)
}

test('a new project is refused if its callback URL is the inbox with a path or a query, or if its test URL is the inbox', async () => {
  const add = (fields: Record<string, string>) => codesOf('/sdk/project/add', { ...GOOD_PROJECT, ...fields })
  for (const url of [
    `${baseUrl}/inbox/`,
    `${baseUrl}/inbox?a=1`,
    `${baseUrl}/inbox/tz4a98xxat96iws9zmbrgj3a`,
  ])
    assert.deepEqual(await add({ apiUrl: url }), ['apiUrl url_inbox'], url)
  assert.deepEqual(await add({ testApiUrl: `${baseUrl}/inbox` }), ['testApiUrl url_inbox'])
  assert.deepEqual(await add({ apiUrl: 'https://shop.example.com/inbox' }), [])
})

test('a saved project may change its URLs to its own inbox and the service’s result page, but not to variants of them', async () => {
  const { id } = await owner.addProject()
  const other = await owner.addProject({ apiUrl: `${baseUrl}/inbox` })
  const update = (fields: Record<string, unknown>) =>
    codesOf('/sdk/project/update', { projectId: id, ...fields })
  assert.deepEqual(await update({ apiUrl: `${baseUrl}/inbox` }), ['apiUrl url_inbox'])
  assert.deepEqual(await update({ apiUrl: other['apiUrl'] }), ['apiUrl url_inbox'])
  assert.deepEqual(await update({ testApiUrl: `${baseUrl}/inbox/${id}` }), ['testApiUrl url_inbox'])
  assert.deepEqual(await update({ resultUrl: `${baseUrl}/pay/successful?a=1` }), [
    'resultUrl url_own_machine_page',
  ])
  assert.deepEqual(
    await update({ apiUrl: `${baseUrl}/inbox/${id}`, resultUrl: `${baseUrl}/pay/successful` }),
    [],
  )
  assert.deepEqual(await update({ apiUrl: GOOD_PROJECT.apiUrl }), [])
  const { items } = (await owner.get(`/portal/api/projects/${id}/history`)).json<{
    items: { action: string; changes: Record<string, unknown> }[]
  }>()
  assert.deepEqual(items[1]!.changes['apiUrl'], {
    from: GOOD_PROJECT.apiUrl,
    to: `${baseUrl}/inbox/${id}`,
  })
})

test('a project cannot change its callback URL to the inbox while a callback of a live payment is queued', async () => {
  const { id } = await owner.addProject()
  const toInbox = { projectId: id, apiUrl: `${baseUrl}/inbox/${id}` }
  await queueCallbacks(deps.db, id, 1, { mode: 'live' })
  assert.deepEqual(await codesOf('/sdk/project/update', toInbox), ['apiUrl url_inbox_queued'])
  await changeCallbacks(deps.db, `update callbacks set status = 'exhausted' where project_id = $1`, [id])
  await queueCallbacks(deps.db, id, 1, { mode: 'test' })
  assert.deepEqual(await codesOf('/sdk/project/update', toInbox), [])
})
