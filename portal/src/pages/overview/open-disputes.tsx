// The disputes and inquiries that wait for the merchant's evidence.
import { Link } from '@tanstack/react-router'
import type { DisputeView, OpenDisputesView } from '@pazar/contract'
import { useOpenDisputes } from '../../api/disputes.ts'
import { useAccount } from '../../api/session.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { useMode } from '../../parts/mode.ts'
import { toDeadlineText } from '../../parts/transactions/deadline-text.ts'
import { buttonClass } from '../../ui/button.tsx'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'

export function OpenDisputes({ projectId }: { projectId: string }) {
  const { dispute: texts } = words().payments
  const mode = useMode()
  const { data } = useOpenDisputes(projectId, mode)
  // Shows nothing while loading or after an error, because the drawer of the payment shows the same facts.
  if (!data || data.count === 0) return null
  const kinds = toKinds(data)
  return (
    <Notice
      tone={mode === 'test' ? 'info' : 'warn'}
      live={false}
      title={(mode === 'test' ? texts.tests : texts.needEvidence)[kinds](data.count)}
      action={
        // The list of disputed payments does not contain inquiries.
        kinds !== 'inquiries' && (
          <Link
            to="/projects/$id/transactions"
            params={{ id: projectId }}
            search={{ mode, status: 'disputed' }}
            className={buttonClass('second', true)}
          >
            {texts.showAll}
          </Link>
        )
      }
    >
      <ul className="mt-1 grid gap-1.5">
        {data.disputes.map((dispute) => (
          <Row key={dispute.id} projectId={projectId} dispute={dispute} />
        ))}
      </ul>
      {mode === 'test' && <p className="mt-1.5">{texts.evidenceText.test}</p>}
    </Notice>
  )
}

/** An inquiry withdraws no money, so it is not called a dispute. If the list is not complete, the title names both. */
function toKinds({ count, disputes }: OpenDisputesView): 'disputes' | 'inquiries' | 'both' {
  if (disputes.length < count) return 'both'
  if (disputes.every(({ state }) => state === 'inquiry')) return 'inquiries'
  return disputes.some(({ state }) => state === 'inquiry') ? 'both' : 'disputes'
}

function Row({ projectId, dispute }: { projectId: string; dispute: DisputeView }) {
  const { dispute: texts } = words().payments
  const mode = useMode()
  const { timeZone } = useAccount()
  const deadline = toDeadlineText(dispute, timeZone)
  const amount = formatAmount(dispute.amount, dispute)
  return (
    <li>
      <Link
        to="/projects/$id/transactions"
        params={{ id: projectId }}
        search={{ mode, row: dispute.transactionId }}
        className="inline-flex min-h-6 items-center text-accent underline underline-offset-4"
      >
        {dispute.state === 'inquiry' ? texts.inquiryAmount(amount) : texts.disputedAmount(amount)}
      </Link>
      {deadline !== null && ` · ${texts.respondBy} ${deadline}`}
    </li>
  )
}
