// Searches of the delivery log find only callbacks of the given project that match every filter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryFilters } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { startCallbackScopes } from '../../test/callback-scopes.ts'
import { queueCallbacks } from '../../test/deliveries.ts'
import { newOrder, startPayments } from '../../test/payments.ts'
import type { AccountId } from '../accounts/account.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { toCallbackView, toMaskedBody, toScale } from './delivery.ts'
import {
  findAttempts,
  findDeliveriesOfTransaction,
  findDelivery,
  findDeliveryOfTransaction,
} from './log-store.ts'
import type { LogCursor } from './log-store.ts'
import type { WalkedPage } from './log-walk-store.ts'
import { walkLog } from './log-walk-store.ts'
import { findEntries } from './log.ts'
import { resendCallback, resendFailed } from './resend.ts'

const { deps, projectId: payProjectId } = await startPayments()
const { db } = deps
const { projectId, otherId, addAttempt, setColumns: set } = await startCallbackScopes(deps)

async function find(filters: DeliveryFilters, logProjectId = projectId): Promise<string[]> {
  const found = await findEntries(db, logProjectId, filters, { after: null, limit: 50 })
  return found.entries.map(({ delivery }) => delivery.id)
}

test('a search by customId and outcome reads a limited number of callbacks per page, and no match is missing from the pages', async () => {
  const expected: string[] = []
  for (let n = 0; n < 12; n += 1) {
    const customId = `order-${n % 10}`
    const [id = ''] = await queueCallbacks(db, projectId, 1, {
      customId,
      mode: n % 4 === 0 ? 'test' : 'live',
    })
    await addAttempt(id)
    const isTimeout = n % 3 === 0
    await set(id, `attempts = 1, last_outcome = '${isTimeout ? 'timeout' : 'http_error'}'`)
    if (n % 2 === 0) await set(id, `status = 'exhausted'`)
    if (isTimeout) expected.push(id)
  }
  await queueCallbacks(db, otherId, 1, { customId: 'order-1' })
  const filter = {
    projectId,
    modes: ['live', 'test'],
    statuses: ['pending', 'exhausted'],
    outcome: 'timeout',
    from: null,
    to: null,
  } as const
  for (const [limit, walkedMax] of [
    [50, 100],
    [1, 2],
    [2, 1],
    [50, 1],
  ] as const) {
    const found: string[] = []
    const customIds: string[] = []
    let after: LogCursor | null = null
    do {
      const page: WalkedPage = await walkLog(db, filter, 'order-', { after, limit, walkedMax })
      for (const { delivery, cursor } of page.entries) {
        found.push(delivery.id)
        customIds.push(cursor.key)
      }
      after = page.entries.length < limit ? page.walkedTo : page.entries.at(-1)!.cursor
    } while (after !== null)
    assert.deepEqual(found.toSorted(), expected.toSorted(), `pages of ${limit}, ${walkedMax} read`)
    assert.deepEqual(customIds, customIds.toSorted())
  }
})

test('a search by the id of a callback obeys every other filter', async () => {
  const [id = ''] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await addAttempt(id)
  await set(id, `attempts = 1, last_outcome = 'http_error', created_at = '2026-11-16T03:00:00Z'`)
  const found = [id]
  for (const [filters, expected] of [
    [{}, found],
    [{ mode: 'test' }, found],
    [{ mode: 'live' }, []],
    [{ status: 'pending' }, found],
    [{ status: 'delivered' }, []],
    [{ outcome: 'http_error' }, found],
    [{ outcome: 'timeout' }, []],
    [{ from: '2026-11-16T03:00:00Z' }, found],
    [{ from: '2026-11-16T03:00:01Z' }, []],
    [{ to: '2026-11-16T03:00:00Z' }, []],
    [{ to: '2026-11-16T03:00:01Z' }, found],
  ] as [DeliveryFilters, string[]][])
    assert.deepEqual(
      await find({ q: ` ${id.toUpperCase()} `, ...filters }),
      expected,
      JSON.stringify(filters),
    )
  assert.deepEqual(await find({ q: id }, otherId), [], 'another project')
})

test('a search by the id of a callback has no second page', async () => {
  const [id = ''] = await queueCallbacks(db, projectId)
  const after = { key: '2026-11-16T03:00:00.000000Z', id }
  const page = await findEntries(db, projectId, { q: id }, { after, limit: 1 })
  assert.deepEqual(page, { entries: [], walkedTo: null })
})

