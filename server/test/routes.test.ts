// Tests of all routes at once. The list of routes comes from the app, so new routes are tested too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERROR_STATUS } from '@pazar/contract'
import { signUp } from './client.ts'
import type { Client } from './client.ts'
import { CROSS_SITE_MATRIX, OWN_ORIGIN } from './cross-site-matrix.ts'
import { startTestService } from './harness.ts'
import { countRows } from './rows.ts'

const service = await startTestService({ BASE_URL: OWN_ORIGIN })
const routes = service.app.knownRoutes()
/** Signing up takes long, so the tests of the cross-site matrix share this owner. */
const matrixOwner = await signUp(service.app)

const PARAMETERS: Record<string, string> = {
  ':id': 'abcdefghijklmnopqrstuvwx',
  ':transactionId': '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f',
  ':callbackId': 'msg_0198f2c4a6b17c3e8d5f0a1b2c3d4e5f',
}

function toUrl(pattern: string): string {
  return pattern.replaceAll(/:[a-zA-Z]+/g, (name) => PARAMETERS[name] ?? 'x')
}

const posts = routes.filter((one) => one.methods.has('POST')).map((one) => one.url)

test('the app lists its routes', () => {
  assert.ok(posts.length >= 20, posts.join(' '))
})

for (const pattern of posts) {
  test(`POST ${pattern} refuses requests of other sites, but not those of our own pages and of programs`, async () => {
    const owner = matrixOwner
    if (!(await isSignedIn(owner))) Object.assign(owner, await signUp(service.app))
    let cookies = new Map(owner.jar)
    for (const [n, row] of CROSS_SITE_MATRIX.entries()) {
      // Some accepted requests end the session. The next row needs a session again.
      if (CROSS_SITE_MATRIX[n - 1]?.passes && !(await isSignedIn(owner))) {
        Object.assign(owner, await signUp(service.app))
        cookies = new Map(owner.jar)
      }
      for (const [name, value] of cookies) owner.jar.set(name, value)
      const response = await owner.post(toUrl(pattern), { nonsense: true }, row.headers)
      if (row.passes) assert.notEqual(response.code, 'forbidden_origin', row.what)
      else assert.equal(response.status, 403, `${row.what}: ${response.status} ${response.text}`)
    }
  })
}

async function isSignedIn(client: Client): Promise<boolean> {
  return (await client.get('/portal/api/session')).status === 200
}

test('a route that accepts only POST refuses a GET with a method override, and nothing changes', async () => {
  const owner = await signUp(service.app)
  const { id } = await owner.addProject()
  await owner.stepUp()
  const countsBefore = await countRows(service.deps.db)
  const hasGet = (url: string) => routes.some((one) => one.methods.has('GET') && one.pattern.test(url))
  for (const route of routes.filter((one) => one.methods.has('POST') && !hasGet(toUrl(one.url)))) {
    const url = toUrl(route.url)
    const headers = {
      accept: 'application/json',
      'x-http-method-override': 'POST',
      'x-method-override': 'POST',
    }
    const response = await owner.get(`${url}?_method=POST&projectId=${id}`, headers)
    assert.equal(response.status, 405, `${url}: ${response.text}`)
    assert.equal(response.code, 'method_not_allowed')
    assert.match(String(response.headers['allow']), /POST/)
  }
  assert.deepEqual(await countRows(service.deps.db), countsBefore)
})

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
}

test('every response, even for an unknown route, has the security headers and does not reveal the software', async () => {
  const owner = await signUp(service.app)
  const urls = routes.flatMap((one) =>
    [...one.methods].filter((method) => method !== 'HEAD').map((method) => [method, toUrl(one.url)]),
  )
  for (const [method, url] of [...urls, ['GET', '/no/such/page'], ['POST', '/no/such/page']]) {
    const response = await owner.send(method as 'GET' | 'POST', url!, method === 'POST' ? {} : undefined)
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      assert.equal(response.headers[name], value, `${url} ${name}`)
    const policy = String(response.headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/, url)
    assert.match(policy, /frame-ancestors 'none'/, url)
    assert.doesNotMatch(policy, /unsafe-/, url)
    assert.ok(response.headers['permissions-policy'], url)
    assert.match(String(response.headers['x-request-id']), /^[0-9a-f]{16}$/)
    assert.equal(response.headers['x-powered-by'], undefined)
    assert.equal(response.headers['server'], undefined)
    assert.ok(response.status < 500, `${url}: ${response.status}`)
  }
})

test('for an unknown URL, API clients get problem JSON, and browsers get a page with a link to the home page', async () => {
  const owner = await signUp(service.app)
  const problem = await owner.get('/no/such/page')
  assert.equal(problem.status, 404)
  assert.deepEqual(Object.keys(problem.json()).toSorted(), [
    'code',
    'detail',
    'requestId',
    'status',
    'title',
    'type',
  ])
  assert.equal(problem.json()['type'], `${OWN_ORIGIN}/docs/errors#not_found`)
  for (const [lang, htmlLang, home] of [
    ['cnr', 'sr-Latn-ME', '/cnr'],
    ['en', 'en', '/en'],
  ] as const) {
    const page = await owner.get(`/no/such/page?lang=${lang}`, { accept: 'text/html' })
    assert.equal(page.status, 404)
    assert.match(page.text, new RegExp(`<html lang="${htmlLang}"`))
    assert.ok(page.text.includes(`href="${home}"`), `${lang} leads to ${home}`)
  }
})

