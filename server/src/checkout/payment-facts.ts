// What the pages of one payment have in common: its facts as rows, and the link back to the merchant.
import { formatExactDateTime } from '@pazar/words'
import { isPaid, toReference } from '../payments/payment.ts'
import type { NoticeFacts } from './notice-page.ts'
import { toOrderRows } from './order-line.ts'
import type { CheckoutWords, PageContext, PageLink } from './page-parts.ts'
import { toMoney, toReferenceRow } from './page-parts.ts'
import type { NextSteps } from './pay-forms.ts'
import type { PayOutcome } from './pay-outcome.ts'
import type { ReturnFacts } from './return-url.ts'
import { toReturnUrl } from './return-url.ts'

/** A receipt has to name a time zone; most payers live in this one. */
export const RECEIPT_TIME_ZONE = 'Europe/Podgorica'

export type StateOutcome = PayOutcome<'payment_state'>

export interface PaymentFacts extends Pick<StateOutcome, 'payment' | 'merchant' | 'other' | 'isReturn'> {
  /** The URL of this payment's page, in the language of the page on which it is shown. */
  stateUrl: string
  /** What this browser can do next; null if another browser made the payment. */
  own: NextSteps | null
}

export function toFactRows(
  context: PageContext,
  facts: Pick<PaymentFacts, 'payment' | 'merchant'>,
  referenceOf = facts.payment.id,
): NonNullable<NoticeFacts['rows']> {
  const { words } = context
  const { payment, merchant } = facts
  const paidAt = isPaid(payment) ? (payment.resolvedAt ?? payment.completedAt) : null
  return [
    [words.labels.merchant, merchant.name],
    [words.labels.amount, toMoney(context, payment.amount)],
    ...toOrderRows(words, payment),
    [words.labels.paidAt, paidAt && formatExactDateTime(context.locale, paidAt, RECEIPT_TIME_ZONE)],
    toReferenceRow(words, toReference(referenceOf)),
  ]
}

export function toReturnLink(
  words: CheckoutWords,
  facts: PaymentFacts,
  status: ReturnFacts['status'],
): PageLink {
  const { payment, merchant } = facts
  const order = { transactionId: payment.id, customId: payment.customId, mode: payment.mode }
  return {
    href: toReturnUrl(merchant.resultUrl, { status, ...order }),
    label: words.actions.returnToMerchant,
  }
}
