import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, findMail, mailedToken, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import type { Http } from '../http/server.ts'

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
  // Opening the link proves access to that mailbox.
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

test('a used link voids the others that were requested', async () => {
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
  const [after] = await rows<{ mails: number }>(deps.db, count)
  assert.equal(after!.mails, before!.mails + 1)
})

const LIMITS_ON = { RATE_LIMITS: 'on' }
/** Every test counts from networks of its own. */
let lastNetwork = 0
const newNetwork = () => `198.51.100.${(lastNetwork += 1)}`
const FORGOT_PER_MAILBOX = 3
const FORGOT_PER_NETWORK = 10

async function ask(from: { app: Http }, email: string, ip: string) {
  const answer = await new Client(from.app).post(FORGOT, { email }, { 'x-forwarded-for': ip })
  return answer.status === 429 ? answer.code : answer.status
}

const mailsTo = async (email: string) =>
  (await rows(deps.db, `select from mails where to_address = $1 and kind = 'reset_password'`, [email])).length

test('one mailbox gets three links an hour, over all replicas, restarts and networks, known or not', async () => {
  const env = { ...LIMITS_ON, TRUST_PROXY: '1' }
  const replicas = [await service.replica(env), await service.replica(env)]
  const owner = await signUp(app)
  for (const email of [owner.email, 'nobody-at-all@example.me']) {
    const answers = []
    for (let n = 0; n < FORGOT_PER_MAILBOX; n += 1)
      answers.push(await ask(replicas[n % 2]!, n === 1 ? email.toUpperCase() : email, newNetwork()))
    assert.deepEqual(answers, [202, 202, 202], email)
    const restarted = await service.replica(env)
    for (const one of [...replicas, restarted])
      assert.equal(await ask(one, email, newNetwork()), 'rate_limited', email)
  }
  assert.equal(await mailsTo(owner.email), FORGOT_PER_MAILBOX)
  const age = `update lockout_buckets set attempts = array(select t.at - interval '1 hour' from unnest(attempts) t (at))`
  await rows(deps.db, age)
  assert.equal(await ask(replicas[0]!, owner.email, newNetwork()), 202)
})

test('a refusal says when to come back, and is the same for known and unknown mailboxes', async () => {
  const limited = await service.replica({ ...LIMITS_ON, TRUST_PROXY: '1' })
  const owner = await signUp(app)
  const refusals = []
  for (const email of [owner.email, 'somebody-else@example.me']) {
    for (let n = 0; n < FORGOT_PER_MAILBOX; n += 1) await ask(limited, email, newNetwork())
    const headers = { 'x-forwarded-for': newNetwork() }
    const statements = limited.deps.db.statementCount()
    const answer = await new Client(limited.app).post(FORGOT, { email }, headers)
    const retryAfterSec = Number(answer.headers['retry-after'])
    assert.ok(retryAfterSec > 3000 && retryAfterSec <= 3600, String(retryAfterSec))
    const { requestId: _id, ...problem } = answer.json()
    refusals.push({ problem, statements: limited.deps.db.statementCount() - statements })
  }
  assert.deepEqual(refusals[0], refusals[1])
})

for (const [what, addresses] of [
  ['one IPv4 address', () => '203.0.113.7'],
  ['one IPv6 network, whatever the address in it', (n: number) => `2001:db8:1:2::${n + 1}`],
] as const) {
  test(`${what} may ask ten times an hour, and the rest of the world still may`, async () => {
    const env = { ...LIMITS_ON, TRUST_PROXY: '1' }
    const replicas = [await service.replica(env), await service.replica(env)]
    const owner = await signUp(app)
    for (let n = 0; n < FORGOT_PER_NETWORK; n += 1)
      assert.equal(await ask(replicas[n % 2]!, `a${n}@example.me`, addresses(n)), 202, String(n))
    for (let n = 0; n < 3; n += 1)
      assert.equal(await ask(replicas[n % 2]!, owner.email, addresses(n + 20)), 'rate_limited')
    // What the network was refused is not taken from the mailbox.
    for (let n = 0; n < FORGOT_PER_MAILBOX; n += 1)
      assert.equal(await ask(replicas[0]!, owner.email, newNetwork()), 202)
  })
}

test('twenty at once get no more than three', async () => {
  const env = { ...LIMITS_ON, TRUST_PROXY: '1' }
  const replicas = [await service.replica(env), await service.replica(env)]
  const owner = await signUp(app)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => ask(replicas[n % 2]!, owner.email, newNetwork())),
  )
  assert.equal(answers.filter((one) => one === 202).length, FORGOT_PER_MAILBOX)
  assert.equal(await mailsTo(owner.email), FORGOT_PER_MAILBOX)
})

test('what is no address is 400, writes nothing and counts for nobody', async () => {
  const limited = await service.replica({ ...LIMITS_ON, RATE_LIMIT_FORGOT_NETWORK: '1' })
  const statements = limited.deps.db.statementCount()
  for (const email of [
    'no address at all',
    'a@b',
    'a@b..me',
    '@example.me',
    'a@-b.me',
    ' a@b.me',
    'a\u200b@b.me',
    'a@b.me\r\nBcc: c@d.me',
  ]) {
    const answer = await new Client(limited.app).post(FORGOT, { email })
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'], email)
    assert.equal(answer.json<{ errors: { path: string }[] }>().errors[0]!.path, 'email')
  }
  assert.equal(limited.deps.db.statementCount(), statements)
  assert.equal(await ask(limited, 'right@example.me', '127.0.0.1'), 202)
})

test('what is wrong with the body is reported', async () => {
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
