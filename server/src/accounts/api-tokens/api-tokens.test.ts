import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOKENS_PER_ACCOUNT_MAX } from '@pazar/contract'
import { mailedToken, rows } from '../../../test/accounts.ts'
import { makeToken, programWith } from '../../../test/api-tokens.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { removeStale } from '../cleanup.ts'
import { toTokenHash } from '../token-hash.ts'

const service = await startTestService()
const { app, deps } = service
const LIST = '/sdk/project/list'
const GOOD = { name: 'CI', scope: 'read', expiresInDays: 30 }

interface Listed {
  id: string
  name: string
  scope: string
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
  expired: boolean
}

async function listOf(owner: Client): Promise<Listed[]> {
  const response = await owner.get('/portal/api/tokens')
  assert.equal(response.status, 200, response.text)
  return response.json<{ tokens: Listed[] }>().tokens
}

async function auditOf(owner: Client) {
  const text = `select action, actor, project_id, changes from audit_events e join accounts a on a.id = e.account_id
    where a.email = $1 and action in ('token_made', 'token_revoked') order by e.id`
  return rows(deps.db, text, [owner.email])
}

const works = async (token: string) => (await programWith(app, token).post(LIST)).status === 200

const moveBack = (id: string, columns: string, by: string) =>
  rows(
    deps.db,
    `update api_tokens set ${columns
      .split(' ')
      .map((one) => `${one} = ${one} - $2::interval`)
      .join(', ')} where id = $1`,
    [id, by],
  )

test('a token is created after a step-up, shown once, and stored only as a hash', async () => {
  const owner = await signUp(app)
  const made = await makeToken(owner, { name: 'Kasa 1', scope: 'write', expiresInDays: 365 })
  assert.deepEqual(Object.keys(made).toSorted(), [
    'dailyCap',
    'expiresAt',
    'id',
    'name',
    'projectId',
    'scope',
    'token',
  ])
  assert.match(made.token, /^pat_[A-Za-z0-9_-]{43}$/)
  assert.deepEqual([made.name, made.scope], ['Kasa 1', 'write'])
  const [row] = await rows<{ token_hash: Buffer; days: number; text: string }>(
    deps.db,
    `select token_hash, extract(day from expires_at - created_at)::integer as days, t::text as text
     from api_tokens t where id = $1`,
    [made.id],
  )
  assert.ok(row!.token_hash.equals(toTokenHash(made.token)))
  assert.equal(row!.days, 365)
  assert.ok(!row!.text.includes(made.token.slice(4)))
  const [listed] = await listOf(owner)
  assert.deepEqual(
    { ...listed, createdAt: null },
    {
      id: made.id,
      name: 'Kasa 1',
      scope: 'write',
      projectId: null,
      dailyCap: null,
      createdAt: null,
      expiresAt: made.expiresAt,
      lastUsedAt: null,
      expired: false,
    },
  )
  assert.ok(!service.logs.join('').includes(made.token))
})

test('the response with a new token must not be cached', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  assert.equal((await owner.post('/portal/api/tokens', GOOD)).headers['cache-control'], 'no-store')
})

test('without a step-up no token is created', async () => {
  const owner = await signUp(app)
  const response = await owner.post('/portal/api/tokens', GOOD)
  assert.deepEqual([response.status, response.code], [403, 'step_up_required'])
  assert.deepEqual(await listOf(owner), [])
})

test('an invalid request is refused and the field is named', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const wrong: [object, string][] = [
    [{ name: '' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ scope: 'admin' }, 'scope'],
    [{ scope: undefined }, 'scope'],
    [{ expiresInDays: 0 }, 'expiresInDays'],
    [{ expiresInDays: 366 }, 'expiresInDays'],
    [{ expiresInDays: 1.5 }, 'expiresInDays'],
    [{ expiresInDays: '30' }, 'expiresInDays'],
    [{ expiresInDays: undefined }, 'expiresInDays'],
    [{ accountId: 'x' }, 'accountId'],
  ]
  for (const [change, path] of wrong) {
    const response = await owner.post('/portal/api/tokens', { ...GOOD, ...change })
    assert.equal(response.code, 'invalid_request', JSON.stringify(change))
    assert.deepEqual(
      response.json<{ errors: { path: string }[] }>().errors.map((one) => one.path),
      [path],
      response.text,
    )
  }
  assert.deepEqual(await listOf(owner), [])
})