test('an unknown value of `lang` does not change the status, and puts no script into the page', async () => {
  const owner = await signUp(service.app)
  for (const lang of ['../../etc', '<script>', 'xx', 'cnr%00', 'EN-us']) {
    const page = await owner.get(`/no/such/page?lang=${encodeURIComponent(lang)}`, { accept: 'text/html' })
    assert.equal(page.status, 404)
    assert.equal(page.text.includes('<script>'), false)
  }
})

test('a URL that cannot be decoded gets a 4xx response, never 500', async () => {
  const owner = await signUp(service.app)
  for (const url of [
    '/pay?amount=%',
    '/pay?amount=%zz',
    '/pay?data=%ff',
    '/pay?data=%00',
    '/portal/api/audit?cursor=%C3%28',
    '/pay/%',
    '/%E0%A4%A',
  ]) {
    const response = await owner.get(url)
    assert.equal(
      response.status >= 400 && response.status < 500,
      true,
      `${url}: ${response.status} ${response.text}`,
    )
  }
})

test('a payer gets a page even for an unknown URL, unless JSON was requested', async () => {
  for (const [url, status] of [
    ['/pay/%FF', 400],
    ['/pay/a/b', 404],
  ] as const) {
    for (const accept of [undefined, 'text/html', 'application/json']) {
      const response = await service.app.inject({ url, headers: accept === undefined ? {} : { accept } })
      assert.equal(response.statusCode, status)
      const type = accept === 'application/json' ? 'application/problem+json' : 'text/html'
      assert.equal(response.headers['content-type'], `${type}; charset=utf-8`, `${url} ${accept}`)
    }
  }
})

test('below /pay, a program that sends JSON gets JSON if the URL is unknown or the method is wrong', async () => {
  for (const [method, url, status] of [
    ['POST', '/pay/a/b', 404],
    ['PUT', '/pay', 405],
  ] as const) {
    for (const accept of ['*/*', 'application/json, text/plain, */*']) {
      const response = await service.app.inject({ method, url, headers: { accept }, payload: {} })
      assert.equal(response.statusCode, status)
      assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8', url)
    }
    const headers = { accept: 'text/html,*/*;q=0.8', 'content-type': 'application/x-www-form-urlencoded' }
    const page = await service.app.inject({ method, url, headers, payload: 'token=x' })
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8', url)
  }
})

test('without a database, a route that fails returns 503 with Retry-After and no details', async () => {
  const withoutDatabase = await service.replica()
  const owner = await signUp(withoutDatabase.app)
  const { id } = await owner.addProject()
  await withoutDatabase.deps.db.close()
  for (const route of routes) {
    const url = toUrl(route.url).replace(PARAMETERS[':id']!, id)
    const method = route.methods.has('POST') ? 'POST' : 'GET'
    const body = method === 'POST' ? {} : undefined
    const response = await owner.send(method, url, body, { accept: 'application/json' })
    if (response.status < 500) continue
    assert.equal(response.status, 503, `${url}: ${response.status} ${response.text}`)
    assert.equal(response.code in ERROR_STATUS, true)
    assert.ok(response.headers['retry-after'])
    assert.doesNotMatch(response.text, /at .*\.ts|select|pool|postgres/i)
  }
})

/** Only the browser that paid can use this route, so the OpenAPI document leaves it out. */
const PAYER_ROUTE = '/pay/{transactionId}/receipt'

test('the OpenAPI document has version 3.1 and describes exactly the public routes', async () => {
  const owner = await signUp(service.app)
  const document = (await owner.get('/openapi.json')).json<{
    openapi: string
    paths: Record<string, Record<string, { responses: object }>>
  }>()
  assert.equal(document.openapi, '3.1.0')
  // token-routes.test.ts checks the portal's routes in the document.
  const described = Object.keys(document.paths)
    .filter((url) => !url.startsWith('/portal/'))
    .toSorted()
  const publicUrls = routes
    .map((one) => one.url.replaceAll(/:([a-zA-Z]+)/g, '{$1}'))
    .filter((url) => /^\/(sdk|pay|transactions)(\/|$)/.test(url) && url !== PAYER_ROUTE)
    .toSorted()
  assert.deepEqual(described, publicUrls)
  for (const [url, methods] of Object.entries(document.paths)) {
    for (const one of Object.values(methods)) assert.ok(Object.keys(one.responses).length > 0, url)
  }
})

const gets = routes.filter((one) => one.methods.has('GET') && one.url.startsWith('/portal/api/'))

test('every GET of /portal/api accepts ?lang', async () => {
  const owner = await signUp(service.app)
  assert.ok(gets.length >= 20, String(gets.length))
  for (const { url } of gets) {
    const { text } = await owner.get(`${toUrl(url)}?lang=cnr`)
    assert.equal(text.includes('unknown_field'), false, url)
  }
})
