import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, lstat, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { repairSymlinks, requireBinaries, requirePackageDir } from './embedded-binaries.ts'
import { copyPackage, launchAsOrdinaryUser, openTrial } from '../../test/embedded-trial.ts'
import { EmbeddedPostgresError } from './embedded.ts'

async function readList(packageDir: string): Promise<{ source: string; target: string }[]> {
  return JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'))
}

test('several processes can repair missing and broken symbolic links of the PostgreSQL package at the same time', async (t) => {
  const trial = await openTrial(t)
  const packageDir = await copyPackage(join(trial.root, 'package'))
  const list = await readList(packageDir)
  assert.ok(list.length > 0)
  await symlink('nowhere', join(packageDir, list[0]?.target ?? ''))
  const lib = join(packageDir, 'native', 'lib')
  const countBefore = (await readdir(lib)).length
  const code = `import { repairSymlinks } from ${JSON.stringify(new URL('./embedded-binaries.ts', import.meta.url).href)}
    await repairSymlinks(process.argv[1])`
  const repair = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, packageDir], { cwd: '/' })
  await Promise.all([repair(), repair(), repairSymlinks(packageDir), repairSymlinks(packageDir)])
  for (const { source, target } of list) {
    const link = join(packageDir, target)
    assert.equal(join(dirname(link), await readlink(link)), join(packageDir, source))
  }
  // `countBefore` includes the broken link.
  assert.equal((await readdir(lib)).length, countBefore + list.length - 1)
})

test('nothing is written to a complete package, so the package may be read-only', async (t) => {
  const trial = await openTrial(t)
  const packageDir = await copyPackage(join(trial.root, 'package'))
  await repairSymlinks(packageDir)
  const lib = join(packageDir, 'native', 'lib')
  const statBefore = await lstat(lib)
  await chmod(lib, 0o555)
  await repairSymlinks(packageDir)
  assert.equal((await lstat(lib)).mtimeMs, statBefore.mtimeMs)
  const { outcome } = await launchAsOrdinaryUser(t, trial, { packageDir, finally: 'leave' })
  assert.equal(outcome.adopted, false, JSON.stringify(outcome))
  await chmod(lib, 0o755)
})

test('an incomplete read-only package is refused, and the error says what to do', async (t) => {
  const trial = await openTrial(t)
  const packageDir = await copyPackage(join(trial.root, 'package'))
  await chmod(join(packageDir, 'native', 'lib'), 0o555)
  const { outcome } = await launchAsOrdinaryUser(t, trial, { packageDir, finally: 'leave' })
  assert.match(outcome.refused ?? '', /may not write there; run "npm rebuild".*DATABASE_URL/)
  await chmod(join(packageDir, 'native', 'lib'), 0o755)
})

test('a package without its libraries is refused, and the error says what to do', async (t) => {
  const trial = await openTrial(t)
  const packageDir = await copyPackage(join(trial.root, 'package'))
  const [first] = await readList(packageDir)
  await rm(join(packageDir, first?.source ?? ''))
  await assert.rejects(requireBinaries(packageDir), {
    name: 'EmbeddedPostgresError',
    message: /npm ci.*DATABASE_URL/,
  })
})

test('a platform without a package is refused, and the error names DATABASE_URL', () => {
  assert.throws(
    () => requirePackageDir('linux-riscv64'),
    (error: Error) => {
      assert.ok(error instanceof EmbeddedPostgresError)
      assert.match(error.message, /linux-riscv64; set DATABASE_URL/)
      return true
    },
  )
})
