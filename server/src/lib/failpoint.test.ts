import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { createFailpoint, FAIL_STEPS } from './failpoint.ts'

test('if no step is configured, the failpoint does nothing', async () => {
  const failpoint = createFailpoint(null)
  for (const step of FAIL_STEPS) await failpoint(step)
})

test('the process is killed at the configured step and at no other', () => {
  const module = new URL('failpoint.ts', import.meta.url).href
  const script = `import { createFailpoint } from '${module}'
    const failpoint = createFailpoint('S4')
    for (const step of ['S0', 'S1', 'S4', 'S5']) { console.log(step); failpoint(step) }`
  const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  assert.equal(signal, 'SIGKILL')
  assert.equal(stdout, 'S0\nS1\nS4\n')
})
