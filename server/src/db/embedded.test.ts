import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { requireBinaries, requirePackageDir } from './embedded-binaries.ts'
import { createCluster, makeDirectory } from './embedded-cluster.ts'
import { chooseIdentity, changeOwner } from './embedded-identity.ts'
import { stopPostmaster } from './embedded-postmaster.ts'
import { launchServer, toServerArguments } from './embedded-server.ts'
import { openTrial, openTrialWithData, query, toLauncherCommand } from '../../test/embedded-trial.ts'
import { EmbeddedPostgresError } from './embedded.ts'

test('a first start creates a UTF-8 cluster with checksums and private files, and every login needs a password', async (t) => {
  const trial = await openTrial(t)
  const lines: string[] = []
  const postgres = await trial.start({ settings: {}, log: (line) => lines.push(line) })
  assert.equal(postgres.adopted, false)
  assert.deepEqual(await query(postgres.adminUrl('postgres'), 'SHOW data_checksums'), ['on'])
  const locales = `SELECT DISTINCT concat_ws(' ', datlocprovider, datlocale, pg_encoding_to_char(encoding)) FROM pg_database`
  assert.deepEqual(await query(postgres.adminUrl('postgres'), locales), ['b C.UTF-8 UTF8'])
  const methods = await query(
    postgres.adminUrl('postgres'),
    'SELECT DISTINCT auth_method FROM pg_hba_file_rules',
  )
  assert.deepEqual(methods, ['scram-sha-256'])
  const forged = new URL(postgres.adminUrl('postgres'))
  forged.password = 'guess'
  await assert.rejects(query(forged.href, 'SELECT 1'), { code: '28P01' })
  assert.equal((await stat(trial.dir)).mode & 0o777, 0o700)
  assert.equal((await stat(join(trial.dir, 'cluster', 'password'))).mode & 0o777, 0o600)
  assert.equal(lines.length, 1)
})

test('the server listens only on loopback, and every commit is synced to disk unless settings turn that off', async (t) => {
  const trial = await openTrialWithData(t)
  const names = [
    'listen_addresses',
    'unix_socket_directories',
    'fsync',
    'synchronous_commit',
    'full_page_writes',
  ]
  const show = `SELECT current_setting(name) FROM unnest($1::text[]) AS name`
  const strict = await trial.start({ settings: {} })
  assert.deepEqual(await query(strict.adminUrl('postgres'), show, [names]), [
    '127.0.0.1',
    '',
    'on',
    'on',
    'on',
  ])
  const elsewhere = new URL(strict.adminUrl('postgres'))
  elsewhere.hostname = '127.0.0.2'
  await assert.rejects(query(elsewhere.href, 'SELECT 1'), { syscall: 'connect' })
  await strict.stop()
  const loose = await trial.start({ settings: { fsync: 'off', listen_addresses: '*', work_mem: '8MB' } })
  assert.deepEqual(await query(loose.adminUrl('postgres'), show, [names]), [
    '127.0.0.1',
    '',
    'off',
    'on',
    'on',
  ])
  assert.deepEqual(await query(loose.adminUrl('postgres'), 'SHOW work_mem'), ['8MB'])
})

test('several callers can create the same database at the same time, whatever characters its name has', async (t) => {
  const trial = await openTrialWithData(t)
  const postgres = await trial.start()
  const name = 'Shop "1"; žuta'
  await Promise.all([1, 2, 3, 4].map(() => postgres.ensureDatabase(name)))
  await postgres.ensureDatabase(name)
  assert.deepEqual(await query(postgres.url(name), 'SELECT current_database()'), [name])
})

test('neither statements nor their values are logged', async (t) => {
  const trial = await openTrialWithData(t)
  const postgres = await trial.start()
  await postgres.ensureDatabase('shop')
  const url = postgres.url('shop')
  await query(url, 'CREATE TABLE card (number text PRIMARY KEY, cents int CHECK (cents > 0))')
  await query(url, `INSERT INTO card VALUES ($1, 1)`, ['4242-secret'])
  await assert.rejects(query(url, `INSERT INTO card VALUES ($1, 1)`, ['4242-secret']), { code: '23505' })
  await assert.rejects(query(url, `INSERT INTO card VALUES ('5555-secret', -1)`), { code: '23514' })
  await assert.rejects(query(url, `SELECT $1::int`, ['6666-secret']), { code: '22P02' })
  await assert.rejects(query(url, `SELECT secret_column FROM card`), { code: '42703' })
  const names = [
    'log_statement',
    'log_min_error_statement',
    'log_error_verbosity',
    'log_parameter_max_length_on_error',
  ]
  const settings = await query(url, 'SELECT current_setting(name) FROM unnest($1::text[]) AS name', [names])
  assert.deepEqual(settings, ['none', 'panic', 'terse', '0'])
  await postgres.stop()
  const log = await readFile(join(trial.dir, 'log', 'postgres.log'), 'utf8')
  assert.match(log, /ready to accept connections/)
  assert.doesNotMatch(log, /secret/)
})

