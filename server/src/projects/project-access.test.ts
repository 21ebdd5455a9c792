import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyClient, rows } from '../../test/accounts.ts'
import { CROSS_SITE_MATRIX, OWN_ORIGIN } from '../../test/cross-site-matrix.ts'
import { recordStatements } from '../../test/payments.ts'
import { isLocked } from '../../test/row-locks.ts'
import type { Team } from '../../test/team-world.ts'
import { toFieldCode, startTeamWorld, VIEW_INVITATION_PATH } from '../../test/team-world.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { isKnownZone } from '../accounts/time-zones-store.ts'
import { requireProjectUntilCommit, requireStillAllowed } from './access.ts'
import { isOwnResultPage } from './own-urls.ts'
import { addProject, updateProject } from './projects.ts'
import * as store from './projects-store.ts'

const { service, deps, newProject, invite, join } = await startTeamWorld()
const { db } = deps

const accountOf = async (email: string) => (await findAccountByEmail(db, email))!

const callerOf = async (email: string) => ({
  account: await accountOf(email),
  sessionId: 'x',
  token: null,
  stepUpUntil: null,
  ip: '',
  userAgent: '',
})

const setRole = (role: string, { id }: Team) =>
  rows(db, 'update project_members set role = $1 where project_id = $2', [role, id])

test('the access check during a long response fails when the member signs out, gets a lower role or is removed', async () => {
  const team = await newProject()
  const { id: accountId } = await accountOf((await join(team, 'finance')).email)
  let isSignedIn = true
  const isStillAllowed = async () => isSignedIn
  const check = () => requireStillAllowed(db, { accountId, isStillAllowed }, team.id, 'money')
  await check()
  isSignedIn = false
  await assert.rejects(check, { code: 'unauthenticated' })
  isSignedIn = true
  await setRole('support', team)
  await assert.rejects(check, { code: 'forbidden_role' })
  await rows(db, 'delete from project_members where project_id = $1', [team.id])
  await assert.rejects(check, { code: 'not_found' })
})

test('requireProjectUntilCommit locks the project, and refuses a person without the permission', async () => {
  const team = await newProject()
  const [support, otherTeam] = [await join(team, 'support'), await newProject()]
  const select = 'select from projects where id = $1'
  await db.transaction(async (tx) => {
    const { id: accountId } = await accountOf(support.email)
    const { role } = await requireProjectUntilCommit(tx, accountId, team.id, 'read')
    assert.equal(role, 'support')
    assert.equal(await isLocked(service.databaseUrl, select, [team.id]), true)
    await assert.rejects(requireProjectUntilCommit(tx, accountId, team.id, 'money'), {
      code: 'forbidden_role',
    })
    const { id: strangerId } = await accountOf(otherTeam.owner.email)
    await assert.rejects(requireProjectUntilCommit(tx, strangerId, team.id, 'read'), { code: 'not_found' })
  })
})

test('requests for live secrets, invitations, role changes and transfers are refused for a day after a recovery code was used', async () => {
  const team = await newProject()
  const [{ owner, id, members }, person] = [team, await join(team, 'admin')]
  const base = `/portal/api/projects/${id}`
  await person.stepUp()
  const setRecovered = (ago: string) =>
    rows(db, 'update accounts set recovery_used_at = now() - $2::interval where email = any ($1)', [
      [owner.email, person.email],
      ago,
    ])
  const requests: [url: string, body?: object][] = [
    ['/sdk/project/seeSecret', { projectId: id }],
    ['/sdk/project/rotateSecret', { projectId: id }],
    [`${base}/next-secret`],
    [`${members}/invite`, { email: 'guest@example.me', role: 'support' }],
    [`${members}/role`, { email: person.email, role: 'finance' }],
    [`${base}/transfer`, { email: person.email }],
  ]
  await setRecovered('23 hours')
  for (const [url, body] of requests) {
    const refused = await owner.post(url, body)
    assert.deepEqual([refused.code, toFieldCode(refused)], ['step_up_required', 'recovery_wait'], url)
  }
  assert.equal((await owner.post(`${base}/archive`)).status, 200)
  assert.equal((await owner.post(`${base}/restore`)).status, 200)
  await setRecovered('25 hours')
  assert.equal((await owner.post(`${base}/transfer`, { email: person.email })).status, 202)
  await setRecovered('1 hour')
  assert.equal(toFieldCode(await person.post(`${base}/transfer/accept`)), 'recovery_wait')
  assert.equal((await owner.post(`${members}/remove`, { email: person.email })).status, 204)
})

