import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { rows } from '../../test/accounts.ts'
import { makeCertificate } from '../../test/certificates.ts'
import { clearRoleSettings } from '../../test/database.ts'
import { TEST_KEY } from '../../test/harness.ts'
import { findFreePort, startMailServer } from '../../test/mail-server.ts'
import { startPayments } from '../../test/payments.ts'
import { startUpstream } from '../../test/upstream-process.ts'
import { parseConfig } from '../config.ts'
import { ConfigError } from '../config/env-reader.ts'
import type { DatabaseFacts } from '../db/doctor-facts.ts'
import { systemClock } from '../lib/clock.ts'
import type { Clock } from '../lib/clock.ts'
import { createLogger } from '../lib/logger.ts'
import { UsageError } from './command.ts'
import { printFindings, runDoctor } from './doctor.ts'
import { examineDatabaseFacts } from '../db/doctor-findings.ts'
import { examine } from './doctor/examine.ts'
import type { Finding } from '../lib/finding.ts'
import { findFullDisk } from './doctor/machine-findings.ts'
import { examineNames } from './doctor/network-findings.ts'
import { toConfigFindings } from './doctor/settings-findings.ts'

const { deps, databaseUrl } = await startPayments({ SECRETS_KEY: TEST_KEY })
await clearRoleSettings(databaseUrl)
const POOLED = { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: databaseUrl }
const dir = await mkdtemp(path.join(tmpdir(), 'pazar-doctor-'))
after(() => rm(dir, { recursive: true, force: true }))
const mail = await startMailServer()
after(() => mail.stop())
const closedPort = await findFreePort()
const OTHER_KEY = randomBytes(32).toString('base64')

const GOOD_SETTINGS = { NODE_ENV: 'test', DATABASE_URL: databaseUrl, SECRETS_KEY: TEST_KEY, DATA_DIR: dir }
const PRODUCTION = {
  ...GOOD_SETTINGS,
  NODE_ENV: 'production',
  BASE_URL: `https://localhost:${closedPort}`,
  SECRETS_KEY: OTHER_KEY,
  MAIL: 'files',
  ALLOW_SANDBOX_LIVE: 'true',
  TRUST_PROXY: '1',
}

const log = createLogger('silent')
const find = (env: Record<string, string>, clock: Clock = systemClock) =>
  examine({ config: parseConfig({ ...GOOD_SETTINGS, ...env }), clock, log })

function withUrl(change: (url: URL) => void): { DATABASE_URL: string } {
  const url = new URL(databaseUrl)
  change(url)
  return { DATABASE_URL: url.href }
}

function findRefusedSettings(env: Record<string, string>): Finding[] {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return toConfigFindings(error.problems)
    throw error
  }
  return []
}

const FACTS: DatabaseFacts = {
  major: 18,
  disabledSettings: [],
  role: 'pazar',
  isSuperuser: false,
  extraRights: [],
  mayCreateTables: true,
  isReadOnly: false,
  isBehindPooler: false,
  connectionsMax: 100,
  processes: 2,
  clockOffsetMs: 0,
  bloatedTable: null,
  schema: { newest: 1, notAdditive: 1 },
}
const findIn = async (facts: Partial<DatabaseFacts>) =>
  examineDatabaseFacts(
    { ...FACTS, ...facts },
    { production: true, knownVersion: 50, isPoolerConfigured: false },
  )

