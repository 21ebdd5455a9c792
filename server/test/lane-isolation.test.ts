// Statements about a lane (one project in one mode) must not read or change rows of other projects or of the other mode.
// The tests give the rows of all lanes the same values, so that only the project and the mode tell the lanes apart.
// Why this is long: one list of statements about a lane.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Mode } from '@pazar/contract'
import { findAwaitedResult } from '../src/callbacks/await-delivery-store.ts'
import { toSendingEntry } from '../src/callbacks/flights.ts'
import { hastenLane } from '../src/callbacks/hasten-store.ts'
import { interruptAttempts } from '../src/callbacks/recover-store.ts'
import { hasQueuedCallbacks } from '../src/callbacks/closing-store.ts'
import { findQueuedOrders } from '../src/callbacks/erasure-store.ts'
import type { Lane } from '../src/callbacks/lanes.ts'
import { replaceResult } from '../src/callbacks/outbox-store.ts'
import { allowProbe, isSuperseded, startNewRounds } from '../src/callbacks/resend-store.ts'
import { findPayTarget } from '../src/checkout/pay-target-store.ts'
import { findShownPayment } from '../src/checkout/shown-payment-store.ts'
import { findFailures } from '../src/deliveries/failures-store.ts'
import { findLogPage, findLogPageByCustomId } from '../src/deliveries/log-store.ts'
import { countWaiting, findLastFailure } from '../src/deliveries/outage-mails-store.ts'
import { newUuidV7 } from '../src/lib/id.ts'
import { hasLivePayments, hasOpenPayments, listTestPayments } from '../src/payments/closing/closing-store.ts'
import { readFirstSteps } from '../src/payments/reads/first-steps-store.ts'
import { countFound, probeCandidates, readStoredTotal } from '../src/payments/reads/list-count-store.ts'
import { toListFilter } from '../src/payments/reads/list-filter.ts'
import { findPage } from '../src/payments/reads/list-store.ts'
import { findBlockingPayment, openPayment } from '../src/payments/payments-store.ts'
import { listHeldOrders, listHolders } from '../src/payments/resolution/resolve-store.ts'
import { settlePayment } from '../src/payments/settle-store.ts'
import { readPaymentStats } from '../src/payments/reads/stats-store.ts'
import { findOrderState, findStatusFacts } from '../src/payments/reads/status-store.ts'
import { readProjectDays } from '../src/payments/reads/today-store.ts'
import { recordProved, replaceSecret } from '../src/secrets/secrets-store.ts'
import { findIdsSince } from '../src/streams/events-store.ts'
import { rows } from './accounts.ts'
import { queueCallbacks } from './deliveries.ts'
import { fillLane, SHARED_VALUES } from './filled-lanes.ts'
import { addPayProject } from './payer.ts'
import { newOrder, requirePayment, startPayments } from './payments.ts'
import { insertPayments } from './transactions.ts'
import { changeCallbacks } from './stored-forms.ts'

const { deps } = await startPayments()
const { db } = deps

/**
 * A lane with two failed payments. `fillLane` adds a paid payment. `sameOrder` has the same order as the paid payment, and
 * `sameCheckout` has the same checkout.
 */
interface OwnLane extends Lane {
  ownerId: string
  sameOrder: { paymentId: string; callbackId: string }
  sameCheckout: { paymentId: string; callbackId: string }
}

const LINK_CALLBACK = 'update callbacks set transaction_id = $2, checkout_id = $3 where id = $1'

async function addFailedPayment(lane: Lane, customId: string | null, checkoutId: string | null) {
  const { projectId, mode } = lane
  const [paymentId] = await insertPayments(deps, projectId, [{ mode, customId, state: 'failed' }])
  await rows(db, 'update transactions set checkout_id = $2 where id = $1', [paymentId, checkoutId])
  const [callbackId] = await queueCallbacks(db, projectId, 1, {
    mode,
    customId,
    result: 'fail',
    dueInSec: 3600,
  })
  await changeCallbacks(db, LINK_CALLBACK, [callbackId, paymentId, checkoutId])
  return { paymentId: paymentId!, callbackId: callbackId! }
}

async function addOwnLane(mode: Mode): Promise<OwnLane> {
  const { id: projectId } = await addPayProject(deps)
  const [project] = await rows<{ owner_id: string }>(db, 'select owner_id from projects where id = $1', [
    projectId,
  ])
  const lane = { projectId, mode }
  const sameOrder = await addFailedPayment(lane, SHARED_VALUES.paid, null)
  const sameCheckout = await addFailedPayment(lane, null, SHARED_VALUES.checkoutId)
  return { ...lane, ownerId: project!.owner_id, sameOrder, sameCheckout }
}

