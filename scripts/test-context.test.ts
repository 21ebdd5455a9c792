import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import path from 'node:path'

const PROGRAM = `
import { after, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
suite('first', async () => {
  await sleep(1)
  test('throws in a timer', async () => {
    setTimeout(() => { throw new Error('thrown later') })
    await sleep(20)
  })
  test('rejects', async () => {
    await sleep(1)
    void Promise.reject(new Error('rejected'))
    await sleep(20)
  })
  after(() => console.log('# after first'))
})
suite('second', () => void test('passes', (t) => t.test('a part', () => sleep(1))))
`

test('an error in a timer or an unhandled rejection fails the test that caused it', () => {
  const flags = ['--require', path.join(import.meta.dirname, 'test-context.cjs'), '--test-reporter=tap']
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', PROGRAM], {
    env,
    encoding: 'utf8',
  })
  const lines = stdout.split('\n').filter((line) => /^ *(?:not )?ok|^# (?:Error|Warning)/.test(line))
  assert.deepEqual(lines, [
    '    not ok 1 - throws in a timer',
    '    not ok 2 - rejects',
    'not ok 1 - first',
    '        ok 1 - a part',
    '    ok 1 - passes',
    'ok 2 - second',
  ])
  assert.ok(stdout.includes('# after first'))
})
