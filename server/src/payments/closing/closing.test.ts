import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signStatusHash } from '@pazar/sdk'
import { findMail, rows } from '../../../test/accounts.ts'
import { makeToken, programWith } from '../../../test/api-tokens.ts'
import { Client, signUp } from '../../../test/client.ts'
import { dumpDatabase } from '../../../test/dump.ts'
import { startTestService } from '../../../test/harness.ts'
import { newOrder, watchWork } from '../../../test/payments.ts'
import { countRows } from '../../../test/rows.ts'
import { findAccountByEmail } from '../../accounts/accounts-store.ts'
import { createMailer } from '../../accounts/mailer.ts'
import { closeAccountCommand } from '../../cli/close-account.ts'
import { toPrinted } from '../../cli/command.ts'
import { addProject } from '../../projects/projects.ts'
import { confirmPayment } from '../confirm.ts'
import { raiseIncident } from '../incidents.ts'
import { closeAccount } from './close-account.ts'
import { deleteUnused } from './delete-project.ts'

const service = await startTestService()
const { app, deps } = service
const { db } = deps

async function pay(projectId: string, fields: Parameters<typeof newOrder>[1] = {}): Promise<string> {
  const outcome = await confirmPayment(deps, newOrder(projectId, fields))
  assert.equal(outcome.kind, 'payment')
  return outcome.kind === 'payment' ? outcome.payment.id : ''
}

/** Marks all callbacks as delivered. */
async function deliverAll(projectId: string): Promise<void> {
  await rows(
    db,
    `update callbacks set status = 'delivered', delivered_at = now(), lease_until = null where project_id = $1`,
    [projectId],
  )
}

async function ownerWithProject(): Promise<{ owner: Client; id: string }> {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  return { owner, id }
}

function fieldOf(response: { json<T>(): T }): string {
  const { errors } = response.json<{ errors: { path: string; code: string }[] }>()
  return `${errors[0]?.path} ${errors[0]?.code}`
}

const remove = (owner: Client, id: string) => owner.post(`/portal/api/projects/${id}/delete`)
const close = (owner: Client, email = owner.email) => owner.post('/portal/api/account/close', { email })

test('only its owner can delete a project, after a step-up', async () => {
  const { owner, id } = await ownerWithProject()
  assert.equal((await remove(new Client(app), id)).code, 'unauthenticated')
  assert.equal((await remove(await signUp(app), id)).code, 'not_found')
  assert.equal((await remove(owner, id)).code, 'step_up_required')
  assert.equal((await owner.post(`/portal/api/projects/${id}/delete`, { name: 'x' })).code, 'invalid_request')
  assert.equal((await owner.post('/sdk/project/get', { projectId: id })).status, 200)
})

test('a project with only test payments is deleted with all its data', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const before = await countRows(db)
  const { id } = await owner.addProject({ name: 'Proba' })
  const paid = await pay(id, { mode: 'test', customId: 'a' })
  await pay(id, { mode: 'test', amount: 4000n })
  await raiseIncident(deps, { kind: 'mismatch', transactionId: paid, subject: paid, facts: {} })
  await rows(db, 'update incidents set closed_at = now() where transaction_id = $1', [paid])
  await owner.post(`/portal/api/projects/${id}/test-callbacks`, { status: 'success', amount: '1500' })
  await deliverAll(id)

  const response = await remove(owner, id)
  assert.equal(response.status, 204, response.text)
  const after = await countRows(db)
  // Only the account's history and the mail about the deletion are left.
  assert.deepEqual(
    { ...after, audit_events: 0n, mails: 0n, incident_mails: 0n },
    { ...before, audit_events: 0n, mails: 0n, incident_mails: 0n },
  )
  assert.equal((await owner.post('/sdk/project/get', { projectId: id })).status, 404)
  assert.equal((await owner.get(`/pay?amount=1500&project=${id}&data=`)).status, 404)
  assert.equal((await remove(owner, id)).code, 'not_found')
  const { items } = (await owner.get('/portal/api/audit')).json<{ items: { action: string }[] }>()
  assert.equal(items[0]?.action, 'project_deleted')
  assert.ok(await findMail(service, owner.email, 'project_deleted'))
})

test('a project with a live payment, in any state, is not deleted', async () => {
  for (const amount of [1500n, 4000n]) {
    const { owner, id } = await ownerWithProject()
    await owner.stepUp()
    await pay(id, { amount })
    await deliverAll(id)
    const response = await remove(owner, id)
    assert.equal(response.status, 400)
    assert.equal(fieldOf(response), 'project has_live_payments')
    assert.equal((await owner.post('/sdk/project/get', { projectId: id })).json()['archivedAt'], null)
  }
})

