// The cost of reading the delivery log and the queue hardly grows with their size. The tests count database pages instead
// of measuring time. A lane is the queue of one project in one mode.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryFilters } from '@pazar/contract'
import { rows } from '../accounts.ts'
import { ACCEPTED, addCallbackProject, claimAll, queueCallbacks, toAttemptRecord } from '../deliveries.ts'
import { newOrder, startPayments } from '../payments.ts'
import { countPages as countPagesOf } from '../touched-pages.ts'
import type { Queryable } from '../../src/db/pool.ts'
import { hasQueuedCallbacks } from '../../src/callbacks/closing-store.ts'
import { recordAttempts } from '../../src/callbacks/record-store.ts'
import { findAwaitedResult } from '../../src/callbacks/await-delivery-store.ts'
import { findEntries } from '../../src/deliveries/log.ts'
import { isSuperseded } from '../../src/callbacks/resend-store.ts'
import { confirmPayment } from '../../src/payments/confirm.ts'
import { changeCallbacks } from '../stored-forms.ts'

const { deps, databaseUrl } = await startPayments()
const { db } = deps
const countPages = (work: (queryable: Queryable) => Promise<unknown>) => countPagesOf(databaseUrl, db, work)
const FEW = 1_000
const MANY = 30_000

/** Most callbacks are delivered. A few are exhausted, cancelled or pending. Each has one attempt. */
async function addPastCallbacks(projectId: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += 1_000) await insertCallbacks(projectId, from, from + 999)
  await rows(db, 'analyze callbacks')
  await rows(db, 'analyze callback_attempts')
}

async function insertCallbacks(projectId: string, from: number, to: number): Promise<void> {
  await rows(
    db,
    `with made as (
       insert into callbacks (project_id, id, mode, result, custom_id, payload, status, attempts, last_outcome, created_at,
         delivered_at, next_at)
       select $1::text, 'msg_' || md5($1::text || n || random()), case when n % 10 = 0 then 'test' else 'live' end, 'success',
         'order-' || n, '{"amount":"1500","currency":"EUR"}', s.status, 1,
         case s.status when 'delivered' then 'delivered' when 'exhausted' then 'timeout' else 'http_error' end,
         now() - n * interval '1 second', case s.status when 'delivered' then now() end, now() + interval '1 day'
       from generate_series($2::integer, $3::integer) n cross join lateral (
         select case when n % 1000 = 0 then 'cancelled' when n % 100 = 0 then 'exhausted' when n % 500 = 1 then 'pending'
           else 'delivered' end as status) s
       returning project_id, id, created_at, last_outcome)
     insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
     select project_id, id, 1, 'https://shop.example.com', created_at, 20, last_outcome from made`,
    [projectId, from, to],
  )
}

const lateCursor = { key: '2020-01-01T00:00:00.000000Z', id: `msg_${'f'.repeat(32)}` }
const QUERIES: Record<string, (queryable: Queryable, projectId: string) => Promise<unknown>> = {
  'the first page': (on, id) => findEntries(on, id, {}, { after: null, limit: 51 }),
  ...Object.fromEntries(
    (
      [
        { mode: 'test' },
        { status: 'exhausted' },
        { status: 'cancelled', mode: 'live' },
        { outcome: 'timeout' },
        { outcome: 'delivered' },
        { outcome: 'timeout', status: 'delivered' },
        { q: 'order-1' },
        { q: 'order-99999' },
        { q: 'order-', status: 'cancelled' },
        { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' },
      ] satisfies DeliveryFilters[]
    ).map((filter) => [
      `the filter ${JSON.stringify(filter)}`,
      (queryable: Queryable, id: string) => findEntries(queryable, id, filter, { after: null, limit: 51 }),
    ]),
  ),
  'a page after a late cursor': (on, id) => findEntries(on, id, {}, { after: lateCursor, limit: 51 }),
  'becoming the owner of lanes and claiming callbacks': (on) => claimAll(on, 12),
  'the check before a redirect whether the result was delivered': async (on, id) => {
    const prospect = await findAwaitedResult(on, payments.get(id)!)
    assert.deepEqual([prospect?.status, prospect?.isPrompt], ['pending', true])
  },
  'the check whether another payment has paid the order': async (on, id) => {
    const { entries } = await findEntries(on, id, { q: payments.get(id)! }, { after: null, limit: 1 })
    assert.equal(await isSuperseded(on, id, entries[0]!.delivery.id), false)
  },
}

/** For each project, a payment whose result is queued. */
const payments = new Map<string, string>()

async function addPayment(projectId: string): Promise<void> {
  // The sandbox declines this amount, so the order is not paid.
  const paid = await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: 'order-1' }))
  assert.ok(paid.kind === 'payment')
  await changeCallbacks(
    db,
    `update callbacks set next_at = now() + interval '1 day' where transaction_id = $1`,
    [paid.payment.id],
  )
  payments.set(projectId, paid.payment.id)
}

