import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPayProject } from '../../test/payer.ts'
import { startPayments } from '../../test/payments.ts'
import { payFor, reserveRefund } from '../../test/refunds.ts'
import type { Backend } from '../backends/backend.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { findLost } from './find-lost.ts'
import { UncheckableError } from './read-lists.ts'

const { deps } = await startPayments()
const since = toDate(deps.clock.nowMs() - 60_000)

const listOf = (ids: readonly string[], installationId: string) => async () => ({
  items: ids.map((id) => ({ id, origin: { installationId } })),
  next: null,
})

function upstreamWith(
  name: Backend['name'],
  { payments = [], refunds = [] }: { payments?: readonly string[]; refunds?: readonly string[] },
  installationId = deps.installation.id,
): Backend {
  const { live } = deps.backends
  const lists = {
    isOffered: async () => true,
    payments: listOf(payments, installationId),
    refunds: listOf(refunds, installationId),
  }
  const quota = { perSec: 1, burst: 1, waitingPerSec: 1, waitingBurst: 1 }
  return Object.assign({ ...live }, { name, quota, lists })
}

test('a payment or refund that the database lacks is found, both at the live upstream and at the upstreams of BACKENDS_KEPT', async () => {
  const id = newUuidV7(deps.clock)
  const complete = upstreamWith('http', {})
  for (const [object, missing] of [
    ['payment', { payments: [id] }],
    ['refund', { refunds: [id] }],
  ] as const) {
    const ahead = upstreamWith('stripe', missing)
    for (const backends of [
      { live: ahead, previous: [complete] },
      { live: complete, previous: [complete, ahead] },
    ]) {
      const found = await findLost({ ...deps, backends: { ...deps.backends, ...backends } }, since)
      assert.deepEqual(found, { upstream: 'stripe', object, id })
    }
  }
})

test('payments of another installation do not count as missing', async () => {
  const payments = [newUuidV7(deps.clock)]
  const foreign = upstreamWith('http', { payments }, 'another')
  const backends = { ...deps.backends, live: foreign, previous: [] }
  assert.equal(await findLost({ ...deps, backends }, since), null)
})

test('a missing entry is found on a later page, and entries without an id of this service do not count as missing', async () => {
  const id = newUuidV7(deps.clock)
  const ahead = upstreamWith('http', {})
  const cursors: (string | null)[] = []
  ahead.lists!.payments = (async ({ cursor }: { cursor: string | null }) => {
    cursors.push(cursor)
    const ids = cursor === null ? [null, 'not-an-id'] : [id]
    const origin = { installationId: deps.installation.id }
    return { items: ids.map((one) => ({ id: one, origin })), next: cursor === null ? 'page-2' : null }
  }) as never
  const backends = { ...deps.backends, live: ahead, previous: [] }
  assert.deepEqual(await findLost({ ...deps, backends }, since), {
    upstream: 'http',
    object: 'payment',
    id,
  })
  assert.deepEqual(cursors, [null, 'page-2'])
})

test('a payment and a refund that are stored do not count as missing', async () => {
  const { id: projectId } = await addPayProject(deps)
  const paid = await payFor(deps, projectId)
  const refund = await reserveRefund(deps, paid, 100n)
  const complete = upstreamWith('http', { payments: [paid.id], refunds: [refund.id] })
  const backends = { ...deps.backends, live: complete, previous: [] }
  assert.equal(await findLost({ ...deps, backends }, since), null)
})

test('a lost payment on the thousandth page of a list is found, and for a longer list an UncheckableError is thrown', async () => {
  const id = newUuidV7(deps.clock)
  const origin = { installationId: deps.installation.id }
  const find = (pagesBeforeLost: number) => {
    let pages = 0
    const ahead = upstreamWith('http', {})
    ahead.lists!.payments = (async () => {
      pages += 1
      return { items: pages > pagesBeforeLost ? [{ id, origin }] : [], next: `page-${pages}` }
    }) as never
    return findLost({ ...deps, backends: { ...deps.backends, live: ahead, previous: [] } }, since)
  }
  const lost = { upstream: 'http', object: 'payment', id }
  assert.deepEqual(await find(60), lost)
  assert.deepEqual(await find(999), lost)
  await assert.rejects(find(1_000), UncheckableError)
})

test('three things are skipped: the sandbox, an upstream that offers no lists, and refunds that are not offered', async () => {
  const missing = { payments: [newUuidV7(deps.clock)], refunds: [newUuidV7(deps.clock)] }
  const { quota: _quota, ...withoutQuota } = upstreamWith('sandbox', missing)
  const unlisted = upstreamWith('http', missing)
  unlisted.lists!.isOffered = async () => false
  const withoutRefunds = upstreamWith('http', { refunds: missing.refunds })
  Object.assign(withoutRefunds, { refunds: { ...withoutRefunds.refunds, isOffered: async () => false } })
  for (const live of [withoutQuota, unlisted, withoutRefunds]) {
    const backends = { ...deps.backends, live, previous: [] }
    assert.equal(await findLost({ ...deps, backends }, since), null)
    const withSecond = { ...backends, previous: [upstreamWith('stripe', missing)] }
    const [id] = missing.payments
    const lost = { upstream: 'stripe', object: 'payment', id }
    assert.deepEqual(await findLost({ ...deps, backends: withSecond }, since), lost)
  }
})
