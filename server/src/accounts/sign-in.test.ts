import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, copyClient, findMail, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { requireCredentials } from './accounts-store.ts'
import { changePassword } from './change-password.ts'
import { findActiveSession } from './sessions-store.ts'
import { signIn } from './sign-in.ts'
import { toTokenHash } from './token-hash.ts'

const service = await startTestService()
const { app, deps } = service
const SIGN_IN_URL = '/portal/api/sign-in'

test('a sign-in with the right password succeeds, whatever the letter case of the e-mail address', async () => {
  const owner = await signUp(app)
  const client = new Client(app)
  const response = await client.post(SIGN_IN_URL, {
    email: ` ${owner.email.toUpperCase()} `,
    password: owner.password,
  })
  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.equal(response.json<{ account: { email: string } }>().account.email, owner.email)
  assert.equal((await client.get('/portal/api/session')).status, 200)
})

test('signing in grants no step-up', async () => {
  const owner = await signUp(app)
  await owner.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  const response = await owner.get('/portal/api/session')
  assert.equal(response.json()['stepUpUntil'], null)
})

test('each sign-in creates a new session token, and the browser’s previous session token stops working', async () => {
  const owner = await signUp(app)
  const thief = copyClient(owner)
  await owner.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  assert.notEqual(owner.jar.get('session'), thief.jar.get('session'))
  assert.equal((await thief.get('/portal/api/session')).code, 'unauthenticated')
})

test('the tokens of sessions and devices have 256 bits and are not in the response body', async () => {
  const owner = await signUp(app)
  const response = await owner.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  for (const name of ['session', 'device']) {
    const token = owner.jar.get(name)!
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    assert.ok(!response.text.includes(token))
  }
})

test('an unknown address and a wrong password get the same response and cause the same work', async () => {
  const owner = await signUp(app)
  async function measure(email: string) {
    const countsBefore = { statements: deps.db.statementCount(), hashes: deps.passwords.evaluations() }
    const response = await new Client(app).post(SIGN_IN_URL, { email, password: 'not the password' })
    const { requestId: _requestId, ...body } = response.json()
    return {
      status: response.status,
      body,
      headers: Object.keys(response.headers).toSorted(),
      statements: deps.db.statementCount() - countsBefore.statements,
      hashes: deps.passwords.evaluations() - countsBefore.hashes,
    }
  }
  const forKnownAddress = await measure(owner.email)
  assert.equal(forKnownAddress.status, 401)
  assert.equal(forKnownAddress.body['code'], 'invalid_credentials')
  assert.equal(forKnownAddress.hashes, 1)
  assert.deepEqual(await measure('nobody@example.me'), forKnownAddress)
})

test('an unknown address is locked out after five attempts', async () => {
  const client = new Client(app)
  const evaluationsBefore = deps.passwords.evaluations()
  const codes = []
  for (let i = 0; i < 7; i += 1) {
    codes.push(
      (await client.post(SIGN_IN_URL, { email: 'ghost@example.me', password: `guess number ${i}` })).code,
    )
  }
  assert.deepEqual(codes, [...Array<string>(5).fill('invalid_credentials'), 'locked_out', 'locked_out'])
  assert.equal(deps.passwords.evaluations() - evaluationsBefore, 5)
})

test('the lockout buckets do not contain the e-mail address of a failed sign-in', async () => {
  await new Client(app).post(SIGN_IN_URL, { email: 'stranger@example.me', password: 'whatever it is' })
  const buckets = await rows<{ bucket: string }>(deps.db, 'select bucket from lockout_buckets')
  assert.ok(buckets.length > 0)
  assert.ok(!JSON.stringify(buckets).includes('stranger'))
})

test('a failed sign-in does not end the browser’s existing session', async () => {
  const owner = await signUp(app)
  assert.equal(
    (await owner.post(SIGN_IN_URL, { email: owner.email, password: 'not the password' })).status,
    401,
  )
  assert.equal((await owner.get('/portal/api/session')).status, 200)
})

test('a sign-in from a new browser sends a mail, and a sign-in from a known browser sends none', async () => {
  const owner = await signUp(app)
  await owner.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  assert.equal(await findMail(service, owner.email, 'new_device'), null)
  const newBrowser = new Client(app)
  await newBrowser.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  const mail = await findMail(service, owner.email, 'new_device')
  assert.ok(mail)
  await newBrowser.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  assert.equal((await findMail(service, owner.email, 'new_device'))?.id, mail.id)
})

