import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProcess, findWithPs } from './embedded-process.ts'
import { killAndWait, launch, openTrialWithData, query, type Trial } from '../../test/embedded-trial.ts'
import { findRunningUrl } from './embedded.ts'

async function launchUntilKilled(t: TestContext, trial: Trial, settings = { fsync: 'off' }) {
  const launcher = await launch(t, { dir: trial.dir, settings, finally: 'stay' })
  const { pid, url, adopted } = launcher.outcome
  assert.ok(pid && url && adopted === false, JSON.stringify(launcher.outcome))
  return { child: launcher.process, pid, url }
}

async function waitForEnd(pid: number): Promise<void> {
  while (findProcess(pid)) await sleep(5)
}

test('a server that a killed launcher left behind is adopted with its rows, and the new launcher can stop it', async (t) => {
  const trial = await openTrialWithData(t)
  const { child, pid, url } = await launchUntilKilled(t, trial)
  await query(url, 'CREATE TABLE kept AS SELECT 7 AS n')
  await killAndWait(child)
  const adopted = await trial.start()
  assert.deepEqual([adopted.adopted, adopted.pid, adopted.adminUrl('postgres')], [true, pid, url])
  assert.deepEqual(await query(adopted.adminUrl('postgres'), 'SELECT n FROM kept'), [7])
  await adopted.stop()
  assert.equal(findProcess(pid), null)
})

test('when a launcher has nothing left to do, it exits, its pipes close, and the server keeps running', async (t) => {
  const trial = await openTrialWithData(t)
  const { process: child, outcome } = await launch(t, { dir: trial.dir, finally: 'leave' })
  // Node emits 'close' only after every process that could write to the pipes, the server included, has closed them.
  if (!isClosed(child)) await once(child, 'close')
  assert.equal(child.exitCode, 0)
  const adopted = await trial.start()
  assert.deepEqual([adopted.adopted, adopted.pid], [true, outcome.pid])
})

function isClosed(child: ChildProcess): boolean {
  return child.exitCode !== null && (child.stdout?.closed ?? true) && (child.stderr?.closed ?? true)
}

test('Ctrl-C at the terminal of the launcher does not reach the server', async (t) => {
  const trial = await openTrialWithData(t)
  const { child, pid, url } = await launchUntilKilled(t, trial)
  const exited = once(child, 'exit')
  assert.ok(child.pid)
  process.kill(-child.pid, 'SIGINT') // Signals the whole process group, as a terminal does.
  assert.deepEqual(await exited, [null, 'SIGINT'])
  assert.deepEqual(await query(url, 'SELECT 1'), [1])
  assert.ok(findProcess(pid))
})

test('after the launcher and the server were killed, the next start recovers every committed row', async (t) => {
  const trial = await openTrialWithData(t)
  const { child, pid, url } = await launchUntilKilled(t, trial)
  await query(url, 'CREATE TABLE kept AS SELECT 7 AS n')
  await killAndWait(child)
  process.kill(pid, 'SIGKILL')
  await waitForEnd(pid)
  assert.ok(existsSync(join(trial.data, 'postmaster.pid')))
  const recovered = await trial.start()
  assert.equal(recovered.adopted, false)
  assert.deepEqual(await query(recovered.adminUrl('postgres'), 'SELECT n FROM kept'), [7])
})

test('a start waits for the busy backends of a killed server', async (t) => {
  const trial = await openTrialWithData(t)
  const first = await trial.start()
  const url = first.adminUrl('postgres')
  await query(url, 'CREATE TABLE kept AS SELECT 7 AS n')
  // The count does not check for interrupts, so this backend notices only after the count that its server is gone.
  const counting = Promise.allSettled([query(url, 'SELECT count(*) FROM generate_series(1, 10000000)')])
  const selectBusy = `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()`
  let orphans: unknown[] = []
  while (orphans.length === 0) orphans = await query(url, selectBusy)
  process.kill(first.pid, 'SIGKILL')
  await waitForEnd(first.pid)
  await first.stop()
  const next = await trial.start()
  assert.equal(findProcess(Number(orphans[0])), null)
  assert.deepEqual(await query(next.adminUrl('postgres'), 'SELECT n FROM kept'), [7])
  await counting
})

