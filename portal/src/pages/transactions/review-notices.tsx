// What the operator checks or has decided about a payment, and what the merchant has to do meanwhile.
import type { TransactionView } from '@pazar/contract'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import type { Tone } from '../../ui/notice.tsx'

type Check = keyof ReturnType<typeof words>['payments']['drawer']['checks']

/** The bank can send a new report after the operator has decided. Then both the decision and the new check are shown. */
function toChecks({ resolution, needsReview, successful }: TransactionView): [Check, Tone][] {
  return [
    ...(resolution === 'paid' ? [['resolvedPaid', 'ok'] as [Check, Tone]] : []),
    ...(resolution === 'unpaid' ? [['resolvedUnpaid', 'info'] as [Check, Tone]] : []),
    ...(needsReview ? [[successful ? 'inReviewPaid' : 'inReview', 'warn'] as [Check, Tone]] : []),
  ]
}

export function ReviewNotices({ item }: { item: TransactionView }) {
  const { checks, whatToDo, reviewCallback } = words().payments.drawer
  const isSent = item.callback?.status === 'delivered'
  return toChecks(item).map(([check, tone]) => {
    const { title, toDo, text } = checks[check]
    return (
      <Notice key={check} tone={tone} title={title}>
        <p className="mt-1">
          <strong className="font-strong">{whatToDo}: </strong>
          {toDo}
        </p>
        <p className="mt-2">
          {text}
          {check === 'inReview' && ` ${isSent ? reviewCallback.sent : reviewCallback.none}`}
        </p>
      </Notice>
    )
  })
}
