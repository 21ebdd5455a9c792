// Finds files that failed, have no test or did not finish, from the events of node's test runner.
import path from 'node:path'
import { ROOT } from './test-files.ts'

export interface TestEvent {
  name: string
  nesting: number
  file?: string | undefined
  /** The file that node ran. `file` is the file that defines the test. */
  entryFile?: string | undefined
  todo?: string | boolean | undefined
}

interface FailEvent extends TestEvent {
  details?: { error?: Error & { exitCode?: unknown; signal?: unknown } }
}

export interface OutputEvent {
  message: string
  file?: string | undefined
  entryFile?: string | undefined
}

export interface FileResults {
  pass(event: TestEvent): void
  fail(event: FailEvent): void
  output(event: OutputEvent): void
  /** The files that failed. Null if another file has no test or did not finish. */
  toFailed(): string[] | null
  toReasons(): string[]
}

/** Enough for an error with its stack. */
const LINES_SHOWN_MAX = 20

/** Node reports one process after the other. So in a group, a file's tests are reported directly before the file's suite. */
export function collectResults(
  groups: readonly (readonly string[])[],
  programs: readonly string[] = groups.map(([first = '']) => path.join(ROOT, first)),
): FileResults {
  const files = new Set(groups.flat())
  const unseen = new Set(groups.filter(({ length }) => length > 1).flat())
  const empty = new Set<string>()
  const failed = new Set<string>()
  /** Programs that failed outside their tests, for example because of a late rejection. */
  const broken = new Map<string, { names: readonly string[]; end: string }>()
  const outputs = new Map<string, string[]>()
  let testsInside = 0

  /**
   * A top-level event with the name of a file has one of two meanings. In a group, it is the suite of that file. Otherwise
   * the file runs alone, and has no test or fails outside its tests.
   */
  const end = ({ name, nesting }: TestEvent, isFailed: boolean): void => {
    testsInside += 1
    if (nesting > 0) return
    const file = path.relative(ROOT, path.resolve(ROOT, name)).split(path.sep).join('/')
    if (files.has(file) && testsInside === 1 && !isFailed) empty.add(file)
    unseen.delete(file)
    testsInside = 0
  }
  return {
    pass: (event) => end(event, false),
    fail(event) {
      const isFailure = event.todo === undefined || event.todo === false
      const program = programs.indexOf(path.resolve(ROOT, event.name))
      if (event.nesting === 0 && isFailure && program >= 0)
        broken.set(programs[program] ?? '', { names: groups[program] ?? [], end: toEnd(event) })
      else if (event.nesting === 0 && isFailure) failed.add(toFailedFile(event, files))
      end(event, isFailure)
    },
    output({ message, file = '', entryFile = file }) {
      const lines = [...(outputs.get(entryFile) ?? []), ...message.trimEnd().split('\n')]
      outputs.set(entryFile, lines.slice(-LINES_SHOWN_MAX))
    },
    toFailed() {
      const all = new Set([...failed, ...[...broken.values()].flatMap(({ names }) => names)])
      return empty.size === 0 && [...unseen].every((file) => all.has(file)) ? [...all] : null
    },
    toReasons: () => [
      ...[...failed].map((file) => `${file} failed`),
      ...[...broken].map(([program, { names, end }]) =>
        [`${names.join(', ')} failed outside its tests${end}`, ...(outputs.get(program) ?? [])].join('\n  '),
      ),
      ...[...empty].map((file) => `${file} has no test`),
      ...[...unseen].map((file) => `${file} did not finish`),
    ],
  }
}

function toEnd({ details }: FailEvent): string {
  const { exitCode, signal } = details?.error ?? {}
  if (typeof signal === 'string') return ` (${signal})`
  return typeof exitCode === 'number' ? ` (exit code ${exitCode})` : ''
}

function toFailedFile(event: TestEvent, files: ReadonlySet<string>): string {
  const { name, file = name, entryFile = file } = event
  return files.has(name) ? name : path.relative(ROOT, entryFile)
}
