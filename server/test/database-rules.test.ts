import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '../..')
const MIGRATIONS = path.join(ROOT, 'server/migrations')

/** For each function that still exists, the last migration that defines it. */
function findDefinitions(): Record<string, string> {
  const definedIn = new Map<string, string>()
  for (const name of readdirSync(MIGRATIONS).toSorted()) {
    const sql = readFileSync(path.join(MIGRATIONS, name), 'utf8')
    for (const [, dropped = ''] of sql.matchAll(/drop function (?:if exists )?(\w+)/g))
      definedIn.delete(dropped)
    for (const [, created = ''] of sql.matchAll(/create (?:or replace )?function (\w+)\(/g))
      definedIn.set(created, name)
  }
  return Object.fromEntries(definedIn)
}

test('CONTRIBUTING names every database function and the last migration that defines it', () => {
  const text = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = text.split('### Rules in the database')
  const rows = section.split('\n#')[0]!.matchAll(/^\|[^|]*\|([^|]*)\| `(\d{4}_\w+\.sql)` \|$/gm)
  const listed = [...rows].flatMap(([, functions = '', migration = '']) =>
    [...functions.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, migration] as const),
  )
  assert.deepEqual(Object.fromEntries(listed), findDefinitions())
})
