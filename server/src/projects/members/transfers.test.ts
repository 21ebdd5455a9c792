// Why this is long: one test for each way to begin or end a transfer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROJECTS_PER_ACCOUNT_MAX } from '@pazar/contract'
import type { MemberList } from '@pazar/contract'
import { confirmEmail, copyClient, readMailedToken, rows } from '../../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../../test/api-tokens.ts'
import { Client, signUp } from '../../../test/client.ts'
import { ACCEPT_INVITATION_PATH, toFieldCode, listMembers, startTeamWorld } from '../../../test/team-world.ts'
import type { Team } from '../../../test/team-world.ts'
import { closeGate } from '../../reconciliation/close-gate.ts'
import { applyTransfers } from './apply-transfer.ts'

const { service, app, deps, other, newProject, invite, join } = await startTeamWorld()

const act = (who: Client, { id }: Team, action = '', body: object = {}) =>
  who.post(`/portal/api/projects/${id}/transfer${action}`, body)

async function offer(team: Team, person: Pick<Client, 'email'>): Promise<void> {
  await confirmEmail(deps.db, team.owner)
  const response = await act(team.owner, team, '', { email: person.email })
  assert.deepEqual([response.status, response.text], [202, ''])
}

async function accept(team: Team, person: Client): Promise<void> {
  await person.stepUp()
  const response = await act(person, team, '/accept')
  assert.deepEqual([response.status, response.text], [202, ''])
}

const moveBack = ({ id }: Team, by: string) =>
  rows(
    deps.db,
    `update project_transfers set due_at = due_at - $2::interval, expires_at = expires_at - $2::interval
     where project_id = $1`,
    [id, by],
  )

const roleOf = async (who: Client, { id }: Team) =>
  (await who.post('/sdk/project/get', { projectId: id })).json<{ role: string }>().role

const transferSeenBy = async (who: Client, { members }: Team) =>
  (await who.get(members)).json<MemberList>().transfer

async function stagesMailedTo(email: string): Promise<string[]> {
  const text = `select facts ->> 'stage' as stage from mails where to_address = $1 and kind = 'ownership_transfer' order by 1`
  return (await rows<{ stage: string }>(deps.db, text, [email])).map(({ stage }) => stage)
}

async function actionsOf({ owner, id }: Team): Promise<string[]> {
  const history = await owner.get(`/portal/api/projects/${id}/history`)
  return history.json<{ items: { action: string }[] }>().items.map(({ action }) => action)
}

async function liveSecretOf(who: Client, { id }: Team): Promise<string> {
  const response = await who.post('/sdk/project/seeSecret', { projectId: id })
  assert.equal(response.status, 200, response.text)
  return response.json<{ secret: string }>().secret
}

test('a day after the acceptance, the project has a new owner and a new live secret, and old tokens are revoked', async () => {
  const team = await newProject()
  const { owner } = team
  const person = await join(team, 'developer')
  const admin = await join(team, 'admin')
  const { token: tokenForAll } = await makeToken(owner)
  const { token: tokenForProject } = await makeToken(person, { projectId: team.id })
  const { token: unrelatedToken } = await makeToken(person)
  const oldSecret = await liveSecretOf(owner, team)
  const nextSecret = `/portal/api/projects/${team.id}/next-secret`
  assert.equal((await owner.post(nextSecret)).status, 201)

  await offer(team, person)
  assert.equal((await transferSeenBy(owner, team))?.takesEffectAt, null)
  assert.deepEqual(await stagesMailedTo(owner.email), ['offered'])
  assert.deepEqual(await stagesMailedTo(person.email), ['offered'])
  await accept(team, person)
  assert.equal((await act(person, team, '/accept')).status, 202, 'a second click')
  const seen = await transferSeenBy(person, team)
  assert.equal(seen?.isToYou, true)
  assert.ok(seen.takesEffectAt)
  assert.equal((await transferSeenBy(admin, team))?.isToYou, false)

  await moveBack(team, '23 hours 59 minutes')
  assert.equal(await applyTransfers(deps), 0)
  assert.equal(await roleOf(owner, team), 'owner')
  await moveBack(team, '1 minute')
  const applied = await Promise.all([applyTransfers(deps), applyTransfers(other.deps)])
  assert.equal(applied[0] + applied[1], 1)

  assert.deepEqual([await roleOf(person, team), await roleOf(owner, team)], ['owner', 'admin'])
  assert.equal(await transferSeenBy(person, team), null)
  await person.stepUp()
  assert.notEqual(await liveSecretOf(person, team), oldSecret)
  // The prepared next secret is deleted as well, because the former owner has seen it.
  assert.equal((await person.get(nextSecret)).json()['next'], null)
  // The transfer revokes the tokens of the project, and the former owner's tokens for all projects.
  for (const token of [tokenForAll, tokenForProject])
    assert.equal((await clientWithToken(other.app, token).post('/sdk/project/list')).code, 'unauthenticated')
  assert.equal((await clientWithToken(app, unrelatedToken).post('/sdk/project/list')).status, 200)
  for (const { email } of [owner, person])
    assert.deepEqual(await stagesMailedTo(email), ['accepted', 'done', 'offered'])
  assert.deepEqual(await stagesMailedTo(admin.email), ['accepted', 'done', 'offered'])
  const actions = await actionsOf({ ...team, owner: person })
  const transfers = actions.filter((action) => action.includes('transfer')).toSorted()
  assert.deepEqual(transfers, ['ownership_transferred', 'transfer_accepted', 'transfer_offered'])
  const { members } = team
  assert.equal((await act(owner, team, '', { email: admin.email })).code, 'forbidden_role')
  assert.equal((await person.post(`${members}/remove`, { email: owner.email })).status, 204)
  assert.equal((await owner.post('/sdk/project/get', { projectId: team.id })).code, 'not_found')
})

