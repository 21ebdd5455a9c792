// Migrations run in the order of their numbers, say why they exist, and wait for a lock only so long: a migration that
// queues behind one slow query makes every later query queue behind itself.
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
    else if (number !== expected) wrong.push(`number ${expected} was due here, without a gap or a double`)
    if (!/^--[ \t]*\p{L}[^\n]*\p{L}/u.test(text)) wrong.push('the first line says why: -- …')
    if (!runnerLimits && !LOCK_TIMEOUT.test(text.replace(/--[^\n]*/g, '')))
      wrong.push("set local lock_timeout = '…' is missing")
    return wrong.map((reason) => ({ file: path, line: 1, text: reason }))
  })
}