test('a project is not deleted while a payer, the merchant or the operator waits for a result', async () => {
  const { owner, id } = await ownerWithProject()
  await owner.stepUp()
  const waiting = await pay(id, { mode: 'test', amount: 4004n })
  assert.equal(fieldOf(await remove(owner, id)), 'project payments_open')
  assert.equal(fieldOf(await close(owner)), 'account payments_open')
  await rows(
    db,
    `update transactions set state = 'expired', completed_at = now(), action_url = null, next_check_at = null where id = $1`,
    [waiting],
  )
  await raiseIncident(deps, { kind: 'mismatch', transactionId: waiting, subject: waiting, facts: {} })
  assert.equal(fieldOf(await remove(owner, id)), 'project payments_open')
  await rows(db, 'update incidents set closed_at = now() where transaction_id = $1', [waiting])

  await pay(id, { mode: 'test' })
  assert.equal(fieldOf(await remove(owner, id)), 'project callbacks_queued')
  assert.equal(fieldOf(await close(owner)), 'account callbacks_queued')
  await rows(
    db,
    `update callbacks set status = 'sending', lease_until = now() + interval '1 hour' where project_id = $1`,
    [id],
  )
  assert.equal(fieldOf(await remove(owner, id)), 'project callbacks_queued')
  assert.equal((await owner.post('/sdk/project/get', { projectId: id })).json()['archivedAt'], null)
  await deliverAll(id)
  assert.equal((await remove(owner, id)).status, 204)
})

