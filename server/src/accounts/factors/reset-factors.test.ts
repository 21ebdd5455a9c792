import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { addApp } from '../../../test/factors.ts'
import { startTestService } from '../../../test/harness.ts'
import { applyFactorResets, cancelFactorReset, requestFactorReset } from './reset-factors.ts'

const service = await startTestService()
const { app, deps } = service

async function newOwner() {
  const owner = await signUp(app)
  await owner.stepUp()
  return { owner, ...(await addApp(service, owner)) }
}

/** Makes all requested removals due earlier by `interval`, as if this much time had passed. */
const letPass = (interval: string) =>
  rows(deps.db, 'update factor_resets set due_at = due_at - $1::interval', [interval])

const listResetMails = ({ email }: Client) =>
  rows<{ stage: string; dueAt: string | null }>(
    deps.db,
    `select facts ->> 'stage' as stage, facts ->> 'dueAt' as "dueAt" from mails
     where to_address = $1 and kind = 'factor_reset' order by id`,
    [email],
  )

/** Counts the authenticator app and the recovery codes. */
async function factorsOf({ email }: Client): Promise<number> {
  const text = `select (select count(*) from totp_factors where account_id = a.id)
      + (select count(*) from recovery_codes where account_id = a.id) as n from accounts a where email = $1`
  return Number((await rows<{ n: string }>(deps.db, text, [email]))[0]!.n)
}

async function actionsOf({ email }: Client): Promise<string[]> {
  const text = `select action from audit_events where actor = 'operator'
    and account_id = (select id from accounts where email = $1) order by id`
  return (await rows<{ action: string }>(deps.db, text, [email])).map(({ action }) => action)
}

test('a requested removal of second factors takes effect once, after 24 hours, and ends only the sessions of its account', async () => {
  const [{ owner }, other] = [await newOwner(), await newOwner()]
  const requestedMs = deps.clock.nowMs()
  const request = await requestFactorReset(deps, owner.email.toUpperCase())
  assert.ok(typeof request === 'object')
  const hours = (request.dueAt.getTime() - requestedMs) / 3_600_000
  assert.equal(Math.round(hours * 10) / 10, 24)
  assert.deepEqual(await listResetMails(owner), [{ stage: 'requested', dueAt: request.dueAt.toISOString() }])
  assert.equal(await requestFactorReset(deps, owner.email), 'already requested')
  await letPass('23 hours 59 minutes')
  assert.equal(await applyFactorResets(deps), 0)
  assert.equal(await factorsOf(owner), 11)
  await letPass('1 minute')
  const applied = await Promise.all([applyFactorResets(deps), applyFactorResets(deps)])
  assert.equal(applied[0] + applied[1], 1)
  assert.deepEqual([await factorsOf(owner), await factorsOf(other.owner)], [0, 11])
  assert.deepEqual((await listResetMails(owner)).at(-1), { stage: 'done', dueAt: null })
  assert.deepEqual(await listResetMails(other.owner), [])
  assert.deepEqual(await actionsOf(owner), ['factor_reset_requested', 'factor_reset'])
  assert.equal((await owner.get('/portal/api/session')).status, 401)
  assert.equal((await other.owner.get('/portal/api/session')).status, 200)
  const [row] = await rows<{ waits: boolean }>(
    deps.db,
    'select recovery_used_at is not null as waits from accounts where email = $1',
    [owner.email],
  )
  assert.equal(row?.waits, true, 'secrets cannot be shown for a day, as after the use of a recovery code')
})