test('an account has at most fifty valid tokens, also when two are requested at the same time', async () => {
  const owner = await signUp(app)
  const { id } = await makeToken(owner)
  await rows(
    deps.db,
    `insert into api_tokens (id, account_id, token_hash, name, scope, expires_at)
     select gen_random_uuid(), t.account_id, sha256(n::text::bytea || t.id::text::bytea), 'x', 'read', t.expires_at
     from api_tokens t, generate_series(3, $2) n where t.id = $1`,
    [id, TOKENS_PER_ACCOUNT_MAX],
  )
  const both = await Promise.all([1, 2].map(() => owner.post('/portal/api/tokens', GOOD)))
  assert.deepEqual(both.map((one) => one.status).toSorted(), [201, 400])
  const refused = both.find((one) => one.status === 400)!
  assert.equal(refused.json<{ errors: { code: string }[] }>().errors[0]!.code, 'too_many_tokens')
  assert.equal((await owner.post('/portal/api/tokens/revoke', { id })).status, 204)
  assert.equal((await owner.post('/portal/api/tokens', GOOD)).status, 201)
})

test('checking a token costs one statement, and its use is recorded at most once a minute', async () => {
  const owner = await signUp(app)
  const { id, token } = await makeToken(owner)
  const usedAt = async () => (await listOf(owner))[0]!.lastUsedAt
  const before = deps.db.statementCount()
  await programWith(app, token).post('/sdk/project/get', {})
  assert.equal(deps.db.statementCount() - before, 1)
  const first = await usedAt()
  assert.ok(first)
  await Promise.all(Array.from({ length: 5 }, () => works(token)))
  assert.equal(await usedAt(), first)
  await moveBack(id, 'last_used_at', '1 minute 1 second')
  assert.ok(await works(token))
  assert.ok((await usedAt())! >= first)
})

test('an expired token stops working, stays listed as expired, and is deleted after a month', async () => {
  const owner = await signUp(app)
  const [short, long] = [await makeToken(owner, { expiresInDays: 1 }), await makeToken(owner)]
  await moveBack(short.id, 'created_at expires_at', '23 hours 59 minutes')
  assert.ok(await works(short.token))
  await moveBack(short.id, 'created_at expires_at', '1 minute')
  const response = await programWith(app, short.token).post(LIST)
  assert.deepEqual([response.status, response.code], [401, 'unauthenticated'])
  assert.deepEqual(
    (await listOf(owner)).map(({ id, expired }) => [id, expired]),
    [
      [long.id, false],
      [short.id, true],
    ],
  )
  await moveBack(short.id, 'created_at expires_at', '30 days')
  assert.equal((await removeStale(deps)).api_tokens, 1)
  assert.deepEqual(
    (await listOf(owner)).map(({ id }) => id),
    [long.id],
  )
})

test('a revoked token stops working on all replicas and is no longer listed', async () => {
  const owner = await signUp(app)
  const other = await service.replica()
  const [first, second] = [await makeToken(owner), await makeToken(owner)]
  const response = await owner.post('/portal/api/tokens/revoke', { id: first.id })
  assert.deepEqual([response.status, response.text], [204, ''])
  assert.equal((await programWith(other.app, first.token).post(LIST)).code, 'unauthenticated')
  assert.equal(await works(first.token), false)
  assert.ok(await works(second.token))
  assert.deepEqual(
    (await listOf(owner)).map(({ id }) => id),
    [second.id],
  )
  assert.equal((await owner.post('/portal/api/tokens/revoke', { id: first.id })).code, 'not_found')
})

test("somebody else's token is neither listed nor revoked", async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  const { id, token } = await makeToken(owner)
  assert.deepEqual(await listOf(stranger), [])
  assert.equal((await stranger.post('/portal/api/tokens/revoke', { id })).code, 'not_found')
  assert.equal((await stranger.post('/portal/api/tokens/revoke', { id: 'x' })).code, 'invalid_request')
  assert.ok(await works(token))
})

test('a token gives access only to its owner’s projects', async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  const [{ id: own }, { id: foreign }] = [await owner.addProject(), await stranger.addProject()]
  const program = programWith(app, (await makeToken(owner)).token)
  assert.equal((await program.post('/sdk/project/get', { projectId: own })).status, 200)
  assert.equal((await program.post('/sdk/project/get', { projectId: foreign })).code, 'not_found')
})

test('text that cannot be a token is unauthenticated, without a query', async () => {
  const { token } = await makeToken(await signUp(app))
  const before = deps.db.statementCount()
  for (const text of [
    'x',
    token.slice(0, -1),
    `${token}A`,
    token.slice(4),
    `pat_${'ž'.repeat(43)}`,
    'pat_',
  ]) {
    const response = await programWith(app, encodeURI(text)).post(LIST)
    assert.deepEqual([response.status, response.code], [401, 'unauthenticated'], text)
  }
  assert.equal(deps.db.statementCount(), before)
  const unknown = await programWith(app, `pat_${'A'.repeat(43)}`).post(LIST)
  assert.equal(unknown.code, 'unauthenticated')
})