test('an offer and its acceptance need a step-up; only the owner can offer, and only the recipient can accept', async () => {
  const team = await newProject()
  const [person, admin] = [await join(team, 'support'), await join(team, 'admin')]
  const withoutStepUp = copyClient(team.owner)
  withoutStepUp.jar.delete('step-up')
  const offerBody = { email: person.email }
  assert.equal((await act(withoutStepUp, team, '', offerBody)).code, 'step_up_required')
  await admin.stepUp()
  assert.equal((await act(admin, team, '', offerBody)).code, 'forbidden_role')
  const stranger = await signUp(app)
  assert.equal((await act(stranger, team, '', offerBody)).code, 'not_found')
  assert.equal(toFieldCode(await act(team.owner, team, '', { email: team.owner.email })), 'own_project')
  assert.equal(toFieldCode(await act(team.owner, team, '', { email: stranger.email })), 'not_a_member')

  await offer(team, person)
  assert.equal(toFieldCode(await act(team.owner, team, '', { email: admin.email })), 'transfer_pending')
  assert.equal((await act(person, team, '/accept')).code, 'step_up_required')
  assert.equal(toFieldCode(await act(admin, team, '/accept')), 'no_transfer')
  assert.equal(toFieldCode(await act(team.owner, team, '/accept')), 'no_transfer')
  assert.equal((await act(admin, team, '/cancel')).code, 'forbidden_role')
  assert.equal((await act(stranger, team, '/cancel')).code, 'not_found')
  assert.equal((await transferSeenBy(person, team))?.takesEffectAt, null)
})

test('the owner and the recipient can cancel a transfer, before and after the acceptance', async () => {
  const team = await newProject()
  const person = await join(team, 'finance')
  for (const [canceller, isAccepted] of [
    [team.owner, false],
    [person, false],
    [team.owner, true],
    [person, true],
  ] as const) {
    await offer(team, person)
    if (isAccepted) await accept(team, person)
    assert.equal((await act(canceller, team, '/cancel')).status, 204)
    assert.equal(await transferSeenBy(person, team), null)
  }
  assert.equal(toFieldCode(await act(team.owner, team, '/cancel')), 'no_transfer')
  await moveBack(team, '30 days')
  assert.equal(await applyTransfers(deps), 0)
  assert.equal(await roleOf(team.owner, team), 'owner')
  const cancelled = (await stagesMailedTo(person.email)).filter((stage) => stage === 'cancelled')
  assert.equal(cancelled.length, 4)
})