test('a sign-in with a second factor cancels the requested removal, and the password alone does not', async () => {
  const { owner, app: authenticatorApp } = await newOwner()
  await requestFactorReset(deps, owner.email)
  const browser = new Client(app)
  const { email, password } = owner
  assert.equal((await browser.post('/portal/api/sign-in', { email, password })).status, 200)
  const openResets = () => rows(deps.db, 'select from factor_resets')
  assert.equal((await openResets()).length, 1)
  assert.equal(
    (await browser.post('/portal/api/sign-in/code', { code: authenticatorApp.code() })).status,
    200,
  )
  assert.equal((await openResets()).length, 0)
  const { items } = (await browser.get('/portal/api/audit')).json<{ items: { action: string }[] }>()
  assert.equal(items.filter(({ action }) => action === 'factor_reset_cancelled').length, 1)
})

test('a signed-in owner sees the requested removal, and cancels it after a step-up with a second factor', async () => {
  const [{ owner, app: authenticatorApp }, other] = [await newOwner(), await newOwner()]
  const removedAfter = async () => (await owner.get('/portal/api/totp')).json()['removedAfter']
  const cancel = () => owner.post('/portal/api/second-factor/keep', {})
  assert.equal(await removedAfter(), null)
  for (const one of [owner, other.owner]) await requestFactorReset(deps, one.email)
  const [requested] = await listResetMails(owner)
  assert.equal(await removedAfter(), requested!.dueAt)
  await rows(
    deps.db,
    "update sessions set step_up_until = now() - interval '1 second' where step_up_until is not null",
  )
  assert.equal((await cancel()).code, 'step_up_required')
  assert.equal(await removedAfter(), requested!.dueAt)
  assert.equal((await owner.post('/portal/api/step-up', { code: authenticatorApp.code() })).status, 200)
  assert.deepEqual([(await cancel()).status, (await cancel()).status], [204, 204])
  assert.equal(await removedAfter(), null)
  const { items } = (await owner.get('/portal/api/audit')).json<{ items: { action: string }[] }>()
  assert.equal(items.filter(({ action }) => action === 'factor_reset_cancelled').length, 1)
  await letPass('1 day')
  assert.equal(await applyFactorResets(deps), 1)
  assert.deepEqual([await factorsOf(owner), await factorsOf(other.owner)], [11, 0])
})

test('an operator cancels the requested removal for one account, and the removal for another account still takes effect', async () => {
  const [{ owner }, other] = [await newOwner(), await newOwner()]
  for (const one of [owner, other.owner]) await requestFactorReset(deps, one.email)
  assert.equal(await cancelFactorReset(deps, owner.email), true)
  assert.equal(await cancelFactorReset(deps, owner.email), false)
  assert.deepEqual(await actionsOf(owner), ['factor_reset_requested', 'factor_reset_cancelled'])
  await letPass('1 day')
  assert.equal(await applyFactorResets(deps), 1)
  assert.deepEqual([await factorsOf(owner), await factorsOf(other.owner)], [11, 0])
  assert.equal(await requestFactorReset(deps, 'nobody@example.me'), 'no account')
  assert.equal(await cancelFactorReset(deps, 'nobody@example.me'), false)
  const withoutFactor = await signUp(app)
  assert.equal(await requestFactorReset(deps, withoutFactor.email), 'no second factor')
  assert.deepEqual(await listResetMails(withoutFactor), [])
})

test('if an account is closed after the removal of its second factors was requested, this removal fails and is logged, and other removals still take effect', async () => {
  const [closed, other] = [await newOwner(), await newOwner()]
  for (const { owner } of [closed, other]) await requestFactorReset(deps, owner.email)
  await letPass('1 day')
  await rows(
    deps.db,
    `update factor_resets set due_at = due_at - interval '1 hour'
     where account_id = (select id from accounts where email = $1)`,
    [closed.owner.email],
  )
  await rows(deps.db, 'update accounts set closed_at = now() where email = $1', [closed.owner.email])
  await assert.rejects(applyFactorResets(deps), AggregateError)
  assert.deepEqual([await factorsOf(closed.owner), await factorsOf(other.owner)], [11, 0])
  assert.equal(service.logs.filter((line) => line.includes('could not be removed')).length, 1)
})
