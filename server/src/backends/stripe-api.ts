// Our five requests to Stripe, through its own SDK. Every response is validated as a session; every failure is one of
// refused, certainly not sent, or unknown.
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { z } from 'zod'
import type { NewCharge } from './backend.ts'
import { GarbledResponseError, NeverSentError, UnknownOutcomeError } from './backend.ts'
import { createStripeHttp } from './stripe-http.ts'
import type { CheckoutSession } from './stripe-session.ts'
import { INSTALLATION_KEY, isOfOther, parseSession, PROJECT_KEY, TRANSACTION_KEY } from './stripe-session.ts'
import { lookUp, RefusedError, request, toUnknown } from './stripe-faults.ts'
import { LIMITED_RETRY } from './upstream-agent.ts'

/** The whole call. A payer does not wait longer, and the reconciler looks the payment up later. */
const CALL_TIMEOUT_MS = 10_000
/** The most that Stripe returns per page. */
const PAGE_MAX = 100
/** Searched for one session: those of two and a half minutes at sixty payments a second. */
const PAGES_MAX = 100
/** The payment behind a session says whether money moved. Expanded for single sessions only, not for lists. */
const EXPAND = ['payment_intent']
/** Stripe's limit for one value of its metadata. */
const METADATA_VALUE_MAX = 500

export interface StripeApiOptions {
  secretKey: string
  livemode: boolean
  /** Null: Stripe itself. */
  apiBase: string | null
  /** What payers read as the thing they pay for. */
  itemName: string
  installationId: string
  /** Shorter in tests that wait for it. */
  callTimeoutMs?: number
}

export interface Window {
  fromSec: number
  toSec: number
}

export interface StripeApi {
  /** Throws a RefusedError for an amount that Stripe does not take. */
  createSession(charge: NewCharge, expiresAtSec: number): Promise<CheckoutSession>
  retrieveSession(sessionId: string, timeoutMs?: number): Promise<CheckoutSession>
  /** Null: it is not open any more, or not there. */
  expireSession(sessionId: string): Promise<CheckoutSession | null>
  /** Stops a payment that the payer has finished; one that Stripe does not stop stays as it is. */
  cancelPayment(paymentIntentId: string): Promise<void>
  /** Its name. Null: among the sessions created in that time there is none of this payment. */
  searchSession(id: string, window: Window, timeoutMs?: number): Promise<string | null>
}

/** Refusals that concern the payment itself; all others concern our settings. */
const ABOUT_THE_AMOUNT = new Set(['amount_too_small', 'amount_too_large'])

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

function toMetadata(charge: NewCharge, installationId: string): Record<string, string> {
  const own = {
    [TRANSACTION_KEY]: charge.id,
    [PROJECT_KEY]: charge.projectId,
    [INSTALLATION_KEY]: installationId,
  }
  const merchants = Object.entries({ pazar_custom_id: charge.customId, pazar_data: charge.data })
  const fitting = merchants.filter(([, value]) => value && [...value].length <= METADATA_VALUE_MAX)
  return { ...Object.fromEntries(fitting.map(([key, value]) => [key, value ?? ''])), ...own }
}

function toParams(
  charge: NewCharge,
  { itemName, installationId }: StripeApiOptions,
  expiresAtSec: number,
): Stripe.Checkout.SessionCreateParams {
  const metadata = toMetadata(charge, installationId)
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    submit_type: 'pay',
    client_reference_id: charge.id,
    // Not the merchant's text: with an unsigned link anybody could have written it.
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: charge.currency.toLowerCase(),
          unit_amount: Number(charge.amount),
          product_data: { name: itemName },
        },
      },
    ],
    // The payer confirmed this amount in this currency.
    adaptive_pricing: { enabled: false },
    metadata,
    payment_intent_data: { metadata, description: `${itemName} ${charge.id}` },
    success_url: charge.returnUrl,
    cancel_url: charge.returnUrl,
    expires_at: expiresAtSec,
  }
}

export function createStripeApi(options: StripeApiOptions): StripeApi {
  const { livemode, callTimeoutMs = CALL_TIMEOUT_MS } = options
  const stripe = new Stripe(options.secretKey, {
    ...toBase(options.apiBase),
    httpClient: createStripeHttp(),
    timeout: callTimeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const { sessions } = stripe.checkout

  function requireSession(value: unknown): CheckoutSession {
    const session = parseSession(value, livemode)
    if (!session) throw new GarbledResponseError('Stripe answered with something that is no session of ours')
    return session
  }

  async function createOnce(params: Stripe.Checkout.SessionCreateParams, key: string): Promise<unknown> {
    try {
      return await request(() => sessions.create(params, { idempotencyKey: key }))
    } catch (error) {
      if (!(error instanceof RefusedError) || error.fault !== 'rate_limited') throw error
      await sleep(LIMITED_RETRY.pauseMs)
      const options = { idempotencyKey: key, timeout: LIMITED_RETRY.timeoutMs }
      return request(() => sessions.create(params, options))
    }
  }

  return {
    async createSession(charge, expiresAtSec) {
      if (!Number.isSafeInteger(Number(charge.amount)))
        throw new NeverSentError('an amount that no number of Stripe holds')
      const params = toParams(charge, options, expiresAtSec)
      try {
        return requireSession(await createOnce(params, charge.id))
      } catch (error) {
        if (error instanceof RefusedError && !ABOUT_THE_AMOUNT.has(error.code ?? ''))
          throw new NeverSentError(error.message, { fault: error.fault })
        throw error
      }
    },
    async retrieveSession(sessionId, timeout = callTimeoutMs) {
      return requireSession(await lookUp(() => sessions.retrieve(sessionId, { expand: EXPAND }, { timeout })))
    },
    async expireSession(sessionId) {
      try {
        return requireSession(await request(() => sessions.expire(sessionId, { expand: EXPAND })))
      } catch (error) {
        if (error instanceof RefusedError) return null
        throw toUnknown(error)
      }
    },
    async cancelPayment(paymentIntentId) {
      try {
        await request(() => stripe.paymentIntents.cancel(paymentIntentId))
      } catch (error) {
        // A debit under way cannot be stopped, and some keys may not cancel: the session's own status counts then.
        if (!(error instanceof RefusedError)) throw toUnknown(error)
      }
    },
    async searchSession(id, { fromSec, toSec }, timeout = callTimeoutMs) {
      let after: string | null = null
      for (let pages = 1; pages <= PAGES_MAX; pages += 1) {
        const params: Stripe.Checkout.SessionListParams = {
          created: { gte: fromSec, lte: toSec },
          limit: PAGE_MAX,
          ...(after === null ? {} : { starting_after: after }),
        }
        const { data: page } = sessionList.safeParse(await lookUp(() => sessions.list(params, { timeout })))
        if (!page) throw new GarbledResponseError('Stripe answered with something that is no list')
        const found = page.data.find(
          ({ metadata }) =>
            metadata?.[TRANSACTION_KEY] === id && !isOfOther(metadata, options.installationId),
        )
        if (found) return found.id
        after = page.data.at(-1)?.id ?? null
        if (!page.has_more || after === null) return null
      }
      throw new UnknownOutcomeError('more sessions in that time than can be searched')
    },
  }
}
