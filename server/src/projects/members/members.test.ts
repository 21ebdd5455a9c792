// The people of a project: invited, changed, removed, leaving; and what a removed person can still do, which is nothing.
// Long: one world, and each test is one promise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_MAILS } from '@pazar/contract'
import type { MemberRole, MemberView } from '@pazar/contract'
import { copyOf, findMail, mailedToken, rows } from '../../../test/accounts.ts'
import { makeToken, programWith } from '../../../test/api-tokens.ts'
import { Client, signUp } from '../../../test/client.ts'
import { listenLocally, readEvents } from '../../../test/event-reader.ts'
import { startTestService } from '../../../test/harness.ts'
import { payFor } from '../../../test/refunds.ts'
import { createMailer } from '../../accounts/mailer.ts'
import { until } from '../../../test/until.ts'

const service = await startTestService()
const { app, deps } = service
const other = await service.replica()
const addresses = { app: await listenLocally(app), other: await listenLocally(other.app) }

const ACCEPT = '/portal/api/invitations/accept'

async function newProject() {
  const owner = await signUp(app)
  const { id } = await owner.addProject()
  await owner.stepUp()
  return { owner, id, members: `/portal/api/projects/${id}/members` }
}

type World = Awaited<ReturnType<typeof newProject>>

async function invite(
  { owner, members }: World,
  email: string,
  role: MemberRole,
  by = owner,
): Promise<string> {
  const response = await by.post(`${members}/invite`, { email, role })
  assert.equal(response.status, 202, response.text)
  assert.equal(response.text, '')
  return mailedToken(service, email, 'project_invitation')
}

async function join(world: World, role: MemberRole): Promise<Client> {
  const person = await signUp(app)
  const response = await person.post(ACCEPT, { token: await invite(world, person.email, role) })
  assert.equal(response.status, 200, response.text)
  assert.equal(response.json()['role'], role)
  return person
}

async function listOf({ owner, members }: World): Promise<MemberView[]> {
  return (await owner.get(members)).json<{ members: MemberView[] }>().members
}

const fieldOf = (response: { json<T>(): T }) =>
  response.json<{ errors: { path: string; code: string }[] }>().errors.map(({ code }) => code)[0]

test('an invited person with an account joins with the role of the invitation, once', async () => {
  const world = await newProject()
  const person = await signUp(app)
  const token = await invite(world, person.email, 'developer')
  assert.deepEqual(
    (await listOf(world)).map(({ email, role, state }) => [email, role, state]),
    [
      [world.owner.email, 'owner', 'active'],
      [person.email, 'developer', 'invited'],
    ],
  )
  assert.equal((await person.post('/sdk/project/get', { projectId: world.id })).code, 'not_found')
  assert.equal((await new Client(app).post(ACCEPT, { token })).code, 'unauthenticated')
  const accepted = await person.post(ACCEPT, { token })
  assert.deepEqual([accepted.status, accepted.json()['role']], [200, 'developer'])
  assert.equal((await person.post(ACCEPT, { token })).code, 'token_expired')
  const list = (await person.post('/sdk/project/list')).json<{ projects: { id: string; role: string }[] }>()
  assert.deepEqual(
    list.projects.map((one) => [one.id, one.role]),
    [[world.id, 'developer']],
  )
  assert.deepEqual((await listOf(world))[1]!.mails, ['failures'])
  assert.ok(await findMail(service, world.owner.email, 'member_changed'))
  // The mailed link has confirmed the address.
  const session = (await person.get('/portal/api/session')).json<{ account: { emailConfirmed: boolean } }>()
  assert.equal(session.account.emailConfirmed, true)
})

test('an invitation is bound to its address, and replaced by the next one', async () => {
  const world = await newProject()
  const [person, stranger] = [await signUp(app), await signUp(app)]
  const first = await invite(world, person.email, 'support')
  const refused = await stranger.post(ACCEPT, { token: first })
  assert.deepEqual([refused.status, fieldOf(refused)], [400, 'invitation_of_other'])
  const second = await invite(world, person.email.toUpperCase(), 'finance')
  assert.equal((await person.post(ACCEPT, { token: first })).code, 'token_expired')
  assert.equal((await person.post(ACCEPT, { token: second })).json()['role'], 'finance')
  const again = await world.owner.post(`${world.members}/invite`, { email: person.email, role: 'admin' })
  assert.equal(fieldOf(again), 'already_member')
})

