// Two readers read the events while payments change at two replicas. Transactions commit late or roll back, the replicas
// and the database restart, and another database has an open transaction.
// Why this is long: all faults use the same readers and checks.
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EventView } from '@pazar/contract'
import { findAccountByEmail } from '../../src/accounts/accounts-store.ts'
import { toEmailKey } from '../../src/accounts/email-address.ts'
import { addEvent } from '../../src/feed/inbox-store.ts'
import { listEvents } from '../../src/feed/list-events.ts'
import { publishWaiting } from '../../src/feed/publish.ts'
import { ServiceError } from '../../src/lib/service-error.ts'
import { confirmPayment } from '../../src/payments/confirm.ts'
import { resolvePayment } from '../../src/payments/resolution/resolve.ts'
import { requestRefund } from '../../src/refunds/request-refund.ts'
import type { Deps } from '../../src/wire.ts'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { newOrder, resolveOpenPayments, startPayments } from '../payments.ts'
import { startRestartableDatabase } from '../restartable-database.ts'
import { reportCharge } from '../reviewed-payments.ts'

const WRITERS = 6
const RESTARTS = 3
const PAGE_SIZE = 50
/** The pause after an empty page. Without it, the readers would slow down the writers. */
const READ_PAUSE_MS = 30

const database = await startRestartableDatabase()
const { deps: firstReplica, projectId, replica } = await startPayments({}, { databaseUrl: database.url })
after(() => database.stop())
const [owned] = await rows<{ email: string }>(
  firstReplica.db,
  'select a.email from projects p join accounts a on a.id = p.owner_id where p.id = $1',
  [projectId],
)
const account = (await findAccountByEmail(firstReplica.db, toEmailKey(owned!.email)))!
const owner = { account, sessionId: null, token: null, stepUpUntil: null, ip: '', userAgent: '' }
/** Both are restarted during the test. */
const replicas: Deps[] = [await replica(), await replica()]
const anyReplica = () => replicas[randomInt(replicas.length)]!

/** Returns null if `work` fails during a restart. The work may be done nevertheless. */
async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const isExpected = error instanceof ServiceError || /closed|ended|terminat|ECONN/i.test(String(error))
    if (!isExpected) throw error
    await sleep(50)
    return null
  }
}

async function refund(transactionId: string): Promise<void> {
  const body = { projectId, transactionId, amount: '500', idempotencyKey: randomUUID() }
  await requestRefund(anyReplica(), owner, body, () => undefined)
}

/** Returns the number of changes: 0 without a payment, 4 with a refund or a review, otherwise 2. */
async function pay(n: number): Promise<number> {
  const deps = anyReplica()
  const isReviewed = n % 5 === 0
  const outcome = await confirmPayment(deps, newOrder(projectId, { amount: isReviewed ? 4000n : 1500n }))
  if (outcome.kind !== 'payment') return 0
  if (outcome.payment.state === 'succeeded' && n % 3 === 0) {
    await refund(outcome.payment.id)
    return 4
  }
  if (outcome.payment.state !== 'failed') return 2
  await reportCharge(anyReplica(), outcome.payment.id)
  await resolvePayment(anyReplica(), outcome.payment.id, { as: 'paid', reason: 'test', by: 'operator' })
  return 4
}

const REFUND_FACTS = {
  amount: '100',
  state: 'processing',
  failureCode: null,
  origin: 'api',
  refundedTotal: '0',
  upstreamRef: null,
  createdAt: '2026-11-16T10:00:00.000Z',
  completedAt: null,
} as const

/** The transaction stays open for up to 200 ms, so that others commit first. */
async function addLateEvent(transactionId: string, isRolledBack: boolean): Promise<string> {
  const refundId = `re_${randomUUID()}`
  const work = anyReplica().db.transaction(async (tx) => {
    const subject = { projectId, mode: 'live', transactionId } as const
    await addEvent(tx, { ...subject, type: 'refund.created', refundId, facts: REFUND_FACTS })
    await sleep(randomInt(200))
    if (isRolledBack) throw new Error('rolled back')
  })
  if (isRolledBack) await assert.rejects(work)
  else await work
  return refundId
}

const toSeconds = (ms: number) => Math.round(ms / 1000)

interface Reader {
  events: EventView[]
  /** Call it after the writers have stopped. It resolves when all events are read. */
  finish(): Promise<void>
}

/** Reads each page from a random replica. */
function startReader(): Reader {
  const events: EventView[] = []
  let after: string | undefined
  let isFinishing = false
  async function read(): Promise<void> {
    for (;;) {
      const wasFinishing = isFinishing
      const page = await attempt(() =>
        listEvents(anyReplica(), account.id, { projectId, after, limit: PAGE_SIZE }),
      )
      if (page === null) continue
      events.push(...page.items)
      after = page.next
      if (page.items.length > 0) continue
      if (wasFinishing && !page.hasMore) return
      await sleep(READ_PAUSE_MS)
    }
  }
  const reading = read()
  return {
    events,
    finish() {
      isFinishing = true
      return reading
    },
  }
}

