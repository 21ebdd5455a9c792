import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBareServer } from '../../test/bare-server.ts'
import type { Http } from './server.ts'
import { registerTestRoutes } from '../../test/http-routes.ts'

const HTTPS = { BASE_URL: 'https://pay.example.me' }
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const { app, logs } = await startBareServer({ SUPPORT_URL: 'https://help.example.me' }, registerTestRoutes)
const https = (await startBareServer(HTTPS, registerTestRoutes)).app

test('every response has the security headers, even for an error or a URL that cannot be routed', async () => {
  for (const url of ['/query', '/nowhere', '/fail', '/%zz']) {
    const { headers } = await https.inject(url)
    assert.deepEqual(
      {
        csp: headers['content-security-policy'],
        type: headers['x-content-type-options'],
        frame: headers['x-frame-options'],
        referrer: headers['referrer-policy'],
        opener: headers['cross-origin-opener-policy'],
        resource: headers['cross-origin-resource-policy'],
        prefetch: headers['x-dns-prefetch-control'],
        hsts: headers['strict-transport-security'],
      },
      {
        csp: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        type: 'nosniff',
        frame: 'DENY',
        referrer: 'same-origin',
        opener: 'same-origin',
        resource: 'same-origin',
        prefetch: 'off',
        hsts: 'max-age=63072000; includeSubDomains',
      },
      url,
    )
    const denied = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'interest-cohort']
    assert.equal(headers['permissions-policy'], denied.map((one) => `${one}=()`).join(', '))
  }
  const plain = await app.inject('/query')
  assert.equal(plain.headers['strict-transport-security'], undefined)
  assert.match(String(plain.headers['x-request-id']), /^\S{8,}$/)
})

test('the server limits the number of connections, the time for a request and the size of its body', () => {
  const { maxConnections, headersTimeout, requestTimeout, keepAliveTimeout } = app.server
  assert.deepEqual(
    {
      maxConnections,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      bodyLimit: app.initialConfig.bodyLimit,
    },
    {
      maxConnections: 5_000,
      headersTimeout: 10_000,
      requestTimeout: 20_000,
      keepAliveTimeout: 30_000,
      bodyLimit: 65_536,
    },
  )
})

test('headers of 15 KiB are accepted, headers of 17 KiB are refused', async (t) => {
  const { app: open } = await startBareServer({}, registerTestRoutes)
  const url = await open.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => open.close())
  const send = async (kib: number) =>
    (await fetch(`${url}/query`, { headers: { 'x-long': 'x'.repeat(kib * 1024) } })).status
  assert.deepEqual([await send(15), await send(17)], [200, 413])
})

test('while the server closes, each connection is closed after its request', async () => {
  const { app: closing } = await startBareServer({}, registerTestRoutes)
  await closing.ready()
  await closing.close()
  // After a response, Node keeps an idle connection open for this time: one millisecond.
  assert.equal(closing.server.keepAliveTimeout, 1)
})

test('with TRUST_PROXY=1 the client’s address is the last address in X-Forwarded-For; with TRUST_PROXY=0 the header is ignored', async () => {
  const behindProxy = (await startBareServer({ TRUST_PROXY: '1' }, registerTestRoutes)).app
  const addressAt = async (at: Http, header: string) =>
    (await at.inject({ url: '/address', headers: { 'x-forwarded-for': header } })).json().address
  assert.equal(await addressAt(app, '203.0.113.7'), '127.0.0.1')
  for (const [header, address] of [
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['unknown', '127.0.0.1'],
    ['203.0.113.7 or 1=1', '127.0.0.1'],
  ] as const)
    assert.equal(await addressAt(behindProxy, header), address, header)
})

test('if X-Forwarded-For arrives although TRUST_PROXY is 0, one warning is logged', async () => {
  const { app: direct, logs: lines } = await startBareServer({}, registerTestRoutes)
  const behindProxy = await startBareServer({ TRUST_PROXY: '1' }, registerTestRoutes)
  for (const calledApp of [direct, direct, behindProxy.app])
    await calledApp.inject({ url: '/address', headers: { 'x-forwarded-for': '203.0.113.7' } })
  const countWarnings = (all: typeof lines) =>
    all.filter(({ msg }) => /TRUST_PROXY is 0/.test(String(msg))).length
  assert.deepEqual([countWarnings(lines), countWarnings(behindProxy.logs)], [1, 0])
})

