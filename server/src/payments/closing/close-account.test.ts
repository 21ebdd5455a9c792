import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signStatusHash } from '@pazar/sdk'
import { findMail, rows } from '../../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../../test/api-tokens.ts'
import { Client, signUp } from '../../../test/client.ts'
import { dumpDatabase } from '../../../test/dump.ts'
import { recordStatements } from '../../../test/payments.ts'
import { findAccountByEmail } from '../../accounts/accounts-store.ts'
import { createMailer } from '../../accounts/mailer.ts'
import { closeAccountCommand } from '../../cli/close-account.ts'
import { toPrinted } from '../../cli/command.ts'
import { addProject } from '../../projects/projects.ts'
import { closeAccount } from './close-account.ts'
import { startClosingWorld } from '../../../test/closing-world.ts'

const { service, app, deps, db, pay, deliverAll, ownerWithProject, fieldOf, close } =
  await startClosingWorld()

test('closing an account needs a session of the account, a step-up and the typed e-mail address of the account', async () => {
  const owner = await signUp(app)
  assert.equal((await close(new Client(app), owner.email)).code, 'unauthenticated')
  assert.equal((await close(owner)).code, 'step_up_required')
  await owner.stepUp()
  const { token } = await makeToken(owner, { scope: 'write' })
  const apiClient = clientWithToken(app, token)
  assert.equal(
    (await apiClient.post('/portal/api/account/close', { email: owner.email })).code,
    'unauthenticated',
  )
  assert.equal((await owner.post('/portal/api/account/close', {})).code, 'invalid_request')
  const response = await close(owner, 'another@example.com')
  assert.equal(response.status, 400)
  assert.equal(fieldOf(response), 'email email_differs')
  assert.equal((await owner.get('/portal/api/session')).status, 200)
})

test('closing an account without live payments deletes its e-mail address, browsers and projects, and the address can be used for a new account', async () => {
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
  assert.equal((await clientWithToken(app, token).post('/sdk/project/list')).code, 'unauthenticated')
  const newVisitor = new Client(app)
  const credentials = { email: owner.email, password: owner.password }
  assert.equal((await newVisitor.post('/portal/api/sign-in', credentials)).code, 'invalid_credentials')
  assert.ok(await findMail(service, owner.email, 'account_closed'))
  while ((await createMailer(deps).runOnce()) > 0);
  const dump = await dumpDatabase(db)
  for (const canary of [owner.email, 'canary-browser', id]) assert.ok(!dump.includes(canary), canary)
  assert.equal((await newVisitor.post('/portal/api/sign-up', credentials)).status, 201)
})

test('after an account is closed, its live payments stay, but the owner’s personal data is deleted', async () => {
  const { owner, id } = await ownerWithProject()
  const { id: unusedId } = await owner.addProject()
  owner.headers = { 'user-agent': 'canary-browser/8' }
  await owner.post('/portal/api/sign-in', { email: owner.email, password: owner.password })
  await owner.stepUp()
  const secret = (await owner.post('/sdk/project/seeSecret', { projectId: id })).json<{ secret: string }>()
    .secret
  await makeToken(owner, { name: 'canary-token', projectId: id })
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
  assert.equal((await new Client(app).get(`/pay?amount=1500&project=${unusedId}&data=`)).status, 404)
  const credentials = { email: owner.email, password: owner.password }
  assert.equal((await new Client(app).post('/portal/api/sign-in', credentials)).code, 'invalid_credentials')
  assert.equal((await owner.get('/portal/api/session')).code, 'unauthenticated')
  // The account's row stays, but nobody can sign in with the e-mail address in it.
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
  for (const canary of [owner.email, 'canary-browser', 'canary-token', unusedId])
    assert.ok(!dump.includes(canary), canary)
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

test('if a payment is opened while the owner’s account is being closed, the account stays open', async () => {
  const { owner, id } = await ownerWithProject()
  await pay(id)
  await deliverAll(id)
  const account = await findAccountByEmail(db, owner.email)
  const withLatePayment = recordStatements(deps, async (name, run) => {
    // The sandbox does not respond to this amount, so the payment stays open.
    if (name === 'projects.lock_all') await pay(id, { amount: 4002n })
    return run()
  })
  await assert.rejects(closeAccount(withLatePayment.deps, account!, 'owner'), { code: 'invalid_request' })
  assert.equal((await owner.get('/portal/api/session')).status, 200)
  assert.equal((await owner.post('/sdk/project/get', { projectId: id })).json()['archivedAt'], null)
})

test('if a project is added while an account is being closed, the account stays open, and the next attempt to close it deletes the added project', async () => {
  const { owner, id } = await ownerWithProject()
  await pay(id)
  await deliverAll(id)
  const account = (await findAccountByEmail(db, owner.email))!
  let added = ''
  const withLateProject = recordStatements(deps, async (name, run) => {
    if (name === 'accounts.lock' && added === '') added = (await owner.addProject()).id
    return run()
  })
  await assert.rejects(closeAccount(withLateProject.deps, account, 'owner'), { code: 'unavailable' })
  assert.equal((await owner.post('/sdk/project/get', { projectId: id })).json()['archivedAt'], null)
  await closeAccount(deps, account, 'owner')
  const kept = await rows<{ id: string }>(db, 'select id from projects where id = any ($1)', [[id, added]])
  assert.deepEqual(kept, [{ id }])
})

test('the operator can close an account by its e-mail address; a refusal gives the reason', async () => {
  const { owner, id } = await ownerWithProject()
  await assert.rejects(closeAccountCommand.run(deps, []), /Usage/)
  await assert.rejects(closeAccountCommand.run(deps, ['nobody@example.com']), /No account/)
  await pay(id, { mode: 'test' })
  await assert.rejects(closeAccountCommand.run(deps, [owner.email]), /callbacks are still queued/)
  await deliverAll(id)
  assert.match(toPrinted(await closeAccountCommand.run(deps, [owner.email])).text, /is closed/)
  assert.equal((await owner.get('/portal/api/session')).code, 'unauthenticated')
})
