import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INBOX_RETENTION_DAYS } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { queueCallbacks } from '../../test/deliveries.ts'
import { startTestService } from '../../test/harness.ts'
import { findRefusedRoles } from '../../test/roles.ts'
import { insertInboxRequest } from '../callbacks/inbox-store.ts'
import { removeOldDeliveries } from './retention.ts'

const service = await startTestService()
const { app, deps } = service
const owner = await signUp(app)
const [{ id: projectId }, other] = [await owner.addProject(), await owner.addProject()]
const url = `/portal/api/projects/${projectId}/inbox`

async function receive(inboxProjectId: string, body: string, verified = true): Promise<void> {
  const [id = ''] = await queueCallbacks(deps.db, inboxProjectId, 1, { mode: 'test' })
  await insertInboxRequest(
    deps.db,
    { projectId: inboxProjectId, id },
    { headers: { a: 'b' }, body, verified },
  )
}

interface Item {
  receivedAt: string
  headers: Record<string, string>
  body: string
  verified: boolean
}

async function read(query = '?limit=10', reader = owner): Promise<Item[]> {
  const response = await reader.get(url + query)
  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers['cache-control'], 'no-store')
  return response.json<{ items: Item[] }>().items
}

const bodiesOf = (items: Item[]) => items.map(({ body }) => body)

test('the inbox shows only the requests of its own project, newest first, up to the requested number', async () => {
  await receive(projectId, 'first', false)
  await receive(other.id, 'elsewhere')
  await receive(projectId, 'second')
  const items = await read()
  assert.deepEqual(bodiesOf(items), ['second', 'first'])
  assert.deepEqual([items[0]!.verified, items[1]!.verified, items[0]!.headers], [true, false, { a: 'b' }])
  assert.ok(!Number.isNaN(Date.parse(items[0]!.receivedAt)))
  assert.deepEqual(bodiesOf(await read('?limit=1')), ['second'])
})

test('a request is shown until its retention time ends, and then deleted', async () => {
  const setAge = (hours: number) =>
    rows(
      deps.db,
      `update inbox_requests set received_at = now() - make_interval(days => $1, hours => $2) where body = 'first'`,
      [INBOX_RETENTION_DAYS, hours],
    )
  await setAge(-1)
  await removeOldDeliveries(deps)
  assert.deepEqual(bodiesOf(await read()), ['second', 'first'])
  await setAge(0)
  assert.deepEqual(bodiesOf(await read()), ['second'])
  await removeOldDeliveries(deps)
  assert.deepEqual(await rows(deps.db, 'select body from inbox_requests order by id'), [
    { body: 'elsewhere' },
    { body: 'second' },
  ])
})

test('every role except finance can read the inbox of the project, and so can an API token of the owner', async () => {
  assert.equal((await new Client(app).get(url)).code, 'unauthenticated')
  assert.equal((await (await signUp(app)).get(url)).code, 'not_found')
  assert.equal(await findRefusedRoles(service, projectId, (one) => one.get(url)), 'finance')
  const { token } = await makeToken(owner, { scope: 'read' })
  assert.deepEqual(bodiesOf(await read('?limit=10', clientWithToken(app, token))), ['second'])
})