test('an interrupted deletion continues, a batch at a time', async () => {
  const { owner, id } = await ownerWithProject()
  await owner.stepUp()
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, completed_at)
     select gen_random_uuid(), $1, 'test', gen_random_uuid(), 1, 'EUR', 'succeeded', now() from generate_series(1, 1200)`,
    [id],
  )
  const [account] = await rows<{ owner_id: string }>(db, 'select owner_id from projects where id = $1', [id])
  let commits = 0
  const failing = watchWork(deps, async (name, run) => {
    if (name === 'closing.list_test_payments' && (commits += 1) === 3) throw new Error('killed')
    return run()
  })
  const ownerId = account!.owner_id as Parameters<typeof deleteUnused>[1]
  await assert.rejects(
    deleteUnused(failing.deps, ownerId, id, async () => undefined),
    /killed/,
  )
  const left = await rows(db, 'select from transactions where project_id = $1', [id])
  assert.equal(left.length, 200)
  assert.notEqual((await owner.post('/sdk/project/get', { projectId: id })).json()['archivedAt'], null)
  assert.equal((await remove(owner, id)).status, 204)
  assert.equal((await rows(db, 'select from transactions where project_id = $1', [id])).length, 0)
  assert.equal((await rows(db, 'select from transaction_counts where project_id = $1', [id])).length, 0)
})

test('only its owner can close an account, after a step-up and with its e-mail typed', async () => {
  const owner = await signUp(app)
  assert.equal((await close(new Client(app), owner.email)).code, 'unauthenticated')
  assert.equal((await close(owner)).code, 'step_up_required')
  await owner.stepUp()
  const { token } = await makeToken(owner, { scope: 'write' })
  const program = programWith(app, token)
  assert.equal(
    (await program.post('/portal/api/account/close', { email: owner.email })).code,
    'unauthenticated',
  )
  assert.equal((await owner.post('/portal/api/account/close', {})).code, 'invalid_request')
  const response = await close(owner, 'another@example.com')
  assert.equal(response.status, 400)
  assert.equal(fieldOf(response), 'email email_differs')
  assert.equal((await owner.get('/portal/api/session')).status, 200)
})

test('an account without live payments leaves nothing behind, and its address is free again', async () => {
  const owner = await signUp(app)
  owner.headers = { 'user-agent': 'canary-browser/7' }
  await owner.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  await owner.stepUp()
  const { id } = await owner.addProject()
  await pay(id, { mode: 'test' })
  await deliverAll(id)
  const { token } = await makeToken(owner)
  const response = await close(owner, owner.email.toUpperCase())
  assert.equal(response.status, 204, response.text)

  assert.equal((await owner.get('/portal/api/session')).code, 'unauthenticated')
  assert.equal((await programWith(app, token).post('/sdk/project/list')).code, 'unauthenticated')
  const again = new Client(app)
  const credentials = { email: owner.email, password: owner.password }
  assert.equal((await again.post('/portal/api/sign-in', credentials)).code, 'invalid_credentials')
  assert.ok(await findMail(service, owner.email, 'account_closed'))
  while ((await createMailer(deps).runOnce()) > 0);
  const dump = await dumpDatabase(db)
  for (const canary of [owner.email, 'canary-browser', id]) assert.ok(!dump.includes(canary), canary)
  assert.equal((await again.post('/portal/api/sign-up', credentials)).status, 201)
})

test('live payments stay after the account is closed, without personal data of their owner', async () => {
  const { owner, id } = await ownerWithProject()
  const { id: unused } = await owner.addProject()
  owner.headers = { 'user-agent': 'canary-browser/8' }
  await owner.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  await owner.stepUp()
  const secret = (await owner.post('/sdk/project/seeSecret', { projectId: id })).json<{ secret: string }>()
    .secret
  await makeToken(owner, { name: 'canary-token' })
  const paid = await pay(id, { customId: 'stays' })
  await deliverAll(id)
  assert.equal((await close(owner)).status, 204)

  const [stored] = await rows<{ amount: bigint; state: string; custom_id: string }>(
    db,
    'select amount, state, custom_id from transactions where id = $1',
    [paid],
  )
  assert.deepEqual(stored, { amount: 1500n, state: 'succeeded', custom_id: 'stays' })
  assert.equal((await new Client(app).get(`/pay?amount=1500&project=${id}&data=`)).status, 410)
  assert.equal((await new Client(app).get(`/pay?amount=1500&project=${unused}&data=`)).status, 404)
  const credentials = { email: owner.email, password: owner.password }
  assert.equal((await new Client(app).post('/portal/api/sign-in', credentials)).code, 'invalid_credentials')
  assert.equal((await owner.get('/portal/api/session')).code, 'unauthenticated')
  // Nobody can sign in to the remaining row either.
  const [row] = await rows<{ email: string; id: string; closed: boolean }>(
    db,
    'select a.email, a.id, a.closed_at is not null as closed from accounts a join projects p on p.owner_id = a.id where p.id = $1',
    [id],
  )
  assert.equal(row!.closed, true)
  const guess = { email: row!.email, password: owner.password }
  assert.equal((await new Client(app).post('/portal/api/sign-in', guess)).code, 'invalid_credentials')

  while ((await createMailer(deps).runOnce()) > 0);
  const dump = await dumpDatabase(db)
  for (const canary of [owner.email, 'canary-browser', 'canary-token', unused])
    assert.ok(!dump.includes(canary), canary)
  // The merchant's server can still check what was paid.
  const fields = { projectId: id, customId: 'stays' }
  const check = await new Client(app).post('/sdk/transaction/checkStatus', {
    ...fields,
    hash: signStatusHash(fields, secret),
  })
  assert.deepEqual(check.json(), { successful: true })
  assert.equal((await new Client(app).post('/portal/api/sign-up', credentials)).status, 201)
})

test('a request that was in progress when its account was closed changes nothing', async () => {
  const { owner, id } = await ownerWithProject()
  await pay(id)
  await deliverAll(id)
  const account = await findAccountByEmail(db, owner.email)
  await closeAccount(deps, account!, 'operator')
  const caller = { account: account!, sessionId: null, token: null, stepUpUntil: null, ip: '', userAgent: '' }
  const input = {
    name: 'Late',
    resultUrl: 'https://a.example.com/',
    apiUrl: 'https://a.example.com/',
    testApiUrl: undefined,
    requireSignedLinks: false,
    events: ['payment.result' as const],
  }
  await assert.rejects(addProject(deps, caller, input), { code: 'unauthenticated' })
  await assert.rejects(closeAccount(deps, account!, 'owner'), { code: 'unauthenticated' })
})

test('an account that gets a new payment while it is being closed stays open', async () => {
  const { owner, id } = await ownerWithProject()
  await pay(id)
  await deliverAll(id)
  const account = await findAccountByEmail(db, owner.email)
  const late = watchWork(deps, async (name, run) => {
    if (name === 'projects.lock_all') await pay(id, { amount: 4002n })
    return run()
  })
  await assert.rejects(closeAccount(late.deps, account!, 'owner'), { code: 'invalid_request' })
  assert.equal((await owner.get('/portal/api/session')).status, 200)
  assert.equal((await owner.post('/sdk/project/get', { projectId: id })).json()['archivedAt'], null)
})

test('the operator closes an account by its e-mail; a refusal says why', async () => {
  const { owner, id } = await ownerWithProject()
  await assert.rejects(closeAccountCommand.run(deps, []), /Usage/)
  await assert.rejects(closeAccountCommand.run(deps, ['nobody@example.com']), /No account/)
  await pay(id, { mode: 'test' })
  await assert.rejects(closeAccountCommand.run(deps, [owner.email]), /callbacks are still queued/)
  await deliverAll(id)
  assert.match(toPrinted(await closeAccountCommand.run(deps, [owner.email])).text, /is closed/)
  assert.equal((await owner.get('/portal/api/session')).code, 'unauthenticated')
})
