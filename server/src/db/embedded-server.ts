import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './embedded-binaries.ts'
import type { Paths } from './embedded-cluster.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'
import { changeOwner, type Identity } from './embedded-identity.ts'
import { type Postmaster, stopPostmaster, waitUntilReady } from './embedded-postmaster.ts'
import { findProcess } from './embedded-process.ts'

export interface RunningServer extends Postmaster {
  readonly port: number
}

export interface Launch {
  readonly paths: Paths
  readonly binaries: Binaries
  readonly identity: Identity
  readonly arguments: readonly string[]
}

// A caller may replace these settings. By default, a commit is on disk before it is confirmed, because payments are stored
// here.
const DEFAULT_SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
}

// Fixed settings: loopback only, and a log without statements and their values.
const FIXED_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}

// Another process may take a port before our server uses it, but not five times in a row.
const PORT_ATTEMPTS_MAX = 5

// After a server was killed, the processes of its connections still hold the shared memory. They end when they notice that
// the server is gone.
const ORPHANS_TIMEOUT_MS = 15_000
const ORPHANS_PAUSE_MS = 100

const LOG_BYTES_MAX = 5_000_000
const REPORTED_LINES_MAX = 10

export function toServerArguments(data: string, settings: Readonly<Record<string, string>>): string[] {
  const all = Object.entries({ ...DEFAULT_SETTINGS, ...settings, ...FIXED_SETTINGS })
  return ['-D', data, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

export function wasStartedWith(
  running: Postmaster,
  { binaries, arguments: wanted }: Omit<Launch, 'identity'>,
) {
  if (running.commandLine === null) return true
  return running.commandLine.replace(/ -c port=\d+$/, '') === [binaries.postgres, ...wanted].join(' ')
}

export async function launchServer(launch: Launch, choosePort = findFreePort): Promise<RunningServer> {
  const orphansDeadlineMs = performance.now() + ORPHANS_TIMEOUT_MS
  for (let portAttempts = 1; ;) {
    const outcome = await tryOnce(launch, await choosePort())
    if (typeof outcome !== 'string') return outcome
    if (/could not bind|could not create any TCP/.test(outcome) && portAttempts < PORT_ATTEMPTS_MAX) {
      portAttempts += 1
    } else if (/shared memory block .* still in use/.test(outcome) && performance.now() < orphansDeadlineMs) {
      await sleep(ORPHANS_PAUSE_MS)
    } else {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL did not start. Its log is ${launch.paths.log}:\n${outcome}`,
      )
    }
  }
}

async function tryOnce(launch: Launch, port: number): Promise<RunningServer | string> {
  const { paths, binaries, identity } = launch
  const log = await openLog(paths.log, identity)
  const logStart = log.sizeBytes
  const command = identity.toCommand(binaries.postgres, [...launch.arguments, '-c', `port=${port}`])
  // A detached server is in its own session: Ctrl-C at our terminal must not stop the database while requests run.
  const child = spawn(command.file, command.args, {
    ...command.options,
    cwd: paths.dir,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  closeSync(log.fd)
  child.unref()
  let failure = ''
  child.once('error', (error) => (failure = `${command.file}: ${error.message}`))
  const hasEnded = () => failure !== '' || child.exitCode !== null || child.signalCode !== null
  if (child.pid !== undefined) {
    const ready = await waitUntilReady(paths.data, child.pid, hasEnded)
    const found = findProcess(child.pid)
    if (found && ready !== null) return { pid: child.pid, port: ready, ...found }
    if (found) await stopPostmaster({ pid: child.pid, ...found }, binaries.pgCtl, paths.data)
  } else {
    await sleep(0) // The event 'error', which has the reason, comes later.
  }
  return failure || readLastLines(paths.log, logStart)
}

async function openLog(path: string, identity: Identity): Promise<{ fd: number; sizeBytes: number }> {
  if (existsSync(path) && statSync(path).size > LOG_BYTES_MAX) renameSync(path, `${path}.1`)
  const fd = openSync(path, 'a', 0o600)
  await changeOwner(identity, path, false)
  return { fd, sizeBytes: statSync(path).size }
}

function readLastLines(path: string, fromByte: number): string {
  const lines = readFileSync(path).subarray(fromByte).toString('utf8').trim().split('\n')
  return lines.slice(-REPORTED_LINES_MAX).join('\n')
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  probe.once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
  })
  return promise
}
