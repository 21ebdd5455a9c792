// Stripe as upstream: each payment is a Checkout Session, a page of Stripe's on which the payer pays. The payer gets
// the page's address only after the session's id is stored, and the id is stored only while the payment is open. So a closed
// payment cannot be paid. If Stripe's response was lost, the session is searched for; the idempotency key prevents a second one.
import type { Queryable } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { toUnixSeconds } from '../lib/clock.ts'
import type { Backend, Charge } from './backend.ts'
import { UnknownOutcomeError } from './backend.ts'
import type { StripeApiOptions, SearchWindow } from './stripe-api.ts'
import { createStripeApi } from './stripe-api.ts'
import { RefusedError } from './stripe-faults.ts'
import { createStripeDisputes } from './stripe-disputes.ts'
import { createStripeLists } from './stripe-lists.ts'
import { createStripeRefunds } from './stripe-refunds.ts'
import type { CheckoutSession } from './stripe-session.ts'
import { toCharge } from './stripe-session.ts'
import type { StripeRow } from './stripe-store.ts'
import { adoptRow, closeRow, findRow, storeSessionId, storeEndedSession, openRow } from './stripe-store.ts'
import { readStripeWebhook } from './stripe-webhook.ts'

/** Stripe allows half an hour to a day by its own clock; the margin is for a clock that differs. */
const LIFETIME_MINUTES = { min: 35, max: 24 * 60 - 5 }
/**
 * A session is valid this much longer than our own timeout, so that we close it first. Stripe closes the sessions that we
 * could not close.
 */
const LIFETIME_MARGIN_MINUTES = 5
/**
 * How far around our request a lost session is searched for. The call takes at most ten seconds; the rest is for clocks that
 * differ.
 */
const SEARCH_SEC = { before: 60, after: 90 }

/** A session counts as expired only after this margin, because clocks differ. */
const EXPIRED_MARGIN_SEC = 300

/**
 * Stripe allows 100 requests a second per account, 25 with a test key, and payers need most of them. Webhooks report
 * sessions that were paid or have expired, so lookups only make up for lost webhooks.
 */
const QUOTA = { perSec: 8, burst: 16, waitingPerSec: 0.9, waitingBurst: 2 }

export interface StripeBackendOptions extends StripeApiOptions {
  webhookSecret: string
  webhookSecretPrevious: string | null
  actionTimeoutMin: number
  db: Queryable
  clock: Clock
  /** See `accounts` of Backend. */
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

// Long: short functions that share one Stripe client.
export function createStripeBackend(options: StripeBackendOptions): Backend {
  const { db, clock } = options
  const api = createStripeApi(options)
  const nowSec = () => toUnixSeconds(clock.nowMs())
  const toChargeNow = (session: CheckoutSession): Charge => toCharge(session, nowSec())
  const expiresAtSec = (row: StripeRow) => toExpiresAtSec(row, options.actionTimeoutMin)
  /** Whether a session whose id was lost has certainly expired. No payer got its address. */
  const hasExpired = (row: StripeRow) => expiresAtSec(row) + EXPIRED_MARGIN_SEC < nowSec()

  /** Closes the session at Stripe, or returns how it had ended before. */
  async function closeSession(sessionId: string, evenIfPayerFinished = false): Promise<Charge> {
    let charge = toChargeNow((await api.expireSession(sessionId)) ?? (await api.retrieveSession(sessionId)))
    // A bank transfer that the payer announced but never made stays open at Stripe forever, so its payment is cancelled.
    if (evenIfPayerFinished && charge.status === 'processing' && charge.chargeId !== null) {
      await api.cancelPayment(charge.chargeId)
      charge = toChargeNow(await api.retrieveSession(sessionId))
    }
    // Stripe refused to close the session and it is still open, so it may be charging right now.
    if (charge.status === 'requires_action') throw new UnknownOutcomeError('Stripe keeps the session open')
    return charge
  }

  /** Closes a session that was found after its payment was closed: no payer got or will get its address. */
  async function closeUnusedSession(id: string, sessionId: string): Promise<Charge> {
    const charge = await closeSession(sessionId)
    await storeEndedSession(db, id, sessionId)
    return charge
  }

  /**
   * Stores the session's id, then returns the session with its address. If the payment was closed meanwhile, closes the
   * session.
   */
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
      const row = await findRow(db, id)
      if (!row) return null
      if (row.session_id !== null) return toChargeNow(await api.retrieveSession(row.session_id, timeoutMs))
      if (row.closed_at !== null) return toClosedCharge(row)
      if (hasExpired(row)) return toClosedCharge(await closeRow(db, id))
      const sessionId = await api.searchSession(id, toWindow(row), timeoutMs)
      return sessionId === null ? null : storeThenReport(id, await api.retrieveSession(sessionId, timeoutMs))
    },
    async cancel(id, { evenIfPayerFinished = false } = {}) {
      const row = await closeRow(db, id)
      if (row.session_id !== null) return closeSession(row.session_id, evenIfPayerFinished)
      // If create() was never called, the amount is null and there is no session. Otherwise there may be one whose id was
      // lost, which is closed too.
      const mayBeOpen = row.amount !== null && !hasExpired(row)
      const sessionId = mayBeOpen ? await api.searchSession(id, toWindow(row)) : null
      return sessionId ? closeUnusedSession(id, sessionId) : toClosedCharge(row)
    },
    readWebhook: (message) => readStripeWebhook(options, message, clock.nowMs()),
  }
}
