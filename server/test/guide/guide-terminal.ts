// Runs the commands of the guide in an empty directory, as a reader does in a terminal. Each command has the variables and
// functions of all commands that finished before it.
import { execFile, execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** There is no registry at this address, so npm must install our packages from the running service. */
const NPM_ENV = {
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}

const COMMAND_TIMEOUT_MS = 60_000

export interface GuideTerminal {
  dir: string
  write(file: string, text: string): Promise<void>
  run(script: string): Promise<string>
  /** Starts a program that runs until the terminal is closed. */
  start(name: string, script: string): void
  outputOf(name: string): string
  close(): Promise<void>
}

export async function openTerminal(): Promise<GuideTerminal> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-guide-'))
  await writeFile(path.join(dir, '.state'), '')
  const programs = new Map<string, { child: ChildProcess; output: string }>()
  // Only a few files may read process.env (tidy/places.ts), so a shell prints the PATH.
  const inheritedPath = execFileSync('sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' })
  // This test's own Node comes first, because the system's Node may be older.
  const searchPath = `${path.dirname(process.execPath)}:${inheritedPath}`
  const options = {
    cwd: dir,
    env: { PATH: searchPath, HOME: dir, LANG: 'C.UTF-8', NO_COLOR: '1', ...NPM_ENV },
  }
  const prologue = 'set -ea -o pipefail; source .state'

  return {
    dir,
    write: (file, text) => writeFile(path.join(dir, file), text),
    async run(script) {
      const fullScript = `${prologue}\n${script}\n{ declare -f; export -p; } > .state`
      const { stdout } = await promisify(execFile)('bash', ['-c', fullScript], {
        ...options,
        timeout: COMMAND_TIMEOUT_MS,
      })
      return stdout
    },
    start(name, script) {
      // The program gets its own process group, so that its child processes can be killed together with it.
      const child = spawn('bash', ['-c', `${prologue}\n${script}`], { ...options, detached: true })
      const program = { child, output: '' }
      programs.set(name, program)
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (program.output += chunk.toString()))
    },
    outputOf: (name) => programs.get(name)?.output ?? '',
    async close() {
      for (const { child } of programs.values()) if (child.pid !== undefined) killProcessGroup(child.pid)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function killProcessGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The program has already exited.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
