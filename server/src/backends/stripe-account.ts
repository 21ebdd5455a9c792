// Which Stripe account a key belongs to. Keys are replaced, and the account behind them decides where a payment is found:
// asked in another account's sessions, a charged payment would look as if it had never been.
import { createHash } from 'node:crypto'
import { Stripe } from 'stripe'
import { z } from 'zod'
import type { Queryable } from '../db/pool.ts'
import type { Logger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { findAccount } from './accounts-store.ts'
import type { StripeApiOptions } from './stripe-api.ts'
import { toBase } from './stripe-api.ts'
import { createStripeHttp } from './stripe-http.ts'

/** The start waits for this; without an answer the key stands for its account until a later start. */
const TIMEOUT_MS = 3_000

const account = z.object({ id: z.string().regex(/^acct_[A-Za-z0-9]{1,64}$/) })

type Options = Pick<StripeApiOptions, 'secretKey' | 'livemode' | 'apiBase'> & { account: string | null }

/** A key has far more entropy than can be guessed, so its hash tells nobody anything. */
function toFingerprint({ secretKey, apiBase }: Options): string {
  const digest = createHash('sha256')
    .update(`${apiBase ?? ''} ${secretKey}`)
    .digest('hex')
  return `key_${digest.slice(0, 24)}`
}

/** Null: Stripe cannot be reached, or this key may not ask. */
async function askStripe(options: Options, log: Logger): Promise<string | null> {
  const stripe = new Stripe(options.secretKey, {
    ...toBase(options.apiBase),
    httpClient: createStripeHttp(),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  })
  try {
    return account.parse(await stripe.accounts.retrieveCurrent()).id
  } catch (error) {
    const facts = error instanceof Stripe.errors.StripeError ? [error.statusCode, error.code] : []
    log.warn(
      { answer: facts.filter(Boolean).join(' ') },
      options.account === null
        ? 'Stripe did not say which account STRIPE_SECRET_KEY belongs to; set STRIPE_ACCOUNT before that key is replaced'
        : 'Stripe did not say which account STRIPE_SECRET_KEY belongs to; STRIPE_ACCOUNT is believed',
    )
    return null
  }
}

/** What new payments carry, and what older ones of the same account may carry. */
export async function resolveStripeAccount(
  options: Options,
  db: Queryable,
  log: Logger,
): Promise<{ account: string; formerNames: string[] }> {
  const fingerprint = toFingerprint(options)
  const toName = (id: string) => `${id} ${options.livemode ? 'live' : 'test'}`
  const known = await findAccount(db, 'stripe', fingerprint)
  const isKnown = known !== null && known !== fingerprint
  if (isKnown && (options.account === null || known === toName(options.account)))
    return { account: known, formerNames: [] }
  const told = await askStripe(options, log)
  if (told !== null && options.account !== null && told !== options.account)
    throw new StartError(`STRIPE_ACCOUNT is not the account of STRIPE_SECRET_KEY, which is ${told}.`)
  const id = told ?? options.account
  return id === null
    ? { account: fingerprint, formerNames: [] }
    : { account: toName(id), formerNames: [fingerprint] }
}
