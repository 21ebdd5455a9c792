// The upstream does not confirm refunds: it does not respond or responds with an error, and it sends no webhooks. Lookups
// find the outcomes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createHttpBackend } from '../../src/backends/http.ts'
import type { Deps } from '../../src/wire.ts'
import { rows } from '../accounts.ts'
import { countRounds } from '../counts.ts'
import { addPayProject } from '../payer.ts'
import { startPayments } from '../payments.ts'
import { compareRefunds, makeRefundToken, payFor, postRefund, resolveRefunds } from '../refunds.ts'
import { startUpstream, UPSTREAM_SECRET } from '../upstream-process.ts'
import { serve } from './serve.ts'

const upstream = await startUpstream()
after(() => upstream.stop())
const { deps, replica } = await startPayments(upstream.env)
const { db } = deps
const replicas = [withShortCalls(deps), withShortCalls(await replica())] as const
const bases = [await serve(replicas[0]), await serve(replicas[1])] as const
const { id: projectId } = await addPayProject(deps)
const token = await makeRefundToken(deps, projectId)

function withShortCalls(replicaDeps: Deps): Deps {
  const options = {
    url: upstream.url,
    secret: UPSTREAM_SECRET,
    clock: replicaDeps.clock,
    callTimeoutMs: 1_000,
  }
  return { ...replicaDeps, backends: { ...replicaDeps.backends, live: createHttpBackend(options) } }
}

/** The upstream makes refunds of 4002 and 4005, but does not confirm them. It makes no refund of 4003. */
const AMOUNTS = ['4002', '4005', '4003']
const BATCH_SIZE = 20

/** Each request is repeated while the service is busy (503). */
async function requestAll(amounts: readonly string[]): Promise<void> {
  await Promise.all(
    amounts.map(async (amount, index) => {
      const payment = await payFor(deps, projectId, { amount: 9000n })
      const fields = { amount, idempotencyKey: randomUUID() }
      for (;;) {
        const { status, refund } = await postRefund(bases[index % 2]!, token, payment, fields)
        if (status === 503) continue
        assert.ok(status === 201 || status === 200, String(status))
        assert.equal(refund?.state, 'processing')
        return
      }
    }),
  )
}

test('refunds with an unknown outcome get their state from the upstream, and none is made twice', async (t) => {
  const rounds = countRounds('unknownRefunds', t)
  for (let done = 0; done < rounds; done += BATCH_SIZE) {
    const size = Math.min(BATCH_SIZE, rounds - done)
    await requestAll(Array.from({ length: size }, (_, index) => AMOUNTS[(done + index) % 3]!))
  }
  // After 20 hours, a refund that the upstream does not have counts as failed.
  await resolveRefunds(replicas[1], 21 * 3_600_000)
  const ended = await rows<{ amount: bigint; state: string; count: number }>(
    db,
    'select amount, state, count(*)::int as count from refunds group by 1, 2 order by 1, 2',
  )
  assert.deepEqual(
    ended.map(({ amount, state }) => [amount, state]),
    [
      [4002n, 'succeeded'],
      [4003n, 'failed'],
      [4005n, 'succeeded'],
    ],
  )
  assert.equal(
    ended.reduce((sum, one) => sum + one.count, 0),
    rounds,
  )
  const { refunds } = await upstream.books()
  assert.equal(new Set(refunds.map(({ id }) => id)).size, refunds.length)
  assert.deepEqual(await compareRefunds(db, { ...(await upstream.books()) }), [])
})

test('a refund that the upstream does not have stays "processing" for 20 hours, and fails only after that', async () => {
  await requestAll(['4003'])
  await resolveRefunds(replicas[0], 19 * 3_600_000)
  const text = "select state, pending_reason from refunds where amount = 4003 and state <> 'failed'"
  assert.deepEqual(await rows(db, text), [{ state: 'processing', pending_reason: 'no_response' }])
  await resolveRefunds(replicas[0], 2 * 3_600_000)
  assert.deepEqual(await rows(db, text), [])
})
