// What the events of node's test runner say about each file: which failed, which hold no test, which did not finish.
import path from 'node:path'
import { ROOT } from './test-files.ts'

/** The part of a `test:pass` or `test:fail` event that is read here. */
export interface TestEvent {
  name: string
  nesting: number
  file?: string | undefined
  todo?: string | boolean | undefined
}

export interface SeenFiles {
  pass(event: TestEvent): void
  fail(event: TestEvent): void
  toReasons(): string[]
}

/** Node reports one process after the other, so the tests of a file in a group come directly before its suite. */
export function watchFiles(groups: readonly (readonly string[])[]): SeenFiles {
  const files = new Set(groups.flat())
  const unseen = new Set(groups.filter(({ length }) => length > 1).flat())
  const empty = new Set<string>()
  const failed = new Set<string>()
  let testsInside = 0

  /** A file with a test has other names at the top: those of its tests, unless it is a suite of a group. */
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
      if (event.nesting === 0 && isFailure) failed.add(toFailedFile(event, files))
      end(event, isFailure)
    },
    toReasons: () => [
      ...[...failed].map((file) => `${file} failed`),
      ...[...empty].map((file) => `${file} holds no test`),
      ...[...unseen].map((file) => `${file} did not finish`),
    ],
  }
}

function toFailedFile({ name, file = name }: TestEvent, files: ReadonlySet<string>): string {
  return files.has(name) ? name : path.relative(ROOT, file)
}