test('a parameter in the path of a URL has at most 200 characters', async () => {
  const statusOf = async (length: number) => (await app.inject(`/things/${'x'.repeat(length)}`)).statusCode
  assert.deepEqual([await statusOf(200), await statusOf(201)], [200, 400])
})

test('an unknown URL is 404, a wrong method is 405 with the methods that exist', async () => {
  assert.equal((await app.inject('/things')).statusCode, 404)
  assert.equal((await app.inject('/things/1/2')).statusCode, 404)
  assert.equal((await app.inject({ method: 'POST', url: '/things/1/2' })).statusCode, 404)
  const wrongMethod = await app.inject({ method: 'DELETE', url: '/things/1?x=1' })
  assert.deepEqual([wrongMethod.statusCode, wrongMethod.json().code], [405, 'method_not_allowed'])
  assert.equal(wrongMethod.headers['allow'], 'GET, HEAD')
})

test('the response to an internal error has a request id but not the cause', async () => {
  logs.length = 0
  const response = await app.inject('/fail')
  assert.deepEqual([response.statusCode, response.json().code], [500, 'internal_error'])
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.doesNotMatch(response.body, /nobody may see/)
  assert.equal(response.json().requestId, response.headers['x-request-id'])
  const failed = logs.find(({ msg }) => msg === 'request failed')
  assert.match(JSON.stringify(failed?.['err']), /a detail that nobody may see/)
  assert.deepEqual(
    logs.filter(({ msg }) => msg === 'responded').map(({ status }) => status),
    [500],
  )
  logs.length = 0
  await app.inject('/fail?code=refused')
  assert.deepEqual(
    logs.map(({ msg, why }) => [msg, why]),
    [['refused', 'why it was refused']],
  )
})

test('a 503 with a known reason is logged without a stack, and any other 503 with its stack', async () => {
  const findFailure = async (url: string) => {
    logs.length = 0
    assert.equal((await app.inject(url)).statusCode, 503)
    return logs.find(({ msg }) => msg === 'request failed')
  }
  const known = await findFailure('/fail?code=known')
  assert.deepEqual([known?.['level'], known?.['why'], known?.['err']], ['warn', 'database: 57P01', undefined])
  const unknown = await findFailure('/fail?code=busy')
  assert.deepEqual([unknown?.['level'], typeof unknown?.['err']], ['error', 'object'])
})

test('a request that the client aborts is not an internal error, unless the service fails at the same time', async () => {
  assert.equal((await app.inject('/fail?code=broken-off')).statusCode, 400)
  assert.equal((await app.inject('/fail?code=both-broken')).statusCode, 500)
})

test('browsers get a page for 404, 500 and 503; under /pay every client gets a page for every error, unless it requests JSON', async () => {
  const typeOf = async (url: string, headers: Record<string, string>) =>
    String((await app.inject({ url, headers })).headers['content-type']).split(';')[0]
  for (const url of ['/nowhere', '/fail', '/fail?code=busy']) {
    assert.equal(await typeOf(url, BROWSER), 'text/html', url)
    assert.equal(await typeOf(url, {}), 'application/problem+json', url)
    assert.equal(await typeOf(url, { accept: 'application/json' }), 'application/problem+json', url)
  }
  assert.equal(await typeOf('/fail?code=refused', BROWSER), 'application/problem+json')
  // Under /pay every client gets a page, except one that requests JSON.
  for (const accept of ['text/html', '*/*', ''])
    assert.equal(await typeOf('/pay/fail?code=refused', { accept }), 'text/html', accept)
  assert.equal(await typeOf('/pay/fail', { accept: 'application/json' }), 'application/problem+json')
  assert.equal(await typeOf('/payments', {}), 'application/problem+json')
})