/** Whether a payment could be opened. The database transaction is rolled back. */
async function canOpen(lane: Lane, fields: Parameters<typeof newOrder>[1], hash: Buffer | null = null) {
  const undo = new Error('undone')
  let isOpened = false
  const opening = db.transaction(async (tx) => {
    const order = newOrder(lane.projectId, { mode: lane.mode, ...fields })
    isOpened = (await openPayment(tx, newUuidV7(deps.clock), order, 'sandbox', null, hash)) !== null
    throw undo
  })
  await assert.rejects(opening, undo)
  return isOpened
}

const QUARTER_MS = 15 * 60_000
const quarter = Math.floor(deps.clock.nowMs() / QUARTER_MS) * QUARTER_MS
const from = new Date(quarter - 4 * QUARTER_MS)
const to = new Date(quarter + 4 * QUARTER_MS)
const RANGE = { bucket: 'day' as const, from, wholeFrom: from, wholeTo: to, to, starts: [from] }
const PAGE = { after: null, offset: 0, limit: 50 } as const
const LOG_PAGE = { after: null, limit: 50 }

const toFilter = (lane: Lane, filters = {}) => toListFilter([lane.projectId], { mode: lane.mode, ...filters })
const toLogFilter = (lane: Lane, outcome: 'http_error' | null = null) => ({
  projectId: lane.projectId,
  modes: [lane.mode],
  statuses: ['pending', 'sending', 'delivered', 'exhausted', 'cancelled'] as const,
  outcome,
  from: null,
  to: null,
})
const findBlockingOf = async (
  ownLane: OwnLane,
  fields: Parameters<typeof newOrder>[1],
  hash: Buffer | null = null,
) =>
  (await findBlockingPayment(db, newOrder(ownLane.projectId, { mode: ownLane.mode, ...fields }), hash))
    ?.payment.id
const findTargetOf = (
  ownLane: OwnLane,
  customId: string | null,
  hash: Buffer | null,
  checkoutId: string | null,
) =>
  findPayTarget(
    db,
    { projectId: ownLane.projectId, mode: ownLane.mode, customId },
    [randomUUID()],
    hash,
    checkoutId,
  )

type Read = (ownLane: OwnLane) => Promise<unknown>

