import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, copyClient, findMail, readMailedToken, rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'

const service = await startTestService()
const { app, deps } = service
const PASSWORD_URL = '/portal/api/password'

test('the new password works immediately, and the old one does not', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  assert.equal((await owner.post(PASSWORD_URL, { password: ANOTHER_PASSWORD })).status, 204)
  const signIn = (password: string) =>
    new Client(app).post('/portal/api/sign-in', { email: owner.email, password })
  assert.equal((await signIn(owner.password)).code, 'invalid_credentials')
  assert.equal((await signIn(ANOTHER_PASSWORD)).status, 200)
})

test('a password change ends every session except the session that changed the password', async () => {
  const owner = await signUp(app)
  const other = new Client(app)
  await other.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  await owner.stepUp()
  await owner.post(PASSWORD_URL, { password: ANOTHER_PASSWORD })
  assert.equal((await other.get('/portal/api/session')).code, 'unauthenticated')
  assert.equal((await owner.get('/portal/api/session')).status, 200)
})

const tokensOf = (owner: Client) =>
  rows<{ revoked: boolean }>(
    deps.db,
    `select t.revoked_at is not null as revoked from api_tokens t join accounts a on a.id = t.account_id
     where a.email = $1`,
    [owner.email],
  )

test('after a password change, other browsers count as new devices, and the browser that made the change gets a new device cookie', async () => {
  const owner = await signUp(app)
  const other = new Client(app)
  await other.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  const thief = new Client(app)
  thief.jar.set('device', owner.jar.get('device')!)
  await rows(deps.db, 'delete from mails')
  await owner.stepUp()
  const deviceBefore = owner.jar.get('device')
  await owner.post(PASSWORD_URL, { password: ANOTHER_PASSWORD })
  assert.notEqual(owner.jar.get('device'), deviceBefore)

  const signIn = (client: Client) =>
    client.post('/portal/api/sign-in', { email: owner.email, password: ANOTHER_PASSWORD })
  assert.equal((await signIn(owner)).status, 200)
  assert.equal(await findMail(service, owner.email, 'new_device'), null)
  for (const client of [other, thief]) {
    await rows(deps.db, 'delete from mails')
    assert.equal((await signIn(client)).status, 200)
    assert.ok(await findMail(service, owner.email, 'new_device'))
  }
})

test('after a password change, wrong passwords in other browsers also lock out a browser with a copied device cookie', async () => {
  const owner = await signUp(app)
  const thief = new Client(app)
  thief.jar.set('device', owner.jar.get('device')!)
  await owner.stepUp()
  await owner.post(PASSWORD_URL, { password: ANOTHER_PASSWORD })
  const wrong = { email: owner.email, password: 'not the password' }
  for (let n = 0; n < 5; n += 1) await new Client(app).post('/portal/api/sign-in', wrong)
  assert.equal((await thief.post('/portal/api/sign-in', wrong)).code, 'locked_out')
  const newCredentials = { email: owner.email, password: ANOTHER_PASSWORD }
  assert.equal((await owner.post('/portal/api/sign-in', newCredentials)).status, 200)
})

test('a password change revokes API tokens only on request, and the audit entry has the number of revoked tokens', async () => {
  for (const [body, revoked] of [
    [{}, 0],
    [{ revokeTokens: false }, 0],
    [{ revokeTokens: true }, 2],
  ] as const) {
    const owner = await signUp(app)
    const tokens = [await makeToken(owner, { scope: 'read' }), await makeToken(owner, { scope: 'write' })]
    await owner.stepUp()
    assert.equal((await owner.post(PASSWORD_URL, { password: ANOTHER_PASSWORD, ...body })).status, 204)
    assert.equal((await tokensOf(owner)).filter((one) => one.revoked).length, revoked)
    for (const { token } of tokens) {
      const response = await clientWithToken(app, token).post('/sdk/project/list')
      assert.equal(response.status, revoked > 0 ? 401 : 200)
    }
    const text = `select changes from audit_events e join accounts a on a.id = e.account_id
      where a.email = $1 and action = 'password_changed'`
    assert.deepEqual(await rows(deps.db, text, [owner.email]), [{ changes: { tokensRevoked: revoked } }])
  }
})

