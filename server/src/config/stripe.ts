import { findStripeDecimals } from '../lib/stripe-decimals.ts'
import type { EnvReader } from './env-reader.ts'
import type { MoneySettings } from './money.ts'
import { toReasonNeeded } from './upstreams.ts'
import type { ChosenUpstreams } from './upstreams.ts'

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  webhookSecretPrevious: string | null
  /** The account's id (`acct_…`), for a key that may not read its own account. */
  account: string | null
  livemode: boolean
  /** For tests: the origin that is called instead of Stripe's. */
  apiBase: string | null
}

/** A secret or restricted key. A publishable key cannot open a session. */
const STRIPE_KEY = /^(?:sk|rk)_(live|test)_[A-Za-z0-9_]{8,}$/
const STRIPE_WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/=_-]{16,}$/

export function readStripe(read: EnvReader, config: ChosenUpstreams & MoneySettings): StripeSettings | null {
  const neededBecause = toReasonNeeded('stripe', config)
  const account = read.text('STRIPE_ACCOUNT')
  const secretKey = read.text('STRIPE_SECRET_KEY') ?? ''
  const webhookSecret = read.text('STRIPE_WEBHOOK_SECRET') ?? ''
  const api = read.url('STRIPE_API_BASE', ['https:', 'http:'])
  if (api && (api.pathname !== '/' || api.search || api.hash || api.username || api.password))
    read.addProblem('STRIPE_API_BASE must be an origin alone, such as http://127.0.0.1:12111.')
  if (account !== null && !/^acct_[A-Za-z0-9]{1,64}$/.test(account))
    read.addProblem('STRIPE_ACCOUNT must be the id of an account (acct_…).')
  const webhookSecretPrevious = read.text('STRIPE_WEBHOOK_SECRET_PREVIOUS')
  if (webhookSecretPrevious !== null && !STRIPE_WEBHOOK_SECRET.test(webhookSecretPrevious))
    read.addProblem("STRIPE_WEBHOOK_SECRET_PREVIOUS must be the webhook endpoint's former secret (whsec_…).")
  if (!neededBecause) return null
  const mode = STRIPE_KEY.exec(secretKey)?.[1]
  if (!mode)
    read.addProblem(`STRIPE_SECRET_KEY must be a secret or restricted key (sk_… or rk_…) ${neededBecause}.`)
  if (!STRIPE_WEBHOOK_SECRET.test(webhookSecret))
    read.addProblem(`STRIPE_WEBHOOK_SECRET must be the webhook endpoint's secret (whsec_…) ${neededBecause}.`)
  if (api && mode === 'live')
    read.addProblem('STRIPE_API_BASE cannot be set with a live key: the key would be sent there.')
  if (config.backend === 'stripe') checkStripeDecimals(read, config)
  const livemode = mode === 'live'
  return { secretKey, webhookSecret, webhookSecretPrevious, account, livemode, apiBase: api?.origin ?? null }
}

function checkStripeDecimals(read: EnvReader, { currency, amountScale }: MoneySettings): void {
  const decimals = findStripeDecimals(currency)
  if (decimals === null) read.addProblem(`CURRENCY ${currency} cannot be used when BACKEND is stripe.`)
  else if (decimals !== amountScale)
    read.addProblem(
      `AMOUNT_SCALE must be ${decimals} when BACKEND is stripe: ${currency} has that many decimals at Stripe.`,
    )
}
