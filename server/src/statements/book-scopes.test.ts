// Why this is long: the tests of the ledger, the feed and disputes share one setup.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addPayProject } from '../../test/payer.ts'
import { newOrder, startPayments } from '../../test/payments.ts'
import { payFor, reserveRefund } from '../../test/refunds.ts'
import { insertPayments } from '../../test/transactions.ts'
import {
  findDispute,
  insertDispute,
  listDisputes,
  moveDispute,
  setDeadline,
} from '../disputes/disputes-store.ts'
import {
  findRestart,
  hasEpochSince,
  listWaitingProjects,
  publishEvents,
  readEvents,
  readHead,
  startEpoch,
} from '../feed/feed-store.ts'
import { deleteWaitingEvents } from '../feed/inbox-store.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { openPayment } from '../payments/payments-store.ts'
import { endRefund } from '../refunds/end-refund.ts'
import { LEDGER_BACKFILL, isBackfilled } from './backfill-store.ts'
import { listDays, listEntries } from './statement-store.ts'
import { readTakenBack } from './taken-back-store.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const otherProjectId = (await addPayProject(deps)).id

const MONTH = { from: '2026-03-01', to: '2026-04-01' }
const EUR = { currency: 'EUR', scale: 2 }

/** Inserts a ledger entry, by default the entry of a live payment of one cent. */
async function post(fields: Record<string, unknown> = {}): Promise<bigint> {
  const entry = {
    ...{
      project_id: projectId,
      mode: 'live',
      posted_on: '2026-03-10',
      at: '2026-03-10T12:07:00Z',
      type: 'payment',
    },
    ...{ amount: 1, currency: 'EUR', amount_scale: 2, transaction_id: randomUUID(), ...fields },
  }
  const [row] = await rows<{ id: bigint }>(
    db,
    `insert into ledger_entries (project_id, mode, posted_on, at, type, amount, currency, amount_scale, transaction_id, refund_id,
       dispute_id, upstream_ref)
     select project_id, mode, posted_on, at, type, amount, currency, amount_scale, transaction_id, refund_id, dispute_id, upstream_ref
     from jsonb_populate_record(null::ledger_entries, $1) returning id`,
    [JSON.stringify(entry)],
  )
  return row!.id
}

test('a statement has only the days of its own project, mode and month, and only the entries in the requested currency', async () => {
  const own = [await post({ posted_on: '2026-03-01' }), await post({ posted_on: '2026-03-31' })]
  await post({ project_id: otherProjectId })
  await post({ mode: 'test' })
  await post({ posted_on: '2026-02-28' })
  await post({ posted_on: '2026-04-01' })
  const scope = { projectId, mode: 'live', ...MONTH } as const
  assert.deepEqual(
    (await listDays(db, scope)).map(({ date, payments }) => [date, payments]),
    [
      ['2026-03-01', 1],
      ['2026-03-31', 1],
    ],
  )
  await post({ currency: 'USD' })
  const list = (after: { date: string; id: bigint } | null, limit = 10) =>
    listEntries(db, scope, { currency: 'EUR', after, limit })
  const found = await list(null)
  assert.deepEqual(
    found.map(({ id }) => id),
    own,
  )
  assert.deepEqual(
    (await list(found[0]!)).map(({ id }) => id),
    [own[1]],
  )
  assert.equal((await list(null, 1)).length, 1)
})

test('entries are listed by day, even if entries of an earlier day were posted later, and no entry is left out between pages', async () => {
  const { id: project } = await addPayProject(deps)
  const days = ['2026-03-20', '2026-03-05', '2026-03-20', '2026-03-01', '2026-03-05', '2026-03-12']
  for (const posted_on of days) await post({ project_id: project, posted_on })
  const scope = { projectId: project, mode: 'live', ...MONTH } as const
  for (const limit of [1, 2, 4]) {
    const found: string[] = []
    let page = await listEntries(db, scope, { currency: 'EUR', after: null, limit })
    while (page.length > 0) {
      found.push(...page.map(({ date }) => date))
      page = await listEntries(db, scope, { currency: 'EUR', after: page.at(-1)!, limit })
    }
    assert.deepEqual(found, days.toSorted(), `${limit} a page`)
  }
})

test('the entry of a payment shows a charge id that was stored later, but the entries of refunds and disputes do not', async () => {
  const { id: project } = await addPayProject(deps)
  const payment = await payFor(deps, project)
  await rows(db, `update transactions set upstream_ref = 'pi_late' where id = $1`, [payment.id])
  const paymentEntry = { project_id: project, transaction_id: payment.id }
  await post(paymentEntry)
  await post({ ...paymentEntry, type: 'refund', amount: -1, refund_id: 'rf_1' })
  await post({ ...paymentEntry, type: 'dispute', amount: -1, dispute_id: 'du_1', upstream_ref: 'du_own' })
  const scope = { projectId: project, mode: 'live', ...MONTH } as const
  const entries = await listEntries(db, scope, { currency: 'EUR', after: null, limit: 10 })
  assert.deepEqual(
    entries.map(({ type, upstreamRef }) => [type, upstreamRef]),
    [
      ['payment', 'pi_late'],
      ['refund', null],
      ['dispute', 'du_own'],
    ],
  )
})

