import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confirmEmail, findMail, rows } from '../../../test/accounts.ts'
import { Client, GOOD_PROJECT, signUp } from '../../../test/client.ts'
import {
  ACCEPT_INVITATION_PATH,
  listMembers,
  startTeamWorld,
  VIEW_INVITATION_PATH,
} from '../../../test/team-world.ts'

const { service, app, deps, newProject, invite } = await startTeamWorld()
const view = (token: string, client = new Client(app)) => client.post(VIEW_INVITATION_PATH, { token })

test('the link of an invitation shows the project, the role and the sender, without a session', async () => {
  const world = await newProject()
  await confirmEmail(deps.db, world.owner)
  const person = await signUp(app)
  const token = await invite(world, person.email, 'finance')
  const mail = await findMail(service, person.email, 'project_invitation')
  assert.equal(mail?.facts['by'], world.owner.email)
  const response = await view(token)
  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers['cache-control'], 'no-store')
  const { expiresAt, ...shown } = response.json<{ expiresAt: string }>()
  assert.deepEqual(shown, {
    state: 'open',
    project: GOOD_PROJECT.name,
    role: 'finance',
    invitedBy: world.owner.email,
    email: person.email,
  })
  assert.ok(!Number.isNaN(Date.parse(expiresAt)))
  assert.equal((await view(token, await signUp(app))).text, response.text)
  assert.equal((await listMembers(world))[1]?.state, 'invited')
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).status, 200)
  assert.deepEqual((await view(token)).json(), { state: 'accepted' })
})

test('neither the mail nor the page of an invitation shows a sender whose address is not confirmed', async () => {
  const world = await newProject()
  const email = 'target@example.me'
  const token = await invite(world, email, 'support')
  assert.equal((await findMail(service, email, 'project_invitation'))?.facts['by'], null)
  assert.equal((await view(token)).json()['invitedBy'], null)
})

test('an expired invitation still shows its sender; a cancelled or replaced invitation shows only its state', async () => {
  const world = await newProject()
  await confirmEmail(deps.db, world.owner)
  const email = 'late@example.me'
  const replaced = await invite(world, email, 'support')
  const token = await invite(world, email, 'support')
  assert.deepEqual((await view(replaced)).json(), { state: 'ended' })
  await rows(deps.db, 'update project_invitations set expires_at = now() where project_id = $1', [world.id])
  const expired = (await view(token)).json<{ state: string; invitedBy: string }>()
  assert.deepEqual([expired.state, expired.invitedBy], ['expired', world.owner.email])
  const cancelled = await invite(world, email, 'support')
  await world.owner.post(`${world.members}/remove`, { email })
  assert.deepEqual((await view(cancelled)).json(), { state: 'ended' })
})

test('an unknown token shows nothing, and a request without a token is refused', async () => {
  assert.equal((await view('A'.repeat(43))).code, 'not_found')
  assert.equal((await new Client(app).post(VIEW_INVITATION_PATH, {})).code, 'invalid_request')
})

test('guesses of invitation links are limited', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_SIGN_IN: '2' })
  const guess = () => view('A'.repeat(43), new Client(limited.app))
  assert.deepEqual([(await guess()).code, (await guess()).code], ['not_found', 'not_found'])
  const refused = await guess()
  assert.equal(refused.code, 'rate_limited')
  assert.ok(Number(refused.headers['retry-after']) > 0)
})
