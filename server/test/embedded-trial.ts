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

// A temporary folder for tests of the embedded database. After the test the folder is removed, and the database's processes are
// ended.
export interface Trial {
  readonly root: string
  readonly dir: string
  readonly data: string
  start(more?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres>
  /** Stops a server that still runs on this data. */
  stopLeftServer(): Promise<void>
}

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
  const stopLeftServer = async () => {
    const file = readPostmasterFile(data)
    const server = file && findPostmaster(file.pid, data)
    if (server) await stopPostmaster(server, (await requireBinaries(requirePackageDir())).pgCtl, data)
  }
  t.after(async () => {
    try {
      for (const handle of started) await handle.stop()
      await stopLeftServer()
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    }
  })
  return {
    root,
    dir,
    data,
    stopLeftServer,
    start: async (more = {}) => {
      // Few tests need fsync, and they turn it on themselves.
      const handle = await startEmbeddedPostgres({ dir, log: () => {}, settings: { fsync: 'off' }, ...more })
      started.push(handle)
      return handle
    },
  }
}

/** Returns the first column of each row. */
export async function query(url: string, sql: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {}) // The running statement fails too, so the test notices the error.
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, values, rowMode: 'array' })
    return rows.map((row) => row[0])
  } finally {
    await client.end()
  }
}

/** Copies the installed binaries, as hard links where the disk allows them. Symbolic links are not copied. */
export async function copyPackage(to: string): Promise<string> {
  const copy = async (from: string, targetDir: string): Promise<void> => {
    await mkdir(targetDir, { recursive: true })
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const [source, target] = [join(from, entry.name), join(targetDir, entry.name)]
      if (entry.isDirectory()) await copy(source, target)
      else if (entry.isFile()) await link(source, target).catch(() => copyFile(source, target))
    }
  }
  await copy(requirePackageDir(), to)
  return to
}

export interface Launcher {
  readonly process: ChildProcess
  readonly outcome: { pid?: number; adopted?: boolean; url?: string; refused?: string; error?: string }
}

export interface LauncherOptions {
  readonly dir: string
  readonly packageDir?: string
  readonly settings?: Record<string, string>
  /** 'stay' keeps the process running until it is killed. 'leave' lets the process end after the database has started. */
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

export function toLauncherCommand(options: LauncherOptions): string[] {
  const module = new URL('../src/db/embedded.ts', import.meta.url).href
  return [process.execPath, '--input-type=module', '-e', LAUNCHER, module, JSON.stringify(options)]
}

export async function launch(t: TestContext, options: LauncherOptions): Promise<Launcher> {
  return launchAs(t, toLauncherCommand(options), {})
}

/** Starts the launcher as an ordinary user, even if root runs the tests. That user owns the trial's folder. */
export async function launchAsOrdinaryUser(
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
  if (canReadRepository(nobody)) {
    await chown(trial.dir, nobody.uid, nobody.gid)
    return { ...(await launchAs(t, command, nobody)), uid: nobody.uid }
  }
  t.diagnostic(
    'only root may read this repository, so root runs the program in a user namespace in which it has no privileges',
  )
  const asNobody = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']
  return { ...(await launchAs(t, [...asNobody, ...command], {})), uid }
}

/** Whether this user can read the repository's files. Only root can check this for a different user. */
export function canReadRepository(user: { uid: number; gid: number }): boolean {
  const thisFile = fileURLToPath(import.meta.url)
  return spawnSync('/bin/sh', ['-c', 'test -r "$0"', thisFile], { ...user, cwd: '/' }).status === 0
}

async function launchAs(
  t: TestContext,
  command: string[],
  as: { uid?: number; gid?: number },
): Promise<Launcher> {
  const [file = '', ...args] = command
  return waitForOutcome(
    t,
    spawn(file, args, { ...as, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'pipe'] }),
  )
}

export async function waitForOutcome(t: TestContext, child: ChildProcess): Promise<Launcher> {
  t.after(() => child.kill('SIGKILL'))
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the launcher needs pipes')
  const errorOutput = text(stderr)
  let output = ''
  stdout.on('data', (chunk) => (output += String(chunk)))
  while (!output.trim().endsWith('}')) {
    await Promise.race([once(stdout, 'data'), once(stdout, 'end')])
    if (stdout.readableEnded && !output.trim())
      throw new Error(`the launcher printed nothing: ${await errorOutput}`)
  }
  return { process: child, outcome: JSON.parse(output) as Launcher['outcome'] }
}

export async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
