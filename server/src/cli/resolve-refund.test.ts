import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { countIncidents, refillQuotas, startPayments } from '../../test/payments.ts'
import { payFor, readSums, reserveRefund } from '../../test/refunds.ts'
import type { RefundReport } from '../backends/backend.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import { writeClosed } from '../db/gate-store.ts'
import { GateClosedError } from '../db/gate-view.ts'
import { toDate } from '../lib/clock.ts'
import { toRefundId } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import { reconcileRefundsOnce } from '../refunds/reconcile.ts'
import { receiveListedRefund } from '../refunds/receive.ts'
import type { Refund } from '../refunds/refund.ts'
import { findRefund } from '../refunds/refunds-store.ts'
import { RefusedError, toPrinted, UsageError } from './command.ts'
import { incidents } from './incidents.ts'
import { payments } from './payments.ts'
import { resolveOneRefund } from './resolve-refund.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
await rows(db, `update projects set events = '{payment.result,refund.result}' where id = $1`, [projectId])

/** The upstream's report of the refund. Null: the upstream does not respond. */
let report: RefundReport | 'absent' | null = null
/** The upstream's response to a repeated request. Null: it does not respond. */
let resent: RefundReport | null = null
const sandbox = deps.backends.live
let resendMs = sandbox.refunds!.resendMs!
const live = {
  ...sandbox,
  refunds: {
    ...sandbox.refunds!,
    get resendMs() {
      return resendMs
    },
    async findRefund() {
      if (!report) throw new UnknownOutcomeError('no response')
      return report === 'absent' ? null : report
    },
    async refund() {
      if (!resent) throw new UnknownOutcomeError('no response')
      return resent
    },
  },
}
const configured = { ...deps.backends, live, test: live }
deps.backends = configured

const run = async (...args: string[]) => toPrinted(await payments.run(deps, args)).text
const runFor = ({ id }: Refund, as: string, ...more: string[]) =>
  run('resolve-refund', toRefundId(id), '--as', as, '--reason', 'Bank statement', ...more)

async function readCode(refund: Refund, as: string): Promise<string> {
  return /--seen (\w+)$/.exec(await runFor(refund, as, '--dry-run'))![1]!
}

async function resolve(refund: Refund, as: string): Promise<string> {
  return runFor(refund, as, '--yes', '--seen', await readCode(refund, as), '--by', 'ana')
}

const isRefused = (part: RegExp) => (error: unknown) =>
  error instanceof RefusedError && part.test(error.message)

/** A refund that was requested two days ago and whose lookup got no response. */
async function openRefund(): Promise<{ payment: Payment; refund: Refund }> {
  report = null
  const payment = await payFor(deps, projectId)
  const refund = await reserveRefund(deps, payment, 500n)
  await rows(
    db,
    `update refunds set created_at = now() - interval '2 days', next_check_at = now() where id = $1`,
    [refund.id],
  )
  await refillQuotas(db)
  await reconcileRefundsOnce(deps)
  assert.equal(await countIncidents(db, 'refund_unresolved', refund.id), 1)
  return { payment, refund: (await findRefund(db, refund.id))! }
}

function toReport(refund: Refund, fields: Partial<RefundReport> = {}): RefundReport {
  const { id, transactionId: paymentId, amount, currency } = refund
  const rest = { chargeId: null, upstreamRef: `rf_${id}`, pendingReason: null, failureCode: null }
  return { id, paymentId, status: 'succeeded', amount, currency, ...rest, ...fields }
}

const listOpenIncidents = (id: string) =>
  rows(db, `select id from incidents where subject = $1 and closed_at is null`, [id])

