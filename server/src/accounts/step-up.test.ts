// These tests use one route that needs a step-up as an example: the route that ends other sessions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, copyClient, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { endStepUps, findActiveSession, grantStepUp } from './sessions-store.ts'
import { toTokenHash } from './token-hash.ts'

const { app, deps } = await startTestService()
const STEP_UP_URL = '/portal/api/step-up'
const PROTECTED = '/portal/api/sessions/revoke'

async function assertRefused(client: Client): Promise<void> {
  const response = await client.post(PROTECTED, {})
  assert.equal(response.status, 403, response.text)
  assert.equal(response.code, 'step_up_required')
}

async function signInElsewhere(owner: Client): Promise<Client> {
  const client = new Client(app)
  await client.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  client.email = owner.email
  client.password = owner.password
  return client
}

test('a step-up with the password opens the protected route, and the response says when the step-up ends', async () => {
  const owner = await signUp(app)
  await assertRefused(owner)
  const response = await owner.post(STEP_UP_URL, { password: owner.password })
  assert.equal(response.status, 200)
  const { until } = response.json<{ until: string }>()
  const session = (await owner.get('/portal/api/session')).json()
  assert.equal(session['stepUpUntil'], until)
  assert.equal((await owner.post(PROTECTED, {})).status, 200)
})

test('a step-up lasts exactly 300 seconds', () =>
  deps.db.transaction(async (tx) => {
    const owner = await signUp(app)
    const tokenHash = toTokenHash(owner.jar.get('session')!)
    const session = await findActiveSession(tx, tokenHash)
    const granted = { tokenHash, stepUpHash: toTokenHash('x'), credentialVersion: 1, byRecovery: false }
    await grantStepUp(tx, { id: session!.id, tokenHash }, granted)
    const remaining =
      'select extract(epoch from step_up_until - now())::float as sec from sessions where id = $1'
    assert.deepEqual(await rows(tx, remaining, [session!.id]), [{ sec: 300 }])
    // In one transaction now() does not change, so the end can be tested to the millisecond.
    const setEnd = 'update sessions set step_up_until = now() + $2::interval where id = $1'
    await rows(tx, setEnd, [session!.id, '0.001 s'])
    assert.notEqual((await findActiveSession(tx, tokenHash))!.stepUp, null)
    await rows(tx, setEnd, [session!.id, '-0.001 s'])
    assert.equal((await findActiveSession(tx, tokenHash))!.stepUp, null)
  }))

test('a step-up has ended after 300.001 seconds', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const text = `update sessions set step_up_until = step_up_until - interval '300.001 s' where token_hash = $1`
  await rows(deps.db, text, [toTokenHash(owner.jar.get('session')!)])
  await assertRefused(owner)
  assert.equal((await owner.get('/portal/api/session')).json()['stepUpUntil'], null)
})

test('activity does not prolong a step-up', async () => {
  const owner = await signUp(app)
  const { until } = (await owner.post(STEP_UP_URL, { password: owner.password })).json<{ until: string }>()
  await owner.post('/portal/api/account', { theme: 'dark' })
  assert.equal((await owner.get('/portal/api/session')).json()['stepUpUntil'], until)
})

test('a step-up gives the session a new token, and the old token stops working', async () => {
  const owner = await signUp(app)
  const thief = copyClient(owner)
  await owner.stepUp()
  assert.notEqual(owner.jar.get('session'), thief.jar.get('session'))
  assert.equal((await thief.get('/portal/api/session')).code, 'unauthenticated')
  assert.equal((await owner.get('/portal/api/session')).status, 200)
})

test('a step-up does not count without its cookie or with a changed cookie', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const rightToken = owner.jar.get('step-up')!
  const flipped = (rightToken.startsWith('A') ? 'B' : 'A') + rightToken.slice(1)
  for (const forged of [null, flipped, rightToken.slice(0, -1), `${rightToken}A`, '', 'A'.repeat(43)]) {
    const client = copyClient(owner)
    if (forged === null) client.jar.delete('step-up')
    else client.jar.set('step-up', forged)
    await assertRefused(client)
  }
  assert.equal((await owner.post(PROTECTED, {})).status, 200)
})

test('a step-up does not count in another session of the same account', async () => {
  const owner = await signUp(app)
  const other = await signInElsewhere(owner)
  await other.stepUp()
  owner.jar.set('step-up', other.jar.get('step-up')!)
  await assertRefused(owner)
  await owner.stepUp()
  const ownToken = owner.jar.get('step-up')!
  owner.jar.set('step-up', other.jar.get('step-up')!)
  await assertRefused(owner)
  owner.jar.set('step-up', ownToken)
  assert.equal((await owner.post(PROTECTED, {})).status, 200)
})

