// A hash of the sources of a build. If the hash has not changed, the build is up to date.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const STAMP = 'sources.txt'

export function hashSources(root: string, patterns: readonly string[]): string {
  const hash = createHash('sha256')
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
  for (const file of files.sort())
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}

export function readStamp(dist: string): string | null {
  try {
    return readFileSync(path.join(dist, STAMP), 'utf8')
  } catch {
    return null
  }
}