test('the scheme is accepted in any letter case, and another scheme does not affect the session', async () => {
  const owner = await signUp(app)
  const { token } = await makeToken(owner)
  const lower = await new Client(app).post(LIST, {}, { authorization: `bearer  ${token}` })
  assert.equal(lower.status, 200)
  assert.equal((await owner.post(LIST, {}, { authorization: 'Basic eDp5' })).status, 200)
  assert.equal((await new Client(app).post(LIST, {}, { authorization: token })).code, 'unauthenticated')
})

test('a token together with a session cookie is refused, even if one of them is valid', async () => {
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

test('requests with a token are accepted from any origin, because browsers do not send tokens automatically', async () => {
  const { token } = await makeToken(await signUp(app))
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const response = await programWith(app, token).post(LIST, {}, headers)
  assert.equal(response.status, 200)
  assert.equal(response.headers['access-control-allow-origin'], undefined)
})

test('requests with a token count towards the limit of its account', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_PORTAL: '3' })
  const owner = await signUp(app)
  const [first, second] = [await makeToken(owner), await makeToken(owner, { scope: 'read' })]
  const program = programWith(limited.app, first.token)
  const reader = programWith(limited.app, second.token)
  assert.equal((await program.post(LIST)).status, 200)
  // A request refused for its scope counts too.
  assert.equal((await reader.post('/sdk/project/add')).status, 403)
  assert.equal((await reader.post(LIST)).status, 200)
  const response = await program.post(LIST)
  assert.equal(response.code, 'rate_limited')
  assert.ok(Number(response.headers['retry-after']) > 0)
})

test('a token of any scope is refused where a step-up is needed', async () => {
  const owner = await signUp(app)
  const { id: projectId } = await owner.addProject({ requireSignedLinks: true })
  const { token } = await makeToken(owner)
  const change = { projectId, requireSignedLinks: false }
  const response = await programWith(app, token).post('/sdk/project/update', change)
  assert.deepEqual([response.status, response.code], [403, 'step_up_required'])
})

test('a refusal for the scope is explained in the language of the account', async () => {
  const owner = await signUp(app)
  const { token } = await makeToken(owner, { scope: 'read' })
  await owner.post('/portal/api/account', { locale: 'cnr' })
  const response = await programWith(app, token).post('/sdk/project/add')
  assert.deepEqual(response.json<{ errors: object[] }>().errors, [
    {
      path: 'authorization',
      code: 'token_scope',
      message: 'Dozvola ovog API tokena ovo ne obuhvata. Koristite token sa dozvolom koju ova ruta traži.',
    },
  ])
})

test('the audit trail records created and revoked tokens, and which token did an action', async () => {
  const owner = await signUp(app)
  const { id, token } = await makeToken(owner, { name: 'Kasa 1' })
  const { id: project } = await programWith(app, token).addProject()
  await owner.post('/portal/api/tokens/revoke', { id })
  const by = { actor: 'owner', project_id: null }
  assert.deepEqual(
    (await auditOf(owner)).map(({ changes, ...row }) => [row, changes]),
    [
      [
        { ...by, action: 'token_made' },
        { name: 'Kasa 1', scope: 'write', expiresInDays: 30 },
      ],
      [
        { ...by, action: 'token_revoked' },
        { name: 'Kasa 1', scope: 'write' },
      ],
    ],
  )
  const { items } = (await owner.get('/portal/api/audit')).json<{ items: Record<string, unknown>[] }>()
  const added = items.find((one) => one['action'] === 'project_added')!
  assert.deepEqual([added['actor'], added['projectId']], ['token:Kasa 1', project])
})

test('a password reset by mail revokes all tokens; a password change does not', async () => {
  const owner = await signUp(app)
  const { token } = await makeToken(owner)
  const changed = 'devet crvenih jabuka na stolu'
  assert.equal((await owner.post('/portal/api/password', { password: changed })).status, 204)
  assert.ok(await works(token))
  const visitor = new Client(app)
  await visitor.post('/portal/api/password/forgot', { email: owner.email })
  const link = await mailedToken(service, owner.email, 'reset_password')
  const reset = { token: link, password: 'osam plavih kruna u torbi' }
  assert.equal((await visitor.post('/portal/api/password/reset', reset)).status, 204)
  assert.equal(await works(token), false)
})

test('a token of one project reaches no other project, whichever field or path names it', async () => {
  const owner = await signUp(app)
  const { id: own } = await owner.addProject()
  const { id: other } = await owner.addProject()
  const { token } = await makeToken(owner, { scope: 'write', projectId: own })
  const program = programWith(app, token)
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
    const refused = await program.post(url, body)
    assert.deepEqual([refused.status, refused.code], [404, 'not_found'], url)
  }
  for (const [url, body] of requests(own)) assert.equal((await program.post(url, body)).status, 200, url)
})
