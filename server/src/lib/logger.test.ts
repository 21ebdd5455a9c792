import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import { openDb } from '../db/pool.ts'
import { createLogger } from './logger.ts'

const database = await createTestDatabase()
const db = openDb(database.url, { onError: (error) => assert.fail(error) })
after(async () => {
  await db.close()
  await database.drop()
})

const CANARY = 'marko.markovic@example.com'

async function catchError(work: () => unknown): Promise<Error> {
  try {
    await work()
  } catch (error) {
    assert.ok(error instanceof Error)
    return error
  }
  return assert.fail('the work did not fail')
}

function readLoggedError(error: unknown): Record<string, string> {
  const lines: string[] = []
  createLogger('info', { out: { write: (line) => lines.push(line) } }).error({ err: error }, 'failed')
  assert.equal(lines.length, 1)
  return (JSON.parse(lines[0]!) as { err: Record<string, string> }).err
}

const QUOTING_ERRORS: [what: string, work: () => unknown][] = [
  ['a value of the wrong type', () => rows(db, 'select $1::text::uuid', [CANARY])],
  ['an invalid time', () => rows(db, 'select $1::text::timestamptz', [CANARY])],
  ['an invalid number', () => rows(db, 'select $1::text::integer', [CANARY])],
  ['text that is not JSON', () => JSON.parse(CANARY) as unknown],
]

for (const [caseName, work] of QUOTING_ERRORS) {
  test(`the error about ${caseName} is logged with its stack, but without the value`, async () => {
    const error = await catchError(work)
    assert.ok(error.stack!.includes(CANARY.slice(0, 10)), 'the error itself quotes the value')
    const facts = readLoggedError(error)
    assert.ok(!JSON.stringify(facts).includes(CANARY.slice(0, 5)), JSON.stringify(facts))
    assert.match(facts['stack']!, /^at /)
  })
}

test('if a row violates a constraint, the log has the column but not the values of the row', async () => {
  const error = await catchError(() =>
    rows(db, `insert into accounts (id, email, password_hash) values (gen_random_uuid(), $1, null)`, [
      CANARY,
    ]),
  )
  assert.ok(JSON.stringify(error).includes(CANARY), 'the error itself quotes the value')
  const facts = readLoggedError(error)
  assert.ok(!JSON.stringify(facts).includes(CANARY))
  assert.deepEqual(facts['code'], '23502')
  assert.match(facts['stack']!, /"email_key"/)
})

test('the message of an error in our SQL is logged', async () => {
  const facts = readLoggedError(await catchError(() => rows(db, 'select no_such_column from accounts')))
  assert.match(facts['stack']!, /column "no_such_column" does not exist/)
})

test('the message of our own error is logged', () => {
  assert.match(readLoggedError(new Error('the thing broke'))['stack']!, /^Error: the thing broke\n/)
})

test('every error inside an AggregateError is logged', () => {
  const both = new AggregateError([new Error('the first'), 'text'], '2 jobs failed')
  const facts: unknown = readLoggedError(both)
  const { errors } = facts as { errors: { type: string; stack?: string }[] }
  assert.deepEqual(
    errors.map(({ type }) => type),
    ['Error', 'string'],
  )
  assert.match(errors[0]!.stack!, /^Error: the first\n/)
})

test('if a string is thrown, only its type is logged', () => {
  assert.deepEqual(readLoggedError('text'), { type: 'string' })
})

test('every log line has the role, host and version of its process', () => {
  const lines: string[] = []
  const base = { role: 'web', host: 'pay-1', version: '1.2.3' }
  createLogger('info', { out: { write: (line) => lines.push(line) }, base }).info({ n: 1 }, 'started')
  assert.partialDeepStrictEqual(JSON.parse(lines[0]!), { ...base, n: 1, msg: 'started' })
})

test('while the reader of the log hangs, lines beyond 16 MB are lost; once the reader continues, new lines are logged', () => {
  const out = {
    waiting: [] as string[],
    writableLength: 0,
    write(line: string) {
      this.waiting.push(line)
      this.writableLength += line.length
    },
  }
  const log = createLogger('info', { out })
  for (let n = 0; n < 20; n += 1) log.info({ text: 'x'.repeat(1024 * 1024) }, 'long')
  assert.equal(out.waiting.length, 16)
  out.writableLength = 0
  log.info('read again')
  assert.match(out.waiting.at(-1)!, /read again/)
})
