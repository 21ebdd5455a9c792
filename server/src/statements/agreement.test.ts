// These tests run random histories of payments, refunds, disputes and reviews at every upstream. Afterwards the statement,
// the CSV file, the stats, the events and the upstream's own lists must all have the same sums, to the cent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventPage, EventView, Mode, StatementView, StatsView } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import type { BookWorld, DisputeStatus } from '../../test/book-worlds.ts'
import {
  startHttpWorld,
  createSandboxWorld,
  scriptSandboxDisputes,
  startStripeWorld,
} from '../../test/book-worlds.ts'
import { openBooks, sumAmounts, toMonth } from '../../test/books.ts'
import type { Client } from '../../test/client.ts'
import { signUp } from '../../test/client.ts'
import { countRounds } from '../../test/counts.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder, refillQuotas, requirePayment, resolveOpenPayments } from '../../test/payments.ts'
import { refund, resolveRefunds } from '../../test/refunds.ts'
import { reportCharge } from '../../test/reviewed-payments.ts'
import type { Pager } from '../backends/pager.ts'
import { createDisputePoll } from '../disputes/receive.ts'
import { checkBooks } from '../reconciliation/check-books.ts'
import { systemClock, toDate } from '../lib/clock.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'
import type { Deps } from '../wire.ts'

interface Setup {
  world: BookWorld
  deps: Deps
  owner: Client
  projectId: string
  disputeSandbox: ReturnType<typeof scriptSandboxDisputes>
  disputed: Map<string, DisputeStatus>
}

async function start(world: BookWorld): Promise<Setup> {
  const { app, deps } = await startTestService(world.env)
  const disputeSandbox = scriptSandboxDisputes(deps)
  const owner = await signUp(app)
  await owner.stepUp()
  const { id: projectId } = await owner.addProject({ timeZone: 'UTC' })
  return { world, deps, owner, projectId, disputeSandbox, disputed: new Map() }
}

/** The same seed gives the same numbers; the title of a failed test has the seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const DISPUTE_STATES: DisputeStatus[] = ['inquiry', 'open', 'won', 'lost']

async function dispute(setup: Setup, id: string, random: (below: number) => number): Promise<void> {
  const { deps, world, disputed } = setup
  const payment = await requirePayment(deps.db, id)
  const lastStatus = disputed.get(id)
  const status = DISPUTE_STATES[random(4)]!
  const amount = BigInt(1 + random(Number(payment.amount % 10_000n) || 1))
  if (lastStatus === 'won' || lastStatus === 'lost' || (lastStatus && status === 'inquiry')) return
  disputed.set(id, status)
  if (payment.backend === 'sandbox') setup.disputeSandbox(payment, status, amount)
  else await world.dispute(payment, status, amount)
  // The first call of a new poll always reads the lists.
  await createDisputePoll(deps)()
}

async function pay(setup: Setup, random: (below: number) => number): Promise<string | null> {
  const { deps, world, projectId } = setup
  const mode = random(4) === 0 ? 'test' : 'live'
  const amount = world.amounts[random(world.amounts.length)]!
  const order = newOrder(projectId, { amount, mode })
  await confirmPayment(deps, order)
  const text = 'select id from transactions where attempt_id = $1'
  const { id } = (await rows<{ id: string }>(deps.db, text, [order.attemptId]))[0]!
  if (mode === 'live') world.act(id)
  await resolveOpenPayments(deps)
  if ((await requirePayment(deps.db, id)).state === 'succeeded') return id
  if (random(2) === 0) {
    await reportCharge(deps, id)
    const as = random(2) === 0 ? 'paid' : 'unpaid'
    await resolvePayment(deps, id, { as, reason: 'decided', by: 'operator' })
  }
  return null
}

async function runHistory(setup: Setup, random: (below: number) => number, steps: number): Promise<void> {
  const { owner, projectId, world } = setup
  const paid: string[] = []
  for (let step = 0; step < steps; step += 1) {
    const action = random(10)
    const id = paid[random(paid.length)]
    if (action < 5 || id === undefined) {
      const newPayment = await pay(setup, random)
      if (newPayment !== null) paid.push(newPayment)
    } else if (action < 8) {
      const amount = world.refundAmounts[random(world.refundAmounts.length)]
      await refund(owner, { projectId, id }, amount === undefined ? {} : { amount })
    } else await dispute(setup, id, random)
  }
}

/**
 * Looks up the refunds that got no response, lets the sandbox return the money of refunds with the amount 4009 to the
 * merchant, and resolves the payments in review.
 */
async function settle({ deps }: Setup): Promise<void> {
  const { db } = deps
  await resolveRefunds(deps)
  await rows(
    db,
    "update sandbox_refunds set returns_at = now() - interval '1 second' where returns_at is not null",
  )
  // Only these refunds are made due, because the lookups of one call of resolveRefunds are limited.
  await rows(db, "update refunds set next_check_at = now() where state = 'succeeded' and amount = 4009")
  await resolveRefunds(deps)
  // Refunds and disputes that exceed a payment put it in review.
  const reviewed = await rows<{ id: string }>(db, 'select id from transactions where needs_review')
  for (const { id } of reviewed)
    await resolvePayment(deps, id, { as: 'paid', reason: 'it was paid', by: 'operator' })
}

