// The pages of the checkout, and how a browser reaches them. Sandbox amounts: 4000 and 4001 are declined, 4003 gets no
// response, 4004 requires a step at the bank.
import { randomUUID } from 'node:crypto'
import { sealAttempt } from '../../src/checkout/attempt-token.ts'
import { parseQuery } from '../../src/http/query.ts'
import { parsePayLink } from '../../src/paylinks/pay-link.ts'
import { findPaymentsByText } from '../../src/payments/reads/find.ts'
import { resolvePayment } from '../../src/payments/resolution/resolve.ts'
import { endRefund } from '../../src/refunds/end-refund.ts'
import { payFor, reserveRefund } from '../refunds.ts'
import { CANCELLED, CONFIRMATIONS, REFUSALS } from './payer-refusals.ts'
import type { PayerState, PayerTrip } from './payer-trip.ts'
import { sendTampered } from './payer-trip.ts'

const newOrderId = () => `order-${randomUUID()}`

/** Opens a bank step, then opens the link again in the same browser. */
async function leaveBank(trip: PayerTrip, link: string): Promise<string> {
  await trip.pay(link)
  const id = trip.transactionId()
  await trip.goto(link)
  return id
}

async function reachResolved(trip: PayerTrip, as: 'paid' | 'unpaid'): Promise<void> {
  const customId = newOrderId()
  await trip.pay(trip.link({ amount: '4000', customId }))
  const { deps } = trip.world.service
  const { payments } = await findPaymentsByText(deps, customId)
  const { id } = payments[0]!
  await trip.world.set('update transactions t set needs_review = true where t.id = $1', id)
  await resolvePayment(deps, id, { as, reason: 'Checked', by: 'ana' })
  await trip.goto(`/pay/${id}?lang=${trip.locale}`)
}

/** Keeps the payment open: the next lookup is in an hour, and the upstream has no charge. */
async function keepOpen(trip: PayerTrip, id: string, ageMin = 0): Promise<void> {
  const sql = `update transactions set next_check_at = now() + interval '1 hour', created_at = now() - make_interval(mins => $2)
    where id = $1`
  await trip.world.set(sql, id, ageMin)
  await trip.world.set('delete from sandbox_charges where id = $1', id)
}

async function waitForOutcome(trip: PayerTrip, ageMin: number): Promise<void> {
  await trip.pay(trip.link({ amount: '4003' }))
  const id = trip.transactionId()
  await keepOpen(trip, id, ageMin)
  await trip.goto(`/pay/${id}?lang=${trip.locale}`)
}

/** Sends the form of a page that another browser opened `openedAgoMs` ago. This browser lacks that page's cookie. */
async function sendFormOfOtherBrowser(trip: PayerTrip, openedAgoMs: number): Promise<void> {
  const link = trip.link()
  await trip.goto(link)
  const { attemptTokens, clock } = trip.world.normal.deps
  const parsed = parsePayLink(parseQuery(link.split('?')[1]!))
  const attempt = { id: randomUUID(), link: parsed, replaces: null, shown: { currency: 'EUR', scale: 2 } }
  await trip.putToken(sealAttempt(attemptTokens, attempt, clock.nowMs() - openedAgoMs))
  await trip.press()
}

const READY: PayerState[] = [
  { name: 'ready', status: 200, reach: (trip) => trip.goto(trip.link()) },
  {
    // `trip.link` signs every test link by default.
    name: 'ready, signed, test mode',
    status: 200,
    reach: (trip) => trip.goto(trip.link({ mode: 'test', data: 'Narudžba 7', customId: newOrderId() })),
  },
  {
    name: 'ready, the longest amount',
    status: 200,
    reach: (trip) => trip.goto(trip.link({ amount: '999999999999', data: 'W'.repeat(64), signed: true })),
  },
  {
    name: 'ready, with a brand',
    status: 200,
    reach: (trip) => trip.goto(trip.brandedLink({ data: 'Narudžba 7', customId: newOrderId() })),
  },
  {
    name: 'receipt, with a brand',
    status: 200,
    async reach(trip) {
      await trip.pay(trip.brandedLink({ customId: newOrderId() }))
      await trip.goto(`/pay/${trip.transactionId()}?lang=${trip.locale}`)
    },
  },
  { name: 'declined', status: 402, reach: (trip) => trip.pay(trip.link({ amount: '4000' })) },
  {
    name: 'declined, opened again',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4001', customId: newOrderId() })
      await trip.pay(link)
      await trip.goto(link)
    },
  },
  { name: 'page too old', status: 410, reach: (trip) => sendFormOfOtherBrowser(trip, 2 * 3_600_000) },
  { name: 'opened in another window', status: 410, reach: (trip) => sendFormOfOtherBrowser(trip, 0) },
  { name: 'form tampered with', status: 400, reach: (trip) => sendTampered(trip, trip.link()) },
]

