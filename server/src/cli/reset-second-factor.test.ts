import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { addApp } from '../../test/factors.ts'
import { startTestService } from '../../test/harness.ts'
import { applyFactorResets } from '../accounts/factors/reset-factors.ts'
import { RefusedError, toPrinted, UsageError } from './command.ts'
import { resetSecondFactor } from './reset-second-factor.ts'

const service = await startTestService()
const { app, deps } = service
const run = async (...args: string[]) => toPrinted(await resetSecondFactor.run(deps, args)).text

async function newOwner() {
  const owner = await signUp(app)
  await owner.stepUp()
  return { owner, ...(await addApp(service, owner)) }
}

async function listMailedStages(owner: Client): Promise<string[]> {
  const text = `select facts from mails where to_address = $1 and kind = 'factor_reset' order by id`
  const found = await rows<{ facts: { stage: string } }>(deps.db, text, [owner.email])
  return found.map(({ facts }) => facts.stage)
}

const letPass = (interval: string) =>
  rows(deps.db, 'update factor_resets set due_at = due_at - $1::interval', [interval])

const signIn = (owner: Client, browser = new Client(app)) =>
  browser.post('/portal/api/sign-in', { email: owner.email, password: owner.password })

test('the owner is notified immediately, and 24 hours later the second factors and all sessions are removed', async () => {
  const { owner } = await newOwner()
  const { id: projectId } = await owner.addProject()
  assert.match(await run(owner.email), /announces the removal/)
  assert.deepEqual(await listMailedStages(owner), ['requested'])
  await assert.rejects(run(owner.email), RefusedError)
  await letPass('23 hours 59 minutes')
  assert.equal(await applyFactorResets(deps), 0)
  assert.ok('secondFactor' in (await signIn(owner)).json())

  await letPass('1 minute')
  const applied = await Promise.all([applyFactorResets(deps), applyFactorResets(deps)])
  assert.deepEqual(applied.sort(), [0, 1])
  assert.deepEqual(await listMailedStages(owner), ['requested', 'done'])
  assert.equal((await owner.get('/portal/api/session')).status, 401)
  const browser = new Client(app)
  assert.ok('account' in (await signIn(owner, browser)).json())
  // Live secrets cannot be seen for a day.
  browser.password = owner.password
  await browser.stepUp()
  const refused = await browser.post('/sdk/project/seeSecret', { projectId })
  assert.equal(refused.json<{ errors: { code: string }[] }>().errors[0]?.code, 'recovery_wait')
})

test('the removal is cancelled by a sign-in with a second factor, or by the operator with --cancel', async () => {
  const { owner, app: authenticator } = await newOwner()
  await run(owner.email)
  const browser = new Client(app)
  await signIn(owner, browser)
  assert.equal((await browser.post('/portal/api/sign-in/code', { code: authenticator.code() })).status, 200)
  await letPass('24 hours')
  assert.equal(await applyFactorResets(deps), 0)
  await assert.rejects(run(owner.email, '--cancel'), RefusedError)

  await run(owner.email)
  assert.match(await run(owner.email, '--cancel'), /is cancelled/)
  await letPass('24 hours')
  assert.equal(await applyFactorResets(deps), 0)
  const { items } = (await browser.get('/portal/api/audit')).json<{ items: { action: string }[] }>()
  const counted = (action: string) => items.filter((one) => one.action === action).length
  assert.deepEqual(
    ['factor_reset_requested', 'factor_reset_cancelled', 'factor_reset'].map(counted),
    [2, 2, 0],
  )
})

test('an account without a second factor, an unknown account and wrong arguments are refused', async () => {
  const ownerWithoutFactor = await signUp(app)
  await assert.rejects(run(ownerWithoutFactor.email), RefusedError)
  await assert.rejects(run('nobody@example.me'), RefusedError)
  await assert.rejects(run(), UsageError)
  await assert.rejects(run(ownerWithoutFactor.email, 'more'), UsageError)
})
