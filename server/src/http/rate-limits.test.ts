import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBareServer } from '../../test/bare-server.ts'
import { addressOf } from './client-address.ts'
import type { Http, HttpTools } from './server.ts'

const callerOf = (req: { headers: Record<string, string | string[] | undefined> }) =>
  String(req.headers['x-caller'])

function register(app: Http, tools: HttpTools): void {
  app.get('/minute', { onRequest: tools.limits('PAY_GET') }, async () => 'ok')
  app.get('/hour', { onRequest: tools.limits('SIGN_UP', callerOf) }, async () => 'ok')
  app.get('/other', { onRequest: tools.limits('PAY_GET') }, async () => 'ok')
  app.get('/address', async (req) => addressOf(req))
}

const LIMITS = { RATE_LIMITS: 'on', RATE_LIMIT_PAY_GET: '2', RATE_LIMIT_SIGN_UP: '1' }

const send = async (app: Http, url: string, headers: Record<string, string> = {}) => {
  const { statusCode, headers: responseHeaders, payload } = await app.inject({ url, headers })
  return { status: statusCode, responseHeaders, code: statusCode === 200 ? '' : JSON.parse(payload).code }
}

test('a request above the limit is refused, and the response says how long to wait', async () => {
  const { app } = await startBareServer(LIMITS, register)
  const statuses = [(await send(app, '/minute')).status, (await send(app, '/minute')).status]
  assert.deepEqual(statuses, [200, 200])
  const refused = await send(app, '/minute')
  assert.deepEqual([refused.status, refused.code], [429, 'rate_limited'])
  assert.equal(refused.responseHeaders['ratelimit-limit'], '2')
  assert.equal(refused.responseHeaders['ratelimit-remaining'], '0')
  const wait = Number(refused.responseHeaders['retry-after'])
  assert.ok(wait > 50 && wait <= 60, String(wait))
  await send(app, '/hour', { 'x-caller': 'a' })
  const refusedForHour = await send(app, '/hour', { 'x-caller': 'a' })
  const waitOfHour = Number(refusedForHour.responseHeaders['retry-after'])
  assert.ok(waitOfHour > 3_500 && waitOfHour <= 3_600, String(waitOfHour))
})

test('each caller and each route has a count of its own', async () => {
  const { app } = await startBareServer(LIMITS, register)
  for (const caller of ['a', 'b', 'c'])
    assert.equal((await send(app, '/hour', { 'x-caller': caller })).status, 200, caller)
  assert.equal((await send(app, '/hour', { 'x-caller': 'a' })).status, 429)
  for (let n = 0; n < 3; n += 1) await send(app, '/minute')
  assert.equal((await send(app, '/other')).status, 200)
})

test('with RATE_LIMITS=off no request is refused', async () => {
  const { app } = await startBareServer({ ...LIMITS, RATE_LIMITS: 'off' }, register)
  for (let n = 0; n < 5; n += 1) assert.equal((await send(app, '/minute')).status, 200)
})

const THREE_ADDRESSES = '198.51.100.1, 198.51.100.2, 198.51.100.3'

for (const [hops, forwarded, address] of [
  ['0', THREE_ADDRESSES, '127.0.0.1'],
  ['1', THREE_ADDRESSES, '198.51.100.3'],
  ['2', THREE_ADDRESSES, '198.51.100.2'],
  ['1', '', '127.0.0.1'],
  ['1', '198.51.100.3:4711', '198.51.100.3'],
  ['1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['1', 'unknown', '127.0.0.1'],
] as const)
  test(`with TRUST_PROXY=${hops} and X-Forwarded-For "${forwarded}", the client’s address is ${address}`, async () => {
    const { app } = await startBareServer({ TRUST_PROXY: hops }, register)
    const headers = forwarded === '' ? {} : { 'x-forwarded-for': forwarded }
    assert.equal((await app.inject({ url: '/address', headers })).payload, address)
  })
