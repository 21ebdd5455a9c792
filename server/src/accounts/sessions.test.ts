import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyClient, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { toTokenHash } from './token-hash.ts'

const service = await startTestService()
const { app, deps } = service

interface Listed {
  id: string
  current: boolean
  createdAt: string
  lastSeenAt: string
  ip: string
  userAgent: string
}

async function listSessions(client: Client): Promise<Listed[]> {
  const response = await client.get('/portal/api/sessions')
  assert.equal(response.status, 200, response.text)
  return response.json<{ sessions: Listed[] }>().sessions
}

async function signInElsewhere(owner: Client, userAgent = 'elsewhere'): Promise<Client> {
  const client = new Client(app)
  const body = { email: owner.email, password: owner.password }
  const response = await client.post('/portal/api/sign-in', body, { 'user-agent': userAgent })
  assert.equal(response.status, 200, response.text)
  client.email = owner.email
  client.password = owner.password
  return client
}

async function moveBack(client: Client, column: 'last_seen_at' | 'expires_at' | 'created_at', by: string) {
  const text = `update sessions set ${column} = ${column} - $2::interval where token_hash = $1`
  await rows(deps.db, text, [toTokenHash(client.jar.get('session')!), by])
}

const isAlive = async (client: Client) => (await client.get('/portal/api/session')).status === 200

test('a missing, unknown or malformed session cookie is refused with unauthenticated', async () => {
  for (const token of [null, 'A'.repeat(43), 'x', '%00', 'ž'.normalize('NFD')]) {
    const client = new Client(app)
    if (token !== null) client.jar.set('session', token)
    const response = await client.get('/portal/api/session')
    assert.equal(response.status, 401)
    assert.equal(response.code, 'unauthenticated')
    assert.equal(response.headers['cache-control'], 'no-store')
  }
})

/** One statement finds the session, and another finds the second factors of the account. */
const STATEMENTS = 2

test('one statement finds a session, and the last use of the session is recorded at most once in five minutes', async () => {
  const owner = await signUp(app)
  const countBefore = deps.db.statementCount()
  assert.ok(await isAlive(owner))
  assert.equal(deps.db.statementCount() - countBefore, STATEMENTS)
  await moveBack(owner, 'last_seen_at', '5 minutes 1 second')
  const countLater = deps.db.statementCount()
  assert.ok(await isAlive(owner))
  assert.ok(await isAlive(owner))
  assert.equal(deps.db.statementCount() - countLater, 2 * STATEMENTS + 1)
})

test('a session ends after twelve idle hours', async () => {
  const owner = await signUp(app)
  await moveBack(owner, 'last_seen_at', '11 hours 59 minutes')
  assert.ok(await isAlive(owner))
  await moveBack(owner, 'last_seen_at', '12 hours')
  assert.equal(await isAlive(owner), false)
})

test('a session ends after seven days, even if it is used all the time', async () => {
  const owner = await signUp(app)
  const [row] = await rows<{ days: number }>(
    deps.db,
    'select extract(day from expires_at - created_at)::integer as days from sessions where token_hash = $1',
    [toTokenHash(owner.jar.get('session')!)],
  )
  assert.equal(row!.days, 7)
  await moveBack(owner, 'expires_at', '6 days 23 hours 59 minutes')
  assert.ok(await isAlive(owner))
  await moveBack(owner, 'expires_at', '1 minute')
  assert.equal(await isAlive(owner), false)
  assert.deepEqual(
    (await listSessions(await signInElsewhere(owner))).map((one) => one.current),
    [true],
  )
})

test('signing out ends the session on the server and clears the cookies of the session and the step-up', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const thief = copyClient(owner)
  const response = await owner.post('/portal/api/sign-out')
  assert.equal(response.status, 204)
  assert.deepEqual([...owner.jar.keys()], ['device'])
  assert.equal(await isAlive(thief), false)
  assert.equal((await thief.post('/portal/api/sign-out')).code, 'unauthenticated')
})

test('the list shows only the account’s sessions and marks the current one', async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  const other = await signInElsewhere(owner, 'Mozilla/5.0\tFirefox/130.0')
  const list = await listSessions(other)
  assert.equal(list.length, 2)
  assert.deepEqual(list.map((one) => one.current).toSorted(), [false, true])
  const current = list.find((one) => one.current)!
  assert.equal(current.userAgent, 'Mozilla/5.0Firefox/130.0')
  assert.equal(current.ip, '127.0.0.1')
  assert.match(current.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal((await listSessions(stranger)).length, 1)
})

test('a user agent is cut to 200 characters', async () => {
  const owner = await signUp(app)
  const other = await signInElsewhere(owner, 'u'.repeat(1000))
  assert.equal((await listSessions(other)).find((one) => one.current)!.userAgent.length, 200)
})

test('after a step-up all other sessions can be ended', async () => {
  const owner = await signUp(app)
  const others = [await signInElsewhere(owner), await signInElsewhere(owner)]
  await owner.stepUp()
  const response = await owner.post('/portal/api/sessions/revoke', {})
  assert.equal(response.status, 200)
  assert.deepEqual(response.json(), { count: 2 })
  for (const one of others) assert.equal(await isAlive(one), false)
  assert.ok(await isAlive(owner))
})