test('refunds are summed up for one project and mode, even if the range starts and ends in the middle of a quarter of an hour', async () => {
  const { id: project } = await addPayProject(deps)
  const refund = { type: 'refund', amount: -5, refund_id: 'rf_1' }
  for (const postedAt of ['2026-03-10T12:07:00Z', '2026-03-10T12:20:00Z', '2026-03-10T12:46:00Z']) {
    await post({ ...refund, project_id: project, at: postedAt })
    await post({ ...refund, project_id: project, at: postedAt, mode: 'test' })
    await post({ ...refund, project_id: otherProjectId, at: postedAt })
    await post({ project_id: project, at: postedAt })
  }
  const dateAt = (time: string) => toDate(Date.parse(`2026-03-10T${time}Z`))
  const range = {
    ...{
      from: dateAt('12:05:00'),
      wholeFrom: dateAt('12:15:00'),
      wholeTo: dateAt('12:45:00'),
      to: dateAt('12:50:00'),
    },
    starts: [dateAt('12:00:00')],
  }
  const [taken] = await readTakenBack(db, { projectId: project, mode: 'live' }, range, EUR)
  assert.deepEqual(taken, { refunds: 3, refunded: 15n, disputes: 0, disputed: 0n })
})

test('the backfill posts a paid payment that is older than the ledger, even if the payment is in review or was resolved as paid', async () => {
  const { id: project } = await addPayProject(deps)
  await rows(db, 'truncate ledger_entries, feed_inbox')
  const ids = await insertPayments(deps, project, [
    { createdAt: '2026-03-01T12:00:00Z' },
    { state: 'failed' },
    { state: 'processing' },
    { createdAt: '2026-03-02T12:00:00Z' },
    { state: 'failed', createdAt: '2026-03-03T12:00:00Z' },
    { createdAt: '2026-03-04T12:00:00Z' },
  ])
  const [paid, , , inReview, resolved, refunded] = ids as [string, string, string, string, string, string]
  await rows(db, 'update transactions set needs_review = true where id = $1', [inReview])
  await rows(
    db,
    `update transactions set resolution = 'paid', resolution_reason = 'x', resolved_by = 'x', resolved_at = '2026-03-20T12:00:00Z' where id = $1`,
    [resolved],
  )
  await rows(db, 'truncate feed_inbox')
  await post({ project_id: project, transaction_id: refunded, type: 'refund', amount: -1, refund_id: 'rf_1' })
  await rows(db, 'update ledger_backfill set after = null, done_at = null')
  assert.equal(await isBackfilled(db), false)
  const count = (await rows(db, 'select from transactions')).length
  assert.equal(await db.transaction((tx) => LEDGER_BACKFILL.fill(tx, count)), count)
  assert.equal(await isBackfilled(db), false, 'the batch was full, so there may be more')
  assert.equal(await db.transaction((tx) => LEDGER_BACKFILL.fill(tx, count)), 0)
  assert.equal(await isBackfilled(db), true)
  const posted = await rows<{ id: string; day: string }>(
    db,
    `select transaction_id as id, posted_on::text as day from ledger_entries where project_id = $1 and type = 'payment' order by 2`,
    [project],
  )
  assert.deepEqual(posted, [
    { id: paid, day: '2026-03-01' },
    { id: inReview, day: '2026-03-02' },
    { id: refunded, day: '2026-03-04' },
    { id: resolved, day: '2026-03-20' },
  ])
})

const waitingOf = async (...ids: string[]) => {
  const heads = []
  for (const id of ids) heads.push((await readHead(db, id)).waiting)
  return heads
}

test('events are published, read and deleted project by project', async () => {
  const [first, second, third] = [
    await addPayProject(deps),
    await addPayProject(deps),
    await addPayProject(deps),
  ].map(({ id }) => id) as [string, string, string]
  await rows(db, 'truncate feed_inbox')
  const open = async (project: string, mode: 'live' | 'test' = 'live') =>
    (await openPayment(db, newUuidV7(deps.clock), newOrder(project, { mode }), 'sandbox'))!.id
  const [live, inTest, ofSecond] = [await open(first), await open(first, 'test'), await open(second)]
  await open(third)
  assert.deepEqual((await listWaitingProjects(db, 10)).toSorted(), [first, second, third].toSorted())
  assert.equal((await listWaitingProjects(db, 2)).length, 2)
  await publishEvents(db, first, 100)
  assert.deepEqual(await waitingOf(first, second, third), [false, true, true])
  await publishEvents(db, second, 100)
  const read = async (project: string, mode: 'live' | 'test' | null) =>
    (await readEvents(db, project, { after: 0n, limit: 10, mode })).map(({ transactionId }) => transactionId)
  assert.deepEqual(await read(first, null), [live, inTest])
  assert.deepEqual([await read(first, 'test'), await read(second, null)], [[inTest], [ofSecond]])
  await open(second)
  await db.transaction((tx) => deleteWaitingEvents(tx, second))
  assert.deepEqual(await waitingOf(second, third), [false, true])
})

