import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { queueCallbacks } from '../../../test/deliveries.ts'
import { addPayProject } from '../../../test/payer.ts'
import { startPayments } from '../../../test/payments.ts'
import { insertPayments } from '../../../test/transactions.ts'
import { raiseIncident } from '../incidents.ts'
import { readProjectDays } from './today-store.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { deps } = await startPayments()
const { db } = deps

const DAY_START = new Date('2026-11-10T00:00:00Z')
const TODAY = '2026-11-10T00:00:00Z'
const LATER = '2026-11-10T12:00:00Z'
const YESTERDAY = '2026-11-09T23:59:59Z'

async function addProject(): Promise<{ id: string; ownerId: string }> {
  const { id } = await addPayProject(deps)
  const [row] = await rows<{ owner_id: string }>(db, 'select owner_id from projects where id = $1', [id])
  return { id, ownerId: row!.owner_id }
}

const readDay = async (ownerId: string, currencyChangedAt: Date | null = null) =>
  (await readProjectDays(db, ownerId, DAY_START, currencyChangedAt))[0]!

test('today’s counts and volume include only live payments that began today and have ended', async () => {
  const { id, ownerId } = await addProject()
  await insertPayments(deps, id, [
    { amount: 1, createdAt: TODAY },
    { amount: 20, createdAt: LATER },
    { amount: 300, createdAt: YESTERDAY },
    { amount: 4_000, createdAt: TODAY, mode: 'test' },
    { amount: 50_000, createdAt: TODAY, state: 'failed' },
    { amount: 600_000, createdAt: TODAY, state: 'expired' },
    { amount: 7_000_000, createdAt: TODAY, state: 'processing' },
    { amount: 80_000_000, createdAt: TODAY, state: 'requires_action' },
  ])
  const { volume, succeeded, failed } = await readDay(ownerId)
  assert.deepEqual({ volume, succeeded, failed }, { volume: 21n, succeeded: 2, failed: 2 })
})

test('an unpaid payment in review counts as neither succeeded nor failed, and a paid payment in review counts as succeeded', async () => {
  const { id, ownerId } = await addProject()
  const [, paid, , failed, ofYesterday] = await insertPayments(deps, id, [
    { amount: 1, createdAt: TODAY },
    { amount: 20, createdAt: TODAY },
    { amount: 300, createdAt: TODAY, state: 'failed' },
    { amount: 4_000, createdAt: TODAY, state: 'failed' },
    { amount: 50_000, createdAt: YESTERDAY },
  ])
  for (const transactionId of [paid!, failed!, ofYesterday!])
    await raiseIncident(
      deps,
      { kind: 'mismatch', transactionId, subject: transactionId, facts: {} },
      { needsReview: true },
    )
  const day = await readDay(ownerId)
  assert.deepEqual([day.volume, day.succeeded, day.failed], [21n, 2, 1])
})

test('payments that began before the currency changed are counted, but their amounts are not part of the volume', async () => {
  const { id, ownerId } = await addProject()
  await insertPayments(deps, id, [
    { amount: 1, createdAt: TODAY },
    { amount: 20, createdAt: LATER },
  ])
  const day = await readDay(ownerId, new Date('2026-11-10T10:00:00Z'))
  assert.deepEqual([day.volume, day.succeeded], [20n, 2])
})

test('the last callback is the newest live callback, whatever its status', async () => {
  const { id, ownerId } = await addProject()
  assert.equal((await readDay(ownerId)).lastCallback, null)
  let minute = 0
  for (const status of ['pending', 'sending', 'delivered', 'exhausted', 'cancelled'] as const) {
    const [callbackId] = await queueCallbacks(db, id)
    minute += 1
    await changeCallbacks(
      db,
      `update callbacks set status = $2, attempts = $3, created_at = now() + make_interval(mins => $3),
         delivered_at = case $2 when 'delivered' then now() end,
         lease_until = case $2 when 'sending' then now() end where id = $1`,
      [callbackId, status, minute],
    )
    const [testId] = await queueCallbacks(db, id, 1, { mode: 'test' })
    await changeCallbacks(db, `update callbacks set created_at = now() + interval '1 day' where id = $1`, [
      testId,
    ])
    const { lastCallback } = await readDay(ownerId)
    assert.deepEqual([lastCallback?.status, lastCallback?.attempts], [status, minute])
  }
})

test('an owner gets all of their projects, the oldest first, and no other project', async () => {
  const first = await addProject()
  const second = await addProject()
  await addProject()
  const setOwner = `update projects set owner_id = $2, slot = $3::smallint, created_at = now() - make_interval(days => $3::int) where id = $1`
  await rows(db, setOwner, [second.id, second.ownerId, 2])
  await rows(db, setOwner, [first.id, second.ownerId, 1])
  const days = await readProjectDays(db, second.ownerId, DAY_START, null)
  assert.deepEqual(
    days.map(({ projectId }) => projectId),
    [second.id, first.id],
  )
})
