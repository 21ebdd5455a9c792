import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import crypto, { randomBytes, randomFillSync } from 'node:crypto'
import fs, { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readMasterKeys } from './master-key.ts'
import { StartError } from './start-error.ts'

async function newDir(t: TestContext): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-key-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  return path.join(dir, 'data')
}

const toSettings = (dataDir: string) => ({ dataDir, secretsKey: null, secretsKeyPrevious: null })

test('without SECRETS_KEY a master key is created once, in a file that only the service’s user can read', async (t) => {
  const dir = await newDir(t)
  const [key, ...previous] = await readMasterKeys(toSettings(dir))
  assert.deepEqual([key.length, previous.length], [32, 0])
  const file = path.join(dir, 'secrets.key')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal((await stat(dir)).mode & 0o777, 0o700)
  assert.equal((await readFile(file, 'utf8')).trim(), key.toString('base64'))
  assert.deepEqual(await readMasterKeys(toSettings(dir)), [key])
  assert.deepEqual(await readMasterKeys(toSettings(dir), false), [key])
})

/** Runs `readMasterKeys` in another process and returns the key or the error. `/bin/sh` runs `shellPrefix` first. */
function startElsewhere(dir: string, shellPrefix = ''): string {
  const code = `import { readMasterKeys } from ${JSON.stringify(new URL('master-key.ts', import.meta.url).href)}
    const started = readMasterKeys(JSON.parse(process.argv[1])).then(([key]) => key.toString('base64'))
    console.log(await started.catch((error) => error.message))`
  const args = ['--input-type=module', '-e', code, JSON.stringify(toSettings(dir))]
  const command = ['-c', `${shellPrefix}exec "$0" "$@"`, process.execPath, ...args]
  return spawnSync('/bin/sh', command, { encoding: 'utf8' }).stdout.trim()
}

test('if another process creates the master key during a first start, both processes use the same key', async (t) => {
  const dir = await newDir(t)
  let second = ''
  // The first start calls `randomBytes` for its key. At that moment, its temporary key file is created but still empty.
  const mocked = t.mock.method(crypto, 'randomBytes', (size: number) => {
    second = startElsewhere(dir)
    return randomFillSync(Buffer.alloc(size))
  })
  syncBuiltinESMExports()
  const [key] = await readMasterKeys(toSettings(dir))
  mocked.mock.restore()
  syncBuiltinESMExports()
  assert.equal(second, key.toString('base64'))
  assert.deepEqual(await readdir(dir), ['secrets.key'])
})

test('a master key is created on a file system without hard links', async (t) => {
  const dir = await newDir(t)
  const mocked = t.mock.method(fs, 'link', async () => {
    throw Object.assign(new Error('no hard links'), { code: 'EPERM' })
  })
  syncBuiltinESMExports()
  const [key] = await readMasterKeys(toSettings(dir))
  mocked.mock.restore()
  syncBuiltinESMExports()
  assert.deepEqual(await readMasterKeys(toSettings(dir)), [key])
  assert.deepEqual(await readdir(dir), ['secrets.key'])
})

test('if another process fills an empty key file, the new key is used; otherwise the error says whether to delete the file', async (t) => {
  const dir = await newDir(t)
  const file = path.join(dir, 'secrets.key')
  await mkdir(dir)
  await writeFile(file, '')
  const isRefused = (text: RegExp) => (error: unknown) =>
    error instanceof StartError && text.test(error.message)
  await assert.rejects(readMasterKeys(toSettings(dir)), isRefused(/ is empty, .* delete the file and start/))
  await assert.rejects(readMasterKeys(toSettings(dir), false), isRefused(/restore it from a backup/))
  const reading = readMasterKeys(toSettings(dir))
  const key = randomBytes(32)
  await writeFile(file, key.toString('base64'))
  assert.deepEqual(await reading, [key])
})

test('if secrets exist, a missing key file is not replaced; a damaged key file is refused', async (t) => {
  const dir = await newDir(t)
  await assert.rejects(readMasterKeys(toSettings(dir), false), StartError)
  await assert.rejects(stat(path.join(dir, 'secrets.key')), /ENOENT/)
  await readMasterKeys(toSettings(dir))
  await writeFile(path.join(dir, 'secrets.key'), randomBytes(31).toString('base64'))
  await assert.rejects(readMasterKeys(toSettings(dir)), StartError)
})

test('if a key file cannot be read or created, the error is a sentence that names DATA_DIR', async (t) => {
  const dir = await newDir(t)
  await mkdir(path.join(dir, 'secrets.key'), { recursive: true })
  await writeFile(path.join(dir, 'file'), '')
  for (const dataDir of [dir, path.join(dir, 'file')])
    await assert.rejects(
      readMasterKeys(toSettings(dataDir)),
      (error) => error instanceof StartError && /cannot be read or created .* DATA_DIR/.test(error.message),
    )
})

test('if the disk is full when the master key is created, the next start creates the key', async (t) => {
  const dir = await newDir(t)
  // A limit on the size of files stands for the full disk: a file can be created, but not written.
  assert.match(startElsewhere(dir, 'ulimit -f 0; '), /secrets\.key cannot be read or created \(EFBIG\)/)
  const [key] = await readMasterKeys(toSettings(dir))
  assert.equal(key.length, 32)
})

test('if SECRETS_KEY and SECRETS_KEY_PREVIOUS are set, SECRETS_KEY is the current key, and no file is created', async (t) => {
  const dir = await newDir(t)
  const [key, previous] = [randomBytes(32), randomBytes(32)]
  const configured = { dataDir: dir, secretsKey: key, secretsKeyPrevious: previous }
  assert.deepEqual(await readMasterKeys(configured, false), [key, previous])
  await assert.rejects(stat(dir), /ENOENT/)
})