test('a second person who signs in does not change the device cookie of the browser', async () => {
  const [ana, marko] = [await signUp(app), await signUp(app)]
  const device = ana.jar.get('device')!
  const response = await ana.post(SIGN_IN_URL, { email: marko.email, password: marko.password })
  assert.equal(response.status, 200)
  assert.equal(ana.jar.get('device'), device)
})

test('a well-formed device cookie that was never issued here is replaced', async () => {
  const planted = 'A'.repeat(43)
  const owner = await signUp(app)
  const client = new Client(app)
  client.jar.set('device', planted)
  await client.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  const issued = client.jar.get('device')!
  assert.notEqual(issued, planted)
  await client.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  assert.equal(client.jar.get('device'), issued)
})

test('a malformed device cookie is replaced', async () => {
  const owner = await signUp(app)
  owner.jar.set('device', 'planted')
  assert.equal((await owner.post(SIGN_IN_URL, { email: owner.email, password: owner.password })).status, 200)
  assert.match(owner.jar.get('device')!, /^[A-Za-z0-9_-]{43}$/)
})

test('a body that is too long, invalid or incomplete is refused without hashing', async () => {
  const evaluationsBefore = deps.passwords.evaluations()
  const client = new Client(app)
  const bodies = [
    {},
    { email: 'a@example.me' },
    { email: 'a@example.me', password: '' },
    { email: 'a@example.me', password: 'x'.repeat(129) },
    { email: 'a@example.me', password: 'x', remember: true },
    { email: 'a\u0000@example.me', password: 'x' },
    { email: 'a'.repeat(255), password: 'x' },
    '{"email":"a@example.me","email":"b@example.me","password":"x"}',
  ]
  for (const body of bodies)
    assert.equal((await client.post(SIGN_IN_URL, body)).code, 'invalid_request', JSON.stringify(body))
  const huge = await client.post(SIGN_IN_URL, { email: 'a@example.me', password: 'x'.repeat(64 * 1024) })
  assert.equal(huge.code, 'payload_too_large')
  assert.equal(deps.passwords.evaluations(), evaluationsBefore)
})

test('a sign-in sent as plain text is refused', async () => {
  const owner = await signUp(app)
  const body = JSON.stringify({ email: owner.email, password: owner.password })
  const asText = await new Client(app).send('POST', SIGN_IN_URL, body, { 'content-type': 'text/plain' })
  assert.equal(asText.code, 'unsupported_media_type')
})

test('sign-ins from one IP address are limited, and a forged X-Forwarded-For header does not avoid the limit', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_SIGN_IN: '4' })
  const client = new Client(limited.app)
  const codes: string[] = []
  for (let i = 0; i < 6; i += 1) {
    codes.push((await client.post(SIGN_IN_URL, {}, { 'x-forwarded-for': `1.1.1.${i}` })).code)
  }
  assert.deepEqual(codes, [...Array<string>(4).fill('invalid_request'), 'rate_limited', 'rate_limited'])
})

async function assertRefusedIfPasswordChanges(owner: Client, deviceToken: string | null): Promise<void> {
  const session = await findActiveSession(deps.db, toTokenHash(owner.jar.get('session')!))
  const caller = {
    account: session!.account,
    sessionId: session!.id,
    token: null,
    stepUpUntil: null,
    ip: '::1',
    userAgent: '',
  }
  const depsThatChangePassword = {
    ...deps,
    passwords: {
      ...deps.passwords,
      async verify(password: string, hash: string) {
        const isRight = await deps.passwords.verify(password, hash)
        await changePassword(deps, caller, { password: ANOTHER_PASSWORD, revokeTokens: false })
        return isRight
      },
    },
  }
  const browser = { client: { ip: '::1', userAgent: '' }, sessionToken: null, deviceToken }
  await assert.rejects(
    signIn(depsThatChangePassword, browser, { email: owner.email, password: owner.password }),
    {
      code: 'invalid_credentials',
    },
  )
  const { credentialVersion } = await requireCredentials(deps.db, session!.account.id)
  assert.equal(credentialVersion, 2, 'the password was changed once')
}

test('a sign-in with the old password fails if the password changes during the check, even in a known browser', async () => {
  await assertRefusedIfPasswordChanges(await signUp(app), null)
  const owner = await signUp(app)
  await assertRefusedIfPasswordChanges(owner, owner.jar.get('device')!)
})
