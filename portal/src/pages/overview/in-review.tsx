import { Link } from '@tanstack/react-router'
import { useTransactions } from '../../api/transactions.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { useMode } from '../../parts/mode.ts'
import { buttonClass } from '../../ui/button.tsx'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'

export function InReview({ projectId }: { projectId: string }) {
  const { payments, metrics, projects } = words()
  const mode = useMode()
  const { data } = useTransactions({ projectId, mode, needsReview: true, limit: 1 })
  // There is no notice while loading or after an error. The list on the same page then shows a skeleton or the error.
  const [first] = data?.items ?? []
  if (!data || !first) return null
  const isOne = data.total === 1
  const amount = isOne ? ` (${formatAmount(first.amount, first)})` : ''
  return (
    <Notice
      tone="warn"
      live={false}
      title={`${payments.review.inReview}: ${payments.total(data.total)}${amount}`}
      action={
        <Link
          to="/projects/$id/transactions"
          params={{ id: projectId }}
          search={{ mode, ...(isOne ? { row: first.id } : { status: 'in_review' }) }}
          className={buttonClass('second', true)}
        >
          {projects.overview.open}
        </Link>
      }
    >
      {metrics.reviewText}
    </Notice>
  )
}
