import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
/** Caches compiled code. */
const PRELOAD = fileURLToPath(new URL('../../../scripts/preload.cjs', import.meta.url))
const dir = mkdtempSync(path.join(tmpdir(), 'upstream-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const SETTINGS = {
  PORT: '0',
  BACKEND_SECRET: 'a-secret-that-both-sides-have-0123456789',
  LEDGER_FILE: path.join(dir, 'ledger.jsonl'),
}

function start(t: TestContext, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--require', PRELOAD, MAIN], { env, stdio: 'pipe' })
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit') as Promise<[code: number | null, signal: NodeJS.Signals | null]>
  return { child, exit, stderr: text(child.stderr) }
}

test('the upstream prints its address, and exits with 0 on SIGTERM', async (t) => {
  const { child, exit, stderr } = start(t, SETTINGS)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = /^upstream ready at http:\/\/localhost:(\d+)\n$/.exec(line.toString())?.[1]
  const ledger = await fetch(`http://127.0.0.1:${port}/ledger`)
  assert.deepEqual(await ledger.json(), { payments: [], charges: [], refunds: [], disputes: [] })
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
  assert.equal(await stderr, '')
})

test('with UPSTREAM_EXIT_WITH_PARENT, the upstream exits with 0 when its stdin closes', async (t) => {
  const { child, exit } = start(t, { ...SETTINGS, UPSTREAM_EXIT_WITH_PARENT: '1' })
  await once(child.stdout, 'data')
  child.stdin.end()
  assert.deepEqual(await exit, [0, null])
})

for (const [wrong, sentence] of [
  [{ PORT: '' }, /^PORT is missing: /],
  [{ PORT: '80a' }, /^PORT must be a whole number from 0 to 65535\.\n$/],
  [{ BACKEND_SECRET: '' }, /^BACKEND_SECRET is missing: /],
  [{ BACKEND_SECRET: 'short' }, /^BACKEND_SECRET must have at least 32 bytes\.\n$/],
  [{ CURRENCY: 'euro' }, /^CURRENCY must be three capital letters/],
  [{ AMOUNT_SCALE: '5' }, /^AMOUNT_SCALE must be a whole number from 0 to 4\.\n$/],
  [{ LEDGER_FILE: '' }, /^LEDGER_FILE is missing: /],
  [{ WEBHOOK_URL: 'pay.example.me' }, /^WEBHOOK_URL must be an address\.\n$/],
] as const) {
  test(`${Object.entries(wrong).join('').replace(',', '=')} is refused when the upstream starts`, async (t) => {
    const { exit, stderr } = start(t, { ...SETTINGS, ...wrong })
    assert.deepEqual(await exit, [1, null])
    assert.match(await stderr, sentence)
  })
}
