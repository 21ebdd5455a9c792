// Tests passkeys through the real routes on two replicas, with an authenticator that is implemented in software.
// Why this is long: all tests share one service with two replicas.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, copyClient, findMail, readMailedToken, rows } from '../../../test/accounts.ts'
import { Authenticator } from '../../../test/authenticator.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { toRelyingParty } from '../relying-party.ts'
import { findAccountByEmail } from '../accounts-store.ts'
import { requirePasswordWithPasskeys } from '../passkeys-store.ts'

const service = await startTestService()
const replica = await service.replica()
const { app, deps, config } = service

const API = '/portal/api'
const SIGN_IN = `${API}/sign-in/passkey`
const STEP_UP = `${API}/step-up/passkey`
/** The authenticator's flags for a user who is present but was not verified. */
const NOT_VERIFIED = 0x01

async function requestOptions(client: Client, url: string): Promise<{ challenge: string }> {
  const response = await client.post(`${url}/options`)
  assert.equal(response.status, 200, response.text)
  return response.json<{ challenge: string }>()
}

async function addPasskey(owner: Client, counter = 0) {
  const authenticator = new Authenticator(config.baseUrl)
  authenticator.counter = counter
  const response = authenticator.create(await requestOptions(owner, `${API}/passkeys`))
  const added = await owner.post(`${API}/passkeys`, { name: 'Laptop', response })
  assert.equal(added.status, 201, added.text)
  return { authenticator, ...added.json<{ passkey: { id: string }; recoveryCodes: string[] | null }>() }
}

async function newOwner(counter = 0) {
  const owner = await signUp(app)
  await owner.stepUp()
  return { owner, ...(await addPasskey(owner, counter)) }
}

async function signInWith(authenticator: Authenticator, client = new Client(app), overrides = {}) {
  const options = await requestOptions(client, SIGN_IN)
  return client.post(SIGN_IN, { response: authenticator.sign(options, overrides) })
}

test('a passkey is added after a step-up, named, listed, and removed again', async () => {
  const withoutStepUp = await signUp(app)
  assert.equal((await withoutStepUp.post(`${API}/passkeys/options`)).code, 'step_up_required')
  const { owner, passkey, recoveryCodes } = await newOwner()
  // Adding the first passkey also creates recovery codes. Adding another passkey does not.
  assert.equal(recoveryCodes?.length, 10)
  const second = await addPasskey(owner)
  assert.equal(second.recoveryCodes, null)
  const list = (await owner.get(`${API}/passkeys`)).json<{ available: boolean; passkeys: object[] }>()
  assert.equal(list.available, true)
  assert.deepEqual(
    list.passkeys.map((one) => ({ ...one, createdAt: '' })),
    [passkey.id, second.passkey.id].map((id) => ({ id, name: 'Laptop', createdAt: '', lastUsedAt: null })),
  )
  assert.deepEqual((await owner.get(`${API}/session`)).json()['stepUpWith'], ['passkey', 'recovery'])
  assert.ok(await findMail(service, owner.email, 'factor_changed'))

  const other = await signUp(app)
  await other.stepUp()
  assert.equal((await other.post(`${API}/passkeys/revoke`, { id: passkey.id })).status, 404)
  const renamed = { id: passkey.id, name: 'Stari laptop' }
  assert.equal((await other.post(`${API}/passkeys/rename`, renamed)).status, 404)
  assert.equal((await owner.post(`${API}/passkeys/rename`, { ...renamed, name: ' ' })).status, 400)
  for (let twice = 0; twice < 2; twice += 1)
    assert.equal((await owner.post(`${API}/passkeys/rename`, renamed)).status, 204)
  const named = (await owner.get(`${API}/passkeys`)).json<{ passkeys: { name: string }[] }>()
  assert.deepEqual(
    named.passkeys.map(({ name }) => name),
    ['Stari laptop', 'Laptop'],
  )
  const mails = await rows(
    deps.db,
    `select from mails where to_address = $1 and facts ->> 'change' = 'passkey_renamed' and facts ->> 'former' = 'Laptop'`,
    [owner.email],
  )
  assert.equal(mails.length, 1)
  for (const { id } of [passkey, second.passkey])
    assert.equal((await owner.post(`${API}/passkeys/revoke`, { id })).status, 204)
  assert.deepEqual((await owner.get(`${API}/session`)).json()['stepUpWith'], ['password'])
  assert.equal((await signInWith(second.authenticator)).code, 'invalid_credentials')
})

test('a passkey alone is enough for a sign-in, and its last use is shown', async () => {
  const { owner, authenticator } = await newOwner()
  const browser = new Client(replica.app)
  const signedIn = await signInWith(authenticator, browser)
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.equal(signedIn.json<{ account: { email: string } }>().account.email, owner.email)
  assert.ok(await findMail(service, owner.email, 'new_device'))
  const { passkeys } = (await browser.get(`${API}/passkeys`)).json<{
    passkeys: { lastUsedAt: string | null }[]
  }>()
  assert.notEqual(passkeys[0]?.lastUsedAt, null)
})

