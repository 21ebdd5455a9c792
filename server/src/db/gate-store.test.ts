import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { lockGate, readRestoreGate, readTimeline, writeClosed, writeOpen } from './gate-store.ts'
import { openDb } from './pool.ts'
import { createRestoreGate, GateClosedError, requireOpenGate } from './gate-view.ts'

const database = await createTestDatabase()
const db = openDb(database.url, { onError: () => undefined })
after(async () => {
  await db.close()
  await database.drop()
})

const EARLY = new Date('2026-11-16T01:00:00.000Z')
const MIDDLE = new Date('2026-11-16T02:00:00.000Z')
const LATE = new Date('2026-11-16T03:00:00.000Z')

beforeEach(() =>
  rows(
    db,
    `update installation set gate_closed_at = null, gate_reason = null, gate_since = null, restored_at = null, restores = '{}'`,
  ),
)

const close = (since: Date, restoredFrom: string | null = null, reason = 'upstream_ahead') =>
  writeClosed(db, { since, restoredFrom, reason: restoredFrom === null ? reason : 'restored' })
const listRestores = () => rows(db, 'select restores from installation')

test('the first sign of a restore closes the gate, and a later sign changes nothing', async () => {
  const openGate = { closedAt: null, reason: null, since: null, restoredAt: null, restoredFrom: null }
  assert.deepEqual(await readRestoreGate(db), openGate)
  assert.equal(await close(MIDDLE), true)
  const closed = await readRestoreGate(db)
  assert.ok(closed.closedAt && closed.restoredAt)
  assert.deepEqual([closed.reason, closed.since, closed.restoredFrom], ['upstream_ahead', MIDDLE, null])
  for (const since of [EARLY, LATE]) assert.equal(await close(since, null, 'write_lost'), false)
  assert.deepEqual(await readRestoreGate(db), closed)
  assert.deepEqual(await listRestores(), [{ restores: [] }])
})

test('each restore is recorded once, even if the gate is closed already, and the earliest `since` counts', async () => {
  await close(MIDDLE)
  await rows(db, `update installation set restored_at = restored_at - interval '1 hour'`)
  const first = await readRestoreGate(db)
  assert.equal(await close(LATE, 'backup-1'), true)
  const second = await readRestoreGate(db)
  assert.deepEqual(second.closedAt, first.closedAt, 'closedAt is still the time of the first closing')
  assert.ok(second.restoredAt! > first.restoredAt!)
  assert.deepEqual([second.reason, second.since, second.restoredFrom], ['restored', MIDDLE, 'backup-1'])
  assert.equal(await close(EARLY, 'backup-1'), false)
  assert.deepEqual(await readRestoreGate(db), second)
  assert.equal(await close(EARLY, 'backup-2'), true)
  const { since, restoredFrom } = await readRestoreGate(db)
  assert.deepEqual([since, restoredFrom], [EARLY, 'backup-2'])
  assert.deepEqual(await listRestores(), [{ restores: ['backup-1', 'backup-2'] }])
})

test('the gate is not opened if it was closed again after the caller had read it', async () => {
  await close(MIDDLE, 'backup-1')
  const closed = await readRestoreGate(db)
  for (const other of [EARLY, new Date(closed.closedAt!.getTime() + 1)])
    assert.equal(await writeOpen(db, other), false)
  assert.deepEqual(await readRestoreGate(db), closed)
  assert.equal(await writeOpen(db, closed.closedAt!), true)
  const { restoredAt, ...open } = await readRestoreGate(db)
  assert.deepEqual(open, { closedAt: null, reason: null, since: null, restoredFrom: null })
  assert.deepEqual(restoredAt, closed.restoredAt)
  assert.equal(await writeOpen(db, closed.closedAt!), false, 'the gate is open already')
  assert.equal(
    await close(EARLY, 'backup-1'),
    false,
    'a restart with the same setting does not close the gate again',
  )
  assert.equal((await readRestoreGate(db)).closedAt, null)
  assert.equal(await close(LATE), true)
  assert.deepEqual(
    (await readRestoreGate(db)).since,
    LATE,
    'the time of the earlier closing no longer counts',
  )
})

test('a second transaction that locks the gate waits until the first has ended', async () => {
  let isSecondLocked = false
  const second: Promise<void>[] = []
  await db.transaction(async (tx) => {
    await lockGate(tx)
    second.push(
      db.transaction(async (later) => {
        await lockGate(later)
        isSecondLocked = true
      }),
    )
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await until(async () => (await rows(db, isWaiting)).length > 0, 'the second transaction waits')
    assert.equal(isSecondLocked, false)
  })
  await Promise.all(second)
})

test('requireOpenGate reads the gate from the database; the view of a process changes only when the view is refreshed', async () => {
  const gate = await createRestoreGate(db)
  assert.deepEqual([gate.isClosed(), gate.restoredMs()], [false, -Infinity])
  await requireOpenGate(db)
  await close(MIDDLE)
  const { closedAt, restoredAt } = await readRestoreGate(db)
  await assert.rejects(requireOpenGate(db), (error: unknown) => {
    assert.ok(error instanceof GateClosedError)
    assert.deepEqual([error.code, error.retryAfterSec], ['unavailable', 60])
    return true
  })
  assert.equal(gate.isClosed(), false)
  await gate.refresh()
  assert.deepEqual([gate.isClosed(), gate.restoredMs()], [true, restoredAt!.getTime()])
  assert.equal(
    (await createRestoreGate(db)).isClosed(),
    true,
    'a process that starts now finds the gate closed',
  )
  await writeOpen(db, closedAt!)
  await requireOpenGate(db)
  await gate.refresh()
  assert.deepEqual([gate.isClosed(), gate.restoredMs()], [false, restoredAt!.getTime()])
})

test('readTimeline returns different texts for two databases of one server, so a recreated database is noticed', async () => {
  // Another database of the same server plays the part of the recreated database.
  const otherUrl = Object.assign(new URL(database.url), { pathname: '/postgres' }).href
  const otherDb = openDb(otherUrl, { onError: () => undefined })
  const [timeline, otherTimeline] = [await readTimeline(db), await readTimeline(otherDb)]
  await otherDb.close()
  for (const text of [timeline, otherTimeline]) assert.match(text, /^\d+ [0-9A-F]{8}$/)
  assert.notEqual(timeline, otherTimeline)
})

test('while a backup is restored, the gate cannot be read, and a process keeps its earlier view of the gate', async () => {
  await close(MIDDLE)
  const gate = await createRestoreGate(db)
  await rows(db, 'create table installation_before as select * from installation')
  await rows(db, 'delete from installation')
  for (const read of [() => requireOpenGate(db), () => gate.refresh()])
    await assert.rejects(read(), { code: 'unavailable', retryAfterSec: 2 })
  assert.equal(gate.isClosed(), true)
  await rows(db, 'insert into installation select * from installation_before')
})
