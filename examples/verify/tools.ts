// Installs, compiles and starts the samples of each language.
import { execFileSync, spawn } from 'node:child_process'
import { once as onceEvent } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { MONO_COMMANDS, SAMPLE_LANGUAGES, SAMPLE_NAMES, toSamplePath } from '@pazar/words'
import type { SampleLanguage, SampleName } from '@pazar/words'
import { runShare } from '../../server/test/counts.ts'
import { installPackages, mayInstallPackages, toInstallCommand } from '../../server/test/debian-packages.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Command = readonly [string, ...string[]]

interface Tool {
  /** The needed commands. */
  commands: readonly string[]
  /** The Debian packages that install them. */
  packages: readonly string[]
  /** Too large to download for every change. Installed only by `npm run prove` with PAZAR_TEST_INSTALL=1. */
  isLarge?: boolean
  build?: (source: string, built: string, name: SampleName) => Command
  buildEnv?: () => Record<string, string>
  /** Builds every sample in one call, because starting this compiler takes longer than compiling. */
  buildAll?: (sources: readonly string[], dir: string) => Command
  run: (source: string, built: string, name: SampleName) => Command
}

const JAVA_FLAGS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

const TOOLS: Readonly<Record<SampleLanguage, Tool>> = {
  typescript: { commands: [], packages: [], run: (source) => [process.execPath, source] },
  php: { commands: ['php'], packages: ['php-cli'], run: (source) => ['php', source] },
  python: {
    commands: ['python3'],
    packages: ['python3-minimal'],
    run: (source) => [findPython(), source],
  },
  csharp: {
    commands: ['mcs', 'mono'],
    packages: ['mono-mcs', 'libmono-system-net-http4.0-cil', 'libmono-system-runtime-serialization4.0-cil'],
    build: (source, built, name) => [
      'mcs',
      '-nologo',
      // The region that merchants copy may have its own Main. The tests start the Main of the class Command.
      '-main:Command',
      ...MONO_COMMANDS[name].split(' ').slice(1, -1),
      `-out:${built}.exe`,
      source,
    ],
    run: (_source, built) => ['mono', `${built}.exe`],
  },
  java: {
    commands: ['javac', 'java'],
    packages: ['default-jdk-headless'],
    isLarge: true, // 300 MB.
    buildAll: (sources, dir) => [
      'javac',
      ...JAVA_FLAGS.map((flag) => `-J${flag}`),
      '-d',
      path.join(dir, 'java'),
      ...sources,
    ],
    run: (_source, built, name) => [
      'java',
      ...JAVA_FLAGS,
      '-cp',
      path.join(path.dirname(built), 'java'),
      name.replace(/^./, (one) => one.toUpperCase()),
    ],
  },
  // GCC's Go compiler, because Debian's `golang-go` needs 460 MB, twice as much.
  go: {
    commands: ['gccgo'],
    packages: ['gccgo'],
    build: (source, built) => ['gccgo', '-o', built, source],
    run: (_source, built) => [built],
  },
  ruby: { commands: ['ruby'], packages: ['ruby'], run: (source) => ['ruby', source] },
  shell: {
    commands: ['bash', 'openssl', 'jq', 'curl'],
    packages: ['openssl', 'jq', 'curl'],
    run: (source) => ['bash', source],
  },
}

const GO: Tool = {
  commands: ['go'],
  packages: [],
  build: (source, built) => ['go', 'build', ...toGoFlags(), '-o', built, source],
  buildEnv: () => (isGoLibraryBuilt() ? {} : { CGO_ENABLED: '0', GOGC: 'off' }),
  run: (_source, built) => [built],
}

/** Without optimization, debugging information and HTTP/2, the first build of Go's standard library is faster. */
const GO_QUICK_FLAGS = [
  '-tags',
  'nethttpomithttp2',
  '-gcflags',
  'all=-N -l -dwarf=false',
  '-ldflags',
  '-s -w',
]

const toGoFlags = () => (isGoLibraryBuilt() ? [] : GO_QUICK_FLAGS)

const isGoLibraryBuilt = once(() => {
  const args = ['list', '-f', '{{.Stale}}', 'net/http']
  return execFileSync('go', args, { encoding: 'utf8' }).trim() === 'false'
})

