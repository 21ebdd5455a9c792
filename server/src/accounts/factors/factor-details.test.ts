import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyClient, rows } from '../../../test/accounts.ts'
import { Authenticator } from '../../../test/authenticator.ts'
import { Client, signUp } from '../../../test/client.ts'
import { addApp, AuthenticatorApp } from '../../../test/factors.ts'
import { startTestService } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { recordStatements } from '../../../test/payments.ts'
import { createApp } from '../../app.ts'

const service = await startTestService()
const { app, deps } = service
const API = '/portal/api'

async function newOwner() {
  const owner = await signUp(app)
  await owner.stepUp()
  return { owner, ...(await addApp(service, owner)) }
}

async function addPasskey(owner: Client): Promise<Authenticator> {
  const authenticator = new Authenticator(service.config.baseUrl)
  const options = (await owner.post(`${API}/passkeys/options`)).json<{ challenge: string }>()
  const added = await owner.post(`${API}/passkeys`, { name: 'Key', response: authenticator.create(options) })
  assert.equal(added.status, 201, added.text)
  return authenticator
}

async function startSignIn(owner: Client): Promise<Client> {
  const browser = new Client(app)
  const response = await browser.post(`${API}/sign-in`, { email: owner.email, password: owner.password })
  assert.ok('secondFactor' in response.json(), response.text)
  return browser
}

/** Starts a replica that runs `change` just before each statement with this name. */
async function startReplicaWith(statementName: string, change: () => Promise<unknown>) {
  const watched = recordStatements(deps, async (name, run) => {
    if (name === statementName) await change()
    return run()
  })
  return createApp(watched.deps)
}

const trailOf = (owner: Client) =>
  rows<{ action: string; ip: string; user_agent: string }>(
    deps.db,
    `select action, ip, user_agent from audit_events e join accounts a on a.id = e.account_id where a.email = $1
     and action in ('totp_added', 'totp_removed', 'recovery_codes_made') order by e.id`,
    [owner.email],
  )

test('changes of the authenticator app and the recovery codes are recorded and reported by mail, and end the step-ups of other sessions', async () => {
  const owner = await signUp(app)
  const other = new Client(app)
  const { email, password } = owner
  await other.post(`${API}/sign-in`, { email, password })
  owner.headers = { 'user-agent': 'Testko/3.0' }
  await owner.stepUp()
  const { app: authenticatorApp } = await addApp(service, owner)
  const stepUpOther = async () => {
    // The service accepts each code only once. This makes it accept the current code again.
    await rows(deps.db, 'update totp_factors set last_step = 0')
    assert.equal((await other.post(`${API}/step-up`, { code: authenticatorApp.code() })).status, 200)
  }
  for (const url of ['recovery-codes', 'totp/remove']) {
    await stepUpOther()
    assert.equal(await isSteppedUp(other), true)
    assert.ok((await owner.post(`${API}/${url}`)).status < 300, url)
    assert.equal(await isSteppedUp(other), false, url)
  }
  const client = { ip: '127.0.0.1', user_agent: 'Testko/3.0' }
  const changes = ['totp_added', 'recovery_codes_made', 'totp_removed']
  assert.deepEqual(
    await trailOf(owner),
    changes.map((action) => ({ action, ...client })),
  )
  const mails = await rows<{ change: string; agent: string }>(
    deps.db,
    `select facts ->> 'change' as change, facts ->> 'userAgent' as agent from mails
     where to_address = $1 and kind = 'factor_changed' order by id`,
    [email],
  )
  assert.deepEqual(
    mails,
    changes.map((change) => ({ change, agent: 'Testko/3.0' })),
  )
})

test('an authenticator app that was offered but not confirmed is not required at sign-in', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  assert.equal((await owner.post(`${API}/totp`)).status, 200)
  const { email, password } = owner
  const response = await new Client(app).post(`${API}/sign-in`, { email, password })
  assert.ok('account' in response.json(), response.text)
})

test('if a new authenticator app is offered, a code of the app that was offered before confirms nothing', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const offer = (await owner.post(`${API}/totp`)).json<{ secret: string }>()
  const replica = await startReplicaWith('factors.confirm_totp', () => owner.post(`${API}/totp`))
  const code = new AuthenticatorApp(offer.secret).code()
  assert.equal((await copyClient(owner, replica).post(`${API}/totp/confirm`, { code })).status, 404)
  await replica.close()
  assert.deepEqual(await trailOf(owner), [])
  assert.equal((await owner.get(`${API}/totp`)).json()['enabledAt'], null)
})

test('a pending sign-in that another request has completed starts no second session', async () => {
  const { owner, recoveryCodes } = await newOwner()
  const browser = await startSignIn(owner)
  const replica = await startReplicaWith('pending_sign_ins.remove', () =>
    rows(deps.db, 'delete from pending_sign_ins'),
  )
  const secondBrowser = copyClient(browser, replica)
  const response = await secondBrowser.post(`${API}/sign-in/code`, { code: recoveryCodes[0] })
  assert.deepEqual([response.code, secondBrowser.jar.has('session')], ['unauthenticated', false])

  const authenticator = await addPasskey(owner)
  const thirdBrowser = copyClient(await startSignIn(owner), replica)
  const toSign = (await thirdBrowser.post(`${API}/sign-in/passkey/options`)).json<{ challenge: string }>()
  const signed = await thirdBrowser.post(`${API}/sign-in/passkey`, { response: authenticator.sign(toSign) })
  assert.deepEqual([signed.code, thirdBrowser.jar.has('session')], ['unauthenticated', false])
  await replica.close()
})

