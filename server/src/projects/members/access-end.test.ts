// Why this is long: it tests each way in which a member's access ends, and everything that ends with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberRole } from '@pazar/contract'
import { copyClient, findMail, rows } from '../../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../../test/api-tokens.ts'
import { Client, signUp } from '../../../test/client.ts'
import { listenLocally, readEvents } from '../../../test/event-reader.ts'
import { recordStatements } from '../../../test/payments.ts'
import { payFor, requireRefund } from '../../../test/refunds.ts'
import { ACCEPT_INVITATION_PATH, listMembers, startTeamWorld } from '../../../test/team-world.ts'
import { until } from '../../../test/until.ts'
import { findAccountByEmail, lockAccount } from '../../accounts/accounts-store.ts'
import { requireProjectForChange } from '../access.ts'
import { readTestSecret } from '../project-secrets.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { service, app, deps, other, newProject, invite, join, changeDuring } = await startTeamWorld()
const addresses = { app: await listenLocally(app), other: await listenLocally(other.app) }

test('a removed member is refused, and the member’s project tokens, invitations and streams end', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  const adminElsewhere = copyClient(admin, other.app)
  await admin.stepUp()
  const tokens = [
    await makeToken(admin, { scope: 'read' }),
    await makeToken(admin, { scope: 'write', projectId: world.id }),
    await makeToken(admin, { scope: 'refund', projectId: world.id, dailyCap: '1000' }),
  ]
  // Each step-up writes a new session cookie, so the copy gets the latest one.
  for (const [name, value] of admin.jar) adminElsewhere.jar.set(name, value)
  const friend = await signUp(app)
  const planted = await invite(world, friend.email, 'admin', admin)
  const path = `/portal/api/projects/${world.id}/events?watch=true`
  const streams = [
    await readEvents(addresses.other, adminElsewhere, path),
    await readEvents(addresses.app, new Client(app), path, {
      authorization: `Bearer ${tokens[1]!.token}`,
    }),
  ]
  let ended = 0
  for (const stream of streams) {
    assert.equal(stream.status, 200)
    void stream.ended.then(() => (ended += 1))
  }

  assert.equal((await world.owner.post(`${world.members}/remove`, { email: admin.email })).status, 204)
  for (const client of [admin, adminElsewhere]) {
    assert.equal((await client.post('/sdk/project/get', { projectId: world.id })).code, 'not_found')
    assert.equal((await client.post('/sdk/project/seeSecret', { projectId: world.id })).code, 'not_found')
    assert.equal((await client.post('/sdk/transactions/list', { projectId: world.id })).code, 'not_found')
  }
  const requests = tokens.map(({ token }) =>
    clientWithToken(other.app, token).post('/sdk/project/get', { projectId: world.id }),
  )
  assert.deepEqual(
    (await Promise.all(requests)).map(({ code }) => code),
    ['not_found', 'unauthenticated', 'unauthenticated'],
  )
  assert.equal((await friend.post(ACCEPT_INVITATION_PATH, { token: planted })).code, 'token_expired')
  await until(() => ended === streams.length, 'both streams have ended')
  assert.ok(await findMail(service, admin.email, 'membership_changed'))
})

const END_MEMBERSHIPS = 'delete from project_members where project_id = $1'
const CANCEL_INVITATIONS = 'update project_invitations set ended_at = now() where project_id = $1'

