import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedPostgresError, toErrorCode } from './embedded-error.ts'
import { findProcess, isIdTaken, isStillRunning } from './embedded-process.ts'

// PostgreSQL writes its process id, port and status to `postmaster.pid`. The file remains after a server was killed, so the
// process is checked too.
export interface Postmaster {
  readonly pid: number
  readonly startedAt: string
  readonly commandLine: string | null
}

export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  readonly status: string
}

// This is short, compared with the 80 ms of a warm start.
const POLL_MS = 10

// A file that stays incomplete for longer was cut off by a crash.
const HALF_WRITTEN_TIMEOUT_MS = 500

// A start after a crash first replays up to 1 GB of log, which takes minutes on a slow disk.
const READY_TIMEOUT_MS = 600_000

// An orchestrator usually kills a process after 30 seconds, so a fast stop gets less time. An immediate stop loses nothing:
// the next start replays the log.
const FAST_STOP_TIMEOUT_MS = 20_000
const IMMEDIATE_STOP_TIMEOUT_MS = 10_000

/** Line 1 is the process id, line 4 the port, line 8 the status. Null: the file is missing or incomplete. */
export function readPostmasterFile(data: string): PostmasterFile | null {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    return pid > 0 && port > 0 ? { pid, port, status: (lines[7] ?? '').trim() } : null
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Finds the running server that an earlier launcher left behind. Removes a lock file that would prevent a start. */
export async function findLeftover(data: string): Promise<Postmaster | null> {
  const path = join(data, 'postmaster.pid')
  await waitUntil(() => !existsSync(path) || readPostmasterFile(data) !== null, HALF_WRITTEN_TIMEOUT_MS)
  const file = readPostmasterFile(data)
  const found = file && findPostmaster(file.pid, data)
  if (found) return found
  // PostgreSQL replaces the file of a dead process. But it does not start if another process now has the id in the file, or if
  // the file is cut off.
  // Deleting the file is safe, because PostgreSQL finds orphaned backends by the shared memory of the directory.
  if (!file || isIdTaken(file.pid)) await rm(path, { force: true })
  return null
}

export function findPostmaster(pid: number, data: string): Postmaster | null {
  const found = findProcess(pid)
  if (!found) return null
  // Where the system does not report the command line, a running process is assumed to be the server.
  if (found.commandLine !== null && !isPostgresOf(found.commandLine, pid, data)) return null
  return { pid, ...found }
}

function isPostgresOf(commandLine: string, pid: number, data: string): boolean {
  const program = commandLine.split(' -D ')[0] ?? ''
  if (basename(program) !== 'postgres') return false
  return `${commandLine} `.includes(` -D ${data} `) || isWorkingIn(pid, data)
}

// A server's working directory is its data directory, whichever path it was started with.
function isWorkingIn(pid: number, data: string): boolean {
  try {
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(data)]
    return theirs.dev === ours.dev && theirs.ino === ours.ino
  } catch (error) {
    // No /proc, no permission to read it, or the process has ended: the command line alone decides.
    if (['ENOENT', 'EACCES', 'EPERM', 'ESRCH'].includes(toErrorCode(error))) return false
    throw error
  }
}

export async function waitUntilReady(
  data: string,
  pid: number,
  hasEnded: () => boolean,
): Promise<number | null> {
  const giveUpAt = performance.now() + READY_TIMEOUT_MS
  while (!hasEnded()) {
    const file = readPostmasterFile(data)
    if (file?.pid === pid && file.status === 'ready') return file.port
    if (file?.pid === pid && file.status === 'stopping') return null
    if (performance.now() > giveUpAt) return null
    await sleep(POLL_MS)
  }
  return null
}

export async function stopPostmaster(
  { pid, startedAt }: Postmaster,
  pgCtl: string,
  data: string,
): Promise<void> {
  const isGone = () => !isStillRunning(pid, startedAt)
  if (isGone()) return
  if (process.platform === 'win32') {
    // Windows has no signals; pg_ctl stops the server and waits.
    await promisify(execFile)(pgCtl, ['stop', '-D', data, '-m', 'fast'], { windowsHide: true })
    return
  }
  signal(pid, 'SIGINT')
  if (await waitUntil(isGone, FAST_STOP_TIMEOUT_MS)) return
  signal(pid, 'SIGQUIT')
  if (await waitUntil(isGone, IMMEDIATE_STOP_TIMEOUT_MS)) return
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL (pid ${pid}) does not stop; look at its log and end it manually before the next start.`,
  )
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // ESRCH: the process has ended since the last check.
    if (toErrorCode(error) !== 'ESRCH') throw error
  }
}

async function waitUntil(isTrue: () => boolean, timeoutMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs
  while (!isTrue()) {
    if (performance.now() > giveUpAt) return false
    await sleep(POLL_MS)
  }
  return true
}
