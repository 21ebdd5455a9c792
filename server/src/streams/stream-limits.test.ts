import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import { queueCallbacks } from '../../test/deliveries.ts'
import { readEvents } from '../../test/event-reader.ts'
import { until } from '../../test/until.ts'
import { STREAMS_PER_ACCOUNT_MAX } from '@pazar/contract'
import { startStreamWorld } from '../../test/stream-world.ts'

const { merchant, app, db, origin, otherOrigin, owner, projectId, path, readers, noneIsOpen, open, deliver } =
  await startStreamWorld()

test('HEAD is refused and uses no stream slot', async () => {
  const response = await app.inject({ method: 'HEAD', url: path })
  assert.equal(response.statusCode, 405)
  assert.equal(response.headers['allow'], 'GET')
  assert.equal(await noneIsOpen(), true)
})

test('the number of streams per account is limited over all replicas', async () => {
  for (let n = 0; n < STREAMS_PER_ACCOUNT_MAX; n += 1) {
    const reader = await open(n % 2 === 0 ? origin : otherOrigin)
    assert.equal(reader.status, 200)
  }
  const refused = await readEvents(otherOrigin, owner, path)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '15')
})

test('twenty streams that open at the same time do not exceed the limit', async () => {
  const opened = await Promise.all(Array.from({ length: 20 }, (_, n) => open(n % 2 ? origin : otherOrigin)))
  assert.equal(opened.filter((reader) => reader.status === 200).length, STREAMS_PER_ACCOUNT_MAX)
})

test('a page that only watches gets ids and states and takes no stream slot, and test callbacks still go to the merchant', async () => {
  const reader = await readEvents(origin, owner, `${path}?watch=true`)
  readers.add(reader)
  assert.equal(await noneIsOpen(), true)
  const [id] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await deliver([id!], 'delivered')
  assert.equal(merchant.received.length, 1)
  await until(() => reader.events.length === 1, 'the page gets the event')
  const { id: sentId, data } = reader.events[0]!
  assert.equal(sentId, id)
  assert.deepEqual(Object.keys(data).toSorted(), ['attempts', 'id', 'mode', 'status', 'transactionId'])
  assert.equal((await owner.get(`${path}?watch=perhaps`)).status, 400)
})

test('an account can have at most 20 pages that only watch, and these pages take no stream slot', async () => {
  const watching = await Promise.all(
    Array.from({ length: 25 }, () => readEvents(origin, owner, `${path}?watch=true`)),
  )
  for (const reader of watching) readers.add(reader)
  const statuses = watching.map(({ status }) => status).toSorted()
  assert.deepEqual([statuses.filter((one) => one === 200).length, statuses.at(-1)], [20, 429])
  assert.equal((await open()).status, 200)
  const other = await signUp(app)
  const { id: otherId } = await other.addProject()
  const theirs = await readEvents(origin, other, `/portal/api/projects/${otherId}/events?watch=true`)
  readers.add(theirs)
  assert.equal(theirs.status, 200, 'another account has its own limit')
})

test('the expired stream slots of a dead process are free', async () => {
  await rows(
    db,
    `insert into event_streams (id, account_id, project_id, expires_at)
     select gen_random_uuid(), owner_id, id, now() - interval '1 second' from projects, generate_series(1, 5) where id = $1`,
    [projectId],
  )
  assert.equal((await open()).status, 200)
})
