// The exam command against a real service.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createShop } from '../../examples/shop/src/shop.ts'
import { startListener } from '../../server/test/exam/listener.ts'
import { accept, startMerchant } from '../../server/test/merchant.ts'
import { readSecret } from '../../server/src/secrets/secrets.ts'
import { startCliWorld } from '../test/cli-world.ts'

const liveShop = await startMerchant()
after(() => liveShop.close())
const examined = await startListener()
const world = await startCliWorld(
  { CALLBACK_ALLOW_HOSTS: `${liveShop.hostAndPort},${examined.hostAndPort}` },
  { apiUrl: liveShop.url },
)
const { call, projectId, service } = world
const secret = await readSecret(service.deps, service.deps.db, projectId, 'test')

beforeEach(() => Object.assign(liveShop, { reply: accept, received: [] }))

test('the sample shop passes exam --url; a broken shop fails, and the output says what to fix', async () => {
  examined.listener = createShop({
    payBaseUrl: 'https://pay.example.me',
    projectId,
    secret,
    nowMs: Date.now,
  })
  const passed = await call(['exam', '--url', examined.url])
  assert.match(passed.out, /\n12 of 12 passed\.$/, passed.out)
  assert.equal(passed.out.match(/^✓ /gm)?.length, 12)
  assert.equal(passed.code, 0)
  examined.listener = (_request, response) => response.end('whatever you say')
  const failed = await call(['exam', '--url', examined.url])
  assert.match(failed.out, /^✗ Wrong signature\n {4}expected: .+\n {4}got: .+\n {4}to do: .+/m)
  assert.equal(failed.code, 1)
  assert.equal(liveShop.received.length, 0)
})

test('exam --url fails if nothing responds at the URL', async () => {
  examined.listener = (_request, response) => response.destroy()
  const result = await call(['exam', '--url', examined.url, '--json'])
  const report = result.json<{ failed: number; target: object }>()
  assert.ok(report.failed >= 10)
  assert.deepEqual(report.target, { url: examined.url, live: false })
  assert.equal(result.code, 1)
})

test('exam --url asks for confirmation if the URL is the live URL in another spelling', async () => {
  const { hostname, port } = new URL(liveShop.url)
  const liveUrl = `HTTP://${hostname}:${port}/./callback`
  const withoutPrompt = await call(['exam', '--url', liveUrl])
  assert.match(
    withoutPrompt.err,
    /^Nothing was sent\.\nGive the address of a server in test mode, or add --yes/,
  )
  const declined = await call(['exam', '--url', liveUrl], { answers: ['no'] })
  assert.match(declined.err, /live callback URL .*Continue\? \[y\/N\]\nNothing was sent\./)
  assert.equal(liveShop.received.length, 0)
  const confirmed = await call(['exam', '--url', liveUrl, '--json'], { answers: ['YES'] })
  assert.deepEqual(confirmed.json<{ target: object }>().target, { url: liveShop.url, live: true })
  const withFlag = await call(['exam', '--url', liveUrl, '--yes'])
  // Two exams of eleven requests each.
  assert.equal(liveShop.received.length, 22)
  assert.deepEqual([withoutPrompt.code, declined.code, confirmed.code, withFlag.code], [1, 1, 1, 1])
})

test('exam asks for confirmation if the test URL is the live URL', async (t) => {
  const { id } = await world.owner.addProject({ apiUrl: liveShop.url, testApiUrl: liveShop.url })
  t.after(() => world.owner.post(`/portal/api/projects/${id}/archive`))
  const declined = await call(['exam', '--project', id], { answers: [''] })
  assert.match(declined.err, /Continue\? \[y\/N\]\nNothing was sent\./)
  assert.match((await call(['exam', '--project', id])).err, /add --yes to send to the live one/)
  assert.equal(liveShop.received.length, 0)
})

test('exam --url stops if the first request gets no response, and shows its progress only in an interactive terminal', async () => {
  let requestCount = 0
  examined.listener = (_request, response) => {
    requestCount += 1
    response.destroy()
  }
  const result = await call(['exam', '--url', examined.url], { isInteractive: true })
  assert.equal(requestCount, 1)
  assert.match(result.err, /^The exam is running…\n {2}1\/11 Correct callback$/)
  assert.match(result.out, /Not sent, because the first request did not get through/)
  const notInteractive = await call(['exam', '--url', examined.url])
  assert.equal(notInteractive.err, 'The exam is running…')
})

test('exam --url stops after 45 seconds of slow responses', async (t) => {
  let requestCount = 0
  const now = performance.now.bind(performance)
  // Each response seems to take 16 seconds, so the third response ends after 48 seconds.
  t.mock.method(performance, 'now', () => now() + requestCount * 16_000)
  examined.listener = (_request, response) => {
    requestCount += 1
    response.end('at last')
  }
  const result = await call(['exam', '--url', examined.url])
  assert.equal(requestCount, 3)
  assert.match(result.out, /No response in time to: Correct callback/)
})

test('exam --url names the order that the merchant has to check', async () => {
  examined.listener = (_request, response) => response.end('ok')
  const result = await call(['exam', '--url', examined.url])
  assert.match(result.out, /Only your server knows whether the order exam-[0-9a-f]{8}-good is still paid/)
})

test('exam of the live URL asks for confirmation, and --yes confirms without a prompt', async () => {
  const withoutPrompt = await call(['exam'])
  assert.match(withoutPrompt.err, /\nSet a test callback URL, or add --yes to send to the live one\.$/)
  const declined = await call(['exam'], { answers: ['n'] })
  assert.match(
    declined.err,
    new RegExp(`live callback URL ${liveShop.url}\\. Continue\\? \\[y/N\\]\\nNothing was sent\\.`),
  )
  assert.equal(liveShop.received.length, 0)
  const confirmed = await call(['exam'], { answers: ['Y'] })
  assert.match(confirmed.out, new RegExp(`^Target: ${liveShop.url}\\n`))
  const withFlag = await call(['exam', '--yes', '--json'])
  assert.equal(withFlag.json<{ target: { live: boolean } }>().target.live, true)
  // Two exams of eleven requests each.
  assert.equal(liveShop.received.length, 22)
  assert.deepEqual([withoutPrompt.code, declined.code, confirmed.code, withFlag.code], [1, 1, 1, 1])
})