test('a request changes nothing if its sender is removed while the request waits for the lock on the project', async () => {
  const world = await newProject()
  const projectId = world.id
  const { id: transactionId } = await payFor(deps, projectId)
  const refund = { projectId, transactionId, idempotencyKey: 'late' }
  const [callback] = await changeCallbacks<{ id: string }>(
    deps.db,
    `update callbacks set status = 'exhausted', lease_until = null where project_id = $1 returning id`,
    [projectId],
  )
  const deliveries = `/portal/api/projects/${projectId}/deliveries`
  const requests: [MemberRole, string, object][] = [
    ['developer', '/sdk/project/update', { projectId, name: 'Late' }],
    ['admin', '/sdk/project/seeSecret', { projectId }],
    ['finance', '/sdk/transaction/refund', refund],
    ['support', `${deliveries}/${callback!.id}/resend`, {}],
    ['support', `${deliveries}/resend-failed`, { since: '2026-01-01T00:00:00.000Z' }],
    // A token created after the removal would work as soon as the person joins again.
    ['developer', '/portal/api/tokens', { name: 'late', scope: 'write', expiresInDays: 9, projectId }],
  ]
  for (const [role, url, body] of requests) {
    const member = await join(world, role)
    await member.stepUp()
    const response = await changeDuring(projectId, END_MEMBERSHIPS, () => member.post(url, body))
    assert.equal(response.code, 'not_found', url)
  }
  const { name } = (await world.owner.post('/sdk/project/get', { projectId })).json<{ name: string }>()
  assert.notEqual(name, 'Late')
  assert.deepEqual(await rows(deps.db, 'select from refunds where project_id = $1', [projectId]), [])
  const [unchanged] = await rows<{ status: string }>(
    deps.db,
    'select status from callback_states where id = $1',
    [callback!.id],
  )
  assert.equal(unchanged?.status, 'exhausted')
})

test('a person who is removed while a secret is read does not get the secret', async () => {
  const world = await newProject()
  const projectId = world.id
  const remove = () => rows(deps.db, 'delete from project_members where project_id = $1', [projectId])
  const watched = recordStatements(deps, async (name, run) => {
    if (name === 'secrets.find') await remove()
    return run()
  })
  const account = (await findAccountByEmail(deps.db, (await join(world, 'developer')).email))!
  const caller = { account, sessionId: 'x', token: null, stepUpUntil: null, ip: '', userAgent: '' }
  await assert.rejects(readTestSecret(watched.deps, caller, projectId), { code: 'not_found' })
})

test('a locked account delays neither the rename of a project nor the removal of the member, and a locked project delays no payment', async () => {
  const world = await newProject()
  const member = await join(world, 'developer')
  const { id: accountId } = (await findAccountByEmail(deps.db, member.email))!
  await deps.db.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const renamed = await member.post('/sdk/project/update', { projectId: world.id, name: 'Renamed' })
    assert.equal(renamed.status, 200, renamed.text)
    const removed = await world.owner.post(`${world.members}/remove`, { email: member.email })
    assert.equal(removed.status, 204, removed.text)
  })
  // A change locks the project's row with `for no key update`, which does not block a payment that refers to the project.
  const owner = (await findAccountByEmail(deps.db, world.owner.email))!
  await deps.db.transaction(async (tx) => {
    await requireProjectForChange(tx, owner.id, world.id, 'read')
    await payFor(deps, world.id)
  })
})

test('an invitation that is cancelled while it is being accepted gives no access', async () => {
  const world = await newProject()
  const person = await signUp(app)
  const token = await invite(world, person.email, 'admin')
  const accept = () => person.post(ACCEPT_INVITATION_PATH, { token })
  assert.equal((await changeDuring(world.id, CANCEL_INVITATIONS, accept)).code, 'token_expired')
  assert.equal((await person.post('/sdk/project/get', { projectId: world.id })).code, 'not_found')
})

test('a member can leave, and a demoted member loses the tokens and invitations of the former role', async () => {
  const world = await newProject()
  const [admin, support] = [await join(world, 'admin'), await join(world, 'support')]
  await admin.stepUp()
  const { token } = await makeToken(admin, { scope: 'refund', projectId: world.id, dailyCap: '1000' })
  const friend = await signUp(app)
  const planted = await invite(world, friend.email, 'finance', admin)
  const demote = { email: admin.email, role: 'support' }
  assert.equal((await world.owner.post(`${world.members}/role`, demote)).status, 204)
  const listed = await clientWithToken(app, token).post('/sdk/project/list')
  assert.equal(listed.code, 'unauthenticated')
  assert.equal((await friend.post(ACCEPT_INVITATION_PATH, { token: planted })).code, 'token_expired')
  assert.equal((await support.post(`${world.members}/leave`)).status, 204)
  assert.equal((await support.post(`${world.members}/leave`)).code, 'not_found')
  assert.deepEqual(
    (await listMembers(world)).map(({ role }) => role),
    ['owner', 'support'],
  )
})

