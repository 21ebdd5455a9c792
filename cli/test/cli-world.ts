// A real service, an account with a project and an API token, and the CLI in this process or in a new process.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeToken } from '../../server/test/api-tokens.ts'
import { signUp } from '../../server/test/client.ts'
import type { Client } from '../../server/test/client.ts'
import { listenLocally } from '../../server/test/event-reader.ts'
import { startTestService } from '../../server/test/harness.ts'
import type { TestService } from '../../server/test/harness.ts'
import { readEnvironment } from '../src/environment.ts'
import { run } from '../src/run.ts'
import { toText } from '../src/terminal.ts'
import type { Line, Terminal } from '../src/terminal.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** Enables the compile cache, so that the CLI starts faster. */
const PRELOAD = fileURLToPath(new URL('../../scripts/preload.cjs', import.meta.url))

export interface CliResult {
  code: number
  out: string
  err: string
  json<T = Record<string, unknown>>(): T
}

export interface CliOptions {
  env?: Record<string, string>
  input?: string | Uint8Array
  /** Replies to prompts, in order. If absent, the terminal has no prompts. */
  answers?: string[]
  signal?: AbortSignal
  isInteractive?: boolean
}

export interface CliWorld {
  service: TestService
  owner: Client
  baseUrl: string
  projectId: string
  token: string
  dir: string
  env: Record<string, string>
  call: (argv: readonly string[], options?: CliOptions) => Promise<CliResult>
}

export async function startCliWorld(
  settings: Record<string, string> = {},
  project: Record<string, unknown> = {},
): Promise<CliWorld> {
  const service = await startTestService(settings)
  const baseUrl = await listenLocally(service.app)
  const owner = await signUp(service.app)
  const { id: projectId } = await owner.addProject(project)
  const { token } = await makeToken(owner)
  const dir = await makeDir()
  const env = {
    PAZAR_BASE_URL: baseUrl,
    PAZAR_TOKEN: token,
    PAZAR_PROJECT_ID: projectId,
    PAZAR_CONFIG: path.join(dir, 'cli.json'),
    LANG: 'en_US.UTF-8',
  }
  return {
    service,
    owner,
    baseUrl,
    projectId,
    token,
    dir,
    env,
    call: (argv, options) => runInProcess(argv, { ...options, env: { ...env, ...options?.env } }),
  }
}

export async function makeDir(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-cli-'))
  after(() => rm(dir, { recursive: true, force: true }))
  return dir
}

export async function runInProcess(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const out: string[] = []
  const err: string[] = []
  const answers = [...(options.answers ?? [])]
  const collect = (texts: string[]) => (line: Line) => void texts.push(toText(line, false))
  const terminal: Terminal = {
    print: collect(out),
    printStatus: collect(err),
    isInteractive: options.isInteractive ?? false,
    canAsk: options.answers !== undefined,
    ask: async (question) => {
      err.push(question)
      return answers.shift() ?? ''
    },
    readInput: async () => Buffer.from(options.input ?? ''),
  }
  const signal = options.signal ?? new AbortController().signal
  const code = await run(argv, { environment: readEnvironment(options.env ?? {}), terminal, signal })
  return toResult(code, out.join('\n'), err.join('\n'))
}

function toResult(code: number, out: string, err: string): CliResult {
  return { code, out, err, json: <T>() => JSON.parse(out || err) as T }
}

export interface RunningCli {
  child: ChildProcess
  out(): string
  err(): string
  ended: Promise<CliResult>
}

export function startCli(argv: readonly string[], env: Record<string, string>): RunningCli {
  const child = spawn(process.execPath, ['--require', PRELOAD, MAIN, ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk))
  const ended = once(child, 'close').then(([code]) => toResult(code as number, out.trimEnd(), err.trimEnd()))
  return { child, out: () => out, err: () => err, ended }
}

/** Runs a line in a shell in which `pazar-cli` is defined. */
export async function runLine(line: string, cwd: string, env: Record<string, string>): Promise<CliResult> {
  const command = `"${process.execPath}" --require "${PRELOAD}" "${MAIN}" "$@"`
  const child = spawn('bash', ['-c', `pazar-cli() { ${command}; }\n${line}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return toResult(code as number, out.trimEnd(), err.trimEnd())
}
