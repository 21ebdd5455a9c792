import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import type { Http } from '../http/server.ts'
import { requestReset } from './reset-password.ts'

const service = await startTestService()
const { app, deps } = service
const FORGOT = '/portal/api/password/forgot'

const LIMITS_ON = { RATE_LIMITS: 'on' }
/** Each test uses its own networks, so that their limits are separate. */
let lastNetwork = 0
const newNetwork = () => `198.51.100.${(lastNetwork += 1)}`
const FORGOT_PER_MAILBOX = 3
const FORGOT_PER_NETWORK = 10

async function requestStatus(replica: { app: Http }, email: string, ip: string) {
  const response = await new Client(replica.app).post(FORGOT, { email }, { 'x-forwarded-for': ip })
  return response.status === 429 ? response.code : response.status
}

const mailsTo = async (email: string) =>
  (await rows(deps.db, `select from mails where to_address = $1 and kind = 'reset_password'`, [email])).length

test('at most three reset requests an hour are accepted for a mailbox, known or unknown, over all replicas and networks', async () => {
  const env = { ...LIMITS_ON, TRUST_PROXY: '1' }
  const replicas = [await service.replica(env), await service.replica(env)]
  const owner = await signUp(app)
  for (const email of [owner.email, 'nobody-at-all@example.me']) {
    const responses = []
    for (let n = 0; n < FORGOT_PER_MAILBOX; n += 1)
      responses.push(
        await requestStatus(replicas[n % 2]!, n === 1 ? email.toUpperCase() : email, newNetwork()),
      )
    assert.deepEqual(responses, [202, 202, 202], email)
    const restarted = await service.replica(env)
    for (const one of [...replicas, restarted])
      assert.equal(await requestStatus(one, email, newNetwork()), 'rate_limited', email)
  }
  assert.equal(await mailsTo(owner.email), FORGOT_PER_MAILBOX)
  const makeOlder = `update lockout_buckets set attempts = array(select t.at - interval '1 hour' from unnest(attempts) t (at))`
  await rows(deps.db, makeOlder)
  assert.equal(await requestStatus(replicas[0]!, owner.email, newNetwork()), 202)
})

test('the transaction of a reset request begins with the same write for known and unknown mailboxes', async () => {
  const limited = await service.replica(LIMITS_ON)
  const owner = await signUp(app)
  for (const email of [owner.email, 'nobody-is-here@example.me']) {
    const { deps: recorded, statements } = recordStatements(limited.deps)
    await requestReset(recorded, { ip: newNetwork(), userAgent: '' }, email)
    // A star marks the statements of the transaction.
    assert.deepEqual(statements.slice(0, 2), ['lockout.reserve', 'lockout.reserve*'], email)
  }
})

test('the refusal of a reset request says when to retry, and is the same for known and unknown mailboxes', async () => {
  const limited = await service.replica({ ...LIMITS_ON, TRUST_PROXY: '1' })
  const owner = await signUp(app)
  const refusals = []
  for (const email of [owner.email, 'somebody-else@example.me']) {
    for (let n = 0; n < FORGOT_PER_MAILBOX; n += 1) await requestStatus(limited, email, newNetwork())
    const headers = { 'x-forwarded-for': newNetwork() }
    const statements = limited.deps.db.statementCount()
    const response = await new Client(limited.app).post(FORGOT, { email }, headers)
    const retryAfterSec = Number(response.headers['retry-after'])
    assert.ok(retryAfterSec > 3000 && retryAfterSec <= 3600, String(retryAfterSec))
    const { requestId: _id, ...problem } = response.json()
    refusals.push({ problem, statements: limited.deps.db.statementCount() - statements })
  }
  assert.deepEqual(refusals[0], refusals[1])
})

for (const [caseName, addresses] of [
  ['one IPv4 address', () => '203.0.113.7'],
  ['one IPv6 network with several addresses', (n: number) => `2001:db8:1:2::${n + 1}`],
] as const) {
  test(`${caseName} may request ten reset links an hour, and other networks are not affected`, async () => {
    const env = { ...LIMITS_ON, TRUST_PROXY: '1' }
    const replicas = [await service.replica(env), await service.replica(env)]
    const owner = await signUp(app)
    for (let n = 0; n < FORGOT_PER_NETWORK; n += 1)
      assert.equal(await requestStatus(replicas[n % 2]!, `a${n}@example.me`, addresses(n)), 202, String(n))
    for (let n = 0; n < 3; n += 1)
      assert.equal(await requestStatus(replicas[n % 2]!, owner.email, addresses(n + 20)), 'rate_limited')
    // Requests that were refused because of the network's limit do not count towards the mailbox's limit.
    for (let n = 0; n < FORGOT_PER_MAILBOX; n += 1)
      assert.equal(await requestStatus(replicas[0]!, owner.email, newNetwork()), 202)
  })
}

test('of twenty parallel reset requests for one mailbox, three are accepted', async () => {
  const env = { ...LIMITS_ON, TRUST_PROXY: '1' }
  const replicas = [await service.replica(env), await service.replica(env)]
  const owner = await signUp(app)
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => requestStatus(replicas[n % 2]!, owner.email, newNetwork())),
  )
  assert.equal(responses.filter((one) => one === 202).length, FORGOT_PER_MAILBOX)
  assert.equal(await mailsTo(owner.email), FORGOT_PER_MAILBOX)
})

test('a request with an invalid e-mail address gets a 400, runs no SQL statement and counts towards no limit', async () => {
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
    const response = await new Client(limited.app).post(FORGOT, { email })
    assert.deepEqual([response.status, response.code], [400, 'invalid_request'], email)
    assert.equal(response.json<{ errors: { path: string }[] }>().errors[0]!.path, 'email')
  }
  assert.equal(limited.deps.db.statementCount(), statements)
  assert.equal(await requestStatus(limited, 'right@example.me', '127.0.0.1'), 202)
})
