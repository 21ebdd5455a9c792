// Groups test files into processes, because loading the service takes longer than most tests.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from './test-files.ts'

/** With more files per group, the cores would not finish at the same time. */
const FILES_PER_GROUP_MAX = 32

const SLOW_FOLDERS = /^(?:server\/test|server\/src\/(?:db|streams)|sdk\/test|cli\/test|examples)\//
const SLOW_FILES_PER_GROUP_MAX = 5

/** The quick files in the slow folders. */
const QUICK_FILES = [
  /^server\/test\/(?:tidy|exam)\//,
  /^server\/test\/(?:currency-change|lent-database|lowered-amount|odd-times|openapi|routes)\.test\.ts$/,
  /^server\/test\/(?:stripe-trip|tidy|token-routes|upstream-switch)\.test\.ts$/,
  /^server\/test\/callbacks\/url-corpus\.test\.ts$/,
  /^server\/test\/portal\/check-url\.test\.ts$/,
]

/** The first file takes the longest. The second measures memory. The third uses most routes of the portal. */
const RUNS_ALONE =
  /^(?:examples\/verify\/samples|server\/test\/callbacks\/bad-merchants|server\/test\/portal\/journeys)\.test\.ts$/

/** A file with one of these replacements runs alone, because other files in the process would see the replacement. */
const REPLACES_GLOBALS =
  /\bmock\.timers\b|\bmock\.method\(\s*(?:globalThis|performance|process)\b|\bglobalThis\.\w+ = /

/**
 * The files of a group may share a service. A file that refunds payments of the demo is therefore not in a group with a file
 * that counts these payments.
 */
const BROWSER_GROUPS = [
  /^server\/test\/portal\/(?:budget|every-page|phone-and-paper|secrets|stats)\.test\.ts$/,
  /^server\/test\/portal\/(?:addresses|callback-events|interruptions|reloads|stale-state|stated-facts|two-tabs)\.test\.ts$/,
  /^server\/test\/portal\/(?:dialogs|disputes|late-responses|list-filters|lost-responses|repeated-actions|settings-forms)\.test\.ts$/,
  /^server\/test\/portal\/(?:code-samples|commands-and-print|demo-refund|first-shop|live-log|refund|test-callback)\.test\.ts$/,
  /^server\/test\/browser\//,
]

/** The groups in the order in which they start. */
export function toGroups(files: readonly string[]): string[][] {
  const alone = files.filter((file) => RUNS_ALONE.test(file))
  const replacing = files.filter((file) => !alone.includes(file) && replacesGlobals(file))
  const others = files.filter((file) => !alone.includes(file) && !replacing.includes(file))
  const inBrowser = BROWSER_GROUPS.map((pattern) => others.filter((file) => pattern.test(file)))
  const rest = others.filter((file) => !inBrowser.flat().includes(file))
  const busy = [...split(alone.filter(isInBrowser), 1), ...inBrowser]
  const waiting = [
    ...split(
      alone.filter((file) => !isInBrowser(file)),
      1,
    ),
    ...split(rest.filter(isSlow), SLOW_FILES_PER_GROUP_MAX),
  ]
  const quick = rest.filter((file) => !isSlow(file))
  const groups = [...interleave(busy, waiting), ...split(replacing, 1), ...split(quick, FILES_PER_GROUP_MAX)]
  return groups.filter(({ length }) => length > 0)
}

/** Returns all groups, with the groups of `waiting` spread evenly between the browser groups of `busy`. */
function interleave(busy: readonly string[][], waiting: readonly string[][]): string[][] {
  const [first = [], ...others] = busy
  const length = Math.ceil(waiting.length / (busy.length + 1))
  const inTurn = others.flatMap((group, n) => [group, ...waiting.slice(n * length, (n + 1) * length)])
  return [first, ...inTurn, ...waiting.slice(others.length * length)]
}

function isInBrowser(file: string): boolean {
  return file.startsWith('server/test/portal/')
}

function replacesGlobals(file: string): boolean {
  return REPLACES_GLOBALS.test(readFileSync(path.join(ROOT, file), 'utf8'))
}

function isSlow(file: string): boolean {
  return SLOW_FOLDERS.test(file) && !QUICK_FILES.some((pattern) => pattern.test(file))
}

/** Splits the files into parts of about the same length. */
function split(files: readonly string[], lengthMax: number): string[][] {
  const count = Math.ceil(files.length / lengthMax)
  const length = Math.ceil(files.length / count)
  return Array.from({ length: count }, (_, n) => files.slice(n * length, (n + 1) * length))
}

export interface Programs {
  paths: string[]
  remove(): void
}

/** Writes a program for each group with several files. A single file is already a program. */
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