test('an error page says how long to wait, links to support, and runs no script', async () => {
  const busyResponse = await app.inject({ url: '/fail?code=busy', headers: BROWSER })
  assert.deepEqual([busyResponse.statusCode, busyResponse.headers['retry-after']], [503, '120'])
  assert.match(busyResponse.body, /2 min/)
  assert.match(busyResponse.body, /href="https:\/\/help\.example\.me\/"/)
  assert.match(String(busyResponse.headers['content-security-policy']), /style-src 'sha256-[^']+'$/)
  assert.doesNotMatch(String(busyResponse.headers['content-security-policy']), /script-src/)
  const pageWithoutSupport = await https.inject({ url: '/fail', headers: BROWSER })
  assert.doesNotMatch(pageWithoutSupport.body, /help\.example/)
  const cnr = await app.inject({ url: '/fail', headers: { ...BROWSER, cookie: 'lang=cnr' } })
  assert.match(cnr.body, /<html lang="sr-Latn-ME">/)
})

test('a page without a secret is compressed, and no page is cached', async () => {
  const get = (url: string) => app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
  const [openPage, secretPage] = [await get('/page'), await get('/page?secret')]
  assert.deepEqual(
    [openPage.headers['content-encoding'], secretPage.headers['content-encoding']],
    ['gzip', undefined],
  )
  for (const { headers } of [openPage, secretPage])
    assert.deepEqual([headers['cache-control'], headers['vary']], ['no-store', 'accept-encoding'])
})

test("a language in the URL is stored for a year; the account's language takes precedence over the browser's", async () => {
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const chosen = await get('/locale?lang=me')
  assert.equal(chosen.json().locale, 'cnr')
  assert.equal(chosen.headers['set-cookie'], 'lang=cnr; Max-Age=31536000; Path=/; Secure; SameSite=Lax')
  assert.equal((await get('/locale?lang=me', { cookie: 'lang=cnr' })).headers['set-cookie'], undefined)
  assert.equal((await get('/locale?lang=de')).headers['set-cookie'], undefined)
  assert.equal((await get('/locale', { 'accept-language': 'en', 'x-account': 'cnr' })).json().locale, 'cnr')
})

test('requests are counted per network, and requests from many other networks do not reset the count of a network', async () => {
  const { app: limited } = await startBareServer(
    { RATE_LIMITS: 'on', RATE_LIMIT_PAY_GET: '2', RATE_LIMIT_SIGN_UP: '1', TRUST_PROXY: '1' },
    registerTestRoutes,
  )
  const get = (url: string, from: string) => limited.inject({ url, headers: { 'x-forwarded-for': from } })
  const statuses = async (...from: string[]) => {
    const all: number[] = []
    for (const one of from) all.push((await get('/limited', one)).statusCode)
    return all
  }
  assert.deepEqual(await statuses('203.0.113.1', '203.0.113.1', '203.0.113.2'), [200, 200, 200])
  await statuses(...Array.from({ length: 500 }, (_, n) => `198.51.${n >> 8}.${n & 255}`))
  const refused = await get('/limited', '203.0.113.1')
  assert.deepEqual([refused.statusCode, refused.json().code], [429, 'rate_limited'])
  assert.deepEqual([refused.headers['ratelimit-limit'], refused.headers['ratelimit-remaining']], ['2', '0'])
  const page = await limited.inject({
    url: '/limited',
    headers: { ...BROWSER, 'x-forwarded-for': '203.0.113.1' },
  })
  assert.match(String(page.headers['content-type']), /^text\/html/)
  const waitSec = Number(refused.headers['retry-after'])
  assert.ok(waitSec > 30 && waitSec <= 60, String(waitSec))
  // These addresses are in one IPv6 network. Some are written in full, some are shortened.
  assert.deepEqual(await statuses('2001:DB8::1', '2001:db8::2', '2001:db8:0:0:ffff::3'), [200, 200, 429])
  await get('/rarely', '203.0.113.9')
  const hourSec = Number((await get('/rarely', '203.0.113.9')).headers['retry-after'])
  assert.ok(hourSec > 3_000 && hourSec <= 3_600, String(hourSec))
})
