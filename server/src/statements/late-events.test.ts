import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StatsView } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { openBooks } from '../../test/books.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder, requirePayment } from '../../test/payments.ts'
import { payFor, requireRefund } from '../../test/refunds.ts'
import { toCharge } from '../../test/resolving.ts'
import { receiveDispute } from '../disputes/receive.ts'
import { publishEvents } from '../feed/feed-store.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import { openPayment } from '../payments/payments-store.ts'
import { recordReport } from '../payments/record-report.ts'

const { app, deps } = await startTestService()
const { db } = deps
const owner = await signUp(app)
await owner.stepUp()

const addProject = async () => (await owner.addProject({ timeZone: 'UTC' })).id

async function setTimes(projectId: string, paidAt: string, returnedAt: string): Promise<void> {
  await rows(
    db,
    `update feed_inbox set at = case when refund_id is null and dispute_id is null then $2 else $3 end::timestamptz
     where project_id = $1`,
    [projectId, paidAt, returnedAt],
  )
}

async function listEntries(projectId: string, month: string): Promise<string[]> {
  const lines = await openBooks(owner, projectId, month).readCsv()
  return lines.map(({ date, type, amount }) => `${date} ${type} ${amount}`)
}

async function payAndReturn(projectId: string): Promise<Payment> {
  const payment = await payFor(deps, projectId, { amount: 2500n })
  await requireRefund(owner, payment, { amount: '1000' })
  await receiveDispute(deps, deps.backends.live, {
    ...{ paymentId: payment.id, chargeId: null, status: 'lost', amount: 300n, currency: 'EUR' },
    ...{ upstreamRef: `du_${payment.id}`, reason: null, respondBy: null },
  })
  return payment
}

for (const batch of [1, 1000])
  test(`a refund and a dispute are in the statement of the month in which they happened (${batch} events published at a time)`, async () => {
    const projectId = await addProject()
    await payAndReturn(projectId)
    await setTimes(projectId, '2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z')
    while ((await publishEvents(db, projectId, batch)) > 0);
    assert.deepEqual(await listEntries(projectId, '2026-03'), ['2026-03-31 payment 2500'])
    assert.deepEqual(await listEntries(projectId, '2026-04'), [
      '2026-04-01 refund -1000',
      '2026-04-01 dispute -300',
    ])
  })

test('a payment that succeeds in review is in the statement and in the stats', async () => {
  const projectId = await addProject()
  const open = (await openPayment(db, newUuidV7(deps.clock), newOrder(projectId), 'sandbox', 'sandbox'))!
  await recordReport(deps, open, toCharge(open, { amount: 1n }))
  const inReview = await requirePayment(db, open.id)
  assert.deepEqual([inReview.state, inReview.needsReview], ['processing', true])
  const paid = await recordReport(deps, inReview, toCharge(open))
  assert.deepEqual([paid.state, paid.needsReview], ['succeeded', true])
  await receiveDispute(deps, deps.backends.live, {
    ...{ paymentId: paid.id, chargeId: null, status: 'open', amount: 500n, currency: 'EUR' },
    ...{ upstreamRef: 'du_in_review', reason: null, respondBy: null },
  })
  const month = paid.createdAt.toISOString().slice(0, 7)
  const { gross, disputes, net } = (await openBooks(owner, projectId, month).readStatement()).totals
  assert.deepEqual([gross, disputes, net], ['1500', '500', '1000'])
  const stats = (await owner.get(`/portal/api/projects/${projectId}/stats`)).json<StatsView>()
  assert.deepEqual([stats.volume, stats.disputed, stats.net], [gross, disputes, net])
})
