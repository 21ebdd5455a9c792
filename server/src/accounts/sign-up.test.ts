import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMail, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'

const service = await startTestService()
const { app, deps } = service
const SIGN_UP_URL = '/portal/api/sign-up'
const VALID_BODY = { email: 'Ana.Marić@knjizara.me', password: 'tri zelena jaja u gnijezdu' }

async function countAccounts(): Promise<number> {
  const [row] = await rows<{ n: number }>(deps.db, 'select count(*)::integer as n from accounts')
  return row!.n
}

test('a sign-up signs the person in, and sends a mail to confirm the address', async () => {
  const client = new Client(app)
  const response = await client.post(SIGN_UP_URL, { ...VALID_BODY, locale: 'cnr' })
  assert.equal(response.status, 201, response.text)
  assert.equal(response.headers['cache-control'], 'no-store')
  const { account } = response.json<{ account: Record<string, unknown> }>()
  assert.deepEqual(
    { ...account, id: '' },
    {
      id: '',
      email: VALID_BODY.email,
      emailConfirmed: false,
      locale: 'cnr',
      timeZone: 'Europe/Podgorica',
      theme: 'system',
      kyc: 'none',
    },
  )
  assert.deepEqual([...client.jar.keys()].toSorted(), ['device', 'session'])
  const session = await client.get('/portal/api/session')
  assert.deepEqual(session.json(), { account, stepUpUntil: null, stepUpWith: ['password'] })
  assert.ok(await findMail(service, VALID_BODY.email, 'confirm_email'))
})

test('if the body has no locale, the account gets the language of the request', async () => {
  const response = await new Client(app).post(
    SIGN_UP_URL,
    { ...VALID_BODY, email: 'lang@example.me' },
    { 'accept-language': 'sr-Latn-ME, en;q=0.5' },
  )
  assert.equal(response.json<{ account: { locale: string } }>().account.locale, 'cnr')
})

test('a taken address is refused in any letter case and with any encoding of its accents', async () => {
  for (const email of [VALID_BODY.email, VALID_BODY.email.toUpperCase(), VALID_BODY.email.normalize('NFD')]) {
    const client = new Client(app)
    const response = await client.post(SIGN_UP_URL, { ...VALID_BODY, email })
    assert.equal(response.status, 409)
    assert.equal(response.code, 'email_taken')
    assert.equal(client.jar.size, 0)
  }
})

test('of ten parallel sign-ups with one address, one succeeds and nine get email_taken', async () => {
  const accountsBefore = await countAccounts()
  const responses = await Promise.all(
    Array.from({ length: 10 }, () =>
      new Client(app).post(SIGN_UP_URL, { ...VALID_BODY, email: 'race@example.me' }),
    ),
  )
  assert.deepEqual(responses.map((one) => one.code).toSorted(), ['', ...Array<string>(9).fill('email_taken')])
  assert.equal(await countAccounts(), accountsBefore + 1)
  const mails = await rows(deps.db, `select from mails where to_address = 'race@example.me'`)
  assert.equal(mails.length, 1)
})

