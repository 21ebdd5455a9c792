// From a confirmation's outcome to what the payer's browser, or a program, is told.
import { ServiceError } from '../lib/service-error.ts'
import type { Confirmation } from '../payments/confirm.ts'
import { isFinal, isInReview, isUnpaid, toReference } from '../payments/payment.ts'
import type { Payment } from '../payments/payment.ts'
import { sendJson, sendOn } from './answers.ts'
import type { Attempt } from './attempt-token.ts'
import { nextAttemptId } from './attempt-token.ts'
import {
  sendAlreadyPaid,
  sendBankStepElsewhere,
  sendConflict,
  sendInFlight,
  sendOrderInReview,
  sendReady,
} from './link-answers.ts'
import type { OpenLink } from './open-link.ts'
import { mayStartOver } from './own-payment.ts'
import { toNextUrl } from './payment-answers.ts'
import { unpaidNotice } from './payment-page.ts'
import { IN_REVIEW } from './refusal-answer.ts'
import type { Visit } from './visit.ts'

type AnsweredPayment = Pick<
  Payment,
  'id' | 'state' | 'needsReview' | 'resolution' | 'actionUrl' | 'customId' | 'mode' | 'failureCode'
>

type AnsweredAttempt = Pick<Attempt, 'id' | 'checkoutId'>

/** Nothing was charged: the reason, and a fresh token so that one click tries again. */
function answerFailed(
  visit: Visit,
  open: OpenLink,
  { id, checkoutId }: AnsweredAttempt,
  payment: AnsweredPayment,
): void {
  if (visit.wantsJson) {
    const code = payment.resolution === null ? (payment.failureCode ?? 'declined') : 'resolved_unpaid'
    throw new ServiceError('payment_failed', { fields: [{ path: 'payment', code }] })
  }
  visit.reply.code(402)
  return sendReady(visit, open, {
    attempt: { id: nextAttemptId(id), checkoutId },
    notice: {
      text: unpaidNotice(visit.words, payment),
      tone: 'error',
      reference: toReference(payment.id),
    },
    last: payment,
  })
}

/** Whether it was charged, a person is finding out: no fresh token, and nothing is said about money but that. */
function answerInReview(visit: Visit, { id, state }: AnsweredPayment): void {
  const redirectUrl = `${visit.deps.config.baseUrl}/pay/${id}`
  if (!visit.wantsJson) return sendOn(visit, 'state', redirectUrl)
  // Not `requires_action`: there is nothing left for the payer to do at the bank.
  if (!isFinal(state)) return sendJson(visit, { status: 'processing', transactionId: id, redirectUrl })
  throw new ServiceError('payment_failed', { fields: [{ path: 'payment', code: IN_REVIEW }] })
}

const DESTINATION = { requires_action: 'bank', processing: 'state', succeeded: 'shop' } as const

/** The same for the press that made the payment and for every later one with the same token. */
export function answerPayment(
  visit: Visit,
  open: OpenLink,
  attempt: AnsweredAttempt,
  payment: AnsweredPayment,
): void {
  const { deps, wantsJson } = visit
  if (isInReview(payment)) return answerInReview(visit, payment)
  if (isUnpaid(payment)) return answerFailed(visit, open, attempt, payment)
  const { state } = payment
  // What counts as paid is `succeeded` to the payer, also where an operator decided it.
  const status = state === 'requires_action' || state === 'processing' ? state : 'succeeded'
  const redirectUrl = toNextUrl(deps, payment, open.shop.resultUrl)
  if (wantsJson) return sendJson(visit, { status, transactionId: payment.id, redirectUrl })
  return sendOn(visit, DESTINATION[status], redirectUrl)
}

export async function answerConfirmation(
  visit: Visit,
  open: OpenLink,
  attempt: AnsweredAttempt,
  outcome: Confirmation,
): Promise<void> {
  const { words, wantsJson } = visit
  const sendElsewhere = (holderId: string) =>
    sendBankStepElsewhere(visit, open, { holderId, attempt, notice: words.bankStepElsewhere })
  switch (outcome.kind) {
    case 'payment':
      return answerPayment(visit, open, attempt, outcome.payment)
    case 'already_paid':
      return sendAlreadyPaid(visit, open)
    case 'in_flight': {
      const { id, actionUrl } = outcome.payment
      if (open.isSigned && isInReview(outcome.payment)) return sendOrderInReview(visit, open, id)
      const isOpen = actionUrl !== null && !wantsJson && (await mayStartOver(visit, open, id))
      return isOpen ? sendElsewhere(id) : sendInFlight(visit, open)
    }
    case 'conflict': {
      if (wantsJson) throw new ServiceError('custom_id_conflict')
      visit.reply.code(409)
      const { holder } = open.shop
      // Somebody left another amount of this order open at the bank: the real payer must not wait for that to run out.
      const isOpen = holder?.state === 'requires_action' && (await mayStartOver(visit, open, holder.id))
      return isOpen ? sendElsewhere(holder.id) : sendConflict(visit, open)
    }
  }
}
