import { randomInt } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './embedded-error.ts'
import { findProcess, isStillRunning } from './embedded-process.ts'

// Only one launcher (a process that starts an embedded server) may use a directory at a time. Each launcher writes a
// file named after its process id and start time, and then checks for files of other launchers. Files of dead processes
// are removed.

// Two processes that start at the same time may both back off. After random pauses, one of them usually succeeds.
const ATTEMPTS_MAX = 5
const PAUSE_MAX_MS = 100

const heldHere = new Set<string>()

export type Release = () => Promise<void>

/** `dir` must be a real path, so that one directory has one name. */
export async function claimDirectory(dir: string): Promise<Release> {
  if (heldHere.has(dir)) throw new EmbeddedPostgresError(toRefusal(dir, process.pid))
  heldHere.add(dir)
  try {
    return await claimAmongProcesses(dir)
  } catch (error) {
    heldHere.delete(dir)
    throw error
  }
}

async function claimAmongProcesses(dir: string): Promise<Release> {
  const folder = join(dir, 'launchers')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ownName = `${process.pid}-${findProcess(process.pid)?.startedAt ?? ''}`
  const release = async () => {
    await rm(join(folder, ownName), { force: true })
    heldHere.delete(dir)
  }
  for (let attempt = 1; ; attempt += 1) {
    await writeFile(join(folder, ownName), '', { mode: 0o600 })
    const other = await findOtherHolder(folder, ownName)
    if (other === null) return release
    await rm(join(folder, ownName), { force: true })
    if (attempt === ATTEMPTS_MAX) throw new EmbeddedPostgresError(toRefusal(dir, other))
    await sleep(randomInt(1, PAUSE_MAX_MS))
  }
}

async function findOtherHolder(folder: string, ownName: string): Promise<number | null> {
  for (const name of await readdir(folder)) {
    const parts = /^(\d+)-(.*)$/.exec(name)
    if (name === ownName || !parts) continue
    const pid = Number(parts[1])
    if (isStillRunning(pid, parts[2] ?? '')) return pid
    await rm(join(folder, name), { force: true })
  }
  return null
}

function toRefusal(dir: string, pid: number): string {
  return `Another Pazar process (pid ${pid}) uses the data directory ${dir}; stop it first, or set DATABASE_URL for several processes.`
}
