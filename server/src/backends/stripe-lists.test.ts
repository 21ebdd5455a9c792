// If this release cannot parse an entry of ours, reading the list fails. An entry that is not ours is left out. An entry is
// ours if its metadata has the id of a payment, unless it names another installation or the other mode (live or test).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { systemClock, toDate } from '../lib/clock.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { STRIPE_KEY } from '../../test/stripe-stand-in.ts'
import type { BackendLists } from './backend.ts'
import { INSTALLATION_KEY, PROJECT_KEY, REFUND_KEY, TRANSACTION_KEY } from './metadata.ts'
import { createStripeLists } from './stripe-lists.ts'
import { createStripeRefunds } from './stripe-refunds.ts'

const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const REFUND_ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e914'
const METADATA = { [TRANSACTION_KEY]: ID, [PROJECT_KEY]: 'ab', [INSTALLATION_KEY]: 'here' }

const PAYMENT = {
  ...{ object: 'payment_intent', id: 'pi_1', created: 1_800_000_000, livemode: false, metadata: METADATA },
  ...{ status: 'succeeded', amount: 1500, amount_received: 1500, currency: 'eur' },
}
const SESSION = {
  ...{ object: 'checkout.session', id: 'cs_1', created: 1_800_000_000, livemode: false, metadata: METADATA },
  ...{ status: 'complete', payment_status: 'paid', amount_total: 1500, currency: 'eur' },
  ...{ expires_at: 1_800_000_000, url: null, payment_intent: 'pi_1' },
}
const REFUND = {
  ...{ object: 'refund', id: 're_1', created: 1_800_000_000, payment_intent: 'pi_1' },
  ...{
    status: 'succeeded',
    amount: 500,
    currency: 'eur',
    metadata: { ...METADATA, [REFUND_KEY]: REFUND_ID },
  },
}

async function startStripe(t: TestContext, data: object[]) {
  const body = JSON.stringify({ object: 'list', has_more: false, data })
  const { port } = await startRawServer(t, plainResponse('200 OK', body, 'content-type: application/json'))
  const options = { secretKey: STRIPE_KEY, livemode: false, itemName: 'Pazar', installationId: 'here' }
  return { ...options, apiBase: `http://127.0.0.1:${port}` }
}

async function countListed(t: TestContext, name: 'payments' | 'sessions' | 'refunds', data: object[]) {
  const lists: BackendLists = createStripeLists(await startStripe(t, data))
  const { items } = await lists[name]!({ since: toDate(systemClock.nowMs()), cursor: null })
  return items.length
}

const KINDS = [
  ['payments', PAYMENT, { amount_received: null }],
  ['sessions', SESSION, { payment_status: 'partly_paid' }],
  ['refunds', REFUND, { status: 'reversed' }],
] as const

for (const [name, entry, unknownFields] of KINDS) {
  test(`reading a list of ${name} fails if this release cannot parse an entry of ours`, async (t) => {
    assert.equal(await countListed(t, name, [entry]), 1)
    const unparsable = { ...entry, ...unknownFields }
    const { [INSTALLATION_KEY]: _, ...olderMetadata } = entry.metadata
    for (const metadata of [entry.metadata, olderMetadata])
      await assert.rejects(countListed(t, name, [entry, { ...unparsable, metadata }]), {
        name: 'GarbledResponseError',
      })
  })

  test(`an entry that is not ours is left out of a list of ${name} if this release cannot parse the entry`, async (t) => {
    const unparsable = { ...entry, ...unknownFields }
    const elsewhere = { ...entry.metadata, [INSTALLATION_KEY]: 'elsewhere' }
    const others = [elsewhere, {}, null].map((metadata) => ({ ...unparsable, metadata }))
    assert.equal(await countListed(t, name, [entry, ...others, { ...unparsable, livemode: true }]), 1)
  })
}

test('if one refund of a payment cannot be parsed, a lookup of a missing refund throws an error', async (t) => {
  const unparsable = { ...REFUND, id: 're_2', status: 'reversed', metadata: null }
  const refunds = createStripeRefunds(await startStripe(t, [REFUND, unparsable]), async () => null)
  const payment = { id: ID, chargeId: 'pi_1' }
  const request = {
    ...{ paymentId: ID, projectId: 'ab', amount: 500n, currency: 'EUR' },
    ...{ chargeId: 'pi_1', upstreamRef: null, isOwn: true },
  }
  const found = await refunds.findRefund({ ...request, id: REFUND_ID })
  assert.equal(found?.upstreamRef, 're_1')
  await assert.rejects(refunds.findRefund({ ...request, id: ID }), { name: 'GarbledResponseError' })
  await assert.rejects(refunds.listRefunds!(payment), { name: 'GarbledResponseError' })
})
