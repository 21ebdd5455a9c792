// Sends signals to PostgreSQL and all its processes, for trials (`npm run ha` and `npm run upgrade:drill`).
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { toErrorCode } from '../../server/src/db/embedded-error.ts'

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    // ESRCH means that the process ended after its file was opened and before it was read.
    if (['ENOENT', 'ESRCH'].includes(toErrorCode(error))) return ''
    throw error
  }
}

export function findPostmasterPid(dataDir: string): number | null {
  const pid = Number(readOrEmpty(path.join(dataDir, 'postmaster.pid')).split('\n')[0])
  return Number.isInteger(pid) && pid > 1 ? pid : null
}

function findChildren(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      const stat = readOrEmpty(`/proc/${one}/stat`)
      // The name in parentheses may contain spaces, so the other fields start after the last parenthesis.
      return stat !== '' && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
    })
}

/** False for a process that has ended. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (toErrorCode(error) === 'ESRCH') return false
    throw error
  }
}

/** The parent gets the signal first, because a stopped or killed parent starts no further process. */
export function signalServer(dataDir: string, name: NodeJS.Signals): void {
  const postmaster = findPostmasterPid(dataDir)
  if (postmaster === null) return
  const children = () => findChildren(postmaster)
  const earlierChildren = children()
  signal(postmaster, name)
  for (const pid of new Set([...earlierChildren, ...children()])) signal(pid, name)
}
