import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '@pazar/contract'
import { makeToken, clientWithToken } from '../../../test/api-tokens.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'

const service = await startTestService()
const { app, deps } = service
const LIST = '/sdk/project/list'

test('a token gives access to a project of its account, and not to a project of another account', async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  const [{ id: own }, { id: foreign }] = [await owner.addProject(), await stranger.addProject()]
  const apiClient = clientWithToken(app, (await makeToken(owner)).token)
  assert.equal((await apiClient.post('/sdk/project/get', { projectId: own })).status, 200)
  assert.equal((await apiClient.post('/sdk/project/get', { projectId: foreign })).code, 'not_found')
})

test('text that cannot be a token is refused as unauthenticated, without a query', async () => {
  const { token } = await makeToken(await signUp(app))
  const countBefore = deps.db.statementCount()
  for (const text of [
    'x',
    token.slice(0, -1),
    `${token}A`,
    token.slice(4),
    `pat_${'ž'.repeat(43)}`,
    'pat_',
  ]) {
    const response = await clientWithToken(app, encodeURI(text)).post(LIST)
    assert.deepEqual([response.status, response.code], [401, 'unauthenticated'], text)
  }
  assert.equal(deps.db.statementCount(), countBefore)
  const unknown = await clientWithToken(app, `pat_${'A'.repeat(43)}`).post(LIST)
  assert.equal(unknown.code, 'unauthenticated')
})

test('a token is accepted with the scheme "Bearer" in any letter case; an authorization header with another scheme is ignored', async () => {
  const owner = await signUp(app)
  const { token } = await makeToken(owner)
  const lowerCase = await new Client(app).post(LIST, {}, { authorization: `bearer  ${token}` })
  assert.equal(lowerCase.status, 200)
  assert.equal((await owner.post(LIST, {}, { authorization: 'Basic eDp5' })).status, 200)
  assert.equal((await new Client(app).post(LIST, {}, { authorization: token })).code, 'unauthenticated')
})

test('a request with a token and a session cookie is refused', async () => {
  const owner = await signUp(app)
  const { token } = await makeToken(owner)
  for (const [session, bearer] of [
    [owner.jar.get('session')!, token],
    [owner.jar.get('session')!, 'nonsense'],
    ['nonsense', token],
  ]) {
    const headers = { cookie: `session=${session}`, authorization: `Bearer ${bearer}` }
    const response = await new Client(app).post(LIST, {}, headers)
    assert.deepEqual([response.status, response.code], [400, 'invalid_request'])
    const [wrong] = response.json<{ errors: { path: string; code: string }[] }>().errors
    assert.deepEqual([wrong!.path, wrong!.code], ['authorization', 'token_and_session'])
  }
})

test('requests with a token are accepted from any origin', async () => {
  const { token } = await makeToken(await signUp(app))
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const response = await clientWithToken(app, token).post(LIST, {}, headers)
  assert.equal(response.status, 200)
  assert.equal(response.headers['access-control-allow-origin'], undefined)
})

test('requests with a token count towards the rate limit of its account', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_PORTAL: '3' })
  const owner = await signUp(app)
  const [first, second] = [await makeToken(owner), await makeToken(owner, { scope: 'read' })]
  const apiClient = clientWithToken(limited.app, first.token)
  const reader = clientWithToken(limited.app, second.token)
  assert.equal((await apiClient.post(LIST)).status, 200)
  // A request refused for its scope counts too.
  assert.equal((await reader.post('/sdk/project/add')).status, 403)
  assert.equal((await reader.post(LIST)).status, 200)
  const response = await apiClient.post(LIST)
  assert.equal(response.code, 'rate_limited')
  assert.ok(Number(response.headers['retry-after']) > 0)
})

test('a token is refused where a step-up is needed, even if it has the scope "write"', async () => {
  const owner = await signUp(app)
  const { id: projectId } = await owner.addProject({ requireSignedLinks: true })
  const { token } = await makeToken(owner)
  const change = { projectId, requireSignedLinks: false }
  const response = await clientWithToken(app, token).post('/sdk/project/update', change)
  assert.deepEqual([response.status, response.code], [403, 'step_up_required'])
})

test('a refusal because of the scope is explained in the language of the account', async () => {
  const owner = await signUp(app)
  const { token } = await makeToken(owner, { scope: 'read' })
  await owner.post('/portal/api/account', { locale: 'cnr' })
  const response = await clientWithToken(app, token).post('/sdk/project/add')
  const message = 'Dozvola ovog API tokena ovo ne obuhvata. Koristite token sa dozvolom koju ova ruta traži.'
  const { detail, errors } = response.json<Problem>()
  assert.deepEqual(errors, [{ path: 'authorization', code: 'token_scope', message }])
  assert.equal(detail, message, 'the detail does not ask for the password, because a program has none')
})

test('a token of one project gives no access to another project, whether a field or the path names the other project', async () => {
  const owner = await signUp(app)
  const { id: own } = await owner.addProject()
  const { id: other } = await owner.addProject()
  const { token } = await makeToken(owner, { scope: 'write', projectId: own })
  const apiClient = clientWithToken(app, token)
  const requests = (id: string): [string, object][] => [
    ['/sdk/project/get', { projectId: id }],
    ['/sdk/project/update', { projectId: id, name: 'Nova' }],
    ['/sdk/project/qr', { project: id, amount: '1500' }],
    ['/sdk/project/qr', { projectId: id, amount: '1500' }],
    ['/sdk/transactions/list', { projectId: id }],
    ['/sdk/events/list', { projectId: id }],
    [`/portal/api/projects/${id}/pay-link`, { amount: '1500' }],
  ]
  for (const [url, body] of requests(other)) {
    const refused = await apiClient.post(url, body)
    assert.deepEqual([refused.status, refused.code], [404, 'not_found'], url)
  }
  for (const [url, body] of requests(own)) assert.equal((await apiClient.post(url, body)).status, 200, url)
})
