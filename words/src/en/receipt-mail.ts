// The receipt that a payer requests by mail.
import type { MailText, ReceiptFacts } from '../mail-facts.ts'
import { toReceiptHero, wasReturned } from '../mail-facts.ts'

function toHeading({ moneyBack }: ReceiptFacts): string {
  if (!wasReturned(moneyBack)) return 'Payment complete'
  return moneyBack?.isAll ? 'Refunded' : 'Partly refunded'
}

/** The part of the subject that names the returned amounts. Empty: no money was returned. */
function toReturned({ moneyBack }: ReceiptFacts): string {
  const { refunded = null, byBank = null } = moneyBack ?? {}
  const parts = [refunded && `${refunded} refunded`, byBank && `${byBank} returned by the bank`].filter(
    Boolean,
  )
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function toMoneyBackParagraphs({ moneyBack }: ReceiptFacts): string[] {
  if (!moneyBack) return []
  const { refunded, byBank, refunding, isAll } = moneyBack
  // The details contain the returned amounts.
  const part = isAll && !(refunded && byBank) ? 'the whole amount' : 'part of the amount'
  const sentences = [
    refunded && `The merchant refunded ${part}.`,
    byBank && `The bank returned ${part} after a dispute.`,
    refunding && `A refund of ${refunding} is in progress.`,
    'It may take a few days until the returned money shows on your account.',
  ]
  return [sentences.filter(Boolean).join(' ')]
}

/** What was deducted, what remains and what is in progress, then the times. */
function toMoneyBackDetails({ moneyBack }: ReceiptFacts): string[] {
  if (!moneyBack) return []
  const { refunded, refundedAt, byBank, byBankAt, refunding, net, isAll } = moneyBack
  return [
    ...(refunded ? [`Refunded: \u2212${refunded}`] : []),
    ...(byBank ? [`Returned to you by the bank: \u2212${byBank}`] : []),
    ...(wasReturned(moneyBack) && !isAll ? [`Remaining amount paid: ${net}`] : []),
    ...(refunding ? [`Refund in progress, not deducted yet: ${refunding}`] : []),
    ...(refundedAt ? [`Refunded on: ${refundedAt}`] : []),
    ...(byBankAt ? [`Returned by the bank on: ${byBankAt}`] : []),
  ]
}

export const receiptMail = {
  receipt: (facts: ReceiptFacts): MailText => ({
    subject: `Receipt${toReturned(facts)}: ${facts.amount} – ${facts.merchant}`,
    heading: toHeading(facts),
    ...toReceiptHero(facts),
    paragraphs: [
      ...toMoneyBackParagraphs(facts),
      wasReturned(facts.moneyBack)
        ? 'This is not a fiscal (tax) receipt.'
        : 'This confirms your payment. It is not a fiscal (tax) receipt.',
    ],
    details: [
      `Merchant: ${facts.merchant}`,
      `${wasReturned(facts.moneyBack) ? 'Amount paid' : 'Amount'}: ${facts.amount}`,
      ...toMoneyBackDetails(facts),
      ...(facts.description === null ? [] : [`Description: ${facts.description}`]),
      ...(facts.order === null ? [] : [`Order ID: ${facts.order}`]),
      `Paid on: ${facts.paidAt}`,
      `Payment reference: ${facts.reference}`,
    ],
    action: 'Open the receipt',
    advice: `For questions about the order, have the payment reference ready and contact the merchant${facts.contacts.length > 0 ? ':' : '.'}`,
    contacts: facts.contacts,
    why: 'Your email address was entered on the checkout page. It is deleted once this message is sent.',
  }),
}
