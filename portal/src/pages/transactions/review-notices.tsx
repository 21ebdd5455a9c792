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

/** Whether the merchant already has a result of the payment. A callback that is queued or was refused does not count. */
function toResultState({ callback }: TransactionView): 'none' | 'notAccepted' | 'sent' {
  if (callback === null || (callback.status === 'cancelled' && callback.attempts === 0)) return 'none'
  return callback.status === 'delivered' ? 'sent' : 'notAccepted'
}

export function ReviewNotices({ item }: { item: TransactionView }) {
  const { checks, whatToDo, reviewCallback } = words().payments.drawer
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
          {check === 'inReview' && ` ${reviewCallback[toResultState(item)]}`}
        </p>
      </Notice>
    )
  })
}
