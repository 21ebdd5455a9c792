// Tests sign-in and step-up with an authenticator app and recovery codes, through the real routes, on two replicas.
// Why this is long: all tests share one service with two replicas.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, copyClient, findMail, readMailedToken, rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { addApp, AuthenticatorApp, forgetUsedCodes } from '../../../test/factors.ts'
import { startTestService } from '../../../test/harness.ts'
import { payFor } from '../../../test/refunds.ts'

const service = await startTestService()
const replica = await service.replica()
const { app, deps } = service

const API = '/portal/api'
const SIGN_IN = `${API}/sign-in`
const CODE = `${API}/sign-in/code`

async function newOwner() {
  const owner = await signUp(app)
  await owner.stepUp()
  return { owner, ...(await addApp(service, owner)) }
}

/** Enters the right password in a new browser. If the account has a second factor, the sign-in stays pending. */
async function startSignIn(owner: Client, onApp = app): Promise<Client> {
  const browser = new Client(onApp)
  const response = await browser.post(SIGN_IN, { email: owner.email, password: owner.password })
  assert.equal(response.status, 200, response.text)
  return browser
}

const wrongCodeOf = (authenticatorApp: AuthenticatorApp) => {
  // The codes of the previous and the next 30 seconds are accepted too.
  const acceptedCodes = [-30_000, 0, 30_000].map((ms) => authenticatorApp.codeAt(Date.now() + ms))
  return ['000000', '111111', '222222', '333333'].find((code) => !acceptedCodes.includes(code))!
}

async function actionsOf(owner: Client): Promise<string[]> {
  const { items } = (await owner.get(`${API}/audit`)).json<{ items: { action: string }[] }>()
  return items.map(({ action }) => action)
}

test('the authenticator app is set up with a code, and ten recovery codes are shown once', async () => {
  const owner = await signUp(app)
  assert.equal((await owner.post(`${API}/totp`)).code, 'step_up_required')
  await owner.stepUp()
  const offer = await owner.post(`${API}/totp`)
  const { secret, uri, qr } = offer.json<{ secret: string; uri: string; qr: string }>()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.ok(uri.startsWith('otpauth://totp/') && uri.includes(`secret=${secret}`), uri)
  assert.match(qr, /^<svg /)
  assert.equal(offer.headers['cache-control'], 'no-store')
  assert.deepEqual((await owner.get(`${API}/session`)).json()['stepUpWith'], ['password'])

  const authenticatorApp = new AuthenticatorApp(secret)
  const wrong = await owner.post(`${API}/totp/confirm`, { code: wrongCodeOf(authenticatorApp) })
  assert.deepEqual([wrong.status, wrong.code], [400, 'invalid_request'])
  const confirmed = await owner.post(`${API}/totp/confirm`, { code: authenticatorApp.code() })
  const { recoveryCodes } = confirmed.json<{ recoveryCodes: string[] }>()
  assert.equal(new Set(recoveryCodes).size, 10)
  assert.equal((await owner.post(`${API}/totp/confirm`, { code: authenticatorApp.code() })).status, 404)
  assert.deepEqual((await owner.get(`${API}/session`)).json()['stepUpWith'], ['totp', 'recovery'])
  assert.equal((await owner.get(`${API}/totp`)).json()['recoveryCodesLeft'], 10)
  assert.ok(await findMail(service, owner.email, 'factor_changed'))
  assert.ok((await actionsOf(owner)).includes('totp_added'))

  const stored = JSON.stringify(
    await rows(deps.db, `select encode(sealed_secret, 'escape') as text from totp_factors`),
  )
  assert.ok(!stored.includes(secret))
})

