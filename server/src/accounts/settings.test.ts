import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import { findAccountByEmail } from './accounts-store.ts'
import { toAuditSubject } from './audit.ts'
import { verifyAccount } from './kyc.ts'
import { changeSettings } from './settings.ts'

const service = await startTestService()
const { app, deps } = service
const ACCOUNT_URL = '/portal/api/account'

test('language, time zone and theme can be changed separately', async () => {
  const owner = await signUp(app)
  const steps: [Record<string, string>, Record<string, string>][] = [
    [{ locale: 'cnr' }, { locale: 'cnr', timeZone: 'Europe/Podgorica', theme: 'system' }],
    [{ timeZone: 'america/new_york' }, { locale: 'cnr', timeZone: 'America/New_York', theme: 'system' }],
    [{ theme: 'dark' }, { locale: 'cnr', timeZone: 'America/New_York', theme: 'dark' }],
    [{}, { locale: 'cnr', timeZone: 'America/New_York', theme: 'dark' }],
  ]
  for (const [body, expected] of steps) {
    const response = await owner.post(ACCOUNT_URL, body)
    assert.equal(response.status, 200, response.text)
    const { locale, timeZone, theme } = response.json()
    assert.deepEqual({ locale, timeZone, theme }, expected)
    const session = await owner.get('/portal/api/session')
    assert.deepEqual(session.json()['account'], response.json())
  }
})

test('error texts are in the language of the account', async () => {
  const owner = await signUp(app)
  const title = async () => (await owner.post('/portal/api/password', {})).json()['title']
  await owner.post(ACCOUNT_URL, { locale: 'cnr' })
  const montenegrin = await title()
  await owner.post(ACCOUNT_URL, { locale: 'en' })
  assert.notEqual(await title(), montenegrin)
})

