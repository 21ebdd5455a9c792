import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { makeLookupsDue, newOrder, refillQuotas, startPayments } from '../../test/payments.ts'
import { startStripeStandIn } from '../../test/stripe-stand-in.ts'
import type { UpstreamFault } from '../backends/backend.ts'
import { NeverSentError, UnknownOutcomeError } from '../backends/backend.ts'
import { createStripeBackend } from '../backends/stripe.ts'
import { createRefundAndDisputeReceivers } from '../refunds/receive.ts'
import type { Deps } from '../wire.ts'
import { callBackend } from './call-upstream.ts'
import { confirmPayment } from './confirm.ts'
import { closeIncident } from './incidents.ts'
import { listIncidents } from './incidents-store.ts'
import { lookUpNow } from './lookup-now.ts'
import { reconcileOnce } from './reconcile.ts'
import { createUpstreamHealth } from './upstream-health.ts'

const standIn = await startStripeStandIn()
after(() => standIn.close())
const { deps, projectId } = await startPayments({ ...standIn.env, OPERATOR_EMAIL: 'operator@example.com' })
const { db } = deps

function processAt(iso: string, backend: Partial<Deps['backends']['live']> = {}): Deps {
  const clock = { nowMs: () => Date.parse(iso) }
  const live = { ...deps.backends.live, ...backend }
  return { ...deps, clock, upstreamHealth: createUpstreamHealth(), backends: { ...deps.backends, live } }
}

function failWith(fault: Error): Partial<Deps['backends']['live']> {
  const reject = () => Promise.reject(fault)
  return { create: reject, find: reject, cancel: reject }
}

async function pay(payDeps: Deps) {
  const outcome = await confirmPayment(payDeps, newOrder(projectId))
  return outcome.kind === 'payment' ? outcome.payment : assert.fail(outcome.kind)
}

async function incidentsOf(kind: string) {
  const all = await listIncidents(db, { withClosed: true, limit: 100 })
  return all.filter((one) => one.kind === kind)
}

async function countMails(kind: string): Promise<number> {
  const text = "select from mails where kind = 'incident' and facts->>'what' = $1"
  return (await rows(db, text, [kind])).length
}

test('if the upstream rejects our key, the payment fails, and one incident is raised, counted and mailed', async () => {
  const { clock } = deps
  const { accounts } = deps.backends.live
  const secretKey = 'sk_test_revoked0123456789abcdef'
  const live = createStripeBackend({ ...standIn.options, secretKey, accounts, db, clock })
  const payDeps = { ...processAt('2026-03-01T10:05:00Z'), backends: { ...deps.backends, live } }
  const payment = await pay(payDeps)
  assert.deepEqual([payment.state, payment.failureCode], ['failed', 'upstream_unavailable'])
  // This payment fails in the same minute, so the incident is not raised again.
  await pay(payDeps)
  const [incident, ...others] = await incidentsOf('upstream_key_rejected')
  assert.deepEqual([incident?.times, others], [1, []])
  assert.deepEqual(incident?.facts, { upstream: 'stripe', hour: '2026-03-01T10:00Z' })
  assert.equal(await countMails('upstream_key_rejected'), 1)
  const metrics = await deps.metrics.text()
  assert.match(metrics, /pazar_incidents_total\{kind="upstream_key_rejected"\} 1/)
  assert.match(metrics, /pazar_upstream_calls_total\{upstream="stripe",outcome="key_rejected"\} 2/)
})

test('an upstream that is down raises one incident a day, and a closed incident reopens in the next hour', async () => {
  const down = failWith(new NeverSentError('down', { fault: 'unreachable' }))
  // Each payment is made as if by another process, because one process raises an incident at most once a minute.
  for (let n = 0; n < 20; n += 1)
    assert.equal((await pay(processAt('2026-03-02T10:05:00Z', down))).state, 'failed')
  const [first, ...others] = await incidentsOf('upstream_unreachable')
  assert.deepEqual([first?.times, others], [20, []])
  await closeIncident(deps, first!.id)
  await pay(processAt('2026-03-02T10:55:00Z', down))
  assert.notEqual((await incidentsOf('upstream_unreachable'))[0]!.closedAt, null)
  await pay(processAt('2026-03-02T11:05:00Z', down))
  assert.equal((await incidentsOf('upstream_unreachable'))[0]!.closedAt, null)
  await pay(processAt('2026-03-03T00:00:00Z', down))
  assert.equal((await incidentsOf('upstream_unreachable')).length, 2)
  assert.equal(await countMails('upstream_unreachable'), 1)
})

test('if an upstream does not respond, the lookups of one payment are enough to raise an incident', async () => {
  const unresponsive = processAt('2026-03-04T10:05:00Z', failWith(new UnknownOutcomeError('nothing came')))
  await pay(unresponsive)
  // A failure rate needs at least ten calls.
  for (let round = 0; round < 9; round += 1) {
    await makeLookupsDue(db)
    await refillQuotas(db)
    await reconcileOnce(unresponsive)
  }
  assert.deepEqual(await incidentsOf('upstream_failing'), [])
  await makeLookupsDue(db)
  await reconcileOnce(unresponsive)
  assert.equal((await incidentsOf('upstream_failing')).length, 1)
})