test('if the account has an authenticator app, the correct password starts a second step and no session', async () => {
  const { owner, app: authenticatorApp } = await newOwner()
  const browser = new Client(app)
  const first = await browser.post(SIGN_IN, { email: owner.email, password: owner.password })
  assert.deepEqual(first.json(), { secondFactor: ['totp', 'recovery'] })
  assert.deepEqual([...browser.jar.keys()], ['sign-in'])
  assert.equal((await browser.get(`${API}/session`)).code, 'unauthenticated')

  const wrong = await browser.post(CODE, { code: wrongCodeOf(authenticatorApp) })
  assert.deepEqual([wrong.status, wrong.code], [401, 'invalid_credentials'])
  // The sign-in is completed at the other replica. The code has a space, as apps show it.
  const other = copyClient(browser, replica.app)
  const code = authenticatorApp.code()
  const signedIn = await other.post(CODE, { code: `${code.slice(0, 3)} ${code.slice(3)}` })
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.equal(signedIn.json<{ account: { email: string } }>().account.email, owner.email)
  assert.equal(other.jar.has('sign-in'), false)
  assert.equal((await other.get(`${API}/session`)).status, 200)
  assert.ok(await findMail(service, owner.email, 'new_device'))
  await forgetUsedCodes(service)
  assert.equal((await browser.post(CODE, { code: authenticatorApp.code() })).code, 'unauthenticated')
})

test('a wrong password reveals nothing about a second factor', async () => {
  const { owner } = await newOwner()
  const withoutFactor = await signUp(app)
  const signIn = (email: string) => new Client(app).post(SIGN_IN, { email, password: 'not the password' })
  const [known, other, unknown] = await Promise.all(
    [owner.email, withoutFactor.email, 'nobody@example.me'].map(signIn),
  )
  const body = (text: string) => text.replace(/"requestId":"[^"]+"/, '')
  assert.equal(body(known!.text), body(unknown!.text))
  assert.equal(body(other!.text), body(unknown!.text))
  assert.deepEqual(known!.cookies, [])
})

test('a code works once, even at two replicas at the same time', async () => {
  const { owner, app: authenticatorApp } = await newOwner()
  const browsers = await Promise.all([startSignIn(owner), startSignIn(owner, replica.app)])
  const code = authenticatorApp.code()
  const responses = await Promise.all(browsers.map((browser) => browser.post(CODE, { code })))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401])
  const replayed = await (await startSignIn(owner)).post(CODE, { code })
  assert.equal(replayed.code, 'invalid_credentials')
  // The code of the previous time step is refused too.
  const previous = await (
    await startSignIn(owner)
  ).post(CODE, { code: authenticatorApp.codeAt(Date.now() - 30_000) })
  assert.equal(previous.code, 'invalid_credentials')
})

test('of fifty parallel wrong codes at two replicas, only five are checked', async () => {
  const { owner, app: authenticatorApp } = await newOwner()
  const browsers = [await startSignIn(owner), await startSignIn(owner, replica.app)]
  const code = wrongCodeOf(authenticatorApp)
  const evaluations = () => deps.factorSecrets.evaluations() + replica.deps.factorSecrets.evaluations()
  const evaluationsBefore = evaluations()
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) => browsers[i % 2]!.post(CODE, { code })),
  )
  assert.equal(evaluations() - evaluationsBefore, 5)
  assert.equal(responses.filter((one) => one.code === 'invalid_credentials').length, 5)
  assert.equal(responses.filter((one) => one.code === 'locked_out').length, 45)
  // A right code is refused too, even for a step-up, because the lockout is for the whole account.
  const rightCodeResponse = await browsers[0]!.post(CODE, { code: authenticatorApp.code() })
  assert.deepEqual([rightCodeResponse.status, rightCodeResponse.code], [429, 'locked_out'])
  assert.ok(Number(rightCodeResponse.headers['retry-after']) > 0)
  assert.equal((await owner.post(`${API}/step-up`, { code: authenticatorApp.code() })).code, 'locked_out')
})

test('after twenty wrong codes in a day, codes are refused until a day has passed', async () => {
  const { owner, app: authenticatorApp } = await newOwner()
  const browser = await startSignIn(owner)
  const bucket = `code:${(await owner.get(`${API}/session`)).json<{ account: { id: string } }>().account.id}`
  for (let i = 0; i < 20; i += 1) {
    assert.equal(
      (await browser.post(CODE, { code: wrongCodeOf(authenticatorApp) })).code,
      'invalid_credentials',
    )
    // Without this deletion, the fifth wrong code would cause a lockout.
    await rows(deps.db, 'delete from lockout_buckets where bucket = $1', [bucket])
  }
  assert.equal((await browser.post(CODE, { code: authenticatorApp.code() })).code, 'locked_out')
  const makeOlder = `update lockout_buckets set attempts = array(select at - interval '1 day' from unnest(attempts) as at)`
  await rows(deps.db, makeOlder)
  assert.equal((await browser.post(CODE, { code: authenticatorApp.code() })).status, 200)
})

