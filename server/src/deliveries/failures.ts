// Lists the callbacks that were created in the last FAILURES_DAYS days, were attempted and have not arrived. They are
// grouped by cause, and each group says how to fix the cause.
import type { FailuresView, Mode } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import { toDate } from '../lib/clock.ts'
import { requireProject } from '../projects/access.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { explain, findCause, findReason } from './explain.ts'
import { FAILURES_DAYS, FAILURES_MAX, findFailures } from './failures-store.ts'
import type { FailedCallback } from './failures-store.ts'

const CAUSES_MAX = 10

const DAY_MS = 24 * 60 * 60 * 1000

/** The reason in the merchant's response, without the numbers, IDs and quoted names that differ from order to order. */
function toReasonKey(failure: FailedCallback): string {
  return findReason(failure)?.replaceAll(/[\w-]*\d[\w-]*|["'“„][^"'“”„]*["'“”]/g, '#') ?? ''
}

/** The largest group is first. Each group is explained by its newest failure. */
function toCauses(locale: Locale, failed: readonly FailedCallback[]): FailuresView['causes'] {
  const groups = Map.groupBy(failed, (one) => [findCause(one), one.statusCode, toReasonKey(one)].join(' '))
  return [...groups.values()]
    .flatMap(([newest, ...others]) => {
      const words = newest && explain(locale, newest)
      if (!newest || !words) return []
      const { id: callbackId, createdAt, outcome, statusCode } = newest
      return [
        {
          outcome,
          statusCode,
          count: 1 + others.length,
          ...words,
          last: { callbackId, at: createdAt.toISOString() },
        },
      ]
    })
    .toSorted((a, b) => b.count - a.count)
    .slice(0, CAUSES_MAX)
}

export async function readFailures(
  deps: Pick<CallbackDeps, 'db' | 'clock'>,
  accountId: AccountId,
  input: { projectId: string; mode: Mode; locale: Locale },
): Promise<FailuresView> {
  const { id: projectId } = await requireProject(deps.db, accountId, input.projectId, 'read')
  const found = await findFailures(deps.db, { projectId, mode: input.mode })
  const shown = found.slice(0, FAILURES_MAX)
  return {
    since: toDate(deps.clock.nowMs() - FAILURES_DAYS * DAY_MS).toISOString(),
    count: shown.length,
    isExact: found.length <= FAILURES_MAX,
    causes: toCauses(input.locale, shown),
  }
}
