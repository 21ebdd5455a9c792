import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GateClosedError } from '../db/gate-view.ts'
import { ServiceError } from '../lib/service-error.ts'
import {
  parseFlags,
  toCell,
  toDatabaseRefusal,
  toHelp,
  toPrinted,
  toTable,
  toUnavailableRefusal,
  UsageError,
} from './command.ts'
import { verify } from './verify.ts'

const isUsage = (error: unknown) => error instanceof UsageError

test('text from other systems is cut, and shown without control characters', () => {
  assert.equal(toCell(null), '-')
  assert.equal(toCell('a\u001b[2Jb\nc\u2028d'), 'a?[2Jb?c?d')
  assert.equal(toCell('šč€'.repeat(2), 6), 'šč€šč€')
  assert.equal(toCell('1234567', 6), '12345…')
  assert.equal(toCell('x'.repeat(41)).length, 40)
  assert.equal(
    toTable([
      ['a', 'bb', ''],
      ['ccc', 'd', 'e'],
    ]),
    'a    bb\nccc  d   e',
  )
})

test('an unknown flag is refused with the usage, and the help has usage, summary and details', () => {
  assert.throws(() => parseFlags('x', ['--nonsense'], {}), isUsage)
  assert.deepEqual(parseFlags('x', ['a', '--yes'], { yes: { type: 'boolean' } }).positionals, ['a'])
  assert.equal(
    toHelp({ ...verify, details: 'More.' }),
    `Usage: npm run pazar -- verify <email>\n${verify.summary}\n\nMore.`,
  )
  assert.deepEqual(toPrinted('done'), { text: 'done', exitCode: 0 })
})

test('an error of the connection becomes a sentence without the address of the database', () => {
  const toFailure = (code: string) => Object.assign(new Error('postgres://pazar:secret@db'), { code })
  const expected = 'The database cannot be used (ECONNREFUSED). To find out why: npm run pazar -- doctor'
  assert.equal(toDatabaseRefusal(toFailure('ECONNREFUSED'))?.message, expected)
  assert.equal(toDatabaseRefusal(new AggregateError([toFailure('ECONNREFUSED')]))?.message, expected)
  for (const code of ['28P01', '3D000', '57P03', '53300', '42501', '55000', 'ENOTFOUND'])
    assert.match(toDatabaseRefusal(toFailure(code))?.message ?? '', new RegExp(`\\(${code}\\)`))
  for (const code of ['23505', '42P01', '']) assert.equal(toDatabaseRefusal(toFailure(code)), null)
  assert.equal(toDatabaseRefusal('a text'), null)
})

test('toUnavailableRefusal returns a sentence if payments are stopped or the database is unavailable, and null for other errors', () => {
  assert.match(toUnavailableRefusal(new GateClosedError())!.message, /^Payments are stopped after a restore/)
  const lost = new ServiceError('unavailable', { log: 'database: 57P01' })
  assert.equal(
    toUnavailableRefusal(lost)?.message,
    'The command could not finish (database: 57P01). Check what was done, then run it again.',
  )
  for (const other of [new ServiceError('not_found'), new Error('unavailable'), 'unavailable'])
    assert.equal(toUnavailableRefusal(other), null)
})