test('a member who accepts an invitation for a lower role loses the tokens and invitations of the former role', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  await admin.stepUp()
  const { token } = await makeToken(admin, { scope: 'refund', projectId: world.id, dailyCap: '1000' })
  const friend = await signUp(app)
  const planted = await invite(world, friend.email, 'finance', admin)
  for (const role of ['admin', 'support'] as const) {
    const address = `${role}.${admin.email}`
    const invitation = await invite(world, address, role)
    await rows(deps.db, 'update accounts set email = $2, email_key = $2 where email = $1', [
      admin.email,
      address,
    ])
    admin.email = address
    const accepted = await admin.post(ACCEPT_INVITATION_PATH, { token: invitation })
    assert.deepEqual([accepted.status, accepted.json()['role']], [200, role])
    const listed = await clientWithToken(app, token).post('/sdk/project/list')
    assert.equal(listed.status, role === 'admin' ? 200 : 401, role)
  }
  assert.equal((await friend.post(ACCEPT_INVITATION_PATH, { token: planted })).code, 'token_expired')
})

test('when a member leaves or is demoted, an open invitation to the member’s current address ends', async () => {
  for (const end of ['leave', 'role'] as const) {
    const world = await newProject()
    const person = await join(world, 'developer')
    const address = `invited.${person.email}`
    const token = await invite(world, address, 'admin')
    await rows(deps.db, 'update accounts set email = $2, email_key = $2 where email = $1', [
      person.email,
      address,
    ])
    const ended =
      end === 'leave'
        ? await person.post(`${world.members}/leave`)
        : await world.owner.post(`${world.members}/role`, { email: address, role: 'support' })
    assert.equal(ended.status, 204)
    assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).code, 'token_expired', end)
  }
})

test('a member who closes their account leaves the project; the history keeps their actions without their name', async () => {
  const world = await newProject()
  const person = await join(world, 'support')
  await person.stepUp()
  const closed = await person.post('/portal/api/account/close', { email: person.email })
  assert.equal(closed.status, 204, closed.text)
  assert.equal((await listMembers(world)).length, 1)
  const history = await world.owner.get(`/portal/api/projects/${world.id}/history`)
  type Entry = { action: string; actor: string; person: string | null; changes: object }
  const { items } = history.json<{ items: Entry[] }>()
  // The actor `owner` is the owner of an account, not of the project.
  const joined = items.find(({ action }) => action === 'member_joined')
  assert.deepEqual([joined?.actor, joined?.person, joined?.changes], ['owner', null, { role: 'support' }])
})

test('a removed member still sees the amount of their own refund, but no longer the payment', async () => {
  const world = await newProject()
  const person = await join(world, 'finance')
  await person.stepUp()
  await requireRefund(person, await payFor(deps, world.id, { customId: 'order-1045' }), { amount: '7' })
  type Entry = { money: { amount: string } | null; payment: { customId: string } | null }
  const refunded = async () => {
    const { items } = (await person.get('/portal/api/audit?about=payments')).json<{ items: Entry[] }>()
    return [items[0]?.money?.amount, items[0]?.payment?.customId ?? null]
  }
  assert.deepEqual(await refunded(), ['7', 'order-1045'])
  assert.equal((await world.owner.post(`${world.members}/remove`, { email: person.email })).status, 204)
  assert.deepEqual(await refunded(), ['7', null])
})

