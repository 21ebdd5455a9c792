// Runs `npm test` and `npm run prove`: the checks and, at the same time, every test of the repository. With paths after
// `npm test --`, with --changed or with --only=database, only some of the tests run, without the checks.
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { ensurePackagesBuilt } from './build-packages.ts'
import { ensurePortalBuilt } from './build-portal.ts'
import { createTemporaryDir } from '../server/test/fast-dir.ts'
import { buildTestService } from './build-test-service.ts'
import { findAffectedTests, findDatabaseTests } from './test-changed.ts'
import { findTestFiles, isAtOrBelow, ROOT, sortSlowFirst } from './test-files.ts'
import { FILES_AT_ONCE, runTestFiles } from './test-run.ts'
import type { Failure, Outcome, RunOptions } from './test-run.ts'
import { createUsageLog, formatRun, watchCores } from './test-usage.ts'

const CHECKS = ['lint', 'types', 'format:check']
const ONLY_DATABASE = '--only=database'
const FLAGS = ['--prove', '--slowest', '--changed', '--pgbouncer', ONLY_DATABASE]
const DATABASE_FLAG = '--database='
/** If more files than this fail, a busy machine is probably not the cause, so no file is run again. */
const RUN_AGAIN_MAX = 3
/** Up to this number of files, bundling the service takes longer than the bundle saves. */
const FILES_WITHOUT_BUNDLE_MAX = 20
const IN_BROWSER = /^server\/test\/(?:browser\/|portal\/|trip\.test)/
const USAGE = `allowed are paths, ${FLAGS.join(', ')} and ${DATABASE_FLAG}<superuser's URL>; with --changed, name the commit to compare with`

const failures: Failure[] = []
/** Files that failed while other files ran, and passed alone. */
const unstableFiles: string[] = []
const stopping = new AbortController()
let stoppedBy: NodeJS.Signals | null = null

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stoppedBy = signal
    stopping.abort()
  })

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'))
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const isProve = flags.includes('--prove')
const givenDatabase = flags.find((flag) => flag.startsWith(DATABASE_FLAG))?.slice(DATABASE_FLAG.length)
const isChanged = flags.includes('--changed')
const isDatabaseOnly = flags.includes(ONLY_DATABASE)

// process.exitCode is not used, because node's test runner sets it again when the process ends.
process.exit(await main())

async function main(): Promise<number> {
  const unknown = flags.filter((flag) => !FLAGS.includes(flag) && !flag.startsWith(DATABASE_FLAG))
  if (unknown.length > 0) return refuse(`Unknown option ${unknown.join(' ')}: ${USAGE}.`)
  const all = findTestFiles()
  const missed = isChanged ? [] : names.filter((name) => !all.some((file) => isAtOrBelow(file, name)))
  if (missed.length > 0) return refuse(`No *.test.ts file is at or below ${missed.join(' or ')}.`)
  const files = chooseFiles(all)
  if (files.length === 0 && isChanged) return report('The changes affect no test.')
  if (files.length === 0) return refuse('There is no *.test.ts file.')

  const isFullRun = names.length === 0 && !isChanged && !isDatabaseOnly
  if (!isFullRun) console.log(`Without the checks, ${files.length} of ${all.length} test files:`)
  const toBusyShare = watchCores()
  await ensurePortalBuilt()
  await ensurePackagesBuilt()
  const [summary] = await Promise.all([runTests(files, isFullRun), isFullRun ? runChecks() : []])
  if (flags.includes('--slowest')) console.log(`\n${formatRun()}`)
  if (isFullRun) console.log(toBusyShare())
  if (stoppedBy !== null) return 128 + constants.signals[stoppedBy]
  for (const file of unstableFiles)
    console.log(`UNSTABLE ${file}: it failed while other files ran, and passed alone`)
  if (failures.length === 0) return 0
  console.error(['', ...failures.map(({ part, reason }) => `FAILED ${part}: ${reason}`)].join('\n'))
  // The summary is printed again, because the details of the failed tests follow the first summary.
  if (summary.length > 0) console.log(summary.join('\n'))
  return 1
}

function chooseFiles(all: readonly string[]): string[] {
  if (isChanged) return findAffectedTests(all, names[0])
  const chosen = all.filter((file) => names.length === 0 || names.some((name) => isAtOrBelow(file, name)))
  return isDatabaseOnly ? findDatabaseTests(chosen) : chosen
}

function refuse(sentence: string): number {
  console.error(sentence)
  return 1
}

function report(sentence: string): number {
  console.log(sentence)
  return 0
}

