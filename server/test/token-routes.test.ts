// Calls every route of the app with a token of each scope. Only the routes that the contract names may accept the token.
// Why this is long: the tests share one list of routes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TokenScope } from '@pazar/contract'
import { makeToken, clientWithToken } from './api-tokens.ts'
import { Client, GOOD_PROJECT, signUp } from './client.ts'
import { listenLocally, readEvents } from './event-reader.ts'
import { startTestService } from './harness.ts'
import { countRows } from './rows.ts'
import { until } from './until.ts'

const service = await startTestService()
const { app, deps } = service
const routes = app.knownRoutes()

const owner = await signUp(app)
const { id: projectId } = await owner.addProject()
const tokens = {
  read: (await makeToken(owner, { scope: 'read' })).token,
  write: (await makeToken(owner, { scope: 'write' })).token,
  refund: (await makeToken(owner, { scope: 'refund', projectId, dailyCap: '100000' })).token,
} satisfies Record<TokenScope, string>

interface TokenRoute {
  scope: TokenScope
  body?: Record<string, unknown>
  status: number
}

const CALLBACK_ID = 'msg_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f'
const TRANSACTION_ID = '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f'
const PROJECT = '/portal/api/projects/:id'

/** Every route refuses this body, so nothing changes even if the route accepts the token. */
const INVALID_BODY = { nonsense: true }

/** The routes that accept a token, according to the contract. */
const TOKEN_ROUTES: Readonly<Record<string, TokenRoute>> = {
  // The project has no payment with that id.
  'POST /sdk/transaction/refund': {
    scope: 'refund',
    body: { projectId, transactionId: TRANSACTION_ID, idempotencyKey: 'k1' },
    status: 404,
  },
  'POST /sdk/project/add': { scope: 'write', body: GOOD_PROJECT, status: 201 },
  'POST /sdk/project/update': { scope: 'write', body: { projectId, name: 'Nova' }, status: 200 },
  'POST /sdk/project/list': { scope: 'read', body: {}, status: 200 },
  'POST /sdk/project/get': { scope: 'read', body: { projectId }, status: 200 },
  'POST /sdk/project/qr': {
    scope: 'read',
    body: { project: projectId, amount: 1500, mode: 'test' },
    status: 200,
  },
  'POST /sdk/transactions/list': { scope: 'read', body: { projectId }, status: 200 },
  'POST /sdk/transaction/get': {
    scope: 'read',
    body: { projectId, transactionId: TRANSACTION_ID },
    status: 404,
  },
  'POST /sdk/events/list': { scope: 'read', body: { projectId }, status: 200 },
  'POST /transactions/list': { scope: 'read', body: {}, status: 200 },
  'POST /sdk/ai/prompt': { scope: 'read', body: { prompt: 'How is a callback signed?' }, status: 200 },
  [`POST ${PROJECT}/pay-link`]: { scope: 'read', body: { amount: '1500', mode: 'test' }, status: 200 },
  [`POST ${PROJECT}/status-check`]: { scope: 'read', body: { customId: 'order-1' }, status: 200 },
  [`GET ${PROJECT}/deliveries`]: { scope: 'read', status: 200 },
  // The project has no callback with that id.
  [`GET ${PROJECT}/deliveries/:callbackId`]: { scope: 'read', status: 404 },
  [`POST ${PROJECT}/deliveries/:callbackId/resend`]: { scope: 'write', body: {}, status: 404 },
  [`POST ${PROJECT}/deliveries/resend-failed`]: {
    scope: 'write',
    body: { since: '2026-11-01T00:00:00.000Z' },
    status: 202,
  },
  [`POST ${PROJECT}/test-callbacks`]: {
    scope: 'write',
    body: { status: 'success', amount: '1500' },
    status: 200,
  },
  [`GET ${PROJECT}/inbox`]: { scope: 'read', status: 200 },
  // That callback was not forwarded to a listener.
  [`POST ${PROJECT}/events/report`]: {
    scope: 'write',
    body: { callbackId: CALLBACK_ID, statusCode: 200, durationMs: 12 },
    status: 400,
  },
  [`GET ${PROJECT}/stats`]: { scope: 'read', status: 200 },
  // The request has no month.
  [`GET ${PROJECT}/statement`]: { scope: 'read', status: 400 },
  // This body is invalid, because a whole exam would send a dozen requests.
  [`POST ${PROJECT}/exam`]: { scope: 'write', body: INVALID_BODY, status: 400 },
  [`POST ${PROJECT}/verify-signature`]: {
    scope: 'read',
    body: { headers: {}, body: '{}', mode: 'test' },
    status: 200,
  },
}