test('an invitation expires after seven days', async () => {
  const world = await newProject()
  const person = await signUp(app)
  const token = await invite(world, person.email, 'support')
  const age = (by: string) =>
    rows(
      deps.db,
      'update project_invitations set expires_at = expires_at - $2::interval where project_id = $1',
      [world.id, by],
    )
  await age('6 days 23 hours')
  assert.equal((await listOf(world)).length, 2)
  await age('1 hour')
  assert.equal((await person.post(ACCEPT, { token })).code, 'token_expired')
  assert.equal((await listOf(world)).length, 1)
})

test('the response to an invitation does not reveal whether the address has an account', async () => {
  const world = await newProject()
  const known = await signUp(app)
  const send = (email: string) => world.owner.post(`${world.members}/invite`, { email, role: 'support' })
  const [a, b] = [await send(known.email), await send('nobody-yet@example.me')]
  assert.deepEqual([a.status, a.text], [b.status, b.text])
})

test('where sign-up is closed an invited person creates an account, which is confirmed and owns no projects', async () => {
  const closed = await service.replica({ SIGN_UP: 'closed' })
  const world = await newProject()
  const guest = new Client(closed.app)
  const email = 'guest@example.me'
  const invitation = await invite(world, email, 'support')
  const body = { email, password: 'osam plavih kruna u torbi' }
  const sendSignUp = (fields: object) => guest.post('/portal/api/sign-up', { ...body, ...fields })
  assert.equal((await sendSignUp({})).code, 'sign_up_closed')
  assert.equal((await sendSignUp({ invitation: 'A'.repeat(43) })).code, 'token_expired')
  assert.equal((await sendSignUp({ invitation, email: 'else@example.me' })).code, 'token_expired')
  const made = await sendSignUp({ invitation })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.json<{ account: { emailConfirmed: boolean } }>().account.emailConfirmed, true)
  assert.equal((await guest.post(ACCEPT, { token: invitation })).status, 200)
  const project = { name: 'X', resultUrl: 'https://a.example.com/', apiUrl: 'https://a.example.com/' }
  assert.equal((await guest.post('/sdk/project/add', project)).code, 'sign_up_closed')
})

test('nobody grants more than they have, changes themselves, or manages the owner', async () => {
  const world = await newProject()
  const [admin, support] = [await join(world, 'admin'), await join(world, 'support')]
  const act = (who: Client, what: string, body: object) => who.post(`${world.members}/${what}`, body)
  assert.equal((await act(admin, 'role', { email: support.email, role: 'finance' })).code, 'step_up_required')
  await admin.stepUp()
  assert.equal((await act(admin, 'role', { email: support.email, role: 'finance' })).status, 204)
  assert.equal(
    (await act(admin, 'role', { email: support.email, role: 'owner' })).code,
    'invalid_request',
    'ownership is not a role that is granted',
  )
  assert.equal(fieldOf(await act(admin, 'role', { email: admin.email, role: 'support' })), 'own_membership')
  assert.equal((await act(admin, 'remove', { email: world.owner.email })).code, 'not_found')
  assert.equal((await act(admin, 'remove', { email: 'nobody@example.me' })).code, 'not_found')
  assert.equal(fieldOf(await act(world.owner, 'leave', {})), 'owner_stays')
  assert.ok(await findMail(service, support.email, 'membership_changed'))
})

