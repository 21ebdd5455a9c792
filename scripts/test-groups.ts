// Puts test files that need no process for themselves together: loading the service takes longer than most of their tests.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from './test-files.ts'

/** Few enough that the cores finish at about the same time, many enough that the loading no longer counts. */
const FILES_PER_GROUP_MAX = 12

/** The tests in these folders start services, browsers and databases, or wait for a long time. */
const ALONE = /^(?:server\/test|server\/src\/(?:db|streams)|sdk\/test|cli\/test|examples)\//

/**
 * Found in the text of a file that replaces a global function or the timers, which other files in the same process
 * would see.
 */
const REPLACES_GLOBALS =
  /\bmock\.timers\b|\bmock\.method\(\s*(?:globalThis|performance|process)\b|\bglobalThis\.\w+ = /

/** These files are exceptions: they do not need a separate process. */
const TOGETHER = [
  /^server\/test\/(?:tidy|exam)\//,
  /^server\/test\/(?:currency-change|lowered-amount|odd-times|openapi|routes)\.test\.ts$/,
  /^server\/test\/(?:stripe-trip|tidy|token-routes|upstream-switch)\.test\.ts$/,
  /^server\/test\/callbacks\/url-corpus\.test\.ts$/,
]

/** Neighbours in `files` share a group. A file that runs alone is a group by itself. */
export function toGroups(files: readonly string[]): string[][] {
  const alone = files.filter(isAlone).map((file) => [file])
  const rest = files.filter((file) => !isAlone(file))
  const count = Math.ceil(rest.length / FILES_PER_GROUP_MAX)
  const size = Math.ceil(rest.length / count)
  const groups = Array.from({ length: count }, (_, n) => rest.slice(n * size, (n + 1) * size))
  return [...alone, ...groups.filter((group) => group.length > 0)]
}

function isAlone(file: string): boolean {
  if (REPLACES_GLOBALS.test(readFileSync(path.join(ROOT, file), 'utf8'))) return true
  return ALONE.test(file) && !TOGETHER.some((pattern) => pattern.test(file))
}

export interface Programs {
  /** The files that node runs, each in a separate process. */
  paths: string[]
  remove(): void
}

/** A file that runs alone is a program already. For each other group a program is written. */
export function writePrograms(groups: readonly (readonly string[])[]): Programs {
  const dir = mkdtempSync(path.join(tmpdir(), 'pazar-tests-'))
  const runner = JSON.stringify(path.join(ROOT, 'scripts/test-group.ts'))
  const paths = groups.map((group, n) => {
    const [only = ''] = group
    if (group.length === 1) return path.join(ROOT, only)
    const program = path.join(dir, `group-${n + 1}.mjs`)
    writeFileSync(program, `import { runGroup } from ${runner}\nawait runGroup(${JSON.stringify(group)})\n`)
    return program
  })
  return { paths, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
