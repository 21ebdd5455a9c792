import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { verifyAccount } from './kyc.ts'

const service = await startTestService()
const { app, deps } = service
const URL = '/portal/api/account'

test('language, time zone and theme are stored, each on its own', async () => {
  const owner = await signUp(app)
  const steps: [Record<string, string>, Record<string, string>][] = [
    [{ locale: 'cnr' }, { locale: 'cnr', timeZone: 'Europe/Podgorica', theme: 'system' }],
    [{ timeZone: 'america/new_york' }, { locale: 'cnr', timeZone: 'America/New_York', theme: 'system' }],
    [{ theme: 'dark' }, { locale: 'cnr', timeZone: 'America/New_York', theme: 'dark' }],
    [{}, { locale: 'cnr', timeZone: 'America/New_York', theme: 'dark' }],
  ]
  for (const [body, expected] of steps) {
    const answer = await owner.post(URL, body)
    assert.equal(answer.status, 200, answer.text)
    const { locale, timeZone, theme } = answer.json()
    assert.deepEqual({ locale, timeZone, theme }, expected)
    const session = await owner.get('/portal/api/session')
    assert.deepEqual(session.json()['account'], answer.json())
  }
})

test('refusals come in the language the owner chose', async () => {
  const owner = await signUp(app)
  const title = async () => (await owner.post('/portal/api/password', {})).json()['title']
  await owner.post(URL, { locale: 'cnr' })
  const montenegrin = await title()
  await owner.post(URL, { locale: 'en' })
  assert.notEqual(await title(), montenegrin)
})

test('what is no setting is refused field by field', async () => {
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
    const answer = await owner.post(URL, body)
    assert.equal(answer.status, 400)
    const [error] = answer.json<{ errors: { path: string; code: string }[] }>().errors
    assert.deepEqual([error?.path, error?.code], [path, code])
  }
  assert.equal((await new Client(app).post(URL, {})).code, 'unauthenticated')
})

test('a zone that PostgreSQL does not know would break its statistics: every zone offered is known to it', async () => {
  const known = await rows<{ name: string }>(deps.db, 'select name from pg_timezone_names')
  const names = new Set(known.map((one) => one.name))
  const unknown = Intl.supportedValuesOf('timeZone').filter((zone) => !names.has(zone))
  assert.deepEqual(unknown, [])
})

interface Audit {
  items: { at: string; action: string; actor: string; ip: string | null; userAgent: string | null }[]
  nextCursor: string | null
}

test('what an owner did is listed, newest first, with whence', async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  owner.headers = { 'user-agent': 'Testko/1.0' }
  await owner.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  await owner.post(URL, { theme: 'dark' })
  await owner.stepUp()
  await owner.post('/portal/api/sessions/revoke', {})
  await stranger.post(URL, { theme: 'dark' })
  const answer = await owner.get('/portal/api/audit')
  assert.equal(answer.status, 200)
  const { items, nextCursor } = answer.json<Audit>()
  assert.deepEqual(
    items.map((one) => one.action),
    ['sessions_revoked', 'step_up', 'account_updated', 'signed_in', 'signed_up'],
  )
  assert.equal(nextCursor, null)
  const { at, ...newest } = items[0]!
  assert.deepEqual(newest, {
    action: 'sessions_revoked',
    projectId: null,
    actor: 'owner',
    ip: '127.0.0.1',
    userAgent: 'Testko/1.0',
  })
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('the list is paged by a cursor without a gap or a double', async () => {
  const owner = await signUp(app)
  for (let i = 0; i < 7; i += 1) await owner.post(URL, { theme: 'dark' })
  const whole = (await owner.get('/portal/api/audit?limit=100')).json<Audit>().items
  assert.equal(whole.length, 8)
  const paged: Audit['items'] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const page = (await owner.get(`/portal/api/audit?limit=3${query}`)).json<Audit>()
    paged.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.deepEqual(paged, whole)
})

test('a page that cannot be is refused, never clamped', async () => {
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
  const foreign = Buffer.from("' or 1=1 --").toString('base64url')
  assert.equal((await owner.get(`/portal/api/audit?cursor=${foreign}`)).code, 'invalid_request')
  assert.equal((await new Client(app).get('/portal/api/audit')).code, 'unauthenticated')
})

test('an operator verifies an identity once, and the audit names the operator', async () => {
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