test('a removed member gets nothing: no request on any replica, no token, no invitation, no stream', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  const cookies = copyOf(admin, other.app)
  await admin.stepUp()
  for (const [name, value] of admin.jar) cookies.jar.set(name, value)
  const tokens = [
    await makeToken(admin, { scope: 'read' }),
    await makeToken(admin, { scope: 'write', projectId: world.id }),
    await makeToken(admin, { scope: 'refund', projectId: world.id, dailyCap: '1000' }),
  ]
  for (const [name, value] of admin.jar) cookies.jar.set(name, value)
  const friend = await signUp(app)
  const planted = await invite(world, friend.email, 'admin', admin)
  const path = `/portal/api/projects/${world.id}/events?watch=true`
  const streams = [
    await readEvents(addresses.other, cookies, path),
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
  for (const client of [admin, cookies]) {
    assert.equal((await client.post('/sdk/project/get', { projectId: world.id })).code, 'not_found')
    assert.equal((await client.post('/sdk/project/seeSecret', { projectId: world.id })).code, 'not_found')
    assert.equal((await client.post('/sdk/transactions/list', { projectId: world.id })).code, 'not_found')
  }
  const asked = tokens.map(({ token }) =>
    programWith(other.app, token).post('/sdk/project/get', { projectId: world.id }),
  )
  assert.deepEqual(
    (await Promise.all(asked)).map(({ code }) => code),
    ['not_found', 'unauthenticated', 'unauthenticated'],
  )
  assert.equal((await friend.post(ACCEPT, { token: planted })).code, 'token_expired')
  await until(() => ended === streams.length, 'both streams have ended')
  assert.ok(await findMail(service, admin.email, 'membership_changed'))
})

/** Holds the project, sends the request, ends all memberships while it waits, and returns its response. */
async function removeDuring(projectId: string, send: () => ReturnType<Client['post']>) {
  const waiting = await deps.db.transaction(async (tx) => {
    await rows(tx, 'select from projects where id = $1 for update', [projectId])
    const change = send()
    await until(async () => {
      const text = `select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%from projects%'`
      return (await rows(deps.db, text)).length > 0
    }, 'the request waits for the lock')
    await rows(tx, 'delete from project_members where project_id = $1', [projectId])
    return { change }
  })
  return waiting.change
}

test('a request that waits for the project while its sender is removed changes nothing', async () => {
  const world = await newProject()
  const projectId = world.id
  const { id: transactionId } = await payFor(deps, projectId)
  const refund = { projectId, transactionId, idempotencyKey: 'late' }
  const requests: [MemberRole, string, object][] = [
    ['developer', '/sdk/project/update', { projectId, name: 'Late' }],
    ['admin', '/sdk/project/seeSecret', { projectId }],
    ['finance', '/sdk/transaction/refund', refund],
  ]
  for (const [role, url, body] of requests) {
    const member = await join(world, role)
    await member.stepUp()
    assert.equal((await removeDuring(projectId, () => member.post(url, body))).code, 'not_found', url)
  }
  const { name } = (await world.owner.post('/sdk/project/get', { projectId })).json<{ name: string }>()
  assert.notEqual(name, 'Late')
  assert.deepEqual(await rows(deps.db, 'select from refunds where project_id = $1', [projectId]), [])
})

test('a member leaves, and a demoted one loses the tokens and invitations of the former role', async () => {
  const world = await newProject()
  const [admin, support] = [await join(world, 'admin'), await join(world, 'support')]
  await admin.stepUp()
  const { token } = await makeToken(admin, { scope: 'refund', projectId: world.id, dailyCap: '1000' })
  const friend = await signUp(app)
  const planted = await invite(world, friend.email, 'finance', admin)
  const demote = { email: admin.email, role: 'support' }
  assert.equal((await world.owner.post(`${world.members}/role`, demote)).status, 204)
  const listed = await programWith(app, token).post('/sdk/project/list')
  assert.equal(listed.code, 'unauthenticated')
  assert.equal((await friend.post(ACCEPT, { token: planted })).code, 'token_expired')
  assert.equal((await support.post(`${world.members}/leave`)).status, 204)
  assert.equal((await support.post(`${world.members}/leave`)).code, 'not_found')
  assert.deepEqual(
    (await listOf(world)).map(({ role }) => role),
    ['owner', 'support'],
  )
})

