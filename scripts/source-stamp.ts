// A stamp of the sources that something was built from. If it has not changed, nothing needs to be built again.
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
    return null // Nothing was built yet; why the file cannot be read does not matter.
  }
}