test('the response of a passkey is accepted once, and only with its challenge, this origin and a verified user', async () => {
  const { owner, authenticator } = await newOwner()
  const client = new Client(app)
  const options = await requestOptions(client, SIGN_IN)
  const response = authenticator.sign(options)
  const responses = await Promise.all([
    client.post(SIGN_IN, { response }),
    copyClient(client, replica.app).post(SIGN_IN, { response }),
  ])
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401])
  assert.equal((await signInWith(authenticator, new Client(app), { flags: NOT_VERIFIED })).status, 401)
  assert.equal((await signInWith(authenticator, new Client(app), { origin: 'https://evil.me' })).status, 401)
  // A response to the challenge of a step-up is refused at a sign-in, and the other way round.
  const forStepUp = authenticator.sign(await requestOptions(owner, STEP_UP))
  assert.equal((await new Client(app).post(SIGN_IN, { response: forStepUp })).status, 401)
  const forSignIn = authenticator.sign(await requestOptions(new Client(app), SIGN_IN))
  assert.equal((await owner.post(STEP_UP, { response: forSignIn })).code, 'invalid_credentials')
  const other = await newOwner()
  const ofOther = other.authenticator.sign(await requestOptions(other.owner, STEP_UP))
  assert.equal((await owner.post(STEP_UP, { response: ofOther })).code, 'invalid_credentials')
  const expired = authenticator.sign(await requestOptions(client, SIGN_IN))
  await rows(deps.db, `update passkey_challenges set expires_at = now() - interval '1 millisecond'`)
  assert.equal((await client.post(SIGN_IN, { response: expired })).status, 401)
  const broken = { ...response, response: { ...response.response, clientDataJSON: 'e30' } }
  assert.equal((await client.post(SIGN_IN, { response: broken })).status, 401)
  assert.equal((await client.post(SIGN_IN, { response: {} })).status, 400)
})

test('after a step-up with a passkey, the live secret can be read', async () => {
  const { authenticator } = await newOwner()
  const browser = new Client(app)
  await signInWith(authenticator, browser)
  const { id: projectId } = await browser.addProject()
  assert.equal((await browser.post('/sdk/project/seeSecret', { projectId })).code, 'step_up_required')
  const response = authenticator.sign(await requestOptions(browser, STEP_UP))
  assert.equal((await browser.post(STEP_UP, { response })).status, 200)
  assert.equal((await browser.post('/sdk/project/seeSecret', { projectId })).status, 200)
})

test('an account with a passkey needs a second step after the password, and the passkey completes it', async () => {
  const { owner, authenticator } = await newOwner()
  const browser = new Client(app)
  const first = await browser.post(`${API}/sign-in`, { email: owner.email, password: owner.password })
  assert.deepEqual(first.json(), { secondFactor: ['passkey', 'recovery'] })
  assert.equal((await browser.get(`${API}/session`)).status, 401)
  assert.equal((await signInWith(authenticator, browser)).status, 200)
  assert.equal(browser.jar.has('sign-in'), false)
})

test('a passkey whose counter does not increase is refused, unless the counter stays 0', async () => {
  const { owner, authenticator } = await newOwner(7)
  assert.equal((await signInWith(authenticator, new Client(app), { counter: 8 })).status, 200)
  await rows(deps.db, 'delete from mails where to_address = $1', [owner.email])
  for (const counter of [8, 7, 0]) {
    const refused = await signInWith(authenticator, new Client(app), { counter })
    assert.equal(refused.code, 'invalid_credentials', String(counter))
  }
  const mail = 'select facts from mails where to_address = $1 and kind = $2'
  const mails = await rows<{ facts: { change: string } }>(deps.db, mail, [owner.email, 'factor_changed'])
  assert.deepEqual(
    mails.map(({ facts }) => facts.change),
    ['passkey_refused', 'passkey_refused', 'passkey_refused'],
  )
  const { items } = (await owner.get(`${API}/audit`)).json<{ items: { action: string }[] }>()
  assert.equal(items.filter(({ action }) => action === 'passkey_refused').length, 3)
  assert.equal((await signInWith(authenticator, new Client(app), { counter: 9 })).status, 200)

  const other = await newOwner()
  for (let i = 0; i < 2; i += 1) assert.equal((await signInWith(other.authenticator)).status, 200)
})

