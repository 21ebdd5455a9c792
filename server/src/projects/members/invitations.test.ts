import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMail, rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { ACCEPT_INVITATION_PATH, toFieldCode, listMembers, startTeamWorld } from '../../../test/team-world.ts'
import { createMailer } from '../../accounts/mailer.ts'

const { service, app, deps, newProject, invite, join } = await startTeamWorld()

test('an invited person with an account can join once, with the role of the invitation', async () => {
  const world = await newProject()
  const person = await signUp(app)
  const token = await invite(world, person.email, 'developer')
  assert.deepEqual(
    (await listMembers(world)).map(({ email, role, state }) => [email, role, state]),
    [
      [world.owner.email, 'owner', 'active'],
      [person.email, 'developer', 'invited'],
    ],
  )
  assert.equal((await person.post('/sdk/project/get', { projectId: world.id })).code, 'not_found')
  assert.equal((await new Client(app).post(ACCEPT_INVITATION_PATH, { token })).code, 'unauthenticated')
  const accepted = await person.post(ACCEPT_INVITATION_PATH, { token })
  assert.deepEqual([accepted.status, accepted.json()['role']], [200, 'developer'])
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).code, 'token_expired')
  const list = (await person.post('/sdk/project/list')).json<{ projects: { id: string; role: string }[] }>()
  assert.deepEqual(
    list.projects.map((one) => [one.id, one.role]),
    [[world.id, 'developer']],
  )
  assert.deepEqual((await listMembers(world))[1]!.mails, ['failures'])
  assert.ok(await findMail(service, world.owner.email, 'member_changed'))
  // The mailed link has confirmed the address.
  const session = (await person.get('/portal/api/session')).json<{ account: { emailConfirmed: boolean } }>()
  assert.equal(session.account.emailConfirmed, true)
})

test('a member sees whether the owner is verified; the verification of the member makes no difference', async () => {
  const world = await newProject()
  const person = await join(world, 'support')
  const verify = (email: string) =>
    rows(deps.db, 'update accounts set kyc_verified_at = now() where email = $1', [email])
  const readVerified = async () =>
    (await person.post('/sdk/project/get', { projectId: world.id })).json()['ownerVerified']
  assert.equal(await readVerified(), false)
  await verify(person.email)
  assert.equal(await readVerified(), false)
  await verify(world.owner.email)
  assert.equal(await readVerified(), true)
})

test('an invitation works only for its address, and the next invitation to that address replaces it', async () => {
  const world = await newProject()
  const [person, stranger] = [await signUp(app), await signUp(app)]
  const first = await invite(world, person.email, 'support')
  const refused = await stranger.post(ACCEPT_INVITATION_PATH, { token: first })
  assert.deepEqual([refused.status, toFieldCode(refused)], [400, 'invitation_of_other'])
  const second = await invite(world, person.email.toUpperCase(), 'finance')
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token: first })).code, 'token_expired')
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token: second })).json()['role'], 'finance')
  const repeated = await world.owner.post(`${world.members}/invite`, { email: person.email, role: 'admin' })
  assert.equal(toFieldCode(repeated), 'already_member')
})

test('an invitation expires after seven days', async () => {
  const world = await newProject()
  const person = await signUp(app)
  const token = await invite(world, person.email, 'support')
  const moveBack = (by: string) =>
    rows(
      deps.db,
      'update project_invitations set expires_at = expires_at - $2::interval where project_id = $1',
      [world.id, by],
    )
  await moveBack('6 days 23 hours')
  assert.equal((await listMembers(world)).length, 2)
  await moveBack('1 hour')
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).code, 'token_expired')
  assert.equal((await listMembers(world)).length, 1)
})

test('the response to an invitation does not reveal whether the address has an account', async () => {
  const world = await newProject()
  const known = await signUp(app)
  const send = (email: string) => world.owner.post(`${world.members}/invite`, { email, role: 'support' })
  const [a, b] = [await send(known.email), await send('nobody-yet@example.me')]
  assert.deepEqual([a.status, a.text], [b.status, b.text])
})

test('where sign-up is closed, an invited person can create an account but cannot add projects', async () => {
  const closedReplica = await service.replica({ SIGN_UP: 'closed' })
  const world = await newProject()
  const guest = new Client(closedReplica.app)
  const email = 'guest@example.me'
  const invitation = await invite(world, email, 'support')
  const body = { email, password: 'osam plavih kruna u torbi' }
  const sendSignUp = (fields: object) => guest.post('/portal/api/sign-up', { ...body, ...fields })
  assert.equal((await sendSignUp({})).code, 'sign_up_closed')
  assert.equal((await sendSignUp({ invitation: 'A'.repeat(43) })).code, 'token_expired')
  assert.equal((await sendSignUp({ invitation, email: 'else@example.me' })).code, 'token_expired')
  const signedUp = await sendSignUp({ invitation })
  assert.equal(signedUp.status, 201, signedUp.text)
  assert.equal(signedUp.json<{ account: { emailConfirmed: boolean } }>().account.emailConfirmed, true)
  assert.equal((await guest.post(ACCEPT_INVITATION_PATH, { token: invitation })).status, 200)
  const project = { name: 'X', resultUrl: 'https://a.example.com/', apiUrl: 'https://a.example.com/' }
  assert.equal((await guest.post('/sdk/project/add', project)).code, 'sign_up_closed')
})

