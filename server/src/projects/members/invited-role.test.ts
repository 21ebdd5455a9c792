import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { Client, signUp } from '../../../test/client.ts'
import {
  ACCEPT_INVITATION_PATH,
  listMembers,
  startTeamWorld,
  VIEW_INVITATION_PATH,
} from '../../../test/team-world.ts'

const { app, deps, newProject, invite, join, changeDuring } = await startTeamWorld()

test('an invited person joins with the role that was chosen last, and the history names the change', async () => {
  const team = await newProject()
  const person = await signUp(app)
  const { email } = person
  const token = await invite(team, email, 'support')
  const change = { email: email.toUpperCase(), role: 'finance' }
  for (const state of [undefined, 'invited']) {
    const response = await team.owner.post(`${team.members}/role`, { ...change, state })
    assert.equal(response.status, 204, response.text)
  }
  const shown = await new Client(app).post(VIEW_INVITATION_PATH, { token })
  assert.equal(shown.json()['role'], 'finance')
  assert.deepEqual(
    [(await listMembers(team))[1]?.role, (await listMembers(team))[1]?.state],
    ['finance', 'invited'],
  )
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).json()['role'], 'finance')
  assert.equal((await listMembers(team))[1]?.role, 'finance')
  const changes = await rows<{ changes: object }>(
    deps.db,
    `select changes from audit_events where project_id = $1 and action = 'member_role_changed'`,
    [team.id],
  )
  assert.deepEqual(changes, [{ changes: { email, role: { from: 'support', to: 'finance' } } }])
})

test('the role of an invitation cannot be changed if the address has no invitation, if the request names a state that the person does not have, or if the sender has no permission', async () => {
  const team = await newProject()
  const { email } = await signUp(app)
  const token = await invite(team, email, 'support')
  const change = (body: object) => team.owner.post(`${team.members}/role`, { email, role: 'admin', ...body })
  assert.equal((await change({ state: 'active' })).code, 'not_found')
  assert.equal((await change({ email: 'nobody@example.com' })).code, 'not_found')
  const member = await join(team, 'developer')
  assert.equal((await change({ email: member.email, state: 'invited' })).code, 'not_found')
  assert.equal((await member.post(`${team.members}/role`, { email, role: 'admin' })).code, 'forbidden_role')
  assert.equal((await new Client(app).post(VIEW_INVITATION_PATH, { token })).json()['role'], 'support')
  await team.owner.post(`${team.members}/remove`, { email })
  assert.equal((await change({})).code, 'not_found')
})

test('if the role of an invitation changes while a person accepts it, the person gets the new role', async () => {
  const team = await newProject()
  const person = await signUp(app)
  const token = await invite(team, person.email, 'admin')
  const lower = `update project_invitations set role = 'support' where project_id = $1`
  const accepted = await changeDuring(team.id, lower, () => person.post(ACCEPT_INVITATION_PATH, { token }))
  assert.equal(accepted.json()['role'], 'support')
})

test('an invitation whose role was raised by an admin ends when that admin is removed', async () => {
  const team = await newProject()
  const [admin, person] = [await join(team, 'admin'), await signUp(app)]
  const token = await invite(team, person.email, 'support')
  await admin.stepUp()
  const raised = await admin.post(`${team.members}/role`, { email: person.email, role: 'admin' })
  assert.equal(raised.status, 204, raised.text)
  await team.owner.post(`${team.members}/remove`, { email: admin.email })
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).code, 'token_expired')
})
