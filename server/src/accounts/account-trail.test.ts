import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, readMailedToken, rows } from '../../test/accounts.ts'
import { makeToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { inviteAccount } from './invite.ts'

const service = await startTestService()
const { app, deps } = service
const BROWSER = { 'user-agent': 'Testko/2.0' }

interface Entry {
  action: string
  actor: string
  ip: string | null
  user_agent: string | null
  changes: object
}

async function entriesOf(email: string): Promise<Entry[]> {
  const text = `select e.action, e.actor, e.ip, e.user_agent, e.changes from audit_events e
    join accounts a on a.id = e.account_id where a.email = $1 order by e.id`
  return rows<Entry>(deps.db, text, [email])
}

test('actions of an account have audit entries with details, IP address and browser', async () => {
  const owner = await signUp(app)
  const firstEmail = owner.email
  owner.headers = BROWSER
  const confirm = (token: string) => owner.post('/portal/api/email/confirm', { token })
  await confirm(await readMailedToken(service, firstEmail, 'confirm_email'))
  await owner.stepUp()
  owner.email = `nova.${firstEmail}`
  await owner.post('/portal/api/email', { email: owner.email })
  await confirm(await readMailedToken(service, owner.email, 'confirm_new_email'))
  await owner.post('/portal/api/account', { theme: 'dark' })
  await owner.post('/portal/api/password', { password: ANOTHER_PASSWORD })
  await owner.post('/portal/api/sign-out', {})
  await owner.post('/portal/api/sign-in', { email: owner.email, password: ANOTHER_PASSWORD })
  await owner.post('/portal/api/password/forgot', { email: owner.email })
  const token = await readMailedToken(service, owner.email, 'reset_password')
  await owner.post('/portal/api/password/reset', { token, password: `${ANOTHER_PASSWORD} 2` })

  const entries = await entriesOf(owner.email)
  assert.deepEqual(
    entries.map(({ action, changes }) => [action, changes]),
    [
      ['signed_up', {}],
      ['email_confirmed', { email: firstEmail }],
      ['step_up', {}],
      ['email_change_asked', { email: owner.email }],
      ['email_changed', { email: owner.email }],
      ['account_updated', { theme: 'dark' }],
      ['password_changed', { tokensRevoked: 0 }],
      ['signed_out', {}],
      ['signed_in', {}],
      ['password_reset', { email: owner.email, tokensRevoked: 0 }],
    ],
  )
  for (const { action, actor, ip, user_agent } of entries.slice(1))
    assert.deepEqual([actor, ip, user_agent], ['owner', '127.0.0.1', 'Testko/2.0'], action)
})

test('an account that the operator invites twice has one audit entry', async () => {
  const email = 'gost@example.com'
  const operator = { actor: 'operator', ip: null, user_agent: null, changes: {} }
  for (let n = 0; n < 2; n += 1) {
    await inviteAccount(deps, email, 'cnr')
    assert.deepEqual(await entriesOf(email), [{ action: 'signed_up', ...operator }])
  }
})

test('a mail about a new address, password or device has the IP address and browser of the action, and the language and time zone of the recipient', async () => {
  const owner = await signUp(app)
  owner.headers = BROWSER
  await owner.post('/portal/api/account', { locale: 'cnr', timeZone: 'Asia/Tokyo' })
  await owner.stepUp()
  await owner.post('/portal/api/email', { email: `nova.${owner.email}` })
  await owner.post('/portal/api/password', { password: ANOTHER_PASSWORD })
  await new Client(app).post(
    '/portal/api/sign-in',
    { email: owner.email, password: ANOTHER_PASSWORD },
    BROWSER,
  )
  await owner.post('/portal/api/password/forgot', { email: owner.email })
  const text = 'select kind, to_address, locale, facts from mails where account_id = $1 order by id'
  const { account } = (await owner.get('/portal/api/session')).json<{ account: { id: string } }>()
  const mails = await rows<{
    kind: string
    to_address: string
    locale: string
    facts: { ip?: string; userAgent?: string; timeZone?: string }
  }>(deps.db, text, [account.id])
  const clientAndZone = ['127.0.0.1', 'Testko/2.0', 'Asia/Tokyo']
  assert.deepEqual(
    mails.map(({ kind, to_address, locale, facts }) => [
      kind,
      to_address,
      locale,
      ...(facts.ip === undefined ? [] : [facts.ip, facts.userAgent, facts.timeZone]),
    ]),
    [
      ['confirm_email', owner.email, 'en'],
      ['confirm_new_email', `nova.${owner.email}`, 'cnr'],
      ['email_change_notice', owner.email, 'cnr', ...clientAndZone],
      ['password_changed', owner.email, 'cnr', ...clientAndZone],
      ['new_device', owner.email, 'cnr', ...clientAndZone],
      ['reset_password', owner.email, 'cnr'],
    ],
  )
})

test('the link that is mailed to a new address works for 24 hours', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  await owner.post('/portal/api/email', { email: `nova.${owner.email}` })
  const text = `select extract(epoch from expires_at - created_at)::integer as sec from mail_tokens where email = $1`
  assert.deepEqual(await rows(deps.db, text, [`nova.${owner.email}`]), [{ sec: 24 * 3600 }])
})