/** The queries of one lane. A blocking payment is one that prevents another payment of its order or checkout. */
const LANE_READS: Record<string, Read> = {
  'stats of a range': (ownLane) => readPaymentStats(db, ownLane.projectId, ownLane.mode, RANGE, null),
  'the stored total': (ownLane) => readStoredTotal(db, toFilter(ownLane)),
  'the stored total of open payments': (ownLane) =>
    readStoredTotal(db, toFilter(ownLane, { state: 'requires_action' })),
  'the counted total': (ownLane) => countFound(db, toFilter(ownLane)),
  'a page of payments': (ownLane) => findPage(db, toFilter(ownLane), { by: 'order', ...PAGE }),
  'a page by customId': (ownLane) =>
    findPage(db, toFilter(ownLane, { customId: SHARED_VALUES.failed }), { by: 'order', ...PAGE }),
  'a page by the hash of an erased customId': (ownLane) => {
    const filter = { ...toFilter(ownLane, { customId: 'gone' }), customIdHashes: [SHARED_VALUES.hash] }
    return findPage(db, filter, { by: 'order', ...PAGE })
  },
  'a search that reads the list in order': (ownLane) =>
    findPage(db, toFilter(ownLane, { q: SHARED_VALUES.data }), { by: 'order', ...PAGE }),
  'a search by the indexes of its filters': (ownLane) =>
    findPage(db, toFilter(ownLane, { q: 'order-' }), { by: 'candidates', ...PAGE }),
  'the check whether a search has few matches': (ownLane) => {
    const filter = toFilter(ownLane, { q: SHARED_VALUES.data })
    return probeCandidates(db, filter)
  },
  'the state of an order': (ownLane) =>
    findOrderState(db, ownLane.projectId, ownLane.mode, SHARED_VALUES.failed),
  'the state of an erased order': (ownLane) =>
    findOrderState(db, ownLane.projectId, ownLane.mode, 'gone', SHARED_VALUES.hash),
  'what was paid for an order': async (ownLane) =>
    (await findStatusFacts(db, ownLane.projectId, SHARED_VALUES.paid))?.paid[ownLane.mode],
  'what was paid for an erased order': async (ownLane) =>
    (await findStatusFacts(db, ownLane.projectId, 'gone', SHARED_VALUES.hash))?.paid[ownLane.mode],
  'whether the merchant has used a secret correctly': async (ownLane) =>
    (await findStatusFacts(db, ownLane.projectId, 'gone'))?.proved[ownLane.mode],
  'the blocking payment of an order': (ownLane) => findBlockingOf(ownLane, { customId: SHARED_VALUES.paid }),
  'the blocking payment in review': (ownLane) => findBlockingOf(ownLane, { customId: SHARED_VALUES.failed }),
  'the erased blocking payment': (ownLane) =>
    findBlockingOf(ownLane, { customId: 'gone' }, SHARED_VALUES.hash),
  'the payments that prevent resolving another payment as paid': async (ownLane) =>
    listHolders(db, await requirePayment(db, ownLane.sameOrder.paymentId), null),
  'the erased payments that prevent resolving another payment as paid': async (ownLane) =>
    listHolders(db, await requirePayment(db, ownLane.sameCheckout.paymentId), SHARED_VALUES.hash),
  'the orders with an open or paid payment': (ownLane) => listHeldOrders(db, ownLane, ''),
  'whether a payment can be opened for an order with a payment in review': (ownLane) =>
    canOpen(ownLane, { customId: SHARED_VALUES.failed }),
  'whether a payment can be opened in a checkout with a payment in review': (ownLane) =>
    canOpen(ownLane, { checkoutId: SHARED_VALUES.checkoutId }),
  'the blocking payment of a checkout': (ownLane) =>
    findBlockingOf(ownLane, { checkoutId: SHARED_VALUES.checkoutId }),
  'whether a payment can be opened for an erased order': (ownLane) =>
    canOpen(ownLane, { customId: 'gone' }, SHARED_VALUES.hash),
  'the pay page of an order': (ownLane) => findTargetOf(ownLane, SHARED_VALUES.paid, null, null),
  'the pay page of an order in review': (ownLane) => findTargetOf(ownLane, SHARED_VALUES.failed, null, null),
  'the pay page of an erased order': (ownLane) => findTargetOf(ownLane, 'gone', SHARED_VALUES.hash, null),
  'the other payment on the payer’s page': async (ownLane) =>
    (await findShownPayment(db, ownLane.sameOrder.paymentId))?.other,
  'whether another payment has paid the order of a failed payment': (ownLane) =>
    isSuperseded(db, ownLane.projectId, ownLane.sameOrder.callbackId),
  'whether another payment has paid in the checkout of a failed payment': (ownLane) =>
    isSuperseded(db, ownLane.projectId, ownLane.sameCheckout.callbackId),
  'failures of callbacks': (ownLane) => findFailures(db, ownLane),
  'the delivery log': (ownLane) => findLogPage(db, toLogFilter(ownLane), LOG_PAGE),
  'the delivery log, oldest first': (ownLane) =>
    findLogPage(db, { ...toLogFilter(ownLane), isOldestFirst: true }, LOG_PAGE),
  'the delivery log by outcome, oldest first': (ownLane) =>
    findLogPage(db, { ...toLogFilter(ownLane, 'http_error'), isOldestFirst: true }, LOG_PAGE),
  'the delivery log by outcome': (ownLane) => findLogPage(db, toLogFilter(ownLane, 'http_error'), LOG_PAGE),
  'the delivery log by customId': (ownLane) =>
    findLogPageByCustomId(db, toLogFilter(ownLane), 'order-', LOG_PAGE),
  'whether a callback of an order is queued': (ownLane) =>
    db.transaction((tx) => findQueuedOrders(tx, [{ ...ownLane, customId: 'order-expired' }])),
  'whether a callback of an order is being sent': (ownLane) =>
    db.transaction((tx) => findQueuedOrders(tx, [{ ...ownLane, customId: 'order-other' }])),
}

/** Rows of the other mode may change these results. */
const PROJECT_READS: Record<string, Read> = {
  'whether payments are open': (ownLane) => hasOpenPayments(db, [ownLane.projectId]),
  'first steps': (ownLane) => readFirstSteps(db, ownLane.projectId),
  'callbacks since a position': (ownLane) => findIdsSince(db, ownLane.projectId, 'at_0'),
}
const LIVE_READS: Record<string, Read> = {
  'today’s stats of the owner’s projects': (ownLane) => readProjectDays(db, ownLane.ownerId, from, null),
  'the last failure for the outage mail': (ownLane) => findLastFailure(db, ownLane.projectId),
  'the number of waiting callbacks for the outage mail': (ownLane) => countWaiting(db, ownLane.projectId),
}