test('only a completed sign-in clears the lockout of the password', async () => {
  const { owner, app: authenticatorApp } = await newOwner()
  const guess = () => new Client(app).post(SIGN_IN, { email: owner.email, password: 'not the password' })
  for (let i = 0; i < 3; i += 1) assert.equal((await guess()).code, 'invalid_credentials')
  // The right password counts as the fourth attempt until the second step is completed.
  const browser = await startSignIn(owner)
  assert.equal((await guess()).code, 'invalid_credentials')
  assert.equal((await guess()).code, 'locked_out')
  assert.equal((await browser.post(CODE, { code: authenticatorApp.code() })).status, 200)
  assert.equal((await guess()).code, 'invalid_credentials')
})

test('a pending sign-in ends when it expires and when the password changes', async () => {
  const { owner, app: authenticatorApp } = await newOwner()
  const expired = await startSignIn(owner)
  await rows(deps.db, `update pending_sign_ins set expires_at = now() - interval '1 millisecond'`)
  assert.equal((await expired.post(CODE, { code: authenticatorApp.code() })).code, 'unauthenticated')

  const browser = await startSignIn(owner)
  assert.equal((await owner.post(`${API}/password`, { password: ANOTHER_PASSWORD })).status, 204)
  assert.equal((await browser.post(CODE, { code: authenticatorApp.code() })).code, 'unauthenticated')
  assert.equal((await new Client(app).post(CODE, { code: authenticatorApp.code() })).code, 'unauthenticated')
})

test('with an authenticator app, a step-up needs a code, and the password is not enough', async () => {
  const { owner, app: authenticatorApp } = await newOwner()
  const browser = await startSignIn(owner)
  await browser.post(CODE, { code: authenticatorApp.code() })
  await forgetUsedCodes(service)
  const evaluationsBefore = deps.passwords.evaluations()
  const refused = await browser.post(`${API}/step-up`, { password: owner.password })
  assert.deepEqual([refused.status, refused.code], [403, 'step_up_required'])
  assert.equal(deps.passwords.evaluations(), evaluationsBefore)
  assert.equal((await browser.post(`${API}/step-up`, {})).status, 400)
  const passwordAndCode = { password: owner.password, code: authenticatorApp.code() }
  assert.equal((await browser.post(`${API}/step-up`, passwordAndCode)).status, 400)

  const { id: projectId } = await browser.addProject()
  assert.equal((await browser.post('/sdk/project/seeSecret', { projectId })).code, 'step_up_required')
  assert.equal((await browser.post(`${API}/step-up`, { code: authenticatorApp.code() })).status, 200)
  assert.equal((await browser.post('/sdk/project/seeSecret', { projectId })).status, 200)
})

test('a recovery code works once, and a step-up with a recovery code allows only changes of second factors', async () => {
  const { owner, recoveryCodes } = await newOwner()
  const [first = '', second = '', third = ''] = recoveryCodes
  const browser = await startSignIn(owner)
  assert.equal((await browser.post(CODE, { code: first.toLowerCase().replace('-', '') })).status, 200)
  assert.equal((await (await startSignIn(owner)).post(CODE, { code: first })).code, 'invalid_credentials')
  assert.equal((await browser.get(`${API}/totp`)).json()['recoveryCodesLeft'], 9)
  assert.ok((await actionsOf(browser)).includes('recovery_code_used'))

  const responses = await Promise.all([
    browser.post(`${API}/step-up`, { code: second }),
    copyClient(browser, replica.app).post(`${API}/step-up`, { code: second }),
  ])
  // One of the two requests is refused, because the code was already used or the session token was already replaced.
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  const otherBrowser = await startSignIn(owner)
  assert.equal((await otherBrowser.post(CODE, { code: third })).status, 200)
  assert.equal((await otherBrowser.post(`${API}/step-up`, { code: recoveryCodes[3] })).status, 200)
  const refused = await otherBrowser.post(`${API}/password`, { password: ANOTHER_PASSWORD })
  assert.equal(refused.code, 'step_up_required')
  assert.equal(refused.json<{ errors: { code: string }[] }>().errors[0]?.code, 'recovery_only')
  assert.equal((await otherBrowser.post(`${API}/sessions/revoke`, {})).code, 'step_up_required')
  assert.equal((await otherBrowser.post(`${API}/recovery-codes`)).status, 200)
  assert.equal((await otherBrowser.post(`${API}/passkeys/options`)).status, 200)
})