test("another account's step-up does not count", async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  await stranger.stepUp()
  owner.jar.set('step-up', stranger.jar.get('step-up')!)
  await assertRefused(owner)
})

test('after a sign-out, the cookie of the step-up does not count, even in a later session', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const thief = copyClient(owner)
  await owner.post('/portal/api/sign-out')
  assert.equal((await thief.post(PROTECTED, {})).code, 'unauthenticated')
  await owner.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  owner.jar.set('step-up', thief.jar.get('step-up')!)
  await assertRefused(owner)
})

test('a password change ends the step-up', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const cookie = owner.jar.get('step-up')!
  assert.equal((await owner.post('/portal/api/password', { password: ANOTHER_PASSWORD })).status, 204)
  assert.ok(!owner.jar.has('step-up'))
  owner.jar.set('step-up', cookie)
  await assertRefused(owner)
})

test('a step-up ends when the version of the password changes', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const text = 'update accounts set credential_version = credential_version + 1 where email_key = $1'
  await rows(deps.db, text, [owner.email])
  await assertRefused(owner)
})

test('endStepUps removes a step-up from the row of its session', async () => {
  const owner = await signUp(app)
  const tokenHash = toTokenHash(owner.jar.get('session')!)
  const readRow = () =>
    rows(
      deps.db,
      `select step_up_hash, step_up_until, step_up_credential_version, step_up_by_recovery
       from sessions where token_hash = $1`,
      [tokenHash],
    )
  const before = await readRow()
  const { id, account } = (await findActiveSession(deps.db, tokenHash))!
  const granted = { tokenHash, stepUpHash: toTokenHash('x'), credentialVersion: 1, byRecovery: true }
  await deps.db.transaction(async (tx) => {
    await grantStepUp(tx, { id, tokenHash }, granted)
    await endStepUps(tx, account.id, { except: null })
  })
  assert.deepEqual(await readRow(), before)
})

test('a duplicated cookie is refused', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const cookie = [...owner.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await new Client(app).post(PROTECTED, {}, { cookie: `${cookie}; step-up=x` })
  assert.equal(response.status, 400)
})

test('another site cannot use a step-up', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const response = await owner.post(PROTECTED, {}, { origin: 'https://evil.example' })
  assert.equal(response.code, 'forbidden_origin')
})

test('a wrong password grants no step-up and does not end the session', async () => {
  const owner = await signUp(app)
  const tokenBefore = owner.jar.get('session')
  const response = await owner.post(STEP_UP_URL, { password: 'not the password' })
  assert.equal(response.status, 401)
  assert.equal(response.code, 'invalid_credentials')
  assert.equal(owner.jar.get('session'), tokenBefore)
  await assertRefused(owner)
})

test('the sixth attempt in fifteen minutes is locked out, even with the right password', async () => {
  const owner = await signUp(app)
  for (let i = 0; i < 5; i += 1) await owner.post(STEP_UP_URL, { password: 'not the password' })
  const response = await owner.post(STEP_UP_URL, { password: owner.password })
  assert.equal(response.status, 429)
  assert.equal(response.code, 'locked_out')
  assert.ok(Number(response.headers['retry-after']) > 0)
})

test('a successful step-up resets the count of wrong passwords', async () => {
  const owner = await signUp(app)
  for (let round = 0; round < 2; round += 1) {
    for (let i = 0; i < 4; i += 1) await owner.post(STEP_UP_URL, { password: 'not the password' })
    await owner.stepUp()
  }
})

test('of two parallel step-ups of one session only one succeeds', async () => {
  const owner = await signUp(app)
  const copies = [copyClient(owner), copyClient(owner)]
  const responses = await Promise.all(
    copies.map((one) => one.post(STEP_UP_URL, { password: owner.password })),
  )
  assert.deepEqual(responses.map((one) => one.code).toSorted(), ['', 'unauthenticated'])
})

test('the audit trail lists only step-ups that were granted', async () => {
  const owner = await signUp(app)
  const copies = Array.from({ length: 4 }, () => copyClient(owner))
  const responses = await Promise.all(
    copies.map((one) => one.post(STEP_UP_URL, { password: owner.password })),
  )
  const winner = copies[responses.findIndex((one) => one.status === 200)]!
  const { items } = (await winner.get('/portal/api/audit')).json<{ items: { action: string }[] }>()
  assert.equal(items.filter((one) => one.action === 'step_up').length, 1)
})

test('a step-up needs a session and a password', async () => {
  const owner = await signUp(app)
  assert.equal(
    (await new Client(app).post(STEP_UP_URL, { password: owner.password })).code,
    'unauthenticated',
  )
  for (const body of [{}, { password: '' }, { password: 'x'.repeat(129) }, { password: 'x', more: 1 }]) {
    assert.equal((await owner.post(STEP_UP_URL, body)).code, 'invalid_request')
  }
})