const PAYMENTS: PayerState[] = [
  { name: 'pending', status: 200, reach: (trip) => waitForOutcome(trip, 0) },
  { name: 'pending for minutes', status: 200, reach: (trip) => waitForOutcome(trip, 3) },
  {
    name: 'bank step open',
    status: 200,
    reach: async (trip) => void (await leaveBank(trip, trip.link({ amount: '4004' }))),
  },
  {
    name: 'back from the bank, result not known',
    status: 200,
    async reach(trip) {
      const id = await leaveBank(trip, trip.link({ amount: '4004' }))
      await trip.goto(`/pay/${id}?return=1&lang=${trip.locale}`)
    },
  },
  {
    name: 'bank step declined',
    status: 200,
    async reach(trip) {
      await trip.pay(trip.link({ amount: '4004' }))
      const moved = trip.page.waitForURL(/\/pay\//)
      await trip.page.click('button[value=decline]')
      await moved
    },
  },
  {
    name: 'paid, opened again',
    status: 200,
    async reach(trip) {
      const link = trip.link()
      await trip.pay(link)
      await trip.goto(link)
    },
  },
  {
    name: 'receipt',
    status: 200,
    async reach(trip) {
      await trip.pay(trip.link({ customId: newOrderId() }))
      await trip.goto(`/pay/${trip.transactionId()}?lang=${trip.locale}`)
    },
  },
  {
    name: 'receipt, partly refunded',
    status: 200,
    async reach(trip) {
      const { deps } = trip.world.service
      const payment = await payFor(deps, trip.world.shop.id)
      const refund = await reserveRefund(deps, payment, 500n)
      const end = { state: 'succeeded', failureCode: null, upstreamRef: null, changesInMs: null } as const
      await endRefund(deps, refund, end)
      await trip.goto(`/pay/${payment.id}?lang=${trip.locale}`)
    },
  },
  {
    name: 'in review',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4000', customId: newOrderId() })
      await trip.pay(link)
      await trip.world.set(
        'update transactions set needs_review = true where id = (select id from transactions order by id desc limit 1)',
      )
      await trip.goto(link)
    },
  },
  {
    name: 'open and in review',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4004', customId: newOrderId() })
      await trip.pay(link)
      await trip.world.set(
        'update transactions t set needs_review = true where t.id = $1',
        trip.transactionId(),
      )
      await trip.goto(link)
    },
  },
  { name: 'resolved as paid', status: 200, reach: (trip) => reachResolved(trip, 'paid') },
  { name: 'resolved as unpaid', status: 200, reach: (trip) => reachResolved(trip, 'unpaid') },
  {
    name: 'sandbox bank',
    status: 200,
    reach: (trip) => trip.pay(trip.link({ amount: '4004', mode: 'test' })),
  },
]

const ORDERS_WITH_A_PAYMENT: PayerState[] = [
  {
    name: 'already paid',
    status: 200,
    async reach(trip) {
      const link = trip.link({ customId: newOrderId(), data: 'Narudžba 7', signed: true })
      await trip.pay(link)
      await trip.forgetAttempts()
      await trip.goto(link)
    },
  },
  {
    name: 'conflict',
    status: 409,
    async reach(trip) {
      const customId = newOrderId()
      await trip.pay(trip.link({ customId }))
      await trip.pay(trip.link({ customId, amount: '1600' }))
    },
  },
  {
    name: 'payment open in another browser',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4003', customId: newOrderId() })
      await trip.pay(link)
      await keepOpen(trip, trip.transactionId())
      await trip.forgetAttempts()
      await trip.pay(link)
    },
  },
  {
    name: 'bank step open in another browser',
    status: 200,
    async reach(trip) {
      const link = trip.link({ amount: '4004', customId: newOrderId() })
      await trip.pay(link)
      await trip.forgetAttempts()
      await trip.pay(link)
    },
  },
]

export const PAYER_STATES: readonly PayerState[] = [
  ...READY,
  ...PAYMENTS,
  ...ORDERS_WITH_A_PAYMENT,
  ...REFUSALS,
  ...CONFIRMATIONS,
  CANCELLED,
]
