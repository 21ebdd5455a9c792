import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { verifyPayLinkSig } from '@pazar/sdk'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { findRefusedRoles } from '../../test/roles.ts'
import { readSecret } from '../secrets/secrets.ts'

const BASE_URL = 'https://pay.example.me'

const service = await startTestService({ BASE_URL })
const { app, deps } = service
let owner: Client
let ownProjectId: string
let url: string

before(async () => {
  owner = await signUp(app)
  ownProjectId = (await owner.addProject()).id
  url = `/portal/api/projects/${ownProjectId}/pay-link`
})

async function write(body: object, headers: Record<string, string> = {}): Promise<URL> {
  const response = await owner.post(url, { amount: '1500', ...body }, headers)
  assert.equal(response.status, 200, response.text)
  return new URL(response.json<{ url: string }>().url)
}

test('the signature is valid for the values of the link, and the link uses BASE_URL, not the Host header', async () => {
  const exp = Math.floor(deps.clock.nowMs() / 1000) + 3600
  for (const mode of ['live', 'test'] as const) {
    const requested = { data: 'Narudžba 7', customId: 'order 7', mode, exp }
    const link = await write(requested, { host: 'evil.test', 'x-forwarded-host': 'evil.test' })
    assert.equal(link.origin, BASE_URL)
    assert.equal(link.pathname, '/pay')
    const { searchParams: query } = link
    assert.deepEqual(
      [query.get('amount'), query.get('project'), query.get('data'), query.get('customId'), query.get('exp')],
      ['1500', ownProjectId, 'Narudžba 7', 'order 7', String(exp)],
    )
    const fields = { amount: '1500', project: ownProjectId, ...requested }
    const secret = await readSecret(deps, deps.db, ownProjectId, mode)
    assert.equal(verifyPayLinkSig(fields, query.get('sig')!, secret), true)
    assert.equal((await new Client(app).get(link.pathname + link.search)).status, 200)
  }
})

test('a link without data gets an empty data parameter, which the page requires', async () => {
  const link = await write({})
  assert.equal(link.searchParams.get('data'), '')
  assert.equal(link.searchParams.has('customId'), false)
})

test('a link whose expiry is in the past, or now, is refused', async (t) => {
  const nowSec = Math.floor(deps.clock.nowMs() / 1000)
  t.mock.method(deps.clock, 'nowMs', () => nowSec * 1000)
  for (const exp of [nowSec - 1, nowSec]) {
    const response = await owner.post(url, { amount: '1', exp })
    const [error] = response.json<{ errors: { path: string; code: string; message: string }[] }>().errors
    assert.deepEqual([error!.path, error!.code], ['exp', 'out_of_range'])
    assert.doesNotMatch(error!.message, /\d/, 'the message must not show the limit as a number of seconds')
  }
  assert.equal((await owner.post(url, { amount: '1', exp: nowSec + 1 })).status, 200)
})

test('an invalid value or an unknown field is refused, and the error names the field', async () => {
  const wrong: [body: object, path: string][] = [
    [{ amount: '01' }, 'amount'],
    [{ data: 'x'.repeat(2049) }, 'data'],
    [{ customId: ' a' }, 'customId'],
    [{ mode: 'both' }, 'mode'],
    [{ exp: '1790000000' }, 'exp'],
    [{ exp: 0 }, 'exp'],
    [{ signed: false }, 'signed'],
    [{ projectId: 'a' }, 'projectId'],
  ]
  for (const [body, path] of wrong) {
    const response = await owner.post(url, { amount: '1', ...body })
    assert.equal(response.code, 'invalid_request', JSON.stringify(body))
    assert.equal(response.json<{ errors: { path: string }[] }>().errors[0]!.path, path)
  }
})

test('an archived project, another account and a request without a session get no link', async () => {
  const { id } = await owner.addProject()
  await owner.stepUp()
  await owner.post(`/portal/api/projects/${id}/archive`)
  assert.equal((await owner.post(`/portal/api/projects/${id}/pay-link`, { amount: '1' })).code, 'archived')
  assert.equal((await (await signUp(app)).post(url, { amount: '1' })).code, 'not_found')
  assert.equal((await new Client(app).post(url, { amount: '1' })).code, 'unauthenticated')
})

test('every role except finance may get pay links', async () => {
  const refused = await findRefusedRoles(service, ownProjectId, (one) => one.post(url, { amount: '1500' }))
  assert.equal(refused, 'finance')
})

test('a token with the scope "read" gets only test links, and a token with the scope "write" also gets live links', async () => {
  const codes = []
  for (const scope of ['read', 'write'] as const) {
    const apiClient = clientWithToken(app, (await makeToken(owner, { scope })).token)
    for (const mode of ['live', 'test'])
      codes.push((await apiClient.post(url, { amount: '1500', mode })).code)
  }
  assert.deepEqual(codes, ['step_up_required', '', '', ''])
})
