// Migrations must be numbered without gaps, say why they exist, and limit their wait for a lock. While a migration waits
// for a slow query, later queries of the same table wait for the migration. An additive migration may contain nothing
// that breaks the previous release or blocks its writes.
import {
  findConcurrentIndex,
  findMarker,
  toStatements,
  UNMARKED_VERSION_MAX,
} from '../../src/db/migration-file.ts'
import { baseName, inFolder, isTest } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

const NAME = /^(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/
const LOCK_TIMEOUT = /\bset\s+(?:local\s+)?lock_timeout\b|\bset_config\(\s*'lock_timeout'/i

export function checkMigrations(files: readonly SourceFile[]): Finding[] {
  const runnerLimits = files.some(
    ({ path, tokens }) =>
      /^server\/src\/db\/migrat[^/]*\.ts$/.test(path) &&
      !isTest(path) &&
      tokens.some(({ kind, text }) => (kind === 'string' || kind === 'template') && LOCK_TIMEOUT.test(text)),
  )
  const migrations = files
    .filter(({ path }) => inFolder(path, 'server/migrations'))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return migrations.flatMap(({ path, text }, index) => {
    const number = NAME.exec(baseName(path))?.[1]
    const expected = String(index + 1).padStart(4, '0')
    const wrong: string[] = []
    if (number === undefined) wrong.push('a migration is called 0001_what_changes.sql')
    else if (number !== expected) wrong.push(`number ${expected} is expected here`)
    if (!/^--[ \t]*\p{L}[^\n]*\p{L}/u.test(text)) wrong.push('the first line says why: -- …')
    if (!runnerLimits && !LOCK_TIMEOUT.test(text.replace(/--[^\n]*/g, '')))
      wrong.push("set local lock_timeout = '…' is missing")
    if (Number(number) > UNMARKED_VERSION_MAX) wrong.push(...checkMarker(text))
    return wrong.map((reason) => ({ file: path, line: 1, text: reason }))
  })
}

const MARKERS = '"-- additive", "-- additive, without a transaction" or "-- not additive: reason"'

const NOT_ADDITIVE: [what: string, pattern: RegExp][] = [
  ['drops what the previous release uses', /\bdrop (?:table|column)\b/],
  ['changes the type of a column', /\balter column \S+ (?:set data )?type\b/],
  ['refuses rows that the previous release writes (set not null)', /\bset not null\b/],
  ['renames what the previous release uses', /\brename\b/],
  [
    'refuses rows that the previous release writes (not null without a default)',
    /\badd column (?!.*\b(?:default|generated)\b).*\bnot null\b/,
  ],
]

function checkMarker(text: string): string[] {
  const marker = findMarker(text)
  if (marker === null) return [`line 2 must be ${MARKERS}`]
  if (!marker.additive) return []
  const statements = toStatements(text.toLowerCase()).map((one) => one.replace(/\s+/g, ' '))
  if (!marker.inTransaction) {
    const others = statements.filter((one) => findConcurrentIndex(one) === null)
    return others.map(
      (one) => `this is not "create index concurrently if not exists name …": ${one.slice(0, 60)}`,
    )
  }
  const newTables = new Set(
    statements.map((one) => /^create table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? null),
  )
  return statements.flatMap((one) => {
    // A statement is split into its actions at their first words, because an action may contain commas.
    const actions = one.split(/, (?=(?:add|alter|drop|rename) )/)
    const wrong = NOT_ADDITIVE.filter(([, pattern]) => actions.some((action) => pattern.test(action)))
    const indexed = /^create (?:unique )?index .*?\bon (?:only )?(\w+)/.exec(one)?.[1]
    return [
      ...wrong.map(([what]) => `additive, but ${what}`),
      ...(indexed !== undefined && !newTables.has(indexed)
        ? [
            `additive, but stops writes to ${indexed} while it builds an index; build it without a transaction`,
          ]
        : []),
    ]
  })
}
