import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, findMail, readMailedToken, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import { requestReset as requestResetOf, resetPassword } from './reset-password.ts'

const service = await startTestService()
const { app, deps } = service
const FORGOT = '/portal/api/password/forgot'
const RESET = '/portal/api/password/reset'

async function requestReset(email: string): Promise<string> {
  const response = await new Client(app).post(FORGOT, { email })
  assert.equal(response.status, 202, response.text)
  return readMailedToken(service, email.toLowerCase(), 'reset_password')
}

const reset = (token: string, password = ANOTHER_PASSWORD) => new Client(app).post(RESET, { token, password })

async function changeAddress(owner: Client, email: string): Promise<void> {
  await owner.stepUp()
  assert.equal((await owner.post('/portal/api/email', { email })).status, 202)
  const token = await readMailedToken(service, email, 'confirm_new_email')
  assert.equal((await new Client(app).post('/portal/api/email/confirm', { token })).status, 204)
  owner.email = email
}

test('the mailed link sets a new password', async () => {
  const owner = await signUp(app)
  const response = await reset(await requestReset(owner.email.toUpperCase()))
  assert.equal(response.status, 204, response.text)
  assert.equal(response.headers['cache-control'], 'no-store')
  const signIn = (password: string) =>
    new Client(app).post('/portal/api/sign-in', { email: owner.email, password })
  assert.equal((await signIn(owner.password)).code, 'invalid_credentials')
  const signedIn = await signIn(ANOTHER_PASSWORD)
  assert.equal(signedIn.status, 200)
  // The link proves access to the owner's mailbox.
  assert.equal(signedIn.json<{ account: { emailConfirmed: boolean } }>().account.emailConfirmed, true)
  assert.ok(await findMail(service, owner.email, 'password_changed'))
})

test('a reset ends the sessions, even one with a step-up', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  await reset(await requestReset(owner.email))
  assert.equal((await owner.get('/portal/api/session')).code, 'unauthenticated')
})

test('a reset link works once', async () => {
  const owner = await signUp(app)
  const token = await requestReset(owner.email)
  const responses = await Promise.all([reset(token), reset(token), reset(token)])
  assert.deepEqual(responses.map((one) => one.status).toSorted(), [204, 410, 410])
  assert.equal((await reset(token)).code, 'token_expired')
})

test('a reset link works for one hour', async () => {
  const owner = await signUp(app)
  const token = await requestReset(owner.email)
  const moveBack = `update mail_tokens set expires_at = expires_at - $1::interval where purpose = 'reset_password'`
  await rows(deps.db, moveBack, ['59 minutes 30 seconds'])
  // The link is still valid; only the new password is refused.
  assert.equal((await reset(token, 'password2026')).code, 'invalid_request')
  await rows(deps.db, moveBack, ['30 seconds'])
  const expired = await reset(token)
  assert.equal(expired.status, 410)
  assert.equal(expired.code, 'token_expired')
})

test('a wrong token and a token for another purpose are refused before the new password is hashed', async () => {
  const owner = await signUp(app)
  const confirm = await readMailedToken(service, owner.email, 'confirm_email')
  const evaluationsBefore = deps.passwords.evaluations()
  for (const token of [confirm, 'A'.repeat(43), 'x', "' or 1=1 --"]) {
    assert.equal((await reset(token)).code, 'token_expired', token)
  }
  assert.equal(deps.passwords.evaluations(), evaluationsBefore)
})

test('using one reset link voids the other reset links of the account', async () => {
  const owner = await signUp(app)
  const [first, second] = [await requestReset(owner.email), await requestReset(owner.email)]
  assert.notEqual(first, second)
  assert.equal((await reset(second)).status, 204)
  assert.equal((await reset(first)).code, 'token_expired')
})

test('a reset voids a requested change of the address', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const email = `nova.${owner.email}`
  assert.equal((await owner.post('/portal/api/email', { email })).status, 202)
  const change = await readMailedToken(service, email, 'confirm_new_email')
  assert.equal((await reset(await requestReset(owner.email))).status, 204)
  const confirmed = await new Client(app).post('/portal/api/email/confirm', { token: change })
  assert.equal(confirmed.code, 'token_expired')
})

