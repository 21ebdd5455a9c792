import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberRole } from '@pazar/contract'
import { LOGO_PNG } from '../../../test/logo-png.ts'
import { rows } from '../../../test/accounts.ts'
import { GOOD_PROJECT } from '../../../test/client.ts'
import { startTeamWorld } from '../../../test/team-world.ts'

const { app, deps, newProject, join, changeDuring } = await startTeamWorld()
const world = await newProject()
const base = `/portal/api/projects/${world.id}`
const { id: projectId } = world
const developer = await join(world, 'developer')
const prepare = () => world.owner.post(`${base}/next-secret`)

const LOSES_LIVE_SETTINGS = { from: 'admin', to: 'developer' } as const
const LOSES_SETTINGS = { from: 'developer', to: 'support' } as const

const REQUESTS: [roles: { from: MemberRole; to: MemberRole }, url: string, body: object][] = [
  [LOSES_LIVE_SETTINGS, '/sdk/project/update', { projectId, apiUrl: 'https://late.example.com/callback' }],
  [LOSES_LIVE_SETTINGS, '/sdk/project/update', { projectId, requireSignedLinks: true }],
  [LOSES_LIVE_SETTINGS, '/sdk/project/seeSecret', { projectId }],
  [LOSES_LIVE_SETTINGS, '/sdk/project/rotateSecret', { projectId }],
  [LOSES_LIVE_SETTINGS, '/sdk/project/rotateSecret', { projectId, useNext: true }],
  [LOSES_LIVE_SETTINGS, `${base}/next-secret`, {}],
  [LOSES_LIVE_SETTINGS, `${base}/next-secret/discard`, {}],
  [LOSES_LIVE_SETTINGS, `${base}/members/invite`, { email: 'late@example.me', role: 'support' }],
  [LOSES_LIVE_SETTINGS, `${base}/members/role`, { email: developer.email, role: 'support' }],
  [LOSES_LIVE_SETTINGS, `${base}/members/remove`, { email: developer.email }],
  [LOSES_SETTINGS, '/sdk/project/update', { projectId, name: 'Late' }],
  [LOSES_SETTINGS, `${base}/test-secret/rotate`, {}],
  [LOSES_SETTINGS, `${base}/brand`, { displayName: 'Late' }],
]

const readProject = () =>
  rows(
    deps.db,
    `select p.name, p.api_url, p.require_signed_links, b.display_name, b.logo_hash, (select array_agg(version order by mode)
       from project_secrets where project_id = p.id) as versions, (select sealed from next_secrets where project_id = p.id),
       (select count(*) from project_invitations where project_id = p.id and ended_at is null) as invitations
     from projects p left join project_brands b on b.project_id = p.id where p.id = $1`,
    [projectId],
  )

for (const [{ from, to }, url, body] of REQUESTS)
  test(`${url.replace(projectId, ':id')} with ${Object.keys(body).join(' ') || 'an empty body'} is refused if the role of the sender changes from ${from} to ${to} during the request`, async () => {
    const member = await join(world, from)
    await member.stepUp()
    assert.equal((await prepare()).status, 201)
    const projectBefore = await readProject()
    const demote = `update project_members set role = '${to}' where project_id = $1 and role = '${from}'`
    const response = await changeDuring(projectId, demote, () => member.post(url, body))
    // `demote` may also have changed the role of `developer`, which is restored here.
    await rows(
      deps.db,
      `update project_members set role = 'developer' where project_id = $1 and account_id = (select id from accounts where email = $2)`,
      [projectId, developer.email],
    )
    assert.deepEqual([response.status, response.code], [403, 'forbidden_role'])
    assert.deepEqual(await readProject(), projectBefore)
  })

test('a logo is not stored if the developer is demoted during the upload', async () => {
  const member = await join(world, 'developer')
  const cookie = [...member.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'image/png' }
  const upload = async () => {
    const response = await app.inject({
      method: 'POST',
      url: `${base}/brand/logo`,
      headers,
      payload: LOGO_PNG,
    })
    return { status: response.statusCode, ...response.json<{ code: string }>() }
  }
  const projectBefore = await readProject()
  const demote = `update project_members set role = 'support' where project_id = $1`
  const response = await changeDuring(projectId, demote, upload)
  assert.equal(response.code, 'forbidden_role')
  assert.deepEqual(await readProject(), projectBefore)
})

test('an admin whose role does not change can change the callback URL and the name', async () => {
  const admin = await join(world, 'admin')
  await admin.stepUp()
  const body = { projectId, apiUrl: GOOD_PROJECT.apiUrl, name: 'Now' }
  assert.equal((await admin.post('/sdk/project/update', body)).status, 200)
})
