// Finds the Stripe account to which STRIPE_SECRET_KEY belongs. A payment must be looked up only in the account in which
// it was opened. In another account it would seem not to exist.
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

/** Short, because the start of the service waits for the response. */
const TIMEOUT_MS = 3_000

const account = z.object({ id: z.string().regex(/^acct_[A-Za-z0-9]{1,64}$/) })

type Options = Pick<StripeApiOptions, 'secretKey' | 'livemode' | 'apiBase'> & { account: string | null }

/** A key cannot be guessed, so its hash reveals nothing. */
function toFingerprint({ secretKey, apiBase }: Options): string {
  const digest = createHash('sha256')
    .update(`${apiBase ?? ''} ${secretKey}`)
    .digest('hex')
  return `key_${digest.slice(0, 24)}`
}

/** Null: Stripe gives no usable response, or this key may not read its account. */
async function fetchAccountId(options: Options, log: Logger): Promise<string | null> {
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
      { response: facts.filter(Boolean).join(' ') },
      options.account === null
        ? 'Stripe did not say which account STRIPE_SECRET_KEY belongs to; set STRIPE_ACCOUNT before that key is replaced'
        : 'Stripe did not say which account STRIPE_SECRET_KEY belongs to; STRIPE_ACCOUNT is used',
    )
    return null
  }
}

/**
 * `account` is the name that is stored with new payments: the id and mode of the account or, while the id is unknown, the
 * fingerprint of the key. `formerNames` has the fingerprint if the id is known, but the database does not know yet that the
 * fingerprint belongs to this account.
 */
export async function resolveStripeAccount(
  options: Options,
  db: Queryable,
  log: Logger,
): Promise<{ account: string; formerNames: string[] }> {
  const fingerprint = toFingerprint(options)
  const toName = (id: string) => `${id} ${options.livemode ? 'live' : 'test'}`
  const storedAccount = await findAccount(db, 'stripe', fingerprint)
  const isIdStored = storedAccount !== null && storedAccount !== fingerprint
  if (isIdStored && (options.account === null || storedAccount === toName(options.account)))
    return { account: storedAccount, formerNames: [] }
  const fetched = await fetchAccountId(options, log)
  if (fetched !== null && options.account !== null && fetched !== options.account)
    throw new StartError(`STRIPE_ACCOUNT is wrong: STRIPE_SECRET_KEY belongs to ${fetched}.`)
  const id = fetched ?? options.account
  return id === null
    ? { account: fingerprint, formerNames: [] }
    : { account: toName(id), formerNames: [fingerprint] }
}
