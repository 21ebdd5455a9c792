// What `status` prints about an order. `fetch` is mocked.
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { makeDir, runInProcess } from '../test/cli-world.ts'
import { createFetch } from '../test/create-fetch.ts'

const env = {
  PAZAR_BASE_URL: 'https://pay.example.me',
  PAZAR_TOKEN: 'pat_x',
  PAZAR_CONFIG: path.join(await makeDir(), 'cli.json'),
  LANG: 'en',
}

function respond(t: TestContext, bodies: Record<string, unknown>) {
  const { sent, fetch } = createFetch(bodies)
  t.mock.method(globalThis, 'fetch', fetch)
  return sent
}

test('status prints whether an order is paid, and the state of its payment', async (t) => {
  const checkStatus = async (answer: object, ...more: string[]) => {
    const sent = respond(t, { 'status-check': answer })
    const { out } = await runInProcess(['status', 'order-7', '--project', 'ab', ...more], { env })
    return [out, sent[0]?.init.body]
  }
  const failed = { found: true, state: 'failed', successful: false }
  assert.deepEqual(await checkStatus(failed), [
    'order-7: not paid (Failed)',
    '{"customId":"order-7","mode":"live"}',
  ])
  assert.deepEqual(await checkStatus({ found: true, state: 'failed', successful: true }, '--mode', 'test'), [
    'order-7: paid (Failed)',
    '{"customId":"order-7","mode":"test"}',
  ])
  const cases: [answer: object, out: string][] = [
    [{ state: 'processing', successful: false }, 'not paid yet (Processing)'],
    [{ state: 'requires_action', successful: false }, 'not paid yet (Awaiting the payer or bank)'],
    [{ state: 'failed', successful: false, needsReview: true }, 'not paid yet (In review)'],
    [{ state: 'succeeded', successful: true, needsReview: true }, 'counts as paid for now (In review)'],
  ]
  for (const [answer, out] of cases)
    assert.equal((await checkStatus({ found: true, ...answer }))[0], `order-7: ${out}`)
  const [unknown] = await checkStatus({ found: false, state: null, successful: false })
  assert.equal(unknown, 'order-7: not paid (no payment with this order ID)')
})

test('status prints refunds and disputes of a successful order in both languages', async (t) => {
  const id = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
  const checkStatus = async (payment: object, moneyBack: object, lang: string) => {
    const order = { state: 'succeeded', successful: true, needsReview: false, ...payment }
    const transaction = { amount: '1500', refunded: '0', disputed: '0', ...order }
    const sent = respond(t, {
      'status-check': { found: true, transactionId: id, ...order },
      'transaction/get': { transaction, refunds: [], disputes: [], ...moneyBack },
    })
    const argv = ['status', 'order-7', '--project', 'ab', '--lang', lang]
    const { out } = await runInProcess(argv, { env })
    const { verdict } = (await runInProcess([...argv, '--json'], { env })).json()
    assert.deepEqual(JSON.parse(sent[1]?.init.body as string), { projectId: 'ab', transactionId: id })
    return [verdict, out.replace('order-7: ', '')]
  }
  const disputed = { disputed: '1500' }
  const cases: [verdict: string, payment: object, moneyBack: object, en: string, cnr: string][] = [
    ['paid', {}, {}, 'paid (Successful)', 'plaćeno (Uspješno)'],
    [
      'paidInReview',
      { needsReview: true },
      {},
      'counts as paid for now (In review)',
      'za sada se smatra plaćenim (Na provjeri)',
    ],
    [
      'refunding',
      {},
      { refunds: [{ state: 'processing' }] },
      'paid, refund in progress (Successful)',
      'plaćeno, povraćaj u toku (Uspješno)',
    ],
    [
      'partlyRefunded',
      { refunded: '500' },
      {},
      'paid, partly refunded (Successful)',
      'plaćeno, djelimično vraćeno (Uspješno)',
    ],
    ['refunded', { refunded: '1500' }, {}, 'refunded (Successful)', 'vraćeno (Uspješno)'],
    ['disputed', disputed, { disputes: [{ state: 'open' }] }, 'disputed (Successful)', 'osporeno (Uspješno)'],
    [
      'disputeLost',
      disputed,
      { disputes: [{ state: 'lost' }] },
      'dispute lost (Successful)',
      'spor je izgubljen (Uspješno)',
    ],
  ]
  for (const [verdict, payment, moneyBack, en, cnr] of cases) {
    assert.deepEqual(await checkStatus(payment, moneyBack, 'en'), [verdict, en])
    assert.deepEqual(await checkStatus(payment, moneyBack, 'cnr'), [verdict, cnr])
  }
})

test('status fails if the payment of a successful order cannot be read', async (t) => {
  t.mock.method(globalThis, 'fetch', async (url: string) =>
    url.includes('status-check')
      ? Response.json({ found: true, transactionId: 'a', state: 'succeeded', successful: true })
      : new Response('', { status: 502 }),
  )
  const { code, out } = await runInProcess(['status', 'order-7', '--project', 'ab'], { env })
  assert.deepEqual([code, out], [1, ''])
})