test('the history names who invited, changed, removed and joined', async () => {
  const world = await newProject()
  const person = await join(world, 'support')
  await world.owner.post(`${world.members}/role`, { email: person.email, role: 'finance' })
  await world.owner.post(`${world.members}/remove`, { email: person.email })
  const history = await world.owner.get(`/portal/api/projects/${world.id}/history`)
  const { items } = history.json<{ items: { action: string; actor: string; changes: object }[] }>()
  const { email } = person
  assert.deepEqual(
    items.slice(0, 4).map(({ action, actor, changes }) => [action, actor, changes]),
    [
      ['member_removed', world.owner.email, { email, role: 'finance' }],
      ['member_role_changed', world.owner.email, { email, role: { from: 'support', to: 'finance' } }],
      ['member_joined', email, { email, role: 'support' }],
      ['member_invited', world.owner.email, { email, role: 'support' }],
    ],
  )
})

test('mails about security go to the owner, to admins who want them, and to the person who acted', async () => {
  const world = await newProject()
  const [admin, quiet, developer] = [
    await join(world, 'admin'),
    await join(world, 'admin'),
    await join(world, 'developer'),
  ]
  assert.equal((await quiet.post(`${world.members}/mails`, { mails: ['disputes'] })).status, 204)
  const unfit = await developer.post(`${world.members}/mails`, { mails: ['security'] })
  assert.equal(unfit.code, 'forbidden_role')
  await admin.stepUp()
  assert.equal((await admin.post('/sdk/project/seeSecret', { projectId: world.id })).status, 200)
  const mailed = await rows<{ to_address: string }>(
    deps.db,
    `select to_address, facts->>'by' as by from mails where kind = 'secret_revealed' and facts->>'project' is not null
       and to_address = any ($1) order by to_address`,
    [[world.owner, admin, quiet, developer].map(({ email }) => email)],
  )
  assert.deepEqual(
    mailed,
    [
      { to_address: world.owner.email, by: admin.email },
      { to_address: admin.email, by: null },
    ].toSorted((a, b) => (a.to_address < b.to_address ? -1 : 1)),
  )
  assert.deepEqual(
    (await listOf(world)).map(({ knowsSecret }) => knowsSecret),
    [false, true, false, false],
  )
})

test('a twenty-first invitation to a project within an hour is refused, on every replica', async () => {
  const world = await newProject()
  const env = { RATE_LIMITS: 'on', RATE_LIMIT_INVITE: '2' }
  const limited = await service.replica(env)
  const person = copyOf(world.owner, limited.app)
  const send = (n: number) =>
    person.post(`${world.members}/invite`, { email: `m${n}@example.me`, role: 'support' })
  assert.deepEqual([(await send(1)).status, (await send(2)).status], [202, 202])
  const refused = await send(3)
  assert.equal(refused.code, 'rate_limited')
  assert.ok(Number(refused.headers['retry-after']) > 0)
})

test('a member who closes their account leaves the project; the history keeps what they did without their name', async () => {
  const world = await newProject()
  const person = await join(world, 'support')
  await person.stepUp()
  const closed = await person.post('/portal/api/account/close', { email: person.email })
  assert.equal(closed.status, 204, closed.text)
  assert.equal((await listOf(world)).length, 1)
  const history = await world.owner.get(`/portal/api/projects/${world.id}/history`)
  type Entry = { action: string; actor: string; person: string | null; changes: object }
  const { items } = history.json<{ items: Entry[] }>()
  const joined = items.find(({ action }) => action === 'member_joined')
  assert.deepEqual([joined?.actor, joined?.person, joined?.changes], ['owner', null, { role: 'support' }])
})

