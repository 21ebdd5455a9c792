// Finds and sorts the test files.
import { globSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The tests in these folders use a browser and a service, which together keep two cores busy. */
const BUSY_FOLDERS = ['server/test/portal', 'server/test/browser']

/** Slow tests that mostly wait, for example for killed processes. */
const WAITING_FOLDERS = [
  'server/test/faults',
  'server/test/callbacks',
  'server/src/streams',
  'server/src/db',
  'server/test',
  'examples',
  'cli',
]

export function findTestFiles(): string[] {
  const exclude = (name: string) => ['node_modules', 'dist', 'data'].includes(path.basename(name))
  return globSync('**/*.test.ts', { cwd: ROOT, exclude }).map(toSlashes).sort()
}

export function isAtOrBelow(file: string, name: string): boolean {
  const from = toSlashes(path.relative(ROOT, path.resolve(name)))
  return from === '' || file === from || file.startsWith(`${from}/`)
}

/** Slow files come first, so that no core is idle at the end. Busy and waiting files alternate. */
export function sortSlowFirst(files: readonly string[]): string[] {
  const inFolders = (folders: readonly string[]) =>
    folders.flatMap((folder) => files.filter((file) => file.startsWith(`${folder}/`)))
  const busy = inFolders(BUSY_FOLDERS)
  const waiting = [...new Set(inFolders(WAITING_FOLDERS))].filter((file) => !busy.includes(file))
  const length = Math.max(busy.length, waiting.length)
  const inTurn = Array.from({ length }, (_, n) => [...busy.slice(n, n + 1), ...waiting.slice(n, n + 1)])
  return [...new Set([...inTurn.flat(), ...files])]
}

function toSlashes(file: string): string {
  return file.split(path.sep).join('/')
}
