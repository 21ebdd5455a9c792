// Where the tests put databases and temporary files: in memory, if there is enough. A test database has about a thousand
// files, which are created and deleted much faster in memory.
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** This directory exists only on Linux, and can be too small in a container. */
const MEMORY_DIR = '/dev/shm'
/** The databases, their write-ahead logs and the other files of a run need less than this. */
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3

export async function findFastDir(): Promise<string> {
  const memory = await statfs(MEMORY_DIR).catch(() => null)
  const isLarge = memory !== null && memory.bavail * memory.bsize >= MEMORY_NEEDED_BYTES
  return isLarge ? MEMORY_DIR : tmpdir()
}

export interface TemporaryDir {
  dir: string
  remove(): Promise<void>
}

export async function createTemporaryDir(): Promise<TemporaryDir> {
  const fast = await createIn(await findFastDir())
  if (await canRunPrograms(fast.dir)) return fast
  await fast.remove()
  return createIn(tmpdir())
}

async function createIn(parent: string): Promise<TemporaryDir> {
  const dir = await mkdtemp(path.join(parent, 'pazar-tmp-'))
  await chmod(dir, 0o1777) // The mode of /tmp, because some tests run programs as another user.
  return { dir, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) }
}

/** Some tests build and start programs, but containers often forbid programs in /dev/shm. */
async function canRunPrograms(dir: string): Promise<boolean> {
  const program = path.join(dir, 'probe')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  try {
    await promisify(execFile)(program)
    return true
  } catch {
    return false
  } finally {
    await rm(program)
  }
}
