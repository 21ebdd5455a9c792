import { Link } from '@tanstack/react-router'
import { formatNumber } from '@pazar/words'
import { toInstants } from '../../api/days.ts'
import type { Stats } from '../../api/stats.ts'
import { useAccount } from '../../api/session.ts'
import { useTransactions } from '../../api/transactions.ts'
import { locale, words } from '../../ui/language.ts'
import { useMode } from '../../parts/mode.ts'
import { LIST_LINK } from './list-link.ts'
import type { Days } from './range.ts'

/** How many payments in this state the list of payments has. Null: the number is not known, or not exactly. */
function useListed(projectId: string, state: 'failed' | 'expired', days: Days): number | null {
  const mode = useMode()
  const { timeZone } = useAccount()
  const { data, isPlaceholderData } = useTransactions({
    projectId,
    mode,
    state,
    needsReview: false,
    ...toInstants(days, timeZone),
    limit: 1,
  })
  return data?.totalExact && !isPlaceholderData ? data.total : null
}

interface FailedPartsProps {
  projectId: string
  stats: Stats
  days: Days
}

/**
 * The list of payments can show only one state at a time, so failed and expired payments have separate links. The links
 * show numbers only if the two numbers add up to `stats.failed`.
 */
export function FailedParts({ projectId, stats, days }: FailedPartsProps) {
  const { metrics, payments } = words()
  const mode = useMode()
  const counts = {
    failed: useListed(projectId, 'failed', days),
    expired: useListed(projectId, 'expired', days),
  }
  const areKnown =
    counts.failed !== null && counts.expired !== null && counts.failed + counts.expired === stats.failed
  return (
    <span className="flex flex-wrap gap-x-4">
      {(['failed', 'expired'] as const).map((status) => {
        const name = payments.states[status]
        const text = areKnown ? `${name} (${formatNumber(locale, counts[status] ?? 0)})` : name
        return areKnown && counts[status] === 0 ? (
          <span key={status} className="inline-flex min-h-6 items-center">
            {text}
          </span>
        ) : (
          <Link
            key={status}
            to="/projects/$id/transactions"
            params={{ id: projectId }}
            search={{ mode, status, ...days }}
            className={LIST_LINK}
          >
            {text}
          </Link>
        )
      })}
      {stats.inReview > 0 && (
        <Link
          to="/projects/$id/transactions"
          params={{ id: projectId }}
          search={{ mode, status: 'in_review', ...days }}
          className={LIST_LINK}
        >
          {metrics.inReview(stats.inReview)}
        </Link>
      )}
    </span>
  )
}