test('an invalid setting is refused and the field is named', async () => {
  const owner = await signUp(app)
  const cases: [Record<string, unknown>, string, string][] = [
    [{ locale: 'de' }, 'locale', 'not_one_of'],
    [{ theme: 'pink' }, 'theme', 'not_one_of'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone', 'invalid_time_zone'],
    [{ timeZone: '+02:00' }, 'timeZone', 'invalid_time_zone'],
    [{ timeZone: '' }, 'timeZone', 'invalid_time_zone'],
    [{ timeZone: "Europe/Podgorica'; --" }, 'timeZone', 'invalid_time_zone'],
    [{ timeZone: 'x'.repeat(65) }, 'timeZone', 'too_long'],
    [{ kyc: 'verified' }, 'kyc', 'unknown_field'],
    [{ id: 'x' }, 'id', 'unknown_field'],
    [{ email: 'x@example.me' }, 'email', 'unknown_field'],
  ]
  for (const [body, path, code] of cases) {
    const response = await owner.post(ACCOUNT_URL, body)
    assert.equal(response.status, 400)
    const [error] = response.json<{ errors: { path: string; code: string }[] }>().errors
    assert.deepEqual([error?.path, error?.code], [path, code])
  }
  assert.equal((await new Client(app).post(ACCOUNT_URL, {})).code, 'unauthenticated')
})

test('a time zone is refused if the database knows neither the requested name nor the name that Node.js uses', async () => {
  const owner = await signUp(app)
  const account = (await findAccountByEmail(deps.db, owner.email))!
  const caller = { account, sessionId: 'x', token: null, stepUpUntil: null, ip: '', userAgent: '' }
  const changeWith = async (timeZone: string, unknown: number) => {
    let asked = 0
    const older = recordStatements(deps, async (name, run) => {
      if (name === 'time_zones.is_known') asked += 1
      return name === 'time_zones.is_known' && asked <= unknown
        ? ([] as Awaited<ReturnType<typeof run>> & [])
        : run()
    })
    return (await changeSettings(older.deps, caller, { timeZone })).timeZone
  }
  await assert.rejects(changeWith('Europe/Kyiv', 2), { code: 'invalid_request' })
  assert.equal(await changeWith('Europe/Kyiv', 1), 'Europe/Kyiv')
  assert.equal(await changeWith('europe/kyiv', 0), 'Europe/Kiev')
})

test('PostgreSQL knows every time zone that is offered', async () => {
  const databaseZones = await rows<{ name: string }>(deps.db, 'select name from pg_timezone_names')
  const names = new Set(databaseZones.map((one) => one.name))
  const unknown = Intl.supportedValuesOf('timeZone').filter((zone) => !names.has(zone))
  assert.deepEqual(unknown, [])
})

interface Audit {
  items: {
    at: string
    action: string
    subject: string | null
    actor: string
    ip: string | null
    userAgent: string | null
  }[]
  nextCursor: string | null
}

test('the audit trail lists the actions of an account, newest first, with IP address and user agent', async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  owner.headers = { 'user-agent': 'Testko/1.0' }
  await owner.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  await owner.post(ACCOUNT_URL, { theme: 'dark' })
  await owner.stepUp()
  await owner.post('/portal/api/sessions/revoke', {})
  await stranger.post(ACCOUNT_URL, { theme: 'dark' })
  const response = await owner.get('/portal/api/audit')
  assert.equal(response.status, 200)
  const { items, nextCursor } = response.json<Audit>()
  assert.deepEqual(
    items.map((one) => one.action),
    ['sessions_revoked', 'step_up', 'account_updated', 'signed_in', 'signed_up'],
  )
  assert.equal(nextCursor, null)
  const { at, ...newest } = items[0]!
  assert.deepEqual(newest, {
    action: 'sessions_revoked',
    subject: null,
    money: null,
    payment: null,
    projectId: null,
    actor: owner.email,
    ip: '127.0.0.1',
    userAgent: 'Testko/1.0',
  })
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('the audit trail names the token, passkey or address that an action was about', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  await owner.stepUp()
  const token = { name: 'Kasa 1', scope: 'read', expiresInDays: 1 }
  const tokenResponse = await owner.post('/portal/api/tokens', token)
  await owner.post('/portal/api/tokens/revoke', { id: tokenResponse.json()['id'] })
  await owner.post(`/portal/api/projects/${id}/members/invite`, {
    email: 'vesna@example.me',
    role: 'support',
  })
  const { items } = (await owner.get('/portal/api/audit?limit=3')).json<Audit>()
  assert.deepEqual(
    items.map(({ action, subject }) => [action, subject]),
    [
      ['member_invited', 'vesna@example.me'],
      ['token_revoked', 'Kasa 1'],
      ['token_made', 'Kasa 1'],
    ],
  )
  const changes = { name: { from: 'Telefon', to: 'Stari telefon' } }
  assert.equal(toAuditSubject({ action: 'passkey_renamed', changes }), 'Stari telefon')
  assert.equal(toAuditSubject({ action: 'project_updated', changes: { name: 'Knjižara' } }), null)
})

test('paging through the audit trail with the cursor neither skips nor repeats an entry', async () => {
  const owner = await signUp(app)
  for (let i = 0; i < 7; i += 1) await owner.post(ACCOUNT_URL, { theme: 'dark' })
  const allEntries = (await owner.get('/portal/api/audit?limit=100')).json<Audit>().items
  assert.equal(allEntries.length, 8)
  const paged: Audit['items'] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const page = (await owner.get(`/portal/api/audit?limit=3${query}`)).json<Audit>()
    paged.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.deepEqual(paged, allEntries)
})

test('an invalid limit or cursor is refused', async () => {
  const owner = await signUp(app)
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e308',
    'limit=5;drop',
    'limit=1.5',
    'limit=1e1',
    'limit=0x3',
    'limit=%203%20',
    'limit=2.0',
    'limit=+3',
    'limit=',
    'cursor=x',
    'page=1',
  ]) {
    assert.equal((await owner.get(`/portal/api/audit?${query}`)).code, 'invalid_request', query)
  }
  const forgedCursor = Buffer.from("' or 1=1 --").toString('base64url')
  assert.equal((await owner.get(`/portal/api/audit?cursor=${forgedCursor}`)).code, 'invalid_request')
  assert.equal((await new Client(app).get('/portal/api/audit')).code, 'unauthenticated')
})

test('an account that is verified twice has one audit entry about it, and the entry names the operator', async () => {
  const owner = await signUp(app)
  for (let i = 0; i < 2; i += 1) {
    const account = await verifyAccount(deps, owner.email.toUpperCase())
    assert.equal(account?.kyc, 'verified')
  }
  const session = (await owner.get('/portal/api/session')).json<{ account: { kyc: string } }>()
  assert.equal(session.account.kyc, 'verified')
  const { items } = (await owner.get('/portal/api/audit')).json<Audit>()
  const verified = items.filter((one) => one.action === 'kyc_verified')
  assert.deepEqual(
    verified.map((one) => [one.actor, one.ip]),
    [['operator', null]],
  )
  assert.equal(await verifyAccount(deps, 'nobody@example.me'), null)
})
