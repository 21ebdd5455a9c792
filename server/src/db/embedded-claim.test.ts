import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { claimDirectory } from './embedded-claim.ts'
import { findProcess } from './embedded-process.ts'
import { killAndWait, launch, openTrial, openTrialWithData } from '../../test/embedded-trial.ts'

test('while a Pazar process uses a data directory, another process is refused, and the error names the pid of the first process', async (t) => {
  const trial = await openTrialWithData(t)
  const first = await launch(t, { dir: trial.dir, finally: 'stay' })
  assert.equal(first.outcome.adopted, false, JSON.stringify(first.outcome))
  const message = new RegExp(`pid ${first.process.pid}\\) uses the data directory .*set DATABASE_URL`)
  await assert.rejects(trial.start(), { name: 'EmbeddedPostgresError', message })
  await killAndWait(first.process)
  assert.equal((await trial.start()).adopted, true)
})

test('a process cannot start a second server in its data directory before it has stopped the first', async (t) => {
  const trial = await openTrialWithData(t)
  const first = await trial.start()
  await assert.rejects(trial.start(), { name: 'EmbeddedPostgresError', message: /uses the data directory/ })
  await first.stop()
  assert.equal((await trial.start()).adopted, false)
})

test('a failed start releases the directory', async (t) => {
  const trial = await openTrialWithData(t)
  await assert.rejects(trial.start({ settings: { shared_buffers: 'plenty' } }), /did not start/)
  assert.deepEqual(await readdir(join(trial.dir, 'launchers')), [])
})

test('claims of a dead process and of a reused process id are ignored and removed', async (t) => {
  const trial = await openTrial(t)
  const folder = join(trial.dir, 'launchers')
  await mkdir(folder, { recursive: true })
  const endedProcess = spawn('sleep', ['0'])
  await once(endedProcess, 'exit')
  const otherProcess = spawn('sleep', ['600'])
  t.after(() => otherProcess.kill())
  await writeFile(join(folder, `${endedProcess.pid}-1`), '')
  await writeFile(join(folder, `${otherProcess.pid}-another-start`), '')
  const release = await claimDirectory(trial.dir)
  assert.deepEqual(await readdir(folder), [`${process.pid}-${findProcess(process.pid)?.startedAt}`])
  await release()
  assert.deepEqual(await readdir(folder), [])
})

test('when several processes claim a directory at the same time, at most one gets it', async (t) => {
  const trial = await openTrial(t)
  await mkdir(trial.dir)
  const code = `import { claimDirectory } from ${JSON.stringify(new URL('./embedded-claim.ts', import.meta.url).href)}
    process.stdin.once('data', async () => {
      const outcome = await claimDirectory(process.argv[1]).then(() => 'held', () => 'refused')
      process.stdout.write(outcome)
    })
    process.stdout.write('ready')`
  const children = [1, 2, 3, 4].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', code, trial.dir], { cwd: '/' }),
  )
  t.after(() => children.forEach((child) => child.kill('SIGKILL')))
  await Promise.all(children.map((child) => once(child.stdout, 'data')))
  const responses = children.map((child) => once(child.stdout, 'data'))
  for (const child of children) child.stdin.write('go')
  const holders = (await Promise.all(responses)).filter(([outcome]) => String(outcome) === 'held')
  // It may also happen that no process gets it, because processes that find the claims of each other all give up.
  assert.ok(holders.length <= 1, `${holders.length} processes hold the directory`)
})