test('links that were mailed in the last 24 hours count towards the daily limit for new addresses, and older links do not', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const request = (n: number) => owner.post('/portal/api/email', { email: `t${n}.${owner.email}` })
  for (let n = 1; n < 10; n += 1) assert.equal((await request(n)).status, 202)
  const makeOlder = `update mail_tokens t set created_at = t.created_at - $2::interval
    from accounts a where a.id = t.account_id and a.email = $1`
  await rows(deps.db, makeOlder, [owner.email, '23 hours 55 minutes'])
  const refused = await request(10)
  assert.deepEqual([refused.code, refused.headers['retry-after']], ['rate_limited', '3600'])
  await rows(deps.db, makeOlder, [owner.email, '5 minutes'])
  const makeRequestsOlder = `update lockout_buckets
    set attempts = array(select t.at - interval '1 day' from unnest(attempts) t (at)) where bucket like 'email-change:%'`
  await rows(deps.db, makeRequestsOlder)
  assert.equal((await request(10)).status, 202)
})

test("a password made of the owner's address is refused at sign-up, at a change and at a reset", async () => {
  const owner = await signUp(app)
  const ownPassword = `${owner.email.split('@')[0]}2026`
  const email = 'marko.petrovic@example.com'
  const refusals = [
    await new Client(app).post('/portal/api/sign-up', { email, password: 'MarkoPetrovic1990' }),
  ]
  await owner.stepUp()
  refusals.push(await owner.post('/portal/api/password', { password: ownPassword }))
  await owner.post('/portal/api/password/forgot', { email: owner.email })
  const token = await readMailedToken(service, owner.email, 'reset_password')
  refusals.push(await owner.post('/portal/api/password/reset', { token, password: ownPassword }))
  for (const refusal of refusals) {
    const { errors } = refusal.json<{ errors: { code: string }[] }>()
    assert.deepEqual([refusal.code, errors[0]?.code], ['invalid_request', 'password_too_common'])
  }
})

test('a sign-in removes the step-up cookie, and a password reset removes the session cookie too', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const listRemoved = (response: Awaited<ReturnType<Client['post']>>) =>
    response.cookies.filter(({ value }) => value === '').map(({ name }) => name)
  const signIn = await owner.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  assert.deepEqual(listRemoved(signIn), ['step-up'])
  await owner.post('/portal/api/password/forgot', { email: owner.email })
  const token = await readMailedToken(service, owner.email, 'reset_password')
  const reset = await owner.post('/portal/api/password/reset', { token, password: ANOTHER_PASSWORD })
  assert.deepEqual(listRemoved(reset), ['session', 'step-up'])
})

test('sessions are listed by last use, and valid API tokens before expired ones', async () => {
  const owner = await signUp(app)
  const body = { email: owner.email, password: owner.password }
  for (const name of ['second', 'third'])
    await new Client(app).post('/portal/api/sign-in', body, { 'user-agent': name })
  const makeOlder = `update sessions set last_seen_at = now() - $2::interval where user_agent = $1`
  await rows(deps.db, makeOlder, ['second', '1 minute'])
  await rows(deps.db, makeOlder, ['third', '2 minutes'])
  const { sessions } = (await owner.get('/portal/api/sessions')).json<{ sessions: { userAgent: string }[] }>()
  assert.deepEqual(
    sessions.slice(1).map(({ userAgent }) => userAgent),
    ['second', 'third'],
  )

  await makeToken(owner, { name: 'works' })
  const { id } = await makeToken(owner, { name: 'expired' })
  await rows(
    deps.db,
    `update api_tokens set created_at = created_at - interval '2 days', expires_at = now() where id = $1`,
    [id],
  )
  const { tokens } = (await owner.get('/portal/api/tokens')).json<{ tokens: { name: string }[] }>()
  assert.deepEqual(
    tokens.map(({ name }) => name),
    ['works', 'expired'],
  )
})