async function readAll(ownLane: OwnLane, reads: Record<string, Read>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(reads)) found[name] = await read(ownLane)
  return found
}

async function fillOtherProject(): Promise<void> {
  const { id: projectId } = await addPayProject(deps)
  for (const mode of ['live', 'test'] as const) await fillLane(deps, { projectId, mode })
}

for (const mode of ['live', 'test'] as const) {
  test(`queries in ${mode} mode return no rows of other projects, and queries of one lane return no rows of the other mode`, async () => {
    const ownLane = await addOwnLane(mode)
    const perProject = { ...PROJECT_READS, ...(mode === 'live' ? LIVE_READS : {}) }
    const perLane = { ...LANE_READS, ...(mode === 'live' ? LIVE_READS : {}) }
    const before = await readAll(ownLane, { ...perLane, ...perProject })
    await fillOtherProject()
    const withOtherProjects = await readAll(ownLane, { ...perLane, ...perProject })
    for (const name of Object.keys(before)) assert.deepEqual(withOtherProjects[name], before[name], name)
    await fillLane(deps, { ...ownLane, mode: mode === 'live' ? 'test' : 'live' })
    const withOtherMode = await readAll(ownLane, perLane)
    for (const name of Object.keys(perLane)) assert.deepEqual(withOtherMode[name], before[name], name)
    await fillLane(deps, ownLane)
    const full = await readAll(ownLane, { ...perLane, ...perProject })
    for (const name of Object.keys(full))
      assert.notDeepEqual(full[name], before[name], `${name} does not see the rows of its own lane`)
  })
}

test('only the payments and callbacks of a project decide whether the project may be deleted', async () => {
  await fillOtherProject()
  const { id: projectId } = await addPayProject(deps)
  const readBlockers = async () => [
    await hasOpenPayments(db, [projectId]),
    await hasLivePayments(db, projectId),
    await hasQueuedCallbacks(db, [projectId]),
    (await db.transaction((tx) => listTestPayments(tx, projectId, 10))).length,
  ]
  assert.deepEqual(await readBlockers(), [false, false, false, 0])
  await insertPayments(deps, projectId, [{ mode: 'test' }])
  assert.deepEqual(await readBlockers(), [false, false, false, 1])
  for (const mode of ['live', 'test'] as const) {
    for (const state of ['processing', 'requires_action'] as const) {
      const { id } = await addPayProject(deps)
      await insertPayments(deps, id, [{ mode, state }])
      assert.equal(await hasOpenPayments(db, [id]), true, `${mode} ${state}`)
    }
    for (const status of ['pending', 'sending'] as const) {
      const { id } = await addPayProject(deps)
      await queueCallbacks(db, id, 1, { mode })
      const lease = `lease_until = case $2 when 'sending' then now() end`
      await changeCallbacks(db, `update callbacks set status = $2, ${lease} where project_id = $1`, [
        id,
        status,
      ])
      assert.equal(await hasQueuedCallbacks(db, [id]), true, `${mode} ${status}`)
    }
  }
})

const TABLES = ['transactions', 'callbacks', 'callback_lanes', 'project_secrets', 'payment_figures'] as const

async function readRows(
  { projectId, mode }: Lane,
  lanes: 'own' | 'others',
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const table of TABLES) {
    found[table] = await rows(
      db,
      `select t::text as row from ${table} t where ((project_id, mode) = ($1, $2)) = $3 order by 1`,
      [projectId, mode, lanes === 'own'],
    )
  }
  return found
}

async function requireOpenPaymentId(ownLane: OwnLane): Promise<string> {
  const [row] = await rows<{ id: string }>(
    db,
    `select id from transactions where project_id = $1 and mode = $2 and custom_id = 'order-open'`,
    [ownLane.projectId, ownLane.mode],
  )
  return row!.id
}

const toFacts = (ownLane: OwnLane, transactionId: string, customId: string) => ({
  status: 'success' as const,
  projectId: ownLane.projectId,
  transactionId,
  mode: ownLane.mode,
  amount: '1500',
  currency: 'EUR',
  customId,
  createdAt: '2026-11-16T00:00:00.000Z',
})
const newCallbackId = () => `msg_${randomUUID().replaceAll('-', '')}`
const epoch = new Date(0)