test('a removed member cannot erase what they did by closing their account', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  const { id: own } = await admin.addProject()
  await admin.stepUp()
  assert.equal((await admin.post('/sdk/project/seeSecret', { projectId: world.id })).status, 200)
  assert.equal((await world.owner.post(`${world.members}/remove`, { email: admin.email })).status, 204)
  const closed = await admin.post('/portal/api/account/close', { email: admin.email })
  assert.equal(closed.status, 204, closed.text)
  const history = await world.owner.get(`/portal/api/projects/${world.id}/history`)
  type Entry = { action: string; actor: string; person: string | null }
  const { items } = history.json<{ items: Entry[] }>()
  assert.deepEqual(
    items.slice(0, 3).map(({ action, actor, person }) => [action, actor, person]),
    [
      ['member_removed', world.owner.email, world.owner.email],
      ['secret_revealed', 'owner', null],
      ['member_joined', 'owner', null],
    ],
  )
  assert.deepEqual(await rows(deps.db, 'select from audit_events where project_id = $1', [own]), [])
})

test('an owner who closes their account ends the members and invitations of what remains, and those they sent', async () => {
  const [world, elsewhere] = [await newProject(), await newProject()]
  const { owner, id } = world
  const member = await join(world, 'finance')
  const [friend, guest] = [await signUp(app), await signUp(app)]
  const tokens = [await invite(world, friend.email, 'admin')]
  const joined = await owner.post(ACCEPT, { token: await invite(elsewhere, owner.email, 'admin') })
  assert.equal(joined.status, 200, joined.text)
  tokens.push(await invite(elsewhere, guest.email, 'finance', owner))
  await payFor(deps, id)
  await rows(
    deps.db,
    `update callbacks set status = 'delivered', delivered_at = now(), lease_until = null where project_id = $1`,
    [id],
  )
  const stream = await readEvents(
    addresses.other,
    copyOf(member, other.app),
    `/portal/api/projects/${id}/events?watch=true`,
  )
  assert.equal(stream.status, 200)
  const closed = await owner.post('/portal/api/account/close', { email: owner.email })
  assert.equal(closed.status, 204, closed.text)
  await stream.ended
  assert.equal((await member.post('/sdk/project/get', { projectId: id })).code, 'not_found')
  assert.equal((await friend.post(ACCEPT, { token: tokens[0] })).code, 'token_expired')
  assert.equal((await guest.post(ACCEPT, { token: tokens[1] })).code, 'token_expired')
})

test('the owner cannot be invited to their own project, nor join it after a change of address', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  await admin.stepUp()
  const email = world.owner.email.toUpperCase()
  const refused = await admin.post(`${world.members}/invite`, { email, role: 'support' })
  assert.deepEqual([refused.status, fieldOf(refused)], [400, 'already_member'])
  const token = await invite(world, 'soon@example.me', 'support', admin)
  await rows(deps.db, 'update accounts set email = $2, email_key = $2 where email = $1', [
    world.owner.email,
    'soon@example.me',
  ])
  const accepted = await world.owner.post(ACCEPT, { token })
  assert.deepEqual([accepted.status, fieldOf(accepted)], [400, 'already_member'])
})

test('an invitation is mailed while it works, a cancelled one is not, and the address is erased afterwards', async () => {
  const world = await newProject()
  const emails = ['mailed@example.me', 'cancelled@example.me']
  for (const email of emails) await invite(world, email, 'support')
  await world.owner.post(`${world.members}/remove`, { email: emails[1] })
  const ids = await Promise.all(
    emails.map(async (email) => (await findMail(service, email, 'project_invitation'))!.id),
  )
  while ((await createMailer(deps).runOnce()) > 0);
  const text = `select id, sent_at is not null as sent, to_address, sealed_token is null as erased from mails
    where id = any ($1) order by sent desc`
  assert.deepEqual(await rows(deps.db, text, [ids]), [
    { id: ids[0], sent: true, to_address: '', erased: true },
    { id: ids[1], sent: false, to_address: '', erased: true },
  ])
})

