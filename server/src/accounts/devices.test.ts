import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMail, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { DEVICES_PER_ACCOUNT_MAX } from './devices-store.ts'

const service = await startTestService()
const { app, deps } = service

const countDevices = async (email: string) =>
  (
    await rows(deps.db, 'select from devices d join accounts a on a.id = d.account_id where a.email = $1', [
      email,
    ])
  ).length

/** Inserts `count` browsers. They were last used more than an hour ago, one minute apart. */
async function addDevices(email: string, count: number): Promise<void> {
  await rows(
    deps.db,
    `insert into devices (account_id, token_hash, last_used_at)
     select a.id, sha256(n::text::bytea), now() - interval '1 hour' - make_interval(mins => n)
     from accounts a, generate_series(1, $2) n where a.email = $1`,
    [email, count],
  )
}

async function signIn(client: Client, owner: Client): Promise<void> {
  const body = { email: owner.email, password: owner.password }
  assert.equal((await client.post('/portal/api/sign-in', body)).status, 200)
}

test('above the limit, a new browser replaces the least recently used one', async () => {
  const owner = await signUp(app)
  await rows(deps.db, `update devices set last_used_at = now() - interval '1 day'`)
  await addDevices(owner.email, DEVICES_PER_ACCOUNT_MAX - 1)
  await signIn(new Client(app), owner)
  assert.equal(await countDevices(owner.email), DEVICES_PER_ACCOUNT_MAX)
  // The owner's first browser was the least recently used, so it is not known any more.
  await rows(deps.db, 'delete from mails')
  await signIn(owner, owner)
  assert.ok(await findMail(service, owner.email, 'new_device'))
  assert.equal(await countDevices(owner.email), DEVICES_PER_ACCOUNT_MAX)
})

test('if a browser signs in again after each sign-in with a new browser, it stays known', async () => {
  const owner = await signUp(app)
  await addDevices(owner.email, DEVICES_PER_ACCOUNT_MAX - 1)
  for (let n = 0; n < 3; n += 1) {
    await signIn(new Client(app), owner)
    await rows(deps.db, 'delete from mails')
    await signIn(owner, owner)
    assert.equal(await findMail(service, owner.email, 'new_device'), null)
  }
  assert.equal(await countDevices(owner.email), DEVICES_PER_ACCOUNT_MAX)
})

test('a sign-in reduces the browsers of its account to the limit, and other accounts are unchanged', async () => {
  const [owner, neighbour] = [await signUp(app), await signUp(app)]
  await addDevices(owner.email, 3 * DEVICES_PER_ACCOUNT_MAX)
  await addDevices(neighbour.email, DEVICES_PER_ACCOUNT_MAX - 1)
  await signIn(new Client(app), owner)
  assert.equal(await countDevices(owner.email), DEVICES_PER_ACCOUNT_MAX)
  assert.equal(await countDevices(neighbour.email), DEVICES_PER_ACCOUNT_MAX)
})

test('browsers that sign in at the same time do not exceed the limit', async () => {
  const owner = await signUp(app)
  await addDevices(owner.email, DEVICES_PER_ACCOUNT_MAX - 1)
  const replica = await service.replica()
  await Promise.all([app, replica.app, app, replica.app].map((one) => signIn(new Client(one), owner)))
  assert.equal(await countDevices(owner.email), DEVICES_PER_ACCOUNT_MAX)
})

test('the known browsers of an account are listed, and after a step-up all but the current one can be removed', async () => {
  const owner = await signUp(app)
  await signIn(new Client(app), owner)
  const list = async () =>
    (await owner.get('/portal/api/devices')).json<{ devices: { current: boolean }[] }>().devices
  assert.deepEqual((await list()).map(({ current }) => current).sort(), [false, true])
  assert.equal((await owner.post('/portal/api/devices/forget')).code, 'step_up_required')
  await owner.stepUp()
  assert.deepEqual((await owner.post('/portal/api/devices/forget')).json(), { count: 1 })
  assert.deepEqual(
    (await list()).map(({ current }) => current),
    [true],
  )
  const text = `select changes from audit_events e join accounts a on a.id = e.account_id
    where a.email = $1 and action = 'devices_forgotten'`
  assert.deepEqual(await rows(deps.db, text, [owner.email]), [{ changes: { count: 1 } }])
})
