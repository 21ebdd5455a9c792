// Runs test files with node's test runner and returns the failures.
import path from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { TEST_FLAGS } from '../server/test/v8-flags.ts'
import { ROOT } from './test-files.ts'
import { toGroups, writePrograms } from './test-groups.ts'
import { collectResults } from './test-results.ts'

const TEST_CONTEXT = path.join(ROOT, 'scripts/test-context.cjs')

/** More than the cores of a small machine, because tests wait for databases, browsers and processes. */
export const FILES_AT_ONCE = 4

// Only a hanging test takes this long.
const TEST_TIMEOUT_MS = 5 * 60_000
const PROVE_TIMEOUT_MS = 4 * 60 * 60_000

// Node ends a test after its timeout, but waits for the test's process without a limit. If the run reports nothing for the
// timeout plus this time, it is ended.
const SILENCE_GRACE_MS = 60_000
const SILENCE_POLL_MS = 1_000

export interface Failure {
  part: string
  reason: string
}

export interface RunOptions {
  isProve: boolean
  filesAtOnce: number
  env: NodeJS.ProcessEnv
  execArgv: readonly string[]
  signal: AbortSignal
}

export interface Outcome {
  failures: Failure[]
  /** The files that failed. Null if they are not known, because the run was stopped or is incomplete. */
  failedFiles: string[] | null
  summary: string[]
}

export async function runTestFiles(files: readonly string[], options: RunOptions): Promise<Outcome> {
  const timeout = options.isProve ? PROVE_TIMEOUT_MS : TEST_TIMEOUT_MS
  const reasons: string[] = []
  const hung = new AbortController()
  const groups = toGroups(files)
  const programs = writePrograms(groups)
  const stream = run({
    files: programs.paths,
    cwd: ROOT,
    concurrency: options.filesAtOnce,
    timeout,
    env: options.env,
    execArgv: [...options.execArgv, ...TEST_FLAGS, '--require', TEST_CONTEXT],
    signal: AbortSignal.any([options.signal, hung.signal]),
  })

  let lastEventMs = performance.now()
  const silenceCheck = setInterval(() => {
    const silenceMs = timeout + SILENCE_GRACE_MS
    if (hung.signal.aborted || performance.now() - lastEventMs < silenceMs) return
    reasons.push(`the run reported nothing for ${Math.round(silenceMs / 60_000)} minutes`)
    hung.abort()
  }, SILENCE_POLL_MS)

  const results = collectResults(groups, programs.paths)
  stream.on('test:pass', (event) => results.pass(event))
  stream.on('test:fail', (event) => results.fail(event))
  stream.on('test:diagnostic', (event) => results.output(event))
  stream.on('test:stderr', (event) => results.output(event))
  let counts: Readonly<Record<string, number>> | null = null
  for (const event of ['test:dequeue', 'test:complete'] as const)
    stream.on(event, () => (lastEventMs = performance.now()))
  stream.on('test:summary', ({ file, counts: found, success, duration_ms }) => {
    if (file !== undefined) return
    counts = { ...found, duration_ms }
    if (!success) reasons.push('a test failed')
  })
  const reporter = stream.compose(new spec())
  reporter.pipe(process.stdout)
  try {
    await new Promise<void>((resolve, reject) => reporter.once('end', resolve).once('error', reject))
  } finally {
    clearInterval(silenceCheck)
    programs.remove()
  }
  const isComplete = counts !== null && !options.signal.aborted
  return {
    ...toOutcome(counts, [...reasons, ...results.toReasons()]),
    failedFiles: isComplete ? results.toFailed() : null,
  }
}

function toOutcome(
  counts: Readonly<Record<string, number>> | null,
  reasons: string[],
): Omit<Outcome, 'failedFiles'> {
  if (counts === null) reasons.push('node ended before it had counted the tests')
  else if ((counts['tests'] ?? 0) === 0) reasons.push('no test ran')
  return {
    failures: reasons.map((reason) => ({ part: 'tests', reason })),
    summary: Object.entries(counts ?? {}).map(([name, count]) => `ℹ ${name} ${count}`),
  }
}
