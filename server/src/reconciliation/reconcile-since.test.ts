import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import type { ListingUpstream } from '../../test/listing-upstream.ts'
import { createListingUpstream, toListedPayment } from '../../test/listing-upstream.ts'
import { newOrder, startPayments } from '../../test/payments.ts'
import { payFor, reserveRefund } from '../../test/refunds.ts'
import type { RefundReport } from '../backends/backend.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import type { RefundOrigin } from '../backends/origin.ts'
import type { Listed } from '../backends/pager.ts'
import { writeClosed } from '../db/gate-store.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { openPayment } from '../payments/payments-store.ts'
import { reconcileSince } from './reconcile-since.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { live: sandbox } = deps.backends

let upstream: ListingUpstream
let progress: string[]

beforeEach(async () => {
  await rows(db, 'truncate transactions, incidents, callbacks cascade')
  await rows(db, 'update installation set gate_closed_at = null, gate_reason = null, gate_since = null')
  upstream = createListingUpstream(deps)
  progress = []
})

async function run(fields: { isDry?: boolean } = {}) {
  const { upstreams, gate } = await reconcileSince(
    { ...deps, backends: { ...deps.backends, live: upstream.backend, previous: [] } },
    {
      ...{ since: toDate(0), isDry: false, acceptUnlisted: false, acceptFailed: false, ...fields },
      onProgress: (line) => progress.push(line),
    },
  )
  return { ...upstreams[0]!, gate }
}

const toOrigin = (installationId: string): RefundOrigin => ({
  ...{ installationId, requestedBy: 'api', idempotencyKey: null, requestedAmount: null, reason: null },
  createdAt: toDate(deps.clock.nowMs()),
})

function list(id: string | null, fields: Partial<Listed<RefundReport>> = {}): void {
  upstream.refunds.push({
    ...{ id, paymentId: null, chargeId: null, status: 'failed', amount: 100n, currency: 'EUR' },
    ...{ upstreamRef: `rf_${id}`, pendingReason: null, failureCode: null, createdAt: null, scale: 2 },
    ...fields,
  })
}

test('a refund whose id is not stored here is counted as missing, unless another installation made it', async () => {
  const paid = await payFor({ ...deps, backends: { ...deps.backends, live: sandbox } }, projectId)
  const knownRefund = await reserveRefund(deps, paid, 100n)
  list(knownRefund.id, { origin: toOrigin(deps.installation.id) })
  list(newUuidV7(deps.clock), { origin: toOrigin(deps.installation.id) })
  list(newUuidV7(deps.clock), { origin: toOrigin('another installation') })
  list(newUuidV7(deps.clock), { origin: null })
  list(null)
  for (const isDry of [true, false]) {
    const { refunds } = await run({ isDry })
    assert.deepEqual(refunds, { listed: 5, missing: 2, failed: 0 })
  }
})

test('a payment that only an upstream of BACKENDS_KEPT knows is stored too', async () => {
  const keptUpstream = createListingUpstream(deps, 'stripe')
  const lost = toListedPayment(deps, projectId)
  keptUpstream.payments.push(lost)
  const backends = { ...deps.backends, live: upstream.backend, previous: [keptUpstream.backend] }
  const { upstreams } = await reconcileSince(
    { ...deps, backends },
    {
      since: toDate(0),
      isDry: false,
      acceptUnlisted: false,
      acceptFailed: false,
      onProgress: () => undefined,
    },
  )
  assert.equal(upstreams.length, 2)
  assert.equal((await rows(db, 'select from transactions where id = $1', [lost.id])).length, 1)
})

test('a payment with an id that only looks like a UUID does not stop the run', async () => {
  upstream.payments.push(toListedPayment(deps, projectId, { id: '-'.repeat(36) }))
  const lost = toListedPayment(deps, projectId)
  upstream.payments.push(lost)
  const { payments } = await run()
  assert.deepEqual([payments.ignored, payments.adopted], [1, 1])
})

test('refunds and disputes of an upstream that does not offer them are not read', async () => {
  const isOffered = async () => false
  list(newUuidV7(deps.clock))
  Object.assign(upstream.backend, {
    refunds: { ...upstream.backend.refunds, isOffered },
    disputes: { ...upstream.backend.disputes, isOffered },
  })
  const { refunds, disputes } = await run()
  for (const counts of [refunds, disputes]) assert.deepEqual(counts, { listed: 0, missing: 0, failed: 0 })
})

test('if the lookup of an open payment gets no response, the payment counts as failed and the gate stays closed', async () => {
  await openPayment(db, newUuidV7(deps.clock), newOrder(projectId), 'http', upstream.backend.accounts[0])
  upstream.backend.find = () => Promise.reject(new UnknownOutcomeError('no response'))
  await writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: null })
  const { payments, gate } = await run()
  assert.deepEqual([payments.failed, payments.updated, gate], [1, 0, 'failed'])
})

test('progress is printed after every hundred payments', async () => {
  for (let count = 0; count < 201; count += 1)
    upstream.payments.push(toListedPayment(deps, projectId, { status: 'failed' }, { projectId: 'unknown' }))
  const { payments } = await run({ isDry: true })
  assert.equal(payments.ignored, 201)
  assert.deepEqual(
    progress,
    [100, 200].map((done) => `http: ${done} of 201 payments, 0 adopted`),
  )
})
