import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, copyOf, findMail, mailedToken, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'

const service = await startTestService()
const { app, deps } = service
const URL = '/portal/api/password'

test('the new password is in force at once, the old one is dead', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  assert.equal((await owner.post(URL, { password: ANOTHER_PASSWORD })).status, 204)
  const signIn = (password: string) =>
    new Client(app).post('/portal/api/sign-in', { email: owner.email, password })
  assert.equal((await signIn(owner.password)).code, 'invalid_credentials')
  assert.equal((await signIn(ANOTHER_PASSWORD)).status, 200)
})

test('every other session ends, the one that asked goes on', async () => {
  const owner = await signUp(app)
  const other = new Client(app)
  await other.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  await owner.stepUp()
  await owner.post(URL, { password: ANOTHER_PASSWORD })
  assert.equal((await other.get('/portal/api/session')).code, 'unauthenticated')
  assert.equal((await owner.get('/portal/api/session')).status, 200)
})

test('links that were mailed under the old password are void', async () => {
  const owner = await signUp(app)
  await owner.post('/portal/api/password/forgot', { email: owner.email })
  await owner.stepUp()
  await owner.post('/portal/api/email', { email: `new-${owner.email}` })
  const reset = await mailedToken(service, owner.email, 'reset_password')
  const change = await mailedToken(service, `new-${owner.email}`, 'confirm_new_email')
  await owner.post(URL, { password: ANOTHER_PASSWORD })
  const used = await owner.post('/portal/api/password/reset', {
    token: reset,
    password: 'osam crnih mačaka na krovu',
  })
  assert.equal(used.code, 'token_expired')
  assert.equal((await owner.post('/portal/api/email/confirm', { token: change })).code, 'token_expired')
})

test('the owner is told by mail, in the transaction of the change', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  await owner.post(URL, { password: ANOTHER_PASSWORD }, { 'user-agent': 'Testko/1.0' })
  const mail = await findMail(service, owner.email, 'password_changed')
  const text =
    'select m.facts, m.created_at = e.at as together from mails m, audit_events e where m.id = $1 and e.action = $2'
  const [row] = await rows<{ facts: Record<string, string>; together: boolean }>(deps.db, text, [
    mail!.id,
    'password_changed',
  ])
  assert.equal(row!.facts['userAgent'], 'Testko/1.0')
  const all = await rows<{ together: boolean }>(deps.db, text, [mail!.id, 'password_changed'])
  assert.ok(all.some((one) => one.together))
})

test('without a session or a step-up nothing changes', async () => {
  const owner = await signUp(app)
  assert.equal((await new Client(app).post(URL, { password: ANOTHER_PASSWORD })).code, 'unauthenticated')
  assert.equal((await owner.post(URL, { password: ANOTHER_PASSWORD })).code, 'step_up_required')
  const answer = await new Client(app).post('/portal/api/sign-in', {
    email: owner.email,
    password: owner.password,
  })
  assert.equal(answer.status, 200)
})

test('the body is checked before the step-up, and a common password is refused', async () => {
  const owner = await signUp(app)
  assert.equal((await owner.post(URL, { password: 'short' })).code, 'invalid_request')
  await owner.stepUp()
  for (const password of ['short', 'x'.repeat(129), 'password2026', owner.email]) {
    assert.equal((await owner.post(URL, { password })).code, 'invalid_request', password)
  }
})

test('of two changes at once with one step-up, one is made', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const answers = await Promise.all(
    ['devet žutih ptica na grani', 'deset bijelih ovaca na brdu'].map((password) =>
      copyOf(owner).post(URL, { password }),
    ),
  )
  assert.deepEqual(answers.map((one) => one.code).toSorted(), ['', 'step_up_required'])
})