test('a passkey that is removed during a sign-in is refused, and no warning about a copied passkey is recorded', async () => {
  const { owner, authenticator } = await newOwner()
  await rows(
    deps.db,
    `create function remove_passkey() returns trigger language plpgsql as
     $$ begin delete from passkeys where id = old.id; return null; end $$`,
  )
  await rows(
    deps.db,
    'create trigger removed before update on passkeys for each row execute function remove_passkey()',
  )
  try {
    assert.equal((await signInWith(authenticator)).code, 'invalid_credentials')
  } finally {
    await rows(deps.db, 'drop trigger removed on passkeys')
  }
  const { items } = (await owner.get(`${API}/audit`)).json<{ items: { action: string }[] }>()
  assert.ok(!items.some(({ action }) => action === 'passkey_refused'))
})

test('after a password reset, a passkey alone is refused until the new password has been used with it once', async () => {
  const { owner, authenticator } = await newOwner()
  const stranger = new Client(app)
  await stranger.post(`${API}/password/forgot`, { email: owner.email })
  const token = await readMailedToken(service, owner.email, 'reset_password')
  const reset = await stranger.post(`${API}/password/reset`, { token, password: ANOTHER_PASSWORD })
  assert.equal(reset.status, 204)
  const withPasskeyAlone = await signInWith(authenticator)
  assert.equal(withPasskeyAlone.code, 'invalid_credentials')
  assert.equal(withPasskeyAlone.json<{ errors: { code: string }[] }>().errors[0]?.code, 'password_first')
  const browser = new Client(app)
  await browser.post(`${API}/sign-in`, { email: owner.email, password: ANOTHER_PASSWORD })
  assert.equal((await signInWith(authenticator, browser)).status, 200)
  assert.equal((await signInWith(authenticator)).status, 200)
})

test('a new passkey needs a verified user, this site, the account’s own challenge, and a new credential', async () => {
  const { owner, authenticator } = await newOwner()
  const other = await newOwner()
  const add = async (challenged: Client, newAuthenticator: Authenticator, overrides = {}) => {
    const response = newAuthenticator.create(await requestOptions(challenged, `${API}/passkeys`), overrides)
    return owner.post(`${API}/passkeys`, { name: 'Laptop', response })
  }
  const make = () => new Authenticator(config.baseUrl)
  assert.equal((await add(owner, make(), { flags: NOT_VERIFIED })).status, 400)
  assert.equal((await add(owner, make(), { origin: 'https://evil.me' })).status, 400)
  assert.equal((await add(other.owner, make())).status, 400)
  assert.equal((await add(owner, authenticator)).status, 400, 'already registered')
  const ofOther = authenticator.sign(await requestOptions(other.owner, STEP_UP))
  assert.equal((await owner.post(STEP_UP, { response: ofOther })).code, 'invalid_credentials')
  assert.equal((await add(owner, make())).status, 201)
})

test('while the database is lost, the response of a passkey is refused with `unavailable`, and is accepted afterwards', async () => {
  const { owner, authenticator } = await newOwner()
  const { app: lostApp, deps: lost } = await service.replica()
  const working = { ...lost.db }
  lost.db.query = (statement, values) =>
    statement.name === 'passkeys.use_challenge'
      ? Promise.reject(new ServiceError('unavailable', { retryAfterSec: 2, log: 'database: 57P01' }))
      : working.query(statement, values)
  const browser = new Client(app)
  const response = authenticator.sign(await requestOptions(browser, SIGN_IN))
  const stepUp = authenticator.sign(await requestOptions(owner, STEP_UP))
  const added = new Authenticator(config.baseUrl).create(await requestOptions(owner, `${API}/passkeys`))
  const send = (own: Client, url: string, body: object, to = lostApp) => copyClient(own, to).post(url, body)
  const requests = [
    [browser, SIGN_IN, { response }],
    [owner, `${API}/passkeys`, { name: 'Laptop', response: added }],
    // This request is the last one, because a step-up replaces the session token.
    [owner, STEP_UP, { response: stepUp }],
  ] as const
  for (const [own, url, body] of requests) {
    const unavailable = await send(own, url, body)
    assert.deepEqual([unavailable.status, unavailable.code], [503, 'unavailable'], url)
  }
  const statuses: number[] = []
  for (const [own, url, body] of requests) statuses.push((await send(own, url, body, app)).status)
  assert.deepEqual(statuses, [200, 201, 200])
})

test('a challenge is valid for five minutes, and an account has at most twenty passkeys', async () => {
  const { owner, passkey } = await newOwner()
  await requestOptions(owner, STEP_UP)
  const [challenge] = await rows<{ sec: number }>(
    deps.db,
    `select extract(epoch from max(expires_at) - now())::float8 as sec from passkey_challenges`,
  )
  assert.ok(challenge!.sec > 200 && challenge!.sec <= 300, String(challenge!.sec))
  // With the passkey from above, the account then has twenty.
  await rows(
    deps.db,
    `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
     select gen_random_uuid(), account_id, sha256(n::text::bytea), public_key, counter, transports, name
     from passkeys, generate_series(1, 19) as n where id = $1`,
    [passkey.id],
  )
  const response = new Authenticator(config.baseUrl).create(await requestOptions(owner, `${API}/passkeys`))
  const refused = await owner.post(`${API}/passkeys`, { name: 'One more', response })
  assert.equal(refused.json<{ errors: { code: string }[] }>().errors[0]?.code, 'too_many_passkeys')
})

