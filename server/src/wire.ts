// Uses the settings to build everything that the routes and loops need.
import { createId } from '@paralleldrive/cuid2'
import { assertFullIcu } from '@pazar/words'
import { createFactorSecrets } from './accounts/factor-secrets.ts'
import { createPasswords, PASSWORD_WORK } from './accounts/passwords.ts'
import type { PasswordCost } from './accounts/passwords.ts'
import { createBackends } from './backends/configured.ts'
import { createDeliveryWaits } from './callbacks/await-delivery.ts'
import { hasQueuedCallbacks } from './callbacks/closing-store.ts'
import { createResponseCounter } from './callbacks/count-responses.ts'
import type { CallbackDeps } from './callbacks/deps.ts'
import { createPublicFetch } from './egress/public-fetch.ts'
import { toLaneKey } from './callbacks/lanes.ts'
import { DUE_CHANNEL } from './callbacks/ownership.ts'
import type { CheckoutDeps } from './checkout/deps.ts'
import type { Config } from './config.ts'
import { readInstallation } from './db/installation-store.ts'
import type { Connections } from './db/connections.ts'
import { openDb } from './db/pool.ts'
import type { Db } from './db/pool.ts'
import { createRestoreGate } from './db/gate-view.ts'
import { systemClock } from './lib/clock.ts'
import { createFailpoint } from './lib/failpoint.ts'
import { createLimiter } from './lib/limiter.ts'
import { createLastWrite } from './lib/last-write.ts'
import type { Logger } from './lib/logger.ts'
import { createLoopHealth } from './lib/loop-health.ts'
import { createResolver } from './lib/resolver.ts'
import type { Resolver } from './lib/resolver.ts'
import { createSealBox } from './lib/seal.ts'
import { StartError } from './lib/start-error.ts'
import { createUpstreamHealth } from './payments/upstream-health.ts'
import { createErasedOrders } from './payments/erasure/erased-orders.ts'
import type { HomeDeps } from './portal/home/routes.ts'
import type { InstallationKeyDeps } from './secrets/installation-keys.ts'
import { listMoneyBack } from './refunds/list-money-back.ts'
import { requireRecordedMoney } from './payments/money-guard.ts'
import { createServiceMetrics, createServiceSpans } from './service-metrics.ts'
import { listKeyIds } from './secrets/secrets-store.ts'
import { readMasterKeys } from './lib/master-key.ts'

export type Deps = CheckoutDeps & CallbackDeps & InstallationKeyDeps & HomeDeps

export interface WireOptions {
  databaseUrl: string
  log: Logger
  resolver?: Resolver
  /** Set only by tests. Many test files share the same connections. */
  connections?: Connections
  /** Set only by tests, which sign up hundreds of people and need cheap password hashes. */
  passwordCost?: PasswordCost
  /** Hosts that may get callbacks although they are not public, such as the demo shop. The configured hosts are added. */
  allowHosts?: readonly string[]
  /** For operator commands. They do not check the currency, because one of them records a change of currency. */
  isCommand?: boolean
  /** Aborted when the process has to stop. If absent, the signal is never aborted. */
  stopRequested?: AbortSignal
}

/** `concurrency` is the number of payments that one batch query can insert. */
const OPENING_LIMITS = {
  concurrency: 64,
  queueMax: 256,
  waitMaxMs: 3_000,
  retryAfterSec: 2,
  name: 'payments to open',
}

export async function wire(config: Config, options: WireOptions): Promise<Deps> {
  assertFullIcu()
  const { log } = options
  const db = openDb(options.databaseUrl, {
    directUrl: config.databaseDirectUrl,
    queryTimeoutMs: config.databaseQueryTimeoutMs,
    ...(options.connections && { connections: options.connections }),
    onError: (error) => log.warn({ err: error }, 'an idle database connection was lost'),
  })
  try {
    return await wireWith(db, config, options)
  } catch (error) {
    // Otherwise an idle connection would keep this process running for ten seconds.
    await db.close()
    throw error
  }
}

async function wireWith(db: Db, config: Config, options: WireOptions): Promise<Deps> {
  const { log, resolver = createResolver() } = options
  const keyIds = await listKeyIds(db)
  const keys = await readMasterKeys(config, keyIds.length === 0)
  const secretBox = createSealBox(keys, 'project-secret')
  const installationKeys = createSealBox(keys, 'installation-key')
  if (!keyIds.every((id) => secretBox.isKnown(id))) {
    throw new StartError(
      'The database holds secrets sealed under another key than SECRETS_KEY (or DATA_DIR/secrets.key); set SECRETS_KEY or SECRETS_KEY_PREVIOUS to the key under which they were sealed.',
    )
  }
  const money = { currency: config.currency, scale: config.amountScale }
  const recorded = await readInstallation(db, money)
  const installation = options.isCommand ? recorded : await requireRecordedMoney(db, recorded, money)
  const metrics = await createServiceMetrics(config, db, systemClock, log)
  const allowHosts = new Set([...config.callbackAllowHosts, ...(options.allowHosts ?? [])])
  return {
    config,
    installation,
    restoreGate: await createRestoreGate(db),
    db,
    clock: systemClock,
    log,
    metrics,
    spans: createServiceSpans(config, metrics),
    loopHealth: createLoopHealth(),
    stopRequested: options.stopRequested ?? new AbortController().signal,
    resolver,
    allowHosts,
    newProjectId: createId,
    hasLiveQueued: (tx, projectId) => hasQueuedCallbacks(tx, [projectId], ['live']),
    demoProject: { id: config.demoProject },
    passwords: createPasswords(PASSWORD_WORK, options.passwordCost),
    secretBox,
    mailTokens: createSealBox(keys, 'mail-token'),
    factorSecrets: createFactorSecrets(createSealBox(keys, 'second-factor')),
    attemptTokens: createSealBox(keys, 'attempt-token'),
    installationKeys,
    erasedOrders: await createErasedOrders(db, installationKeys),
    backends: await createBackends({ config, db, clock: systemClock, log, installationId: installation.id }),
    publicFetch: createPublicFetch({ resolver, allowHosts, egressProxy: config.egressProxy }),
    responseCounter: createResponseCounter({ db, clock: systemClock, log }),
    // Replaced when a delivery worker starts in this process; until then other processes are notified.
    wakeDelivery: (lane) => db.signals.notify(DUE_CHANNEL, lane && toLaneKey(lane)),
    deliveryWaits: createDeliveryWaits({ db, log }),
    openingLimiter: createLimiter(OPENING_LIMITS),
    upstreamHealth: createUpstreamHealth(),
    listMoneyBack,
    lastWrite: createLastWrite(),
    failpoint: createFailpoint(config.failAt),
  }
}
