import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '../..')

const MAIN = ['--require', './scripts/preload.cjs', 'cli/src/main.ts']

function printHelp(out: string) {
  return spawnSync(process.execPath, [...MAIN, '--help'], {
    cwd: ROOT,
    stdio: ['ignore', openSync(out, 'w'), 'pipe'],
    encoding: 'utf8',
  })
}

test('the exit code on a full disk is 1', { skip: !existsSync('/dev/full') && 'needs /dev/full' }, () => {
  const full = printHelp('/dev/full')
  assert.deepEqual([full.status, full.stderr], [1, 'ENOSPC: no space left on device, write\n'])
  assert.equal(printHelp('/dev/null').status, 0)
})

/** More than a pipe holds, so that the write ends only when the tool reads. */
const LONG_INPUT = 'a'.repeat(1024 * 1024)

for (const args of [
  ['verify', '--file', '-'],
  ['login', '--token-stdin', '--base-url', 'http://127.0.0.1:9'],
]) {
  test(`the first Ctrl+C stops “${args.join(' ')}” while it reads standard input`, async (t) => {
    const env = { PAZAR_CONFIG: path.join(ROOT, 'no-such-folder/cli.json') }
    const tool = spawn(process.execPath, [...MAIN, ...args], { cwd: ROOT, env, stdio: 'pipe' })
    t.after(() => tool.kill('SIGKILL'))
    const output = Promise.all([text(tool.stdout), text(tool.stderr)])
    const exited = once(tool, 'exit', { signal: AbortSignal.timeout(20_000) })
    await new Promise((resolve) => tool.stdin.write(LONG_INPUT, resolve))
    tool.kill('SIGINT')
    assert.deepEqual(await exited, [130, null])
    assert.deepEqual(await output, ['', ''])
  })
}