test('a revokeTokens value that is not a boolean is refused, and the tokens stay valid', async () => {
  const owner = await signUp(app)
  const { token } = await makeToken(owner)
  await owner.stepUp()
  for (const revokeTokens of ['true', 1, null, []]) {
    const response = await owner.post(PASSWORD_URL, { password: ANOTHER_PASSWORD, revokeTokens })
    assert.equal(response.code, 'invalid_request', JSON.stringify(revokeTokens))
  }
  assert.equal((await clientWithToken(app, token).post('/sdk/project/list')).status, 200)
})

test('links for a password reset or a new email address stop working after a password change', async () => {
  const owner = await signUp(app)
  await owner.post('/portal/api/password/forgot', { email: owner.email })
  await owner.stepUp()
  await owner.post('/portal/api/email', { email: `new-${owner.email}` })
  const reset = await readMailedToken(service, owner.email, 'reset_password')
  const change = await readMailedToken(service, `new-${owner.email}`, 'confirm_new_email')
  await owner.post(PASSWORD_URL, { password: ANOTHER_PASSWORD })
  const used = await owner.post('/portal/api/password/reset', {
    token: reset,
    password: 'osam crnih mačaka na krovu',
  })
  assert.equal(used.code, 'token_expired')
  assert.equal((await owner.post('/portal/api/email/confirm', { token: change })).code, 'token_expired')
})

test('the mail about a password change is queued in the transaction of the change', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  await owner.post(PASSWORD_URL, { password: ANOTHER_PASSWORD }, { 'user-agent': 'Testko/1.0' })
  const mail = await findMail(service, owner.email, 'password_changed')
  // Both columns have the start time of their transaction, so equal times mean the same transaction.
  const text =
    'select m.facts, m.created_at = e.at as same_time from mails m, audit_events e where m.id = $1 and e.action = $2'
  const [row] = await rows<{ facts: Record<string, string>; same_time: boolean }>(deps.db, text, [
    mail!.id,
    'password_changed',
  ])
  assert.equal(row!.facts['userAgent'], 'Testko/1.0')
  const all = await rows<{ same_time: boolean }>(deps.db, text, [mail!.id, 'password_changed'])
  assert.ok(all.some((one) => one.same_time))
})

test('without a session or a step-up the password does not change', async () => {
  const owner = await signUp(app)
  assert.equal(
    (await new Client(app).post(PASSWORD_URL, { password: ANOTHER_PASSWORD })).code,
    'unauthenticated',
  )
  assert.equal((await owner.post(PASSWORD_URL, { password: ANOTHER_PASSWORD })).code, 'step_up_required')
  const response = await new Client(app).post('/portal/api/sign-in', {
    email: owner.email,
    password: owner.password,
  })
  assert.equal(response.status, 200)
})

test('the body is checked before the step-up, and a common password is refused', async () => {
  const owner = await signUp(app)
  assert.equal((await owner.post(PASSWORD_URL, { password: 'short' })).code, 'invalid_request')
  await owner.stepUp()
  for (const password of ['short', 'x'.repeat(129), 'password2026', owner.email]) {
    assert.equal((await owner.post(PASSWORD_URL, { password })).code, 'invalid_request', password)
  }
})

test('of two parallel password changes with one step-up, one is refused', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const responses = await Promise.all(
    ['devet žutih ptica na grani', 'deset bijelih ovaca na brdu'].map((password) =>
      copyClient(owner).post(PASSWORD_URL, { password }),
    ),
  )
  assert.deepEqual(responses.map((one) => one.code).toSorted(), ['', 'step_up_required'])
})