test('inviting and removing need a step-up, and nobody invites themselves or somebody stronger', async () => {
  const world = await newProject()
  const [admin, developer] = [await join(world, 'admin'), await join(world, 'developer')]
  const act = (who: Client, what: string, body: object) => who.post(`${world.members}/${what}`, body)
  const guest = { email: 'guest-2@example.me', role: 'support' }
  assert.equal((await act(admin, 'invite', guest)).code, 'step_up_required')
  assert.equal((await act(admin, 'remove', { email: developer.email })).code, 'step_up_required')
  await developer.stepUp()
  assert.equal((await act(developer, 'invite', guest)).code, 'forbidden_role')
  assert.equal((await act(developer, 'remove', { email: admin.email })).code, 'forbidden_role')
  const self = { ...guest, email: world.owner.email.toUpperCase() }
  assert.equal(fieldOf(await act(world.owner, 'invite', self)), 'own_membership')
  assert.equal(fieldOf(await act(world.owner, 'mails', { mails: [] })), 'owner_gets_all')
})

test('an invitation that is cancelled no longer works, and its end is in the history', async () => {
  const world = await newProject()
  const person = await signUp(app)
  const token = await invite(world, person.email, 'support')
  assert.equal((await world.owner.post(`${world.members}/remove`, { email: person.email })).status, 204)
  assert.equal((await person.post(ACCEPT, { token })).code, 'token_expired')
  const history = await world.owner.get(`/portal/api/projects/${world.id}/history`)
  const { items } = history.json<{ items: { action: string; changes: object }[] }>()
  assert.deepEqual([items[0]?.action, items[0]?.changes], ['member_removed', { email: person.email }])
})

test('a member who leaves loses their tokens; it is recorded, and the owner is mailed', async () => {
  const world = await newProject()
  const person = await join(world, 'developer')
  await person.stepUp()
  const { token } = await makeToken(person, { scope: 'read', projectId: world.id })
  assert.equal((await person.post(`${world.members}/leave`)).status, 204)
  const listed = await programWith(app, token).post('/sdk/project/list')
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

test('a project has at most fifty members and invitations, and a person at most fifty shared projects', async () => {
  const world = await newProject()
  const person = await signUp(app)
  const token = await invite(world, person.email, 'support')
  await rows(
    deps.db,
    `insert into project_invitations (id, token_hash, project_id, invited_by, email, email_key, role, expires_at)
     select gen_random_uuid(), sha256((n || i.email)::bytea), i.project_id, i.invited_by, n || i.email, n || i.email_key,
       i.role, i.expires_at from project_invitations i, generate_series(1, 49) as n where i.project_id = $1`,
    [world.id],
  )
  const more = await world.owner.post(`${world.members}/invite`, { email: 'm@example.me', role: 'support' })
  assert.equal(fieldOf(more), 'too_many_members')
  await rows(
    deps.db,
    `with made as (
       insert into projects select (jsonb_populate_record(p,
         jsonb_build_object('id', n || substr(p.id, 3), 'archived_at', now()))).*
       from projects p, generate_series(10, 59) as n where p.id = $1 returning id
     )
     insert into project_members (project_id, account_id, role, mails)
     select made.id, a.id, 'support', '{}' from made, accounts a where a.email = $2`,
    [world.id, person.email],
  )
  assert.equal(fieldOf(await person.post(ACCEPT, { token })), 'too_many_shared')
})

test('a new role gets the mails of that role', async () => {
  const world = await newProject()
  const person = await join(world, 'developer')
  const mailsOf = async () => (await listOf(world)).find(({ email }) => email === person.email)?.mails
  assert.equal((await person.post(`${world.members}/mails`, { mails: [] })).status, 204)
  await world.owner.post(`${world.members}/role`, { email: person.email, role: 'finance' })
  assert.deepEqual(await mailsOf(), DEFAULT_MAILS.finance)
})

test('a person who rotated the secret knows it, and those who saw the former one do not', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  await admin.stepUp()
  const knows = async () => (await listOf(world)).map(({ knowsSecret }) => knowsSecret)
  assert.equal((await world.owner.post('/sdk/project/seeSecret', { projectId: world.id })).status, 200)
  assert.deepEqual(await knows(), [true, false])
  assert.equal((await admin.post('/sdk/project/rotateSecret', { projectId: world.id })).status, 200)
  assert.deepEqual(await knows(), [false, true])
})
