import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOKENS_PER_ACCOUNT_MAX } from '@pazar/contract'
import { rows } from '../../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../../test/api-tokens.ts'
import { Client, signUp } from '../../../test/client.ts'
import { startTestService } from '../../../test/harness.ts'
import { findRefusedRoles } from '../../../test/roles.ts'
import { removeStale } from '../cleanup.ts'
import { toTokenHash } from '../token-hash.ts'

const service = await startTestService()
const { app, deps } = service
const LIST = '/sdk/project/list'
const VALID_TOKEN = { name: 'CI', scope: 'read', expiresInDays: 30 }

interface Listed {
  id: string
  name: string
  scope: string
  createdAt: string
  expiresAt: string
  lastUsedAt: string | null
  expired: boolean
}

async function listTokens(owner: Client): Promise<Listed[]> {
  const response = await owner.get('/portal/api/tokens')
  assert.equal(response.status, 200, response.text)
  return response.json<{ tokens: Listed[] }>().tokens
}

const isAccepted = async (token: string) => (await clientWithToken(app, token).post(LIST)).status === 200

/** Moves the times in `columns` of a token into the past. */
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
  const newToken = await makeToken(owner, { name: 'Kasa 1', scope: 'write', expiresInDays: 365 })
  assert.deepEqual(Object.keys(newToken).toSorted(), [
    'dailyCap',
    'expiresAt',
    'id',
    'name',
    'projectId',
    'scope',
    'token',
  ])
  assert.match(newToken.token, /^pat_[A-Za-z0-9_-]{43}$/)
  assert.deepEqual([newToken.name, newToken.scope], ['Kasa 1', 'write'])
  const [row] = await rows<{ token_hash: Buffer; days: number; text: string }>(
    deps.db,
    `select token_hash, extract(day from expires_at - created_at)::integer as days, t::text as text
     from api_tokens t where id = $1`,
    [newToken.id],
  )
  assert.ok(row!.token_hash.equals(toTokenHash(newToken.token)))
  assert.equal(row!.days, 365)
  assert.ok(!row!.text.includes(newToken.token.slice(4)))
  const [listed] = await listTokens(owner)
  assert.deepEqual(
    { ...listed, createdAt: null },
    {
      id: newToken.id,
      name: 'Kasa 1',
      scope: 'write',
      projectId: null,
      dailyCap: null,
      createdAt: null,
      expiresAt: newToken.expiresAt,
      lastUsedAt: null,
      expired: false,
    },
  )
  assert.ok(!service.logs.join('').includes(newToken.token))
})

test('the response with a new token must not be cached', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  assert.equal((await owner.post('/portal/api/tokens', VALID_TOKEN)).headers['cache-control'], 'no-store')
})

test('without a step-up no token is created', async () => {
  const owner = await signUp(app)
  const response = await owner.post('/portal/api/tokens', VALID_TOKEN)
  assert.deepEqual([response.status, response.code], [403, 'step_up_required'])
  assert.deepEqual(await listTokens(owner), [])
})

test('an invalid request is refused and the field is named', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const wrongBodies: [object, string][] = [
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
  for (const [change, path] of wrongBodies) {
    const response = await owner.post('/portal/api/tokens', { ...VALID_TOKEN, ...change })
    assert.equal(response.code, 'invalid_request', JSON.stringify(change))
    assert.deepEqual(
      response.json<{ errors: { path: string }[] }>().errors.map((one) => one.path),
      [path],
      response.text,
    )
  }
  assert.deepEqual(await listTokens(owner), [])
})

test('an account has at most fifty valid tokens, even if two are requested at the same time', async () => {
  const owner = await signUp(app)
  const { id } = await makeToken(owner)
  // Adds tokens until the account has one token less than the limit.
  await rows(
    deps.db,
    `insert into api_tokens (id, account_id, token_hash, name, scope, expires_at)
     select gen_random_uuid(), t.account_id, sha256(n::text::bytea || t.id::text::bytea), 'x', 'read', t.expires_at
     from api_tokens t, generate_series(3, $2) n where t.id = $1`,
    [id, TOKENS_PER_ACCOUNT_MAX],
  )
  const responses = await Promise.all([1, 2].map(() => owner.post('/portal/api/tokens', VALID_TOKEN)))
  assert.deepEqual(responses.map((one) => one.status).toSorted(), [201, 400])
  const refused = responses.find((one) => one.status === 400)!
  assert.equal(refused.json<{ errors: { code: string }[] }>().errors[0]!.code, 'too_many_tokens')
  assert.equal((await owner.post('/portal/api/tokens/revoke', { id })).status, 204)
  assert.equal((await owner.post('/portal/api/tokens', VALID_TOKEN)).status, 201)
})