test('for a day after a recovery code was used, sensitive requests are refused, even after a step-up with the authenticator app', async () => {
  const { owner, app: authenticatorApp, recoveryCodes } = await newOwner()
  const { id: projectId } = await owner.addProject()
  const browser = await startSignIn(owner)
  assert.equal((await browser.post(CODE, { code: recoveryCodes[0] })).status, 200)
  assert.equal((await browser.post(`${API}/step-up`, { code: authenticatorApp.code() })).status, 200)
  const { id: transactionId } = await payFor(deps, projectId, { customId: 'order-1' })
  const refund = { projectId, transactionId, idempotencyKey: 'k1' }
  const refusedRequests: [string, object][] = [
    ['/sdk/project/seeSecret', { projectId }],
    ['/sdk/project/rotateSecret', { projectId }],
    ['/sdk/transaction/refund', refund],
    [`${API}/tokens`, { name: 'Kasa', scope: 'write', expiresInDays: 1 }],
    [`${API}/projects/${projectId}/members/invite`, { email: 'friend@example.me', role: 'admin' }],
    [`${API}/projects/${projectId}/members/role`, { email: 'friend@example.me', role: 'admin' }],
    [`${API}/email`, { email: 'thief@example.me' }],
    [`${API}/projects/${projectId}/delete`, {}],
    [`${API}/projects/${projectId}/next-secret`, {}],
    [`${API}/projects/${projectId}/transfer`, { email: 'friend@example.me' }],
    [`${API}/projects/${projectId}/transfer/accept`, {}],
    [`${API}/account/close`, { email: owner.email }],
  ]
  for (const [url, body] of refusedRequests) {
    const refused = await browser.post(url, body)
    assert.equal(refused.code, 'step_up_required', url)
    assert.equal(refused.json<{ errors: { code: string }[] }>().errors[0]?.code, 'recovery_wait', url)
  }
  await rows(deps.db, `update accounts set recovery_used_at = recovery_used_at - interval '24 hours'`)
  assert.equal((await browser.post('/sdk/project/seeSecret', { projectId })).status, 200)
})

test('the use of a recovery code is reported by mail, and secrets are still refused 23 hours and 50 minutes later', async () => {
  const { owner, app: authenticatorApp, recoveryCodes } = await newOwner()
  const { id: projectId } = await owner.addProject()
  const browser = await startSignIn(owner)
  const signedIn = await browser.post(CODE, { code: recoveryCodes[0] })
  assert.equal(signedIn.headers['cache-control'], 'no-store')
  const mail = await findMail(service, owner.email, 'factor_changed')
  assert.deepEqual([mail?.facts['change'], mail?.facts['left']], ['recovery_code_used', 9])
  assert.equal((await browser.post(`${API}/step-up`, { code: authenticatorApp.code() })).status, 200)
  await rows(
    deps.db,
    `update accounts set recovery_used_at = recovery_used_at - interval '23 hours 50 minutes'`,
  )
  assert.equal((await browser.post('/sdk/project/seeSecret', { projectId })).code, 'step_up_required')
})

test('the code that confirmed the authenticator app is refused at a sign-in, and right codes do not count towards the daily limit', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const { secret } = (await owner.post(`${API}/totp`)).json<{ secret: string }>()
  const authenticatorApp = new AuthenticatorApp(secret)
  const code = authenticatorApp.code()
  assert.equal((await owner.post(`${API}/totp/confirm`, { code })).status, 200)
  assert.equal((await (await startSignIn(owner)).post(CODE, { code })).code, 'invalid_credentials')
  const selectCount = `select cardinality(attempts) as n from lockout_buckets where bucket like 'code-day:%'
    and bucket like '%' || (select id from accounts where email = $1)`
  const count = async () => (await rows<{ n: number }>(deps.db, selectCount, [owner.email])).map(({ n }) => n)
  assert.deepEqual(await count(), [1])
  await forgetUsedCodes(service)
  const browser = await startSignIn(owner)
  const [pending] = await rows<{ sec: number }>(
    deps.db,
    `select extract(epoch from max(expires_at) - now())::float8 as sec from pending_sign_ins`,
  )
  assert.ok(pending!.sec > 200 && pending!.sec <= 300, String(pending!.sec))
  assert.equal((await browser.post(CODE, { code: authenticatorApp.code() })).status, 200)
  assert.deepEqual(await count(), [1])
})

