// Tests the adapters in their real frameworks. The adapter for Next is called with a Request.
// Why this is long: one table of frameworks, and the checks that each must pass.
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import express from 'express'
import type { NextFunction, Request as ExpressRequest, Response as ExpressResponse } from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { signTestCallback } from './index.ts'
import type { Callback, SignedCallback } from './index.ts'
import { callbackHandler as expressHandler, keepRawBody } from './express.ts'
import { callbackPlugin } from './fastify.ts'
import { callbackHandler as honoHandler } from './hono.ts'
import { callbackHandler as nextHandler } from './next.ts'
import type { CallbackHandlerOptions } from './receive.ts'
import { TEST_SECRET } from '../test/forge.ts'

type Post = (body: string, headers: Record<string, string>) => Promise<{ status: number; text: string }>
type Mount = (options: CallbackHandlerOptions) => Promise<Post>

const closers: (() => unknown)[] = []
after(async () => {
  for (const close of closers) await close()
})

async function serve(listener: RequestListener): Promise<Post> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return postTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`)
}

function postTo(url: string): Post {
  return async (body, headers) => {
    const method = 'POST'
    const response = await fetch(url, {
      method,
      ...(body === '' ? {} : { body }),
      headers: { 'content-type': 'application/json', ...headers },
    })
    return { status: response.status, text: await response.text() }
  }
}

function toPost(handle: (request: Request) => Response | Promise<Response>): Post {
  return async (body, headers) => {
    const response = await handle(
      new Request('https://shop.example.me/callback', { method: 'POST', body, headers }),
    )
    return { status: response.status, text: await response.text() }
  }
}

/** `prepare` registers the middleware that comes before the callback's route. */
function mountExpress(prepare: (app: express.Express) => void): Mount {
  return (options) => {
    const app = express()
    prepare(app)
    app.post('/callback', expressHandler(options))
    app.use((error: Error, _request: ExpressRequest, response: ExpressResponse, _next: NextFunction) => {
      response.status(500).send(error.message)
    })
    return serve(app)
  }
}

const mounts: Record<string, Mount> = {
  'Express, alone': mountExpress(() => undefined),
  'Express, after express.json that keeps the bytes': mountExpress((app) =>
    app.use(express.json({ verify: keepRawBody })),
  ),
  'Express, after express.raw': mountExpress((app) => app.use(express.raw({ type: '*/*' }))),
  'Express, after express.text': mountExpress((app) => app.use(express.text({ type: '*/*' }))),
  async Fastify(options) {
    const app = Fastify()
    app.setErrorHandler((error: Error, _request, reply) => reply.code(500).send(error.message))
    await app.register(callbackPlugin, { url: '/callback', ...options })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    closers.push(() => app.close())
    return postTo(`${origin}/callback`)
  },
  async Hono(options) {
    const app = new Hono()
    app.onError((error, c) => c.text(error.message, 500))
    app.post('/callback', honoHandler(options))
    return toPost((request) => app.fetch(request))
  },
  async 'Hono, after a middleware that read the JSON'(options) {
    const app = new Hono()
    app.onError((error, c) => c.text(error.message, 500))
    app.use(async (c, next) => {
      await c.req.json().catch(() => null) // One test below sends an empty body, which is not JSON.
      await next()
    })
    app.post('/callback', honoHandler(options))
    return toPost((request) => app.fetch(request))
  },
  async Next(options) {
    const handle = nextHandler(options)
    return toPost((request) =>
      handle(request).catch((error: unknown) => new Response((error as Error).message, { status: 500 })),
    )
  },
}

function sign(facts: Partial<Parameters<typeof signTestCallback>[0]> = {}): SignedCallback {
  return signTestCallback({ secret: TEST_SECRET, customId: 'narudžba-7', data: 'Š "7" \u{1F4A7}', ...facts })
}

async function mountWith(mount: Mount, change: Partial<CallbackHandlerOptions> = {}) {
  const received: Callback[] = []
  const ids: string[] = []
  const post = await mount({
    secret: TEST_SECRET,
    expectedAmount: '1500',
    onCallback: (callback, { webhookId }) => {
      received.push(callback)
      ids.push(webhookId)
    },
    ...change,
  })
  return { post, received, ids }
}

for (const [name, mount] of Object.entries(mounts)) {
  test(`${name}: a callback is verified over its raw bytes and passed on with its webhook-id`, async () => {
    const { post, received, ids } = await mountWith(mount)
    const { body, headers } = sign()
    assert.deepEqual(await post(body, headers), { status: 200, text: 'ok' })
    assert.deepEqual(received, [JSON.parse(body)])
    assert.deepEqual(ids, [headers['webhook-id']])
    assert.equal((await post(...toArgs(sign({ status: 'fail' })))).status, 200)
    assert.equal(received[1]?.successful, false)
  })

  test(`${name}: a body with other bytes is refused, even if it is the same JSON`, async () => {
    const { post, received } = await mountWith(mount)
    const { body, headers } = sign()
    for (const changedBody of [
      JSON.stringify(JSON.parse(body), null, 1),
      ` ${body}`,
      `${body}\n`,
      body.replace('1500', '1501'),
    ]) {
      const response = await post(changedBody, headers)
      assert.equal(response.status, 400)
      assert.match(response.text, /^bad_signature: /)
    }
    assert.deepEqual(received, [])
  })

  test(`${name}: a callback that is unsigned, empty, too old or about another amount is refused with its reason`, async () => {
    const { post, received } = await mountWith(mount)
    const { body, headers } = sign()
    assert.match((await post(body, {})).text, /^bad_signature/)
    assert.match((await post('', headers)).text, /^bad_signature/)
    assert.match((await post(...toArgs(sign({ amount: '1' })))).text, /^amount_mismatch/)
    const oldCallback = sign({ nowSec: 1_700_000_000 })
    assert.deepEqual((await post(...toArgs(oldCallback))).text.split(':')[0], 'expired')
    assert.deepEqual(received, [])
  })

  test(`${name}: an error of the merchant's code reaches the framework, which responds with 500`, async () => {
    const { body, headers } = sign()
    const broken = {
      onCallback: () => Promise.reject(new Error('the stock is locked')),
      expectedAmount: () => Promise.reject(new Error('no such order')),
    }
    const failingHandler = await mountWith(mount, { onCallback: broken.onCallback })
    assert.deepEqual(await failingHandler.post(body, headers), { status: 500, text: 'the stock is locked' })
    const failingLookup = await mountWith(mount, { expectedAmount: broken.expectedAmount })
    assert.deepEqual(await failingLookup.post(body, headers), { status: 500, text: 'no such order' })
  })

  test(`${name}: a body longer than 64 KiB is refused with 413`, async () => {
    const { post, received } = await mountWith(mount)
    const toBody = (length: number) => `{"a":"${'ž'.repeat((length - 8) / 2)}"}`
    assert.equal((await post(toBody(64 * 1024 + 2), sign().headers)).status, 413)
    assert.equal((await post(toBody(64 * 1024), sign().headers)).status, 400)
    assert.deepEqual(received, [])
  })
}

