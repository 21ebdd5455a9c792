// A project's figures over a stretch of time, in hours or days of its owner's zone.
import type { StatsQuery, StatsView } from '@pazar/contract'
import type { Account } from '../accounts/account.ts'
import { addCounts, findPercentileMs, NO_RESPONSES } from '../callbacks/response-times.ts'
import { readResponses } from '../callbacks/response-times-store.ts'
import { requireProject } from '../projects/projects.ts'
import type { PaymentDeps } from './deps.ts'
import { planRange } from './stats-range.ts'
import { foldFigures, FOLD_BATCH, readFigures } from './stats-store.ts'
import type { PaymentFigures } from './stats-store.ts'

/** Null while nothing has ended: no payments are neither a good nor a bad rate. */
export function toSuccessRate({ succeeded, failed }: { succeeded: number; failed: number }): number | null {
  return succeeded + failed === 0 ? null : succeeded / (succeeded + failed)
}

function toCounts({ volume, succeeded, failed, open }: PaymentFigures) {
  return { volume: volume.toString(), count: succeeded + failed + open, succeeded, failed }
}

function addFigures(a: PaymentFigures, b: PaymentFigures): PaymentFigures {
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
  ask: { projectId: string; query: StatsQuery },
): Promise<StatsView> {
  const range = planRange(ask.query, account.timeZone, deps.clock.nowMs())
  const { mode } = ask.query
  const { id: projectId } = await requireProject(deps.db, account.id, ask.projectId)
  const [figures, answers] = await Promise.all([
    readFigures(deps.db, projectId, mode, range, deps.installation.changedAt),
    readResponses(deps.db, { projectId, mode }, range),
  ])
  const whole = figures.reduce(addFigures, { volume: 0n, succeeded: 0, failed: 0, open: 0 })
  const allAnswers = answers.reduce(addCounts, NO_RESPONSES)
  return {
    bucket: range.bucket,
    ...toCounts(whole),
    successRate: toSuccessRate(whole),
    callbackMs: { p50: findPercentileMs(allAnswers, 0.5), p95: findPercentileMs(allAnswers, 0.95) },
    series: figures.map((one, index) => ({
      at: range.starts[index]!.toISOString(),
      ...toCounts(one),
      callbackP50Ms: findPercentileMs(answers[index] ?? NO_RESPONSES, 0.5),
    })),
  }
}

/** At 5,000 rows each; more than ten minutes of payments can leave behind. */
const FOLDS_MAX = 20

export async function foldAllFigures(deps: Pick<PaymentDeps, 'db'>): Promise<void> {
  for (let rounds = 0; rounds < FOLDS_MAX; rounds += 1) {
    if ((await foldFigures(deps.db)) < FOLD_BATCH) return
  }
}
