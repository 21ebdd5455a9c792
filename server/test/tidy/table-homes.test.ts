import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceFile } from './source-file.ts'
import { checkTableHomes } from './table-homes.ts'

const homes = { projects: 'projects', payments: 'transactions transaction_counts' }

function check(path: string, text: string, joins: { file: string; tables: string; why: string }[] = []) {
  return checkTableHomes([sourceFile(path, text)], { homes, joins }).map(({ line, text }) => [line, text])
}

const STORE = 'server/src/checkout/shown-store.ts'
const REFUSED = 'the table projects belongs to server/src/projects: call a function of the store there'

test('every kind of statement that names a table outside its home folder is found', () => {
  for (const sql of [
    "'select id from projects where id = $1'",
    "'SELECT 1 FROM projects'",
    "'select 1 from given g join projects p on p.id = g.id'",
    "'select 1 from given join projects on true'",
    "'insert into projects (id) values ($1)'",
    "'update projects set name = $2'",
    "'delete from projects where id = $1'",
    "'delete from a using projects p where p.id = a.id'",
    "'select 1 from given g, projects p'",
    "'lock table projects in share mode'",
    '`select 1 from ${lanes} cross join projects p`',
    "'projects p cross join lateral (select 1) as one'",
  ])
    assert.deepEqual(check(STORE, `\nconst A = ${sql}`), [[2, REFUSED]], sql)
})

test('in a statement of several lines, the finding has the line that names the table', () => {
  assert.deepEqual(check(STORE, '`select 1\n  from projects p`'), [[2, REFUSED]])
})

test('the home folder and tests may name the table, and the same word may be a column or part of a statement name', () => {
  assert.deepEqual(check('server/src/projects/projects-store.ts', "'select 1 from projects'"), [])
  assert.deepEqual(check('server/src/checkout/a.test.ts', "'select 1 from projects'"), [])
  for (const text of ["'projects.find'", "'select projects from given'", "'projects'", '// from projects'])
    assert.deepEqual(check(STORE, text), [], text)
})

test('a listed join may name the table, and an unused entry of the list is found', () => {
  const joins = [{ file: 'checkout/shown-store.ts', tables: 'projects', why: 'one statement' }]
  assert.deepEqual(check(STORE, "'select 1 from projects'", joins), [])
  assert.deepEqual(check(STORE, "'select 1'", joins), [
    [1, 'server/src/checkout/shown-store.ts does not name projects any more: remove projects from JOINS'],
  ])
})

test('a migration that creates a table without a home is found', () => {
  assert.deepEqual(check('server/migrations/0099_a.sql', '-- why\ncreate table payers (id text)'), [
    [2, 'the table payers has no home: add it to HOMES in server/test/tidy/table-homes.ts'],
  ])
})
