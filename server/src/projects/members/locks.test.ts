// Many changes of an account or project wait for a lock on it. Without the lock, two requests at the same time could,
// for example, both add a project although the limit allows only one more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { Authenticator } from '../../../test/authenticator.ts'
import { GOOD_PROJECT, signUp } from '../../../test/client.ts'
import type { Client } from '../../../test/client.ts'
import { AuthenticatorApp } from '../../../test/factors.ts'
import { ACCEPT_INVITATION_PATH, startTeamWorld } from '../../../test/team-world.ts'
import { until } from '../../../test/until.ts'
import type { Tx } from '../../db/pool.ts'
import { findProjectForChange, lockProjectShared } from '../projects-store.ts'

const { service, app, deps, newProject, invite, join } = await startTeamWorld()
const API = '/portal/api'

type Send = () => ReturnType<Client['post']>

/** Sends the request while the row is locked, and returns its response. Fails if the request does not wait for the lock. */
async function sendWhileLocked(table: 'accounts' | 'projects', id: string, send: Send) {
  const held = await deps.db.transaction(async (tx) => {
    await rows(tx, `select from ${table} where id = $1 for no key update`, [id])
    const request = send()
    const waiting = `select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like '%from ${table}%'`
    await until(async () => (await rows(deps.db, waiting)).length > 0, `the request waits for ${table}`)
    return { request }
  })
  return held.request
}

const idOf = async ({ email }: Client) =>
  (await rows<{ id: string }>(deps.db, 'select id from accounts where email = $1', [email]))[0]!.id

async function assertWaitsForAccount(person: Client, requests: readonly [url: string, body?: object][]) {
  const id = await idOf(person)
  for (const [url, body] of requests) {
    const response = await sendWhileLocked('accounts', id, () => person.post(url, body))
    assert.ok(response.status < 300, `${url}: ${response.text}`)
  }
}

test('a request that adds something with a limit per account waits for the lock on the account', async () => {
  const [owner, team] = [await signUp(app), await newProject()]
  const { id } = await owner.addProject()
  await owner.stepUp()
  assert.equal((await owner.post(`${API}/projects/${id}/archive`)).status, 200)
  const token = await invite(team, owner.email, 'admin')
  await assertWaitsForAccount(owner, [
    ['/sdk/project/add', GOOD_PROJECT],
    [`${API}/projects/${id}/restore`],
    [`${API}/tokens`, { name: 'CI', scope: 'read', expiresInDays: 1 }],
    [ACCEPT_INVITATION_PATH, { token }],
  ])
  assert.equal(
    (await team.owner.post(`${API}/projects/${team.id}/transfer`, { email: owner.email })).status,
    202,
  )
  await assertWaitsForAccount(owner, [[`${API}/projects/${team.id}/transfer/accept`]])
})

test('a change of the second factors of an account waits for the lock on the account', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const { secret } = (await owner.post(`${API}/totp`)).json<{ secret: string }>()
  const code = new AuthenticatorApp(secret).code()
  const authenticator = new Authenticator(service.config.baseUrl)
  const options = (await owner.post(`${API}/passkeys/options`)).json<{ challenge: string }>()
  const passkey = { name: 'Key', response: authenticator.create(options) }
  await assertWaitsForAccount(owner, [
    [`${API}/totp/confirm`, { code }],
    [`${API}/recovery-codes`],
    [`${API}/passkeys`, passkey],
    [`${API}/totp/remove`],
  ])
  const { passkeys } = (await owner.get(`${API}/passkeys`)).json<{ passkeys: { id: string }[] }>()
  await assertWaitsForAccount(owner, [[`${API}/passkeys/revoke`, { id: passkeys[0]!.id }]])
})

test('a request to close an account waits for the lock on the account', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  await assertWaitsForAccount(owner, [[`${API}/account/close`, { email: owner.email }]])
})

test('a change of a project, its owner or its members waits for the lock on the project', async () => {
  const team = await newProject()
  const { owner, id } = team
  const [person, other] = [await join(team, 'admin'), await join(team, 'support')]
  await person.stepUp()
  const base = `${API}/projects/${id}`
  const requests: [Client, string, object?][] = [
    [owner, `${base}/archive`],
    [owner, `${base}/restore`],
    [owner, `${base}/transfer`, { email: person.email }],
    [person, `${base}/transfer/accept`],
    [person, `${base}/transfer/cancel`],
    [other, `${base}/members/mails`, { mails: ['disputes'] }],
    [other, `${base}/members/leave`],
  ]
  for (const [who, url, body] of requests) {
    const response = await sendWhileLocked('projects', id, () => who.post(url, body))
    assert.ok(response.status < 300, `${url}: ${response.text}`)
  }
})

/** Takes a lock in a separate transaction, and keeps it until `release`. */
function hold(lock: (tx: Tx) => Promise<unknown>) {
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = deps.db.transaction(async (tx) => {
    await lock(tx)
    taken.resolve()
    await released.promise
  })
  return {
    taken: Promise.race([taken.promise, transaction]),
    release: async () => {
      released.resolve()
      await transaction
    },
  }
}

test('a change that waits for the lock on a project gets it before a later request for a shared lock', async () => {
  const { id, owner } = await newProject()
  const ownerId = await idOf(owner)
  const untilWaiting = (count: number) =>
    until(
      async () =>
        (
          await rows(
            deps.db,
            `select from pg_locks where locktype = 'advisory' and not granted
               and database = (select oid from pg_database where datname = current_database())`,
          )
        ).length === count,
      `${count} requests wait for a lock`,
    )
  const earlierShared = hold((tx) => lockProjectShared(tx, id))
  await earlierShared.taken
  const change = hold((tx) => findProjectForChange(tx, ownerId, id))
  await untilWaiting(1)
  const laterShared = hold((tx) => lockProjectShared(tx, id))
  await untilWaiting(2)
  await earlierShared.release()
  await change.taken
  await untilWaiting(1)
  await change.release()
  await laterShared.taken
  await laterShared.release()
})
