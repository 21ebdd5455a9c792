import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { makeOlder } from '../../test/erasure.ts'
import { createIncidents } from '../../test/incidents.ts'
import { newOrder, requirePayment, startPayments, recordStatements } from '../../test/payments.ts'
import { payFor, reserveRefund } from '../../test/refunds.ts'
import { createPaymentFixtures, newDecision, scriptUpstream, toCharge } from '../../test/resolving.ts'
import { isLocked } from '../../test/row-locks.ts'
import { writeRefund } from '../backends/sandbox-refunds-store.ts'
import { LEDGER_BACKFILL } from '../statements/backfill-store.ts'
import type { Tx } from '../db/pool.ts'
import { recordDispute } from '../disputes/record-dispute.ts'
import { lockHeads } from '../feed/feed-store.ts'
import { newUuidV7 } from '../lib/id.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { adoptRefund } from '../refunds/adopt.ts'
import { claimDueRefunds } from '../refunds/due-store.ts'
import { endRefund } from '../refunds/end-refund.ts'
import type { Deps } from '../wire.ts'
import { claimDue } from './checks-store.ts'
import { deleteUnused } from './closing/delete-project.ts'
import { lockEnded } from './erasure/erasure-store.ts'
import { lockPayments } from './incidents-store.ts'
import { lockBudget } from './lookup-budget-store.ts'
import type { Payment } from './payment.ts'
import { openPayment } from './payments-store.ts'
import { recordReport } from './record-report.ts'
import { lockRefundedPayment } from './refund-sums-store.ts'
import { lockPayment } from './resolution/resolve-store.ts'
import { resolvePayment } from './resolution/resolve.ts'
import { foldStats } from './reads/stats-store.ts'

const { deps, projectId, databaseUrl } = await startPayments()
const { db } = deps
const { raise, incidentOf } = createIncidents(deps)
const sandbox = deps.backends.live

const PAYMENT = 'select from transactions where id = $1'
const isPaymentLocked = (id: string) => isLocked(databaseUrl, PAYMENT, [id])

const open = async () => (await openPayment(db, newUuidV7(deps.clock), newOrder(projectId), 'sandbox'))!

const LOCKING: Record<string, (tx: Tx, payment: Payment) => Promise<unknown>> = {
  'an operator’s decision': (tx, { id }) => lockPayment(tx, id),
  'a change of a refund or dispute': (tx, { id }) => lockRefundedPayment(tx, projectId, id),
  'raising an incident': (tx, { id }) => lockPayments(tx, [id]),
  'closing an incident': async (tx, { id }) => lockPayments(tx, [], [(await incidentOf('mismatch', id)).id]),
  'the erasure of customId and data': (tx, { id }) => lockEnded(tx, [id], 30),
}

for (const [caseName, lock] of Object.entries(LOCKING)) {
  test(`${caseName} locks the payment, and no other payment`, async () => {
    const [payment, other] = [await payFor(deps, projectId), await payFor(deps, projectId)]
    for (const { id } of [payment, other]) {
      if (caseName.includes('erasure')) await makeOlder(deps, id, 40)
      if (caseName.includes('closing')) await raise(id)
    }
    await db.transaction(async (tx) => {
      await lock(tx, payment)
      assert.deepEqual([await isPaymentLocked(payment.id), await isPaymentLocked(other.id)], [true, false])
    })
  })
}

test('the payment is locked while a decision is written, so no report is stored in between', async () => {
  scriptUpstream(deps)
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  const payment = await makeLateCharge({ customId: randomUUID() })
  deps.backends = { ...deps.backends, live: sandbox, test: sandbox }
  let isLockedAtWrite: boolean | null = null
  const { deps: watched } = recordStatements(deps, async (name, run) => {
    if (name === 'resolve.write') isLockedAtWrite = await isPaymentLocked(payment.id)
    return run()
  })
  assert.equal((await resolvePayment(watched, payment.id, newDecision('unpaid'))).kind, 'resolved')
  assert.equal(isLockedAtWrite, true)
})

async function isLockedAt(statement: string, id: string, run: (watched: Deps) => Promise<unknown>) {
  let found: boolean | null = null
  const { deps: watched } = recordStatements(deps, async (name, send) => {
    if (name === statement) found ??= await isPaymentLocked(id)
    return send()
  })
  await run(watched)
  return found
}

test('a payment is locked before its refund, its dispute or a report that contradicts its state is stored', async () => {
  const payment = await payFor(deps, projectId)
  const { id } = payment
  const report = {
    ...{ paymentId: id, chargeId: null, amount: 100n, currency: 'EUR', upstreamRef: 'ref_1' },
    ...{ id: null, status: 'succeeded' as const, pendingReason: null, failureCode: null },
  }
  const dispute = { ...report, status: 'open' as const, reason: null, respondBy: null }
  const refund = await reserveRefund(deps, payment, 200n)
  const end = { state: 'failed', failureCode: 'declined', upstreamRef: null, changesInMs: null } as const
  const denial = toCharge(payment, { status: 'failed' })
  assert.equal(await isLockedAt('refunds.insert', id, (own) => adoptRefund(own, payment, report)), true)
  assert.equal(await isLockedAt('refunds.end', id, (own) => endRefund(own, refund, end)), true)
  assert.equal(await isLockedAt('disputes.insert', id, (own) => recordDispute(own, payment, dispute)), true)
  assert.equal(await isLockedAt('reports.note', id, (own) => recordReport(own, payment, denial)), true)
})

