// What `npm test` and `npm run prove` do: the checks, then every test of the repository, and at the end which part
// failed. Paths after `npm test --` run only the tests at or below them, without the checks. A run that tested nothing
// is a failure, because it would otherwise look exactly like a good one.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensurePackagesBuilt } from './build-packages.ts'
import { ensurePortalBuilt } from './build-portal.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CHECKS = ['lint', 'types', 'format:check']

// Each file may bring a browser or fill the database, and two of them keep a small machine busy.
const FILES_AT_ONCE = 2

// So long that only a test that hangs gets there: minutes, or hours where the counts are whole.
const TEST_TIMEOUT_MS = 10 * 60_000
const PROVE_TIMEOUT_MS = 4 * 60 * 60_000

// Node ends a test that takes too long but waits forever for its process, so a run that reports nothing for the time of
// a test and this much more is ended from here; node then names the files that hung.
const SILENCE_GRACE_MS = 60_000
const SILENCE_LOOK_MS = 1_000

// Node's closing lines, as its TAP report writes them.
const SUMMARY = /^# (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/gm

type Failure = { part: string; code: number; reason: string }

const failures: Failure[] = []
let running: ChildProcess | null = null
let stoppedBy: NodeJS.Signals | null = null

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stoppedBy = signal
    running?.kill(signal)
  })

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'))
const places = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const prove = flags.includes('--prove')

process.exitCode = await main()

async function main(): Promise<number> {
  const unknown = flags.filter((flag) => flag !== '--prove')
  if (unknown.length > 0) return refuse(`${unknown.join(' ')} is not known here: give paths, or --prove.`)
  const all = findTestFiles()
  const missed = places.filter((place) => !all.some((file) => isAtOrBelow(file, place)))
  if (missed.length > 0) return refuse(`No *.test.ts file is at or below ${missed.join(' or ')}.`)
  const files = all.filter((file) => places.length === 0 || places.some((place) => isAtOrBelow(file, place)))
  if (files.length === 0) return refuse('There is no *.test.ts file here at all.')

  if (places.length > 0) console.log(`Without the checks, ${files.length} of ${all.length} test files:`)
  else for (const check of CHECKS) await runPart(check, ['--run', check])

  await ensurePortalBuilt()
  await ensurePackagesBuilt()
  const summary = stoppedBy === null ? await runTests(files) : []
  if (stoppedBy !== null) return 128 + constants.signals[stoppedBy]
  if (failures.length === 0) return 0
  console.error(['', ...failures.map(({ part, reason }) => `FAILED ${part}: ${reason}`)].join('\n'))
  // Once more, because the details of the failed tests came after them.
  if (summary.length > 0) console.log(summary.join('\n'))
  return failures[0]?.code ?? 1
}

function refuse(sentence: string): number {
  console.error(sentence)
  return 1
}

function findTestFiles(): string[] {
  const exclude = (name: string) => ['node_modules', 'dist', 'data'].includes(path.basename(name))
  return globSync('**/*.test.ts', { cwd: ROOT, exclude }).map(toSlashes).sort()
}

function isAtOrBelow(file: string, place: string): boolean {
  const from = toSlashes(path.relative(ROOT, path.resolve(place)))
  return from === '' || file === from || file.startsWith(`${from}/`)
}

function toSlashes(file: string): string {
  return file.split(path.sep).join('/')
}

// Runs node with these arguments and notes a failure under the part's name.
async function runPart(part: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if (stoppedBy !== null) return
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' })
  running = child
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (exitCode, signal) =>
      resolve(exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
  running = null
  if (code !== 0) failures.push({ part, code, reason: `it ended with exit code ${code}` })
}

// Node prints its report as always. A second report goes to a file, to see there what was really run.
async function runTests(files: string[]): Promise<string[]> {
  const dir = mkdtempSync(path.join(tmpdir(), 'pazar-report-'))
  const report = path.join(dir, 'report.tap')
  const timeoutMs = prove ? PROVE_TIMEOUT_MS : TEST_TIMEOUT_MS
  const database = await startDatabase(files)
  writeFileSync(report, '')
  const watch = setInterval(() => endIfSilent(report, timeoutMs + SILENCE_GRACE_MS), SILENCE_LOOK_MS)
  try {
    const args = [
      '--test',
      `--test-concurrency=${FILES_AT_ONCE}`,
      `--test-timeout=${timeoutMs}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      `--test-reporter-destination=${report}`,
      ...files,
    ]
    await runPart('tests', args, { ...process.env, ...database.env, ...(prove ? { PAZAR_PROVE: '1' } : {}) })
    return judge(readFileSync(report, 'utf8'), files)
  } catch (error) {
    failures.push({ part: 'tests', code: 1, reason: `there is no report of them (${String(error)})` })
    return []
  } finally {
    clearInterval(watch)
    rmSync(dir, { recursive: true, force: true })
    await database.stop().catch((error: unknown) => {
      failures.push({ part: 'database', code: 1, reason: `it did not stop (${String(error)})` })
    })
  }
}

function endIfSilent(report: string, silenceMs: number): void {
  if (running === null || running.killed || Date.now() - statSync(report).mtimeMs < silenceMs) return
  failures.push({
    part: 'tests',
    code: 1,
    reason: `nothing was heard of them for ${Math.round(silenceMs / 60_000)} minutes`,
  })
  running.kill('SIGTERM')
}

// One throw-away PostgreSQL for the run; each test file takes a database of its own in it.
async function startDatabase(files: string[]): Promise<{ env: NodeJS.ProcessEnv; stop(): Promise<void> }> {
  const none = { env: {}, stop: async () => {} }
  const given = process.env['PAZAR_TEST_CLUSTER'] !== undefined
  if (given || !files.some((file) => file.startsWith('server/'))) return none
  try {
    const { startTestCluster } = await import('../server/test/database.ts')
    const cluster = await startTestCluster()
    return { env: { PAZAR_TEST_CLUSTER: cluster.url }, stop: () => cluster.stop() }
  } catch (error) {
    failures.push({ part: 'database', code: 1, reason: String(error) })
    return none
  }
}

// Returns node's closing lines. A file without a test counts as one passed test for node, and for nobody else.
function judge(report: string, files: string[]): string[] {
  const passed = new Set([...report.matchAll(/^ok \d+ - (.+)$/gm)].map((found) => found[1]))
  const empty = files.filter((file) => passed.has(file))
  for (const file of empty) failures.push({ part: 'tests', code: 1, reason: `${file} holds no test` })
  const counts = new Map([...report.matchAll(SUMMARY)].map((found) => [found[1], found[2]]))
  const ran = counts.get('tests')
  if (ran === undefined)
    failures.push({ part: 'tests', code: 1, reason: 'node was ended before it had counted' })
  else if (Number(ran) <= empty.length) failures.push({ part: 'tests', code: 1, reason: 'no test ran' })
  return [...counts].map(([name, count]) => `ℹ ${name} ${count}`)
}