/** This route accepts a token too, but its response does not end, so it has a separate test. */
const EVENTS = `GET ${PROJECT}/events`
const SECRETS = ['POST /sdk/project/seeSecret', 'POST /sdk/project/rotateSecret']

function toUrl(pattern: string): string {
  return pattern
    .replace(':callbackId', CALLBACK_ID)
    .replace(':transactionId', TRANSACTION_ID)
    .replace(':id', projectId)
    .replaceAll(/:[a-zA-Z]+/g, 'x')
}

const allRoutes = routes.flatMap(({ url, methods, crossSiteCheck }) =>
  [...methods].map((method) => {
    // HEAD is GET without the body.
    const name = `${method === 'HEAD' ? 'GET' : method} ${url}`
    return {
      method,
      url,
      name,
      needsSession: crossSiteCheck.get(method) === 'after session',
      tokenRoute: TOKEN_ROUTES[name],
    }
  }),
)

type Route = (typeof allRoutes)[number]

async function send({ method, url, tokenRoute }: Route, headers: Record<string, string>) {
  const body = method === 'POST' ? (tokenRoute?.body ?? INVALID_BODY) : null
  const response = await app.inject({
    method: method as 'GET' | 'POST' | 'HEAD',
    url: toUrl(url),
    headers: { accept: 'application/json', ...headers },
    ...(body === null ? {} : { payload: body }),
  })
  const isProblem = method !== 'HEAD' && response.headers['content-type']?.toString().includes('problem+json')
  const problem = isProblem ? response.json<{ code: string; errors?: { code: string }[] }>() : null
  return { status: response.statusCode, code: problem?.code, field: problem?.errors?.[0]?.code }
}

const bearer = (scope: TokenScope) => ({ authorization: `Bearer ${tokens[scope]}` })
const toName = ({ method, url }: Route) => `${method} ${url}`

test('every route that should accept a token exists', () => {
  const existing = new Set(allRoutes.map(({ name }) => name))
  const missing = [...Object.keys(TOKEN_ROUTES), ...SECRETS, EVENTS].filter((name) => !existing.has(name))
  assert.deepEqual(missing, [])
  assert.ok(allRoutes.filter(({ needsSession, tokenRoute }) => needsSession && !tokenRoute).length >= 20)
})

test('the OpenAPI document marks exactly the routes that a token may call, with their scopes', async () => {
  const { paths } = (await app.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, { security?: Record<string, string[]>[] }>>
  }>()
  const described = Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).flatMap(([method, { security = [] }]) => {
      const scope = security.flatMap((one) => one['token'] ?? [])[0]
      return scope === undefined ? [] : [`${method.toUpperCase()} ${url} ${scope}`]
    }),
  )
  const expected = [...Object.entries(TOKEN_ROUTES), [EVENTS, { scope: 'read' }] as const].map(
    ([name, { scope }]) => `${name.replaceAll(/:([a-zA-Z]+)/g, '{$1}')} ${scope}`,
  )
  assert.deepEqual(described.toSorted(), expected.toSorted())
  const portalUrls = Object.keys(paths).filter((url) => url.startsWith('/portal/'))
  assert.ok(portalUrls.every((url) => expected.some((one) => one.includes(` ${url} `))))
})

const LIVE_LINKS: [url: string, body: object][] = [
  [`/portal/api/projects/${projectId}/pay-link`, { amount: '1500' }],
  [`/portal/api/projects/${projectId}/pay-link`, { amount: '1500', mode: 'live' }],
  ['/sdk/project/qr', { project: projectId, amount: '1500' }],
  ['/sdk/project/qr', { project: projectId, amount: '1500', signed: true, mode: 'live', format: 'svg' }],
]

