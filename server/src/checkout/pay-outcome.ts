// Every result of a payer's request, except at the sandbox's bank page. The use cases choose one of these without HTTP;
// respond.ts turns it into a page or JSON.
import type { Mode } from '@pazar/contract'
import { ServiceError } from '../lib/service-error.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import type { Payment } from '../payments/payment.ts'
import { isInReview, isUnpaid } from '../payments/payment.ts'
import type { Attempt } from './attempt-token.ts'
import { nextAttemptId } from './attempt-token.ts'
import type { CheckedLink, LinkRefusal } from './check-link.ts'
import { findReviewElsewhere } from './check-link.ts'
import type { MoneyBack } from './money-back.ts'
import type { Merchant, OtherPayment, ShownPayment } from './shown-payment.ts'

/** The attempt that a page's form makes when it is sent. */
export type OfferedAttempt = Pick<Attempt, 'id' | 'checkoutId'>

export type DecidedPayment = Pick<
  Payment,
  'id' | 'state' | 'needsReview' | 'resolution' | 'actionUrl' | 'customId' | 'mode' | 'failureCode'
>

export interface Offer {
  checkedLink: CheckedLink
  attempt: OfferedAttempt
  /** How this browser's last attempt ended, if it made one. */
  last: Pick<Payment, 'id' | 'state' | 'needsReview' | 'resolution' | 'failureCode'> | null
}

/** A new attempt that may begin only after the open payment was cancelled. */
export interface StartOver {
  attempt: OfferedAttempt
  replaces: string
}

/** Why a form was not accepted although its link can be paid. */
export type FormRefusal = 'formInvalid' | 'pageTooOld' | 'currencyChanged' | 'openElsewhere'

interface Redirected {
  payment: DecidedPayment
  resultUrl: string
}

export type ReceiptResult = 'sent' | 'invalid' | 'limited'

export interface RequestedReceipt {
  result: ReceiptResult
  /** The address as the payer typed it. It is shown only in this response, and stored only with the queued mail. */
  email: string
}

/**
 * The confirmation page. Anybody can write its URL, so it shows only what is stored about the payment that the URL names,
 * or about the link that the payer left without paying.
 */
export interface Confirmation {
  /**
   * The id in the URL, even if no payment with this id was found. If the URL has no id: the id of the payment that this
   * browser made with the link that the payer left. Null: the URL has no id, and this browser made no such payment.
   */
  transactionId: string | null
  /** Null: no stored payment was found, neither by the URL nor by the link that the payer left. */
  state: Outcomes['payment_state'] | 'unavailable' | null
  /** The URL says that the payer cancelled, and `state` is null. */
  isCancelled: boolean
  /** The link that the payer left. Null: no such link can be shown, or the page is about a payment. */
  abandoned: AbandonedLink | null
  mode: Mode
}

/** What is certain about the money of a link that the payer left. */
export type AbandonedCertainty =
  /** This browser has opened the link and has not sent its form. */
  | 'not_pressed'
  /** The merchant signed the order's number, and no payment of that order is open, in review or paid. */
  | 'order_unpaid'
  /** This browser has pressed Pay, or this is not known because its cookies are blocked or gone. */
  | 'unknown'

export type AbandonedLink =
  | { kind: 'abandoned'; checkedLink: CheckedLink; certainty: AbandonedCertainty }
  /** A signed link whose order has another payment that is paid, open or in review. */
  | PayOutcome<'already_paid' | 'in_flight' | 'order_in_review'>
  | { kind: 'link_refused'; refusal: LinkRefusal }

interface Outcomes {
  ready: Offer
  /** This press charged nothing; the link is offered again with the reason. */
  form_refused: Offer & { reason: FormRefusal }
  /** The payment of this press does not count as paid, and the next attempt is offered. */
  declined: { checkedLink: CheckedLink; attempt: OfferedAttempt; payment: DecidedPayment }
  paid: Redirected
  at_bank: Redirected
  processing: Redirected
  /** An operator is finding out whether this payment, or another payment of the same order, was charged. */
  in_review: { payment: DecidedPayment }
  payment_state: {
    payment: ShownPayment
    merchant: Merchant
    /** The link with which this browser made the payment. Null: the browser is not known to have made the payment. */
    link: PayLink | null
    /** Another payment of the same order or checkout that is in review, paid or open. */
    other: OtherPayment | null
    isReturn: boolean
    isReopened?: boolean
    moneyBack: MoneyBack | null
  }
  receipt_requested: {
    state: Outcomes['payment_state']
    requested: RequestedReceipt
    /** For JSON clients: why no mail is sent. */
    error: ServiceError | null
  }
  /** Another attempt has paid the order. The outcome has no payment id, because this payer may not see that payment. */
  already_paid: { checkedLink: CheckedLink }
  /** Another attempt of this order has no result yet, or has a result that this payer may not see. */
  in_flight: { checkedLink: CheckedLink; startOver: StartOver | null }
  /** Another attempt of this order is in review. Only the reference of that payment is shown. */
  order_in_review: { checkedLink: CheckedLink; reviewedId: string }
  /** The payment at the bank could not be cancelled, so no new payment was started. */
  bank_step_kept: { checkedLink: CheckedLink; startOver: StartOver; payment: DecidedPayment; isOwn: boolean }
  /** Another payment has this customId with another amount or data. */
  conflict: { checkedLink: CheckedLink; startOver: StartOver | null }
  confirmation: Confirmation
  refused: Refusal
}

export interface Refusal {
  error: ServiceError
  at: 'link' | 'press' | 'state'
  /** This browser opened a link on which it had pressed Pay before. */
  hasPressed: boolean
  /** The URL to open again; null if that does not help. */
  address: string | null
  requestId: string
}

export type OutcomeKind = keyof Outcomes
export type PayOutcome<K extends OutcomeKind = OutcomeKind> = { [P in K]: { kind: P } & Outcomes[P] }[K]

/** The service cannot give the result now, and an earlier payment may have been charged. */
export class OutcomeUnknownError extends ServiceError {
  constructor(cause: ServiceError) {
    super('unavailable', { retryAfterSec: cause.retryAfterSec ?? 1, log: cause.log ?? cause.code, cause })
  }
}

export function toPressOutcome(
  checkedLink: CheckedLink,
  { id, checkoutId }: OfferedAttempt,
  payment: DecidedPayment,
): PayOutcome {
  if (isInReview(payment)) return { kind: 'in_review', payment }
  if (isUnpaid(payment))
    return { kind: 'declined', checkedLink, attempt: { id: nextAttemptId(id), checkoutId }, payment }
  const redirected = { payment, resultUrl: checkedLink.target.resultUrl }
  switch (payment.state) {
    case 'requires_action':
      return findReviewElsewhere(checkedLink.target)
        ? { kind: 'in_review', payment }
        : { kind: 'at_bank', ...redirected }
    case 'processing':
      return { kind: 'processing', ...redirected }
    default: // Charged, or resolved as paid by an operator.
      return { kind: 'paid', ...redirected }
  }
}