test('if all new payments fail, an incident is raised even though every lookup works', async () => {
  await rows(db, "delete from incidents where kind = 'upstream_failing'")
  await refillQuotas(db)
  const broken = new UnknownOutcomeError('500', { fault: 'failing' })
  const payDeps = processAt('2026-03-06T10:05:00Z', { create: () => Promise.reject(broken) })
  for (let n = 0; n < 10; n += 1) {
    await pay(payDeps)
    await makeLookupsDue(db)
    await refillQuotas(db)
    await reconcileOnce(payDeps)
  }
  assert.equal((await incidentsOf('upstream_failing')).length, 1)
})

const RATE_LIMITED = new UnknownOutcomeError('too often', { fault: 'rate_limited' })

test('payments are still looked up at an upstream that responds 429 to new payments', async () => {
  await refillQuotas(db)
  const payDeps = processAt('2026-03-05T09:05:00Z', { create: () => Promise.reject(RATE_LIMITED) })
  await pay(payDeps)
  await pay(payDeps)
  await makeLookupsDue(db)
  assert.ok((await reconcileOnce(payDeps)) > 0)
})

test('lookups pause after an upstream has responded 429 to a lookup', async () => {
  await refillQuotas(db)
  const limitedDeps = processAt('2026-03-05T10:05:00Z', failWith(RATE_LIMITED))
  await pay(limitedDeps)
  await makeLookupsDue(db)
  await reconcileOnce(limitedDeps)
  await makeLookupsDue(db)
  standIn.receivedRequests.length = 0
  assert.equal(await reconcileOnce(deps), 0)
  for (const sec of [4, 8]) assert.equal(await reconcileOnce(deps, { nowMs: Date.now() + sec * 1000 }), 0)
  assert.deepEqual(standIn.receivedRequests, [])
  await refillQuotas(db)
  assert.ok((await reconcileOnce(deps)) > 0)
})

test('the failure rate covers five minutes and at least ten requests, and an incident is raised at most once a minute', () => {
  const noteAll = (faults: (UpstreamFault | null)[], everyMs: number) => {
    const health = createUpstreamHealth()
    return faults.map((fault, n) => health.record('http', fault, n * everyMs))
  }
  const failures = (count: number) => Array.from({ length: count }, () => 'failing' as const)
  const successes = (count: number) => Array.from({ length: count }, () => null)
  assert.ok(noteAll(failures(9), 1_000).every((kind) => kind === null))
  assert.equal(noteAll(failures(10), 1_000).at(-1), 'upstream_failing')
  assert.equal(noteAll([...successes(11), ...failures(10)], 1_000).at(-1), null)
  assert.equal(noteAll([...successes(10), ...failures(10)], 1_000).at(-1), 'upstream_failing')
  // Only the latest 200 requests count, however many succeeded before them.
  assert.equal(noteAll([...successes(300), ...failures(100)], 100).at(-1), 'upstream_failing')
  // With one failure a minute, the window of five minutes never contains more than five failures.
  assert.ok(noteAll(failures(60), 60_000).every((kind) => kind === null))
  // An incident is raised at the tenth request, and then again after each minute.
  assert.equal(noteAll(failures(130), 1_000).filter(Boolean).length, 3)
  assert.equal(noteAll(['key_rejected'], 1)[0], 'upstream_key_rejected')
})

test('successful and failed calls are recorded', async () => {
  const noted: [upstream: string, fault: UpstreamFault | null][] = []
  const upstreamHealth: Deps['upstreamHealth'] = {
    record(upstream, fault) {
      noted.push([upstream, fault])
      return null
    },
  }
  const payDeps = { ...deps, upstreamHealth }
  const { live } = deps.backends
  assert.equal(await callBackend(payDeps, live, 'create', async () => 'charged'), 'charged')
  const failing = new UnknownOutcomeError('no response')
  await assert.rejects(
    callBackend(payDeps, live, 'lookup', () => Promise.reject(failing)),
    failing,
  )
  assert.deepEqual(noted, [
    ['stripe create', null],
    ['stripe lookup', 'failing'],
  ])
})

test("if the upstream rejects our key in an operator's lookup or when we list refunds, the call is counted and raises an incident", async () => {
  const payment = await pay(deps)
  const rejected = new UnknownOutcomeError('refused', { fault: 'key_rejected' })
  const refunds = { ...deps.backends.live.refunds!, listRefunds: () => Promise.reject(rejected) }
  const counted = async () =>
    Number(
      /calls_total\{upstream="stripe",outcome="key_rejected"\} (\d+)/.exec(await deps.metrics.text())?.[1] ??
        0,
    )
  const before = await counted()
  const [day, nextDay] = ['2026-07-01', '2026-07-02']
  const { reported } = await lookUpNow(processAt(`${day}T10:00:00Z`, failWith(rejected)), payment)
  assert.equal(reported, 'no response')
  const listing = processAt(`${nextDay}T10:00:00Z`, { refunds })
  const webhook = { kind: 'refunds_changed', paymentId: payment.id, chargeId: null } as const
  await assert.rejects(createRefundAndDisputeReceivers(listing).refund(listing.backends.live, webhook), {
    message: 'unavailable',
    cause: rejected,
  })
  assert.equal(await counted(), before + 2)
  const subjects = (await incidentsOf('upstream_key_rejected')).map(({ subject }) => subject)
  for (const date of [day, nextDay]) assert.ok(subjects.includes(`stripe ${date}`), subjects.join())
})
