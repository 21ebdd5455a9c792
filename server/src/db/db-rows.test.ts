import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { ServiceError } from '../lib/service-error.ts'
import { ConnectionLostError, NoConnectionError } from './connection.ts'
import { listActiveLoops, saveHeartbeats } from './heartbeats-store.ts'
import { changeCurrency, lockInstallation, readInstallation, replaceCurrency } from './installation-store.ts'
import { findConcurrentIndex, findMarker, toStatements } from './migration-file.ts'
import { isLost, isOutcomeUnknown, isUniqueViolation, openDb } from './pool.ts'

const database = await createTestDatabase()
const db = openDb(database.url, { onError: () => undefined })
after(async () => {
  await db.close()
  await database.drop()
})

test('only loops that finished a step within the given seconds are listed', async () => {
  await saveHeartbeats(db, ['delivery', 'reconcile'])
  await rows(
    db,
    `update loop_heartbeats set beat_at = now() - interval '100 seconds' where loop = 'reconcile'`,
  )
  assert.deepEqual(await listActiveLoops(db, 60), ['delivery'])
  assert.deepEqual((await listActiveLoops(db, 120)).toSorted(), ['delivery', 'reconcile'])
  await saveHeartbeats(db, ['reconcile'])
  assert.deepEqual((await listActiveLoops(db, 60)).toSorted(), ['delivery', 'reconcile'])
  await saveHeartbeats(db, [])
  assert.equal((await rows(db, 'select from loop_heartbeats')).length, 2)
})

const EUR = { currency: 'EUR', scale: 2 }
const JPY = { currency: 'JPY', scale: 0 }

test('readInstallation records the first currency and scale, and never replaces them', async () => {
  const first = await readInstallation(db, EUR)
  assert.deepEqual([first.currency, first.scale, first.scaleOfOldPayments], ['EUR', 2, 2])
  assert.equal(first.currencyChangedAt, null)
  assert.deepEqual(await readInstallation(db, JPY), first)
})

test('replaceCurrency replaces the recorded currency, the scale and the scale of old payments', async () => {
  await replaceCurrency(db, JPY)
  const { currency, scale, scaleOfOldPayments, currencyChangedAt } = await readInstallation(db, EUR)
  assert.deepEqual([currency, scale, scaleOfOldPayments, currencyChangedAt], ['JPY', 0, 0, null])
  await replaceCurrency(db, EUR)
})

test('a change of currency or scale is recorded with its time, and old amounts keep their scale', async () => {
  assert.equal(await changeCurrency(db, EUR), false, 'nothing changes')
  assert.equal((await readInstallation(db, EUR)).currencyChangedAt, null)
  assert.equal(await changeCurrency(db, { currency: 'EUR', scale: 0 }), true, 'another scale')
  assert.equal(await changeCurrency(db, { currency: 'USD', scale: 0 }), true, 'another currency')
  const now = await readInstallation(db, EUR)
  assert.deepEqual([now.currency, now.scale, now.scaleOfOldPayments], ['USD', 0, 2])
  assert.ok(now.currencyChangedAt instanceof Date)
  assert.deepEqual(await db.transaction(lockInstallation), { currency: 'USD', scale: 0 })
})

test('a second change of the currency waits until the first has ended', async () => {
  let isSecondLocked = false
  const second: Promise<void>[] = []
  await db.transaction(async (tx) => {
    await lockInstallation(tx)
    second.push(
      db.transaction(async (later) => {
        await lockInstallation(later)
        isSecondLocked = true
      }),
    )
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await until(async () => (await rows(db, isWaiting)).length > 0, 'the second change waits')
    assert.equal(isSecondLocked, false)
  })
  await Promise.all(second)
  assert.equal(isSecondLocked, true)
})

test('every connection has time limits, avoids table scans and does not use JIT', async () => {
  const show = async (name: string) =>
    (await rows<{ value: string }>(db, `select current_setting('${name}') as value`))[0]!.value
  assert.equal(await show('statement_timeout'), '5s')
  assert.equal(await show('lock_timeout'), '2s')
  assert.equal(await show('idle_in_transaction_session_timeout'), '10s')
  for (const name of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'])
    assert.equal(await show(name), 'off', name)
})

test('64-bit numbers are read exactly', async () => {
  const [row] = await rows<{ n: unknown }>(db, 'select 9007199254740993::bigint as n')
  assert.equal(row!.n, 9007199254740993n)
})

const unavailable = (cause: unknown) => new ServiceError('unavailable', { cause })
const withCode = (code: string) => Object.assign(new Error(code), { code })

test('only a lost connection leaves the outcome of a statement unknown', () => {
  assert.equal(isOutcomeUnknown(unavailable(new ConnectionLostError('gone'))), true)
  assert.equal(isOutcomeUnknown(new ConnectionLostError('gone')), true)
  assert.equal(isOutcomeUnknown(unavailable(new NoConnectionError('refused'))), false)
  // A statement that the server cancelled at its timeout.
  assert.equal(isOutcomeUnknown(unavailable(withCode('57014'))), false)
  assert.equal(isOutcomeUnknown(unavailable(withCode('08P01'))), true)
  assert.equal(isOutcomeUnknown(new Error('a bug')), false)
})

test('the database counts as lost after a broken connection or shutdown, but not after a deadlock or timeout', () => {
  // Serialization failure, deadlock, and the timeouts of locks, statements and idle transactions.
  for (const code of ['40001', '40P01', '55P03', '57014', '25P03'])
    assert.equal(isLost(unavailable(withCode(code))), false, code)
  // Connection failure, shutdown, read-only server and too many connections.
  for (const code of ['08006', '57P01', '25006', '53300'])
    assert.equal(isLost(unavailable(withCode(code))), true)
  assert.equal(isLost(unavailable(new ConnectionLostError('gone'))), true)
  assert.equal(isLost(withCode('08006')), false, 'this error is not "unavailable"')
})

test('a unique violation is recognized by its constraint', () => {
  const violation = Object.assign(withCode('23505'), { constraint: 'orders' })
  assert.equal(isUniqueViolation(violation, 'orders'), true)
  assert.equal(isUniqueViolation(violation, 'others'), false)
  assert.equal(isUniqueViolation(Object.assign(withCode('23503'), { constraint: 'orders' }), 'orders'), false)
})

test('only a valid marker in the second line of a migration is recognized', () => {
  const findIn = (line: string) => findMarker(`-- why\n${line}\nselect 1`)
  assert.deepEqual(findIn('-- additive'), { additive: true, inTransaction: true })
  assert.deepEqual(findIn('-- additive, without a transaction'), { additive: true, inTransaction: false })
  assert.deepEqual(findIn('-- not additive: a column is dropped'), { additive: false, inTransaction: true })
  for (const line of ['', '-- not additive:', '-- additive?', 'select 1; -- additive'])
    assert.equal(findIn(line), null, line)
  assert.equal(findMarker('-- additive\nselect 1'), null, 'a marker on the first line does not count')
})

test('a migration without a transaction is split into its statements, and concurrent index builds are recognized', () => {
  const sql = `-- why; really\n-- additive, without a transaction\ncreate index concurrently if not exists a on t (x);\n
    drop index concurrently if exists b; -- done\n`
  const [build, drop, ...more] = toStatements(sql)
  assert.deepEqual(more, [])
  assert.equal(findConcurrentIndex(build!), 'a')
  assert.equal(findConcurrentIndex(drop!), null)
  assert.equal(findConcurrentIndex('CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS c ON t (x)'), 'c')
  assert.equal(findConcurrentIndex('create index if not exists d on t (x)'), null)
})
