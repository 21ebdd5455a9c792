// Stripe as upstream. Each payment is a Checkout Session, a page of Stripe on which the payer pays. A payer gets the
// page's address only if the session's id was stored while the payment was open. When the payment is closed, the session
// with this id is closed too. So a closed payment cannot be paid.
import type { Queryable } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { toUnixSeconds } from '../lib/clock.ts'
import type { Backend, Charge } from './backend.ts'
import { UnknownOutcomeError } from './backend.ts'
import type { StripeApiOptions, SearchWindow } from './stripe-api.ts'
import { createStripeApi, startTimeLimit } from './stripe-api.ts'
import { RefusedError } from './stripe-faults.ts'
import { createStripeDisputes } from './stripe-disputes.ts'
import { createStripeLists } from './stripe-lists.ts'
import { createStripeRefunds } from './stripe-refunds.ts'
import type { CheckoutSession } from './stripe-session.ts'
import { toCharge } from './stripe-session.ts'
import type { StripeRow } from './stripe-store.ts'
import { adoptRow, closeRow, findRow, storeSessionId, storeEndedSession, openRow } from './stripe-store.ts'
import { readStripeWebhook } from './stripe-webhook.ts'

/** Stripe allows sessions of half an hour to a day. Here, both limits are five minutes stricter, because clocks differ. */
const LIFETIME_MINUTES = { min: 35, max: 24 * 60 - 5 }
/** A session is valid this much longer than our own timeout (within Stripe's limits), so that we close the session first. */
const LIFETIME_MARGIN_MINUTES = 5
/**
 * If we did not receive Stripe's response to our request for a session, the session is lost: we do not know its id. It is
 * searched for among the sessions that were created this long before and after our request. Calls may be slow, and clocks
 * may differ.
 */
const SEARCH_SEC = { before: 60, after: 90 }

/** How long after its expiry a session with an unknown id counts as expired. The margin is there because clocks differ. */
const EXPIRED_MARGIN_SEC = 300

/**
 * The limit of our lookups. Stripe allows 100 requests a second per account, 25 with a test key, and payers need most of
 * these requests. Few lookups are needed, because webhooks report most paid and expired sessions.
 */
const QUOTA = { perSec: 8, burst: 16, waitingPerSec: 0.9, waitingBurst: 2 }

export interface StripeBackendOptions extends StripeApiOptions {
  webhookSecret: string
  webhookSecretPrevious: string | null
  actionTimeoutMin: number
  db: Queryable
  clock: Clock
  accounts: Backend['accounts']
}

function toClosedCharge(row: StripeRow): Charge {
  return {
    id: row.id,
    status: 'cancelled',
    amount: row.amount ?? 0n,
    currency: row.currency ?? '',
    projectId: null,
    chargeId: null,
    failureCode: null,
    actionUrl: null,
  }
}

function toExpiresAtSec(row: StripeRow, actionTimeoutMin: number): number {
  const wantedMin = actionTimeoutMin + LIFETIME_MARGIN_MINUTES
  const lifetimeMin = Math.min(Math.max(wantedMin, LIFETIME_MINUTES.min), LIFETIME_MINUTES.max)
  return toUnixSeconds(row.asked_at.getTime()) + lifetimeMin * 60
}

function toWindow(row: StripeRow): SearchWindow {
  const requestedAtSec = toUnixSeconds(row.asked_at.getTime())
  return { fromSec: requestedAtSec - SEARCH_SEC.before, toSec: requestedAtSec + SEARCH_SEC.after }
}

