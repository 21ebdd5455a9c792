// After a restore the upstreams are compared with the database: the live one, and those that only serve older payments.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPayments } from '../../test/payments.ts'
import type { Backend } from '../backends/backend.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { findLost } from './find-lost.ts'

const { deps } = await startPayments()
const since = toDate(deps.clock.nowMs() - 60_000)

/** A list of entries with these ids that the installation made. */
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

test('a payment or refund that the database lacks is found at the live upstream and at every upstream of BACKENDS_KEPT', async () => {
  const id = newUuidV7(deps.clock)
  const complete = upstreamWith('http', {})
  for (const [object, missing] of [
    ['payment', { payments: [id] }],
    ['refund', { refunds: [id] }],
  ] as const) {
    const behind = upstreamWith('stripe', missing)
    for (const backends of [
      { live: behind, previous: [complete] },
      { live: complete, previous: [complete, behind] },
    ]) {
      const found = await findLost({ ...deps, backends: { ...deps.backends, ...backends } }, since)
      assert.deepEqual(found, { upstream: 'stripe', object, id })
    }
  }
})

test('payments of another installation at the same account are not missing, and a new installation misses nothing', async () => {
  const payments = [newUuidV7(deps.clock)]
  const foreign = upstreamWith('http', { payments }, 'another')
  const backends = { ...deps.backends, live: foreign, previous: [] }
  assert.equal(await findLost({ ...deps, backends }, since), null)
  const own = { ...backends, live: upstreamWith('http', { payments }) }
  assert.equal(await findLost({ ...deps, backends: own }, null), null)
})