test('an admin needs a step-up to change a role, and can change neither the owner nor their own role', async () => {
  const world = await newProject()
  const [admin, support] = [await join(world, 'admin'), await join(world, 'support')]
  const act = (who: Client, action: string, body: object) => who.post(`${world.members}/${action}`, body)
  assert.equal((await act(admin, 'role', { email: support.email, role: 'finance' })).code, 'step_up_required')
  await admin.stepUp()
  assert.equal((await act(admin, 'role', { email: support.email, role: 'finance' })).status, 204)
  assert.equal(
    (await act(admin, 'role', { email: support.email, role: 'owner' })).code,
    'invalid_request',
    'ownership is not a role that can be granted',
  )
  assert.equal(
    toFieldCode(await act(admin, 'role', { email: admin.email, role: 'support' })),
    'own_membership',
  )
  assert.equal((await act(admin, 'remove', { email: world.owner.email })).code, 'not_found')
  assert.equal((await act(admin, 'remove', { email: 'nobody@example.me' })).code, 'not_found')
  assert.equal(toFieldCode(await act(world.owner, 'leave', {})), 'owner_stays')
  assert.ok(await findMail(service, support.email, 'membership_changed'))
})

test('the owner can neither be invited to their own project nor accept an invitation to it', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  await admin.stepUp()
  const email = world.owner.email.toUpperCase()
  const refused = await admin.post(`${world.members}/invite`, { email, role: 'support' })
  assert.deepEqual([refused.status, toFieldCode(refused)], [400, 'already_member'])
  const token = await invite(world, 'soon@example.me', 'support', admin)
  await rows(deps.db, 'update accounts set email = $2, email_key = $2 where email = $1', [
    world.owner.email,
    'soon@example.me',
  ])
  const accepted = await world.owner.post(ACCEPT_INVITATION_PATH, { token })
  assert.deepEqual([accepted.status, toFieldCode(accepted)], [400, 'already_member'])
})

test('an open invitation is mailed and a cancelled one is not; the address is erased from both mails', async () => {
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

test('inviting and removing need a step-up and a role that may manage members', async () => {
  const world = await newProject()
  const [admin, developer] = [await join(world, 'admin'), await join(world, 'developer')]
  const act = (who: Client, action: string, body: object) => who.post(`${world.members}/${action}`, body)
  const guest = { email: 'guest-2@example.me', role: 'support' }
  assert.equal((await act(admin, 'invite', guest)).code, 'step_up_required')
  assert.equal((await act(admin, 'remove', { email: developer.email })).code, 'step_up_required')
  await developer.stepUp()
  assert.equal((await act(developer, 'invite', guest)).code, 'forbidden_role')
  assert.equal((await act(developer, 'remove', { email: admin.email })).code, 'forbidden_role')
  const ownInvitation = { ...guest, email: world.owner.email.toUpperCase() }
  assert.equal(toFieldCode(await act(world.owner, 'invite', ownInvitation)), 'own_membership')
  assert.equal(toFieldCode(await act(world.owner, 'mails', { mails: [] })), 'owner_gets_all')
})

test('a cancelled invitation no longer works, and the cancellation is in the history', async () => {
  const world = await newProject()
  const person = await signUp(app)
  const token = await invite(world, person.email, 'support')
  assert.equal((await world.owner.post(`${world.members}/remove`, { email: person.email })).status, 204)
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).code, 'token_expired')
  const history = await world.owner.get(`/portal/api/projects/${world.id}/history`)
  const { items } = history.json<{ items: { action: string; changes: object }[] }>()
  assert.deepEqual([items[0]?.action, items[0]?.changes], ['member_removed', { email: person.email }])
})

test('a project has at most fifty members and invitations in total, and a person has at most fifty shared projects', async () => {
  const world = await newProject()
  const person = await signUp(app)
  const token = await invite(world, person.email, 'support')
  // With the invitation above, the project has fifty invitations.
  await rows(
    deps.db,
    `insert into project_invitations (id, token_hash, project_id, invited_by, email, email_key, role, expires_at)
     select gen_random_uuid(), sha256((n || i.email)::bytea), i.project_id, i.invited_by, n || i.email, n || i.email_key,
       i.role, i.expires_at from project_invitations i, generate_series(1, 49) as n where i.project_id = $1`,
    [world.id],
  )
  const inviteOneMore = () =>
    world.owner.post(`${world.members}/invite`, { email: 'm@example.me', role: 'support' })
  assert.equal(toFieldCode(await inviteOneMore()), 'too_many_members')
  // Members who have joined and people who are invited both count.
  const endInvitation = `update project_invitations set ended_at = $3 where project_id = $1 and email = $2`
  await rows(deps.db, endInvitation, [world.id, `1${person.email}`, new Date()])
  await rows(
    deps.db,
    `insert into project_members (project_id, account_id, role, mails)
     select $1, id, 'support', '{}' from accounts where email = $2`,
    [world.id, (await signUp(app)).email],
  )
  assert.equal(toFieldCode(await inviteOneMore()), 'too_many_members')
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
  assert.equal(toFieldCode(await person.post(ACCEPT_INVITATION_PATH, { token })), 'too_many_shared')
  // One of the fifty memberships is moved to this project, so accepting the invitation adds no membership.
  const toMember = `update project_members set project_id = $1 where account_id = (select id from accounts where email = $2)
    and project_id = (select min(m.project_id) from project_members m join accounts a on a.id = m.account_id
      where a.email = $2)`
  await rows(deps.db, toMember, [world.id, person.email])
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).status, 200)
})
