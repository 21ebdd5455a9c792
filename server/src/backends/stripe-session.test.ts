import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Charge } from './backend.ts'
import { PROJECT_KEY, TRANSACTION_KEY } from './metadata.ts'
import { parseSession, toCharge } from './stripe-session.ts'

const NOW_SEC = 1_800_000_000

const SESSION = {
  object: 'checkout.session',
  id: 'cs_live_1',
  livemode: true,
  status: 'open',
  payment_status: 'unpaid',
  amount_total: 1500,
  currency: 'eur',
  expires_at: NOW_SEC + 60,
  url: 'https://checkout.stripe.com/c/pay/cs_live_1',
  metadata: { [TRANSACTION_KEY]: 'transaction', [PROJECT_KEY]: 'project' },
  payment_intent: null,
}

const intent = (status: string) => ({ id: 'pi_1', status, last_payment_error: null })

const PAYMENTS = {
  none: null,
  'known by id only': 'pi_1',
  'under way': intent('processing'),
  'waiting for the payer': intent('requires_action'),
  'not arrived': intent('requires_payment_method'),
  stopped: intent('canceled'),
}

const EXPECTED: Record<'open' | 'complete' | 'expired', Record<keyof typeof PAYMENTS, Charge['status']>> = {
  open: {
    none: 'requires_action',
    'known by id only': 'requires_action',
    'under way': 'requires_action',
    'waiting for the payer': 'requires_action',
    'not arrived': 'requires_action',
    stopped: 'requires_action',
  },
  complete: {
    none: 'processing',
    'known by id only': 'processing',
    'under way': 'processing',
    'waiting for the payer': 'processing',
    'not arrived': 'failed',
    stopped: 'cancelled',
  },
  expired: {
    none: 'cancelled',
    'known by id only': 'processing',
    'under way': 'processing',
    'waiting for the payer': 'processing',
    'not arrived': 'cancelled',
    stopped: 'cancelled',
  },
}

function statusOf(fields: object): Charge['status'] {
  const session = parseSession({ ...SESSION, ...fields }, true)
  assert.ok(session)
  return toCharge(session, NOW_SEC).status
}

test('for an unpaid session, its status and the status of its payment together decide our status', () => {
  for (const [status, byPayment] of Object.entries(EXPECTED)) {
    for (const [caseName, expected] of Object.entries(byPayment)) {
      const payment = PAYMENTS[caseName as keyof typeof PAYMENTS]
      assert.equal(
        statusOf({ status, payment_intent: payment }),
        expected,
        `session "${status}", payment "${caseName}"`,
      )
    }
  }
})

test('a paid session is reported as "succeeded", whatever the status of the session', () => {
  for (const status of Object.keys(EXPECTED))
    assert.equal(statusOf({ status, payment_status: 'paid', payment_intent: 'pi_1' }), 'succeeded', status)
})

test('a session of the other mode is not accepted', () => {
  assert.equal(parseSession({ ...SESSION, livemode: false }, true), null)
  assert.equal(parseSession(SESSION, false), null)
})
