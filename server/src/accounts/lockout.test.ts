import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyClient, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { countRounds } from '../../test/counts.ts'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import { findAccountByEmail } from './accounts-store.ts'
import { requireCode } from './factor-codes.ts'
import { checkWithLockout, codeBucket, codeDayBucket, emailBucket } from './lockout.ts'
import { createPasswords } from './passwords.ts'
import { signIn } from './sign-in.ts'

const service = await startTestService()
const replica = await service.replica()
const { app, deps } = service
const SIGN_IN_URL = '/portal/api/sign-in'
const WRONG_PASSWORD = 'not the password'

const countHashes = () => deps.passwords.evaluations() + replica.deps.passwords.evaluations()

/** Moves the times of the stored attempts back, because the lockout uses the database's clock. */
async function moveAttemptsBack(interval: string): Promise<void> {
  const text = `update lockout_buckets set attempts = array(select at - $1::interval from unnest(attempts) as at)`
  await rows(deps.db, text, [interval])
}

test('after five wrong passwords the sixth attempt is locked out, even with the right password', async () => {
  const owner = await signUp(app)
  const client = new Client(app)
  for (let i = 0; i < 5; i += 1) {
    const response = await client.post(SIGN_IN_URL, { email: owner.email, password: WRONG_PASSWORD })
    assert.equal(response.code, 'invalid_credentials')
  }
  const locked = await client.post(SIGN_IN_URL, {
    email: owner.email.toUpperCase(),
    password: owner.password,
  })
  assert.equal(locked.status, 429)
  assert.equal(locked.code, 'locked_out')
  const retryAfterSec = Number(locked.headers['retry-after'])
  assert.ok(retryAfterSec > 0 && retryAfterSec <= 900, String(retryAfterSec))

  await moveAttemptsBack('14 minutes 30 seconds')
  assert.equal(
    (await client.post(SIGN_IN_URL, { email: owner.email, password: owner.password })).code,
    'locked_out',
  )
  await moveAttemptsBack('30 seconds')
  assert.equal((await client.post(SIGN_IN_URL, { email: owner.email, password: owner.password })).status, 200)
})

test('a successful sign-in resets the count of wrong passwords', async () => {
  const owner = await signUp(app)
  for (let round = 0; round < 3; round += 1) {
    const client = new Client(app)
    for (let i = 0; i < 4; i += 1)
      await client.post(SIGN_IN_URL, { email: owner.email, password: WRONG_PASSWORD })
    const response = await client.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
    assert.equal(response.status, 200, response.text)
  }
})

test('of fifty parallel guesses on two replicas, exactly five are hashed', async (t) => {
  const rounds = countRounds('passwordStorms', t)
  for (let round = 0; round < rounds; round += 1) {
    const owner = await signUp(app)
    const hashesBefore = countHashes()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        new Client(i % 2 ? app : replica.app).post(SIGN_IN_URL, {
          email: owner.email,
          password: `${WRONG_PASSWORD} ${i}`,
        }),
      ),
    )
    assert.equal(countHashes() - hashesBefore, 5)
    const codes = responses.map((one) => one.code)
    assert.equal(codes.filter((code) => code === 'invalid_credentials').length, 5)
    assert.equal(codes.filter((code) => code === 'locked_out').length, 45)
    for (const one of responses)
      if (one.code === 'locked_out') assert.ok(Number(one.headers['retry-after']) > 0)
  }
})

test('of fifty parallel guesses at a step-up, exactly five are hashed', async () => {
  const owner = await signUp(app)
  const hashesBefore = countHashes()
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      copyClient(owner, i % 2 ? app : replica.app).post('/portal/api/step-up', {
        password: `${WRONG_PASSWORD} ${i}`,
      }),
    ),
  )
  assert.equal(countHashes() - hashesBefore, 5)
  assert.equal(responses.filter((one) => one.code === 'locked_out').length, 45)
  // The step-up has its own bucket, so signing in is not locked.
  const newBrowser = await new Client(app).post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  assert.equal(newBrowser.status, 200)
})

