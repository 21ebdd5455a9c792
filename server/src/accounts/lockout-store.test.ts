// Each test runs in one transaction, in which PostgreSQL's now() does not change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import type { Tx } from '../db/pool.ts'
import { deleteBuckets, releaseSlot, reserveSlot } from './lockout-store.ts'

const { deps } = await startTestService()

async function insertAttempts(tx: Tx, bucket: string, ...ages: string[]): Promise<void> {
  const text = `insert into lockout_buckets (bucket, attempts)
    select $1, array(select now() - age::interval from unnest($2::text[]) as age)`
  await rows(tx, text, [bucket, ages])
}

async function attemptsIn(tx: Tx, bucket: string): Promise<number> {
  const text = 'select cardinality(attempts) as attempts from lockout_buckets where bucket = $1'
  const [row] = await rows<{ attempts: number }>(tx, text, [bucket])
  return row?.attempts ?? 0
}

const FOUR_RECENT = ['4 min', '3 min', '2 min', '1 min'] as const

test('the sixth attempt is refused while the first of five is 14 minutes and 59.999 seconds old', () =>
  deps.db.transaction(async (tx) => {
    await insertAttempts(tx, 'a', '14 min 59.999 s', ...FOUR_RECENT)
    assert.deepEqual(await reserveSlot(tx, 'a'), { slot: null, retryAfterSec: 1 })
    assert.equal(await attemptsIn(tx, 'a'), 5)
  }))

test('the sixth attempt is accepted once the first of five is 15 minutes and 0.001 seconds old', () =>
  deps.db.transaction(async (tx) => {
    await insertAttempts(tx, 'b', '15 min 0.001 s', ...FOUR_RECENT)
    assert.notEqual((await reserveSlot(tx, 'b')).slot, null)
    assert.equal(await attemptsIn(tx, 'b'), 5)
    // The oldest attempt is now 4 minutes old and counts for 11 more minutes.
    assert.deepEqual(await reserveSlot(tx, 'b'), { slot: null, retryAfterSec: 660 })
  }))

test('attempts that were made while the database’s clock was an hour ahead do not count', () =>
  deps.db.transaction(async (tx) => {
    await insertAttempts(tx, 'ahead', ...Array.from({ length: 5 }, () => '-1 hour'))
    for (let i = 0; i < 5; i += 1) assert.notEqual((await reserveSlot(tx, 'ahead')).slot, null)
    assert.deepEqual(await reserveSlot(tx, 'ahead'), { slot: null, retryAfterSec: 900 })
    assert.equal(await attemptsIn(tx, 'ahead'), 5)
  }))

test('an attempt that was stored while this transaction waited counts, although its time is slightly later than now()', () =>
  deps.db.transaction(async (tx) => {
    await insertAttempts(tx, 'waited', '-10 s', '-1 s', '1 min', '2 min')
    assert.notEqual((await reserveSlot(tx, 'waited')).slot, null)
    assert.deepEqual(await reserveSlot(tx, 'waited'), { slot: null, retryAfterSec: 780 })
  }))

test('refused attempts neither count nor extend the lockout', () =>
  deps.db.transaction(async (tx) => {
    await insertAttempts(tx, 'c', '10 min', ...FOUR_RECENT)
    // The oldest attempt counts for 5 more minutes.
    for (let i = 0; i < 20; i += 1) {
      assert.deepEqual(await reserveSlot(tx, 'c'), { slot: null, retryAfterSec: 300 })
    }
    assert.equal(await attemptsIn(tx, 'c'), 5)
  }))

test('five attempts get a slot each, and the sixth has to wait 15 minutes', () =>
  deps.db.transaction(async (tx) => {
    for (let i = 0; i < 5; i += 1) assert.notEqual((await reserveSlot(tx, 'd')).slot, null)
    assert.deepEqual(await reserveSlot(tx, 'd'), { slot: null, retryAfterSec: 900 })
  }))

test('releasing a slot frees only this slot', () =>
  deps.db.transaction(async (tx) => {
    // All five slots have the same time, because they are reserved in one transaction.
    const slots = []
    for (let i = 0; i < 5; i += 1) slots.push(await reserveSlot(tx, 'e'))
    await releaseSlot(tx, 'e', slots[2]!.slot!)
    assert.equal(await attemptsIn(tx, 'e'), 4)
    assert.notEqual((await reserveSlot(tx, 'e')).slot, null)
    assert.equal((await reserveSlot(tx, 'e')).slot, null)
  }))

test('releasing a slot that no longer exists changes nothing', () =>
  deps.db.transaction(async (tx) => {
    await insertAttempts(tx, 'f', '2 min', '1 min')
    await releaseSlot(tx, 'f', '2001-01-01 00:00:00+00')
    assert.equal(await attemptsIn(tx, 'f'), 2)
  }))

test('after a bucket is deleted, its attempts no longer count, and other buckets are unchanged', () =>
  deps.db.transaction(async (tx) => {
    await insertAttempts(tx, 'g', '1 min', ...FOUR_RECENT)
    await insertAttempts(tx, 'h', '1 min', ...FOUR_RECENT)
    await deleteBuckets(tx, ['g'])
    assert.notEqual((await reserveSlot(tx, 'g')).slot, null)
    assert.equal((await reserveSlot(tx, 'h')).slot, null)
  }))