test('an accepted transfer ends if the recipient loses access or gets a lower role, or if the database was restored', async () => {
  const endings: ((team: Team, person: Client) => Promise<unknown>)[] = [
    ({ owner, members }, { email }) => owner.post(`${members}/remove`, { email }),
    ({ owner, members }, { email }) => owner.post(`${members}/role`, { email, role: 'developer' }),
    ({ members }, person) => person.post(`${members}/leave`),
    (_team, person) => person.post('/portal/api/account/close', { email: person.email }),
    () => closeGate(deps, { reason: 'restored', restoredFrom: 'test' }),
  ]
  for (const end of endings) {
    const team = await newProject()
    const person = await join(team, 'admin')
    await offer(team, person)
    await accept(team, person)
    await end(team, person)
    await moveBack(team, '2 days')
    assert.equal(await applyTransfers(deps), 0)
    assert.deepEqual(
      await rows(deps.db, 'select from project_transfers where project_id = $1', [team.id]),
      [],
    )
  }
})

test('an invited person can accept an offer only after joining the project', async () => {
  const team = await newProject()
  const person = await signUp(app)
  const token = await invite(team, person.email, 'support')
  await offer(team, person)
  assert.deepEqual(await stagesMailedTo(person.email), ['offered'])
  await person.stepUp()
  assert.equal((await act(person, team, '/accept')).code, 'not_found')
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).status, 200)
  await accept(team, person)
  await moveBack(team, '24 hours')
  assert.equal(await applyTransfers(deps), 1)
  assert.equal(await roleOf(person, team), 'owner')

  const secondTeam = await newProject()
  await invite(secondTeam, 'nobody@example.me', 'support')
  await offer(secondTeam, { email: 'nobody@example.me' })
  await secondTeam.owner.post(`${secondTeam.members}/remove`, { email: 'nobody@example.me' })
  assert.equal(await transferSeenBy(secondTeam.owner, secondTeam), null)
})

test('a lower role of the recipient ends an offer, and both sides get a mail; a higher role does not end it', async () => {
  const team = await newProject()
  const person = await join(team, 'support')
  const { email } = person
  await offer(team, person)
  assert.equal((await team.owner.post(`${team.members}/role`, { email, role: 'admin' })).status, 204)
  assert.equal((await transferSeenBy(person, team))?.isToYou, true)
  assert.equal((await team.owner.post(`${team.members}/role`, { email, role: 'finance' })).status, 204)
  assert.equal(await transferSeenBy(person, team), null)
  for (const one of [team.owner, person])
    assert.deepEqual(await stagesMailedTo(one.email), ['cancelled', 'offered'])
  assert.ok((await actionsOf(team)).includes('transfer_cancelled'))
})

test('a removed recipient cannot accept by signing up again with the former address', async () => {
  const team = await newProject()
  const accomplice = await join(team, 'admin')
  const [person, newAccount] = [await signUp(app), new Client(app)]
  const token = await invite(team, person.email, 'support')
  await offer(team, person)
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).status, 200)
  assert.equal((await transferSeenBy(person, team))?.isToYou, true)
  await person.stepUp()
  const renamed = `renamed.${person.email}`
  assert.equal((await person.post('/portal/api/email', { email: renamed })).status, 202)
  const confirmation = { token: await readMailedToken(service, renamed, 'confirm_new_email') }
  assert.equal((await person.post('/portal/api/email/confirm', confirmation)).status, 204)
  assert.equal((await transferSeenBy(person, team))?.to, renamed)
  assert.equal((await team.owner.post(`${team.members}/remove`, { email: renamed })).status, 204)
  assert.equal(await transferSeenBy(team.owner, team), null)
  assert.ok((await stagesMailedTo(renamed)).includes('cancelled'))

  const { email, password } = person
  Object.assign(newAccount, { email, password })
  assert.equal((await newAccount.post('/portal/api/sign-up', { email, password })).status, 201)
  await accomplice.stepUp()
  const second = await invite(team, email, 'support', accomplice)
  assert.equal((await newAccount.post(ACCEPT_INVITATION_PATH, { token: second })).status, 200)
  await newAccount.stepUp()
  assert.equal(toFieldCode(await act(newAccount, team, '/accept')), 'no_transfer')
})

