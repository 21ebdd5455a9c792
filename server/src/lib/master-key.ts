// The key all sealing derives from. Given in production; in development made once and kept beside the data, never in
// the database.
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'

export interface KeySettings {
  dataDir: string
  secretsKey: Buffer | null
  secretsKeyPrevious: Buffer | null
}

async function readOrMake(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, 'secrets.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.writeFile(`${randomBytes(32).toString('base64')}\n`)
      // Without this a power cut could leave data sealed under a key that was never on disk.
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')
  if (key.length !== 32)
    throw new Error(`${file} does not hold a key of 32 bytes; restore it from the backup of this data.`)
  return key
}

export async function readMasterKeys(
  settings: KeySettings,
): Promise<[current: Buffer, ...previous: Buffer[]]> {
  const current = settings.secretsKey ?? (await readOrMake(settings.dataDir))
  return settings.secretsKeyPrevious ? [current, settings.secretsKeyPrevious] : [current]
}
