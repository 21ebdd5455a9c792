import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { CALLBACK_TIMEOUT_MS, RATE_LIMITS } from '@pazar/contract'
import { SEND_UNTIL_MS } from '../server/src/exam/send-requests.ts'
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

test('in Compose and Kubernetes, a copy of .env.example cannot turn on development mode', () => {
  const names = ['NODE_ENV', 'HOST', 'PORT']
  // In Compose, `environment` overrides `env_file`.
  const [, settings = ''] = /^x-settings: [^\n]*\n((?: .*\n)+)/m.exec(read('deploy/compose.yaml')) ?? []
  for (const name of names) assert.match(settings, new RegExp(`^  ${name}: `, 'm'), name)
  // In Kubernetes, the last source of `envFrom` overrides the others.
  const kubernetes = read('deploy/kubernetes/deployment.yaml')
  const [, config = ''] = /^kind: ConfigMap\n([^]*?)^---$/m.exec(kubernetes) ?? []
  for (const name of names) assert.match(config, new RegExp(`^  ${name}: `, 'm'), name)
  const sources = [...kubernetes.matchAll(/- (configMapRef|secretRef):/g)].map(([, source]) => source)
  assert.deepEqual(sources, ['secretRef', 'configMapRef', 'secretRef', 'configMapRef'])
})

test('in Compose, nginx restarts with the web processes and shares a network only with them', () => {
  const text = read('deploy/compose.yaml')
  const [, services = ''] = /^services:\n([^]*?)^configs:/m.exec(text) ?? []
  const parts = new Map(
    services.split(/^(?= {2}\w+:$)/m).map((part) => [/^ {2}(\w+):/.exec(part)?.[1], part]),
  )
  assert.match(parts.get('nginx') ?? '', /web:\n +condition: service_started\n +restart: true\n/)
  const [, shared = ''] = /^x-service: [^]*?^ {2}networks: \[(.+)\]/m.exec(text) ?? []
  const networksOf = (name: string) =>
    (/^ {4}networks: \[(.+)\]/m.exec(parts.get(name) ?? '')?.[1] ?? shared).split(', ')
  const neighbours = [...parts.keys()].filter((name) =>
    networksOf(name ?? '').some((network) => networksOf('nginx').includes(network)),
  )
  assert.deepEqual(neighbours, ['web', 'nginx'])
})

test('both proxies limit the connections of an address, and HAProxy reserves some connections for the database', () => {
  const haproxy = read('deploy/haproxy.cfg')
  assert.match(read('deploy/nginx.conf'), /^ +limit_conn connections 100;$/m)
  assert.match(haproxy, /^ {2}tcp-request connection reject if \{ sc0_conn_cur gt 100 \}$/m)
  const [all = 0, payers = 0, database = 0] = [...haproxy.matchAll(/^ {2}maxconn (\d+)$/gm)].map(([, max]) =>
    Number(max),
  )
  assert.ok(payers > 0 && database > 0 && payers + database <= all, `${payers} + ${database} of ${all}`)
})

test('both proxies wait for the longest exam', () => {
  const examSec = (SEND_UNTIL_MS + CALLBACK_TIMEOUT_MS) / 1000
  for (const [file, pattern] of [
    ['deploy/nginx.conf', /proxy_read_timeout (\d+)s;/],
    ['deploy/haproxy.cfg', /timeout server (\d+)s/],
  ] as const) {
    const [, waitSec] = pattern.exec(read(file)) ?? []
    assert.ok(Number(waitSec) > examSec, `${file} waits ${waitSec} s, an exam takes up to ${examSec} s`)
  }
})

test('HAProxy lets a stopping process finish its requests, and does not send them to another process', () => {
  const [, web = ''] = /^backend web\n([^]*?)^# DATABASE_URL/m.exec(read('deploy/haproxy.cfg')) ?? []
  assert.match(web, /^ {2}option redispatch$/m)
  assert.doesNotMatch(web, /^[^#]*shutdown-sessions/m)
  const servers = [...web.matchAll(/^ {2}server (\S+) (\S+)(.*)$/gm)].map(([, name, address, more]) => [
    name,
    address,
    more?.trim(),
  ])
  assert.deepEqual(servers.slice(2), [
    ...servers.slice(0, 2).map(([name, address]) => [`${name}-not-ready`, address, 'backup no-check']),
  ])
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

test('every metric under “Alert on” in docs/operate.md has a rule', () => {
  const [, table = ''] = /\| Alert on \| Meaning \|\n([^]*?)\n\n/.exec(read('docs/operate.md')) ?? []
  const names = [...table.matchAll(/^\|[^|]*`(pazar_\w+)`/gm)].map(([, name = '']) => name)
  assert.ok(names.length >= 12, names.join())
  const rules = read('deploy/alerts.yaml')
  assert.deepEqual(
    names.filter((name) => !rules.includes(name)),
    [],
  )
})

test('Compose and Kubernetes let a stopping process run at least 25 s longer than DRAIN_SECONDS', () => {
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
