import type { StatsQuery, StatsView } from '@pazar/contract'
import type { Account } from '../../accounts/account.ts'
import { NOTHING_TAKEN_BACK, readTakenBack } from '../../statements/taken-back-store.ts'
import type { TakenBack } from '../../statements/taken-back-store.ts'
import { addCounts, findPercentileMs, NO_RESPONSES } from '../../callbacks/response-times.ts'
import { readResponses } from '../../callbacks/response-times-store.ts'
import { publishBatch } from '../../feed/publish.ts'
import { requireProject } from '../../projects/access.ts'
import type { PaymentDeps } from '../deps.ts'
import { planRange } from './stats-range.ts'
import { foldStats, FOLD_BATCH, NO_STATS, readPaymentStats } from './stats-store.ts'
import type { PaymentStats } from './stats-store.ts'

/** Null while no payment has succeeded or failed. */
export function toSuccessRate({ succeeded, failed }: { succeeded: number; failed: number }): number | null {
  return succeeded + failed === 0 ? null : succeeded / (succeeded + failed)
}

function toCounts({ volume, succeeded, failed, open }: PaymentStats, taken: TakenBack) {
  return {
    volume: volume.toString(),
    refunds: taken.refunds,
    refunded: taken.refunded.toString(),
    disputes: taken.disputes,
    disputed: taken.disputed.toString(),
    net: (volume - taken.refunded - taken.disputed).toString(),
    count: succeeded + failed + open,
    succeeded,
    failed,
  }
}

function addStats(a: PaymentStats, b: PaymentStats): PaymentStats {
  return {
    volume: a.volume + b.volume,
    succeeded: a.succeeded + b.succeeded,
    failed: a.failed + b.failed,
    open: a.open + b.open,
    inReview: a.inReview + b.inReview,
  }
}

function addTakenBack(a: TakenBack, b: TakenBack): TakenBack {
  return {
    refunds: a.refunds + b.refunds,
    refunded: a.refunded + b.refunded,
    disputes: a.disputes + b.disputes,
    disputed: a.disputed + b.disputed,
  }
}

export async function readStats(
  deps: Pick<PaymentDeps, 'db' | 'clock' | 'installation'>,
  account: Pick<Account, 'id' | 'timeZone'>,
  options: { projectId: string; query: StatsQuery },
): Promise<StatsView> {
  const range = planRange(options.query, account.timeZone, deps.clock.nowMs())
  const { mode } = options.query
  const { id: projectId } = await requireProject(deps.db, account.id, options.projectId, 'read')
  // Refunds and disputes are counted when their events are published, so a batch of waiting events is published first.
  await publishBatch(deps, projectId)
  const [payments, takenBack, responses] = await Promise.all([
    readPaymentStats(deps.db, projectId, mode, range, deps.installation.currencyChangedAt),
    readTakenBack(deps.db, { projectId, mode }, range, deps.installation),
    readResponses(deps.db, { projectId, mode }, range),
  ])
  const total = payments.reduce(addStats, NO_STATS)
  const allResponses = responses.reduce(addCounts, NO_RESPONSES)
  return {
    bucket: range.bucket,
    ...toCounts(total, takenBack.reduce(addTakenBack, NOTHING_TAKEN_BACK)),
    inReview: total.inReview,
    successRate: toSuccessRate(total),
    callbackMs: { p50: findPercentileMs(allResponses, 0.5), p95: findPercentileMs(allResponses, 0.95) },
    series: payments.map((one, index) => ({
      at: range.starts[index]!.toISOString(),
      ...toCounts(one, takenBack[index] ?? NOTHING_TAKEN_BACK),
      callbackP50Ms: findPercentileMs(responses[index] ?? NO_RESPONSES, 0.5),
    })),
  }
}

/** How many batches one run merges at most. 20 batches of 5,000 rows are more than the rows added between two runs. */
const FOLDS_MAX = 20

export async function foldAllStats(deps: Pick<PaymentDeps, 'db'>): Promise<void> {
  for (let rounds = 0; rounds < FOLDS_MAX; rounds += 1) {
    if ((await foldStats(deps.db)) < FOLD_BATCH) return
  }
}
