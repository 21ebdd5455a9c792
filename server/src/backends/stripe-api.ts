// Requests to Stripe about checkout sessions and their payments, through its own SDK.
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { z } from 'zod'
import type { NewCharge } from './backend.ts'
import { GarbledResponseError, NeverSentError, UnknownOutcomeError } from './backend.ts'
import { belongsToOtherInstallation, toMetadata, TRANSACTION_KEY } from './metadata.ts'
import { toStatementSuffix } from './statement-suffix.ts'
import { createStripeHttp } from './stripe-http.ts'
import type { CheckoutSession } from './stripe-session.ts'
import { parseSession } from './stripe-session.ts'
import { lookUp, lookUpOrNull, RefusedError, request, toUnknownOutcome } from './stripe-faults.ts'
import { RATE_LIMIT_RETRY } from './upstream-agent.ts'

/** The limit of one request, from connecting to the last byte. A later lookup finds the outcome of a slower request. */
const CALL_TIMEOUT_MS = 10_000
const PAGE_MAX = 100
/** Enough pages for a search over 150 seconds (SEARCH_SEC in stripe.ts) with sixty sessions a second. */
const PAGES_MAX = 100
/** Makes Stripe send a session with its PaymentIntent, which says whether money moved. */
const EXPAND = ['payment_intent']

export interface StripeApiOptions {
  secretKey: string
  livemode: boolean
  /** The origin of the API. Null: Stripe's own. */
  apiBase: string | null
  /** Shown to payers as the name of the product, unless the merchant is verified. */
  itemName: string
  installationId: string
  callTimeoutMs?: number
}

export interface SearchWindow {
  fromSec: number
  toSec: number
}

/** The time that is left for the next request, in ms. Throws if the time is over. Undefined: the request's own limit. */
export type TimeLeft = () => number | undefined

/** One limit for all requests of a lookup. Without `timeoutMs`, each request has its own limit. */
export function startTimeLimit(timeoutMs: number | undefined): TimeLeft {
  if (timeoutMs === undefined) return () => undefined
  const endMs = performance.now() + timeoutMs
  return () => {
    const leftMs = Math.ceil(endMs - performance.now())
    if (leftMs <= 0) throw new UnknownOutcomeError('Stripe did not respond in time')
    return leftMs
  }
}

export interface StripeApi {
  /** Throws a RefusedError if Stripe refuses the amount as too small or too large. */
  createSession(charge: NewCharge, expiresAtSec: number): Promise<CheckoutSession>
  retrieveSession(sessionId: string, timeLeft?: TimeLeft): Promise<CheckoutSession>
  /** Null: Stripe refused, most often because the session is no longer open. The caller must look the session up. */
  expireSession(sessionId: string): Promise<CheckoutSession | null>
  /**
   * For a payment that the payer has finished but whose money has not arrived, such as a bank transfer. If Stripe
   * refuses, nothing changes.
   */
  cancelPayment(paymentIntentId: string): Promise<void>
  /** The session's id. Null: no session created in the window belongs to this payment. */
  searchSession(id: string, window: SearchWindow, timeLeft?: TimeLeft): Promise<string | null>
  /** Returns our id of the payment. Null: no session of ours with this PaymentIntent was found. */
  findTransactionId(paymentIntentId: string): Promise<string | null>
}

const AMOUNT_CODES = new Set(['amount_too_small', 'amount_too_large'])

const sessionList = z.object({
  has_more: z.boolean(),
  data: z.array(z.looseObject({ id: z.string(), metadata: z.record(z.string(), z.string()).nullish() })),
})

export function toBase(apiBase: string | null): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (apiBase === null) return {}
  const { protocol, hostname, port } = new URL(apiBase)
  const isHttps = protocol === 'https:'
  return { protocol: isHttps ? 'https' : 'http', host: hostname, port: port || (isHttps ? 443 : 80) }
}

function toParams(
  charge: NewCharge,
  { itemName, installationId }: StripeApiOptions,
  expiresAtSec: number,
): Stripe.Checkout.SessionCreateParams {
  const metadata = toMetadata(charge, installationId)
  const merchantName = charge.merchantName ?? null
  const suffix = merchantName === null ? null : toStatementSuffix(merchantName)
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    submit_type: 'pay',
    client_reference_id: charge.id,
    // `data` is not shown, because anybody could have written the text in an unsigned link.
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: charge.currency.toLowerCase(),
          unit_amount: Number(charge.amount),
          product_data: { name: merchantName ?? itemName },
        },
      },
    ],
    // The payer confirmed the amount in this currency, so Stripe must not convert it.
    adaptive_pricing: { enabled: false },
    metadata,
    payment_intent_data: {
      metadata,
      description: `${itemName} ${charge.id}`,
      ...(suffix === null ? {} : { statement_descriptor_suffix: suffix }),
    },
    success_url: charge.returnUrl,
    cancel_url: charge.returnUrl,
    expires_at: expiresAtSec,
  }
}