async function sumEvents({ owner, projectId }: Setup, mode: Mode): Promise<bigint> {
  const lastEvents = new Map<string, EventView>()
  let after: string | undefined
  for (;;) {
    const body = { projectId, mode, limit: 500, ...(after && { after }) }
    const page = (await owner.post('/sdk/events/list', body)).json<EventPage>()
    for (const event of page.items) {
      const object = 'refundId' in event ? event.refundId : 'disputeId' in event ? event.disputeId : ''
      lastEvents.set(`${event.transactionId} ${object}`, event)
    }
    after = page.next
    if (!page.hasMore) break
  }
  let sum = 0n
  for (const { type, payload } of lastEvents.values()) {
    const amount = BigInt(payload.amount)
    if (type.startsWith('payment')) sum += 'successful' in payload && payload.successful ? amount : 0n
    else if (type.startsWith('refund')) sum -= payload.state === 'succeeded' ? amount : 0n
    else sum -= payload.state === 'open' || payload.state === 'lost' ? amount : 0n
  }
  return sum
}

async function readAll<Item>(list: Pager<Item>): Promise<Item[]> {
  const found: Item[] = []
  let cursor: string | null = null
  do {
    const page = await list({ since: toDate(systemClock.nowMs() - 3_600_000), cursor })
    found.push(...page.items)
    cursor = page.next
  } while (cursor !== null)
  return found
}

/** Sums up the lists of the upstream. If an operator resolved a payment, the operator's decision counts instead. */
async function sumUpstream({ deps }: Setup, mode: Mode): Promise<bigint> {
  const { lists, disputes } = deps.backends[mode]
  const ours = await rows<{
    id: string
    upstream_ref: string | null
    amount: bigint
    resolution: string | null
  }>(deps.db, 'select id, upstream_ref, amount, resolution from transactions where mode = $1', [mode])
  const byId = new Map(ours.map((one) => [one.id, one]))
  const byCharge = new Map(ours.map((one) => [one.upstream_ref ?? '', one]))
  const isOfMode = (one: { paymentId: string | null; chargeId: string | null }) =>
    one.paymentId === null ? byCharge.has(one.chargeId ?? '') : byId.has(one.paymentId)
  const sum = (amounts: readonly { amount: bigint }[]) =>
    amounts.reduce((all, { amount }) => all + amount, 0n)
  const charged = (await readAll(lists!.payments)).filter(
    ({ id, status }) => status === 'succeeded' && byId.get(id)?.resolution === null,
  )
  const refunded = (await readAll(lists!.refunds)).filter(
    (one) => one.status === 'succeeded' && isOfMode(one),
  )
  const taken = (await readAll(disputes!.list)).filter(
    (one) => (one.status === 'open' || one.status === 'lost') && isOfMode(one),
  )
  const decided = ours.filter(({ resolution }) => resolution === 'paid')
  return sum(charged) + sum(decided) - sum(refunded) - sum(taken)
}

async function readStats({ owner, projectId }: Setup, mode: Mode): Promise<StatsView> {
  return (await owner.get(`/portal/api/projects/${projectId}/stats?mode=${mode}`)).json<StatsView>()
}

function assertAddsUp({ days, totals }: StatementView): void {
  for (const field of ['gross', 'refunds', 'returned', 'disputes', 'net'] as const)
    assert.equal(days.reduce((sum, day) => sum + BigInt(day[field]), 0n).toString(), totals[field])
  const { gross, refunds, returned, disputes, net } = totals
  assert.equal(BigInt(gross) - BigInt(refunds) + BigInt(returned) - BigInt(disputes), BigInt(net))
}

async function assertAgree(setup: Setup): Promise<void> {
  const books = openBooks(setup.owner, setup.projectId, toMonth(toDate(systemClock.nowMs())))
  for (const mode of ['live', 'test'] as const) {
    const statement = await books.readStatement(`&mode=${mode}`)
    assertAddsUp(statement)
    const { net, gross, payments } = statement.totals
    assert.equal(sumAmounts(await books.readCsv(`&mode=${mode}`)).toString(), net, `${mode}: CSV`)
    assert.equal((await sumEvents(setup, mode)).toString(), net, `${mode}: events`)
    assert.equal((await sumUpstream(setup, mode)).toString(), net, `${mode}: upstream`)
    const stats = await readStats(setup, mode)
    assert.deepEqual([stats.volume, stats.succeeded, stats.net], [gross, payments, net], `${mode}: stats`)
  }
}

async function assertBooksChecked({ deps, world }: Setup): Promise<void> {
  await refillQuotas(deps.db)
  const nowMs = systemClock.nowMs()
  const [checked, ...others] = await checkBooks(deps, { fromMs: nowMs - 3_600_000, toMs: nowMs + 60_000 })
  assert.deepEqual(others, [])
  assert.deepEqual([checked?.upstream, checked?.differences], [world.name, []])
}

/** There are fewer histories at upstreams where a history takes longer. */
const HISTORIES_PER_WORLD = [
  [createSandboxWorld(), countRounds('bookHistories')],
  [await startHttpWorld(), Math.ceil(countRounds('bookHistories') / 4)],
  [await startStripeWorld(), Math.ceil(countRounds('bookHistories') / 4)],
] as const

for (const [world, histories] of HISTORIES_PER_WORLD) {
  const setup = await start(world)
  for (let seed = 1; seed <= histories; seed += 1)
    test(`${world.name}, history ${seed}: statement, CSV, stats, events and the upstream's ledger agree`, async () => {
      await runHistory(setup, createRandom(seed), 40)
      await settle(setup)
      await assertAgree(setup)
      await assertBooksChecked(setup)
    })
}
