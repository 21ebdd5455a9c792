// Starts PgBouncer in transaction mode in front of a test cluster.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chooseIdentity, changeOwner } from '../src/db/embedded-identity.ts'
import { installPackages, mayInstallPackages, toInstallCommand } from './debian-packages.ts'
import { freePort } from './service-process.ts'
import { until } from './until.ts'

const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer']
const PACKAGES = ['pgbouncer']

export interface Pgbouncer {
  /** host:port */
  address: string
  stop(): Promise<void>
}

async function findInstalled(): Promise<string | null> {
  for (const program of PROGRAMS) {
    const exists = await access(program).then(
      () => true,
      () => false,
    )
    if (exists) return program
  }
  return null
}

/** The path of the program, or a sentence that says why it is missing and how to install it. */
export async function findPgbouncer(): Promise<{ program: string } | { reason: string }> {
  const installed = await findInstalled()
  if (installed !== null) return { program: installed }
  const reason = `PgBouncer is not installed; on Debian, ${toInstallCommand(PACKAGES)} installs it`
  if (!mayInstallPackages()) return { reason }
  try {
    installPackages(PACKAGES)
  } catch (error) {
    return { reason: `${reason}, but the installation failed (${String(error)})` }
  }
  const program = await findInstalled()
  return program === null ? { reason } : { program }
}

export interface PgbouncerOptions {
  program: string
  clusterUrl: string
  roles: readonly { user: string; password: string }[]
  poolSize?: number
}

function toSettings(dir: string, port: number, { clusterUrl, poolSize = 20 }: PgbouncerOptions): string {
  const { hostname, port: serverPort } = new URL(clusterUrl)
  return [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${path.join(dir, 'users')}`,
    'pool_mode = transaction',
    'max_client_conn = 1000',
    `default_pool_size = ${poolSize}`,
    // Idle sessions are closed soon, because many test databases share one server.
    'server_idle_timeout = 5',
    'query_wait_timeout = 5',
    '',
  ].join('\n')
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    // The connection is refused until PgBouncer listens.
    return false
  } finally {
    socket.destroy()
  }
}

export async function startPgbouncer(options: PgbouncerOptions): Promise<Pgbouncer> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-pgbouncer-'))
  const port = await freePort()
  const settings = path.join(dir, 'settings')
  await writeFile(settings, toSettings(dir, port, options))
  const users = options.roles.map(({ user, password }) => `"${user}" "${password}"\n`)
  await writeFile(path.join(dir, 'users'), users.join(''), { mode: 0o600 })
  // PgBouncer refuses to run as root, so another user must be able to read its files.
  await chmod(dir, 0o755)
  const identity = await chooseIdentity(options.program, dir, dir)
  await changeOwner(identity, dir, true)
  const command = identity.toCommand(options.program, ['-q', settings])
  const child = spawn(command.file, command.args, { ...command.options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const exited = once(child, 'exit')
  const remove = () => rm(dir, { recursive: true, force: true })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}:\n${output}`)
    return canConnect(port)
  }, 'PgBouncer listens')
  return {
    address: `127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await exited
      await remove()
    },
  }
}