test('one session can be ended by its id', async () => {
  const owner = await signUp(app)
  const [first, second] = [await signInElsewhere(owner), await signInElsewhere(owner)]
  const id = (await listSessions(first)).find((one) => one.current)!.id
  await owner.stepUp()
  const response = await owner.post('/portal/api/sessions/revoke', { id })
  assert.deepEqual(response.json(), { count: 1 })
  assert.deepEqual([await isAlive(first), await isAlive(second), await isAlive(owner)], [false, true, true])
  const audit = (await owner.get('/portal/api/audit')).json<{ items: { action: string }[] }>()
  assert.equal(audit.items[0]?.action, 'sessions_revoked')
  assert.equal((await owner.post('/portal/api/sessions/revoke', { id })).code, 'not_found')
})

test('ending other sessions needs a step-up', async () => {
  const owner = await signUp(app)
  const other = await signInElsewhere(owner)
  const id = (await listSessions(other)).find((one) => one.current)!.id
  for (const body of [{}, { id }]) {
    assert.equal((await owner.post('/portal/api/sessions/revoke', body)).code, 'step_up_required')
  }
  assert.ok(await isAlive(other))
})

test('the current session can be ended by its id without a step-up', async () => {
  const owner = await signUp(app)
  const thief = copyClient(owner)
  const id = (await listSessions(owner))[0]!.id
  assert.equal((await owner.post('/portal/api/sessions/revoke', { id })).status, 200)
  assert.ok(!owner.jar.has('session'))
  assert.equal(await isAlive(thief), false)
})

test("ending somebody else's session is refused with not_found, with and without a step-up", async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  const id = (await listSessions(stranger))[0]!.id
  assert.equal((await owner.post('/portal/api/sessions/revoke', { id })).code, 'not_found')
  await owner.stepUp()
  assert.equal((await owner.post('/portal/api/sessions/revoke', { id })).code, 'not_found')
  assert.ok(await isAlive(stranger))
  assert.equal((await owner.post('/portal/api/sessions/revoke', { id: 'x' })).code, 'invalid_request')
})

test('over http the cookies have no __Host- prefix and no Secure attribute', async () => {
  const response = await (await signUp(app)).post('/portal/api/step-up', { password: 'wrong' })
  assert.equal(response.cookies.length, 0)
  const client = new Client(app)
  const lines = await setCookieLines(client)
  const [session, device, stepUp] = ['session', 'device', 'step-up'].map((name) =>
    lines.find((line) => line.startsWith(`${name}=`)),
  )
  assert.match(session!, /^session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.match(device!, /^device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.match(stepUp!, /^step-up=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('over https cookies have the __Host- prefix and the Secure attribute, and cookies without the prefix are ignored', async () => {
  const secure = await service.replica({ BASE_URL: 'https://pay.example.me' })
  const client = new Client(secure.app)
  const lines = await setCookieLines(client)
  assert.deepEqual([...new Set(lines.map((line) => line.split('=')[0]))].toSorted(), [
    '__Host-device',
    '__Host-session',
    '__Host-step-up',
  ])
  for (const line of lines) {
    assert.match(line, /; Path=\/(; Expires=[^;]+)?; HttpOnly; Secure; SameSite=Lax$/)
    assert.doesNotMatch(line, /Domain/i)
  }
  const withoutPrefix = new Client(secure.app)
  withoutPrefix.jar.set('session', client.jar.get('__Host-session')!)
  assert.equal((await withoutPrefix.get('/portal/api/session')).code, 'unauthenticated')
})

/** Signs up, then steps up, and returns the Set-Cookie headers that do not delete a cookie. */
async function setCookieLines(client: Client): Promise<string[]> {
  const body = { email: `cookies-${Math.random()}@example.me`, password: 'tri zelena jaja u gnijezdu' }
  const first = await client.post('/portal/api/sign-up', body)
  const second = await client.post('/portal/api/step-up', { password: body.password })
  const lines = [first, second].flatMap((one) => one.headers['set-cookie'] ?? []).map(String)
  return lines.filter((line) => !line.includes('Max-Age=0'))
}

test('two cookies of the same name are refused, even if one of them is valid', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  for (const name of ['session', 'step-up']) {
    const validCookies = [...owner.jar].map(([key, value]) => `${key}=${value}`).join('; ')
    for (const cookie of [`${validCookies}; ${name}=planted`, `${name}=planted; ${validCookies}`]) {
      const response = await new Client(app).get('/portal/api/session', { cookie })
      assert.equal(response.status, 400)
      assert.equal(response.code, 'invalid_request')
    }
  }
  const cookie = `device=${'a'.repeat(43)}; device=${'b'.repeat(43)}`
  const body = { email: owner.email, password: owner.password }
  assert.equal((await new Client(app).post('/portal/api/sign-in', body, { cookie })).code, 'invalid_request')
})

test('requests are limited per account, over all its sessions', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_PORTAL: '4' })
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  const clients = [owner, await signInElsewhere(owner)].map((one) => copyClient(one, limited.app))
  for (const one of [...clients, ...clients]) assert.ok(await isAlive(one))
  const response = await clients[0]!.get('/portal/api/session')
  assert.equal(response.code, 'rate_limited')
  assert.ok(Number(response.headers['retry-after']) > 0)
  assert.ok(await isAlive(copyClient(stranger, limited.app)))
})