test('when a refund is resolved as failed, its amount can be refunded again, and its callback is sent', async () => {
  const { payment, refund } = await openRefund()
  const listed = toPrinted(await incidents.run(deps, ['list'])).text
  assert.ok(listed.includes(`payments resolve-refund ${toRefundId(refund.id)} --as succeeded|failed`), listed)
  const preview = await runFor(refund, 'failed', '--dry-run')
  assert.match(preview, /of 500 EUR, .* state processing:/)
  assert.match(preview, /the payer gets the money twice/)
  assert.match(preview, /Dry run: nothing was changed\. To act without being asked: --yes --seen \w{8}$/)
  assert.deepEqual(await readSums(db, payment.id), { refunded: 0n, processing: 500n, disputed: 0n })
  assert.match(await resolve(refund, 'failed'), /^Refund re_\w+ has ended as failed\./)
  const ended = (await findRefund(db, refund.id))!
  assert.deepEqual([ended.state, ended.failureCode], ['failed', 'resolved_failed'])
  assert.deepEqual(await readSums(db, payment.id), { refunded: 0n, processing: 0n, disputed: 0n })
  assert.deepEqual(await listOpenIncidents(refund.id), [])
  const callbacks = `select result from callback_states where refund_id = $1 and event = 'refund.result'`
  assert.deepEqual(await rows(db, callbacks, [refund.id]), [{ result: 'fail' }])
  const audit = `select actor, changes ->> 'resolution' as as, changes ->> 'reason' as reason, changes ->> 'by' as by
    from audit_events where action = 'refund_resolved' and changes ->> 'refundId' = $1`
  assert.deepEqual(await rows(db, audit, [toRefundId(refund.id)]), [
    { actor: 'operator', as: 'failed', reason: 'Bank statement', by: 'ana' },
  ])
  assert.match(await runFor(refund, 'failed'), /is already failed; nothing was changed/)
  await assert.rejects(runFor(refund, 'succeeded'), isRefused(/has already ended as failed/))
})

test('after a refund was resolved, a later report of the upstream is still recorded', async () => {
  const { payment, refund } = await openRefund()
  await resolve(refund, 'succeeded')
  assert.deepEqual(await readSums(db, payment.id), { refunded: 500n, processing: 0n, disputed: 0n })
  await receiveListedRefund(deps, live, toReport(refund, { status: 'failed' }))
  assert.equal((await findRefund(db, refund.id))!.state, 'returned')
  const other = await openRefund()
  await resolve(other.refund, 'failed')
  await receiveListedRefund(deps, live, toReport(other.refund))
  assert.deepEqual(await readSums(db, other.payment.id), { refunded: 500n, processing: 0n, disputed: 0n })
})

test('if the upstream responds again after the dry run, the decision does not end the refund', async () => {
  const first = await openRefund()
  const seen = await readCode(first.refund, 'failed')
  report = toReport(first.refund)
  await assert.rejects(
    runFor(first.refund, 'failed', '--yes', '--seen', seen),
    isRefused(/has already ended as succeeded/),
  )
  assert.deepEqual(await listOpenIncidents(first.refund.id), [], 'the reported end closes the incident')
  const second = await openRefund()
  const code = await readCode(second.refund, 'succeeded')
  report = toReport(second.refund)
  assert.match(
    await runFor(second.refund, 'succeeded', '--yes', '--seen', code),
    /ended as succeeded, by the upstream's own report/,
  )
  for (const [fields, text] of [
    [{ status: 'pending' }, /only the upstream can end it/],
    [{ amount: 499n }, /^Since you looked at Refund/],
  ] as const) {
    const { refund } = await openRefund()
    const current = await readCode(refund, 'failed')
    report = toReport(refund, fields)
    await assert.rejects(runFor(refund, 'failed', '--yes', '--seen', current), isRefused(text))
    assert.equal((await findRefund(db, refund.id))!.state, 'processing')
  }
})

