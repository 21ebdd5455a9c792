// Random histories of payments, refunds, disputes and reviews: statement, CSV, stats, events and the upstream's own ledger
// come to the same sums, to the cent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPage, EventView, Mode, StatementView, StatsView } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { booksOf, sumAmounts, toMonth } from '../../test/books.ts'
import { signUp } from '../../test/client.ts'
import { count } from '../../test/counts.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder, requireStored, resolveAll } from '../../test/payments.ts'
import { refund, resolveRefunds } from '../../test/refunds.ts'
import { reportCharge } from '../../test/reviewed-payments.ts'
import type { DisputeReport } from '../backends/backend.ts'
import { recordDispute } from '../disputes/record-dispute.ts'
import { systemClock, toDate } from '../lib/clock.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { resolvePayment } from '../payments/resolve.ts'

const { app, deps } = await startTestService()
const { db } = deps
const owner = await signUp(app)
await owner.stepUp()
const { id: projectId } = await owner.addProject({ timeZone: 'UTC' })
const books = booksOf(owner, projectId, toMonth(toDate(systemClock.nowMs())))

/** Repeatable: a failure names its seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const AMOUNTS = [1n, 999n, 1500n, 123_456n, 999_999_999_999n, 4000n, 4001n, 4002n, 4003n, 4005n, 4007n]
const REFUND_AMOUNTS = [undefined, '1', '500', '4000', '4002', '4005', '4009']
const DISPUTE_STATES: DisputeReport['status'][] = ['inquiry', 'open', 'won', 'lost']

/** What the upstream holds beyond its payments and refunds: the disputes that were reported. */
const disputed = new Map<string, { mode: Mode; amount: bigint; status: DisputeReport['status'] }>()

async function dispute(id: string, random: (below: number) => number): Promise<void> {
  const payment = await requireStored(db, id)
  const upstreamRef = `du_${id}`
  const amount =
    disputed.get(upstreamRef)?.amount ?? BigInt(1 + random(Number(payment.amount % 10_000n) || 1))
  const status = DISPUTE_STATES[random(4)]!
  await recordDispute(deps, payment, {
    paymentId: id,
    chargeId: null,
    status,
    amount,
    currency: 'EUR',
    upstreamRef,
    reason: null,
    respondBy: null,
  })
  const known = disputed.get(upstreamRef)
  const isNews =
    !known || (known.status !== 'won' && known.status !== 'lost' && DISPUTE_STATES.indexOf(status) > 0)
  if (isNews) disputed.set(upstreamRef, { mode: payment.mode, amount, status })
}

async function live(random: (below: number) => number, steps: number): Promise<void> {
  const paid: string[] = []
  for (let step = 0; step < steps; step += 1) {
    const act = random(10)
    const id = paid[random(paid.length)]
    if (act < 5 || id === undefined) {
      const mode = random(4) === 0 ? 'test' : 'live'
      const outcome = await confirmPayment(
        deps,
        newOrder(projectId, { amount: AMOUNTS[random(AMOUNTS.length)]!, mode }),
      )
      await resolveAll(deps)
      if (outcome.kind !== 'payment') continue
      const payment = await requireStored(db, outcome.payment.id)
      if (payment.state === 'succeeded') paid.push(payment.id)
      else if (random(2) === 0) {
        await reportCharge(deps, payment.id)
        const as = random(2) === 0 ? 'paid' : 'unpaid'
        await resolvePayment(deps, payment.id, { as, reason: 'decided', by: 'operator' })
      }
    } else if (act < 8) {
      const amount = REFUND_AMOUNTS[random(REFUND_AMOUNTS.length)]
      await refund(owner, { projectId, id }, amount === undefined ? {} : { amount })
    } else await dispute(id, random)
  }
}

