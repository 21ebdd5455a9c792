// The shop's side of the trip's first and last question: where does the payer go, and was it paid.
import { buildPayUrl } from './pay-url.ts'
import { findSecretMode, requireSecretOfMode } from './secret.ts'
import type { Mode } from './secret.ts'
import { askService } from './service-call.ts'
import { signStatusHash } from './status-hash.ts'

export interface ClientOptions {
  readonly projectId: string
  /** The project's secret, sk_live_… or sk_test_…; its prefix says whether links and questions are live or test. */
  readonly secret: string
  /** Where the service is, such as https://pay.example.me. */
  readonly baseUrl: string
  /** Say `live` where only live will do: a test secret is then refused at once. */
  readonly mode?: Mode | undefined
  readonly timeoutMs?: number | undefined
  /** Instead of the runtime's own. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface PayUrlOptions {
  /** Decimal digits of the currency's smallest unit: '1500' is 15,00 €. */
  readonly amount: string
  /** Yours; it comes back in the callback, and the payer reads it on the page. */
  readonly data?: string | undefined
  /** The order's own name: paid once, and what `checkStatus` asks for. */
  readonly customId?: string | undefined
  /** Unix seconds after which nobody can pay by this link. */
  readonly exp?: number | undefined
  /** `cnr` or `en`; without it the payer's browser decides. */
  readonly lang?: string | undefined
}

export interface Status {
  readonly successful: boolean
}

// The service answers within milliseconds; a page that waits for us should not wait much longer than this.
const TIMEOUT_MS = 10_000
// A timer beyond this fires at once.
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
    // What no timer can wait for would be told by the first status check, as if the service could not be reached.
    if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > TIMEOUT_MS_MAX) {
      throw new TypeError('timeoutMs must be a whole number of milliseconds, at least 1.')
    }
    this.projectId = projectId
    this.baseUrl = baseUrl
    this.mode = mode ?? findSecretMode(secret) ?? 'live'
    this.#secret = secret
    this.#timeoutMs = timeoutMs
    // Called as a plain function: browsers' and edge runtimes' own refuses to be somebody's method.
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init))
    // A link that nobody gets: whatever is wrong with the settings shows at the start, and not to the first buyer.
    this.payUrl({ amount: '1' })
  }

  /** Signed, and made without asking anybody. */
  payUrl(link: PayUrlOptions): string {
    const { projectId: project, mode } = this
    return buildPayUrl(this.baseUrl, { ...link, project, mode, secret: this.#secret })
  }

  /** Whether the order was paid; with `amount`, whether exactly that was paid. Throws ApiError when there is no answer. */
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

  /** What a log or a debugger sees. */
  toJSON(): Record<string, string> {
    const { projectId, baseUrl, mode } = this
    return { projectId, baseUrl, mode, secret: '[removed]' }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Client ${JSON.stringify(this)}`
  }
}