test('if the upstream does not have the refund, the service sends the refund again, and the decision counts only if the upstream does not respond', async () => {
  // For this upstream, the service sends a refund again for three days. The refunds here are two days old.
  const usualMs = resendMs
  resendMs = 3 * 24 * 3_600_000
  const resolveAbsent = async (
    toResent: ((refund: Refund) => RefundReport) | null,
    check: (outcome: Promise<string>) => Promise<void>,
    state: Refund['state'],
  ) => {
    const { refund } = await openRefund()
    const seen = await readCode(refund, 'failed')
    report = 'absent'
    resent = toResent && toResent(refund)
    await check(runFor(refund, 'failed', '--yes', '--seen', seen))
    assert.equal((await findRefund(db, refund.id))!.state, state)
  }
  for (const [fields, text, state] of [
    [{ status: 'pending' }, /only the upstream can end it/, 'processing'],
    [{ amount: 499n }, /^Since you looked at Refund/, 'processing'],
    [{}, /has already ended as succeeded/, 'succeeded'],
  ] as const)
    await resolveAbsent(
      (refund) => toReport(refund, fields),
      (outcome) => assert.rejects(outcome, isRefused(text)),
      state,
    )
  await resolveAbsent(null, async (outcome) => assert.match(await outcome, /has ended as failed/), 'failed')
  resendMs = usualMs
})

test('a decision needs an incident, a known refund, correct arguments and a confirmation; it is refused if another refund began after the dry run', async () => {
  const payment = await payFor(deps, projectId)
  const young = await reserveRefund(deps, payment, 100n)
  await assert.rejects(runFor(young, 'failed'), isRefused(/is still looked up automatically/))
  for (const name of ['re_1', `re_${'0'.repeat(32)}`, payment.id])
    await assert.rejects(
      run('resolve-refund', name, '--as', 'failed', '--reason', 'x'),
      isRefused(/There is no refund/),
    )
  const stuck = await openRefund()
  const seen = await readCode(stuck.refund, 'failed')
  await reserveRefund(deps, stuck.payment, 1n)
  await assert.rejects(
    runFor(stuck.refund, 'failed', '--yes', '--seen', seen),
    isRefused(/^Since you looked at Refund/),
  )
  await assert.rejects(runFor(stuck.refund, 'failed', '--yes'), UsageError, 'without --seen')
  await assert.rejects(runFor(stuck.refund, 'failed'), UsageError, 'without a terminal')
  await assert.rejects(runFor(stuck.refund, 'paid'), UsageError)
  await assert.rejects(runFor(stuck.refund, 'failed', '--force'), UsageError)
  await assert.rejects(run('resolve-refund', toRefundId(stuck.refund.id), '--as', 'failed'), UsageError)
  const decision = { as: 'failed', reason: 'x', by: 'ana' } as const
  const options = { isDry: false, evidenceCode: null, isSure: false }
  const id = toRefundId(stuck.refund.id)
  await assert.rejects(
    resolveOneRefund(deps, id, decision, options, async () => false),
    isRefused(/^Nothing was changed/),
  )
  assert.equal((await findRefund(db, stuck.refund.id))!.state, 'processing')
})

test('if the upstream is not configured, a decision is refused until the incident of the refund names the missing upstream', async () => {
  const withUpstream = await openRefund()
  deps.backends = { live: { ...live, name: 'http' }, test: { ...live, name: 'http' }, previous: [] }
  await assert.rejects(
    runFor(withUpstream.refund, 'failed'),
    isRefused(/is not configured here .*Run the command with the service's own settings/),
  )
  await rows(
    db,
    `update refunds set next_check_at = now(), created_at = created_at - interval '1 day' where id = $1`,
    [withUpstream.refund.id],
  )
  await refillQuotas(db)
  await reconcileRefundsOnce(deps)
  assert.match(await resolve(withUpstream.refund, 'failed'), /has ended as failed/)
  deps.backends = configured
})

test('nothing is decided while payments are stopped after a restore', async () => {
  const { refund } = await openRefund()
  const seen = await readCode(refund, 'failed')
  await writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: null })
  await assert.rejects(runFor(refund, 'failed', '--yes', '--seen', seen), GateClosedError)
  assert.equal((await findRefund(db, refund.id))!.state, 'processing')
})