test('new recovery codes replace the old ones, and an account without a second factor has no recovery codes', async () => {
  const { owner, recoveryCodes } = await newOwner()
  const renewed = await owner.post(`${API}/recovery-codes`)
  const [newCode = ''] = renewed.json<{ recoveryCodes: string[] }>().recoveryCodes
  const browser = await startSignIn(owner)
  assert.equal((await browser.post(CODE, { code: recoveryCodes[0] })).code, 'invalid_credentials')
  assert.equal((await browser.post(CODE, { code: newCode })).status, 200)

  assert.equal((await owner.post(`${API}/totp/remove`)).status, 204)
  assert.equal((await owner.post(`${API}/totp/remove`)).status, 404)
  assert.equal((await owner.post(`${API}/recovery-codes`)).status, 404)
  assert.deepEqual((await owner.get(`${API}/totp`)).json(), {
    enabledAt: null,
    hasSecondFactor: false,
    recoveryCodesLeft: 0,
    removedAfter: null,
  })
  assert.ok((await actionsOf(owner)).includes('totp_removed'))
  const withPassword = await new Client(app).post(SIGN_IN, { email: owner.email, password: owner.password })
  assert.ok('account' in withPassword.json())
})

test('a change of second factors ends the step-ups of all other sessions', async () => {
  const owner = await signUp(app)
  const other = await startSignIn(owner)
  await owner.stepUp()
  other.password = owner.password
  await other.stepUp()
  const { app: authenticatorApp } = await addApp(service, owner)
  assert.equal((await other.post(`${API}/recovery-codes`)).code, 'step_up_required')
  assert.equal((await owner.post(`${API}/recovery-codes`)).status, 200)
  assert.equal((await other.post(`${API}/step-up`, { code: authenticatorApp.code() })).status, 200)
  assert.equal((await owner.post(`${API}/totp/remove`)).status, 204)
  assert.equal((await other.post(`${API}/totp`)).code, 'step_up_required')
})

test('while an authenticator app is replaced, the old one works until the new one is confirmed', async () => {
  const { owner, app: oldApp } = await newOwner()
  const offer = (await owner.post(`${API}/totp`)).json<{ secret: string }>()
  assert.equal((await (await startSignIn(owner)).post(CODE, { code: oldApp.code() })).status, 200)
  const newApp = new AuthenticatorApp(offer.secret)
  assert.equal((await owner.post(`${API}/totp/confirm`, { code: newApp.code() })).status, 200)
  await forgetUsedCodes(service)
  assert.equal(
    (await (await startSignIn(owner)).post(CODE, { code: oldApp.code() })).code,
    'invalid_credentials',
  )
  assert.equal((await (await startSignIn(owner)).post(CODE, { code: newApp.code() })).status, 200)
})

test('a password reset keeps the second factor and the lockout of its codes', async () => {
  const { owner, app: authenticatorApp } = await newOwner()
  const browser = await startSignIn(owner)
  for (let i = 0; i < 5; i += 1) await browser.post(CODE, { code: wrongCodeOf(authenticatorApp) })
  const stranger = new Client(app)
  await stranger.post(`${API}/password/forgot`, { email: owner.email })
  const token = await readMailedToken(service, owner.email, 'reset_password')
  assert.equal(
    (await stranger.post(`${API}/password/reset`, { token, password: ANOTHER_PASSWORD })).status,
    204,
  )
  owner.password = ANOTHER_PASSWORD
  const secondBrowser = await startSignIn(owner)
  assert.equal((await secondBrowser.get(`${API}/session`)).status, 401)
  assert.equal((await secondBrowser.post(CODE, { code: authenticatorApp.code() })).code, 'locked_out')
})
