import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confirmEmail, findMail, rows } from '../../test/accounts.ts'
import { Client } from '../../test/client.ts'
import { startTeamWorld } from '../../test/team-world.ts'
import { findSentInvitation } from './invitations-store.ts'
import { toTokenHash } from './token-hash.ts'

const { service, app, deps, newProject, invite } = await startTeamWorld()
const closedReplica = await service.replica({ SIGN_UP: 'closed' })
const password = 'osam plavih kruna u torbi'

const signUp = (onApp: typeof app, email: string, invitation?: string) =>
  new Client(onApp).post('/portal/api/sign-up', { email, password, ...(invitation && { invitation }) })

const findStored = async (email: string) =>
  (
    await rows<{ confirmed: boolean; invited: boolean }>(
      deps.db,
      `select email_confirmed_at is not null as confirmed, invited_at is not null as invited from accounts where email = $1`,
      [email],
    )
  )[0]

test('where sign-up is closed, only the invited address can sign up, and only with an open invitation', async () => {
  const team = await newProject()
  const email = 'invited.closed@example.me'
  const token = await invite(team, email, 'support')
  assert.equal((await signUp(closedReplica.app, email)).code, 'sign_up_closed')
  assert.equal((await signUp(closedReplica.app, email, 'A'.repeat(43))).code, 'token_expired')
  assert.equal((await signUp(closedReplica.app, 'else@example.me', token)).code, 'token_expired')
  const set = (change: string) =>
    rows(deps.db, `update project_invitations set ${change} where project_id = $1`, [team.id])
  for (const [end, undo] of [
    ['expires_at = now()', `expires_at = now() + interval '1 day'`],
    ['ended_at = now()', 'ended_at = null'],
  ] as const) {
    await set(end)
    assert.equal((await signUp(closedReplica.app, email, token)).code, 'token_expired', end)
    await set(undo)
  }
  assert.equal(await findStored(email), undefined)
  assert.equal((await signUp(closedReplica.app, email, token)).status, 201)
  assert.deepEqual(await findStored(email), { confirmed: true, invited: true })
  assert.equal(await findMail(service, email, 'confirm_email'), null)
})

test('where sign-up is open, an invitation confirms the address, and the account may own projects', async () => {
  const team = await newProject()
  const [email, otherEmail] = ['invited.open@example.me', 'plain.open@example.me']
  const token = await invite(team, email, 'support')
  const signedUp = await signUp(app, email, token)
  assert.equal(signedUp.json<{ account: { emailConfirmed: boolean } }>().account.emailConfirmed, true)
  assert.deepEqual(await findStored(email), { confirmed: true, invited: false })
  assert.equal(await findMail(service, email, 'confirm_email'), null)
  const other = await signUp(app, otherEmail)
  assert.equal(other.json<{ account: { emailConfirmed: boolean } }>().account.emailConfirmed, false)
  assert.ok(await findMail(service, otherEmail, 'confirm_email'))
})

test('a sent invitation is found in each of its states, with its sender', async () => {
  const [team, other] = [await newProject(), await newProject()]
  await confirmEmail(deps.db, team.owner)
  const token = await invite(team, 'states@example.me', 'finance')
  await invite(other, 'others@example.me', 'support')
  const find = async () => {
    const found = await findSentInvitation(deps.db, toTokenHash(token))
    return found && [found.state, found.projectId, found.email, found.role, found.invitedBy]
  }
  const rest = [team.id, 'states@example.me', 'finance', team.owner.email]
  assert.deepEqual(await find(), ['open', ...rest])
  await rows(deps.db, 'update project_invitations set expires_at = now() where project_id = $1', [team.id])
  assert.deepEqual(await find(), ['expired', ...rest])
  await rows(deps.db, 'update project_invitations set ended_at = now() where project_id = $1', [team.id])
  assert.deepEqual(await find(), ['ended', ...rest])
  assert.equal(await findSentInvitation(deps.db, toTokenHash('A'.repeat(43))), null)
})
