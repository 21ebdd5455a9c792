import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { toErrorCode } from './embedded-error.ts'

// Process ids are reused, so a process is identified by its id and, except on Windows, its start time.
export interface RunningProcess {
  /** May only be compared with another `startedAt`, because the format depends on the system. */
  readonly startedAt: string
  /** The arguments joined by spaces, or null where the system does not report them. */
  readonly commandLine: string | null
}

export function findProcess(pid: number): RunningProcess | null {
  if (existsSync('/proc/self/stat')) return findInProc(pid)
  if (process.platform === 'win32') return isIdTaken(pid) ? { startedAt: '', commandLine: null } : null
  return findWithPs(pid)
}

export function isStillRunning(pid: number, startedAt: string): boolean {
  return findProcess(pid)?.startedAt === startedAt
}

function findInProc(pid: number): RunningProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain spaces and parentheses. The other fields follow the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const state = fields[0]
    if (state === 'Z' || state === 'X') return null
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').replaceAll('\0', ' ')
    // The twentieth field after the name is the start time.
    return { startedAt: `${readBootId()}.${fields[19] ?? ''}`, commandLine }
  } catch (error) {
    // ESRCH: the process ended between the opening and the reading of its file.
    if (['ENOENT', 'ESRCH'].includes(toErrorCode(error))) return null
    throw error
  }
}

// Start times are relative to the boot. After a reboot, an old lock must not match a new process.
function readBootId(): string {
  const path = '/proc/sys/kernel/random/boot_id'
  return existsSync(path) ? readFileSync(path, 'utf8').slice(0, 8) : ''
}

export function findWithPs(pid: number): RunningProcess | null {
  try {
    const ps = (column: string) =>
      execFileSync('/bin/ps', ['-ww', '-p', String(pid), '-o', `${column}=`], { encoding: 'utf8' }).trim()
    if (ps('stat').startsWith('Z')) return null
    return { startedAt: ps('lstart').replaceAll(/[^0-9A-Za-z]+/g, '_'), commandLine: ps('args') }
  } catch (error) {
    // ps exits with 1 for an unknown id; any other error means that there is no ps.
    if (error instanceof Error && 'status' in error && error.status === 1) return null
    throw error
  }
}

/** True also for a zombie and for a process of another user. */
export function isIdTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return toErrorCode(error) === 'EPERM'
  }
}
