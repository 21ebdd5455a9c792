// The processes of a trial (`npm run ha` or `npm run upgrade:drill`). The reaper, a separate process, ends them when
// the trial ends or crashes.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { findProcess } from '../../server/src/db/embedded-process.ts'
import type { Account } from './programs.ts'

/** What the reaper ends or deletes: a process, the PostgreSQL server of a data directory, or a directory. */
export type Entry = { pid: number; startedAt: string } | { dataDir: string } | { remove: string }

const PRELOAD = path.join(import.meta.dirname, '../preload.cjs')
const REAPER = path.join(import.meta.dirname, 'reaper.ts')

export interface Command {
  file: string
  args: readonly string[]
  account?: Account | null
}

export class Processes {
  readonly dir: string
  private readonly reaper: ChildProcess

  constructor(dir: string) {
    this.dir = dir
    mkdirSync(path.join(dir, 'logs'))
    this.reaper = spawn(process.execPath, ['--require', PRELOAD, REAPER], {
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    // If the reaper has ended, it has already printed its error.
    this.reaper.stdin!.on('error', () => undefined)
  }

  private report(entry: Entry): void {
    this.reaper.stdin!.write(`${JSON.stringify(entry)}\n`)
  }

  /** When this process ends, the reaper ends `child` too. */
  register(child: ChildProcess): void {
    const found = child.pid === undefined ? null : findProcess(child.pid)
    if (found) this.report({ pid: child.pid!, startedAt: found.startedAt })
  }

  registerDataDir(dataDir: string): void {
    this.report({ dataDir })
  }

  logFile(name: string): string {
    return path.join(this.dir, 'logs', `${name}.log`)
  }

  start(name: string, { file, args, account }: Command): ChildProcess {
    const log = openSync(this.logFile(name), 'a')
    const child = spawn(file, args, {
      cwd: this.dir,
      detached: true,
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', HOME: this.dir },
      stdio: ['ignore', log, log],
      ...account,
    })
    closeSync(log)
    child.once('error', (error) => console.error(`${name} cannot be started: ${error.message}`))
    child.once('exit', (code) => {
      if (code !== null && code !== 0) console.error(`${name} ended with ${code}: ${this.logFile(name)}`)
    })
    this.register(child)
    return child
  }

  /** Ends the running processes, and deletes the directory unless `keep` is set. */
  async end(keep: boolean): Promise<void> {
    if (!keep) this.report({ remove: this.dir })
    const exited = once(this.reaper, 'exit')
    this.reaper.stdin!.end()
    await exited
  }
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