async function restartReplica(index: number): Promise<void> {
  const oldReplica = replicas[index]!
  replicas[index] = await replica()
  await oldReplica.db.close()
}

/** Opens a transaction that has a transaction id, and leaves the transaction open. */
async function openInOtherDatabase(): Promise<pg.Client> {
  const url = new URL(database.adminUrl)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  // The connection ends when the database crashes.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin; select pg_current_xact_id()')
  return client
}

interface PaymentRow {
  id: string
  refund_state: string | null
  ended: boolean
  needs_review: boolean
  resolved: boolean
}

function toExpected({ ended, needs_review, resolved, refund_state }: PaymentRow): string[] {
  return [
    'payment.created',
    ...(ended ? ['payment.result'] : []),
    ...(needs_review || resolved ? ['payment.review'] : []),
    ...(resolved ? ['payment.result'] : []),
    ...(refund_state === null ? [] : ['refund.created']),
    ...(refund_state === null || refund_state === 'processing' ? [] : ['refund.result']),
  ]
}

/** The payment `latePaymentId` has refund events from addLateEvent, but no refunds in the database. */
async function assertComplete(events: readonly EventView[], latePaymentId: string): Promise<void> {
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length, 'no event is read twice')
  const isReal = ({ type, transactionId }: EventView) =>
    transactionId !== latePaymentId || type.startsWith('payment.')
  const read = Map.groupBy(events.filter(isReal), ({ transactionId }) => transactionId)
  const payments = await rows<PaymentRow>(
    firstReplica.db,
    `select t.id, t.completed_at is not null as ended, t.needs_review, t.resolution is not null as resolved,
       r.state as refund_state from transactions t left join refunds r on r.transaction_id = t.id`,
  )
  for (const payment of payments) {
    const types = read.get(payment.id)?.map(({ type }) => type) ?? []
    assert.deepEqual(types, toExpected(payment), payment.id)
  }
  assert.equal(read.size, payments.length)
}

test('each reader gets each event once, and a payment’s events in order, despite late commits and restarts', async (t) => {
  const changes = countRounds('feedChanges', t)
  const paymentId = randomUUID()
  await rows(
    firstReplica.db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency)
     values ($1, $2, 'live', gen_random_uuid(), 100000, 'EUR')`,
    [paymentId, projectId],
  )
  let openTransaction = await openInOtherDatabase()
  const openedMs = performance.now()
  const readers = [startReader(), startReader()]
  const lateRefundIds = new Set<string>()
  const rolledBackRefundIds = new Set<string>()
  let changeCount = 0
  let paymentCount = 0
  const write = async () => {
    while (changeCount < changes) {
      const n = (paymentCount += 1)
      const changed = await attempt(() => pay(n))
      changeCount += changed ?? 0
      if (n % 7 === 0) await attempt(async () => lateRefundIds.add(await addLateEvent(paymentId, false)))
      if (n % 17 === 0)
        await attempt(async () => rolledBackRefundIds.add(await addLateEvent(paymentId, true)))
      if (n % 5 === 0) await attempt(() => publishWaiting(anyReplica()))
    }
  }
  const restart = async () => {
    for (let n = 1; n <= RESTARTS; n += 1) {
      while (changeCount < (changes * n) / (RESTARTS + 1)) await sleep(20)
      await restartReplica(n % replicas.length)
    }
    t.diagnostic(
      `a transaction of another database was open for ${toSeconds(performance.now() - openedMs)} s`,
    )
    await database.crash()
    await database.start()
    openTransaction = await openInOtherDatabase()
  }
  await Promise.all([restart(), ...Array.from({ length: WRITERS }, write)])
  await resolveOpenPayments(firstReplica)
  await Promise.all(readers.map((reader) => reader.finish()))
  // The transaction was still open when the readers reached the end, so it did not delay them.
  await openTransaction.query('commit')
  await openTransaction.end()

  const [events, others] = readers.map((reader) => reader.events)
  t.diagnostic(`${events!.length} events were read`)
  assert.deepEqual(others, events, 'every reader reads the same order')
  await assertComplete(events!, paymentId)
  const refundIds = new Set(events!.flatMap((event) => ('refundId' in event ? [event.refundId] : [])))
  assert.ok(
    [...lateRefundIds].every((id) => refundIds.has(id)),
    'every committed event is read',
  )
  assert.ok(
    ![...rolledBackRefundIds].some((id) => refundIds.has(id)),
    'no event that was rolled back is read',
  )
  assert.ok(events!.length >= changes)
})