/** Refunds of 4009 come back, and refunds without a response are looked up. */
async function settle(): Promise<void> {
  await resolveRefunds(deps)
  await rows(
    db,
    "update sandbox_refunds set returns_at = now() - interval '1 second' where returns_at is not null",
  )
  // Only those, because the lookups of one call of resolveRefunds are limited.
  await rows(db, "update refunds set next_check_at = now() where state = 'succeeded' and amount = 4009")
  await resolveRefunds(deps)
  // Refunds and disputes that exceed a payment put it in review.
  const reviewed = await rows<{ id: string }>(db, 'select id from transactions where needs_review')
  for (const { id } of reviewed)
    await resolvePayment(deps, id, { as: 'paid', reason: 'it was paid', by: 'operator' })
}

/** The last state of each payment, refund and dispute in the feed decides what it comes to. */
async function sumEvents(mode: Mode): Promise<bigint> {
  const last = new Map<string, EventView>()
  let after: string | undefined
  for (;;) {
    const body = { projectId, mode, limit: 500, ...(after && { after }) }
    const page = (await owner.post('/sdk/events/list', body)).json<EventPage>()
    for (const event of page.items) {
      const object = 'refundId' in event ? event.refundId : 'disputeId' in event ? event.disputeId : ''
      last.set(`${event.transactionId} ${object}`, event)
    }
    after = page.next
    if (!page.hasMore) break
  }
  let sum = 0n
  for (const { type, payload } of last.values()) {
    const amount = BigInt(payload.amount)
    if (type.startsWith('payment')) sum += 'successful' in payload && payload.successful ? amount : 0n
    else if (type.startsWith('refund')) sum -= payload.state === 'succeeded' ? amount : 0n
    else sum -= payload.state === 'open' || payload.state === 'lost' ? amount : 0n
  }
  return sum
}

/** From the sandbox's own tables; a payment that an operator decided counts as decided. */
async function sumUpstream(mode: Mode): Promise<bigint> {
  const [row] = await rows<{ charged: bigint; refunded: bigint }>(
    db,
    `select coalesce(sum(case when t.resolution = 'paid' then t.amount when c.status = 'succeeded' then c.amount end), 0)::bigint as charged,
       coalesce(sum((select sum(r.amount) from sandbox_refunds r where r.payment_id = c.id and r.status = 'succeeded'
         and r.returns_at is null)), 0)::bigint as refunded
     from sandbox_charges c join transactions t on t.id = c.id where t.mode = $1`,
    [mode],
  )
  const taken = [...disputed.values()]
    .filter((one) => one.mode === mode && (one.status === 'open' || one.status === 'lost'))
    .reduce((sum, one) => sum + one.amount, 0n)
  return row!.charged - row!.refunded - taken
}

async function readStats(mode: Mode): Promise<StatsView> {
  return (await owner.get(`/portal/api/projects/${projectId}/stats?mode=${mode}`)).json<StatsView>()
}

function assertAddsUp({ days, totals }: StatementView): void {
  for (const field of ['gross', 'refunds', 'returned', 'disputes', 'net'] as const)
    assert.equal(days.reduce((sum, day) => sum + BigInt(day[field]), 0n).toString(), totals[field])
  const { gross, refunds, returned, disputes, net } = totals
  assert.equal(BigInt(gross) - BigInt(refunds) + BigInt(returned) - BigInt(disputes), BigInt(net))
}

for (let seed = 1; seed <= count('bookHistories'); seed += 1)
  test(`history ${seed}: statement, CSV, stats, events and the upstream's ledger agree`, async () => {
    await live(createRandom(seed), 40)
    await settle()
    for (const mode of ['live', 'test'] as const) {
      const statement = await books.statement(`&mode=${mode}`)
      assertAddsUp(statement)
      const { net, gross, payments } = statement.totals
      assert.equal(sumAmounts(await books.csv(`&mode=${mode}`)).toString(), net, `${mode}: CSV`)
      assert.equal((await sumEvents(mode)).toString(), net, `${mode}: events`)
      assert.equal((await sumUpstream(mode)).toString(), net, `${mode}: upstream`)
      const stats = await readStats(mode)
      assert.deepEqual([stats.volume, stats.succeeded, stats.net], [gross, payments, net], `${mode}: stats`)
    }
  })
