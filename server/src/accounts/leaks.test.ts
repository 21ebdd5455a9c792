// Uses an account from sign-up to password reset, then searches all rows and logs for secrets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, readMailedToken, rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { createMailer } from './mailer.ts'

const service = await startTestService()
const { app, deps } = service
const LAST_PASSWORD = 'osam crnih mačaka na krovu'
const WRONG_PASSWORD = 'a guess that was not right'

async function dump(): Promise<string> {
  const tables = await rows<{ name: string }>(
    deps.db,
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await rows<{ text: string }>(deps.db, `select t::text as text from ${name} t`)
      return found.map((row) => row.text).join('\n')
    }),
  )
  return texts.join('\n')
}

test('neither the database nor the logs hold a password or a token', async () => {
  const secrets = new Map<string, string>()
  const owner = await signUp(app)
  const collectCookies = (client: Client, when: string) => {
    for (const [name, value] of client.jar) secrets.set(`${name} cookie after ${when}`, value)
  }
  const collectMailed = async (to: string, kind: string) => {
    const token = await readMailedToken(service, to, kind)
    secrets.set(`${kind} link`, token)
    return token
  }
  secrets.set('first password', owner.password)
  secrets.set('second password', ANOTHER_PASSWORD)
  secrets.set('third password', LAST_PASSWORD)
  secrets.set('wrong password', WRONG_PASSWORD)
  collectCookies(owner, 'sign-up')

  await owner.post('/portal/api/sign-in', { email: owner.email, password: WRONG_PASSWORD })
  await owner.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  collectCookies(owner, 'sign-in')
  await owner.post('/portal/api/step-up', { password: WRONG_PASSWORD })
  await owner.stepUp()
  collectCookies(owner, 'step-up')
  const { token } = await makeToken(owner)
  secrets.set('API token', token)
  assert.equal((await clientWithToken(app, token).post('/sdk/project/list')).status, 200)
  await owner.post('/portal/api/email/confirm', { token: await collectMailed(owner.email, 'confirm_email') })
  const newEmail = `nova.${owner.email}`
  await owner.post('/portal/api/email', { email: newEmail })
  await owner.post('/portal/api/email/confirm', { token: await collectMailed(newEmail, 'confirm_new_email') })
  await owner.post('/portal/api/password', { password: ANOTHER_PASSWORD })
  await owner.post('/portal/api/password/forgot', { email: newEmail })
  const reset = await collectMailed(newEmail, 'reset_password')
  await owner.post('/portal/api/password/reset', { token: 'A'.repeat(43), password: LAST_PASSWORD })
  const response = await owner.post('/portal/api/password/reset', { token: reset, password: LAST_PASSWORD })
  assert.equal(response.status, 204)
  await owner.post('/portal/api/password/forgot', { email: newEmail })
  await collectMailed(newEmail, 'reset_password')

  // The database is searched both while mails are queued and after they are sent.
  const waiting = await dump()
  assert.ok((await createMailer(deps).runOnce()) > 0)
  const written = new Map([
    ['the database', waiting + (await dump())],
    ['the logs', service.logs.join('')],
  ])
  // Proves that the search works: it finds an address in the tables and a route in the logs.
  assert.ok(written.get('the database')!.includes(newEmail))
  assert.ok(written.get('the logs')!.includes('/portal/api/step-up'))
  assert.ok(secrets.size >= 10)
  for (const [place, text] of written) {
    for (const [secretName, secret] of secrets) {
      const hex = Buffer.from(secret).toString('hex')
      const rawHex = Buffer.from(secret, 'base64url').toString('hex')
      for (const form of [secret, hex, rawHex])
        assert.ok(!text.includes(form), `${place} holds the ${secretName}`)
    }
  }
  assert.ok(!written.get('the logs')!.includes('argon2id'))
})