test('checking a token costs one statement, and its use is recorded at most once a minute', async () => {
  const owner = await signUp(app)
  const { id, token } = await makeToken(owner)
  const usedAt = async () => (await listTokens(owner))[0]!.lastUsedAt
  const countBefore = deps.db.statementCount()
  // The body is invalid, so the request ends after the check of its token.
  await clientWithToken(app, token).post('/sdk/project/get', {})
  assert.equal(deps.db.statementCount() - countBefore, 1)
  const firstUse = await usedAt()
  assert.ok(firstUse)
  await Promise.all(Array.from({ length: 5 }, () => isAccepted(token)))
  assert.equal(await usedAt(), firstUse)
  await moveBack(id, 'last_used_at', '1 minute 1 second')
  assert.ok(await isAccepted(token))
  assert.ok((await usedAt())! >= firstUse)
})

test('an expired token stops working, stays listed as expired, and is deleted after 30 days', async () => {
  const owner = await signUp(app)
  const [expiring, valid] = [await makeToken(owner, { expiresInDays: 1 }), await makeToken(owner)]
  await moveBack(expiring.id, 'created_at expires_at', '23 hours 59 minutes')
  assert.ok(await isAccepted(expiring.token))
  await moveBack(expiring.id, 'created_at expires_at', '1 minute')
  const response = await clientWithToken(app, expiring.token).post(LIST)
  assert.deepEqual([response.status, response.code], [401, 'unauthenticated'])
  assert.deepEqual(
    (await listTokens(owner)).map(({ id, expired }) => [id, expired]),
    [
      [valid.id, false],
      [expiring.id, true],
    ],
  )
  await moveBack(expiring.id, 'created_at expires_at', '30 days')
  assert.equal((await removeStale(deps)).api_tokens, 1)
  assert.deepEqual(
    (await listTokens(owner)).map(({ id }) => id),
    [valid.id],
  )
})

test('a revoked token stops working on all replicas and is no longer listed', async () => {
  const owner = await signUp(app)
  const other = await service.replica()
  const [first, second] = [await makeToken(owner), await makeToken(owner)]
  const response = await owner.post('/portal/api/tokens/revoke', { id: first.id })
  assert.deepEqual([response.status, response.text], [204, ''])
  assert.equal((await clientWithToken(other.app, first.token).post(LIST)).code, 'unauthenticated')
  assert.equal(await isAccepted(first.token), false)
  assert.ok(await isAccepted(second.token))
  assert.deepEqual(
    (await listTokens(owner)).map(({ id }) => id),
    [second.id],
  )
  assert.equal((await owner.post('/portal/api/tokens/revoke', { id: first.id })).code, 'not_found')
})

test("somebody else's token is neither listed nor revoked", async () => {
  const [owner, stranger] = [await signUp(app), await signUp(app)]
  const { id, token } = await makeToken(owner)
  assert.deepEqual(await listTokens(stranger), [])
  assert.equal((await stranger.post('/portal/api/tokens/revoke', { id })).code, 'not_found')
  assert.equal((await stranger.post('/portal/api/tokens/revoke', { id: 'x' })).code, 'invalid_request')
  assert.ok(await isAccepted(token))
})

test('only the owner, admins and finance can create a token that refunds', async () => {
  const owner = await signUp(app)
  const { id: projectId } = await owner.addProject()
  const body = { ...VALID_TOKEN, scope: 'refund', projectId, dailyCap: '1000' }
  const refused = await findRefusedRoles(service, projectId, async (one) => {
    await one.stepUp()
    return one.post('/portal/api/tokens', body)
  })
  assert.equal(refused, 'developer support')
})
