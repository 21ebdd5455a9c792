// The merchant's client. Pay links and status checks need a secret. Payments, refunds and events also need an API token.
import { EventFeed, parsePage } from './event-feed.ts'
import type { EventFeedOptions, PageRequest } from './event-feed.ts'
import { buildPayUrl } from './pay-url.ts'
import type { Refund, TransactionDetails } from './records.ts'
import { findSecretMode, requireSecretOfMode, requireSecrets } from './secret.ts'
import type { Mode, Secrets } from './secret.ts'
import { callService } from './service-call.ts'
import type { ServiceCall } from './service-call.ts'
import { signStatusHash } from './status-hash.ts'
import { isJsonObject } from './strict-json.ts'
import type { JsonObject, JsonValue } from './strict-json.ts'

export interface ClientOptions {
  readonly projectId: string
  /** The project's secret, sk_live_… or sk_test_…. Its prefix sets the mode. In a list, the first secret signs. */
  readonly secret: Secrets
  /** The service's address, such as https://pay.example.me. */
  readonly baseUrl: string
  /** An API token, pat_…, for `transaction`, `events` (scope read) and `refund` (scope refund). */
  readonly token?: string | undefined
  /** By default the prefix of the secret sets the mode. No prefix means `live`. Set `live` to refuse a test secret. */
  readonly mode?: Mode | undefined
  readonly timeoutMs?: number | undefined
  /** Replaces the runtime's fetch. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface PayUrlOptions {
  /** Decimal digits of the currency's smallest unit: '1500' is 15,00 €. */
  readonly amount: string
  /** A description, which the callback returns. The payer sees it if it is one line of at most 64 characters. */
  readonly data?: string | undefined
  /** Your order ID. An order can be paid once, and `checkStatus` needs the order ID. */
  readonly customId?: string | undefined
  /** Unix seconds after which the link cannot be paid. */
  readonly exp?: number | undefined
  /** `cnr` or `en`. By default the payer's browser decides. */
  readonly lang?: string | undefined
}

/** One payment, by its id or by your order ID. */
export type TransactionKey =
  | { readonly transactionId: string; readonly customId?: undefined }
  | { readonly customId: string; readonly transactionId?: undefined }

export interface RefundRequest {
  readonly transactionId: string
  /** Decimal digits of the currency's smallest unit. By default everything that can still be refunded. */
  readonly amount?: string | undefined
  /** For your own records, at most 200 characters. */
  readonly reason?: string | undefined
  /** Your own key for this refund. The same request with the same key refunds once. */
  readonly idempotencyKey: string
}

export interface Status {
  readonly successful: boolean
}

// Low, because a payer's page may be waiting for the result.
const TIMEOUT_MS = 10_000
// A timer with a longer delay fires immediately.
const TIMEOUT_MS_MAX = 2 ** 31 - 1
// 500 events with the longest texts have about 4 MiB.
const PAGE_BYTES_MAX = 8 * 1024 * 1024
// A payment with a thousand refunds has about 1 MiB.
const DETAILS_BYTES_MAX = 2 * 1024 * 1024

export class Client {
  readonly projectId: string
  readonly baseUrl: string
  readonly mode: Mode
  readonly #secret: string
  readonly #token: string | undefined
  readonly #timeoutMs: number
  readonly #fetch: typeof globalThis.fetch

  constructor(options: ClientOptions) {
    const { projectId, baseUrl, token, mode, timeoutMs = TIMEOUT_MS, fetch } = options
    const [secret, ...others] = requireSecrets(options.secret)
    for (const one of [secret, ...others]) requireSecretOfMode(one, mode)
    // Otherwise every request would fail.
    if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > TIMEOUT_MS_MAX) {
      throw new TypeError('timeoutMs must be a whole number of milliseconds, at least 1.')
    }
    this.projectId = projectId
    this.baseUrl = baseUrl
    this.mode = mode ?? findSecretMode(secret) ?? 'live'
    this.#secret = secret
    this.#token = token
    this.#timeoutMs = timeoutMs
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init))
    // Wrong settings fail here, not at the first order.
    this.payUrl({ amount: '1' })
  }

  /** Returns a signed link, without a request. */
  payUrl(link: PayUrlOptions): string {
    const { projectId: project, mode } = this
    return buildPayUrl(this.baseUrl, { ...link, project, mode, secret: this.#secret })
  }

  /**
   * Whether the order was paid. With `amount`: whether exactly that amount was paid. Throws ApiError if the service
   * refuses the request or gives no valid response.
   */
  async checkStatus(
    customId: string,
    { amount }: { readonly amount?: string | undefined } = {},
  ): Promise<Status> {
    const question = { projectId: this.projectId, customId, amount }
    const call = this.#toCall('transaction/checkStatus', {
      ...question,
      hash: signStatusHash(question, this.#secret),
    })
    return callService(call, ({ successful }) =>
      typeof successful === 'boolean' ? { successful } : undefined,
    )
  }

  /** One payment with its refunds and disputes. Needs `token`. Throws ApiError `not_found` if there is none. */
  async transaction(key: TransactionKey): Promise<TransactionDetails> {
    const { projectId, mode } = this
    const body = { projectId, ...key, ...(key.customId === undefined ? {} : { mode }) }
    const call = this.#toTokenCall('transaction/get', body, DETAILS_BYTES_MAX)
    return callService(call, (json) => (isDetails(json) ? json : undefined))
  }

  /**
   * Refunds all or part of a payment. Needs `token` with the scope refund. The id alone names the payment: the id of a live
   * payment refunds live money, even if the client has a test secret. If an error leaves the outcome open, repeat the call
   * with the same key.
   */
  async refund(request: RefundRequest): Promise<Refund> {
    const { projectId } = this
    const call = this.#toTokenCall('transaction/refund', { projectId, ...request })
    return callService(call, ({ refund }) => (isRefund(refund) ? refund : undefined))
  }

  /**
   * The changes of payments, refunds and disputes in the client's mode, for `for await`. Store `cursor` of the feed to
   * continue later. Needs `token`.
   */
  events(options: EventFeedOptions = {}): EventFeed {
    const { projectId, mode } = this
    const readPage = (page: PageRequest) => {
      const call = this.#toTokenCall('events/list', { projectId, mode, ...page }, PAGE_BYTES_MAX)
      return callService({ ...call, signal: options.signal }, parsePage)
    }
    return new EventFeed(readPage, `${mode}~${projectId}`, options)
  }

  #toCall(route: string, body: object): ServiceCall {
    const url = `${this.baseUrl.replace(/\/+$/, '')}/sdk/${route}`
    return { url, body, timeoutMs: this.#timeoutMs, fetch: this.#fetch }
  }

  #toTokenCall(route: string, body: object, responseBytesMax?: number): ServiceCall {
    if (!this.#token) throw new TypeError('This needs an API token: give the Client a token (pat_…).')
    return { ...this.#toCall(route, body), token: this.#token, responseBytesMax }
  }

  toJSON(): Record<string, string> {
    const { projectId, baseUrl, mode } = this
    return { projectId, baseUrl, mode, secret: '[removed]' }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Client ${JSON.stringify(this)}`
  }
}

function isDetails(json: JsonObject): json is JsonObject & TransactionDetails {
  const { transaction, refunds, disputes } = json
  const hasId = isJsonObject(transaction) && typeof transaction['id'] === 'string'
  return hasId && Array.isArray(refunds) && Array.isArray(disputes)
}

function isRefund(value: JsonValue | undefined): value is JsonObject & Refund {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['state'] === 'string'
}
