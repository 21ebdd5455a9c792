import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { startStripeStandIn } from '../../test/stripe-stand-in.ts'
import { startUpstream, UPSTREAM_SECRET } from '../../test/upstream-process.ts'
import { createHttpBackend } from '../backends/http.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Payment } from '../payments/payment.ts'
import { refreshPayment } from '../payments/reconcile.ts'
import type { Deps } from '../wire.ts'
import { listDisputes } from './disputes-store.ts'
import { createDisputePoll } from './receive.ts'

const upstream = await startUpstream()
after(() => upstream.stop())
const standIn = await startStripeStandIn()
after(() => standIn.close())

interface Polled {
  deps: Deps
  projectId: string
  /** What the payer does before the payment is looked up. */
  act: (id: string) => void
  dispute: (id: string, status: 'inquiry' | 'open' | 'won' | 'lost') => Promise<void>
}

const STRIPE_STATUS = {
  inquiry: 'warning_needs_response',
  open: 'needs_response',
  won: 'won',
  lost: 'lost',
} as const

const POLLED: Record<string, Polled> = {
  http: {
    ...(await startPayments(upstream.env)),
    act: () => undefined,
    dispute: (id, status) => upstream.disputeAtBank(id, { status, amount: 700n }),
  },
  stripe: {
    ...(await startPayments(standIn.env)),
    act: (id) => standIn.act(id, 'pay'),
    dispute: async (id, status) => void standIn.dispute(id, STRIPE_STATUS[status], 700),
  },
}

async function pay({ deps, projectId, act }: Polled): Promise<Payment> {
  const order = newOrder(projectId)
  await confirmPayment(deps, order)
  const text = 'select id from transactions where attempt_id = $1'
  const { id } = (await rows<{ id: string }>(deps.db, text, [order.attemptId]))[0]!
  act(id)
  const paid = await refreshPayment(deps, await requirePayment(deps.db, id))
  assert.equal(paid.state, 'succeeded')
  return paid
}

for (const [name, polled] of Object.entries(POLLED)) {
  const { deps, dispute } = polled
  const read = ({ projectId, id }: Payment) => listDisputes(deps.db, projectId, id)
  /** Polls like a process that has just started. */
  const poll = () => createDisputePoll(deps)()

  test(`${name}: a dispute without a webhook is found and updated by polling, and each change is recorded once`, async () => {
    const payment = await pay(polled)
    await poll()
    assert.deepEqual(await read(payment), [])
    for (const status of ['inquiry', 'open', 'lost'] as const) {
      await dispute(payment.id, status)
      for (let repeat = 0; repeat < 2; repeat += 1) await poll()
      const found = await read(payment)
      assert.equal(found.length, 1)
      assert.deepEqual([found[0]!.state, found[0]!.amount, found[0]!.currency], [status, 700n, 'EUR'])
      assert.ok(found[0]!.respondBy)
    }
    const [{ count }] = (await rows<{ count: number }>(
      deps.db,
      `select count(*)::int as count from feed_inbox where transaction_id = $1 and dispute_id is not null`,
      [payment.id],
    )) as [{ count: number }]
    assert.equal(count, 3)
  })

  test(`${name}: the list is read every ten minutes, and disputes opened since the last poll are found`, async () => {
    const payment = await pay(polled)
    let nowMs = deps.clock.nowMs()
    const pollAtNow = createDisputePoll({ ...deps, clock: { ...deps.clock, nowMs: () => nowMs } })
    await pollAtNow()
    await dispute(payment.id, 'open')
    nowMs += 9 * 60_000
    await pollAtNow()
    assert.deepEqual(await read(payment), [])
    nowMs += 60_000
    await pollAtNow()
    assert.equal((await read(payment)).length, 1)
  })

  test(`${name}: a list of several pages is read to its end`, async () => {
    const payments: Payment[] = []
    for (let times = 0; times < 3; times += 1) payments.push(await pay(polled))
    for (const { id } of payments) await dispute(id, 'open')
    const { disputes } = deps.backends.live
    assert.ok(disputes)
    const list: typeof disputes.list = async (options) => {
      const { items } = await disputes.list({ ...options, cursor: null })
      const offset = Number(options.cursor ?? 0)
      return {
        items: items.slice(offset, offset + 1),
        next: offset + 1 < items.length ? String(offset + 1) : null,
      }
    }
    const live = { ...deps.backends.live, disputes: { ...disputes, list } }
    await createDisputePoll({ ...deps, backends: { ...deps.backends, live } })()
    for (const payment of payments) assert.equal((await read(payment)).length, 1)
  })
}

test('http: after a poll without a response, the next poll finds the dispute', async () => {
  const polled = POLLED['http']!
  const payment = await pay(polled)
  let nowMs = polled.deps.clock.nowMs()
  const poll = createDisputePoll({
    ...polled.deps,
    clock: { ...polled.deps.clock, nowMs: () => nowMs },
  })
  await polled.dispute(payment.id, 'open')
  await upstream.kill()
  await poll()
  await upstream.start()
  nowMs += 10 * 60_000
  await poll()
  assert.equal((await listDisputes(polled.deps.db, payment.projectId, payment.id)).length, 1)
})

test('http: if a proxy in front of the upstream responds with 404, a dispute that is opened meanwhile is found later', async (t) => {
  const polled = POLLED['http']!
  const { deps } = polled
  const proxy = await startRawServer(t, plainResponse('404 Not Found', 'default backend - 404'))
  const url = `http://127.0.0.1:${proxy.port}`
  const away = createHttpBackend({ url, secret: UPSTREAM_SECRET, clock: deps.clock })
  const { live } = deps.backends
  let isAway = false
  const isOffered = () => (isAway ? away : live).disputes!.isOffered()
  const disputes = { ...live.disputes!, isOffered }
  let nowMs = deps.clock.nowMs()
  const poll = createDisputePoll({
    ...deps,
    backends: { ...deps.backends, live: { ...live, disputes } },
    clock: { ...deps.clock, nowMs: () => nowMs },
  })
  await poll()
  isAway = true
  const payment = await pay(polled)
  await polled.dispute(payment.id, 'open')
  for (let times = 0; times < 3; times += 1) {
    nowMs += 10 * 60_000
    await poll()
  }
  assert.ok(proxy.requests.some((request) => request.startsWith('GET /info ')))
  isAway = false
  nowMs += 10 * 60_000
  await poll()
  assert.equal((await listDisputes(deps.db, payment.projectId, payment.id)).length, 1)
})

test('stripe: disputes of payments that Pazar did not create are ignored', async () => {
  const { deps } = POLLED['stripe']!
  const created = Math.floor(deps.clock.nowMs() / 1000)
  standIn.disputes.unshift({
    object: 'dispute',
    id: 'du_other',
    created,
    amount: 100,
    currency: 'eur',
    payment_intent: 'pi_other',
    status: 'needs_response',
    reason: 'fraudulent',
    evidence_details: { due_by: created + 1000 },
  })
  await createDisputePoll(deps)()
  assert.deepEqual(await rows(deps.db, `select from disputes where upstream_ref = 'du_other'`), [])
  assert.deepEqual(await rows(deps.db, 'select kind from incidents'), [])
})