// Each restore of the database starts a new epoch of the feed.
test('a cursor of an older epoch restarts at the lowest position at which a later epoch started; a cursor of an unknown epoch restarts at 0', async () => {
  const [first, second] = [(await addPayProject(deps)).id, (await addPayProject(deps)).id] as const
  /** Afterwards the project has one event, from an hour ago, at this position. */
  const setLastEvent = async (project: string, position: number) => {
    await rows(
      db,
      `insert into feed_heads (project_id, position) values ($1, $2) on conflict (project_id) do update set position = $2`,
      [project, position],
    )
    await rows(db, 'delete from feed_events where project_id = $1', [project])
    await rows(
      db,
      `insert into feed_events (project_id, position, event_id, type, mode, transaction_id, at, facts)
       values ($1, $2, gen_random_uuid(), 'payment.created', 'live', gen_random_uuid(), now() - interval '1 hour', '{}')`,
      [project, position],
    )
  }
  const epochOf = async () => (await readHead(db, first)).epoch
  const epochs = [await epochOf()]
  for (const position of [9, 4, 7]) {
    await setLastEvent(first, position)
    await setLastEvent(second, 1)
    await db.transaction((tx) => startEpoch(tx, toDate(deps.clock.nowMs())))
    epochs.push(await epochOf())
  }
  assert.equal(new Set(epochs).size, 4)
  const restarts = []
  for (const epoch of [...epochs, randomUUID()]) restarts.push(await findRestart(db, first, epoch))
  assert.deepEqual(restarts, [4n, 4n, 7n, null, 0n])
  const [{ at } = { at: null }] = await rows<{ at: Date }>(
    db,
    `select date_trunc('milliseconds', max(started_at)) as at from feed_epochs`,
  )
  const oneMsLater = toDate(at!.getTime() + 1)
  assert.deepEqual([await hasEpochSince(db, at!), await hasEpochSince(db, oneMsLater)], [true, false])
})

test('a dispute is found and changed only for its own payment and project; a closed dispute keeps its deadline', async () => {
  const [payment, second] = [await payFor(deps, projectId), await payFor(deps, projectId)]
  const insert = (transactionId: string, state: 'open' | 'lost') =>
    db.transaction((tx) =>
      insertDispute(tx, {
        ...{
          id: newUuidV7(deps.clock),
          projectId,
          transactionId,
          mode: 'live',
          amount: 100n,
          currency: 'EUR',
        },
        ...{ scale: 2, state, reason: 'fraudulent', respondBy: toDate(5_000) },
        ...{ chargeRef: null, upstreamRef: 'du_1' },
      }),
    )
  const [open, lost] = [await insert(payment.id, 'open'), await insert(second.id, 'lost')]
  assert.deepEqual([open.closedAt, lost.closedAt === null], [null, false])
  assert.equal((await findDispute(db, payment.id, 'du_1'))?.id, open.id)
  assert.equal(await findDispute(db, newUuidV7(deps.clock), 'du_1'), null)
  assert.deepEqual(await listDisputes(db, otherProjectId, payment.id), [])
  assert.equal((await listDisputes(db, projectId, payment.id)).length, 1)
  const change = async (transactionId: string, dispute: typeof open) => {
    await db.transaction((tx) => setDeadline(tx, dispute, toDate(9_000)))
    return (await findDispute(db, transactionId, 'du_1'))?.respondBy
  }
  assert.deepEqual(await change(payment.id, open), toDate(9_000))
  assert.deepEqual(await change(second.id, lost), toDate(5_000), 'a closed dispute keeps its deadline')
  const moved = await db.transaction((tx) =>
    moveDispute(tx, open, { state: 'lost', respondBy: null, reason: null }),
  )
  assert.deepEqual(
    [moved.respondBy, moved.reason, moved.closedAt === null],
    [toDate(9_000), 'fraudulent', false],
  )
  const inOtherProject = { ...lost, projectId: otherProjectId }
  assert.equal(
    await db.transaction((tx) =>
      moveDispute(tx, inOtherProject, { state: 'won', respondBy: null, reason: null }),
    ),
    undefined,
  )
})

test('the refunded total in the events counts only refunds of the payment’s own charge', async () => {
  const payment = await payFor(deps, projectId)
  const end = { state: 'succeeded', failureCode: null, upstreamRef: null, changesInMs: null } as const
  let woken = 0
  const waking = { ...deps, wakeDelivery: () => (woken += 1) }
  await endRefund(waking, await reserveRefund(deps, payment, 100n), end)
  await endRefund(waking, await reserveRefund(deps, payment, 700n, { chargeRef: 'pi_second' }), end)
  assert.equal(woken, 2)
  const events = await rows<{ type: string; total: string }>(
    db,
    `select type, facts->>'refundedTotal' as total from feed_inbox where transaction_id = $1 and type = 'refund.result' order by id`,
    [payment.id],
  )
  assert.deepEqual(
    events.map(({ total }) => total),
    ['100', '100'],
  )
})
