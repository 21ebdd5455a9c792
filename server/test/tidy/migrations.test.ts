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

test('numbered migrations that say why and limit their wait for locks are allowed', () => {
  assert.deepEqual(check({ '0001_payments.sql': GOOD, '0002_more_payments.sql': GOOD }), [])
})

test('a gap, a repeated number and a wrong name are found', () => {
  const expectedHere = 'is expected here'
  assert.deepEqual(check({ '0001_a.sql': GOOD, '0003_c.sql': GOOD }), [
    `0003_c.sql number 0002 ${expectedHere}`,
  ])
  assert.deepEqual(check({ '0001_a.sql': GOOD, '0001_b.sql': GOOD }), [
    `0001_b.sql number 0002 ${expectedHere}`,
  ])
  assert.deepEqual(check({ 'first.sql': GOOD }), ['first.sql a migration is called 0001_what_changes.sql'])
})

test('a migration whose first line does not give its reason is found', () => {
  assert.deepEqual(check({ '0001_a.sql': `\n${GOOD}` }), ['0001_a.sql the first line says why: -- …'])
  assert.deepEqual(check({ '0001_a.sql': `--\n${GOOD}` }), ['0001_a.sql the first line says why: -- …'])
})

test('a migration without a lock timeout is found, unless the runner sets one for all', () => {
  const withoutTimeout = { '0001_a.sql': '-- Sets no lock_timeout.\n-- set local lock_timeout\nselect 1;\n' }
  assert.deepEqual(check(withoutTimeout), ["0001_a.sql set local lock_timeout = '…' is missing"])
  assert.deepEqual(check(withoutTimeout, "tx.query(`set local lock_timeout = '2s'`)"), [])
  assert.equal(check(withoutTimeout, '// set local lock_timeout').length, 1)
})

/** The findings in migration 0014, the first one that needs a marker. */
function checkLast(text: string): string[] {
  const earlier = Array.from({ length: 13 }, (_, n) => [`${String(n + 1).padStart(4, '0')}_a.sql`, GOOD])
  return check({ ...Object.fromEntries(earlier), '0014_b.sql': text }, "tx.query(`set lock_timeout = '2s'`)")
}

test('from 0014 on, the second line must say whether the previous release can run after the migration', () => {
  for (const marker of ['additive', 'not additive: drops the old totals'])
    assert.deepEqual(checkLast(`-- Why it is.\n-- ${marker}\nselect 1;\n`), [])
  for (const marker of ['', '-- not additive', '-- not additive: ', '-- additive?', '-- Additive'])
    assert.match(checkLast(`-- Why it is.\n${marker}\nselect 1;\n`).join(), /line 2 must be/)
})

const HARMLESS = `create table notes (id uuid, text text not null);
  create index notes_by_text on notes (text);
  alter table payments add column note text, add column kind text not null default 'a', alter column kind drop default;
  alter table payments add column tag text, add column size int generated always as (amount * 2) stored not null;
  -- alter table payments drop column state
  alter table payments drop constraint known_kinds, add constraint known_kinds check (kind in ('a', 'b'));`

test('a statement that breaks the previous release is found, unless the migration is marked as not additive', () => {
  assert.deepEqual(checkLast(`-- Why it is.\n-- additive\n${HARMLESS}\n`), [])
  const harmful: [sql: string, reason: RegExp][] = [
    ['drop table payments', /drops/],
    ['alter table payments add column a int, drop column b', /drops/],
    ['alter table payments alter column amount type numeric', /type/],
    ['alter table payments alter column amount set data type numeric', /type/],
    ['alter table payments alter column amount set not null', /set not null/],
    ['alter table payments rename column amount to total', /renames/],
    ['alter table payments add column a text not null', /without a default/],
    ["alter table payments add column a text not null, add column b text default ''", /without a default/],
    ['create index payments_by_amount on payments (amount)', /stops writes to payments/],
    ['create unique index on payments (amount)', /stops writes to payments/],
  ]
  for (const [sql, reason] of harmful) {
    const found = checkLast(`-- Why it is.\n-- additive\n${sql};\n`)
    assert.equal(found.length, 1, sql)
    assert.match(found[0]!, reason)
    assert.deepEqual(checkLast(`-- Why it is.\n-- not additive: it has to be\n${sql};\n`), [])
  }
})

test('a migration without a transaction may contain only "create index concurrently if not exists"', () => {
  const marker = '-- Why it is.\n-- additive, without a transaction\n'
  assert.deepEqual(
    checkLast(`${marker}-- Why; and how.\ncreate index concurrently if not exists a on b (c);\n`),
    [],
  )
  for (const sql of [
    'create index concurrently a on b (c)',
    'alter table b add column c int',
    'update b set c = 1',
  ])
    assert.match(checkLast(`${marker}${sql};\n`).join(), /create index concurrently if not exists/)
})
