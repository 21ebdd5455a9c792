import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from './database.ts'
import { HttpClient } from './http-client.ts'
import { freePort, startServiceProcess } from './service-process.ts'
import type { ServiceProcess } from './service-process.ts'
import { startUpstream } from './upstream-process.ts'

const dir = await mkdtemp(path.join(tmpdir(), 'pazar-start-'))
const database = await createTestDatabase()
/** This database is in the test cluster, because creating an embedded database is slow. */
const demoDatabase = await createTestDatabase()
after(async () => {
  await database.drop()
  await demoDatabase.drop()
  await rm(dir, { recursive: true, force: true })
})

/** The service is killed after the tests. If a failed test left it running, the run would not end. */
async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess(env)
  after(() => service.kill())
  return service
}

async function readRefusal(env: Record<string, string>): Promise<string> {
  const starting = startServiceProcess({ DATA_DIR: dir, DEMO: 'off', DATABASE_URL: database.url, ...env })
  const error = await starting.then(
    async (service) => {
      await service.stop()
      throw new Error('the service started')
    },
    (reason: Error) => reason,
  )
  return error.message
}

const REFUSED_STARTS: [what: string, env: Record<string, string>, sentence: RegExp][] = [
  [
    'a database that refuses the connection',
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' },
    /DATABASE_URL cannot be used \(ECONNREFUSED\)/,
  ],
  ['a host address of another machine', { HOST: '192.0.2.1' }, /cannot listen on 192\.0\.2\.1/],
  ['a misspelt name of a limit', { RATE_LIMIT_SIGNIN: '5' }, /RATE_LIMIT_SIGNIN is not the name of a limit/],
]

for (const [caseName, env, sentence] of REFUSED_STARTS) {
  test(`with ${caseName}, the start fails with a readable message and no stack trace`, async () => {
    const text = await readRefusal(env)
    assert.match(text, sentence)
    assert.doesNotMatch(text.replace(/^.*\n/, ''), /^ {4}at /m)
  })
}

test('the start fails with a readable message if the upstream uses another number of decimals', async () => {
  const upstream = await startUpstream({ moneyEnv: { AMOUNT_SCALE: '0' } })
  try {
    const text = await readRefusal(upstream.env)
    assert.match(text, /The upstream of BACKEND_URL uses EUR with 0 decimals/)
  } finally {
    await upstream.stop()
  }
})

test('the start fails with a readable message if the port is in use', async () => {
  const port = await freePort()
  const holder = createServer().listen(port, '127.0.0.1')
  await once(holder, 'listening')
  assert.match(await readRefusal({ PORT: String(port) }), /cannot listen on .* \(EADDRINUSE\)/)
  holder.close()
})

test('a start that waits for the migrations of another process prints that it waits, and exits with 0 on SIGTERM', async () => {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  // The lock that a process holds while it migrates.
  await holder.query('select pg_advisory_lock(7218001)')
  const env = { DATA_DIR: dir, DEMO: 'off', DATABASE_URL: database.url }
  const starting = startServiceProcess(env, {
    onOutput(child, output) {
      if (output.includes('waiting for another process that migrates')) child.kill('SIGTERM')
    },
  })
  await assert.rejects(starting, /ended with 0 before it was ready/)
  await holder.end()
})

test('a start that waits for an unresponsive database exits with 0 on SIGTERM', async (t) => {
  const connected = Promise.withResolvers<void>()
  const unresponsive = createServer(() => connected.resolve()).listen(0, '127.0.0.1')
  t.after(() => unresponsive.close())
  await once(unresponsive, 'listening')
  const { port } = unresponsive.address() as AddressInfo
  const env = { DATA_DIR: dir, DEMO: 'off', DATABASE_URL: `postgres://pazar:p@127.0.0.1:${port}/pazar` }
  const starting = startServiceProcess(env, {
    onSpawn: (child) => void connected.promise.then(() => child.kill('SIGTERM')),
  })
  await assert.rejects(starting, /ended with 0 before it was ready/)
})

test('the service keeps running after the reader of its log has ended, and stops with exit code 0', async () => {
  const service = await start({ DATA_DIR: dir, DEMO: 'off', DATABASE_URL: database.url })
  service.child.stdout!.destroy()
  // The first request logs a line that nobody reads. The next requests need a service that still runs.
  for (const reqPath of ['/pay/successful', '/pay/successful', '/readyz'])
    assert.equal((await fetch(service.baseUrl + reqPath)).status, 200, reqPath)
  assert.equal(await service.stop(), 0)
})

