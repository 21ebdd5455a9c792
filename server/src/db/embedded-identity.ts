import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lchown, lstat, readdir, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError, toErrorCode } from './embedded-error.ts'

// PostgreSQL refuses to run as root, yet containers and small servers often run as root. For root, these ways are tried
// in this order, until one can access both the binaries and the directory of the data:
//   an ordinary user who already owns the data, first without and then with CAP_DAC_OVERRIDE, the Linux
//   capability to use folders that are closed to a user,
//   a user namespace in which root has another id: no file changes its owner,
//   an unprivileged user, if all folders on the way are open to this user,
//   the unprivileged user with CAP_DAC_OVERRIDE.
export interface Identity {
  /** The user who must own the data. Null: the data already belongs to the user of this process. */
  readonly owner: Account | null
  toCommand(program: string, args: readonly string[]): Command
}

export interface Command {
  readonly file: string
  readonly args: string[]
  readonly options: { env: Record<string, string>; uid?: number; gid?: number; windowsHide: true }
}

interface Account {
  readonly uid: number
  readonly gid: number
}

// The server inherits no other variables: it must not see our secrets, and PG* variables would change its behaviour.
const ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin',
}

// A probe runs `postgres --version` and checks a folder. A machine that needs longer for this is stuck.
const PROBE_TIMEOUT_MS = 20_000
const PROBE = 'test "$(id -u)" != 0 && "$0" --version && test -d "$1"'

/** `dir` must exist; `data` need not exist yet. */
export async function chooseIdentity(postgres: string, dir: string, data: string): Promise<Identity> {
  if (process.getuid?.() !== 0) {
    if (hasAccount()) return direct
    // initdb needs a name for its user id. An arbitrary user id of a container has none.
    const asNamedUser = inNamespace(await findUnprivileged(), null)
    return (await canRun(asNamedUser, postgres, dir)) ? asNamedUser : direct
  }
  const currentOwner = await findOwner(data)
  const nobody = await findUnprivileged()
  const candidates = [
    // An existing cluster keeps its owner, who can still use it without root.
    ...(currentOwner && currentOwner.uid !== 0
      ? [asUser(currentOwner), asUserOpeningFolders(currentOwner)]
      : []),
    inNamespace(nobody, { uid: 0, gid: 0 }),
    asUser(nobody),
    asUserOpeningFolders(nobody),
  ]
  for (const candidate of candidates) {
    if (await canRun(candidate, postgres, dir)) return candidate
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and no other user can reach both ${postgres} and ${dir} here; start Pazar as an ordinary user, or set DATABASE_URL.`,
  )
}

/** The top folder is changed last, so that its owner shows whether the whole tree was changed. */
export async function changeOwner(identity: Identity, path: string, deep: boolean): Promise<void> {
  if (!identity.owner) return
  const found = await lstat(path)
  const { uid, gid } = identity.owner
  if (found.uid === uid) return
  if (deep && found.isDirectory()) {
    for (const name of await readdir(path)) await changeOwner(identity, join(path, name), true)
  }
  await lchown(path, uid, gid)
}

const direct: Identity = { owner: null, toCommand }

function inNamespace(inside: Account, owner: Account | null): Identity {
  const namespaceOptions = ['--user', `--map-user=${inside.uid}`, `--map-group=${inside.gid}`, '--']
  return {
    owner,
    toCommand: (program, args) => toCommand('unshare', [...namespaceOptions, program, ...args]),
  }
}

function asUser(account: Account): Identity {
  return {
    owner: account,
    toCommand: (program, args) => {
      const command = toCommand(program, args)
      return { ...command, options: { ...command.options, uid: account.uid, gid: account.gid } }
    },
  }
}

function asUserOpeningFolders(account: Account): Identity {
  const userOptions = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  // `--securebits` makes access(2) respect the capability. PostgreSQL checks its own programs with access(2).
  const capabilityOptions = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
    '--',
  ]
  return {
    owner: account,
    toCommand: (program, args) =>
      toCommand('setpriv', [...userOptions, ...capabilityOptions, program, ...args]),
  }
}

function toCommand(file: string, args: readonly string[]): Command {
  return { file, args: [...args], options: { env: ENVIRONMENT, windowsHide: true } }
}

async function canRun(identity: Identity, postgres: string, dir: string): Promise<boolean> {
  const { file, args, options } = identity.toCommand('/bin/sh', ['-c', PROBE, postgres, dir])
  try {
    await promisify(execFile)(file, args, { ...options, cwd: '/', timeout: PROBE_TIMEOUT_MS })
    return true
  } catch {
    // The caller tries another identity.
    return false
  }
}

function hasAccount(): boolean {
  try {
    return userInfo().username !== ''
  } catch (error) {
    // Node reports this code for a user id that has no line in the list of accounts.
    if (toErrorCode(error) === 'ERR_SYSTEM_ERROR') return false
    throw error
  }
}

async function findOwner(path: string): Promise<Account | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function findUnprivileged(): Promise<Account> {
  const list = existsSync('/etc/passwd') ? await readFile('/etc/passwd', 'utf8') : ''
  const accounts = list.split('\n').flatMap((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return Number(uid) > 0 && Number(gid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
  const wanted = ['nobody', 'daemon'].map((name) => accounts.find((account) => account.name === name))
  const found = wanted.find((account) => account !== undefined) ?? accounts[0]
  return { uid: found?.uid ?? 65_534, gid: found?.gid ?? 65_534 }
}
