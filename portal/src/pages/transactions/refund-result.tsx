import type { RefundView } from '@pazar/contract'
import { formatAmount } from '../../parts/format-amount.ts'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { toRefundFailureText } from '../../parts/transactions/failure-text.ts'

export function RefundResult({ refund }: { refund: RefundView }) {
  const { results, inTest } = words().payments.refund
  const amount = formatAmount(refund.amount, refund)
  if (refund.state === 'processing') return <Notice tone="info">{results.processing(amount)}</Notice>
  const isTest = refund.mode === 'test'
  if (refund.state === 'succeeded')
    return (
      <Notice tone="ok">
        {results.succeeded(amount)} {isTest ? inTest : results.wait}
      </Notice>
    )
  return (
    <Notice
      tone="error"
      title={refund.state === 'failed' ? results.failed(amount) : results.returned(amount)}
    >
      {refund.failureCode !== null && toRefundFailureText(refund.failureCode)}{' '}
      {isTest && refund.state === 'returned' && inTest}
    </Notice>
  )
}