test('a reset is refused if the password changes while the reset runs', async () => {
  const owner = await signUp(app)
  const token = await requestReset(owner.email)
  const watched = recordStatements(deps, async (name, run) => {
    if (name === 'mail_links.use')
      await rows(
        deps.db,
        'update accounts set credential_version = credential_version + 1 where email = $1',
        [owner.email],
      )
    return run()
  })
  const client = { ip: '::1', userAgent: '' }
  await assert.rejects(resetPassword(watched.deps, client, { token, password: ANOTHER_PASSWORD }), {
    code: 'token_expired',
  })
  assert.equal((await owner.get('/portal/api/session')).status, 200)
  const body = { email: owner.email, password: owner.password }
  assert.equal((await new Client(app).post('/portal/api/sign-in', body)).status, 200)
})

test('if the address changes just before a reset link for the former address is stored, the link is refused', async () => {
  const owner = await signUp(app)
  const former = owner.email
  // The request for the link has read the account, and waits until the new address is confirmed.
  const watched = recordStatements(deps, async (name, run) => {
    if (name === 'mail_links.insert') await changeAddress(owner, `nova.${former}`)
    return run()
  })
  await requestResetOf(watched.deps, { ip: '::1', userAgent: '' }, former)
  const token = await readMailedToken(service, former, 'reset_password')
  const refused = await reset(token)
  assert.deepEqual([refused.status, refused.code], [410, 'token_expired'])
  assert.equal((await owner.get('/portal/api/session')).status, 200)
  const body = { email: owner.email, password: owner.password }
  assert.equal((await new Client(app).post('/portal/api/sign-in', body)).status, 200)
})

test('a reset clears the lockouts of unknown browsers, of a known browser and of step-ups', async () => {
  const owner = await signUp(app)
  const stranger = new Client(app)
  const wrong = { email: owner.email, password: 'not the password' }
  for (let i = 0; i < 6; i += 1) await stranger.post('/portal/api/sign-in', wrong)
  for (let i = 0; i < 6; i += 1) await owner.post('/portal/api/sign-in', wrong)
  for (let i = 0; i < 6; i += 1) await owner.post('/portal/api/step-up', { password: 'not the password' })
  await reset(await requestReset(owner.email))
  for (const client of [stranger, owner]) {
    const response = await client.post('/portal/api/sign-in', {
      email: owner.email,
      password: ANOTHER_PASSWORD,
    })
    assert.equal(response.status, 200, response.text)
  }
  owner.password = ANOTHER_PASSWORD
  await owner.stepUp()
})

test('after a reset no browser counts as known', async () => {
  const owner = await signUp(app)
  await reset(await requestReset(owner.email))
  await owner.post('/portal/api/sign-in', { email: owner.email, password: ANOTHER_PASSWORD })
  assert.ok(await findMail(service, owner.email, 'new_device'))
})

test('known and unknown addresses get the same response, but only a known one gets a mail', async () => {
  const owner = await signUp(app)
  const count = 'select count(*)::integer as mails from mails'
  const [countBefore] = await rows<{ mails: number }>(deps.db, count)
  async function measure(email: string) {
    const statements = deps.db.statementCount()
    const response = await new Client(app).post(FORGOT, { email })
    const { 'x-request-id': _id, date: _date, ...headers } = response.headers
    return {
      status: response.status,
      text: response.text,
      headers,
      statements: deps.db.statementCount() - statements,
    }
  }
  const forKnownAddress = await measure(owner.email)
  assert.equal(forKnownAddress.status, 202)
  assert.deepEqual(await measure('nobody@example.me'), forKnownAddress)
  const [countAfter] = await rows<{ mails: number }>(deps.db, count)
  assert.equal(countAfter!.mails, countBefore!.mails + 1)
})

test('an invalid body is refused with invalid_request', async () => {
  const client = new Client(app)
  for (const body of [
    {},
    { email: '' },
    { email: 5 },
    { email: 'x'.repeat(255) },
    { email: 'a@b.me', x: 1 },
  ]) {
    assert.equal((await client.post(FORGOT, body)).code, 'invalid_request')
  }
  for (const body of [
    {},
    { token: 'x' },
    { token: 'x', password: 'short' },
    { token: '', password: ANOTHER_PASSWORD },
  ]) {
    assert.equal((await client.post(RESET, body)).code, 'invalid_request')
  }
})