const demoEnv = {
  DATA_DIR: path.join(dir, 'demo'),
  DEMO: 'on',
  LOG_LEVEL: 'warn',
  DATABASE_URL: demoDatabase.url,
}

async function signInToDemo({ baseUrl, email, password }: ServiceProcess): Promise<HttpClient> {
  const demo = new HttpClient(baseUrl)
  await demo.ok('POST', '/portal/api/sign-in', { email, password })
  return demo
}

test('the demo history has payments in every state, and the page of one payment in each state opens', async () => {
  const service = await start(demoEnv)
  const demo = await signInToDemo(service)
  for (const state of ['processing', 'requires_action', 'succeeded', 'failed', 'expired']) {
    const { items } = (await demo.ok('POST', '/sdk/transactions/list', { state, limit: 1 })) as {
      items: { id: string }[]
    }
    assert.equal(items.length, 1, state)
    const shown = await demo.send('GET', `/pay/${items[0]!.id}`)
    assert.equal(shown.status, 200, state)
  }
  assert.equal(await service.stop(), 0)
})

test('the start fails if the master key is missing or is not the one that sealed the secrets', async () => {
  const key = path.join(demoEnv.DATA_DIR, 'secrets.key')
  await rename(key, `${key}.away`)
  const env = { ...demoEnv, DEMO: 'off' }
  assert.match(await readRefusal(env), /secrets\.key is missing/)
  const otherKey = Buffer.from('another key of thirty-two bytes!').toString('base64')
  assert.match(await readRefusal({ ...env, SECRETS_KEY: otherKey }), /sealed under another key/)
  const command = ['--require', './scripts/preload.cjs', 'server/src/cli/main.ts', 'currency', 'show']
  const refused = spawnSync(process.execPath, command, {
    env: { ...env, SECRETS_KEY: otherKey },
    encoding: 'utf8',
  })
  assert.match(refused.stderr, /^The database holds secrets sealed under another key [^\n]*\n$/)
  // The next test starts the service with this key.
  await rename(`${key}.away`, key)
})

test('the service starts again after the demo’s projects were renamed, more were added, and demo.json was deleted', async () => {
  const service = await start(demoEnv)
  const demo = await signInToDemo(service)
  const { projects } = (await demo.ok('POST', '/sdk/project/list', {})) as {
    projects: { id: string; name: string }[]
  }
  for (const one of projects)
    await demo.ok('POST', '/sdk/project/update', { projectId: one.id, name: `${one.name} 2` })
  for (let n = projects.length; n < 5; n += 1) {
    const urls = { resultUrl: 'https://shop.example.com/x', apiUrl: 'https://shop.example.com/y' }
    await demo.ok('POST', '/sdk/project/add', { name: 'More', ...urls })
  }
  assert.equal(await service.stop(), 0)
  const restarted = await start(demoEnv)
  assert.equal(
    new URL(restarted.payLink).searchParams.get('project'),
    new URL(service.payLink).searchParams.get('project'),
  )
  await rm(path.join(demoEnv.DATA_DIR, 'demo.json'))
  assert.equal(await restarted.stop(), 0)
  const withoutDemoFile = await start(demoEnv)
  assert.equal(await withoutDemoFile.stop(), 0)
})

test('SIGTERM to npm ends the service that npm started', async () => {
  const root = path.join(import.meta.dirname, '../..')
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: {
      ...(await shellEnv()),
      PORT: String(port),
      DATA_DIR: path.join(dir, 'npm'),
      DEMO: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  while (!output.includes('Pazar is ready')) await new Promise((resolve) => setTimeout(resolve, 50))
  npm.kill('SIGTERM')
  for (let attempts = 0; attempts < 300; attempts += 1) {
    const alive = await fetch(`http://localhost:${port}/healthz`).then(
      () => true,
      () => false,
    )
    if (!alive) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail('the service still responds')
})

async function shellEnv(): Promise<Record<string, string>> {
  // Keeps only PATH and HOME, because the variables of the test runner must not reach the service.
  const text = await readFile('/proc/self/environ', 'utf8').catch(() => '')
  const pairs = text
    .split('\0')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
  return Object.fromEntries(pairs.filter(([name]) => ['PATH', 'HOME'].includes(name)))
}