function toArgs({ body, headers }: SignedCallback): [string, Record<string, string>] {
  return [body, headers]
}

const parsedTooEarly: Record<string, Mount> = {
  'Express after setEncoding on the request': mountExpress((app) =>
    app.use((request, _response, next) => {
      request.setEncoding('utf8')
      next()
    }),
  ),
  'Express after plain express.json': mountExpress((app) => app.use(express.json())),
  async 'Hono after a middleware that read the raw request'(options) {
    const app = new Hono()
    app.onError((error, c) => c.text(error.message, 500))
    app.use(async (c, next) => {
      await c.req.raw.text()
      await next()
    })
    app.post('/callback', honoHandler(options))
    return toPost((request) => app.fetch(request))
  },
  async 'Next after request.json()'(options) {
    const handle = nextHandler(options)
    return toPost(async (request) => {
      await request.json()
      return handle(request).catch(
        (error: unknown) => new Response((error as Error).message, { status: 500 }),
      )
    })
  },
}

for (const [name, mount] of Object.entries(parsedTooEarly)) {
  test(`${name}: if the body was read too early, the error says what to do`, async () => {
    const { post, received } = await mountWith(mount)
    const response = await post(...toArgs(sign()))
    assert.equal(response.status, 500)
    assert.match(response.text, /read before .* exact bytes\. \w/)
    assert.deepEqual(received, [])
  })
}

function toOtherRealm(text: string): Uint8Array {
  const bytes = runInNewContext('Uint8Array.from(numbers)', { numbers: [...Buffer.from(text)] }) as Uint8Array
  assert.equal(bytes instanceof Uint8Array, false)
  return bytes
}

test('bytes from another JavaScript realm are accepted, in Express and in Fastify', async () => {
  const { body, headers } = sign()
  const options = { secret: TEST_SECRET, expectedAmount: '1500', onCallback: () => undefined }
  const statuses: number[] = []
  const response = { writeHead: (status: number) => statuses.push(status), end: () => undefined }
  const request = Object.assign(Readable.from([]), { headers, rawBody: toOtherRealm(body) })
  await expressHandler(options)(request, response, (error) => assert.fail(String(error)))
  const app = Fastify()
  closers.push(() => app.close())
  app.addHook('preValidation', async (one) => void (one.body = toOtherRealm(String(one.body))))
  await app.register(callbackPlugin, { url: '/callback', ...options })
  const fastifyRequest = { method: 'POST', url: '/callback', payload: body, headers } as const
  statuses.push((await app.inject(fastifyRequest)).statusCode)
  assert.deepEqual(statuses, [200, 200])
})

test('in a Fastify app with the callback plugin, all other routes still get parsed JSON', async () => {
  const app = Fastify()
  closers.push(() => app.close())
  const options = { secret: TEST_SECRET, expectedAmount: '1500', onCallback: () => undefined }
  await app.register(callbackPlugin, { url: '/callback', ...options })
  app.post('/orders', (request) => ({ received: request.body }))
  const response = await app.inject({ method: 'POST', url: '/orders', payload: { a: 1 } })
  assert.deepEqual(response.json(), { received: { a: 1 } })
})
