// The upstreams of this installation: the one that opens live payments, the sandbox for test payments, and the
// earlier upstreams that BACKENDS_KEPT names.
import type { Config } from '../config.ts'
import type { Queryable } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { recordUse, registerAccount } from './accounts-store.ts'
import type { Backend, Backends } from './backend.ts'
import { createHttpBackend } from './http.ts'
import { createSandbox } from './sandbox.ts'

interface Parts {
  config: Config
  db: Queryable
  clock: Clock
  log: Logger
  installationId: string
}

/** Recording more often would gain nothing, because the stored time is compared in days. */
const RECORD_USE_MS = 60 * 60_000

/** Records the use of the account, so that missing-upstreams.ts notices if the settings of a used account are gone. */
function withUseRecorded(backend: Backend, { db, clock, log }: Parts): Backend {
  let recordedMs = -Infinity
  return {
    ...backend,
    async create(charge) {
      if (clock.nowMs() - recordedMs >= RECORD_USE_MS) {
        recordedMs = clock.nowMs()
        await recordUse(db, backend.name, backend.accounts[0]).catch((error: unknown) => {
          recordedMs = -Infinity
          log.warn(
            { err: error },
            'the use of an upstream could not be recorded; it will be recorded with the next payment',
          )
        })
      }
      return backend.create(charge)
    },
  }
}

async function createHttp({ config, db, clock, log }: Parts): Promise<Backend> {
  const { backendUrl: url, backendSecret: secret, backendSecretPrevious, backendAccount } = config
  if (url === null || secret === null) throw new Error('the settings of the http upstream are missing')
  const account = backendAccount ?? url
  const storedNames = await registerAccount(db, 'http', account)
  return createHttpBackend({
    url,
    secret,
    secretPrevious: backendSecretPrevious,
    clock,
    accounts: [account, ...storedNames],
    // The currency and scale of an upstream must match the settings only if the upstream opens new payments. Earlier
    // payments keep the currency and scale that are stored with them.
    ...(config.backend === 'http' && { terms: { money: toMoney(config), log } }),
  })
}

function toMoney({ currency, amountScale: scale }: Config) {
  return { currency, scale }
}

async function createStripe({ config, db, clock, log, installationId }: Parts): Promise<Backend> {
  const { stripe, actionTimeoutMin, operatorName: itemName } = config
  if (stripe === null) throw new Error('the settings of stripe are missing')
  // Stripe's SDK is large, so it is loaded only where it is used.
  const { createStripeBackend } = await import('./stripe.ts')
  const { resolveStripeAccount } = await import('./stripe-account.ts')
  const { account, formerNames } = await resolveStripeAccount(stripe, db, log)
  const storedNames = await registerAccount(db, 'stripe', account, formerNames)
  return createStripeBackend({
    ...stripe,
    actionTimeoutMin,
    itemName,
    installationId,
    db,
    clock,
    accounts: [account, ...storedNames],
  })
}

export async function createBackends(parts: Parts): Promise<Backends> {
  const { backend, backendsKept, baseUrl } = parts.config
  const test = createSandbox(parts.db, baseUrl)
  const create = { sandbox: async () => test, http: createHttp, stripe: createStripe }
  const live = await create[backend](parts)
  const previous = await Promise.all(
    backendsKept.filter((name) => name !== backend).map((name) => create[name](parts)),
  )
  return { live: live === test ? test : withUseRecorded(live, parts), test, previous }
}
