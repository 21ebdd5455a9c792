import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, findMail, readMailedToken, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'

const service = await startTestService()
const { app, deps } = service
const CHANGE_EMAIL_URL = '/portal/api/email'
const CONFIRM_URL = '/portal/api/email/confirm'

const confirm = (token: string) => new Client(app).post(CONFIRM_URL, { token })

async function accountOf(client: Client) {
  const response = await client.get('/portal/api/session')
  return response.json<{ account: { email: string; emailConfirmed: boolean } }>().account
}

test('the confirmation link of a new account works once', async () => {
  const owner = await signUp(app)
  const token = await readMailedToken(service, owner.email, 'confirm_email')
  const response = await confirm(token)
  assert.equal(response.status, 204)
  assert.equal((await accountOf(owner)).emailConfirmed, true)
  assert.equal((await confirm(token)).code, 'token_expired')
})

test('a new address takes effect when it is confirmed, and the old address gets a notice', async () => {
  const owner = await signUp(app)
  const newEmail = `Nova.${owner.email}`
  await owner.stepUp()
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: newEmail })).status, 202)
  assert.ok(await findMail(service, owner.email, 'email_change_notice'))
  assert.equal((await accountOf(owner)).email, owner.email)

  assert.equal((await confirm(await readMailedToken(service, newEmail, 'confirm_new_email'))).status, 204)
  assert.deepEqual(
    [(await accountOf(owner)).email, (await accountOf(owner)).emailConfirmed],
    [newEmail, true],
  )
  const signIn = (email: string) =>
    new Client(app).post('/portal/api/sign-in', { email, password: owner.password })
  assert.equal((await signIn(newEmail.toUpperCase())).status, 200)
  assert.equal((await signIn(owner.email)).code, 'invalid_credentials')
})

test('links sent to the old address stop working after the change', async () => {
  const owner = await signUp(app)
  const newEmail = `nova.${owner.email}`
  await owner.post('/portal/api/password/forgot', { email: owner.email })
  const reset = await readMailedToken(service, owner.email, 'reset_password')
  const oldLink = await readMailedToken(service, owner.email, 'confirm_email')
  await owner.stepUp()
  await owner.post(CHANGE_EMAIL_URL, { email: newEmail })
  await confirm(await readMailedToken(service, newEmail, 'confirm_new_email'))
  const response = await owner.post('/portal/api/password/reset', {
    token: reset,
    password: ANOTHER_PASSWORD,
  })
  assert.equal(response.code, 'token_expired')
  assert.equal((await confirm(oldLink)).code, 'token_expired')
})

test('the confirmation link of a new account works for 24 hours', async () => {
  const owner = await signUp(app)
  const token = await readMailedToken(service, owner.email, 'confirm_email')
  const text = `select extract(epoch from expires_at - created_at)::integer as sec from mail_tokens
    where email = $1 and purpose = 'confirm_email'`
  assert.deepEqual(await rows(deps.db, text, [owner.email]), [{ sec: 24 * 3600 }])
  const expire = `update mail_tokens set expires_at = now() where email = $1`
  await rows(deps.db, expire, [owner.email])
  const expired = await confirm(token)
  assert.equal(expired.status, 410)
  assert.equal(expired.code, 'token_expired')
})

test('an address of another account is refused at the request and at the confirmation', async () => {
  const [owner, other] = [await signUp(app), await signUp(app)]
  await owner.stepUp()
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: other.email.toUpperCase() })).code, 'email_taken')

  const freeEmail = `free.${owner.email}`
  await owner.post(CHANGE_EMAIL_URL, { email: freeEmail })
  const token = await readMailedToken(service, freeEmail, 'confirm_new_email')
  await new Client(app).post('/portal/api/sign-up', { email: freeEmail, password: ANOTHER_PASSWORD })
  const response = await confirm(token)
  assert.equal(response.status, 409)
  assert.equal(response.code, 'email_taken')
  assert.equal((await accountOf(owner)).email, owner.email)
})

test('the confirmation link can be requested again until the address is confirmed', async () => {
  const owner = await signUp(app)
  const first = await readMailedToken(service, owner.email, 'confirm_email')
  await owner.stepUp()
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: owner.email })).status, 202)
  const second = await readMailedToken(service, owner.email, 'confirm_email')
  assert.notEqual(second, first)
  assert.equal((await confirm(second)).status, 204)
  const mail = await findMail(service, owner.email, 'confirm_email')
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: owner.email })).status, 202)
  assert.equal((await findMail(service, owner.email, 'confirm_email'))?.id, mail?.id)
})

test('at most ten confirmation links a day are sent for one account', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const codes: string[] = []
  for (let i = 0; i < 11; i += 1)
    codes.push((await owner.post(CHANGE_EMAIL_URL, { email: `s${i}.${owner.email}` })).code)
  // The first link of the day was sent by the sign-up.
  assert.deepEqual(codes, [...Array<string>(9).fill(''), 'rate_limited', 'rate_limited'])
})

test('requests at the same time send no more links than the limit', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const numbers = Array.from({ length: 30 }, (_, n) => n)
  const responses = await Promise.all(
    numbers.map((n) => owner.post(CHANGE_EMAIL_URL, { email: `many${n}.${owner.email}` })),
  )
  // The first link of the day was sent by the sign-up.
  assert.equal(responses.filter(({ status }) => status === 202).length, 9)
})

test('refusals with email_taken count towards the daily limit for new addresses', async () => {
  const [owner, other] = [await signUp(app), await signUp(app)]
  await owner.stepUp()
  const codes: string[] = []
  for (let round = 0; round < 11; round += 1)
    codes.push((await owner.post(CHANGE_EMAIL_URL, { email: other.email })).code)
  assert.deepEqual(codes, [...Array<string>(10).fill('email_taken'), 'rate_limited'])
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: `free.${owner.email}` })).code, 'rate_limited')
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: owner.email })).status, 202)
})

test('a password change voids the links that were sent to new addresses, but these links still count towards the daily limit', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  for (let i = 0; i < 9; i += 1) await owner.post(CHANGE_EMAIL_URL, { email: `t${i}.${owner.email}` })
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: `tenth.${owner.email}` })).code, 'rate_limited')
  const link = await readMailedToken(service, `t0.${owner.email}`, 'confirm_new_email')
  assert.equal((await owner.post('/portal/api/password', { password: ANOTHER_PASSWORD })).status, 204)
  owner.password = ANOTHER_PASSWORD
  await owner.stepUp()
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: `tenth.${owner.email}` })).code, 'rate_limited')
  assert.equal((await confirm(link)).code, 'token_expired')
})

test('a change of address needs a session, a valid body and a step-up, checked in this order', async () => {
  const owner = await signUp(app)
  assert.equal((await new Client(app).post(CHANGE_EMAIL_URL, { email: 5 })).code, 'unauthenticated')
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: 'no-at-sign' })).code, 'invalid_request')
  assert.equal((await owner.post(CHANGE_EMAIL_URL, { email: 'new@example.me' })).code, 'step_up_required')
  await owner.stepUp()
  assert.equal(
    (await owner.post(CHANGE_EMAIL_URL, { email: 'hid\u200bden@example.me' })).code,
    'invalid_request',
  )
  for (const body of [{}, { token: '' }, { token: 5 }, { token: 'x', y: 1 }]) {
    assert.equal((await owner.post(CONFIRM_URL, body)).code, 'invalid_request')
  }
  assert.equal((await confirm('A'.repeat(43))).code, 'token_expired')
})
