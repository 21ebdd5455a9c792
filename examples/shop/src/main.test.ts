import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
/** Node runs this script before MAIN. The script turns on the cache of compiled code. */
const PRELOAD = fileURLToPath(new URL('../../../scripts/preload.cjs', import.meta.url))
const SETTINGS = {
  PORT: '0',
  PAZAR_BASE_URL: 'http://localhost:3000',
  PAZAR_PROJECT_ID: 'tz4a98xxat96iws9zmbrgj3a',
  PAZAR_SECRET: 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
}

function start(t: TestContext, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--require', PRELOAD, MAIN], { env, stdio: 'pipe' })
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit') as Promise<[code: number | null, signal: NodeJS.Signals | null]>
  return { child, exit, stdout: text(child.stdout), stderr: text(child.stderr) }
}

async function readReadyLine(shop: ReturnType<typeof start>): Promise<string> {
  const [chunk] = (await once(shop.child.stdout, 'data')) as [Buffer]
  return chunk.toString()
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`the shop prints its address in one line, and exits with 0 on ${signal}`, async (t) => {
    const shop = start(t, { ...SETTINGS, PAZAR_MODE: 'test' })
    const line = await readReadyLine(shop)
    const origin = /^shop ready at (http:\/\/localhost:\d+)\n$/.exec(line)?.[1]
    assert.ok(origin, line)
    assert.equal((await fetch(origin.replace('localhost', '127.0.0.1'))).status, 200)
    shop.child.kill(signal)
    assert.deepEqual(await shop.exit, [0, null])
    assert.equal(await shop.stdout, line)
    assert.equal(await shop.stderr, '')
  })
}

test('with SHOP_EXIT_WITH_PARENT, the shop exits when its parent process has ended', async (t) => {
  const shop = start(t, { ...SETTINGS, SHOP_EXIT_WITH_PARENT: '1' })
  await readReadyLine(shop)
  shop.child.stdin.end()
  assert.deepEqual(await shop.exit, [0, null])
})

for (const name of Object.keys(SETTINGS)) {
  test(`without ${name} the shop prints one sentence and does not start`, async (t) => {
    const shop = start(t, { ...SETTINGS, [name]: '' })
    assert.deepEqual(await shop.exit, [1, null])
    assert.match(await shop.stderr, new RegExp(`^${name} is missing: set it to [^\\n]+\\.\\n$`))
    assert.equal(await shop.stdout, '')
  })
}

for (const [wrong, sentence] of [
  [{ PORT: '80a' }, /^PORT must be a whole number from 0 to 65535\.\n$/],
  [{ PAZAR_SECRET: 'secret' }, /^PAZAR_SECRET must begin with sk_live_ or sk_test_\.\n$/],
  [
    { PAZAR_SECRET: 'sk_test_short' },
    /^No pay link can be made with these settings: The project secret is too short[^\n]+\n$/,
  ],
  [{ PAZAR_MODE: 'live' }, /^PAZAR_MODE must be test, because PAZAR_SECRET is a test secret\.\n$/],
  [
    { PAZAR_BASE_URL: 'pay.example.me' },
    /^No pay link can be made with these settings: baseUrl must be [^\n]+\n$/,
  ],
] as const) {
  test(`${Object.entries(wrong).join('').replace(',', '=')} is refused when the shop starts`, async (t) => {
    const shop = start(t, { ...SETTINGS, ...wrong })
    assert.deepEqual(await shop.exit, [1, null])
    assert.match(await shop.stderr, sentence)
  })
}
