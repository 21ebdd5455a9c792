import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Finding } from '../lib/finding.ts'

interface Ended {
  code: unknown
  out: string
  err: string
}

const MAIN = path.join(import.meta.dirname, 'main.ts')
const PRELOAD = path.join(import.meta.dirname, '../../../scripts/preload.cjs')

function runNode(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env, cwd: tmpdir() }
    execFile(process.execPath, ['--require', PRELOAD, ...args], options, (error, out, err) =>
      resolve({ code: error?.code, out, err }),
    )
  })
}

const runMain = (
  args: readonly string[],
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Ended> => runNode([...flags, MAIN, ...args], env)

test('doctor --json prints JSON and exits with 1 if there is a problem', async () => {
  const { code, out } = await runMain(['doctor', '--json'], { BASE_URL: 'nonsense', PORT: '0' })
  assert.equal(code, 1)
  const printed = JSON.parse(out) as { problems: number; findings: Finding[] }
  assert.equal(printed.problems, 2)
  assert.deepEqual(printed.findings.map(({ where }) => where).sort(), ['BASE_URL', 'PORT'])
})

test('an unknown command is named before the list of commands, and exits with 2', async () => {
  const { code, err } = await runMain(['acounts'])
  assert.equal(code, 2)
  assert.match(err, /^There is no command "acounts"\.\n\nUsage: npm run pazar -- <command>\n/)
})

test('a mailbox path in the variable MAIL is not read as a setting, and does not replace MAIL from .env', async (t) => {
  const readMail = async (...flags: string[]) => {
    const env = { MAIL: '/var/mail/ana' }
    const { out } = await runNode([...flags, '-p', 'process.env.MAIL'], env)
    return out.trim()
  }
  assert.equal(await readMail(), 'undefined')
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-env-'))
  t.after(() => rm(dir, { recursive: true }))
  const file = path.join(dir, '.env')
  await writeFile(file, 'MAIL=smtp\nPORT=80\n')
  for (const flag of ['--env-file', '--env-file-if-exists'])
    assert.equal(await readMail(`${flag}=${file}`), 'smtp', flag)
  assert.equal(await readMail(`--env-file-if-exists=${file}.missing`), 'undefined')
})

test('a settings file that cannot be read stops the command', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-env-'))
  t.after(() => rm(dir, { recursive: true }))
  // Not even root can open a socket as a file.
  const file = path.join(dir, '.env')
  const socket = createServer().listen(file)
  t.after(() => socket.close())
  await once(socket, 'listening')
  const { code, err } = await runMain(['doctor'], {}, [`--env-file-if-exists=${file}`])
  assert.equal(code, 1)
  assert.match(
    err,
    /The settings in \S+ cannot be read \(ENXIO\)\. Run this as a user who may read the file\./,
  )
})

test('a settings file with a byte order mark is refused, because its first setting would be ignored', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-env-'))
  t.after(() => rm(dir, { recursive: true }))
  const file = path.join(dir, '.env')
  for (const encoding of ['utf8', 'utf16le'] as const) {
    await writeFile(file, '\uFEFFNODE_ENV=production\n', encoding)
    const { code, err } = await runMain(['doctor'], {}, [`--env-file-if-exists=${file}`])
    assert.deepEqual([code, err], [1, `${file} must be saved as UTF-8 without a byte order mark (BOM).\n`])
  }
})

test('“migrate --help”, “migrate” with wrong arguments, and “incidents list” create no database', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-command-'))
  t.after(() => rm(dir, { recursive: true }))
  const dataDir = path.join(dir, 'mistyped')
  const help = await runMain(['migrate', '--help'], { DATA_DIR: dataDir })
  assert.match(help.out, /^Usage: npm run pazar -- migrate\n/)
  assert.equal((await runMain(['migrate', '--dry-run'], { DATA_DIR: dataDir })).code, 2)
  const { code, err } = await runMain(['incidents', 'list'], { DATA_DIR: dataDir })
  assert.deepEqual([code, err.startsWith(`There is no database in ${dataDir}`)], [1, true], err)
  assert.deepEqual(await readdir(dir), [])
})

test(
  'a command fails if its output does not fit on the disk',
  { skip: !existsSync('/dev/full') && 'needs /dev/full' },
  () => {
    const { status, stderr } = spawnSync(process.execPath, ['--require', PRELOAD, MAIN, 'help'], {
      env: {},
      cwd: tmpdir(),
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    })
    assert.deepEqual([status, stderr], [1, 'ENOSPC: no space left on device, write\n'])
  },
)