test('an offer to an invited address ends with the invitation, and stays ended after a new invitation', async () => {
  type Ending = (team: Team, inviter: Client, person: Client) => Promise<unknown>
  const endings: Record<string, Ending> = {
    cancelled: ({ owner, members }, _, { email }) => owner.post(`${members}/remove`, { email }),
    replaced: (team, _, { email }) => invite(team, email, 'support'),
    'inviter demoted': ({ owner, members }, { email }) =>
      owner.post(`${members}/role`, { email, role: 'support' }),
    'inviter removed': ({ owner, members }, { email }) => owner.post(`${members}/remove`, { email }),
    'inviter left': ({ members }, inviter) => inviter.post(`${members}/leave`),
    'account of the inviter closed': (_team, inviter) =>
      inviter.post('/portal/api/account/close', { email: inviter.email }),
  }
  for (const [name, end] of Object.entries(endings)) {
    const team = await newProject()
    const [inviter, unrelated] = [await join(team, 'admin'), await join(team, 'finance')]
    const person = await signUp(app)
    await inviter.stepUp()
    await invite(team, person.email, 'support', inviter)
    await offer(team, person)
    assert.equal((await unrelated.post(`${team.members}/leave`)).status, 204)
    assert.equal((await transferSeenBy(team.owner, team))?.to, person.email, name)
    await end(team, inviter, person)
    assert.equal(await transferSeenBy(team.owner, team), null, name)
    assert.deepEqual(await stagesMailedTo(person.email), ['cancelled', 'offered'], name)
    const token = await invite(team, person.email, 'support')
    assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).status, 200)
    await person.stepUp()
    assert.equal(toFieldCode(await act(person, team, '/accept')), 'no_transfer', name)
  }
})

test('an owner whose address is not confirmed can offer a project to a member, but not to an invited address', async () => {
  const team = await newProject()
  const email = 'target@example.me'
  await invite(team, email, 'support')
  assert.equal(toFieldCode(await act(team.owner, team, '', { email })), 'email_unconfirmed')
  assert.deepEqual(await stagesMailedTo(email), [])
  const member = await join(team, 'admin')
  assert.equal((await act(team.owner, team, '', { email: member.email })).status, 202)
})

test('an offer to an invited address expires with its invitation, unless the person joins', async () => {
  const team = await newProject()
  const person = await signUp(app)
  const token = await invite(team, person.email, 'support')
  await rows(
    deps.db,
    `update project_invitations set expires_at = now() + interval '1 day' where project_id = $1`,
    [team.id],
  )
  await offer(team, person)
  const daysOf = async () => {
    const seen = (await transferSeenBy(team.owner, team))!
    return Math.round((Date.parse(seen.expiresAt) - Date.parse(seen.requestedAt)) / 86_400_000)
  }
  assert.equal(await daysOf(), 1)
  assert.equal((await person.post(ACCEPT_INVITATION_PATH, { token })).status, 200)
  assert.equal(await daysOf(), 7)
})

test('an offer expires after a week, and then another offer can be made', async () => {
  const team = await newProject()
  const person = await join(team, 'support')
  await offer(team, person)
  await moveBack(team, '7 days')
  await person.stepUp()
  assert.equal(toFieldCode(await act(person, team, '/accept')), 'no_transfer')
  assert.equal(await applyTransfers(deps), 0)
  assert.deepEqual(await stagesMailedTo(team.owner.email), ['expired', 'offered'])
  await offer(team, person)
  await moveBack(team, '7 days')
  // The expired offer is still stored, and the new one replaces it.
  await offer(team, person)
  assert.equal((await listMembers(team)).length, 2)
})

test('when an offer expires, both sides get a mail, and the end is recorded in the history', async () => {
  const team = await newProject()
  const email = 'never@example.me'
  await invite(team, email, 'support')
  await offer(team, { email })
  await moveBack(team, '7 days')
  assert.equal(await applyTransfers(deps), 0)
  for (const to of [email, team.owner.email])
    assert.deepEqual(await stagesMailedTo(to), ['expired', 'offered'], to)
  assert.equal((await actionsOf(team))[0], 'transfer_ended')
  assert.equal(await transferSeenBy(team.owner, team), null)
})

