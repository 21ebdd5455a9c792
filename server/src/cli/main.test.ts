// The operator's commands as processes: what they print and how they end.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Finding } from '../lib/finding.ts'

interface Ended {
  code: unknown
  out: string
  err: string
}

function runMain(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const main = path.join(import.meta.dirname, 'main.ts')
  const preload = path.join(import.meta.dirname, '../../../scripts/preload.cjs')
  return new Promise((resolve) => {
    const options = { env, cwd: tmpdir() }
    execFile(process.execPath, ['--require', preload, main, ...args], options, (error, out, err) =>
      resolve({ code: error?.code, out, err }),
    )
  })
}

test('doctor --json prints JSON and exits with 1 if there is a problem', async () => {
  const { code, out } = await runMain(['doctor', '--json'], { BASE_URL: 'nonsense', PORT: '0' })
  assert.equal(code, 1)
  const printed = JSON.parse(out) as { problems: number; findings: Finding[] }
  assert.equal(printed.problems, 2)
  assert.deepEqual(printed.findings.map(({ where }) => where).sort(), ['BASE_URL', 'PORT'])
})

test('an unknown command is named before the list of commands, and exits with 2', async () => {
  const { code, err } = await runMain(['acounts'])
  assert.equal(code, 2)
  assert.match(err, /^There is no command "acounts"\.\n\nUsage: npm run pazar -- <command>\n/)
})
