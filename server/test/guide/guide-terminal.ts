// The reader's terminals: each shell block runs exactly as on the page, in an empty directory, one after another, with the
// variables that the blocks before it have set.
import { execFile, execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** The real npm installs from the running service, without a registry. */
const NPM = {
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}

/** A command that hangs fails its page instead of the run. */
const COMMAND_TIMEOUT_MS = 60_000

export interface GuideTerminal {
  dir: string
  write(file: string, text: string): Promise<void>
  /** Runs the script and returns what it printed. */
  run(script: string): Promise<string>
  /** Starts a program that runs until the terminal is closed. */
  start(name: string, script: string): void
  outputOf(name: string): string
  close(): Promise<void>
}

export async function openTerminal(env: Record<string, string> = {}): Promise<GuideTerminal> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-guide-'))
  await writeFile(path.join(dir, '.state'), '')
  const programs = new Map<string, { child: ChildProcess; output: string }>()
  // Tests do not read the environment, so a shell prints the PATH that it inherits.
  const inheritedPath = execFileSync('sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' })
  // The repository's Node first: the system's may be older.
  const searched = `${path.dirname(process.execPath)}:${inheritedPath}`
  const options = {
    cwd: dir,
    env: { PATH: searched, HOME: dir, LANG: 'C.UTF-8', NO_COLOR: '1', ...NPM, ...env },
  }
  const begin = 'set -ea -o pipefail; source .state'

  return {
    dir,
    write: (file, text) => writeFile(path.join(dir, file), text),
    async run(script) {
      const whole = `${begin}\n${script}\n{ declare -f; export -p; } > .state`
      const { stdout } = await promisify(execFile)('bash', ['-c', whole], {
        ...options,
        timeout: COMMAND_TIMEOUT_MS,
      })
      return stdout
    },
    start(name, script) {
      // A separate process group, so that its child processes end with it.
      const child = spawn('bash', ['-c', `${begin}\n${script}`], { ...options, detached: true })
      const program = { child, output: '' }
      programs.set(name, program)
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (program.output += chunk.toString()))
    },
    outputOf: (name) => programs.get(name)?.output ?? '',
    async close() {
      for (const { child } of programs.values()) if (child.pid !== undefined) endGroup(child.pid)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It has already exited, which is not a fault of the page.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
