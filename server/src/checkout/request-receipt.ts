// POST /pay/{transactionId}/receipt mails the receipt, at most RECEIPTS_PER_PAYMENT_MAX times. Only the browser that paid may
// request the receipt.
import { email as emailAddress, RATE_LIMITS, RATE_WINDOW_SEC } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import { parseEmail } from '../accounts/email-address.ts'
import { limitInDatabase, receiptBucket } from '../accounts/lockout.ts'
import type { ReceiptMail } from '../accounts/mail/mail.ts'
import { queueReceiptMail } from '../accounts/mail/queue-mail.ts'
import { toAddressKey } from '../http/client-address.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { isPaid, toReference } from '../payments/payment.ts'
import { countReceipt } from '../payments/payments-store.ts'
import type { CheckoutDeps } from './deps.ts'
import type { MoneyBack } from './money-back.ts'
import { toNet } from './money-back.ts'
import { toSignedTexts } from './order-line.ts'
import type { PayOutcome, ReceiptResult } from './pay-outcome.ts'
import type { Payer } from './payer.ts'
import type { StateOutcome } from './payment-facts.ts'
import { RECEIPT_TIME_ZONE, toPaidAt } from './payment-facts.ts'
import type { ShownWithOther } from './show-payment.ts'
import { requireShownPayment, toState } from './show-payment.ts'

interface Requested {
  id: string
  email: string
  ip: string
  locale: Locale
}

function requireAddress(text: string): ReturnType<typeof parseEmail> {
  if (!emailAddress.safeParse(text).success) throw invalidField('email', 'invalid_email')
  return parseEmail(text)
}

/** The network's limit is checked first, so that one network cannot use up the limits of many mailboxes. */
async function requireWithinLimits(deps: CheckoutDeps, ip: string, mailbox: string): Promise<void> {
  const limits = deps.config.rateLimits
  if (limits === null) return
  const allow = (name: 'RECEIPT' | 'RECEIPT_MAILBOX') => ({
    max: limits[name],
    windowMin: RATE_WINDOW_SEC[RATE_LIMITS[name].per] / 60,
  })
  await limitInDatabase(deps.db, receiptBucket('network', toAddressKey(ip)), allow('RECEIPT'))
  await limitInDatabase(deps.db, receiptBucket('mailbox', mailbox), allow('RECEIPT_MAILBOX'))
}

function toMailedMoneyBack(amount: bigint, moneyBack: MoneyBack | null): ReceiptMail['moneyBack'] {
  if (!moneyBack) return null
  const { refunded, refundedAt, byBank, byBankAt, refunding } = moneyBack
  return {
    refunded: refunded.toString(),
    byBank: byBank.toString(),
    refunding: refunding.toString(),
    net: toNet(amount, moneyBack).toString(),
    refundedAt: refundedAt?.toISOString() ?? null,
    byBankAt: byBankAt?.toISOString() ?? null,
  }
}

async function queueReceipt(
  deps: CheckoutDeps,
  { payment, merchant, moneyBack }: ShownWithOther & Pick<StateOutcome, 'moneyBack'>,
  requested: Requested,
): Promise<void> {
  const { email, key: mailbox } = requireAddress(requested.email)
  await requireWithinLimits(deps, requested.ip, mailbox)
  await deps.db.transaction(async (tx) => {
    if (!(await countReceipt(tx, payment.id))) throw new ServiceError('rate_limited', { retryAfterSec: 3600 })
    await queueReceiptMail(deps, tx, {
      to: email,
      locale: requested.locale,
      at: (toPaidAt(payment) ?? payment.createdAt).toISOString(),
      timeZone: RECEIPT_TIME_ZONE,
      merchant: merchant.name,
      amount: payment.amount.toString(),
      currency: payment.currency,
      scale: payment.scale ?? deps.installation.scaleOfOldPayments,
      ...toSignedTexts(payment),
      reference: toReference(payment.id),
      transactionId: payment.id,
      supportEmail: merchant.brand?.supportEmail ?? null,
      website: merchant.brand?.website ?? null,
      moneyBack: toMailedMoneyBack(payment.amount, moneyBack),
    })
  })
}

export async function requestReceipt(
  deps: CheckoutDeps,
  payer: Payer,
  requested: Requested,
): Promise<PayOutcome<'receipt_requested'>> {
  const shown = await requireShownPayment(deps, requested.id)
  const { payment } = shown
  const state = await toState(deps, payer, shown)
  const isOwn = state.link !== null
  if (!isOwn || payment.mode !== 'live' || !isPaid(payment)) throw new ServiceError('not_found')
  const toOutcome = (result: ReceiptResult, error: ServiceError | null) =>
    ({ kind: 'receipt_requested', state, requested: { result, email: requested.email }, error }) as const
  try {
    await queueReceipt(deps, { ...shown, moneyBack: state.moneyBack }, requested)
    return toOutcome('sent', null)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'invalid_request') return toOutcome('invalid', error)
    if (error.code === 'rate_limited') return toOutcome('limited', error)
    throw error
  }
}
