// The merchant's client: makes pay links and checks whether an order was paid.
import { buildPayUrl } from './pay-url.ts'
import { findSecretMode, requireSecretOfMode } from './secret.ts'
import type { Mode } from './secret.ts'
import { askService } from './service-call.ts'
import { signStatusHash } from './status-hash.ts'

export interface ClientOptions {
  readonly projectId: string
  /** The project's secret, sk_live_… or sk_test_…. Its prefix sets the mode of links and status checks. */
  readonly secret: string
  /** The service's address, such as https://pay.example.me. */
  readonly baseUrl: string
  /** Set `live` to refuse a test secret at once. */
  readonly mode?: Mode | undefined
  readonly timeoutMs?: number | undefined
  /** Replaces the runtime's fetch. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface PayUrlOptions {
  /** Decimal digits of the currency's smallest unit: '1500' is 15,00 €. */
  readonly amount: string
  /** A description. The payer sees it, and the callback returns it. */
  readonly data?: string | undefined
  /** Your order ID. It can be paid once, and `checkStatus` takes it. */
  readonly customId?: string | undefined
  /** Unix seconds after which the link cannot be paid. */
  readonly exp?: number | undefined
  /** `cnr` or `en`. By default the payer's browser decides. */
  readonly lang?: string | undefined
}

export interface Status {
  readonly successful: boolean
}

// The service responds within milliseconds. A page that waits for this should not wait much longer.
const TIMEOUT_MS = 10_000
// A timer beyond this fires immediately.
const TIMEOUT_MS_MAX = 2 ** 31 - 1

export class Client {
  readonly projectId: string
  readonly baseUrl: string
  readonly mode: Mode
  readonly #secret: string
  readonly #timeoutMs: number
  readonly #fetch: typeof globalThis.fetch

  constructor(options: ClientOptions) {
    const { projectId, secret, baseUrl, mode, timeoutMs = TIMEOUT_MS, fetch } = options
    requireSecretOfMode(secret, mode)
    // Checked here, because otherwise the first status check would fail as if the service were unreachable.
    if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > TIMEOUT_MS_MAX) {
      throw new TypeError('timeoutMs must be a whole number of milliseconds, at least 1.')
    }
    this.projectId = projectId
    this.baseUrl = baseUrl
    this.mode = mode ?? findSecretMode(secret) ?? 'live'
    this.#secret = secret
    this.#timeoutMs = timeoutMs
    // Called as a plain function: fetch of browsers and edge runtimes must not be called as a method.
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init))
    // Makes a link and drops it, so that wrong settings fail at the start and not at the first order.
    this.payUrl({ amount: '1' })
  }

  /** Returns a signed link. Makes no request. */
  payUrl(link: PayUrlOptions): string {
    const { projectId: project, mode } = this
    return buildPayUrl(this.baseUrl, { ...link, project, mode, secret: this.#secret })
  }

  /** Whether the order was paid; with `amount`, whether exactly that was paid. Throws ApiError without a valid response. */
  async checkStatus(
    customId: string,
    { amount }: { readonly amount?: string | undefined } = {},
  ): Promise<Status> {
    const question = { projectId: this.projectId, customId, amount }
    const answer = await askService({
      url: `${this.baseUrl.replace(/\/+$/, '')}/sdk/transaction/checkStatus`,
      body: { ...question, hash: signStatusHash(question, this.#secret) },
      timeoutMs: this.#timeoutMs,
      fetch: this.#fetch,
    })
    return { successful: answer.successful }
  }

  /** Shown by logs and debuggers; never the secret. */
  toJSON(): Record<string, string> {
    const { projectId, baseUrl, mode } = this
    return { projectId, baseUrl, mode, secret: '[removed]' }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Client ${JSON.stringify(this)}`
  }
}
