// All sealing keys are derived from the master key. Without SECRETS_KEY, a key is generated once and stored in the data
// directory, never in the database.
import { randomBytes, randomUUID } from 'node:crypto'
import { access, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './start-error.ts'

export interface KeySettings {
  dataDir: string
  secretsKey: Buffer | null
  secretsKeyPrevious: Buffer | null
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

async function writeNewKey(file: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64')}\n`)
    // Without this, a power cut could leave data sealed with a key that was never written to disk.
    await handle.sync()
  } catch (error) {
    // On a full disk the file is empty, and later starts would refuse an empty file.
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** Fails with EEXIST if another process has created the file. */
async function nameKeyFile(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
  } catch (error) {
    if (isTaken(error)) throw error
    // Some file systems, such as network shares of Windows, have no hard links. There, the file is empty for a moment.
    await writeNewKey(file)
  }
}

/** If another process creates the file at the same time, the first file stays, and both processes use its key. */
async function createKeyFile(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  // The file gets its final name only when it is complete. Otherwise the other process, or a start after a kill, could read
  // an empty file.
  const unfinished = `${file}.${randomUUID()}`
  try {
    await writeNewKey(unfinished)
    await nameKeyFile(unfinished, file)
  } catch (error) {
    if (!isTaken(error)) throw error
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** How long to wait while another process creates the file. Creating it takes much less time, also on a network share. */
const CREATION_MAX_MS = 2_000

async function readOrCreate(file: string, mayCreate: boolean): Promise<string> {
  // A missing key is not replaced. A new key could not open the existing values. If the old key was restored later, it
  // could not open the values that were sealed with the new key.
  if (!mayCreate && !(await exists(file))) {
    throw new StartError(
      `${file} is missing, and the database holds secrets that need this key; restore the file from a backup.`,
    )
  }
  if (!(await exists(file))) await createKeyFile(file)
  const text = await readFile(file, 'utf8')
  if (text !== '') return text
  // On a file system without hard links, another process may be creating the file.
  await sleep(CREATION_MAX_MS)
  return readFile(file, 'utf8')
}

async function requireKeyOfFile(dataDir: string, mayCreate: boolean): Promise<Buffer> {
  const file = path.join(dataDir, 'secrets.key')
  const text = await readOrCreate(file, mayCreate).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new StartError(
      `${file} cannot be read or created (${String(error.code)}); fix that, choose another DATA_DIR, or set SECRETS_KEY.`,
      { cause: error },
    )
  })
  if (text === '' && mayCreate) {
    throw new StartError(
      `${file} is empty, because a first start was interrupted while it created the file; the database holds no secrets yet, so delete the file and start again.`,
    )
  }
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) {
    throw new StartError(`${file} does not hold a key of 32 bytes; restore it from a backup.`)
  }
  return key
}

/** `mayCreate`: a missing key may be created. Must be false once the database holds a sealed value. */
export async function readMasterKeys(
  settings: KeySettings,
  mayCreate = true,
): Promise<[current: Buffer, ...previous: Buffer[]]> {
  const current = settings.secretsKey ?? (await requireKeyOfFile(settings.dataDir, mayCreate))
  return settings.secretsKeyPrevious ? [current, settings.secretsKeyPrevious] : [current]
}