test('a passkey as the second step clears the lockout of the password; a passkey alone does not', async () => {
  const { owner } = await newOwner()
  const authenticator = await addPasskey(owner)
  const guess = async () => {
    const body = { email: owner.email, password: 'not the password' }
    return (await new Client(app).post(`${API}/sign-in`, body)).code
  }
  const signIn = async (browser: Client) => {
    const toSign = (await browser.post(`${API}/sign-in/passkey/options`)).json<{ challenge: string }>()
    const signedIn = await browser.post(`${API}/sign-in/passkey`, { response: authenticator.sign(toSign) })
    assert.equal(signedIn.status, 200, signedIn.text)
  }
  for (let n = 0; n < 4; n += 1) assert.equal(await guess(), 'invalid_credentials')
  // The right password counts as the fifth attempt until the second step is completed.
  const browser = await startSignIn(owner)
  await signIn(new Client(app))
  assert.equal(await guess(), 'locked_out')
  await signIn(browser)
  assert.equal(await guess(), 'invalid_credentials')
})

test('after the authenticator app is removed, recovery codes stay valid if there is a passkey', async () => {
  const { owner, recoveryCodes } = await newOwner()
  await addPasskey(owner)
  assert.equal((await owner.post(`${API}/totp/remove`)).status, 204)
  assert.equal((await owner.get(`${API}/totp`)).json()['recoveryCodesLeft'], 10)
  const signedIn = await (await startSignIn(owner)).post(`${API}/sign-in/code`, { code: recoveryCodes[0] })
  assert.equal(signedIn.status, 200, signedIn.text)
})

test('requests of the second step of a sign-in are rate limited', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_SIGN_IN: '1' })
  const visitor = new Client(limited.app)
  const requests: [string, object][] = [
    ['sign-in/code', { code: '123456' }],
    ['sign-in/passkey/options', {}],
    ['sign-in/passkey', {}],
  ]
  for (const [url, body] of requests) {
    await visitor.post(`${API}/${url}`, body)
    assert.equal((await visitor.post(`${API}/${url}`, body)).code, 'rate_limited', url)
  }
})

/** Signs in with another browser. The account must not have a second factor yet. */
async function signInElsewhere({ email, password }: Client): Promise<Client> {
  const other = new Client(app)
  assert.equal((await other.post(`${API}/sign-in`, { email, password })).status, 200)
  return other
}

const isSteppedUp = async (client: Client) =>
  (await client.get(`${API}/session`)).json()['stepUpUntil'] !== null

test('a step-up is refused if the second factors change after the password, code or passkey was checked', async () => {
  const owner = await signUp(app)
  const other = await signInElsewhere(owner)
  await owner.stepUp()
  async function assertRefused(
    { url, body }: { url: string; body: object },
    [statementName, change]: [string, () => Promise<unknown>],
  ): Promise<void> {
    const replica = await startReplicaWith(statementName, change)
    const refused = await copyClient(other, replica).post(`${API}/${url}`, body)
    assert.deepEqual([refused.code, await isSteppedUp(other)], ['step_up_required', false], url)
    await replica.close()
  }
  let added: AuthenticatorApp | undefined
  const addNewApp = async () => (added = (await addApp(service, owner)).app)
  await assertRefused({ url: 'step-up', body: { password: owner.password } }, ['lockout.remove', addNewApp])
  await assertRefused({ url: 'step-up', body: { code: added!.code() } }, ['lockout.remove', addNewApp])

  const authenticator = await addPasskey(owner)
  const { passkeys } = (await owner.get(`${API}/passkeys`)).json<{ passkeys: { id: string }[] }>()
  const toSign = (await other.post(`${API}/step-up/passkey/options`)).json<{ challenge: string }>()
  await assertRefused({ url: 'step-up/passkey', body: { response: authenticator.sign(toSign) } }, [
    'accounts.lock',
    () => owner.post(`${API}/passkeys/revoke`, { id: passkeys[0]!.id }),
  ])
})

test('a second factor that is added during a step-up ends the step-up', async () => {
  const owner = await signUp(app)
  const other = await signInElsewhere(owner)
  await owner.stepUp()
  let adding: Promise<unknown> | undefined
  const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  const replica = await startReplicaWith('sessions.grant_step_up', async () => {
    adding = addApp(service, owner)
    await Promise.race([
      adding,
      until(async () => (await rows(deps.db, isWaiting)).length > 0, 'a wait for a lock'),
    ])
  })
  const browser = copyClient(other, replica)
  assert.equal((await browser.post(`${API}/step-up`, { password: owner.password })).status, 200)
  await adding
  assert.equal(await isSteppedUp(browser), false)
  await replica.close()
})

test('a sign-in with the password alone fails if a second factor is added after the password was checked', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const replica = await startReplicaWith('lockout.remove', () => addApp(service, owner))
  const browser = new Client(replica)
  const { email, password } = owner
  const response = await browser.post(`${API}/sign-in`, { email, password })
  assert.deepEqual([response.code, browser.jar.has('session')], ['invalid_credentials', false])
  await replica.close()
})
