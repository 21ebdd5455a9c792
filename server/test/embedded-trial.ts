import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, link, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { requireBinaries, requirePackageDir } from '../src/db/embedded-binaries.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../src/db/embedded.ts'
import { findPostmaster, readPostmasterFile, stopPostmaster } from '../src/db/embedded-postmaster.ts'
import { copyCluster } from './prepared-cluster.ts'

// For the launcher's tests only: a temporary folder; its files and processes are removed afterwards.
export interface Trial {
  readonly root: string
  readonly dir: string
  readonly data: string
  start(more?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres>
  /** Stops a server that runs on this folder's data. */
  sweep(): Promise<void>
}

/** The folder has a cluster already, so this is not for tests of a first start. */
export async function openTrialWithData(t: TestContext): Promise<Trial> {
  const trial = await openTrial(t)
  await copyCluster(trial.dir)
  return trial
}

export async function openTrial(t: TestContext): Promise<Trial> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pazar-embedded-')))
  const dir = join(root, 'postgres')
  const data = join(dir, 'cluster', 'data')
  const started: EmbeddedPostgres[] = []
  const sweep = async () => {
    const file = readPostmasterFile(data)
    const left = file && findPostmaster(file.pid, data)
    if (left) await stopPostmaster(left, (await requireBinaries(requirePackageDir())).pgCtl, data)
  }
  t.after(async () => {
    try {
      for (const handle of started) await handle.stop()
      await sweep()
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    }
  })
  return {
    root,
    dir,
    data,
    sweep,
    start: async (more = {}) => {
      // These tests do not need fsync, except where a test turns it on.
      const handle = await startEmbeddedPostgres({ dir, log: () => {}, settings: { fsync: 'off' }, ...more })
      started.push(handle)
      return handle
    },
  }
}

/** The first column of each row. */
export async function query(url: string, sql: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {}) // The running statement fails too, and the test sees that.
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, values, rowMode: 'array' })
    return rows.map((row) => row[0])
  } finally {
    await client.end()
  }
}

/** A copy of the installed binaries, by hard links where the disk allows; symbolic links are left out. */
export async function copyPackage(to: string): Promise<string> {
  const copy = async (from: string, into: string): Promise<void> => {
    await mkdir(into, { recursive: true })
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const [source, target] = [join(from, entry.name), join(into, entry.name)]
      if (entry.isDirectory()) await copy(source, target)
      else if (entry.isFile()) await link(source, target).catch(() => copyFile(source, target))
    }
  }
  await copy(requirePackageDir(), to)
  return to
}

export interface Launcher {
  readonly process: ChildProcess
  /** The result of the start: a server, or the message with which it was refused. */
  readonly outcome: { pid?: number; adopted?: boolean; url?: string; refused?: string; error?: string }
}

export interface LauncherOptions {
  readonly dir: string
  readonly packageDir?: string
  readonly settings?: Record<string, string>
  /** 'stay' until ended, or 'leave' as soon as the process has nothing left to do. */
  readonly finally: 'stay' | 'leave'
}

const LAUNCHER = `
  const { startEmbeddedPostgres, EmbeddedPostgresError } = await import(process.argv[1])
  const { finally: last, ...options } = JSON.parse(process.argv[2])
  const report = (outcome) => process.stdout.write(JSON.stringify(outcome) + '\\n')
  try {
    const { pid, adopted, adminUrl } = await startEmbeddedPostgres({ settings: { fsync: 'off' }, ...options, log: () => {} })
    report({ pid, adopted, url: adminUrl('postgres') })
    if (last === 'stay') setInterval(() => {}, 60_000)
  } catch (error) {
    report(error instanceof EmbeddedPostgresError ? { refused: error.message } : { error: String(error) })
  }`

/** The command line of another process that starts the embedded database. */
export function toLauncherCommand(options: LauncherOptions): string[] {
  const module = new URL('../src/db/embedded.ts', import.meta.url).href
  return [process.execPath, '--input-type=module', '-e', LAUNCHER, module, JSON.stringify(options)]
}

/** Starts the embedded database from another process and waits for the result. */
export async function launch(t: TestContext, options: LauncherOptions): Promise<Launcher> {
  return launchAs(t, toLauncherCommand(options), {})
}

/** Launches as an ordinary user, even if root runs the tests. That user owns the trial's folder. */
export async function launchOrdinary(
  t: TestContext,
  trial: Trial,
  options: Omit<LauncherOptions, 'dir'> & { dir?: string },
): Promise<Launcher & { uid: number }> {
  const command = toLauncherCommand({ dir: trial.dir, ...options })
  await mkdir(trial.dir, { recursive: true, mode: 0o700 })
  await chmod(trial.root, 0o755)
  const uid = process.getuid?.() ?? 0
  if (uid !== 0) return { ...(await launchAs(t, command, {})), uid }
  const nobody = { uid: 65_534, gid: 65_534 }
  if (canReadThis(nobody)) {
    await chown(trial.dir, nobody.uid, nobody.gid)
    return { ...(await launchAs(t, command, nobody)), uid: nobody.uid }
  }
  t.diagnostic(
    'only root may read this checkout, so the ordinary user is root without privileges in its own namespace',
  )
  const wear = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']
  return { ...(await launchAs(t, [...wear, ...command], {})), uid }
}

/** Whether that user can read the checkout; only root can check this. */
export function canReadThis(user: { uid: number; gid: number }): boolean {
  const here = fileURLToPath(import.meta.url)
  return spawnSync('/bin/sh', ['-c', 'test -r "$0"', here], { ...user, cwd: '/' }).status === 0
}

async function launchAs(
  t: TestContext,
  command: string[],
  as: { uid?: number; gid?: number },
): Promise<Launcher> {
  const [file = '', ...args] = command
  return follow(t, spawn(file, args, { ...as, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'pipe'] }))
}

export async function follow(t: TestContext, child: ChildProcess): Promise<Launcher> {
  t.after(() => child.kill('SIGKILL'))
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the launcher needs pipes')
  const complaints = text(stderr)
  let output = ''
  stdout.on('data', (chunk) => (output += String(chunk)))
  while (!output.trim().endsWith('}')) {
    await Promise.race([once(stdout, 'data'), once(stdout, 'end')])
    if (stdout.readableEnded && !output.trim())
      throw new Error(`the launcher printed nothing: ${await complaints}`)
  }
  return { process: child, outcome: JSON.parse(output) as Launcher['outcome'] }
}

export async function killAndWait(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
