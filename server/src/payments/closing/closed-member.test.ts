import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, readMailedToken, rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import { dumpDatabase } from '../../../test/dump.ts'
import { startTeamWorld } from '../../../test/team-world.ts'
import { toEmailKey } from '../../accounts/email-address.ts'
import { inviteAccount } from '../../accounts/invite.ts'
import { createMailer } from '../../accounts/mailer.ts'

const { service, app, deps, newProject, invite, join } = await startTeamWorld()

async function expireInvitations(projectId: string): Promise<void> {
  await rows(
    deps.db,
    `update project_invitations set created_at = now() - interval '8 days', expires_at = now() - interval '1 day'
     where project_id = $1`,
    [projectId],
  )
}

async function changeAddress(person: Client, email: string): Promise<void> {
  await person.stepUp()
  assert.equal((await person.post('/portal/api/email', { email })).status, 202)
  const token = await readMailedToken(service, email, 'confirm_new_email')
  assert.equal((await person.post('/portal/api/email/confirm', { token })).status, 204)
  person.email = email
}

test('the e-mail addresses of a closed account are removed from other owners’ projects and from the history of these projects', async () => {
  const team = await newProject()
  const [person, neighbour] = [await join(team, 'developer'), await join(team, 'support')]
  const former = person.email
  assert.equal((await team.owner.post(`${team.members}/role`, { email: former, role: 'admin' })).status, 204)
  const transfer = `/portal/api/projects/${team.id}/transfer`
  assert.equal((await team.owner.post(transfer, { email: former })).status, 202)
  assert.equal((await team.owner.post(`${transfer}/cancel`)).status, 204)
  // The person is invited to another project, but never joins it.
  const other = await newProject()
  await invite(other, former, 'support')
  await expireInvitations(other.id)

  await changeAddress(person, `New-${former}`)
  const removed = { email: person.email, role: 'finance' }
  assert.equal((await team.owner.post(`${team.members}/role`, removed)).status, 204)

  await person.stepUp()
  assert.equal((await person.post('/portal/api/account/close', { email: person.email })).status, 204)
  while ((await createMailer(deps).runOnce()) > 0);
  // Mails to others about the person are not deleted with the account. They are deleted when they are old.
  await rows(deps.db, 'delete from mails')
  const dump = await dumpDatabase(deps.db)
  assert.ok(!dump.toLowerCase().includes(former), former)
  assert.ok(dump.includes(neighbour.email))
  const history = (await team.owner.get(`/portal/api/projects/${team.id}/history`)).json<{
    items: { action: string }[]
  }>()
  const roleChanges = history.items.filter(({ action }) => action === 'member_role_changed')
  assert.equal(roleChanges.length, 2)
})

test('when an account is closed, a former address that was confirmed only by a reset link is removed from the projects that invited it', async () => {
  const former = `former.${randomUUID()}@example.me`
  await inviteAccount(deps, former, 'en')
  const person = new Client(app)
  person.password = ANOTHER_PASSWORD
  const reset = await readMailedToken(service, former, 'reset_password')
  const set = await person.post('/portal/api/password/reset', { token: reset, password: person.password })
  assert.equal(set.status, 204)
  const signIn = { email: former, password: person.password }
  assert.equal((await person.post('/portal/api/sign-in', signIn)).status, 200)
  const team = await newProject()
  await invite(team, former, 'support')
  await expireInvitations(team.id)
  await changeAddress(person, `new.${former}`)

  await person.stepUp()
  assert.equal((await person.post('/portal/api/account/close', { email: person.email })).status, 204)
  await rows(deps.db, 'delete from mails')
  assert.ok(!(await dumpDatabase(deps.db)).toLowerCase().includes(former))
})

test('when an account is closed, a former address that was confirmed only by signing up with an invitation is removed from the projects that invited it', async () => {
  const former = `former.${randomUUID()}@example.me`
  const [team, other] = [await newProject(), await newProject()]
  const invitation = await invite(team, former, 'support')
  await invite(other, former, 'support')
  const person = new Client(app)
  person.password = ANOTHER_PASSWORD
  const signedUp = await person.post('/portal/api/sign-up', {
    email: former,
    password: person.password,
    invitation,
  })
  assert.equal(signedUp.status, 201)
  // The person joins no project.
  for (const { id } of [team, other]) await expireInvitations(id)
  await changeAddress(person, `new.${former}`)

  await person.stepUp()
  assert.equal((await person.post('/portal/api/account/close', { email: person.email })).status, 204)
  await rows(deps.db, 'delete from mails')
  assert.ok(!(await dumpDatabase(deps.db)).toLowerCase().includes(former))
})

test('when an account is closed, its e-mail address is removed even if the database cannot change one of its letters to lower case', async () => {
  const team = await newProject()
  const person = await join(team, 'developer')
  const [email, key] = ['İva.ŠĆ@closed.example.me', toEmailKey('İva.ŠĆ@closed.example.me')]
  const [row] = await rows<{ lowered: string }>(deps.db, 'select lower($1) as lowered', [email])
  assert.notEqual(row!.lowered, key)
  await rows(deps.db, 'update accounts set email = $2, email_key = $3 where email = $1', [
    person.email,
    email,
    key,
  ])
  person.email = email
  assert.equal((await team.owner.post(`${team.members}/role`, { email, role: 'support' })).status, 204)
  await person.stepUp()
  assert.equal((await person.post('/portal/api/account/close', { email })).status, 204)
  const named = `select from audit_events where changes::text like '%@closed.example.me%'`
  assert.equal((await rows(deps.db, named)).length, 0)
})

test('after an account is closed, an open invitation to its e-mail address stays valid', async () => {
  const team = await newProject()
  const person = await signUp(app)
  const { email, password } = person
  const token = await invite(team, email, 'support')
  await person.stepUp()
  assert.equal((await person.post('/portal/api/account/close', { email })).status, 204)
  assert.equal((await person.post('/portal/api/sign-up', { email, password })).status, 201)
  assert.equal((await person.post('/portal/api/invitations/accept', { token })).status, 200)
})