async function runTests(files: readonly string[], isFullRun: boolean): Promise<string[]> {
  const browser = files.some((file) => IN_BROWSER.test(file)) ? await unpackBrowser() : {}
  const temporary = await createTemporaryDir()
  const database = await startDatabase(files)
  const usage = flags.includes('--slowest') ? createUsageLog() : null
  try {
    const options = {
      isProve,
      filesAtOnce: FILES_AT_ONCE,
      env: {
        ...process.env,
        // The compile cache of the programs that the tests start.
        NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/pazar-compiled'),
        TMPDIR: temporary.dir,
        ...browser,
        ...database.env,
        ...(files.length > FILES_WITHOUT_BUNDLE_MAX ? { PAZAR_TEST_SERVICE: await buildTestService() } : {}),
        ...usage?.env,
        ...(isProve ? { PAZAR_PROVE: '1' } : {}),
        ...(isFullRun && !isProve ? { PAZAR_WHOLE_TEST: '1' } : {}),
      },
      execArgv: usage?.execArgv ?? [],
      signal: stopping.signal,
    }
    const outcome = await runTestFiles(sortSlowFirst(files), options)
    failures.push(...(isFullRun && !isProve ? await runAgain(outcome, options) : outcome.failures))
    if (usage) console.log(usage.toTable())
    return outcome.summary
  } finally {
    usage?.remove()
    await database.stop().catch((error: unknown) => {
      failures.push({ part: 'database', reason: `it did not stop (${String(error)})` })
    })
    await temporary.remove()
  }
}

/** Unpacks the browser before the tests. Otherwise a test could start a file that another test is still unpacking. */
async function unpackBrowser(): Promise<NodeJS.ProcessEnv> {
  const { requireBrowserPath } = await import('../server/test/browser.ts')
  const browser = await requireBrowserPath().catch(() => null) // Each browser test then says what is missing.
  return browser === null ? {} : { CHROME_PATH: browser }
}

/** Runs a few failed files again, one at a time, because in a whole run they may get too little processor time. */
async function runAgain({ failures, failedFiles }: Outcome, options: RunOptions): Promise<Failure[]> {
  const files = failedFiles ?? []
  if (files.length === 0 || files.length > RUN_AGAIN_MAX) return failures
  console.log(`\nRunning again, one at a time: ${files.join(', ')}`)
  const alone = await runTestFiles(files, { ...options, filesAtOnce: 1 })
  if (alone.failures.length > 0) return [...failures, ...alone.failures]
  unstableFiles.push(...files)
  return []
}

// Starts one temporary PostgreSQL for the run, unless a server is given or no test needs one. Each test file has its own
// databases.
async function startDatabase(
  files: readonly string[],
): Promise<{ env: NodeJS.ProcessEnv; stop(): Promise<void> }> {
  const noCluster = { env: {}, stop: async () => {} }
  const isGiven = process.env['PAZAR_TEST_CLUSTER'] !== undefined
  if (isGiven || !files.some((file) => /^(?:server|cli|examples)\//.test(file))) return noCluster
  try {
    const { prepareExistingCluster, startPooler, startTestCluster } =
      await import('../server/test/database.ts')
    const cluster = await (givenDatabase ? prepareExistingCluster(givenDatabase) : startTestCluster())
    const pooler = flags.includes('--pgbouncer')
      ? await startPooler(cluster.url).catch(async (error: unknown) => {
          await cluster.stop()
          throw error
        })
      : null
    const env = {
      PAZAR_TEST_CLUSTER: cluster.url,
      PAZAR_TEST_CLUSTER_FILES: cluster.emptyFiles,
      PAZAR_TEST_POOLER: pooler?.address,
    }
    const stop = async () => {
      await pooler?.stop()
      await cluster.stop()
    }
    return { env, stop }
  } catch (error) {
    failures.push({ part: 'database', reason: String(error) })
    return noCluster
  }
}

async function runChecks(): Promise<void> {
  for (const check of CHECKS) {
    if (stopping.signal.aborted) return
    const { code, output } = await runCheck(check)
    if (code === 0) continue
    console.error(`\n${check}:\n${output}`)
    failures.push({ part: check, reason: `it ended with exit code ${code}` })
  }
}

async function runCheck(check: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--run', check], {
    cwd: ROOT,
    // Most checks run programs that are written in Go. With these settings, garbage collection starts only near 3 GiB, which
    // makes the programs faster.
    env: { GOGC: 'off', GOMEMLIMIT: '3GiB', ...process.env },
    signal: stopping.signal,
  })
  // The tests come first. While they start, checks of the same priority could take too much time from a browser or database.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += error.message
      resolve(1)
    })
    child.once('close', resolve)
  })
  return { code, output }
}