const BROKEN_SETUPS: [what: string, name: string, examine: () => Promise<Finding[]>][] = [
  ['an invalid setting', 'config', async () => findRefusedSettings({ BASE_URL: 'nonsense' })],
  [
    'a database server that does not run',
    'database_unreachable',
    () => find({ DATABASE_URL: `postgres://pazar@127.0.0.1:${closedPort}/pazar` }),
  ],
  ['an embedded database that does not run', 'database_stopped', () => find({ DATABASE_URL: '' })],
  ['a wrong password', 'database_login', () => find(withUrl((url) => (url.password = 'wrong')))],
  [
    'a database that does not exist',
    'database_missing',
    () => find(withUrl((url) => (url.pathname = '/nothing'))),
  ],
  [
    'a database that is read-only',
    'database_read_only',
    () => find(withUrl((url) => url.searchParams.set('options', '-c default_transaction_read_only=on'))),
  ],
  ['a server without fsync', 'database_not_durable', () => findIn({ disabledSettings: ['fsync'] })],
  ['an old server', 'database_version', () => findIn({ major: 14 })],
  ['a role that is a superuser', 'role_superuser', () => findIn({ isSuperuser: true })],
  ['a role that may not create tables', 'role_rights', () => findIn({ mayCreateTables: false })],
  ['a role with rights it does not need', 'role_extra_rights', () => findIn({ extraRights: ['CREATEROLE'] })],
  ['a pooler that is not configured', 'pooler', () => findIn({ isBehindPooler: true })],
  ['too few connections', 'database_connections', () => findIn({ connectionsMax: 20 })],
  ['too many processes for the connections', 'database_connections', () => findIn({ processes: 6 })],
  [
    'a pooler that does not run',
    'database_unreachable',
    () =>
      find({
        DATABASE_URL: `postgres://pazar@127.0.0.1:${closedPort}/pazar`,
        DATABASE_POOLER: 'transaction',
        DATABASE_DIRECT_URL: databaseUrl,
      }),
  ],
  ['a role without the settings that a pooler needs', 'pooler', () => find(POOLED)],
  [
    'the schema of a newer release',
    'schema_newer',
    () => findIn({ schema: { newest: 51, notAdditive: 51 } }),
  ],
  ['a clock that is wrong', 'clock', () => find({}, { nowMs: () => Date.now() + 600_000 })],
  ['a wrong master key', 'secrets_key', () => find({ SECRETS_KEY: OTHER_KEY })],
  ['a proxy that is not trusted', 'proxy_headers', () => find({ ...PRODUCTION, TRUST_PROXY: '0' })],
  ['nothing at the public address', 'base_url_unreachable', () => find(PRODUCTION)],
  [
    'a name without an address',
    'dns',
    () =>
      examineNames(parseConfig({ ...GOOD_SETTINGS, SMTP_URL: 'smtp://mail.example.me' }), async () => {
        throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      }),
  ],
  [
    'a mail server that does not run',
    'mail_unreachable',
    () => find({ SMTP_URL: `smtp://127.0.0.1:${closedPort}` }),
  ],
  [
    'a mail server without TLS',
    'mail_tls',
    () =>
      find({
        ...PRODUCTION,
        MAIL: 'smtp',
        MAIL_FROM: 'no-reply@example.me',
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      }),
  ],
  [
    'an upstream that does not run',
    'upstream_unreachable',
    () =>
      find({
        BACKEND: 'http',
        BACKEND_URL: `http://127.0.0.1:${closedPort}`,
        BACKEND_SECRET: `whsec_${TEST_KEY}`,
      }),
  ],
  [
    'a disk that is almost full',
    'disk',
    async () => findFullDisk({ freeBytes: 5_000_000, totalBytes: 1e12 }, { databaseUrl: null, dataDir: dir }),
  ],
]

for (const [caseName, name, examineSetup] of BROKEN_SETUPS)
  test(`${caseName}: doctor reports "${name}", its place and how to repair it`, async () => {
    const findings = await examineSetup()
    const found = findings.find((one) => one.name === name)
    assert.ok(found, `found: ${findings.map((one) => one.name).join()}`)
    assert.ok(found.what.length > 10 && found.where !== '' && found.fix.length > 10)
    assert.equal(printFindings([found], false).exitCode, found.level === 'problem' ? 1 : 0)
  })

test('dead rows that were not removed are found as database_dead_rows', async (t) => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  t.after(() => client.end())
  await client.query('create table replaced as select generate_series(1, 100001)')
  await client.query('delete from replaced')
  await client.query('select pg_stat_force_next_flush()')
  const found = (await find({})).find(({ name }) => name === 'database_dead_rows')
  assert.match(found?.what ?? '', /^The table replaced has 100001 dead rows/)
  await client.query('create schema other')
  await client.query('alter table replaced set schema other')
  assert.ok(!(await find({})).some(({ name }) => name === 'database_dead_rows'), 'a table of another schema')
  await client.query('drop schema other cascade')
})

test('a public address whose certificate is not trusted is found as base_url_certificate', async () => {
  const server = createServer(makeCertificate({ names: ['localhost'] }), (_req, res) => void res.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const findings = await find({ ...PRODUCTION, BASE_URL: `https://localhost:${port}` })
  const found = findings.find(({ name }) => name === 'base_url_certificate')
  assert.match(found?.fix ?? '', /NODE_EXTRA_CA_CERTS in the environment/)
  assert.ok(!findings.some(({ name }) => name === 'base_url_unreachable'))
})

test('an upstream whose amounts have another number of decimals is found as upstream_terms', async () => {
  const upstream = await startUpstream({ moneyEnv: { AMOUNT_SCALE: '0' } })
  after(() => upstream.stop())
  const names = (await find(upstream.env)).map(({ name }) => name)
  assert.ok(names.includes('upstream_terms'), names.join())
})

test('a DATA_DIR that cannot be created is found as data_dir', async () => {
  const file = path.join(dir, 'file')
  await writeFile(file, '')
  const names = (await find({ DATA_DIR: path.join(file, 'data') })).map(({ name }) => name)
  assert.ok(names.includes('data_dir'), names.join())
})

test('a good setup has no problem, and doctor neither migrates the database nor sends a mail', async () => {
  const countChanges = () =>
    rows(deps.db, 'select count(*) from schema_migrations union all select count(*) from mails')
  const countsBefore = await countChanges()
  const findings = await find({ SMTP_URL: `smtp://127.0.0.1:${mail.port}` })
  assert.deepEqual(
    findings.filter(({ level }) => level === 'problem'),
    [],
  )
  assert.deepEqual(await countChanges(), countsBefore)
  assert.equal(mail.received.length, 0)
})

test('doctor refuses an unknown option, and an argument that is not an option, as wrong usage', async () => {
  for (const args of [['--nonsense'], ['json']]) await assert.rejects(runDoctor(args), UsageError)
})