test('a removed member who closes their account does not erase their actions from the project’s history', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  const { id: ownProjectId } = await admin.addProject()
  await admin.stepUp()
  assert.equal((await admin.post('/sdk/project/seeSecret', { projectId: world.id })).status, 200)
  assert.equal((await world.owner.post(`${world.members}/remove`, { email: admin.email })).status, 204)
  const closed = await admin.post('/portal/api/account/close', { email: admin.email })
  assert.equal(closed.status, 204, closed.text)
  const history = await world.owner.get(`/portal/api/projects/${world.id}/history`)
  type Entry = { action: string; actor: string; person: string | null }
  const { items } = history.json<{ items: Entry[] }>()
  // Here the actor `owner` is the admin, as the owner of the account that is closed now.
  assert.deepEqual(
    items.slice(0, 3).map(({ action, actor, person }) => [action, actor, person]),
    [
      ['member_removed', world.owner.email, world.owner.email],
      ['secret_revealed', 'owner', null],
      ['member_joined', 'owner', null],
    ],
  )
  assert.deepEqual(await rows(deps.db, 'select from audit_events where project_id = $1', [ownProjectId]), [])
})

test('when an owner closes the account, members lose access and the owner’s invitations end', async () => {
  const [world, otherProject] = [await newProject(), await newProject()]
  const { owner, id } = world
  const member = await join(world, 'finance')
  const [friend, guest] = [await signUp(app), await signUp(app)]
  const tokens = [await invite(world, friend.email, 'admin')]
  const joined = await owner.post(ACCEPT_INVITATION_PATH, {
    token: await invite(otherProject, owner.email, 'admin'),
  })
  assert.equal(joined.status, 200, joined.text)
  tokens.push(await invite(otherProject, guest.email, 'finance', owner))
  await payFor(deps, id)
  await changeCallbacks(
    deps.db,
    `update callbacks set status = 'delivered', delivered_at = now(), lease_until = null where project_id = $1`,
    [id],
  )
  const stream = await readEvents(
    addresses.other,
    copyClient(member, other.app),
    `/portal/api/projects/${id}/events?watch=true`,
  )
  assert.equal(stream.status, 200)
  const closed = await owner.post('/portal/api/account/close', { email: owner.email })
  assert.equal(closed.status, 204, closed.text)
  await stream.ended
  assert.equal((await member.post('/sdk/project/get', { projectId: id })).code, 'not_found')
  assert.equal((await friend.post(ACCEPT_INVITATION_PATH, { token: tokens[0] })).code, 'token_expired')
  assert.equal((await guest.post(ACCEPT_INVITATION_PATH, { token: tokens[1] })).code, 'token_expired')
})

test('a member who leaves loses their tokens; this is recorded, and the owner gets a mail', async () => {
  const world = await newProject()
  const person = await join(world, 'developer')
  await person.stepUp()
  const { token } = await makeToken(person, { scope: 'read', projectId: world.id })
  assert.equal((await person.post(`${world.members}/leave`)).status, 204)
  const listed = await clientWithToken(app, token).post('/sdk/project/list')
  assert.equal(listed.code, 'unauthenticated')
  const history = await world.owner.get(`/portal/api/projects/${world.id}/history`)
  const { items } = history.json<{ items: { action: string; actor: string }[] }>()
  assert.deepEqual([items[0]?.action, items[0]?.actor], ['member_left', person.email])
  const mail = await findMail(service, world.owner.email, 'member_changed')
  assert.deepEqual([mail?.facts['change'], mail?.facts['member']], ['left', person.email])
})

test('the owner is mailed when an admin removes somebody', async () => {
  const world = await newProject()
  const [admin, person] = [await join(world, 'admin'), await join(world, 'support')]
  await admin.stepUp()
  assert.equal((await admin.post(`${world.members}/remove`, { email: person.email })).status, 204)
  const mail = await findMail(service, world.owner.email, 'member_changed')
  assert.equal(mail?.facts['change'], 'removed')
})
