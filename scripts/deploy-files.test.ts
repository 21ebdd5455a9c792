import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { RATE_LIMITS } from '@pazar/contract'
import { readVersion } from './release-files.ts'
import { ROOT } from './test-files.ts'

const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8')
const settings = new Set(
  [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
)
const POSTGRES_SETTINGS = ['POSTGRES_PASSWORD']

const ASSIGNMENTS: Readonly<Record<string, RegExp>> = {
  'deploy/Dockerfile': /^(?:ENV|  )\s*([A-Z][A-Z0-9_]+)=/gm,
  'deploy/compose.yaml': /^ +([A-Z][A-Z0-9_]+): /gm,
  'deploy/pazar.service': /(?<=^Environment=.*)\b([A-Z][A-Z0-9_]+)=/gm,
  'deploy/pazar@.service': /(?<=^Environment=.*)\b([A-Z][A-Z0-9_]+)=/gm,
  'deploy/kubernetes/deployment.yaml': /(?:^ +|name: )([A-Z][A-Z0-9_]+)(?::|,)/gm,
}

for (const [file, pattern] of Object.entries(ASSIGNMENTS))
  test(`${file} sets only settings of .env.example and of PostgreSQL`, () => {
    const names = [...read(file).matchAll(pattern)].map(([, name = '']) => name)
    assert.ok(names.length >= 2, names.join())
    const unknown = names.filter((name) => !settings.has(name) && !POSTGRES_SETTINGS.includes(name))
    assert.deepEqual(unknown, [])
  })

test('.env.example names every rate limit', () => {
  const [line = ''] = /^#.*RATE_LIMIT_PAY_GET,.*$/m.exec(read('.env.example')) ?? []
  const names = [...line.matchAll(/(?:RATE_LIMIT)?_([A-Z_]+)/g)].map(([, name]) => name)
  assert.deepEqual(names.toSorted(), Object.keys(RATE_LIMITS).toSorted())
})

test('the samples and docs/operate.md name the newest release', () => {
  const files = ['deploy/Dockerfile', 'deploy/compose.yaml', 'deploy/kubernetes/deployment.yaml']
  for (const file of files) {
    const named = [...read(file).matchAll(/pazar[:-](\d[\d.]*\d)/g)].map(([, version]) => version)
    assert.deepEqual([...new Set(named)], [readVersion(ROOT)], file)
  }
  assert.ok(read('docs/operate.md').includes(`tar xzf pazar-${readVersion(ROOT)}.tgz`))
})

test('both systemd units have the same rights and limits', () => {
  const [one, template] = ['deploy/pazar.service', 'deploy/pazar@.service'].map((file) =>
    read(file)
      .split('\n')
      .filter((line) => line !== '' && !/^(?:#|Description=|Environment=)/.test(line)),
  )
  assert.deepEqual(one, template)
})

test('nginx logs to files, because under systemd it cannot open its standard output', () => {
  assert.doesNotMatch(read('deploy/nginx.conf'), /^[^#]*(?:\/dev\/std|_log std)/m)
})

test('there is a rule for every metric that docs/operate.md says to alert on', () => {
  const [, table = ''] = /\| Alert on \| Meaning \|\n([^]*?)\n\n/.exec(read('docs/operate.md')) ?? []
  const names = [...table.matchAll(/^\|[^|]*`(pazar_\w+)`/gm)].map(([, name = '']) => name)
  assert.ok(names.length >= 12, names.join())
  const rules = read('deploy/alerts.yaml')
  assert.deepEqual(
    names.filter((name) => !rules.includes(name)),
    [],
  )
})

test('Compose and Kubernetes wait at least 25 s longer than DRAIN_SECONDS', () => {
  const pairs = [
    [
      /^ {2}stop_grace_period: (\d+)s/m.exec(read('deploy/compose.yaml')),
      /DRAIN_SECONDS: '(\d+)'/.exec(read('deploy/compose.yaml')),
    ],
    [
      /terminationGracePeriodSeconds: (\d+)/.exec(read('deploy/kubernetes/deployment.yaml')),
      /DRAIN_SECONDS: '(\d+)'/.exec(read('deploy/kubernetes/deployment.yaml')),
    ],
  ]
  // After DRAIN_SECONDS, a process finishes its work within 25 s.
  for (const [grace, drain] of pairs) assert.ok(Number(grace?.[1]) >= Number(drain?.[1]) + 25, String(grace))
})