test('a refund or a resolved payment is not claimed while another process looks it up', async () => {
  const paid = await payFor(deps, projectId)
  const refund = await reserveRefund(deps, paid, 100n)
  await rows(db, `update refunds set next_check_at = now() - interval '1 minute' where id = $1`, [refund.id])
  const unconfirmed = await open()
  await rows(
    db,
    `update transactions set state = 'failed', failure_code = 'resolved_unpaid', completed_at = now(), resolution = 'unpaid',
       resolution_reason = 'x', resolved_by = 'x', resolved_at = now(), next_check_at = now() - interval '1 minute' where id = $1`,
    [unconfirmed.id],
  )
  const claimRefunds = async () =>
    (await claimDueRefunds(db, { limit: 50, toPauseMs: () => 60_000 })).map((one) => one.refund.id)
  const claimPayments = async (backend: string) => {
    const options = { backend, quota: null, limit: 50, toNextCheckMs: () => deps.clock.nowMs() + 60_000 }
    return (await claimDue(db, options)).map(({ payment }) => payment.id)
  }
  await db.transaction(async (tx) => {
    await rows(tx, 'select from refunds where id = $1 for update', [refund.id])
    await rows(tx, `${PAYMENT} for update`, [unconfirmed.id])
    assert.deepEqual(await claimRefunds(), [])
    assert.deepEqual(await claimPayments('sandbox'), [])
  })
  assert.deepEqual([await claimPayments('http'), await claimPayments('sandbox')], [[], [unconfirmed.id]])
  assert.deepEqual([await claimRefunds(), await claimRefunds()], [[refund.id], []])
})

test('the lookup budget, the sandbox’s charge and the head of the feed are locked by the transaction that changes them', async () => {
  const { id } = await payFor(deps, projectId)
  await db.transaction(async (tx) => {
    await lockBudget(tx, 'http', null)
    await lockHeads(tx, [projectId])
  })
  await db.transaction(async (tx) => {
    await lockBudget(tx, 'http', null)
    await lockHeads(tx, [projectId])
    const refund = {
      ...{ id: newUuidV7(deps.clock), paymentId: id, projectId, amount: 100n, currency: 'EUR' },
      ...{ chargeId: null, upstreamRef: null, isOwn: true, status: 'succeeded' as const, returnsInMs: null },
    }
    assert.equal((await writeRefund(tx, refund))?.status, 'succeeded')
    assert.deepEqual(
      [
        await isLocked(databaseUrl, `select from lookup_budgets where upstream = 'http'`),
        await isLocked(databaseUrl, 'select from feed_heads where project_id = $1', [projectId]),
        await isLocked(databaseUrl, 'select from sandbox_charges where id = $1', [id]),
      ],
      [true, true, true],
    )
  })
})

test('the feed is locked while the ledger is filled, so that no payment is posted twice', async () => {
  const { id } = await payFor(deps, projectId)
  await rows(db, 'update ledger_backfill set after = null, done_at = null')
  let isHeadLocked: boolean | null = null
  const { deps: watched } = recordStatements(deps, async (name, run) => {
    if (name === 'books.backfill_post')
      isHeadLocked = await isLocked(databaseUrl, 'select from feed_heads where project_id = $1', [projectId])
    return run()
  })
  await watched.db.transaction((tx) => LEDGER_BACKFILL.fill(tx, 500))
  assert.equal(isHeadLocked, true)
  assert.equal((await rows(db, 'select from ledger_entries where transaction_id = $1', [id])).length, 1)
})

test('stats that another process has locked are skipped, and merged the next time', async () => {
  await rows(db, 'truncate payment_figures')
  await rows(
    db,
    `insert into payment_figures (project_id, mode, quarter, shard, succeeded, failed, volume)
     select $1, 'live', now() - interval '2 hours', s, 1, 0, 10 from generate_series(1, 2) s`,
    [projectId],
  )
  await db.transaction(async (tx) => {
    await rows(tx, 'select from payment_figures where shard = 1 for update')
    assert.equal(await foldStats(db), 1)
  })
  assert.equal(await foldStats(db), 1)
})

test('a project that is being deleted is locked before its payments are counted, so that no payment can begin', async () => {
  const payment = await payFor(deps, projectId)
  let isKeyLocked: boolean | null = null
  const { deps: watched } = recordStatements(deps, async (name, run) => {
    if (name === 'closing.has_live_payments')
      // A new payment takes the lock "key share" on its project, because of the foreign key.
      isKeyLocked = await isLocked(
        databaseUrl,
        'select from projects where id = $1',
        [projectId],
        'key share',
      )
    return run()
  })
  const ownerId = (await findOwnerId(db, projectId))!
  await assert.rejects(
    deleteUnused(watched, ownerId, projectId, async () => undefined),
    { code: 'invalid_request' },
  )
  assert.equal(isKeyLocked, true)
  assert.equal((await requirePayment(db, payment.id)).state, 'succeeded')
})