test('offers to transfer a project and invitations to it share one rate limit', async () => {
  const team = await newProject()
  const person = await join(team, 'support')
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_INVITE: '2' })
  const owner = copyClient(team.owner, limited.app)
  const path = `/portal/api/projects/${team.id}/transfer`
  const offer = async () => (await owner.post(path, { email: person.email })).code
  assert.equal(
    (await owner.post(`${team.members}/invite`, { email: 'n@example.me', role: 'support' })).status,
    202,
  )
  assert.equal(await offer(), '')
  assert.equal(await offer(), 'rate_limited')
})

test('a time zone that the database does not know is refused when a project is added or updated', async () => {
  const { owner, id: projectId } = await newProject()
  const caller = await callerOf(owner.email)
  const withOldDatabase = recordStatements(deps, async (name, run) =>
    name === 'time_zones.is_known' ? ([] as Awaited<ReturnType<typeof run>> & []) : run(),
  )
  const timeZone = 'Europe/Podgorica'
  const changed = { projectId, testApiUrl: undefined, timeZone }
  const urls = { resultUrl: 'https://shop.example.com/', apiUrl: 'https://shop.example.com/callback' }
  const added = {
    name: 'Nova',
    ...urls,
    testApiUrl: null,
    requireSignedLinks: false,
    events: ['payment.result' as const],
  }
  for (const request of [
    () => updateProject(withOldDatabase.deps, caller, changed, () => undefined),
    () => addProject(withOldDatabase.deps, caller, { ...added, timeZone }),
  ])
    await assert.rejects(request, { code: 'invalid_request' })
  const project = await updateProject(deps, caller, changed, () => undefined)
  assert.equal(project.timeZone, timeZone)
  assert.deepEqual([await isKnownZone(db, timeZone), await isKnownZone(db, 'Europe/Nowhere')], [true, false])
})

test('another site cannot make a browser view an invitation', async () => {
  const { app } = await service.replica({ BASE_URL: OWN_ORIGIN })
  const team = await newProject()
  const token = await invite(team, 'viewed@example.me', 'support')
  for (const { what, headers, passes } of CROSS_SITE_MATRIX) {
    const response = await app.inject({
      method: 'POST',
      url: VIEW_INVITATION_PATH,
      headers,
      payload: { token },
    })
    assert.equal(response.statusCode, passes ? 200 : 403, what)
  }
})

test('the store lists the projects of one owner and of all owners, and finds the name and the owner of one project', async () => {
  const [team, shared] = [await newProject(), await newProject()]
  const { id: ownerId } = await accountOf(team.owner.email)
  await rows(
    db,
    `insert into project_members (project_id, account_id, role, mails) values ($1, $2, 'admin', '{}')`,
    [shared.id, ownerId],
  )
  const [second, archived] = [await team.owner.addProject(), await team.owner.addProject()]
  await team.owner.post(`/portal/api/projects/${archived.id}/archive`)
  const owned = [team.id, second.id, archived.id]
  assert.deepEqual(
    (await store.listOwnedProjects(db, ownerId)).map(({ id }) => id),
    owned,
  )
  assert.deepEqual(
    await db.transaction((tx) => store.lockProjects(tx, ownerId)),
    owned.map((id) => ({ id, isArchived: id === archived.id })),
  )
  const all = await store.listProjectIds(db)
  assert.deepEqual(all, all.toSorted())
  for (const id of [...owned, shared.id]) assert.ok(all.includes(id))
  await team.owner.post('/sdk/project/update', { projectId: team.id, name: 'Moja' })
  assert.deepEqual(await store.findNameAndOwner(db, team.id), { name: 'Moja', ownerId })
  assert.equal(await store.findOwnerId(db, team.id), ownerId)
  assert.deepEqual(
    [await store.findNameAndOwner(db, 'unknown'), await store.findOwnerId(db, 'unknown')],
    [null, null],
  )
})

test('isOwnResultPage is true for the service’s own confirmation page, with and without a query', () => {
  const base = 'https://pay.example.me'
  for (const end of ['', '?status=success', '#top'])
    assert.equal(isOwnResultPage(base, `${base}/pay/successful${end}`), true, end)
  for (const url of [
    `${base}/pay/successful/x`,
    `${base}/pay`,
    'https://shop.example.com/pay/successful',
    `https://shop.example.com/?to=${base}/pay/successful`,
  ])
    assert.equal(isOwnResultPage(base, url), false, url)
})