test('a running server that was started with other settings is replaced', async (t) => {
  const trial = await openTrialWithData(t)
  const { child, pid } = await launchUntilKilled(t, trial, { fsync: 'off' })
  await killAndWait(child)
  const strict = await trial.start({ settings: {} })
  assert.equal(strict.adopted, false)
  assert.equal(findProcess(pid), null)
  assert.deepEqual(await query(strict.adminUrl('postgres'), 'SHOW fsync'), ['on'])
})

test('a lock file that is incomplete or names a dead, zombie or foreign process does not prevent a start', async (t) => {
  const trial = await openTrialWithData(t)
  const other = await (await openTrialWithData(t)).start()
  const first = await trial.start()
  // A process that works in the data directory, such as an operator's shell, must not be mistaken for the server.
  const stranger = spawn('sleep', ['600'], { cwd: trial.data })
  const parent = spawn('/bin/sh', ['-c', 'sleep 1 & echo $!; exec sleep 600'])
  t.after(() => [stranger, parent].forEach((child) => child.kill('SIGKILL')))
  const [zombie] = await once(parent.stdout, 'data')
  const lock = join(trial.data, 'postmaster.pid')
  const lines = (await readFile(lock, 'utf8')).split('\n')
  await first.stop()
  while (!(await readFile(`/proc/${Number(zombie)}/stat`, 'utf8')).includes(') Z ')) await sleep(5)
  assert.equal(findProcess(Number(zombie)), null)
  for (const pid of [first.pid, Number(zombie), stranger.pid, process.pid, other.pid]) {
    await writeFile(lock, [pid, ...lines.slice(1)].join('\n'))
    const next = await trial.start()
    assert.equal(next.adopted, false)
    assert.deepEqual(await query(next.adminUrl('postgres'), 'SELECT 1'), [1])
    await next.stop()
  }
  await writeFile(lock, '')
  assert.equal((await trial.start()).adopted, false)
  assert.ok(findProcess(other.pid) && findProcess(stranger.pid ?? 0), 'another process was stopped')
})

test('a command that runs beside the service finds the database server and never changes a lock file', async (t) => {
  const trial = await openTrialWithData(t)
  assert.equal(await findRunningUrl(trial.dir, 'shop'), null)
  const postgres = await trial.start()
  assert.equal(await findRunningUrl(trial.dir, 'shop'), postgres.url('shop'))
  await postgres.stop()
  const lock = join(trial.data, 'postmaster.pid')
  for (const leftText of ['', `${process.pid}\n${trial.data}\n1\n5432\n`]) {
    await writeFile(lock, leftText)
    assert.equal(await findRunningUrl(trial.dir, 'shop'), null)
    assert.equal(await readFile(lock, 'utf8'), leftText)
  }
})

test('without /proc, ps shows the command line and start time of a process, and shows nothing after the process has ended', async (t) => {
  const [child, otherChild] = [spawn('sleep', ['600']), spawn('sleep', ['601'])]
  t.after(() => [child, otherChild].forEach((one) => one.kill('SIGKILL')))
  assert.ok(child.pid && otherChild.pid)
  const found = findWithPs(child.pid)
  assert.equal(found?.commandLine, 'sleep 600')
  assert.deepEqual(findWithPs(child.pid), found)
  assert.match(found?.startedAt ?? '', /^[0-9A-Za-z_]{10,}$/)
  await killAndWait(child)
  assert.equal(findWithPs(child.pid), null)
})

test('a server that ends unexpectedly is started again on its port, with its data', async (t) => {
  const trial = await openTrialWithData(t)
  const postgres = await trial.start({ restartOnExit: true })
  await query(postgres.adminUrl('postgres'), 'CREATE TABLE kept AS SELECT 7 AS seven')
  const { pid } = postgres
  process.kill(pid, 'SIGKILL')
  for (let attempts = 0; attempts < 300 && postgres.pid === pid; attempts += 1) await sleep(100)
  assert.notEqual(postgres.pid, pid)
  assert.deepEqual(await query(postgres.adminUrl('postgres'), 'SELECT seven FROM kept'), [7])
  await postgres.stop()
  await assert.rejects(query(postgres.adminUrl('postgres'), 'SELECT 1'))
})
