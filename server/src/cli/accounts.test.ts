import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { addApp } from '../../test/factors.ts'
import { startTestService } from '../../test/harness.ts'
import { insertPayments } from '../../test/transactions.ts'
import { accounts } from './accounts.ts'
import { RefusedError, toPrinted, UsageError } from './command.ts'

const service = await startTestService()
const { app, deps } = service
const { db } = deps

const run = async (...args: string[]) => toPrinted(await accounts.run(deps, args)).text

async function listAudit(email: string): Promise<unknown[]> {
  const sql = `select e.action, e.actor, e.changes from audit_events e join accounts a on a.id = e.account_id
    where a.email = $1 and e.actor = 'operator' order by e.id`
  return rows(db, sql, [email])
}

async function findId(email: string): Promise<string> {
  const [row] = await rows<{ id: string }>(db, 'select id from accounts where email = $1', [email])
  return row!.id
}

test('an account is found by a part of its address, and shown by address, id or project', async () => {
  const owner = await signUp(app)
  const { id: projectId } = await owner.addProject()
  const id = await findId(owner.email)
  // A control character in the name of a browser must not reach the operator's terminal.
  await rows(db, `update sessions set user_agent = 'evil' || chr(27) || '[2J' where account_id = $1`, [id])
  assert.match(await run('find', owner.email.slice(2, -4).toUpperCase()), new RegExp(`${id} +${owner.email}`))
  const shown = await run('show', owner.email.toUpperCase())
  assert.equal(await run('show', id), shown)
  assert.equal(await run('show', projectId), shown)
  assert.match(shown, new RegExp(`^Account ${id}\n  email +${owner.email}\n`))
  assert.match(shown, /second factors +none/)
  assert.match(shown, new RegExp(`${projectId} +owner +Knjižara Šćepan`))
  assert.match(shown, /evil\?\[2J/)
  assert.match(shown, /Sessions:\n {2}SINCE[^]*API tokens: none/)
  assert.match(shown, /project_added/)
})

test('a search says when there are more accounts than it shows', async () => {
  await rows(
    db,
    `insert into accounts (id, email, email_key, password_hash, locale)
     select gen_random_uuid(), 'many-' || n || '@example.net', 'many-' || n || '@example.net', 'x', 'en' from generate_series(1, 51) n`,
  )
  const found = await run('find', '@example.net')
  // The heading, fifty of the 51 accounts, and the line "There are more".
  assert.equal(found.split('\n').length, 52)
  assert.match(found, /There are more; search for a longer text\.$/)
  assert.doesNotMatch(await run('find', 'many-51@'), /There are more/)
})

test('"show" lists second factors and API tokens, but prints no password, token, hash or secret', async () => {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  const { token } = await makeToken(owner, { name: 'Kasa' })
  await owner.stepUp()
  const { secret } = (await owner.post('/sdk/project/seeSecret', { projectId: id })).json<{
    secret: string
  }>()
  const { recoveryCodes } = await addApp(service, owner)
  const shown = await run('show', owner.email)
  assert.match(shown, /authenticator app, recovery codes left: 10/)
  assert.match(shown, /Kasa +write +all/)
  const hiddenTexts = [owner.password, token, secret, ...recoveryCodes, ...owner.jar.values()]
  for (const text of hiddenTexts) assert.ok(text.length > 8 && !shown.includes(text), text)
  const hashes = await rows<{ hash: string }>(
    db,
    `select password_hash as hash from accounts where email = $1
     union all select encode(token_hash, 'hex') from sessions
     union all select encode(token_hash, 'hex') from api_tokens`,
    [owner.email],
  )
  for (const { hash } of hashes) assert.ok(!shown.includes(hash))
})

test('end-sessions ends all sessions of one account and is recorded; a dry run changes nothing', async () => {
  const [owner, otherOwner] = [await signUp(app), await signUp(app)]
  const browser = new Client(app)
  await browser.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  assert.match(await run('end-sessions', owner.email, '--dry-run'), /^Sessions that would end: 2\.\nDry run/)
  assert.equal((await owner.get('/portal/api/session')).status, 200)
  assert.equal(await run('end-sessions', owner.email), 'Sessions ended: 2.')
  for (const client of [owner, browser]) assert.equal((await client.get('/portal/api/session')).status, 401)
  assert.equal((await otherOwner.get('/portal/api/session')).status, 200)
  assert.deepEqual(await listAudit(owner.email), [
    { action: 'sessions_revoked', actor: 'operator', changes: { count: 2 } },
  ])
  await assert.rejects(run('end-sessions', owner.email), /has no session/)
})

test('revoke-tokens ends every API token of the account and records each; a dry run only names them', async () => {
  const owner = await signUp(app)
  const tokens = [await makeToken(owner, { name: 'Kasa 1' }), await makeToken(owner, { name: 'Kasa 2' })]
  const readStatuses = async () =>
    Promise.all(
      tokens.map(async ({ token }) => (await clientWithToken(app, token).post('/sdk/project/list')).status),
    )
  assert.match(await run('revoke-tokens', owner.email, '--dry-run'), /Kasa [12], Kasa [12]\.\nDry run/)
  assert.deepEqual(await readStatuses(), [200, 200])
  await run('revoke-tokens', owner.email)
  assert.deepEqual(await readStatuses(), [401, 401])
  assert.equal((await listAudit(owner.email)).length, 2)
  await assert.rejects(run('revoke-tokens', owner.email), /no API token that works/)
})

test('"close" erases the account, and is refused while a payment is open; the dry run lists the projects', async () => {
  const owner = await signUp(app)
  const [unused, used] = [await owner.addProject(), await owner.addProject()]
  await insertPayments(deps, used.id, [{ state: 'succeeded' }])
  const dryRun = await run('close', owner.email, '--dry-run')
  assert.match(dryRun, new RegExp(`${unused.id} +\\S.* +deleted\n`))
  assert.match(dryRun, new RegExp(`${used.id} +\\S.* +archived, because of its live payments\n`))
  assert.equal((await owner.get('/portal/api/session')).status, 200)
  const id = await findId(owner.email)
  assert.match(await run('close', owner.email), /is closed/)
  assert.match(await run('show', id), /email +erased; closed 20/)
  await assert.rejects(run('close', owner.email), RefusedError)

  const busyOwner = await signUp(app)
  await insertPayments(deps, (await busyOwner.addProject()).id, [{ state: 'processing' }])
  for (const flags of [[], ['--dry-run']])
    await assert.rejects(run('close', busyOwner.email, ...flags), /Not closed: a payment is open/)
})

test('unknown accounts and wrong arguments are refused', async () => {
  for (const args of [
    ['find', 'nobody-has-this'],
    ['show', 'nobody@example.com'],
    ['show', randomUUID()],
    ['show', 'nosuchproject'],
    ['end-sessions', 'nobody@example.com'],
    ['revoke-tokens', 'nobody@example.com'],
    ['close', 'nobody@example.com'],
  ])
    await assert.rejects(run(...args), RefusedError, args.join(' '))
  for (const args of [
    [],
    ['find'],
    ['find', ' '],
    ['show', 'a@example.com', 'more'],
    ['delete', 'a@example.com'],
    ['close', 'a@example.com', '--force'],
  ])
    await assert.rejects(run(...args), UsageError, args.join(' '))
  for (const verb of ['find', 'show'])
    await assert.rejects(
      run(verb, 'a@example.com', '--dry-run'),
      (error) =>
        error instanceof UsageError &&
        error.message.startsWith(`"accounts ${verb}" does not take --dry-run. `),
    )
})
