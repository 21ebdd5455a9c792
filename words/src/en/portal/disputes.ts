import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'

export const dispute = {
  respondBy: 'Bank’s deadline',
  states: {
    inquiry: 'Inquiry',
    open: 'Open',
    won: 'Won',
    lost: 'Lost',
  },
  titles: {
    open: (amount: string) => `The payer disputes ${amount}`,
    inquiry: (amount: string) => `The payer’s bank is asking about ${amount}`,
    lost: (amount: string) => `The dispute over ${amount} was lost`,
  },
  texts: {
    open: 'Until the bank decides, the amount is withdrawn and you cannot refund it. Do not return the money yourself either, for example by bank transfer.',
    inquiry:
      'No money has been withdrawn so far. The owner, admins and finance members can refund the payer here.',
    lost: 'The bank decided in the payer’s favour and returned the money to them. Do not refund it as well.',
  },
  reason: 'Reason',
  reasons: {
    fraudulent: 'The payer says that they did not make this payment.',
    unrecognized: 'The payer does not recognise this payment.',
    duplicate: 'The payer says that they were charged twice.',
    product_not_received: 'The payer says that nothing was delivered.',
    product_unacceptable: 'The payer says that what they got is damaged or not as described.',
    subscription_canceled: 'The payer says that they had cancelled the subscription or the order.',
    credit_not_processed: 'The payer says that a promised refund did not arrive.',
    other: 'The bank gave another reason',
  },
  left: (days: number) =>
    days === 0
      ? 'less than a day left'
      : `${formatNumber('en', days)} ${plural('en', days, { one: 'day', other: 'days' })} left`,
  passed: 'the deadline has passed',
  evidence: 'What to do',
  evidenceText: {
    open: 'Send your evidence to the operator of this service as soon as possible: the order, proof of delivery, and your messages with the payer. Without a response, the dispute is usually lost.',
    inquiry:
      'Send your evidence to the operator of this service as soon as possible: the order, proof of delivery, and your messages with the payer. Without a response, the inquiry may become a dispute.',
    test: 'This is a test payment: no money moved, and there is nothing to send.',
  },
  send: 'Write to the operator',
  subject: (reference: string) => `Dispute over payment ${reference}`,
  more: 'More about disputes',
  docsPath: 'refunds#disputes',
  needEvidence: {
    disputes: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'dispute needs', other: 'disputes need' })} your evidence`,
    inquiries: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'inquiry needs', other: 'inquiries need' })} your evidence`,
    both: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'dispute or inquiry needs', other: 'disputes or inquiries need' })} your evidence`,
  },
  /** In test mode, nothing has to be done. */
  tests: {
    disputes: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'test dispute', other: 'test disputes' })}`,
    inquiries: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'test inquiry', other: 'test inquiries' })}`,
    both: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'test dispute or inquiry', other: 'test disputes or inquiries' })}`,
  },
  disputedAmount: (amount: string) => `Dispute over ${amount}`,
  inquiryAmount: (amount: string) => `Inquiry about ${amount}`,
  showAll: 'Disputed payments',
}
