import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import {
  canReadRepository,
  copyPackage,
  waitForOutcome,
  killAndWait,
  launch,
  launchAsOrdinaryUser,
  type Launcher,
  type LauncherOptions,
  openTrial,
  query,
  toLauncherCommand,
} from '../../test/embedded-trial.ts'

const NOBODY = 65_534
/** The bit of the capability to open the files and folders of other users. */
const DAC_OVERRIDE = 0b10n

const hasNamespaces = spawnSync('unshare', ['--user', '--map-user=65534', '--', 'true']).status === 0

/** Whether the tests run as root. If not, a launch under the user of the tests is tested instead. */
function mayTryAsRoot(t: TestContext): boolean {
  if (process.getuid?.() === 0) return true
  t.diagnostic('the tests do not run as root, so only the direct launch is tested')
  return false
}

function readStatus(pid: number, field: string): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n')
  return status.find((line) => line.startsWith(`${field}:`))?.split(/\s+/)[1] ?? ''
}

function requireServer({ outcome }: Launcher): { pid: number; url: string } {
  assert.ok(outcome.pid && outcome.url && outcome.adopted === false, JSON.stringify(outcome))
  return { pid: outcome.pid, url: outcome.url }
}

async function launchWithoutNamespaces(t: TestContext, options: LauncherOptions): Promise<Launcher> {
  if (!hasNamespaces) return launch(t, options)
  const forbidScript = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
  // The shell waits until its ids are mapped from outside. The next program that it starts is root in the namespace.
  const waitScript = 'echo; read _ && exec /bin/sh -c "$0" sh "$@"'
  const command = ['--user', '/bin/sh', '-c', waitScript, forbidScript, ...toLauncherCommand(options)]
  const child = spawn('unshare', command, { cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${child.pid}/${map}`, '0 0 65536')
  child.stdin.write('\n')
  return waitForOutcome(t, child)
}

test('an ordinary user runs the server directly, under their own id', async (t) => {
  const trial = await openTrial(t)
  const launcher = await launchAsOrdinaryUser(t, trial, { finally: 'leave' })
  const { pid, url } = requireServer(launcher)
  assert.deepEqual(await query(url, 'SELECT 1'), [1])
  assert.equal(readStatus(pid, 'Uid'), String(launcher.uid))
  assert.equal(statSync(trial.data).uid, launcher.uid)
  assert.equal(readStatus(pid, 'CapAmb'), '0000000000000000')
})

test('root runs the server in a user namespace, even in folders that only root may enter', async (t) => {
  const trial = await openTrial(t)
  await chmod(trial.root, 0o700)
  const packageDir = await copyPackage(join(trial.root, 'package'))
  const postgres = await trial.start({ packageDir })
  assert.deepEqual(await query(postgres.adminUrl('postgres'), 'SELECT 1'), [1])
  if (!mayTryAsRoot(t)) return
  if (!hasNamespaces) return t.diagnostic('user namespaces are forbidden here: the fallback ran instead')
  assert.equal(statSync(trial.data).uid, 0)
  // The server has id 65534 inside the namespace, and is root outside of it.
  assert.match(readFileSync(`/proc/${postgres.pid}/uid_map`, 'utf8'), /^\s*65534\s+0\s+1\s*$/)
  await postgres.stop()
  assert.equal((await trial.start({ packageDir })).adopted, false)
})

test('where namespaces are forbidden, root runs the server as an unprivileged user', async (t) => {
  const trial = await openTrial(t)
  await chmod(trial.root, 0o755)
  const options = { dir: trial.dir, finally: 'stay' } as const
  const launcher = mayTryAsRoot(t) ? await launchWithoutNamespaces(t, options) : await launch(t, options)
  const { pid, url } = requireServer(launcher)
  assert.deepEqual(await query(url, 'SELECT 1'), [1])
  await query(url, 'CREATE TABLE kept AS SELECT 7 AS n')
  await killAndWait(launcher.process)
  await trial.stopLeftServer()
  if (mayTryAsRoot(t)) assert.equal(statSync(trial.data).uid, NOBODY)
  const restarted = await trial.start()
  assert.notEqual(restarted.pid, pid)
  assert.deepEqual(await query(restarted.adminUrl('postgres'), 'SELECT n FROM kept'), [7])
  if (mayTryAsRoot(t)) assert.equal(readStatus(restarted.pid, 'Uid'), String(NOBODY))
})

test('where namespaces are forbidden, the unprivileged user gets a capability to open folders that only root may enter, and no other capability', async (t) => {
  const trial = await openTrial(t)
  await chmod(trial.root, 0o700)
  const packageDir = await copyPackage(join(trial.root, 'package'))
  const options = { dir: trial.dir, packageDir, finally: 'leave' } as const
  const launcher = mayTryAsRoot(t) ? await launchWithoutNamespaces(t, options) : await launch(t, options)
  const { pid, url } = requireServer(launcher)
  assert.deepEqual(await query(url, 'SELECT 1'), [1])
  if (!mayTryAsRoot(t)) return
  assert.equal(readStatus(pid, 'Uid'), String(NOBODY))
  assert.equal(BigInt(`0x${readStatus(pid, 'CapEff')}`), DAC_OVERRIDE)
})

test('root can use the cluster of an ordinary user without changing its owner', async (t) => {
  const trial = await openTrial(t)
  const first = await launchAsOrdinaryUser(t, trial, { finally: 'stay' })
  await query(requireServer(first).url, 'CREATE TABLE kept AS SELECT 7 AS n')
  await killAndWait(first.process)
  await trial.stopLeftServer()
  const second = await trial.start()
  assert.deepEqual(await query(second.adminUrl('postgres'), 'SELECT n FROM kept'), [7])
  await second.stop()
  const third = await launchAsOrdinaryUser(t, trial, { finally: 'leave' })
  assert.deepEqual(await query(requireServer(third).url, 'SELECT n FROM kept'), [7])
  assert.equal(statSync(trial.data).uid, third.uid)
})

test('a folder that an ordinary user cannot access is refused with a clear error', async (t) => {
  const trial = await openTrial(t)
  const closedFolder = join(trial.root, 'foreign')
  await mkdir(closedFolder)
  await chmod(closedFolder, 0o000) // With this mode, an ordinary user cannot enter the folder, not even as its owner.
  const { outcome } = await launchAsOrdinaryUser(t, trial, {
    dir: join(closedFolder, 'postgres'),
    finally: 'leave',
  })
  await chmod(closedFolder, 0o700)
  assert.match(outcome.refused ?? '', /cannot be used \(.*EACCES.*\).*DATABASE_URL/)
})

test('a process whose user id has no account on the machine starts the server under the name of another account', async (t) => {
  const trial = await openTrial(t)
  await chmod(trial.root, 0o755)
  await mkdir(trial.dir, { mode: 0o700 })
  const [file = '', ...args] = toLauncherCommand({ dir: trial.dir, finally: 'leave' })
  const namelessUser = { uid: 54_321, gid: 54_321 }
  const isPossible = mayTryAsRoot(t) && hasNamespaces && canReadRepository(namelessUser)
  if (isPossible) await chown(trial.dir, namelessUser.uid, namelessUser.gid)
  else t.diagnostic('this test cannot change its user here, so it runs as the user of the tests')
  const userOption = isPossible ? namelessUser : {}
  const launcher = await waitForOutcome(
    t,
    spawn(file, args, { ...userOption, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] }),
  )
  assert.deepEqual(await query(requireServer(launcher).url, 'SELECT 1'), [1])
})