test('a token with scope "read" gets no signed live link, but a token with scope "write" gets one', async () => {
  for (const [url, body] of LIVE_LINKS) {
    const refused = await clientWithToken(app, tokens.read).post(url, body)
    assert.deepEqual([refused.status, refused.code], [403, 'step_up_required'], url)
    const [error] = refused.json<{ errors: { path: string; code: string }[] }>().errors
    assert.deepEqual([error!.path, error!.code], ['authorization', 'token_scope'], url)
    assert.doesNotMatch(refused.text, /sig=/)
    assert.equal((await clientWithToken(app, tokens.write).post(url, body)).status, 200, url)
    assert.equal((await owner.post(url, body)).status, 200, url)
  }
})

test('a token with scope "read" gets test links and unsigned live QR codes', async () => {
  const apiClient = clientWithToken(app, tokens.read)
  for (const [url, body] of LIVE_LINKS)
    assert.equal((await apiClient.post(url, { ...body, mode: 'test' })).status, 200, url)
  const unsigned = { project: projectId, amount: '1500', signed: false }
  assert.equal((await apiClient.post('/sdk/project/qr', unsigned)).status, 200)
})

test('a token gets not_found for the project of another owner, even if the scope of the token is too small', async () => {
  const stranger = await signUp(app)
  const { token } = await makeToken(stranger, { scope: 'read' })
  for (const [url, body] of LIVE_LINKS)
    assert.equal((await clientWithToken(app, token).post(url, body)).code, 'not_found', url)
})

for (const scope of ['read', 'write', 'refund'] as const) {
  test(`a token with scope "${scope}" is accepted by exactly the routes of scope "read" and of its own scope`, async () => {
    const countsBefore = await countRows(deps.db)
    for (const route of allRoutes.filter(({ name }) => name !== EVENTS && !SECRETS.includes(name))) {
      const response = await send(route, bearer(scope))
      const caseText = `${toName(route)}: ${JSON.stringify(response)}`
      const { tokenRoute, needsSession } = route
      if (!tokenRoute && needsSession) {
        assert.equal(response.status, 401, caseText)
        if (route.method !== 'HEAD')
          assert.deepEqual([response.code, response.field], ['unauthenticated', 'token_not_here'], caseText)
      } else if (!tokenRoute) {
        assert.deepEqual(
          response,
          await send(route, {}),
          `${caseText}: differs from the response without a token`,
        )
      } else if (tokenRoute.scope !== 'read' && tokenRoute.scope !== scope) {
        assert.deepEqual(response, { status: 403, code: 'step_up_required', field: 'token_scope' }, caseText)
      } else assert.equal(response.status, tokenRoute.status, caseText)
    }
    if (scope !== 'write') assert.deepEqual(await countRows(deps.db), countsBefore)
  })

  test(`a token with scope "${scope}" gets no live secret, because a live secret needs a step-up`, async () => {
    const countsBefore = await countRows(deps.db)
    const apiClient = clientWithToken(app, tokens[scope])
    for (const name of SECRETS) {
      const response = await apiClient.post(name.slice('POST '.length), { projectId })
      assert.deepEqual([response.status, response.code], [403, 'step_up_required'], name)
      assert.doesNotMatch(response.text, /sk_live_/)
    }
    assert.deepEqual(await countRows(deps.db), countsBefore)
  })

  test(`every route that needs a session refuses a token with scope "${scope}" if a session cookie is sent too`, async () => {
    const cookie = `session=${owner.jar.get('session')}`
    for (const route of allRoutes.filter(({ needsSession }) => needsSession)) {
      const response = await send(route, { cookie, ...bearer(scope) })
      assert.equal(response.status, 400, toName(route))
      if (route.method !== 'HEAD') assert.equal(response.field, 'token_and_session', toName(route))
    }
  })
}

test('a token with scope "read" can read the event stream until the token is revoked', async () => {
  const origin = await listenLocally(app)
  const { id, token } = await makeToken(owner, { scope: 'read' })
  const { headers } = clientWithToken(app, token)
  const reader = await readEvents(origin, new Client(app), toUrl(`${PROJECT}/events`), headers)
  assert.equal(reader.status, 200)
  let isOver = false
  void reader.ended.then(() => (isOver = true))
  await owner.post('/portal/api/tokens/revoke', { id })
  await until(() => isOver, 'the stream ends at its next ping')
})
