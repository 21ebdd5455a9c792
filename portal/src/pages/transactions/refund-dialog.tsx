// Returns money to the payer. A second press and a retry after a lost connection send the same idempotency key again,
// so they make no second refund.
import { useState } from 'react'
import { REFUND_REASON_MAX } from '@pazar/contract/limits'
import type { RefundView, TransactionView } from '@pazar/contract'
import { toFieldErrors } from '../../api/api-error.ts'
import { reloadRefunds, requestRefund, toRefundKey } from '../../api/refunds.ts'
import { FormError } from '../../parts/form-error.tsx'
import { formatAmount } from '../../parts/format-amount.ts'
import { parseAmount, writeAmount } from '../../parts/parse-amount.ts'
import { toMoneyBackFacts } from '../../parts/transactions/money-back-facts.ts'
import { Button } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { locale, words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import { RefundResult } from './refund-result.tsx'

export interface RefundDialogProps {
  payment: TransactionView
  /** The payment's refunds. They are loaded again after the request, and then include the new refund. */
  refunds: readonly RefundView[]
  onClose: () => void
}

export function RefundDialog({ payment, refunds, onClose }: RefundDialogProps) {
  const { deliveries, payments } = words()
  const { doneTitle, close } = payments.refund
  const [requested, setRequested] = useState<RefundView | null>(null)
  if (requested === null) return <RefundForm payment={payment} onRequested={setRequested} onClose={onClose} />
  const refund = refunds.find((one) => one.id === requested.id) ?? requested
  return (
    <Dialog
      title={refund.state === 'succeeded' ? doneTitle : deliveries.events['refund.result']}
      onClose={onClose}
    >
      <RefundResult refund={refund} />
      <div>
        <Button data-initial-focus kind="main" onClick={onClose}>
          {close}
        </Button>
      </div>
    </Dialog>
  )
}

/** The form shows the errors of these fields itself. */
const FIELDS = ['amount', 'reason', 'transactionId', 'idempotencyKey']

interface RefundFormProps {
  payment: TransactionView
  onRequested: (refund: RefundView) => void
  onClose: () => void
}

function RefundForm({ payment, onRequested, onClose }: RefundFormProps) {
  const { refund, drawer, columns } = words().payments
  const { refundable, currency, scale } = payment
  const [idempotencyKey] = useState(() => toRefundKey(payment))
  const refundableText = writeAmount(refundable, scale, locale === 'en' ? '.' : ',')
  const [typed, setTyped] = useState(refundableText)
  const [reason, setReason] = useState('')
  // An unchanged text is not parsed, because "1.500" can be ambiguous.
  const amount = typed === refundableText ? refundable : parseAmount(typed, scale, currency)
  const isTooMuch = amount !== null && BigInt(amount) > BigInt(refundable)
  const { error, busy, onSubmit } = useForm(async () => {
    if (amount === null || isTooMuch) return
    const trimmedReason = reason.trim()
    const request = { amount, idempotencyKey, ...(trimmedReason ? { reason: trimmedReason } : {}) }
    onRequested(await requestRefund(payment, request))
  })
  const refused = toFieldErrors(error)
  const close = () => {
    // The refund may have been made despite the error.
    if (error !== null) reloadRefunds(payment)
    onClose()
  }
  const formattedRefundable = formatAmount(refundable, payment)
  const amountError =
    amount === null
      ? refund.amountWrong(formattedRefundable)
      : isTooMuch
        ? refund.tooMuch(formattedRefundable)
        : refused['amount']
  return (
    // The dialog stays open during the request, because otherwise nobody would see the result.
    <Dialog title={refund.title} onClose={() => !busy && close()}>
      <p>{payment.mode === 'test' ? refund.inTest : refund.text}</p>
      <DescriptionList
        items={[
          payment.customId === null
            ? [drawer.reference, payment.reference]
            : [columns.customId, payment.customId],
          [refund.paid, formatAmount(payment.amount, payment)],
          ...toMoneyBackFacts(payment).filter(([name]) => name !== drawer.net),
        ]}
      />
      <FormError error={error} fields={FIELDS} unknownOutcome={refund.unknownOutcome} />
      {refused['transactionId'] && <Notice tone="error">{refused['transactionId']}</Notice>}
      {refused['idempotencyKey'] && <Notice tone="error">{refund.otherRequested}</Notice>}
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={refund.amount}
          value={typed}
          onText={setTyped}
          inputMode="decimal"
          autoComplete="off"
          required
          error={amountError}
          hint={!isTooMuch && <span className="tabular-nums">{refund.left(formattedRefundable)}</span>}
        />
        <Field
          label={refund.reason}
          value={reason}
          onText={setReason}
          maxLength={REFUND_REASON_MAX}
          autoComplete="off"
          hint={refund.reasonHint}
          error={refused['reason']}
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="main" type="submit" busy={busy}>
            {amount === null || isTooMuch ? drawer.refund : refund.submit(formatAmount(amount, payment))}
          </Button>
          <Button disabled={busy} onClick={close}>
            {words().frame.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
