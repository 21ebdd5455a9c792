// Payments whose upstream is no longer configured cannot be looked up. The operator is notified once for each account
// and once for each payment that is still open. The notification names the missing setting.
import { listUsedAccounts } from '../backends/accounts-store.ts'
import type { UsedAccount } from '../backends/accounts-store.ts'
import type { Backends } from '../backends/backend.ts'
import type { PaymentDeps } from './deps.ts'
import { raiseIncident } from './incidents.ts'
import { closeAsResolved, listOpenFacts } from './incidents-store.ts'
import type { Upstream } from './missing-upstreams-store.ts'
import { listUnreachable, PRESENT_AGAIN } from './missing-upstreams-store.ts'
import { listBackends } from './upstream.ts'

/** For this long after its last use, a missing account is reported, because refunds and disputes are still possible. */
const USED_WITHIN_DAYS = 180
/** One run raises at most this many incidents of payments, and closes at most this many incidents. */
const BATCH_MAX = 100

const SETTINGS = {
  http: {
    upstream: 'BACKENDS_KEPT=http, BACKEND_URL, BACKEND_SECRET',
    account: 'BACKEND_URL or BACKEND_ACCOUNT',
  },
  stripe: {
    upstream: 'BACKENDS_KEPT=stripe, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET',
    account: 'STRIPE_SECRET_KEY or STRIPE_ACCOUNT',
  },
} as const

function isConfigured(backends: Backends, { backend, account }: Upstream): boolean {
  return [...listBackends(backends)].some((one) => one.name === backend && one.accounts.includes(account))
}

export function findMissingSetting(backends: Backends, backend: string): string {
  const settings = backend === 'http' || backend === 'stripe' ? SETTINGS[backend] : null
  const hasOtherAccount = [...listBackends(backends)].some((one) => one.name === backend)
  return settings?.[hasOtherAccount ? 'account' : 'upstream'] ?? 'BACKENDS_KEPT'
}

async function raiseMissing(
  deps: PaymentDeps,
  { backend, account }: Upstream,
  transactionId: string | null,
): Promise<void> {
  await raiseIncident(deps, {
    kind: 'upstream_missing',
    transactionId,
    subject: transactionId ?? `${backend} ${account ?? ''}`.trim().slice(0, 128),
    facts: { backend, account, setting: findMissingSetting(deps.backends, backend) },
  })
}

async function closeConfigured(deps: PaymentDeps): Promise<number> {
  const open = await listOpenFacts(deps.db, 'upstream_missing')
  const configuredAgain = open.filter(({ facts }) =>
    isConfigured(deps.backends, { backend: facts['backend'] ?? '', account: facts['account'] ?? null }),
  )
  const batch = configuredAgain.slice(0, BATCH_MAX)
  await closeAsResolved(
    deps.db,
    batch.map(({ id }) => id),
    { setting: PRESENT_AGAIN },
  )
  return batch.length
}

/** Lists accounts that have no settings now, although payments were opened with these accounts in the last `days` days. */
export async function listMissingAccounts(
  { db, backends }: Pick<PaymentDeps, 'db' | 'backends'>,
  days: number,
): Promise<UsedAccount[]> {
  return (await listUsedAccounts(db, days)).filter((one) => !isConfigured(backends, one))
}

/** Returns true if a batch was full, so there may be more incidents to raise or close. */
export async function reportMissingUpstreams(deps: PaymentDeps): Promise<boolean> {
  const closed = await closeConfigured(deps)
  for (const one of await listMissingAccounts(deps, USED_WITHIN_DAYS)) await raiseMissing(deps, one, null)
  const configured = [...listBackends(deps.backends)].flatMap(({ name, accounts }) =>
    accounts.map((account) => ({ backend: name, account })),
  )
  const open = await listUnreachable(deps.db, configured, BATCH_MAX)
  for (const { id, ...upstream } of open) await raiseMissing(deps, upstream, id)
  return closed === BATCH_MAX || open.length === BATCH_MAX
}
