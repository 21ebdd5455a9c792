// A project's stats over a time range, in hours or days of its owner's time zone.
import type { StatsQuery, StatsView } from '@pazar/contract'
import type { Account } from '../accounts/account.ts'
import { addCounts, findPercentileMs, NO_RESPONSES } from '../callbacks/response-times.ts'
import { readResponses } from '../callbacks/response-times-store.ts'
import { requireProject } from '../projects/projects.ts'
import type { PaymentDeps } from './deps.ts'
import { planRange } from './stats-range.ts'
import { foldStats, FOLD_BATCH, readPaymentStats } from './stats-store.ts'
import type { PaymentStats } from './stats-store.ts'

/** Null while no payment has ended. */
export function toSuccessRate({ succeeded, failed }: { succeeded: number; failed: number }): number | null {
  return succeeded + failed === 0 ? null : succeeded / (succeeded + failed)
}

function toCounts({ volume, succeeded, failed, open }: PaymentStats) {
  return { volume: volume.toString(), count: succeeded + failed + open, succeeded, failed }
}

function addStats(a: PaymentStats, b: PaymentStats): PaymentStats {
  return {
    volume: a.volume + b.volume,
    succeeded: a.succeeded + b.succeeded,
    failed: a.failed + b.failed,
    open: a.open + b.open,
  }
}

export async function readStats(
  deps: Pick<PaymentDeps, 'db' | 'clock' | 'installation'>,
  account: Pick<Account, 'id' | 'timeZone'>,
  options: { projectId: string; query: StatsQuery },
): Promise<StatsView> {
  const range = planRange(options.query, account.timeZone, deps.clock.nowMs())
  const { mode } = options.query
  const { id: projectId } = await requireProject(deps.db, account.id, options.projectId)
  const [payments, responses] = await Promise.all([
    readPaymentStats(deps.db, projectId, mode, range, deps.installation.changedAt),
    readResponses(deps.db, { projectId, mode }, range),
  ])
  const whole = payments.reduce(addStats, { volume: 0n, succeeded: 0, failed: 0, open: 0 })
  const allResponses = responses.reduce(addCounts, NO_RESPONSES)
  return {
    bucket: range.bucket,
    ...toCounts(whole),
    successRate: toSuccessRate(whole),
    callbackMs: { p50: findPercentileMs(allResponses, 0.5), p95: findPercentileMs(allResponses, 0.95) },
    series: payments.map((one, index) => ({
      at: range.starts[index]!.toISOString(),
      ...toCounts(one),
      callbackP50Ms: findPercentileMs(responses[index] ?? NO_RESPONSES, 0.5),
    })),
  }
}

/** At 5,000 rows each, this is more than ten minutes of payments produce. */
const FOLDS_MAX = 20

export async function foldAllStats(deps: Pick<PaymentDeps, 'db'>): Promise<void> {
  for (let rounds = 0; rounds < FOLDS_MAX; rounds += 1) {
    if ((await foldStats(deps.db)) < FOLD_BATCH) return
  }
}