/** The statements run in this order, so that each statement finds something to change. */
const WRITES: Record<string, (ownLane: OwnLane) => Promise<unknown>> = {
  'an attempt of a killed process is recorded as interrupted': (ownLane) =>
    interruptAttempts(db, ownLane, [toSendingEntry(ownLane.sameOrder.callbackId, 0, 'auto')]),
  'the circuit breaker allows a new probe': (ownLane) => allowProbe(db, ownLane.projectId, ownLane.mode),
  'the next attempts of waiting callbacks are brought forward': (ownLane) =>
    hastenLane(db, {
      projectId: ownLane.projectId,
      mode: ownLane.mode,
      recoveredAt: new Date().toISOString(),
    }),
  'failed callbacks start a new round of attempts': (ownLane) =>
    startNewRounds(db, ownLane.projectId, ownLane.mode, epoch),
  'a payment succeeds and cancels the callbacks about failed payments of its checkout': async (ownLane) => {
    const id = await requireOpenPaymentId(ownLane)
    const end = { state: 'succeeded', failureCode: null, upstreamRef: null } as const
    await settlePayment(db, id, end, { id: newCallbackId(), facts: toFacts(ownLane, id, 'order-open') })
  },
  'the result of an operator’s decision cancels the callbacks about failed payments of its order': (
    ownLane,
  ) =>
    db.transaction(async (tx) => {
      const { paymentId } = ownLane.sameOrder
      const facts = toFacts(ownLane, paymentId, SHARED_VALUES.paid)
      await replaceResult(tx, { id: newCallbackId(), checkoutId: null, facts })
    }),
  'a secret is replaced': (ownLane) =>
    db.transaction((tx) =>
      replaceSecret(tx, ownLane.projectId, ownLane.mode, { sealed: Buffer.from('other'), version: 9 }),
    ),
  'the correct use of a secret is recorded': async (ownLane) => {
    const forget = 'update project_secrets set proved_at = null where project_id = $1 and mode = $2'
    await rows(db, forget, [ownLane.projectId, ownLane.mode])
    await recordProved(db, ownLane.projectId, ownLane.mode)
  },
}

for (const mode of ['live', 'test'] as const) {
  test(`statements that change a project in ${mode} mode change no rows of other projects or of the other mode`, async () => {
    const ownLane = await addOwnLane(mode)
    await fillOtherProject()
    await fillLane(deps, { ...ownLane, mode: mode === 'live' ? 'test' : 'live' })
    await fillLane(deps, ownLane)
    for (const [name, write] of Object.entries(WRITES)) {
      const [ownRows, otherRows] = [await readRows(ownLane, 'own'), await readRows(ownLane, 'others')]
      await write(ownLane)
      assert.deepEqual(await readRows(ownLane, 'others'), otherRows, name)
      assert.notDeepEqual(await readRows(ownLane, 'own'), ownRows, `${name}: nothing changed`)
    }
  })
}

test('only the lane of a callback decides whether the payer waits for the callback', async () => {
  const { id: projectId } = await addPayProject(deps)
  const deliverQuickly = async (lane: Lane) => {
    const ids = await queueCallbacks(db, lane.projectId, 5, { mode: lane.mode })
    await changeCallbacks(
      db,
      `with done as (update callbacks set status = 'delivered', delivered_at = now(), attempts = 1
         where id = any($1) returning project_id, id)
       insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
       select project_id, id, 1, 'https://merchant.example/', now(), 100, 'delivered' from done`,
      [ids],
    )
  }
  const [paymentId] = await insertPayments(deps, projectId, [{}])
  const [callbackId] = await queueCallbacks(db, projectId)
  await changeCallbacks(db, 'update callbacks set transaction_id = $2 where id = $1', [callbackId, paymentId])
  const isPrompt = async () => (await findAwaitedResult(db, paymentId!))!.isPrompt
  const { id: other } = await addPayProject(deps)
  for (const lane of [
    { projectId, mode: 'test' },
    { projectId: other, mode: 'live' },
  ] as const) {
    await deliverQuickly(lane)
    assert.equal(await isPrompt(), false)
  }
  await deliverQuickly({ projectId, mode: 'live' })
  assert.equal(await isPrompt(), true)
  const failing = `insert into callback_lanes (project_id, mode, failures_in_row, failing_since) values ($1, $2, 1, now())`
  await rows(db, failing, [other, 'live'])
  await rows(db, failing, [projectId, 'test'])
  assert.equal(await isPrompt(), true)
  await rows(db, failing, [projectId, 'live'])
  assert.equal(await isPrompt(), false)
})
