// The signature of a callback, verified by the official Standard Webhooks libraries of other languages. A test
// is skipped if a command is missing or the library cannot be downloaded. Only `npm run prove` runs tests that compile.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { signTestCallback } from '@pazar/sdk'
import { runShare } from '../../server/test/counts.ts'
import { hasCommands } from './tools.ts'
import { HARD_DATA } from './vectors.ts'

/** The longest time for a download, and for each command. */
const INSTALL_TIMEOUT_MS = 5 * 60_000
const JAR =
  'https://repo1.maven.org/maven2/com/standardwebhooks/standardwebhooks/1.2.0/standardwebhooks-1.2.0.jar'

const execFileAsync = promisify(execFile)

type Command = readonly [string, ...string[]]

interface Library {
  language: string
  folder: string
  commands: readonly string[]
  /** Compiling takes more than 5 seconds of processor time. */
  isSlow: boolean
  /** Downloads the library from its registry. If that fails, the test is skipped. */
  download: (dir: string) => Promise<unknown>
  build?: Command
  run: (dir: string) => Command
}

async function execute(
  dir: string,
  [command, ...args]: Command,
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<string> {
  const running = execFileAsync(command, args, {
    cwd: dir,
    env: { ...process.env, ...env },
    timeout: INSTALL_TIMEOUT_MS,
  })
  running.child.stdin?.on('error', () => undefined).end(input) // A program that fails may not read its input.
  return (await running).stdout.trim()
}

const LIBRARIES: readonly Library[] = [
  {
    language: 'Python',
    folder: 'python',
    commands: ['python3', 'pip'],
    isSlow: false,
    download: (dir) =>
      execute(dir, [
        'python3',
        ...['-m', 'pip', 'install', '-q', '--retries', '1', '--timeout', '10'],
        ...['--target', dir, '--no-deps', 'standardwebhooks==1.1.0'],
      ]),
    run: () => ['python3', 'check.py'],
  },
  {
    language: 'Go',
    folder: 'go',
    commands: ['go'],
    isSlow: true,
    download: (dir) => execute(dir, ['go', 'mod', 'download', 'all']),
    build: ['go', 'build', '-mod=mod', '-o', 'check', '.'],
    run: (dir) => [path.join(dir, 'check')],
  },
  {
    language: 'Java',
    folder: 'java',
    commands: ['javac', 'java'],
    isSlow: true,
    download: async (dir) => {
      const jar = await fetch(JAR, { signal: AbortSignal.timeout(INSTALL_TIMEOUT_MS) })
      if (!jar.ok) throw new Error(`HTTP ${jar.status}`)
      writeFileSync(path.join(dir, 'library.jar'), await jar.bytes())
    },
    build: ['javac', '-cp', 'library.jar', '-d', '.', 'Check.java'],
    run: () => ['java', '-cp', 'library.jar:.', 'Check'],
  },
  {
    language: 'Rust',
    folder: 'rust',
    commands: ['cargo'],
    isSlow: true,
    download: (dir) => execute(dir, ['cargo', 'fetch', '-q']),
    build: ['cargo', 'build', '-q', '--offline', '--target-dir', 'target'],
    run: (dir) => [path.join(dir, 'target/debug/check')],
  },
]

const root = mkdtempSync(path.join(tmpdir(), 'pazar-libraries-'))
after(() => rmSync(root, { recursive: true, force: true }))

const SECRET = `sk_live_${'0123456789abcdef'.repeat(4)}`
const OTHER_SECRET = SECRET.replace('0', '1')

function findSkipReason({ commands, isSlow }: Library): string | false {
  if (isSlow && runShare !== 'prove') return 'compiled by npm run prove only'
  const missing = commands.filter((command) => !hasCommands([command]))
  return missing.length > 0 && `not installed: ${missing.join(', ')}`
}

for (const library of LIBRARIES) {
  const title = `${library.language}: the official Standard Webhooks library accepts our callback, but not a changed body or another secret`
  test(title, { skip: findSkipReason(library) }, async (t) => {
    const dir = path.join(root, library.folder)
    mkdirSync(dir)
    cpSync(path.join(import.meta.dirname, 'libraries', library.folder), dir, { recursive: true })
    try {
      await library.download(dir)
    } catch (error) {
      t.skip(`${library.language}: the library could not be downloaded (${String(error)})`)
      return
    }
    if (library.build) await execute(dir, library.build)
    const { headers, body } = signTestCallback({ secret: SECRET, customId: 'order-7', data: HARD_DATA })
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
    const command: Command = [...library.run(dir), ...names.map((name) => headers[name])]
    const verify = (input: string, secret: string) =>
      execute(dir, command, { input, env: { PAZAR_SECRET: secret } })
    assert.equal(await verify(body, SECRET), 'ok')
    assert.equal(await verify(body.replace('1500', '1501'), SECRET), 'refused')
    assert.equal(await verify(body, OTHER_SECRET), 'refused')
  })
}
