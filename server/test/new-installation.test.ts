// A connection reuses plans that PostgreSQL made while the tables were empty. Even with these plans, no statement
// of a payment may scan a table that has become large.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { findEntry } from '../src/backends/sandbox-store.ts'
import { findAwaitedResult } from '../src/callbacks/await-delivery-store.ts'
import { recordAttempts } from '../src/callbacks/record-store.ts'
import { findPayTarget } from '../src/checkout/pay-target-store.ts'
import { findShownPayment } from '../src/checkout/shown-payment-store.ts'
import { openDb, statement } from '../src/db/pool.ts'
import type { Queryable, Statement, Tx } from '../src/db/pool.ts'
import { newUuidV7 } from '../src/lib/id.ts'
import { claimDue, listDueUpstreams } from '../src/payments/checks-store.ts'
import { findBlockingPayment, findPayment, openPayment } from '../src/payments/payments-store.ts'
import { settlePayment } from '../src/payments/settle-store.ts'
import { findOrderState, findStatusFacts } from '../src/payments/reads/status-store.ts'
import { rows } from './accounts.ts'
import { claimAll, toAttemptRecord } from './deliveries.ts'
import { newOrder, startPayments } from './payments.ts'
import { toExplainQuery, toPages } from './touched-pages.ts'

const { deps, databaseUrl, projectId } = await startPayments()
const PAYMENTS = 20_000
const PARTS = 10
/** Enough for the index lookups of one statement. A table scan would read about 500 pages. */
const PAGES_MAX = 120

// The pool has only one connection, so that later statements use the plans of the earlier ones.
const db = openDb(databaseUrl, { poolMax: 1, onError: () => undefined })
after(() => db.close())
const statements = new Map<string, { what: Statement; values: readonly unknown[] }>()
const recordingDb: Queryable = {
  query: (what, values = []) => {
    statements.set(what.name, { what, values })
    return db.query(what, values)
  },
}

async function payOnce(n: number): Promise<void> {
  const order = newOrder(projectId, { customId: `early-${n}`, checkoutId: randomUUID() })
  // After an erasure, payments are found by the hash of their customId.
  const hash = randomBytes(32)
  const link = { projectId, mode: 'live', customId: order.customId } as const
  await findPayTarget(recordingDb, link, [order.attemptId, randomUUID()], hash, order.checkoutId)
  const id = newUuidV7(deps.clock)
  await openPayment(recordingDb, id, order, 'sandbox', null, hash)
  await findEntry(recordingDb, id)
  await findBlockingPayment(recordingDb, order, hash)
  await findPayment(recordingDb, id)
  await findShownPayment(recordingDb, id)
  await settlePayment(
    recordingDb,
    id,
    { state: 'succeeded', failureCode: null, upstreamRef: null },
    {
      id: `msg_${id}`,
      facts: {
        status: 'success',
        projectId,
        transactionId: id,
        amount: '1500',
        currency: 'EUR',
        mode: 'live',
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    },
  )
  await findAwaitedResult(recordingDb, id)
  await findStatusFacts(recordingDb, projectId, `early-${n}`, hash)
  await findOrderState(recordingDb, projectId, 'live', `early-${n}`, hash)
  const tx: Tx = { ...recordingDb, inTransaction: true }
  const nowMs = deps.clock.nowMs() + 60_000
  await listDueUpstreams(recordingDb, nowMs)
  const due = { backend: 'sandbox', quota: null, limit: 10, nowMs, toNextCheckMs: () => nowMs + 60_000 }
  await claimDue({ transaction: (work) => work(tx) }, due)
}

test('statements that were planned while the tables were empty scan no table after the tables are filled', async () => {
  await rows(db, 'set plan_cache_mode = force_generic_plan')
  for (const table of ['transactions', 'callbacks', 'sandbox_charges'])
    await rows(db, `alter table ${table} set (autovacuum_enabled = off)`)
  await payOnce(1)
  const sent = await claimAll(recordingDb)
  await recordAttempts(
    recordingDb,
    sent.map((one) => toAttemptRecord(one)),
  )
  // The rows are inserted in parts, so that each insert finishes within the statement timeout.
  for (let part = 0; part < PARTS; part += 1) {
    await rows(
      db,
      `with paid as (
         insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, state, completed_at, custom_id_hash)
         select gen_random_uuid(), $1, 'live', gen_random_uuid(), 1500, 'EUR', 'late-' || n, 'succeeded', now(), sha256(n::text::bytea)
         from generate_series($2::integer + 1, $2 + ${PAYMENTS / PARTS}) n returning *)
       insert into callbacks (project_id, id, transaction_id, mode, result, custom_id, payload, status, delivered_at)
       select project_id, 'msg_' || id, id, mode, 'success', custom_id, '{}', 'delivered', now() from paid`,
      [projectId, (part * PAYMENTS) / PARTS],
    )
  }
  const pagesByStatement = new Map<string, number>()
  for (const [name, { values }] of statements)
    pagesByStatement.set(
      name,
      toPages(await db.query(statement(`explain ${name}`, toExplainQuery(name, values)))),
    )
  const tooMany = [...pagesByStatement].filter(([, pages]) => pages > PAGES_MAX)
  assert.deepEqual(tooMany, [])
  assert.ok(pagesByStatement.size >= 12, 'every statement was run')
})
