import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMailedToken, rows } from '../../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../../test/api-tokens.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'

const service = await startTestService()
const { app, deps } = service
const LIST = '/sdk/project/list'

async function auditOf(owner: Client) {
  const text = `select action, actor, project_id, changes from audit_events e join accounts a on a.id = e.account_id
    where a.email = $1 and action in ('token_made', 'token_revoked') order by e.id`
  return rows(deps.db, text, [owner.email])
}

const isAccepted = async (token: string) => (await clientWithToken(app, token).post(LIST)).status === 200

test('the audit trail records created and revoked tokens, and which token did an action', async () => {
  const owner = await signUp(app)
  const { id, token } = await makeToken(owner, { name: 'Kasa 1' })
  const { id: project } = await clientWithToken(app, token).addProject()
  await owner.post('/portal/api/tokens/revoke', { id })
  const byAccount = { actor: 'owner', project_id: null }
  assert.deepEqual(
    (await auditOf(owner)).map(({ changes, ...row }) => [row, changes]),
    [
      [
        { ...byAccount, action: 'token_made' },
        { name: 'Kasa 1', scope: 'write', expiresInDays: 30 },
      ],
      [
        { ...byAccount, action: 'token_revoked' },
        { name: 'Kasa 1', scope: 'write' },
      ],
    ],
  )
  const { items } = (await owner.get('/portal/api/audit')).json<{ items: Record<string, unknown>[] }>()
  const added = items.find((one) => one['action'] === 'project_added')!
  assert.deepEqual([added['actor'], added['projectId']], ['token:Kasa 1', project])
})

test('the history of a project lists the creation and the revocation of its tokens', async () => {
  const owner = await signUp(app)
  const { id: projectId } = await owner.addProject()
  const { id } = await makeToken(owner, { name: 'Kasa 2', projectId })
  await owner.post('/portal/api/tokens/revoke', { id })
  const history = await owner.get(`/portal/api/projects/${projectId}/history`)
  const { items } = history.json<{ items: { action: string; changes: Record<string, unknown> }[] }>()
  assert.deepEqual(
    items.slice(0, 2).map(({ action, changes }) => [action, changes['name']]),
    [
      ['token_revoked', 'Kasa 2'],
      ['token_made', 'Kasa 2'],
    ],
  )
})

test('a password reset by mail revokes all tokens, and a password change revokes none by default', async () => {
  const owner = await signUp(app)
  const { token } = await makeToken(owner)
  const newPassword = 'devet crvenih jabuka na stolu'
  assert.equal((await owner.post('/portal/api/password', { password: newPassword })).status, 204)
  assert.ok(await isAccepted(token))
  const visitor = new Client(app)
  await visitor.post('/portal/api/password/forgot', { email: owner.email })
  const link = await readMailedToken(service, owner.email, 'reset_password')
  const reset = { token: link, password: 'osam plavih kruna u torbi' }
  assert.equal((await visitor.post('/portal/api/password/reset', reset)).status, 204)
  assert.equal(await isAccepted(token), false)
})
