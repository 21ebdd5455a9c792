// Which test files there are, and in which order they run.
import { globSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Slowest first: whoever comes last must be short, or one core has nothing to do meanwhile. */
const SLOW_FOLDERS = [
  'server/test/portal',
  'server/test/browser',
  'server/test/faults',
  'server/test/callbacks',
  'server/test',
  'server/src/db',
  'cli',
  'examples',
  'server/src/payments',
  'server/src',
]

export function findTestFiles(): string[] {
  const exclude = (name: string) => ['node_modules', 'dist', 'data'].includes(path.basename(name))
  return globSync('**/*.test.ts', { cwd: ROOT, exclude }).map(toSlashes).sort()
}

export function isAtOrBelow(file: string, name: string): boolean {
  const from = toSlashes(path.relative(ROOT, path.resolve(name)))
  return from === '' || file === from || file.startsWith(`${from}/`)
}

export function sortSlowFirst(files: readonly string[]): string[] {
  const rank = (file: string) => {
    const index = SLOW_FOLDERS.findIndex((folder) => file.startsWith(`${folder}/`))
    return index < 0 ? SLOW_FOLDERS.length : index
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}

function toSlashes(file: string): string {
  return file.split(path.sep).join('/')
}
