import { Link } from '@tanstack/react-router'
import type { Mode, OrderVerdict, ownerStatusAnswer, TransactionDetails } from '@pazar/contract'
import { toOrderVerdict } from '@pazar/contract/order-verdict'
import { useTransactionDetails } from '../../api/refunds.ts'
import { Failed } from '../../parts/failed.tsx'
import { formatAmount } from '../../parts/format-amount.ts'
import { Time } from '../../parts/time.tsx'
import { toFailureText } from '../../parts/transactions/failure-text.ts'
import { toMoneyBackFacts } from '../../parts/transactions/money-back-facts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/states.tsx'

export type StatusResult = (typeof ownerStatusAnswer)['_output']

interface OrderResultProps {
  projectId: string
  mode: Mode
  result: StatusResult
}

export function OrderResult({ projectId, mode, result }: OrderResultProps) {
  if (!result.found) return <NotFound projectId={projectId} mode={mode} />
  // A replica of the previous release does not send the id of the payment.
  return result.transactionId ? (
    <OrderPayment key={result.transactionId} id={result.transactionId} projectId={projectId} mode={mode} />
  ) : (
    <VerdictNotice verdict={toOrderVerdict(result)} state={toStateName(result)} mode={mode} />
  )
}

/** An order that is not found usually belongs to the other mode. */
function NotFound({ projectId, mode }: { projectId: string; mode: Mode }) {
  const { status, payments } = words()
  const otherMode = mode === 'live' ? 'test' : 'live'
  return (
    <>
      <Notice tone="warn" title={status.notFoundTitle}>
        {status.notFoundText}
      </Notice>
      <div>
        <Link
          to="/projects/$id/status"
          params={{ id: projectId }}
          search={(current) => ({ ...current, mode: otherMode })}
          className={buttonClass()}
        >
          {payments.drawer.lookIn[otherMode]}
        </Link>
      </div>
    </>
  )
}

type OrderState = Pick<StatusResult, 'state' | 'successful'> & { needsReview?: boolean }

function toStateName({ state, successful, needsReview = false }: OrderState): string {
  const { payments } = words()
  if (needsReview) return payments.review.inReview
  if (state === 'succeeded' && !successful) return payments.review.unpaid
  return state === null ? '' : payments.states[state]
}

/** A dispute or a review needs the merchant's attention. A refund does not. */
const VERDICT_TONES = {
  paid: 'ok',
  paidInReview: 'warn',
  refunding: 'info',
  partlyRefunded: 'info',
  refunded: 'info',
  disputed: 'warn',
  disputeLost: 'warn',
} as const

function VerdictNotice({ verdict, state, mode }: { verdict: OrderVerdict; state: string; mode: Mode }) {
  const { status, payments } = words()
  if (verdict === 'notPaid' || verdict === 'notPaidYet')
    return (
      <Notice tone="info" title={status[verdict]}>
        {`${status.state}: ${state}`}
      </Notice>
    )
  const { title, text } = status.verdicts[verdict]
  return (
    <Notice tone={VERDICT_TONES[verdict]} title={title}>
      {text}
      {mode === 'test' && verdict.startsWith('dispute') && ` ${payments.dispute.evidenceText.test}`}
    </Notice>
  )
}

function OrderPayment({ projectId, mode, id }: { projectId: string; mode: Mode; id: string }) {
  const { data, error, refetch } = useTransactionDetails({ projectId, mode, id }, undefined)
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={2} />
  const payment = data.transaction
  return (
    <div className="grid gap-4">
      <VerdictNotice verdict={toOrderVerdict(payment, data)} state={toStateName(payment)} mode={mode} />
      <div>
        <p className="text-sm text-muted">
          {payment.successful ? words().status.paid : words().status.amount}
        </p>
        <p className="text-2xl font-strong tabular-nums">{formatAmount(payment.amount, payment)}</p>
      </div>
      <PaymentFacts details={data} />
      <div>
        <Link
          to="/projects/$id/transactions"
          params={{ id: projectId }}
          search={{ mode, row: id }}
          className={buttonClass()}
        >
          {words().status.open}
        </Link>
      </div>
    </div>
  )
}

function PaymentFacts({ details: { transaction: payment, refunds } }: { details: TransactionDetails }) {
  const { status, payments } = words()
  const { drawer } = payments
  const pending = refunds
    .filter(({ state }) => state === 'processing')
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  return (
    <DescriptionList
      items={[
        ...toMoneyBackFacts(payment),
        ...(pending > 0n ? [[status.refunding, formatAmount(String(pending), payment)] as const] : []),
        payment.successful && payment.completedAt
          ? [status.paidAt, <Time at={payment.completedAt} both />]
          : [drawer.created, <Time at={payment.createdAt} both />],
        ...(payment.failureCode ? [[drawer.failure, toFailureText(payment.failureCode)] as const] : []),
        [drawer.reference, <code className="font-mono">{payment.reference}</code>],
      ]}
    />
  )
}
