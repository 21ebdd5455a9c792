import assert from 'node:assert/strict'
import { access, cp, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { killAndWait, launch, openTrial, openTrialWithData, query } from '../../test/embedded-trial.ts'
import { backUpEmbedded, readRestoreName, restoreEmbedded } from './embedded-backup.ts'
import { findProcess } from './embedded-process.ts'
import type { EmbeddedPostgres } from './embedded.ts'

async function run(server: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.adminUrl('postgres') })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('a backup is refused while the server runs; a restore brings back the data of the backup and keeps the replaced files', async (t) => {
  const trial = await openTrialWithData(t)
  const { root, dir } = trial
  const copy = join(root, 'backup')
  const first = await trial.start()
  await run(first, 'create table notes as select 1 as n')
  await assert.rejects(backUpEmbedded(dir, copy), { name: 'EmbeddedPostgresError' })
  await first.stop()
  await backUpEmbedded(dir, copy)
  await assert.rejects(backUpEmbedded(dir, copy), /exists already/)
  assert.equal(await readRestoreName(dir), null)
  const later = await trial.start()
  await run(later, 'insert into notes values (2)')
  await later.stop()
  const restore = { label: 'a', name: 'backup a' }
  await assert.rejects(restoreEmbedded(dir, root, restore), /is not a backup/)
  assert.equal(await restoreEmbedded(dir, copy, restore), join(dir, 'cluster.before-a'))
  assert.equal(await readRestoreName(dir), 'backup a')
  const restored = await trial.start()
  assert.deepEqual(await run(restored, 'select n from notes'), [{ n: 1 }])
  await restored.stop()
  assert.ok((await readdir(dir)).includes('cluster.before-a'))
})

test('a restore that was killed between its two renames is finished by the next start or backup', async (t) => {
  const trial = await openTrialWithData(t)
  const { root, dir } = trial
  const first = await trial.start()
  await run(first, 'create table notes as select 1 as n')
  await first.stop()
  const copy = join(root, 'backup')
  await backUpEmbedded(dir, copy)
  const interruptRestore = async (label: string) => {
    await restoreEmbedded(dir, copy, { label, name: `backup ${label}` })
    await rename(join(dir, 'cluster'), join(dir, `cluster.restored-${label}`))
  }
  await interruptRestore('a')
  const restored = await trial.start()
  assert.deepEqual(await run(restored, 'select n from notes'), [{ n: 1 }])
  assert.equal(await readRestoreName(dir), 'backup a')
  await restored.stop()
  await interruptRestore('b')
  await backUpEmbedded(dir, join(root, 'second'))
  assert.equal(await readRestoreName(dir), 'backup b')
})

test('the next start finishes a killed restore into an empty directory, but is refused if the copy is not complete or there are two copies', async (t) => {
  const source = await openTrialWithData(t)
  const first = await source.start()
  await run(first, 'create table notes as select 1 as n')
  await first.stop()
  const copy = join(source.root, 'backup')
  await backUpEmbedded(source.dir, copy)

  const trial = await openTrial(t)
  const files = (name: string) => join(trial.dir, name)
  const restoreAndMove = async (label: string, name: string) => {
    await restoreEmbedded(trial.dir, copy, { label, name: `backup ${label}` })
    await rename(files('cluster'), files(name))
  }
  // Killed during the copy.
  await restoreAndMove('a', 'cluster.restored-a.part')
  await assert.rejects(trial.start(), {
    name: 'EmbeddedPostgresError',
    message: `A restore into ${trial.dir} was interrupted. Run the restore again. To begin with an empty database instead, delete ${files('cluster.restored-a.part')}.`,
  })
  // Killed after the copy, before the only rename.
  await restoreAndMove('b', 'cluster.restored-b')
  const restored = await trial.start()
  assert.deepEqual(await run(restored, 'select n from notes'), [{ n: 1 }])
  assert.equal(await readRestoreName(trial.dir), 'backup b')
  await restored.stop()
  // It is not known which of two copies the operator wants.
  await rename(files('cluster'), files('cluster.restored-b'))
  await cp(files('cluster.restored-b'), files('cluster.restored-c'), { recursive: true })
  await assert.rejects(trial.start(), /A restore into .* was interrupted\./)
  await restoreEmbedded(trial.dir, copy, { label: 'd', name: 'backup d' })
  assert.equal(await readRestoreName(trial.dir), 'backup d')
})

test('a restore deletes the copies of interrupted restores, so that none of them becomes the database later', async (t) => {
  const trial = await openTrialWithData(t)
  const files = (name: string) => join(trial.dir, name)
  const copy = join(trial.root, 'backup')
  await backUpEmbedded(trial.dir, copy)
  // One restore was killed after its copy, and another one during its copy.
  await restoreEmbedded(trial.dir, copy, { label: 'a', name: 'backup a' })
  await cp(files('cluster'), files('cluster.restored-a'), { recursive: true })
  await cp(files('cluster'), files('cluster.restored-b.part'), { recursive: true })
  await restoreEmbedded(trial.dir, copy, { label: 'c', name: 'backup c' })
  // The operator wants to begin with an empty database.
  await rename(files('cluster'), join(trial.root, 'old'))
  await (await trial.start()).stop()
  assert.equal(await readRestoreName(trial.dir), null)
})

test('a backup stops a server that a killed process left behind, and contains the rows of that server', async (t) => {
  const trial = await openTrialWithData(t)
  const { root, dir } = trial
  const killed = await launch(t, { dir, settings: { fsync: 'off' }, finally: 'stay' })
  const { pid, url } = killed.outcome
  assert.ok(pid && url)
  await query(url, 'create table notes as select 1 as n')
  await killAndWait(killed.process)
  const copy = join(root, 'backup')
  await backUpEmbedded(dir, copy)
  assert.equal(findProcess(pid), null)
  await restoreEmbedded(dir, copy, { label: 'a', name: 'backup a' })
  assert.deepEqual(await run(await trial.start(), 'select n from notes'), [{ n: 1 }])
})

test('a failed copy is deleted, and an error names the files that an interrupted copy left behind', async (t) => {
  const { root, dir } = await openTrialWithData(t)
  const copy = join(root, 'backup')
  await mkdir(`${copy}.part`)
  await assert.rejects(backUpEmbedded(dir, copy), {
    name: 'EmbeddedPostgresError',
    message: `${copy}.part exists already, probably from a copy that was interrupted. Delete it, then try again.`,
  })
  const file = join(root, 'file')
  await writeFile(file, '')
  const target = join(dir, 'cluster', 'inside')
  await assert.rejects(backUpEmbedded(dir, target), {
    name: 'EmbeddedPostgresError',
    message: /cluster could not be copied to .*inside \(ERR_FS_CP_EINVAL\)\./,
  })
  await assert.rejects(access(`${target}.part`))
  await assert.rejects(backUpEmbedded(dir, join(file, 'backup')), /could not be copied to .* \(E[A-Z_]+\)\./)
})
