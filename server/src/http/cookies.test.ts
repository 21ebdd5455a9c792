import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBareServer } from '../../test/bare-server.ts'
import type { Http, HttpTools } from './server.ts'

function register(app: Http, tools: HttpTools): void {
  app.get('/names', async (req) => tools.cookies.attemptNames(req))
  app.get('/session', async (req) => ({ session: tools.cookies.read(req, 'session') }))
}

const read = async (app: Http, url: string, cookie: string) =>
  (await app.inject({ url, headers: { cookie } })).json<unknown>()

test('cookies of checkout attempts are listed in the order of the header; over https, they need the prefix __Host-', async () => {
  const { app } = await startBareServer({ BASE_URL: 'http://localhost:3000' }, register)
  const { app: https } = await startBareServer({ BASE_URL: 'https://pay.example.me' }, register)
  const plain = 'attempt-b=1; session=x; attempt-a=2; my-attempt-c=3'
  assert.deepEqual(await read(app, '/names', plain), ['attempt-b', 'attempt-a'])
  assert.deepEqual(await read(https, '/names', plain), [])
  assert.deepEqual(await read(https, '/names', '__Host-attempt-b=1; attempt-a=2'), ['attempt-b'])
  assert.deepEqual(await read(app, '/session', 'session=x'), { session: 'x' })
  assert.deepEqual(await read(app, '/session', 'session='), { session: null })
  assert.deepEqual(await read(https, '/session', 'session=x'), { session: null })
  assert.deepEqual(await read(https, '/session', '__Host-session=y; session=x'), { session: 'y' })
})
