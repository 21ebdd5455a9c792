// The only reader of the environment: parsed once at start, frozen, and every wrong setting named in one sentence each.
import path from 'node:path'
import {
  ACTION_TIMEOUT_DEFAULT_MIN,
  AMOUNT_SCALE_MAX,
  ATTEMPT_RETENTION_DEFAULT_DAYS,
  RATE_LIMITS,
} from '@pazar/contract'
import type { RateLimitName } from '@pazar/contract'
import { FAIL_STEPS } from './lib/failpoint.ts'
import type { FailStep } from './lib/failpoint.ts'
import { findStripeDecimals } from './lib/stripe-decimals.ts'

export interface Config {
  production: boolean
  port: number
  host: string
  /** Origin without a slash at the end; the only source of links, redirects and cookie names. */
  baseUrl: string
  https: boolean
  dataDir: string
  databaseUrl: string | null
  /** How long the database may take for one statement before its connection is given up. */
  databaseQueryTimeoutMs: number
  secretsKey: Buffer | null
  secretsKeyPrevious: Buffer | null
  role: 'all' | 'web' | 'delivery'
  currency: string
  amountScale: number
  backend: BackendName
  /** Upstreams that open no payments any more; what was opened with them stays reachable. May repeat BACKEND. */
  backendsKept: readonly BackendName[]
  /** Without a slash at the end; set, as is its secret, when http is the upstream or kept. */
  backendUrl: string | null
  backendSecret: string | null
  /** Still accepted on webhooks while BACKEND_SECRET is being replaced. */
  backendSecretPrevious: string | null
  /** What payments carry as the http upstream's account instead of its address. */
  backendAccount: string | null
  /** Set when stripe is the upstream or kept. */
  stripe: StripeConfig | null
  /** How long a bank's page may stay open before the payment is closed there and counts as expired. */
  actionTimeoutMin: number
  /** For fault tests: the step of the money path at which the process kills itself. */
  failAt: FailStep | null
  signUp: 'open' | 'closed'
  requireKyc: boolean
  callbackAllowHosts: ReadonlySet<string>
  /** Where callbacks leave the network through, if not directly. */
  egressProxy: URL | null
  attemptRetentionDays: number
  /** After so many days customId and data of ended payments are erased; null: never. */
  paymentDataRetentionDays: number | null
  smtpUrl: string | null
  /** Whether a mail may leave only over TLS; always so with smtps:. */
  smtpRequireTls: boolean
  mailFrom: string
  operatorName: string
  operatorEmail: string | null
  supportUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
  /** Who writes the assistant's answers; null: they are quoted from the documentation. */
  ai: { baseUrl: string; apiKey: string | null; model: string } | null
  trustProxy: number
  rateLimits: Readonly<Record<RateLimitName, number>> | null
  demo: boolean
  /** `npm` passes no signal on when it is ended; the service then has to notice that it is gone. */
  startedByNpm: boolean
  logLevel: LogLevel
  /** A port of its own for /metrics, out of the payers' reach; or a token for the common one. Without either there is none. */
  metricsPort: number | null
  metricsToken: string | null
}

export interface StripeConfig {
  secretKey: string
  webhookSecret: string
  webhookSecretPrevious: string | null
  /** `acct_…`, for keys that may not ask Stripe for it. */
  account: string | null
  /** Whether the key is one of those that move money. */
  livemode: boolean
  /** Another address than Stripe's own, without a slash at the end: for tests. */
  apiBase: string | null
}

export const BACKENDS = ['sandbox', 'http', 'stripe'] as const
type BackendName = (typeof BACKENDS)[number]
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]
const ROLES = ['all', 'web', 'delivery'] as const

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

type Env = Readonly<Record<string, string | undefined>>

class Reader {
  readonly problems: string[] = []
  readonly #env: Env
  constructor(env: Env) {
    this.#env = env
  }

  text(name: string): string | null {
    const value = this.#env[name]?.trim()
    return value ? value : null
  }

