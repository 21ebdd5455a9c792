import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newOrder, startPayments } from '../../test/payments.ts'
import type { NewCharge } from '../backends/backend.ts'
import { newUuidV7 } from '../lib/id.ts'
import { claimLookups } from './claim-lookups.ts'
import { openPayment } from './payments-store.ts'
import { requestCharge } from './request-charge.ts'
import { createRefusalCount } from './webhook/refusals.ts'

const { deps, projectId } = await startPayments()
const { live } = deps.backends

test('the upstream gets the stored payment with its number of decimals and the return URL; if the payment was opened more than 15 seconds ago, nothing is sent', async () => {
  const sent: NewCharge[] = []
  const upstream = {
    ...live,
    create: async (charge: NewCharge) => {
      sent.push(charge)
      return live.create(charge)
    },
  }
  const installation = { ...deps.installation, scaleOfOldPayments: 4 }
  const own = { ...deps, installation, backends: { ...deps.backends, live: upstream, test: upstream } }
  const order = newOrder(projectId, { customId: 'order-1', data: 'Kafa' })
  const payment = (await openPayment(deps.db, newUuidV7(deps.clock), order, live.name))!
  await requestCharge(own, payment, order, deps.clock.nowMs())
  await requestCharge(own, { ...payment, scale: null }, order, deps.clock.nowMs())
  const { id } = payment
  const expected = {
    id,
    amount: 1500n,
    currency: 'EUR',
    projectId,
    mode: 'live',
    customId: 'order-1',
    data: 'Kafa',
    merchantName: null,
    returnUrl: `${deps.config.baseUrl}/pay/${id}?return=1`,
    origin: {
      installationId: installation.id,
      attemptId: order.attemptId,
      checkoutId: null,
      createdAt: payment.createdAt,
    },
  }
  assert.deepEqual(sent, [
    { ...expected, scale: 2 },
    { ...expected, scale: 4 },
  ])
  assert.equal(await requestCharge(own, payment, order, deps.clock.nowMs() - 15_001), 'never_sent')
})

test('lookups that an operator starts use up the upstream’s quota', async () => {
  const quota = { perSec: 0.001, burst: 10, waitingPerSec: 0.001, waitingBurst: 5 }
  const limited = { ...live, quota }
  const own = { ...deps, backends: { ...deps.backends, live: limited, test: limited } }
  // The budget of a new upstream has as many lookups as one hour adds: 3.6 at 0.001 a second.
  assert.equal(await claimLookups(own, live.name, 3), 3)
  assert.equal(await claimLookups(own, live.name, 100), 0)
  assert.equal(await claimLookups(deps, live.name, 100), 100, 'the sandbox has no quota')
})

test('five forged webhooks within ten minutes raise an incident; fewer do not', () => {
  const MINUTE_MS = 60_000
  const count = createRefusalCount()
  const note = (minute: number) => count.record('http', 'webhook_refused', minute * MINUTE_MS)
  assert.deepEqual([0, 2, 4, 6, 9.9].map(note), [false, false, false, false, true])
  const slower = createRefusalCount()
  const slowResults = [0, 3, 6, 9, 12].map((minute) =>
    slower.record('http', 'webhook_refused', minute * MINUTE_MS),
  )
  assert.deepEqual(slowResults, [false, false, false, false, false])
})
