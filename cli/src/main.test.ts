import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '../..')

function printHelp(out: string) {
  const args = ['--require', './scripts/preload.cjs', 'cli/src/main.ts', '--help']
  return spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', openSync(out, 'w'), 'pipe'],
    encoding: 'utf8',
  })
}

test('output to a full disk exits with 1', { skip: !existsSync('/dev/full') && 'needs /dev/full' }, () => {
  const full = printHelp('/dev/full')
  assert.deepEqual([full.status, full.stderr], [1, 'ENOSPC: no space left on device, write\n'])
  assert.equal(printHelp('/dev/null').status, 0)
})