test('adding a passkey ends the step-ups of other sessions, but not the step-up of this session', async () => {
  const owner = await signUp(app)
  const other = new Client(app)
  other.password = owner.password
  await other.post(`${API}/sign-in`, { email: owner.email, password: owner.password })
  await owner.stepUp()
  await other.stepUp()
  const { passkey } = await addPasskey(owner)
  assert.equal((await other.post(`${API}/passkeys/options`)).code, 'step_up_required')
  assert.equal((await owner.post(`${API}/passkeys/revoke`, { id: passkey.id })).status, 204)
})

test('adding and removing passkeys is recorded, and recovery codes are deleted with the last second factor', async () => {
  const { owner, passkey } = await newOwner()
  assert.equal((await owner.get(`${API}/totp`)).json()['recoveryCodesLeft'], 10)
  assert.equal((await owner.post(`${API}/passkeys/revoke`, { id: passkey.id })).status, 204)
  assert.equal((await owner.get(`${API}/totp`)).json()['recoveryCodesLeft'], 0)
  const { items } = (await owner.get(`${API}/audit`)).json<{ items: { action: string }[] }>()
  const actions = items.map(({ action }) => action).filter((action) => action.startsWith('passkey_'))
  assert.deepEqual(actions, ['passkey_removed', 'passkey_added'])
  const mail = await findMail(service, owner.email, 'factor_changed')
  assert.deepEqual([mail?.facts['change'], mail?.facts['isLast']], ['passkey_removed', true])
})

test('after a password reset and a sign-in of the owner, a stranger’s passkey is still refused, and a passkey that is added later works', async () => {
  const { owner, authenticator } = await newOwner()
  const strangers = new Authenticator(config.baseUrl)
  const stepUp = async (browser: Client) => {
    const response = authenticator.sign(await requestOptions(browser, STEP_UP))
    assert.equal((await browser.post(STEP_UP, { response })).status, 200)
  }
  const add = async (browser: Client, own: Authenticator, name: string) => {
    const response = own.create(await requestOptions(browser, `${API}/passkeys`))
    return (await browser.post(`${API}/passkeys`, { name, response })).status
  }
  assert.equal(await add(owner, strangers, 'Laptop'), 201)
  const browser = new Client(app)
  await browser.post(`${API}/password/forgot`, { email: owner.email })
  const token = await readMailedToken(service, owner.email, 'reset_password')
  await browser.post(`${API}/password/reset`, { token, password: ANOTHER_PASSWORD })
  await browser.post(`${API}/sign-in`, { email: owner.email, password: ANOTHER_PASSWORD })
  assert.equal((await signInWith(authenticator, browser)).status, 200)
  const refused = await signInWith(strangers)
  assert.equal(refused.json<{ errors: { code: string }[] }>().errors[0]?.code, 'password_first')
  await stepUp(browser)
  const later = new Authenticator(config.baseUrl)
  assert.equal(await add(browser, later, 'Phone'), 201)
  assert.equal((await signInWith(later)).status, 200)
})

test('after a password reset, a passkey is refused if the password of another account was entered before it', async () => {
  const { authenticator, owner } = await newOwner()
  const thief = await newOwner()
  const { id } = (await findAccountByEmail(deps.db, owner.email))!
  await deps.db.transaction((tx) => requirePasswordWithPasskeys(tx, id))
  const browser = new Client(app)
  const { email, password } = thief.owner
  await browser.post(`${API}/sign-in`, { email, password })
  const refused = await signInWith(authenticator, browser)
  assert.equal(refused.json<{ errors: { code: string }[] }>().errors[0]?.code, 'password_first')
})

test('passkeys belong to the host of BASE_URL, and are off if the host is an IP address', async () => {
  const partyOf = (baseUrl: string) => toRelyingParty({ baseUrl, operatorName: 'Pazar' })
  assert.deepEqual(partyOf('https://pay.example.me'), {
    id: 'pay.example.me',
    name: 'Pazar',
    origin: 'https://pay.example.me',
  })
  assert.equal(partyOf('http://localhost:3000')?.id, 'localhost')
  for (const address of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'https://192.0.2.7'])
    assert.equal(partyOf(address), null)
  const onAddress = await service.replica({ BASE_URL: 'http://127.0.0.1:3000' })
  assert.equal((await new Client(onAddress.app).post(`${SIGN_IN}/options`)).status, 404)
})
