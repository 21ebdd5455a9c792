import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMigrations } from './migrations.ts'
import { sourceFile } from './source-file.ts'

const GOOD = "-- Payments need a home.\nset local lock_timeout = '2s';\ncreate table payment (id uuid);\n"

function check(migrations: Record<string, string>, runner = ''): string[] {
  return checkMigrations([
    ...Object.entries(migrations).map(([name, text]) => sourceFile(`server/migrations/${name}`, text)),
    sourceFile('server/src/db/migrate.ts', runner),
  ]).map(({ file, text }) => `${file.slice('server/migrations/'.length)} ${text}`)
}

test('numbered migrations that say why and limit their locks pass', () => {
  assert.deepEqual(check({ '0001_payments.sql': GOOD, '0002_more_payments.sql': GOOD }), [])
})

test('a gap, a double number and an odd name are found', () => {
  const due = 'was due here, without a gap or a double'
  assert.deepEqual(check({ '0001_a.sql': GOOD, '0003_c.sql': GOOD }), [`0003_c.sql number 0002 ${due}`])
  assert.deepEqual(check({ '0001_a.sql': GOOD, '0001_b.sql': GOOD }), [`0001_b.sql number 0002 ${due}`])
  assert.deepEqual(check({ 'first.sql': GOOD }), ['first.sql a migration is called 0001_what_changes.sql'])
})

test('a migration that does not begin with its reason is found', () => {
  assert.deepEqual(check({ '0001_a.sql': `\n${GOOD}` }), ['0001_a.sql the first line says why: -- …'])
  assert.deepEqual(check({ '0001_a.sql': `--\n${GOOD}` }), ['0001_a.sql the first line says why: -- …'])
})

test('a migration without a lock time-out is found, unless the runner sets one for all', () => {
  const careless = { '0001_a.sql': '-- Sets no lock_timeout.\n-- set local lock_timeout\nselect 1;\n' }
  assert.deepEqual(check(careless), ["0001_a.sql set local lock_timeout = '…' is missing"])
  assert.deepEqual(check(careless, "tx.query(`set local lock_timeout = '2s'`)"), [])
  assert.equal(check(careless, '// set local lock_timeout').length, 1)
})