test('failed attempts of a stranger do not lock out a known browser of the account', async () => {
  const owner = await signUp(app)
  const stranger = new Client(app)
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 6; i += 1)
      await stranger.post(SIGN_IN_URL, { email: owner.email, password: WRONG_PASSWORD })
    assert.equal(
      (await stranger.post(SIGN_IN_URL, { email: owner.email, password: owner.password })).code,
      'locked_out',
    )
    const response = await owner.post(SIGN_IN_URL, { email: owner.email, password: owner.password })
    assert.equal(response.status, 200, response.text)
    await moveAttemptsBack('15 minutes 1 second')
  }
})

test('five failed attempts in a known browser lock only that browser', async () => {
  const owner = await signUp(app)
  const hashesBefore = countHashes()
  for (let i = 0; i < 8; i += 1)
    await owner.post(SIGN_IN_URL, { email: owner.email, password: WRONG_PASSWORD })
  assert.equal(countHashes() - hashesBefore, 5)
  assert.equal(
    (await owner.post(SIGN_IN_URL, { email: owner.email, password: owner.password })).code,
    'locked_out',
  )
  const newBrowser = await new Client(app).post(SIGN_IN_URL, { email: owner.email, password: owner.password })
  assert.equal(newBrowser.status, 200)
})

test("another account's device cookie gives no further attempts", async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  const hashesBefore = countHashes()
  for (let i = 0; i < 6; i += 1)
    await stranger.post(SIGN_IN_URL, { email: owner.email, password: WRONG_PASSWORD })
  assert.equal(
    (await new Client(app).post(SIGN_IN_URL, { email: owner.email, password: WRONG_PASSWORD })).code,
    'locked_out',
  )
  assert.equal(countHashes() - hashesBefore, 5)
})

test('a forged client address gives no further attempts', async () => {
  const owner = await signUp(app)
  const hashesBefore = countHashes()
  for (let i = 0; i < 20; i += 1) {
    const headers = { 'x-forwarded-for': `1.1.1.${i}`, forwarded: `for=1.1.1.${i}` }
    await new Client(app).post(SIGN_IN_URL, { email: owner.email, password: WRONG_PASSWORD }, headers)
  }
  assert.equal(countHashes() - hashesBefore, 5)
})

test('an attempt does not count if the queue of password hashes is full', async () => {
  const busyDeps = { ...deps, passwords: createPasswords({ concurrency: 0, queueMax: 0 }) }
  const browser = { client: { ip: '::1', userAgent: '' }, sessionToken: null, deviceToken: null }
  for (let i = 0; i < 7; i += 1) {
    await assert.rejects(signIn(busyDeps, browser, { email: 'busy@example.me', password: WRONG_PASSWORD }), {
      code: 'unavailable',
    })
  }
  const text = 'select attempts from lockout_buckets where bucket = $1'
  assert.deepEqual(await rows(deps.db, text, [emailBucket('busy@example.me')]), [{ attempts: [] }])
})

test('if the database fails while a code is checked, the attempt does not count', async () => {
  const { email } = await signUp(app)
  const account = (await findAccountByEmail(deps.db, email))!
  const broken = recordStatements(deps, (name, run) =>
    name === 'factors.totp' ? Promise.reject(new Error('disk full')) : run(),
  )
  await assert.rejects(requireCode(broken.deps, account, { ip: '::1', userAgent: '' }, '123456'), /disk full/)
  const text = 'select attempts from lockout_buckets where bucket = any ($1)'
  assert.deepEqual(await rows(deps.db, text, [[codeBucket(account.id), codeDayBucket(account.id)]]), [
    { attempts: [] },
    { attempts: [] },
  ])
})

test('checkWithLockout returns the result of the check, and a success clears the bucket', async () => {
  const bucket = emailBucket('check@example.me')
  assert.equal(await checkWithLockout(deps.db, bucket, async () => false), false)
  assert.equal(await checkWithLockout(deps.db, bucket, async () => true), true)
  assert.deepEqual(await rows(deps.db, 'select from lockout_buckets where bucket = $1', [bucket]), [])
})
