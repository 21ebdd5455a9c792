import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_MAILS } from '@pazar/contract'
import { readMailedToken, rows } from '../../../test/accounts.ts'
import { makeToken } from '../../../test/api-tokens.ts'
import { listMembers, startTeamWorld } from '../../../test/team-world.ts'

const { service, deps, newProject, invite, join } = await startTeamWorld()

test('the history names who invited a member, who joined, who changed their role and who removed them', async () => {
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

test('when an admin reveals the secret, the owner and the admin are mailed, but not an unsubscribed admin', async () => {
  const world = await newProject()
  const [admin, unsubscribed, developer] = [
    await join(world, 'admin'),
    await join(world, 'admin'),
    await join(world, 'developer'),
  ]
  assert.equal((await unsubscribed.post(`${world.members}/mails`, { mails: ['disputes'] })).status, 204)
  const refused = await developer.post(`${world.members}/mails`, { mails: ['security'] })
  assert.equal(refused.code, 'forbidden_role')
  await admin.stepUp()
  assert.equal((await admin.post('/sdk/project/seeSecret', { projectId: world.id })).status, 200)
  const mailed = await rows<{ to_address: string }>(
    deps.db,
    `select to_address, facts->>'by' as by from mails where kind = 'secret_revealed' and facts->>'project' is not null
       and to_address = any ($1) order by to_address`,
    [[world.owner, admin, unsubscribed, developer].map(({ email }) => email)],
  )
  assert.deepEqual(
    mailed,
    [
      { to_address: world.owner.email, by: admin.email },
      { to_address: admin.email, by: null },
    ].toSorted((a, b) => (a.to_address < b.to_address ? -1 : 1)),
  )
  assert.deepEqual(
    (await listMembers(world)).map(({ knowsSecret }) => knowsSecret),
    [false, true, false, false],
  )
})

test('when a member changes their email address, the member, the owner and the admins are mailed', async () => {
  const [world, otherProject] = [await newProject(), await newProject()]
  const [admin, developer] = [await join(world, 'admin'), await join(world, 'developer')]
  const people = [world.owner, admin, developer, otherProject.owner]
  const rename = async (person: typeof admin) => {
    await person.stepUp()
    const email = `renamed.${person.email}`
    assert.equal((await person.post('/portal/api/email', { email })).status, 202)
    const token = await readMailedToken(service, email, 'confirm_new_email')
    assert.equal((await person.post('/portal/api/email/confirm', { token })).status, 204)
    return email
  }
  const member = await rename(developer)
  await rename(otherProject.owner)
  const mailed = await rows<{ to: string; facts: Record<string, string> }>(
    deps.db,
    `select to_address as "to", facts from mails where kind = 'member_email_changed' and to_address = any ($1)`,
    [[...people.map(({ email }) => email), ...people.map(({ email }) => `renamed.${email}`)]],
  )
  assert.deepEqual(mailed.map(({ to }) => to).toSorted(), [world.owner.email, admin.email, member].toSorted())
  for (const { facts } of mailed)
    assert.deepEqual([facts['formerEmail'], facts['member']], [developer.email, member])
  // A page that is still open may show the old address. A request with this address removes nobody.
  const remove = (email: string) => world.owner.post(`${world.members}/remove`, { email })
  assert.equal((await remove(developer.email)).code, 'not_found')
  assert.equal((await remove(member)).status, 204)
})

test('after a change of role, a member gets the default mails of the new role, not the mails chosen before', async () => {
  const world = await newProject()
  const person = await join(world, 'developer')
  const mailsOf = async () => (await listMembers(world)).find(({ email }) => email === person.email)?.mails
  assert.equal((await person.post(`${world.members}/mails`, { mails: [] })).status, 204)
  await world.owner.post(`${world.members}/role`, { email: person.email, role: 'finance' })
  assert.deepEqual(await mailsOf(), DEFAULT_MAILS.finance)
})

test('setting the role that a member already has changes neither the member’s mails nor the history', async () => {
  const world = await newProject()
  const person = await join(world, 'developer')
  assert.equal((await person.post(`${world.members}/mails`, { mails: [] })).status, 204)
  const change = { email: person.email, role: 'developer' }
  assert.equal((await world.owner.post(`${world.members}/role`, change)).status, 204)
  assert.deepEqual((await listMembers(world)).at(-1)?.mails, [])
  const changed = await rows(
    deps.db,
    `select from audit_events where project_id = $1 and action = 'member_role_changed'`,
    [world.id],
  )
  assert.equal(changed.length, 0)
})

test('a person who rotated the secret is shown as knowing it, and people who saw only the former secret are not', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  await admin.stepUp()
  const knows = async () => (await listMembers(world)).map(({ knowsSecret }) => knowsSecret)
  assert.equal((await world.owner.post('/sdk/project/seeSecret', { projectId: world.id })).status, 200)
  assert.deepEqual(await knows(), [true, false])
  assert.equal((await admin.post('/sdk/project/rotateSecret', { projectId: world.id })).status, 200)
  assert.deepEqual(await knows(), [false, true])
})

test('a person is shown as knowing the secret if they prepared it at most 72 hours before it came into use', async () => {
  const world = await newProject()
  const admin = await join(world, 'admin')
  await admin.stepUp()
  assert.equal((await admin.post(`/portal/api/projects/${world.id}/next-secret`)).status, 201)
  const promoted = { projectId: world.id, useNext: true }
  assert.equal((await world.owner.post('/sdk/project/rotateSecret', promoted)).status, 200)
  const setPreparedBefore = (hours: number) =>
    rows(
      deps.db,
      `update audit_events set at = (select at from audit_events where project_id = $1 and action = 'secret_rotated')
         - make_interval(hours => $2) where project_id = $1 and action = 'next_secret_prepared'`,
      [world.id, hours],
    )
  const knows = async () => (await listMembers(world)).at(-1)?.knowsSecret
  await setPreparedBefore(71)
  assert.equal(await knows(), true)
  await setPreparedBefore(73)
  assert.equal(await knows(), false)
})

test('a member gets no mails that the role does not allow, even if such mails are stored for the member', async () => {
  const world = await newProject()
  const support = await join(world, 'support')
  await rows(
    deps.db,
    `update project_members set mails = '{security}' where account_id = (select id from accounts where email = $1)`,
    [support.email],
  )
  await world.owner.stepUp()
  assert.equal((await world.owner.post('/sdk/project/seeSecret', { projectId: world.id })).status, 200)
  const mailed = await rows(deps.db, "select from mails where kind = 'secret_revealed' and to_address = $1", [
    support.email,
  ])
  assert.equal(mailed.length, 0)
})

test('the removal of a member also revokes the member’s expired tokens for the project', async () => {
  const world = await newProject()
  const person = await join(world, 'admin')
  const { id } = await makeToken(person, { scope: 'write', projectId: world.id })
  await rows(
    deps.db,
    "update api_tokens set created_at = now() - interval '2 days', expires_at = now() where id = $1",
    [id],
  )
  assert.equal((await world.owner.post(`${world.members}/remove`, { email: person.email })).status, 204)
  assert.equal((await person.post('/portal/api/tokens/revoke', { id })).code, 'not_found')
})

test('a request to remove a member removes no invitation, and a request to remove an invitation removes no member', async () => {
  const world = await newProject()
  const [member, invited] = [await join(world, 'support'), 'invited@example.me']
  await invite(world, invited, 'support')
  const remove = (email: string, state: string) =>
    world.owner.post(`${world.members}/remove`, { email, state })
  assert.equal((await remove(invited, 'active')).code, 'not_found')
  assert.equal((await remove(member.email, 'invited')).code, 'not_found')
  assert.equal((await listMembers(world)).length, 3)
  assert.equal((await remove(invited, 'invited')).status, 204)
  assert.equal((await remove(member.email, 'active')).status, 204)
  assert.equal((await listMembers(world)).length, 1)
})
