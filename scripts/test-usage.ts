// The processor time of a test run: lines about the whole run, and the table of `npm test -- --slowest`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from './test-files.ts'
import { readChildrenCpuSec } from './test-usage-log.ts'

const FILES_SHOWN_MAX = 40

interface Usage {
  file: string
  wallSec: number
  ownCpuSec: number
  childrenCpuSec: number
}

export interface UsageLog {
  env: NodeJS.ProcessEnv
  execArgv: string[]
  toTable(): string
  remove(): void
}

/** The processor time of this process and of its ended child processes. Some of the browsers' time is missing. */
export function formatRun(): string {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const cpuSec = (userCPUTime + systemCPUTime) / 1e6 + readChildrenCpuSec()
  return `the whole run: ${cpuSec.toFixed(0)} s of processor time, in ${(performance.now() / 1e3).toFixed(0)} s`
}

/** The returned function describes how busy the cores were since this call. */
export function watchCores(): () => string {
  const before = readCores()
  return () => {
    const now = readCores()
    const share = (now.busyMs - before.busyMs) / Math.max(1, now.allMs - before.allMs)
    return `${cpus().length} cores were busy for ${Math.round(share * 100)} % of ${(performance.now() / 1e3).toFixed(0)} s`
  }
}

function readCores(): { busyMs: number; allMs: number } {
  const times = cpus().map((core) => core.times)
  const allMs = times.reduce((sum, { user, nice, sys, irq, idle }) => sum + user + nice + sys + irq + idle, 0)
  return { busyMs: allMs - times.reduce((sum, { idle }) => sum + idle, 0), allMs }
}

export function createUsageLog(): UsageLog {
  const dir = mkdtempSync(path.join(tmpdir(), 'pazar-usage-'))
  const log = path.join(dir, 'usage.jsonl')
  return {
    env: { PAZAR_TEST_USAGE: log },
    execArgv: ['--import', path.join(ROOT, 'scripts/test-usage-log.ts')],
    toTable: () => formatUsage(readUsage(log)),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

function readUsage(log: string): Usage[] {
  const lines = readFileSync(log, { encoding: 'utf8', flag: 'a+' }).split('\n')
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Usage)
    .map((usage) => ({ ...usage, file: path.relative(ROOT, usage.file) }))
}

function formatUsage(files: readonly Usage[]): string {
  const folders = Object.entries(Object.groupBy(files, ({ file }) => path.dirname(file))).map(
    ([folder, inside = []]) => ({ ...sum(inside), file: `${folder} (${inside.length} files)` }),
  )
  return [
    '',
    'cpu s   own s children s  wall s',
    toLine({ ...sum(files), file: `all ${files.length} files` }),
    '',
    ...sortByCpu(folders).map(toLine),
    '',
    ...sortByCpu(files).slice(0, FILES_SHOWN_MAX).map(toLine),
  ].join('\n')
}

function sum(files: readonly Usage[]): Omit<Usage, 'file'> {
  const add = (key: keyof Omit<Usage, 'file'>) => files.reduce((total, usage) => total + usage[key], 0)
  return { wallSec: add('wallSec'), ownCpuSec: add('ownCpuSec'), childrenCpuSec: add('childrenCpuSec') }
}

function sortByCpu(usages: readonly Usage[]): Usage[] {
  return usages.toSorted((a, b) => cpuOf(b) - cpuOf(a))
}

function cpuOf({ ownCpuSec, childrenCpuSec }: Usage): number {
  return ownCpuSec + childrenCpuSec
}

function toLine(usage: Usage): string {
  const { ownCpuSec, childrenCpuSec, wallSec, file } = usage
  const columns = [cpuOf(usage), ownCpuSec, childrenCpuSec, wallSec].map((sec) => sec.toFixed(1).padStart(7))
  return `${columns.join('  ')}  ${file}`
}