test('a transfer is refused if the project is archived or the recipient may not own a new project', async () => {
  const team = await newProject()
  const person = await join(team, 'admin')
  for (let count = 0; count < PROJECTS_PER_ACCOUNT_MAX; count += 1) await person.addProject()
  await offer(team, person)
  await person.stepUp()
  assert.equal((await act(person, team, '/accept')).code, 'too_many')
  const [{ id: own } = { id: '' }] = (await person.post('/sdk/project/list'))
    .json<{ projects: { id: string; role: string }[] }>()
    .projects.filter(({ role }) => role === 'owner')
  assert.equal((await person.post(`/portal/api/projects/${own}/archive`)).status, 200)

  const strictReplica = await service.replica({ REQUIRE_KYC: 'true', SIGN_UP: 'closed' })
  const personOnStrict = copyClient(person, strictReplica.app)
  assert.equal((await act(personOnStrict, team, '/accept')).code, 'kyc_required')
  const setConfirmed = (at: Date | null) =>
    rows(deps.db, 'update accounts set email_confirmed_at = $2 where email = $1', [person.email, at])
  await setConfirmed(null)
  assert.equal(toFieldCode(await act(person, team, '/accept')), 'email_unconfirmed')
  await setConfirmed(new Date())
  await rows(deps.db, 'update accounts set invited_at = now() where email = $1', [person.email])
  assert.equal((await act(personOnStrict, team, '/accept')).code, 'sign_up_closed')
  assert.equal((await act(person, team, '/accept')).status, 202)
  // The same conditions are checked again when the transfer is due.
  await moveBack(team, '1 day')
  assert.equal(await applyTransfers(strictReplica.deps), 0)
  assert.equal(await roleOf(team.owner, team), 'owner')
  assert.ok((await stagesMailedTo(person.email)).includes('impossible'))

  const archived = await newProject()
  const member = await join(archived, 'admin')
  assert.equal((await archived.owner.post(`/portal/api/projects/${archived.id}/archive`)).status, 200)
  assert.equal((await act(archived.owner, archived, '', { email: member.email })).code, 'archived')
})

test('a transfer that fails does not stop the others, and the run still reports the failure', async () => {
  const teams = [await newProject(), await newProject()]
  const people: Client[] = []
  for (const team of teams) {
    const person = await join(team, 'admin')
    people.push(person)
    await offer(team, person)
    await accept(team, person)
    await moveBack(team, '1 day')
  }
  const [failing, later] = teams
  await rows(
    deps.db,
    `create function refuse_transfer() returns trigger language plpgsql as $$ begin
       if old.project_id = '${failing!.id}' then raise exception 'not today'; end if; return old; end $$`,
  )
  await rows(
    deps.db,
    'create trigger refuse before delete on project_transfers for each row execute function refuse_transfer()',
  )
  try {
    await assert.rejects(applyTransfers(deps), AggregateError)
    assert.equal(await roleOf(people[1]!, later!), 'owner')
    assert.ok(service.logs.some((line) => line.includes(failing!.id) && line.includes('not today')))
  } finally {
    await rows(deps.db, 'drop trigger refuse on project_transfers')
  }
  assert.equal(await applyTransfers(deps), 1)
  assert.equal(await roleOf(people[0]!, failing!), 'owner')
})

test('of three due transfers to a person with one free slot, only one takes effect', async () => {
  const person = await signUp(app)
  for (let count = 1; count < PROJECTS_PER_ACCOUNT_MAX; count += 1) await person.addProject()
  const teams = [await newProject(), await newProject(), await newProject()]
  for (const team of teams) {
    assert.equal(
      (await person.post(ACCEPT_INVITATION_PATH, { token: await invite(team, person.email, 'admin') }))
        .status,
      200,
    )
    await offer(team, person)
    await accept(team, person)
    await moveBack(team, '1 day')
  }
  const applied = await Promise.all([applyTransfers(deps), applyTransfers(other.deps)])
  assert.equal(applied[0] + applied[1], 1)
  const { projects } = (await person.post('/sdk/project/list')).json<{ projects: { role: string }[] }>()
  assert.equal(projects.filter(({ role }) => role === 'owner').length, PROJECTS_PER_ACCOUNT_MAX)
})

test('if a project is archived while its transfer takes effect, only one of the two succeeds', async () => {
  const team = await newProject()
  const person = await join(team, 'admin')
  await offer(team, person)
  await accept(team, person)
  await moveBack(team, '1 day')
  const [applied, archived] = await Promise.all([
    applyTransfers(other.deps),
    team.owner.post(`/portal/api/projects/${team.id}/archive`),
  ])
  const expected = applied === 1 ? 'forbidden_role' : ''
  assert.equal(archived.code, expected, archived.text)
  assert.equal(await roleOf(team.owner, team), applied === 1 ? 'admin' : 'owner')
})
