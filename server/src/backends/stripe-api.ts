// The five things we ask of Stripe, through its own SDK. Every answer is a checked session; every fault is one of ours:
// refused, certainly not sent, or unknown.
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { z } from 'zod'
import type { NewCharge, UpstreamFault } from './backend.ts'
import {
  GarbledAnswerError,
  NeverSentError,
  toStatusFault,
  toUpstreamFault,
  UnknownOutcomeError,
} from './backend.ts'
import { createStripeHttp } from './stripe-http.ts'
import type { CheckoutSession } from './stripe-session.ts'
import { INSTALLATION_KEY, isOfOther, parseSession, PROJECT_KEY, TRANSACTION_KEY } from './stripe-session.ts'
import { LIMITED_RETRY } from './upstream-agent.ts'

/** The whole call. A payer does not wait longer, and the reconciler asks afterwards. */
const CALL_TIMEOUT_MS = 10_000
/** As many as Stripe gives at once. */
const PAGE_MAX = 100
/** Looked through for one session: those of two and a half minutes at sixty payments a second. */
const PAGES_MAX = 100
/** The payment behind a session says what became of the money; asked of one session, not of a whole page of them. */
const EXPAND = ['payment_intent']
/** What Stripe takes as one value of its metadata. */
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

/** Stripe understood and did nothing. Its message is kept out: it quotes what was sent. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly code: string | null
  readonly fault: UpstreamFault

  constructor(message: string, code: string | null, fault: UpstreamFault) {
    super(message)
    this.code = code
    this.fault = fault
  }
}

/** Refusals that are about the payment itself; all others are about us, and the payer can do nothing about them. */
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

function toFault(error: unknown): Error {
  if (!(error instanceof Stripe.errors.StripeError))
    return new UnknownOutcomeError('the SDK failed', { cause: error })
  const told: unknown = error.detail
  if (told instanceof NeverSentError || told instanceof UnknownOutcomeError) return told
  const { statusCode: status = 0, rawType, code, param, requestId } = error
  const facts = [status, rawType, code, param, requestId].filter(Boolean).join(' ')
  // A key in use, or used before with other values, means that another request did what this one was to do.
  const isDone = status === 409 || rawType === 'idempotency_error'
  if (status >= 400 && status < 500 && !isDone)
    return new RefusedError(`Stripe refused: ${facts}`, code ?? null, toStatusFault(status))
  return new UnknownOutcomeError(`Stripe answered ${facts}`)
}

async function ask(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    throw toFault(error)
  }
}

/**
 * For a session that exists, or may: that a question was not put, or was refused because the key is wrong or the session
 * another account's, says nothing about money.
 */
async function look(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask(call)
  } catch (error) {
    throw toUnknown(error)
  }
}

function toUnknown(error: unknown): UnknownOutcomeError {
  if (error instanceof UnknownOutcomeError) return error
  if (error instanceof RefusedError)
    return new UnknownOutcomeError(error.message, { cause: error, fault: error.fault })
  const fault = toUpstreamFault(error) ?? 'failing'
  return new UnknownOutcomeError('Stripe cannot be asked', { cause: error, fault })
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
    // Not the merchant's own text: with an unsigned link anybody could have written it.
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
    if (!session) throw new GarbledAnswerError('Stripe answered with something that is no session of ours')
    return session
  }

  async function createOnce(params: Stripe.Checkout.SessionCreateParams, key: string): Promise<unknown> {
    try {
      return await ask(() => sessions.create(params, { idempotencyKey: key }))
    } catch (error) {
      if (!(error instanceof RefusedError) || error.fault !== 'rate_limited') throw error
      await sleep(LIMITED_RETRY.pauseMs)
      const options = { idempotencyKey: key, timeout: LIMITED_RETRY.timeoutMs }
      return ask(() => sessions.create(params, options))
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
      return requireSession(await look(() => sessions.retrieve(sessionId, { expand: EXPAND }, { timeout })))
    },
    async expireSession(sessionId) {
      try {
        return requireSession(await ask(() => sessions.expire(sessionId, { expand: EXPAND })))
      } catch (error) {
        if (error instanceof RefusedError) return null
        throw toUnknown(error)
      }
    },
    async cancelPayment(paymentIntentId) {
      try {
        await ask(() => stripe.paymentIntents.cancel(paymentIntentId))
      } catch (error) {
        // A debit that is under way, or a key that may not: what the session says then is what counts.
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
        const { data: page } = sessionList.safeParse(await look(() => sessions.list(params, { timeout })))
        if (!page) throw new GarbledAnswerError('Stripe answered with something that is no list')
        const found = page.data.find(
          ({ metadata }) =>
            metadata?.[TRANSACTION_KEY] === id && !isOfOther(metadata, options.installationId),
        )
        if (found) return found.id
        after = page.data.at(-1)?.id ?? null
        if (!page.has_more || after === null) return null
      }
      throw new UnknownOutcomeError('more sessions in that time than can be looked through')
    },
  }
}