test('invalid input is reported by field, before any hashing', async () => {
  const evaluationsBefore = deps.passwords.evaluations()
  const cases: [Record<string, unknown>, string, string][] = [
    [{ password: VALID_BODY.password }, 'email', 'required'],
    [{ ...VALID_BODY, email: 'no-at-sign' }, 'email', 'invalid_email'],
    [{ ...VALID_BODY, email: 'two@at@example.me' }, 'email', 'invalid_email'],
    [{ ...VALID_BODY, email: 'a@b..c' }, 'email', 'invalid_email'],
    [{ ...VALID_BODY, email: 'a@.b.c' }, 'email', 'invalid_email'],
    [{ ...VALID_BODY, email: 'a@-b.c' }, 'email', 'invalid_email'],
    [{ ...VALID_BODY, email: 'a@b-.c' }, 'email', 'invalid_email'],
    [{ ...VALID_BODY, email: 'a@b.c.' }, 'email', 'invalid_email'],
    [{ ...VALID_BODY, email: 'line@example.me\nBcc: x@example.me' }, 'email', 'invalid_email'],
    [{ ...VALID_BODY, email: 'hid\u200bden@example.me' }, 'email', 'invalid_email'],
    [{ ...VALID_BODY, email: `${'a'.repeat(250)}@example.me` }, 'email', 'too_long'],
    [{ ...VALID_BODY, password: 'elevenchars' }, 'password', 'too_short'],
    [{ ...VALID_BODY, password: 'x'.repeat(129) }, 'password', 'too_long'],
    [{ ...VALID_BODY, password: 'qwertyuiop12' }, 'password', 'password_too_common'],
    [{ ...VALID_BODY, password: 'password2026' }, 'password', 'password_too_common'],
    [{ ...VALID_BODY, password: 12 }, 'password', 'wrong_type'],
    [{ ...VALID_BODY, locale: 'de' }, 'locale', 'not_one_of'],
    [{ ...VALID_BODY, kyc: 'verified' }, 'kyc', 'unknown_field'],
  ]
  for (const [body, path, code] of cases) {
    const response = await new Client(app).post(SIGN_UP_URL, body)
    assert.equal(response.status, 400, response.text)
    const [error] = response.json<{ errors: { path: string; code: string; message: string }[] }>().errors
    assert.deepEqual([error?.path, error?.code], [path, code], JSON.stringify(body))
    assert.ok(error!.message.length > 10)
  }
  assert.equal(deps.passwords.evaluations(), evaluationsBefore)
})

test('the length of a password is counted in characters, not in bytes', async () => {
  const response = await new Client(app).post(SIGN_UP_URL, {
    email: 'long@example.me',
    password: 'šđčćž ŠĐČĆŽ '.repeat(10),
  })
  assert.equal(response.status, 201, response.text)
})

test('a sign-up ends the browser’s existing session', async () => {
  const client = await signUp(app)
  const oldToken = client.jar.get('session')!
  assert.equal((await client.post(SIGN_UP_URL, { ...VALID_BODY, email: 'second@example.me' })).status, 201)
  const thief = new Client(app)
  thief.jar.set('session', oldToken)
  assert.equal((await thief.get('/portal/api/session')).code, 'unauthenticated')
})

test('a session token planted by an attacker is not used', async () => {
  const client = new Client(app)
  const planted = 'A'.repeat(43)
  client.jar.set('session', planted)
  assert.equal((await client.post(SIGN_UP_URL, { ...VALID_BODY, email: 'planted@example.me' })).status, 201)
  assert.notEqual(client.jar.get('session'), planted)
  const thief = new Client(app)
  thief.jar.set('session', planted)
  assert.equal((await thief.get('/portal/api/session')).code, 'unauthenticated')
})

test('while sign-up is closed, every sign-up without an invitation is refused', async () => {
  const closedReplica = await service.replica({ SIGN_UP: 'closed' })
  const accountsBefore = await countAccounts()
  for (const body of [{ ...VALID_BODY, email: 'closed@example.me' }, {}]) {
    const response = await new Client(closedReplica.app).post(SIGN_UP_URL, body)
    assert.equal(response.status, 403)
    assert.equal(response.code, 'sign_up_closed')
  }
  assert.equal(await countAccounts(), accountsBefore)
})

test('sign-ups from one IP address are limited per hour', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_SIGN_UP: '2' })
  const client = new Client(limited.app)
  for (let i = 0; i < 2; i += 1) assert.equal((await client.post(SIGN_UP_URL, {})).code, 'invalid_request')
  const response = await client.post(SIGN_UP_URL, { ...VALID_BODY, email: 'limited@example.me' })
  assert.equal(response.status, 429)
  assert.equal(response.code, 'rate_limited')
  const retryAfterSec = Number(response.headers['retry-after'])
  assert.ok(retryAfterSec > 60 && retryAfterSec <= 3600, String(retryAfterSec))
})