  names(prefix: string): string[] {
    return Object.keys(this.#env).filter((name) => name.startsWith(prefix))
  }

  /** An address, alone or behind a name: `a@b.me` or `Pazar <a@b.me>`. */
  mailbox(name: string): string | null {
    const value = this.text(name)
    if (value === null || /^(?:[^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(value)) return value
    this.wrong(`${name} must be an e-mail address, alone or as Name <address>.`)
    return null
  }

  wrong(sentence: string): void {
    this.problems.push(sentence)
  }

  oneOf<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = this.text(name) ?? fallback
    const choice = choices.find((one) => one === value)
    if (!choice) this.wrong(`${name} must be one of ${choices.join(', ')}.`)
    return choice ?? fallback
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.text(name)?.toLowerCase() ?? String(fallback)
    if (['true', 'on', '1', 'yes'].includes(value)) return true
    if (!['false', 'off', '0', 'no'].includes(value))
      this.wrong(`${name} must be on or off (or true or false).`)
    return false
  }

  whole(name: string, fallback: number, min: number, max: number): number {
    const value = this.text(name)
    if (value === null) return fallback
    const parsed = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (parsed >= min && parsed <= max) return parsed
    this.wrong(`${name} must be a whole number from ${min} to ${max}.`)
    return fallback
  }

  key(name: string): Buffer | null {
    const value = this.text(name)
    if (value === null) return null
    const bytes = Buffer.from(value, 'base64')
    const canonical = [bytes.toString('base64'), bytes.toString('base64url')].includes(value)
    if (canonical && bytes.length === 32) return bytes
    this.wrong(`${name} must be 32 random bytes in base64 (for example from: openssl rand -base64 32).`)
    return null
  }

  url(name: string, protocols: readonly string[]): URL | null {
    const value = this.text(name)
    if (value === null) return null
    const url = URL.canParse(value) ? new URL(value) : null
    if (url && protocols.includes(url.protocol) && (url.host !== '' || url.protocol === 'mailto:')) return url
    this.wrong(
      `${name} must be an address that starts with ${protocols.map((one) => `${one}//`).join(' or ')}.`,
    )
    return null
  }
}

function readBaseUrl(read: Reader, port: number): URL {
  const fallback = new URL(`http://localhost:${port}`)
  const url = read.url('BASE_URL', ['http:', 'https:']) ?? fallback
  if (url.pathname === '/' && !url.search && !url.hash && !url.username) return url
  read.wrong('BASE_URL must be an origin alone, such as https://pay.example.me, without a path.')
  return fallback
}

function readAllowHosts(read: Reader): ReadonlySet<string> {
  const hosts = (read.text('CALLBACK_ALLOW_HOSTS') ?? '').split(',').map((one) => one.trim().toLowerCase())
  const given = hosts.filter((one) => one !== '')
  for (const host of given) {
    const port = Number(/^(?:\[[0-9a-f:]+\]|[a-z0-9.-]+):(\d{1,5})$/.exec(host)?.[1] ?? 0)
    if (port < 1 || port > 65_535) {
      read.wrong('CALLBACK_ALLOW_HOSTS must be a list such as localhost:4000,127.0.0.1:8080.')
    }
  }
  return new Set(given)
}

/** Signatures under a short key can be guessed; the length is that of the digest they are made with. */
const BACKEND_SECRET_BYTES_MIN = 32

function readKept(read: Reader): BackendName[] {
  const names = (read.text('BACKENDS_KEPT') ?? '').split(',').map((one) => one.trim())
  const kept = BACKENDS.filter((one) => names.includes(one))
  if (names.some((one) => one !== '' && !kept.some((name) => name === one)))
    read.wrong(`BACKENDS_KEPT must be a list of upstreams out of ${BACKENDS.join(', ')}.`)
  return kept
}

/** The part of a sentence that says why the settings of an upstream are needed; null: they are not. */
function findNeed(
  name: BackendName,
  { backend, backendsKept }: Pick<Config, 'backend' | 'backendsKept'>,
): string | null {
  if (backend === name) return `when BACKEND is ${name}`
  return backendsKept.includes(name) ? `while BACKENDS_KEPT has ${name}` : null
}

type HttpSettings =
  | 'backend'
  | 'backendsKept'
  | 'backendUrl'
  | 'backendSecret'
  | 'backendSecretPrevious'
  | 'backendAccount'

function readBackend(read: Reader): Pick<Config, HttpSettings> {
  const backend = read.oneOf('BACKEND', BACKENDS, 'sandbox')
  const backendsKept = readKept(read)
  const need = findNeed('http', { backend, backendsKept })
  const url = read.url('BACKEND_URL', ['https:', 'http:'])
  const backendSecret = read.text('BACKEND_SECRET')
  if (url && (url.search || url.hash || url.username))
    read.wrong('BACKEND_URL must be a plain address, without user, query or fragment.')
  const previous = read.text('BACKEND_SECRET_PREVIOUS')
  if (previous !== null && Buffer.byteLength(previous) < BACKEND_SECRET_BYTES_MIN)
    read.wrong(`BACKEND_SECRET_PREVIOUS must have at least ${BACKEND_SECRET_BYTES_MIN} bytes.`)
  if (need && !read.text('BACKEND_URL')) read.wrong(`BACKEND_URL must be set ${need}.`)
  if (need && Buffer.byteLength(backendSecret ?? '') < BACKEND_SECRET_BYTES_MIN)
    read.wrong(`BACKEND_SECRET must have at least ${BACKEND_SECRET_BYTES_MIN} bytes ${need}.`)
  return {
    backend,
    backendsKept,
    backendUrl: url ? url.href.replace(/\/+$/, '') : null,
    backendSecret,
    backendSecretPrevious: previous,
    backendAccount: read.text('BACKEND_ACCOUNT'),
  }
}

/** Secret and restricted keys, each with its mode; publishable ones cannot open a session. */
const STRIPE_KEY = /^(?:sk|rk)_(live|test)_[A-Za-z0-9_]{8,}$/
const STRIPE_WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/=_-]{16,}$/

function readStripe(
  read: Reader,
  config: Pick<Config, 'backend' | 'backendsKept' | 'currency' | 'amountScale'>,
): StripeConfig | null {
  const need = findNeed('stripe', config)
  const account = read.text('STRIPE_ACCOUNT')
  const secretKey = read.text('STRIPE_SECRET_KEY') ?? ''
  const webhookSecret = read.text('STRIPE_WEBHOOK_SECRET') ?? ''
  const api = read.url('STRIPE_API_BASE', ['https:', 'http:'])
  if (api && (api.pathname !== '/' || api.search || api.hash || api.username))
    read.wrong('STRIPE_API_BASE must be an origin alone, such as http://127.0.0.1:12111.')
  if (account !== null && !/^acct_[A-Za-z0-9]{1,64}$/.test(account))
    read.wrong('STRIPE_ACCOUNT must be the id of an account (acct_…).')
  const webhookSecretPrevious = read.text('STRIPE_WEBHOOK_SECRET_PREVIOUS')
  if (webhookSecretPrevious !== null && !STRIPE_WEBHOOK_SECRET.test(webhookSecretPrevious))
    read.wrong("STRIPE_WEBHOOK_SECRET_PREVIOUS must be the webhook endpoint's former secret (whsec_…).")
  if (!need) return null
  const mode = STRIPE_KEY.exec(secretKey)?.[1]
  if (!mode) read.wrong(`STRIPE_SECRET_KEY must be a secret or restricted key (sk_… or rk_…) ${need}.`)
  if (!STRIPE_WEBHOOK_SECRET.test(webhookSecret))
    read.wrong(`STRIPE_WEBHOOK_SECRET must be the webhook endpoint's secret (whsec_…) ${need}.`)
  if (api && mode === 'live')
    read.wrong('STRIPE_API_BASE cannot be set with a live key: it would be sent there.')
  if (config.backend === 'stripe') checkStripeDecimals(read, config)
  const livemode = mode === 'live'
  return { secretKey, webhookSecret, webhookSecretPrevious, account, livemode, apiBase: api?.origin ?? null }
}

function checkStripeDecimals(
  read: Reader,
  { currency, amountScale }: Pick<Config, 'currency' | 'amountScale'>,
): void {
  const decimals = findStripeDecimals(currency)
  if (decimals === null) read.wrong(`CURRENCY ${currency} cannot be used when BACKEND is stripe.`)
  else if (decimals !== amountScale)
    read.wrong(
      `AMOUNT_SCALE must be ${decimals} when BACKEND is stripe: so many decimals has ${currency} there.`,
    )
}

function readAi(read: Reader): Config['ai'] {
  const url = read.url('AI_BASE_URL', ['https:', 'http:'])
  const model = read.text('AI_MODEL')
  const apiKey = read.text('AI_API_KEY')
  if (url && (url.search || url.hash || url.username))
    read.wrong('AI_BASE_URL must be a plain address, without user, query or fragment.')
  if (url && model === null) read.wrong('AI_MODEL must be set when AI_BASE_URL is.')
  if (!read.text('AI_BASE_URL') && (model ?? apiKey) !== null)
    read.wrong('AI_BASE_URL must be set when AI_MODEL or AI_API_KEY is.')
  return url && model !== null ? { baseUrl: url.href.replace(/\/+$/, ''), apiKey, model } : null
}

function readFailAt(read: Reader): FailStep | null {
  const value = read.text('FAIL_AT')
  const step = FAIL_STEPS.find((one) => one === value) ?? null
  if (value !== null && step === null) read.wrong(`FAIL_AT must be one of ${FAIL_STEPS.join(', ')}.`)
  return step
}

function readRateLimits(read: Reader): Record<RateLimitName, number> | null {
  for (const name of read.names('RATE_LIMIT_')) {
    if (!Object.hasOwn(RATE_LIMITS, name.slice('RATE_LIMIT_'.length)))
      read.wrong(`${name} is no limit there is.`)
  }
  if (read.oneOf('RATE_LIMITS', ['on', 'off'], 'on') === 'off') return null
  const names = Object.keys(RATE_LIMITS) as RateLimitName[]
  const limits = names.map((name) => [
    name,
    read.whole(`RATE_LIMIT_${name}`, RATE_LIMITS[name].max, 1, 1_000_000),
  ])
  return Object.fromEntries(limits) as Record<RateLimitName, number>
}

/** Whoever guesses it learns how a business goes. */
const METRICS_TOKEN_CHARS_MIN = 16

function readMetrics(read: Reader): Pick<Config, 'metricsPort' | 'metricsToken'> {
  const metricsToken = read.text('METRICS_TOKEN')
  if (metricsToken !== null && metricsToken.length < METRICS_TOKEN_CHARS_MIN)
    read.wrong(`METRICS_TOKEN must have at least ${METRICS_TOKEN_CHARS_MIN} characters.`)
  const metricsPort = read.text('METRICS_PORT') === null ? null : read.whole('METRICS_PORT', 0, 1, 65_535)
  return { metricsPort, metricsToken }
}

/** After the `?` of SMTP_URL the mail library takes any of its options; in production only those that cannot weaken TLS. */
const SMTP_OPTIONS = ['name', 'authMethod', 'tls.servername']

function readSmtp(read: Reader, production: boolean): Pick<Config, 'smtpUrl' | 'smtpRequireTls'> {
  const url = read.text('MAIL') === 'files' ? null : read.url('SMTP_URL', ['smtp:', 'smtps:'])
  const allowPlaintext = read.flag('SMTP_ALLOW_PLAINTEXT', false)
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(url?.hostname ?? '')
  if (url && allowPlaintext && !isLoopback)
    read.wrong(
      'SMTP_ALLOW_PLAINTEXT is for a relay on this machine: with it, SMTP_URL must name localhost, 127.0.0.1 or [::1].',
    )
  if (url && production && [...url.searchParams.keys()].some((name) => !SMTP_OPTIONS.includes(name)))
    read.wrong(
      `SMTP_URL may set only ${SMTP_OPTIONS.join(', ')} after the ? when NODE_ENV is production (trust a private CA with NODE_EXTRA_CA_CERTS).`,
    )
  return { smtpUrl: url?.href ?? null, smtpRequireTls: production && !allowPlaintext }
}

/** In production a convenience that would be a hole stops the process instead of starting it. */
function checkProduction(read: Reader, config: Config, allowSandboxLive: boolean): void {
  if (!config.https) read.wrong('BASE_URL must begin with https:// when NODE_ENV is production.')
  if (!read.text('BASE_URL')) read.wrong('BASE_URL must be set when NODE_ENV is production.')
  if (!config.secretsKey) read.wrong('SECRETS_KEY must be set when NODE_ENV is production.')
  if (config.secretsKey && new Set(config.secretsKey).size === 1)
    read.wrong('SECRETS_KEY is one byte repeated; make a random one with: openssl rand -base64 32')
  if (config.callbackAllowHosts.size > 0)
    read.wrong('CALLBACK_ALLOW_HOSTS must be empty when NODE_ENV is production: it opens private addresses.')
  if (!config.rateLimits) read.wrong('RATE_LIMITS cannot be off when NODE_ENV is production.')
  if (config.demo) read.wrong('DEMO cannot be on when NODE_ENV is production.')
  if (config.backend === 'sandbox' && !allowSandboxLive)
    read.wrong(
      'BACKEND is the sandbox, which moves no money; set ALLOW_SANDBOX_LIVE=true if production shall run on it.',
    )
  // The same door as for the sandbox, for the same reason: with a test key nobody is charged.
  if (config.backend === 'stripe' && !config.stripe?.livemode && !allowSandboxLive)
    read.wrong(
      'STRIPE_SECRET_KEY is a test key, which moves no money; set ALLOW_SANDBOX_LIVE=true if production shall run on it.',
    )
  if (config.stripe?.apiBase)
    read.wrong('STRIPE_API_BASE is for tests and must be empty when NODE_ENV is production.')
  if (config.backendUrl && !config.backendUrl.startsWith('https://'))
    read.wrong('BACKEND_URL must begin with https:// when NODE_ENV is production.')
  // A model on the operator's own network may be asked in the clear, but never with a key.
  if (config.ai?.apiKey && !config.ai.baseUrl.startsWith('https://'))
    read.wrong('AI_BASE_URL must begin with https:// when NODE_ENV is production and AI_API_KEY is set.')
  if (read.text('FAIL_AT')) read.wrong('FAIL_AT is for tests and must be empty when NODE_ENV is production.')
  if (!config.smtpUrl && read.text('MAIL') !== 'files')
    read.wrong('SMTP_URL must be set when NODE_ENV is production (or MAIL=files to write mails to DATA_DIR).')
  if (config.smtpUrl && !read.text('MAIL_FROM')) read.wrong('MAIL_FROM must be set when mails are sent.')
}

export function parseConfig(env: Env): Config {
  const read = new Reader(env)
  const production =
    read.oneOf('NODE_ENV', ['development', 'test', 'production'], 'development') === 'production'
  const port = read.whole('PORT', 3000, 1, 65535)
  const baseUrl = readBaseUrl(read, port)
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const signUp = read.oneOf('SIGN_UP', ['open', 'closed'], production ? 'closed' : 'open')
  const amountScale = read.whole('AMOUNT_SCALE', 2, 0, AMOUNT_SCALE_MAX)
  const currency = read.text('CURRENCY') ?? 'EUR'
  if (!/^[A-Z]{3}$/.test(currency)) read.wrong('CURRENCY must be three capital letters such as EUR.')
  if (read.oneOf('MAIL', ['smtp', 'files'], 'files') === 'smtp' && !read.text('SMTP_URL'))
    read.wrong('SMTP_URL must be set when MAIL is smtp.')
  const allowSandboxLive = read.flag('ALLOW_SANDBOX_LIVE', false)
  const upstream = readBackend(read)

  const config: Config = {
    production,
    port,
    host: read.text('HOST') ?? '127.0.0.1',
    baseUrl: baseUrl.origin,
    https: baseUrl.protocol === 'https:',
    dataDir: path.resolve(read.text('DATA_DIR') ?? './data'),
    databaseUrl: databaseUrl?.href ?? null,
    // Longer than the 5 s after which a database that is well ends a statement by itself.
    databaseQueryTimeoutMs: read.whole('DATABASE_QUERY_TIMEOUT_MS', 7_000, 6_000, 60_000),
    secretsKey: read.key('SECRETS_KEY'),
    secretsKeyPrevious: read.key('SECRETS_KEY_PREVIOUS'),
    role: read.oneOf('ROLE', ROLES, 'all'),
    currency,
    amountScale,
    ...upstream,
    stripe: readStripe(read, { ...upstream, currency, amountScale }),
    actionTimeoutMin: read.whole('ACTION_TIMEOUT_MIN', ACTION_TIMEOUT_DEFAULT_MIN, 1, 1440),
    failAt: readFailAt(read),
    signUp,
    requireKyc: read.flag('REQUIRE_KYC', production && signUp === 'open'),
    callbackAllowHosts: readAllowHosts(read),
    egressProxy: read.url('EGRESS_PROXY', ['http:', 'https:']),
    attemptRetentionDays: read.whole('ATTEMPT_RETENTION_DAYS', ATTEMPT_RETENTION_DEFAULT_DAYS, 1, 3650),
    paymentDataRetentionDays:
      read.text('PAYMENT_DATA_RETENTION_DAYS') === null
        ? null
        : read.whole('PAYMENT_DATA_RETENTION_DAYS', 0, 1, 36_500),
    ...readSmtp(read, production),
    mailFrom: read.mailbox('MAIL_FROM') ?? 'Pazar <no-reply@localhost>',
    operatorName: read.text('OPERATOR_NAME') ?? 'Pazar',
    operatorEmail: read.mailbox('OPERATOR_EMAIL'),
    supportUrl: read.url('SUPPORT_URL', ['https:', 'http:', 'mailto:'])?.href ?? null,
    termsUrl: read.url('TERMS_URL', ['https:', 'http:'])?.href ?? null,
    privacyUrl: read.url('PRIVACY_URL', ['https:', 'http:'])?.href ?? null,
    ai: readAi(read),
    trustProxy: read.whole('TRUST_PROXY', 0, 0, 10),
    rateLimits: readRateLimits(read),
    demo: read.flag('DEMO', !production && !databaseUrl && env['NODE_ENV'] !== 'test'),
    startedByNpm: env['npm_lifecycle_event'] === 'start',
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    ...readMetrics(read),
  }
  if (production) checkProduction(read, config, allowSandboxLive)
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return Object.freeze(config)
}

export function loadConfig(): Config {
  return parseConfig(process.env)
}