// Why this is long: short functions that share one Stripe client.
export function createStripeBackend(options: StripeBackendOptions): Backend {
  const { db, clock } = options
  const api = createStripeApi(options)
  const nowSec = () => toUnixSeconds(clock.nowMs())
  const toChargeNow = (session: CheckoutSession): Charge => toCharge(session, nowSec())
  const expiresAtSec = (row: StripeRow) => toExpiresAtSec(row, options.actionTimeoutMin)
  const hasExpired = (row: StripeRow) => expiresAtSec(row) + EXPIRED_MARGIN_SEC < nowSec()

  async function closeSession(sessionId: string, evenIfPayerFinished = false): Promise<Charge> {
    let charge = toChargeNow((await api.expireSession(sessionId)) ?? (await api.retrieveSession(sessionId)))
    // A bank transfer that the payer announced but never made would stay open at Stripe forever.
    if (evenIfPayerFinished && charge.status === 'processing' && charge.chargeId !== null) {
      await api.cancelPayment(charge.chargeId)
      charge = toChargeNow(await api.retrieveSession(sessionId))
    }
    // Stripe refused to close the session, so a charge is still possible.
    if (charge.status === 'requires_action') throw new UnknownOutcomeError('Stripe keeps the session open')
    return charge
  }

  /** Closes a session whose address no payer got: its payment was already closed, or has another session. */
  async function closeUnusedSession(id: string, sessionId: string): Promise<Charge> {
    const charge = await closeSession(sessionId)
    await storeEndedSession(db, id, sessionId)
    return charge
  }

  async function storeThenReport(id: string, session: CheckoutSession): Promise<Charge> {
    return (await storeSessionId(db, id, session.id))
      ? toChargeNow(session)
      : closeUnusedSession(id, session.id)
  }

  async function findUpstreamPaymentId(id: string): Promise<string | null> {
    const row = await findRow(db, id)
    if (!row || row.session_id === null) return null
    return toChargeNow(await api.retrieveSession(row.session_id)).chargeId
  }

  return {
    name: 'stripe',
    accounts: options.accounts,
    quota: QUOTA,
    describeSteps: () => ({ pageName: 'Stripe', methods: [] }),
    disputes: createStripeDisputes(options),
    lists: createStripeLists(options),
    refunds: createStripeRefunds(options, findUpstreamPaymentId),
    async adopt({ id, amount, currency, sessionId }) {
      if (sessionId !== undefined) await adoptRow(db, { id, amount, currency, sessionId })
    },
    findPaymentId: (chargeId) => api.findTransactionId(chargeId),
    async create(charge) {
      const row = await openRow(db, charge)
      if (row.session_id !== null) return toChargeNow(await api.retrieveSession(row.session_id))
      if (row.closed_at !== null) return toClosedCharge(row)
      try {
        return await storeThenReport(row.id, await api.createSession(charge, expiresAtSec(row)))
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error
        return { ...toClosedCharge(row), status: 'failed', failureCode: error.code }
      }
    },
    async find(id, { timeoutMs } = {}) {
      const timeLeft = startTimeLimit(timeoutMs)
      const row = await findRow(db, id)
      if (!row) return null
      if (row.session_id !== null) return toChargeNow(await api.retrieveSession(row.session_id, timeLeft))
      if (row.closed_at !== null) return toClosedCharge(row)
      if (hasExpired(row)) return toClosedCharge(await closeRow(db, id))
      const sessionId = await api.searchSession(id, toWindow(row), timeLeft)
      return sessionId === null ? null : storeThenReport(id, await api.retrieveSession(sessionId, timeLeft))
    },
    async cancel(id, { evenIfPayerFinished = false } = {}) {
      const row = await closeRow(db, id)
      if (row.session_id !== null) return closeSession(row.session_id, evenIfPayerFinished)
      // Without a create(), the amount is null and no session exists. After a create(), a lost session may exist.
      const mayBeOpen = row.amount !== null && !hasExpired(row)
      const sessionId = mayBeOpen ? await api.searchSession(id, toWindow(row)) : null
      return sessionId ? closeUnusedSession(id, sessionId) : toClosedCharge(row)
    },
    readWebhook: (message) => readStripeWebhook(options, message, clock.nowMs()),
  }
}