/** The API version is the SDK's own, so it changes only when the SDK is upgraded. */
export function createStripeClient(options: StripeApiOptions): Stripe {
  return new Stripe(options.secretKey, {
    ...toBase(options.apiBase),
    httpClient: createStripeHttp(),
    timeout: options.callTimeoutMs ?? CALL_TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

// Why this is long: one short function per request.
export function createStripeApi(options: StripeApiOptions): StripeApi {
  const { livemode, callTimeoutMs = CALL_TIMEOUT_MS } = options
  const stripe = createStripeClient(options)
  const { sessions } = stripe.checkout

  function requireSession(value: unknown): CheckoutSession {
    const session = parseSession(value, livemode)
    if (!session) throw new GarbledResponseError('the response of Stripe is not a session of ours')
    return session
  }

  async function createWithRetry(params: Stripe.Checkout.SessionCreateParams, key: string): Promise<unknown> {
    try {
      return await request(() => sessions.create(params, { idempotencyKey: key }))
    } catch (error) {
      if (!(error instanceof RefusedError) || error.fault !== 'rate_limited') throw error
      await sleep(RATE_LIMIT_RETRY.pauseMs)
      const options = { idempotencyKey: key, timeout: RATE_LIMIT_RETRY.timeoutMs }
      return request(() => sessions.create(params, options))
    }
  }

  return {
    async createSession(charge, expiresAtSec) {
      if (!Number.isSafeInteger(Number(charge.amount)))
        throw new NeverSentError('the amount is too large for Stripe')
      const params = toParams(charge, options, expiresAtSec)
      try {
        return requireSession(await createWithRetry(params, charge.id))
      } catch (error) {
        if (error instanceof RefusedError && !AMOUNT_CODES.has(error.code ?? ''))
          throw new NeverSentError(error.message, { fault: error.fault })
        throw error
      }
    },
    async retrieveSession(sessionId, timeLeft) {
      const timeout = timeLeft?.() ?? callTimeoutMs
      return requireSession(await lookUp(() => sessions.retrieve(sessionId, { expand: EXPAND }, { timeout })))
    },
    async expireSession(sessionId) {
      try {
        return requireSession(await request(() => sessions.expire(sessionId, { expand: EXPAND })))
      } catch (error) {
        if (error instanceof RefusedError) return null
        throw toUnknownOutcome(error)
      }
    },
    async cancelPayment(paymentIntentId) {
      try {
        await request(() => stripe.paymentIntents.cancel(paymentIntentId))
      } catch (error) {
        // Stripe refuses while a debit is in progress, or if the key lacks the permission. The caller then uses the
        // status of the session.
        if (!(error instanceof RefusedError)) throw toUnknownOutcome(error)
      }
    },
    async searchSession(id, { fromSec, toSec }, timeLeft) {
      let after: string | null = null
      for (let pages = 1; pages <= PAGES_MAX; pages += 1) {
        const params: Stripe.Checkout.SessionListParams = {
          created: { gte: fromSec, lte: toSec },
          limit: PAGE_MAX,
          ...(after === null ? {} : { starting_after: after }),
        }
        const timeout = timeLeft?.() ?? callTimeoutMs
        const { data: page } = sessionList.safeParse(await lookUp(() => sessions.list(params, { timeout })))
        if (!page) throw new GarbledResponseError('the response of Stripe is not a list')
        const found = page.data.find(
          ({ metadata }) =>
            metadata?.[TRANSACTION_KEY] === id &&
            !belongsToOtherInstallation(metadata, options.installationId),
        )
        if (found) return found.id
        after = page.data.at(-1)?.id ?? null
        if (!page.has_more || after === null) return null
      }
      throw new UnknownOutcomeError(
        'Stripe lists more sessions around the time of this payment than can be searched',
      )
    },
    async findTransactionId(paymentIntentId) {
      const params = { payment_intent: paymentIntentId, limit: 1 }
      const found = await lookUpOrNull(() => sessions.list(params))
      if (found === null) return null
      const { data: page } = sessionList.safeParse(found)
      if (!page) throw new GarbledResponseError('the response of Stripe is not a list')
      const metadata = page.data[0]?.metadata ?? {}
      const isOurs = !belongsToOtherInstallation(metadata, options.installationId)
      return isOurs ? (metadata[TRANSACTION_KEY] ?? null) : null
    },
  }
}
