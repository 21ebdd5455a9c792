// What the pages of one payment have in common: its facts as rows, and the link back to the merchant.
import { formatZonedDateTime } from '@pazar/words'
import { html } from '../lib/html.ts'
import { isPaid, toReference } from '../payments/payment.ts'
import type { MoneyBack } from './money-back.ts'
import { toNet } from './money-back.ts'
import type { NoticeFacts } from './notice-page.ts'
import { toOrderRows } from './order-line.ts'
import type { PageContext, PageLink } from './page-parts.ts'
import { toMoney, toReferenceRow } from './page-parts.ts'
import type { NextSteps } from './pay-forms.ts'
import type { PayOutcome } from './pay-outcome.ts'
import { toReturnLink } from './return-link.ts'
import type { ReturnFacts } from './return-url.ts'
import type { ShownPayment } from './shown-payment.ts'

/** A receipt has to name a time zone; most payers live in this one. */
export const RECEIPT_TIME_ZONE = 'Europe/Podgorica'

export type StateOutcome = PayOutcome<'payment_state'>

export interface PaymentFacts extends Pick<
  StateOutcome,
  'payment' | 'merchant' | 'other' | 'isReturn' | 'isReopened' | 'moneyBack'
> {
  /** The URL of this payment's page. It keeps the language that the current URL chose, if any. */
  stateUrl: string
  /** What this browser can do next; null if another browser made the payment. */
  own: NextSteps | null
}

export function isSimulated({ mode, backend }: Pick<ShownPayment, 'mode' | 'backend'>): boolean {
  return mode === 'test' || backend === 'sandbox'
}

type Rows = NonNullable<NoticeFacts['rows']>

function toMoneyBackRows(
  context: PageContext,
  payment: ShownPayment,
  moneyBack: MoneyBack,
  toTime: (at: Date) => string,
): Rows {
  const { labels } = context.words
  const { refunded, refundedAt, refunding, byBank, byBankAt } = moneyBack
  const toRow = (label: string, amount: bigint, at: Date | null): Rows[number] => [
    label,
    amount === 0n ? null : html`${toMoney(context, -amount)}${at && html`<br><small>${toTime(at)}</small>`}`,
  ]
  const wasPaid = isPaid(payment) && refunded + byBank > 0n
  const net = toNet(payment.amount, moneyBack)
  return [
    toRow(labels.refunded, refunded, refundedAt),
    toRow(labels.returnedByBank, byBank, byBankAt),
    [labels.net, wasPaid && net > 0n ? html`<b>${toMoney(context, net)}</b>` : null],
    // A refund in progress is not deducted yet.
    [labels.refunding, refunding === 0n ? null : toMoney(context, refunding)],
  ]
}

/**
 * When the payment was charged. If it was not charged but an operator has resolved it as paid: when it was resolved. Null:
 * the payment does not count as paid.
 */
export function toPaidAt(payment: PaymentFacts['payment']): Date | null {
  if (!isPaid(payment)) return null
  return payment.state === 'succeeded' ? payment.completedAt : payment.resolvedAt
}

export function toFactRows(
  context: PageContext,
  facts: Pick<PaymentFacts, 'payment' | 'merchant' | 'moneyBack'>,
  referenceOf = facts.payment.id,
  /** Null if the page shows the amount in another place. */
  amountLabel: string | null = context.words.labels.amount,
): Rows {
  const { words } = context
  const { payment, merchant, moneyBack } = facts
  const paidAt = toPaidAt(payment)
  const toTime = (at: Date) => formatZonedDateTime(context.locale, at, RECEIPT_TIME_ZONE)
  const amount: Rows[number] = [
    amountLabel ?? '',
    amountLabel === null ? null : toMoney(context, payment.amount),
  ]
  return [
    // The brand at the top of the page already shows this name.
    [words.labels.merchant, merchant.brand?.displayName === merchant.name ? null : merchant.name],
    ...(moneyBack ? [] : [amount]),
    ...toOrderRows(words, payment),
    [words.labels.paidAt, paidAt && toTime(paidAt)],
    toReferenceRow(words, toReference(referenceOf)),
    ...(moneyBack ? [amount, ...toMoneyBackRows(context, payment, moneyBack, toTime)] : []),
  ]
}

/** Null if there is no site to return to. */
export function toPaymentReturnLink(
  context: PageContext,
  { payment, merchant }: Pick<PaymentFacts, 'payment' | 'merchant'>,
  status: ReturnFacts['status'],
): PageLink | null {
  const { id, customId, mode } = payment
  return toReturnLink(context, merchant, { status, transactionId: id, customId, mode })
}