/** The path of the interpreter itself, because `python3` can be a slow script of a version manager. */
const findPython = once(() =>
  execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim(),
)

function once<T>(read: () => T): () => T {
  let found: { value: T } | null = null
  return () => (found ??= { value: read() }).value
}

export interface RunResult {
  output: string
  errors: string
  code: number | null
}

/** All samples of one language. */
export interface ReadyLanguage {
  language: string
  run(
    name: SampleName,
    options: { args?: readonly string[]; input?: string; env?: Record<string, string> },
  ): Promise<RunResult>
}

export interface MissingLanguage {
  language: string
  /** What is not installed, and the command that installs it. */
  reason: string
}

/** The languages that can run here, and what is missing for the others. */
export function prepareSamples(dir: string): { ready: ReadyLanguage[]; missing: MissingLanguage[] } {
  const ready: ReadyLanguage[] = []
  const missing: MissingLanguage[] = []
  for (const { id, name } of SAMPLE_LANGUAGES) {
    const tool = findTool(id)
    const reason = ensureInstalled(id)
    if (reason === null) ready.push(prepare(id, name, tool, dir))
    else missing.push({ language: name, reason })
  }
  return { ready, missing }
}

function findTool(id: SampleLanguage): Tool {
  return id === 'go' && hasAll(GO) ? GO : TOOLS[id]
}

/** Installs what a language needs, if this run may install. Returns why the tests are skipped, or null. */
export function ensureInstalled(id: SampleLanguage): string | null {
  const tool = findTool(id)
  if (hasAll(tool)) return null
  const lack = `not installed: ${tool.commands.filter((command) => !hasCommands([command])).join(', ')}`
  const reason = `${lack}; on Debian, ${toInstallCommand(tool.packages)} enables this`
  if (!mayInstall(tool)) return reason
  try {
    installMissing()
    if (!hasAll(tool)) installPackages(tool.packages)
  } catch (error) {
    return `${lack}; ${toInstallCommand(tool.packages)} failed (${String(error)})`
  }
  return hasAll(tool) ? null : `${lack}, even after ${toInstallCommand(tool.packages)}`
}

const mayInstall = (tool: Tool) => mayInstallPackages() && !(tool.isLarge && runShare === 'ci')

/** Installs the packages of all languages at once, because each installation also updates the system's caches. */
const installMissing = once(() => {
  const missing = SAMPLE_LANGUAGES.map(({ id }) => findTool(id)).filter(
    (tool) => !hasAll(tool) && mayInstall(tool),
  )
  try {
    installPackages(missing.flatMap(({ packages }) => packages))
  } catch (error) {
    // One package may be missing at the mirror. Each language then installs its own packages.
    console.log(String(error))
  }
})

function hasAll({ commands }: Tool): boolean {
  return hasCommands(commands)
}

export function hasCommands(commands: readonly string[]): boolean {
  return commands.every((command) => {
    try {
      execFileSync('sh', ['-c', 'command -v "$1"', 'sh', command], { stdio: 'ignore' })
      return true
    } catch {
      return false // `command -v` fails if the command is missing.
    }
  })
}

function prepare(id: SampleLanguage, language: string, tool: Tool, dir: string): ReadyLanguage {
  const sourceOf = (name: SampleName) => path.join(ROOT, toSamplePath(id, name))
  const builtOf = (name: SampleName) => path.join(dir, `${id}-${name}`)
  const { build, buildAll } = tool
  const builds = build ? SAMPLE_NAMES.map((name) => build(sourceOf(name), builtOf(name), name)) : []
  if (buildAll) builds.push(buildAll(SAMPLE_NAMES.map(sourceOf), dir))
  for (const [command, ...args] of builds)
    execFileSync(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...tool.buildEnv?.() },
    })
  return {
    language,
    async run(name, { args = [], input = '', env = {} }) {
      const [command, ...programArgs] = tool.run(sourceOf(name), builtOf(name), name)
      const child = spawn(command, [...programArgs, ...args], { env: { ...process.env, ...env } })
      // A sample may exit before it has read everything.
      child.stdin.on('error', () => undefined).end(input)
      const [output, errors, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        onceEvent(child, 'exit') as Promise<[number | null]>,
      ])
      return { output, errors, code }
    },
  }
}
