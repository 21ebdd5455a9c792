import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, findMail, mailedToken, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'

const service = await startTestService()
const { app, deps } = service
const FORGOT = '/portal/api/password/forgot'
const RESET = '/portal/api/password/reset'

async function askFor(email: string): Promise<string> {
  const answer = await new Client(app).post(FORGOT, { email })
  assert.equal(answer.status, 202, answer.text)
  return mailedToken(service, email.toLowerCase(), 'reset_password')
}

const reset = (token: string, password = ANOTHER_PASSWORD) => new Client(app).post(RESET, { token, password })

test('the mailed link sets a new password', async () => {
  const owner = await signUp(app)
  const answer = await reset(await askFor(owner.email.toUpperCase()))
  assert.equal(answer.status, 204, answer.text)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const signIn = (password: string) =>
    new Client(app).post('/portal/api/sign-in', { email: owner.email, password })
  assert.equal((await signIn(owner.password)).code, 'invalid_credentials')
  const good = await signIn(ANOTHER_PASSWORD)
  assert.equal(good.status, 200)
  // Whoever opened the link reads that mailbox.
  assert.equal(good.json<{ account: { emailConfirmed: boolean } }>().account.emailConfirmed, true)
  assert.ok(await findMail(service, owner.email, 'password_changed'))
})

test('it ends all sessions and with them every step-up', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  await reset(await askFor(owner.email))
  assert.equal((await owner.get('/portal/api/session')).code, 'unauthenticated')
})

test('it works once', async () => {
  const owner = await signUp(app)
  const token = await askFor(owner.email)
  const answers = await Promise.all([reset(token), reset(token), reset(token)])
  assert.deepEqual(answers.map((one) => one.status).toSorted(), [204, 410, 410])
  assert.equal((await reset(token)).code, 'token_expired')
})

test('it works for one hour', async () => {
  const owner = await signUp(app)
  const token = await askFor(owner.email)
  const age = `update mail_tokens set expires_at = expires_at - $1::interval where purpose = 'reset_password'`
  await rows(deps.db, age, ['59 minutes 30 seconds'])
  // A password that is refused does not use the link up.
  assert.equal((await reset(token, 'password2026')).code, 'invalid_request')
  await rows(deps.db, age, ['30 seconds'])
  const late = await reset(token)
  assert.equal(late.status, 410)
  assert.equal(late.code, 'token_expired')
})

test('a wrong token, and one made for another purpose, are as good as none, and cost no hash', async () => {
  const owner = await signUp(app)
  const confirm = await mailedToken(service, owner.email, 'confirm_email')
  const before = deps.passwords.evaluations()
  for (const token of [confirm, 'A'.repeat(43), 'x', "' or 1=1 --"]) {
    assert.equal((await reset(token)).code, 'token_expired', token)
  }
  assert.equal(deps.passwords.evaluations(), before)
})

test('a link used voids the others that were asked for', async () => {
  const owner = await signUp(app)
  const [first, second] = [await askFor(owner.email), await askFor(owner.email)]
  assert.notEqual(first, second)
  assert.equal((await reset(second)).status, 204)
  assert.equal((await reset(first)).code, 'token_expired')
})

test('it clears the lockouts that others caused', async () => {
  const owner = await signUp(app)
  const stranger = new Client(app)
  const wrong = { email: owner.email, password: 'not the password' }
  for (let i = 0; i < 6; i += 1) await stranger.post('/portal/api/sign-in', wrong)
  for (let i = 0; i < 6; i += 1) await owner.post('/portal/api/sign-in', wrong)
  for (let i = 0; i < 6; i += 1) await owner.post('/portal/api/step-up', { password: 'not the password' })
  await reset(await askFor(owner.email))
  for (const client of [stranger, owner]) {
    const answer = await client.post('/portal/api/sign-in', {
      email: owner.email,
      password: ANOTHER_PASSWORD,
    })
    assert.equal(answer.status, 200, answer.text)
  }
  owner.password = ANOTHER_PASSWORD
  await owner.stepUp()
})

test('no browser counts as known afterwards', async () => {
  const owner = await signUp(app)
  await reset(await askFor(owner.email))
  await owner.post('/portal/api/sign-in', { email: owner.email, password: ANOTHER_PASSWORD })
  assert.ok(await findMail(service, owner.email, 'new_device'))
})

test('asking for an unknown address is answered and worked alike, and mails nobody', async () => {
  const owner = await signUp(app)
  const count = 'select count(*)::integer as mails from mails'
  const [before] = await rows<{ mails: number }>(deps.db, count)
  async function measure(email: string) {
    const statements = deps.db.statementCount()
    const answer = await new Client(app).post(FORGOT, { email })
    const { 'x-request-id': _id, date: _date, ...headers } = answer.headers
    return {
      status: answer.status,
      text: answer.text,
      headers,
      statements: deps.db.statementCount() - statements,
    }
  }
  const known = await measure(owner.email)
  assert.equal(known.status, 202)
  assert.deepEqual(await measure('nobody@example.me'), known)
  assert.deepEqual(await measure('no address at all'), known)
  const [after] = await rows<{ mails: number }>(deps.db, count)
  assert.equal(after!.mails, before!.mails + 1)
})

test('one mailbox gets at most five links in fifteen minutes, over all replicas, and nobody is told', async () => {
  const owner = await signUp(app)
  const replica = await service.replica()
  for (let i = 0; i < 8; i += 1) {
    const answer = await new Client(i % 2 ? app : replica.app).post(FORGOT, { email: owner.email })
    assert.equal(answer.status, 202)
  }
  const text = `select from mails where to_address = $1 and kind = 'reset_password'`
  assert.equal((await rows(deps.db, text, [owner.email])).length, 5)
})

test('asking is limited per address', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_FORGOT: '2' })
  const ask = (email: string) => new Client(limited.app).post(FORGOT, { email })
  assert.deepEqual([(await ask('one@example.me')).status, (await ask('ONE@example.me')).status], [202, 202])
  const answer = await ask('one@example.me')
  assert.equal(answer.code, 'rate_limited')
  assert.equal((await ask('two@example.me')).status, 202)
})

test('what is wrong with the body is told', async () => {
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