test('after stop() the server has ended; stopping twice is harmless, and the next start finds the rows', async (t) => {
  const trial = await openTrialWithData(t)
  const first = await trial.start()
  await first.ensureDatabase('shop')
  await query(first.url('shop'), 'CREATE TABLE kept AS SELECT 7 AS n')
  await Promise.all([first.stop(), first.stop()])
  await first.stop()
  assert.throws(() => process.kill(first.pid, 0), { code: 'ESRCH' })
  const second = await trial.start()
  assert.equal(second.adopted, false)
  assert.deepEqual(await query(second.url('shop'), 'SELECT n FROM kept'), [7])
})

test('after a first start was killed, the next start succeeds and deletes the unfinished files', async (t) => {
  const trial = await openTrial(t)
  const [file = '', ...args] = toLauncherCommand({ dir: trial.dir, finally: 'stay' })
  const launcher = spawn(file, args, { stdio: 'ignore', detached: true })
  t.after(() => launcher.kill('SIGKILL'))
  const listUnfinished = async () =>
    (await readdir(trial.dir).catch(() => [])).filter((name) => name.startsWith('cluster.new-'))
  const hasBegun = async () => {
    const [name] = await listUnfinished()
    return name !== undefined && (await readdir(join(trial.dir, name, 'data')).catch(() => [])).length > 0
  }
  while (!(await hasBegun())) {
    assert.equal(existsSync(trial.data), false, 'the start ended before it could be interrupted')
    await sleep(5)
  }
  assert.ok(launcher.pid)
  process.kill(-launcher.pid, 'SIGKILL') // This also kills initdb, which is in the same process group.
  assert.equal((await listUnfinished()).length, 1)
  const postgres = await trial.start()
  assert.equal(postgres.adopted, false)
  assert.deepEqual(await query(postgres.adminUrl('postgres'), 'SELECT 1'), [1])
  assert.deepEqual(await listUnfinished(), [])
})

test('data is refused with a clear error if its version is missing or different, or if its password is missing or wrong', async (t) => {
  const trial = await openTrialWithData(t)
  const created = await trial.start()
  await created.stop()
  const version = join(trial.data, 'PG_VERSION')
  const password = join(trial.dir, 'cluster', 'password')
  const original = { version: await readFile(version), password: await readFile(password) }

  await writeFile(version, '17\n')
  await assert.rejects(trial.start(), (error: Error) => {
    assert.ok(error instanceof EmbeddedPostgresError)
    assert.match(error.message, /PostgreSQL 17 .* PostgreSQL 18.*dump.*DATABASE_URL/)
    return true
  })
  await rm(version)
  await assert.rejects(trial.start(), { name: 'EmbeddedPostgresError', message: /PG_VERSION.*backup/ })
  await writeFile(version, original.version)

  await rm(password)
  await assert.rejects(trial.start(), {
    name: 'EmbeddedPostgresError',
    message: /password file .* is missing/,
  })
  await writeFile(password, 'another')
  await assert.rejects(trial.start(), {
    name: 'EmbeddedPostgresError',
    message: /does not belong to its data/,
  })
  await writeFile(password, original.password)
  assert.deepEqual(await query((await trial.start()).adminUrl('postgres'), 'SELECT 1'), [1])
})

test('if the server cannot start, the error has the last lines of its log', async (t) => {
  const trial = await openTrialWithData(t)
  await assert.rejects(trial.start({ settings: { shared_buffers: 'plenty' } }), (error: Error) => {
    assert.ok(error instanceof EmbeddedPostgresError)
    assert.match(error.message, /postgres\.log/)
    assert.match(error.message, /invalid value for parameter "shared_buffers": "plenty"/)
    return true
  })
  assert.equal((await trial.start()).adopted, false)
})

test('if another program has taken the chosen port, the server starts on another port', async (t) => {
  const trial = await openTrial(t)
  const squatter = createServer().listen(0, '127.0.0.1')
  t.after(() => squatter.close())
  await new Promise((resolve) => squatter.once('listening', resolve))
  const address = squatter.address()
  assert.ok(address && typeof address === 'object')
  const freedServer = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => freedServer.once('listening', resolve))
  const freeAddress = freedServer.address()
  assert.ok(freeAddress && typeof freeAddress === 'object')
  await new Promise((resolve) => freedServer.close(resolve))

  const binaries = await requireBinaries(requirePackageDir())
  const paths = await makeDirectory(trial.dir)
  const identity = await chooseIdentity(binaries.postgres, paths.dir, paths.data)
  await changeOwner(identity, paths.dir, true)
  await createCluster(paths, binaries, identity, false)
  const offered = [address.port, address.port, freeAddress.port]
  const choosePort = async () => offered.shift() ?? 0
  const launch = { paths, binaries, identity, arguments: toServerArguments(paths.data, { fsync: 'off' }) }
  const running = await launchServer(launch, choosePort)
  assert.equal(running.port, freeAddress.port)
  await stopPostmaster(running, binaries.pgCtl, paths.data)
  await assert.rejects(
    launchServer(launch, async () => address.port),
    { name: 'EmbeddedPostgresError', message: /could not bind IPv4 address "127\.0\.0\.1"/ },
  )
})

test('if the directory cannot be created, the error names the directory', async (t) => {
  const trial = await openTrial(t)
  const dir = join(trial.root, 'file')
  await writeFile(dir, 'in the way')
  await assert.rejects(trial.start({ dir }), (error: Error) => {
    assert.ok(error instanceof EmbeddedPostgresError)
    assert.ok(error.message.includes(`The data directory ${dir} cannot be used`))
    return true
  })
})