const small = await addCallbackProject(deps, 'https://shop.example.com/callback')
await addPastCallbacks(small, FEW)
await addPayment(small)
const pagesWithFew: Record<string, number> = {}
for (const [name, query] of Object.entries(QUERIES))
  pagesWithFew[name] = await countPages((on) => query(on, small))
const big = await addCallbackProject(deps, 'https://shop.example.com/callback')
await addPastCallbacks(big, MANY)
await addPayment(big)

for (const [name, query] of Object.entries(QUERIES)) {
  test(`${name} does not read many more database pages with ${MANY} callbacks than with ${FEW}`, async (t) => {
    const pages = await countPages((on) => query(on, big))
    t.diagnostic(`${pagesWithFew[name]} pages, then ${pages}`)
    // Deeper indexes and rows spread further apart cost some pages; a table scan would cost thousands.
    assert.ok(pages <= 2 * pagesWithFew[name]! + 400, `${pagesWithFew[name]} pages became ${pages}`)
  })
}

test('claiming from a queue of thousands reads at most twice as many database pages as from a queue of hundreds', async (t) => {
  const claimTwelve = (queryable: Queryable) => claimAll(queryable, 12)
  const merchants = await Promise.all(
    Array.from({ length: 10 }, () => addCallbackProject(deps, 'https://shop.example.com/callback')),
  )
  for (const merchant of merchants) await queueCallbacks(db, merchant, 60)
  await rows(db, 'analyze callbacks')
  const few = await countPages(claimTwelve)
  for (const merchant of merchants) await queueCallbacks(db, merchant, 1_000)
  await rows(db, 'analyze callbacks')
  const many = await countPages(claimTwelve)
  t.diagnostic(`${few} pages, then ${many}`)
  assert.ok(many <= 2 * few, `${few} pages became ${many}`)
})

test('with thousands of new callbacks, recording and listing do not read many more database pages than with few', async (t) => {
  const merchant = await addCallbackProject(deps, 'https://shop.example.com/callback')
  const measure = async (): Promise<number[]> => {
    await rows(db, `update callback_lanes set sending = '{}', held = '{}'`)
    const sent = (await claimAll(db, 12)).filter(({ projectId }) => projectId === merchant)
    assert.equal(sent.length, 12)
    const accepted = sent.slice(0, 6).map((one) => toAttemptRecord(one, ACCEPTED))
    const failed = sent.slice(6).map((one) => toAttemptRecord(one))
    const page = { after: null, limit: 51 }
    return [
      await countPages((on) => recordAttempts(on, accepted)),
      await countPages((on) => recordAttempts(on, failed)),
      await countPages((on) => findEntries(on, merchant, { status: 'pending' }, page)),
      await countPages((on) => findEntries(on, merchant, {}, page)),
      await countPages((on) => hasQueuedCallbacks(on, [merchant])),
    ]
  }
  await queueCallbacks(db, merchant, 60)
  const few = await measure()
  // There is no `analyze` here, so the planner does not know of the new rows.
  await queueCallbacks(db, merchant, 20_000)
  const many = await measure()
  t.diagnostic(`${few.join(', ')} pages, then ${many.join(', ')}`)
  for (const [index, pages] of many.entries())
    assert.ok(pages <= 2 * few[index]! + 100, `${few[index]} pages became ${pages}`)
})