test('a search by customId obeys outcome, time, mode and project', async () => {
  const [failed = '', fresh = ''] = [
    ...(await queueCallbacks(db, projectId, 1, { customId: 'order-1' })),
    ...(await queueCallbacks(db, projectId, 1, { customId: 'order-1' })),
  ]
  await queueCallbacks(db, otherId, 1, { customId: 'order-1' })
  const [inTest = ''] = await queueCallbacks(db, projectId, 1, { customId: 'order-1', mode: 'test' })
  await set(failed, `last_outcome = 'timeout', created_at = '2026-11-16T03:00:00Z'`)
  const q = 'order'
  assert.deepEqual(await find({ q, outcome: 'timeout' }), [failed])
  assert.deepEqual(await find({ q, mode: 'test' }), [inTest])
  assert.deepEqual(await find({ q, mode: 'live', from: '2026-11-16T03:00:01Z' }), [fresh])
  assert.deepEqual(await find({ q, to: '2026-11-16T03:00:01Z' }), [failed])
  assert.deepEqual(await find({ q, to: '2026-11-16T03:00:00Z' }), [])
})

test('while a callback is being sent, its last attempt is the latest attempt that has ended', async () => {
  const [id = ''] = await queueCallbacks(db, projectId)
  await addAttempt(id, { attempt: 1, statusCode: 500 })
  await set(id, 'attempts = 1')
  assert.equal((await findDelivery(db, projectId, id))?.lastAttempt?.statusCode, 500)
  await addAttempt(id, { attempt: 2, statusCode: 503 })
  await set(id, 'attempts = 2')
  assert.equal((await findDelivery(db, projectId, id))?.lastAttempt?.statusCode, 503)
  await set(id, `attempts = 3, status = 'sending', claim = gen_random_uuid(), lease_until = now()`)
  assert.equal((await findDelivery(db, projectId, id))?.lastAttempt?.statusCode, 503)
  assert.deepEqual(
    (await findAttempts(db, projectId, id)).map(({ attempt }) => attempt),
    [1, 2],
    'oldest first',
  )
  assert.deepEqual(await findAttempts(db, otherId, id), [])
  assert.equal(await findDelivery(db, otherId, id), null)
})

test('a search by payment finds the callback of the payment’s latest result, and only in the payment’s own project', async () => {
  const confirmed = await confirmPayment(deps, newOrder(payProjectId))
  assert.ok(confirmed.kind === 'payment')
  const { id } = confirmed.payment
  const [first] = await rows<{ id: string }>(db, 'select id from callback_states where transaction_id = $1', [
    id,
  ])
  const later = first!.id.replace(/.{4}$/, '0000')
  await rows(
    db,
    `insert into callbacks (project_id, id, transaction_id, revision, mode, result, payload, created_at)
     select project_id, $2, transaction_id, revision + 1, mode, 'fail', payload, created_at - interval '1 hour'
     from callback_states where transaction_id = $1`,
    [id, later],
  )
  assert.equal((await findDeliveryOfTransaction(db, payProjectId, id))?.delivery.id, later)
  assert.equal(await findDeliveryOfTransaction(db, projectId, id), null)
  await confirmPayment(deps, newOrder(payProjectId))
  const results = await findDeliveriesOfTransaction(db, id)
  assert.deepEqual(
    results.map((one) => one.id),
    [first!.id, later],
    'all results, in the order of their revisions',
  )
})

test('a view has the decimals stored with its callback, and the time of the next attempt only if the callback is pending', async () => {
  const [id = ''] = await queueCallbacks(db, projectId)
  const { delivery } = (await findDelivery(db, projectId, id))!
  assert.equal(toScale(delivery, { scaleOfOldPayments: 3 }), 3)
  const stored = { ...delivery, facts: { ...delivery.facts, amountScale: 0 } }
  assert.equal(toCallbackView(stored, { scaleOfOldPayments: 3 }).scale, 0)
  assert.notEqual(toCallbackView(delivery, { scaleOfOldPayments: 2 }).nextAt, null)
  for (const status of ['sending', 'delivered', 'exhausted', 'cancelled'] as const)
    assert.equal(toCallbackView({ ...delivery, status }, { scaleOfOldPayments: 2 }).nextAt, null)
  assert.equal(toMaskedBody(delivery)['hash'], '[removed]')
})

test('resending one callback or all failed callbacks wakes the delivery worker', async () => {
  let woken = 0
  const wakingDeps = { ...deps, wakeDelivery: () => (woken += 1) }
  const [row] = await rows<{ owner_id: AccountId }>(db, 'select owner_id from projects where id = $1', [
    projectId,
  ])
  const [callbackId = ''] = await queueCallbacks(db, projectId)
  await set(callbackId, `status = 'exhausted'`)
  await resendCallback(wakingDeps, row!.owner_id, { projectId, callbackId, again: false })
  assert.equal(woken, 1)
  await set(callbackId, `status = 'exhausted'`)
  const since = '2026-01-01T00:00:00Z'
  assert.equal(await resendFailed(wakingDeps, row!.owner_id, { projectId, since }), 1)
  assert.equal(woken, 2)
  await set(callbackId, `status = 'exhausted'`)
  assert.equal(await resendFailed(wakingDeps, row!.owner_id, { projectId, since, mode: 'test' }), 0)
})
