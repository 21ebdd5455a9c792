// Payments as the merchant sees them: the list, one payment and the status of an order.
// Long: one list of texts.
import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'
import { dispute } from './disputes.ts'

export const payments = {
  title: 'Payments',
  purpose: 'Every payment of this project: successful, refunded, failed or still open.',
  csv: 'Export CSV',
  states: {
    processing: 'Processing',
    requires_action: 'Awaiting the payer or bank',
    succeeded: 'Successful',
    failed: 'Failed',
    expired: 'Expired',
  },
  review: {
    inReview: 'In review',
    paid: 'Paid (operator’s decision)',
    unpaid: 'Not paid (operator’s decision)',
  },
  moneyBack: {
    refunded: 'Refunded',
    partlyRefunded: 'Partly refunded',
    disputed: 'Disputed',
  },
  net: (amount: string) => `Remaining ${amount}`,
  refund: {
    title: 'Refund this payment',
    doneTitle: 'Money refunded',
    text: 'The money goes back to the payer the way it came. This cannot be undone.',
    /** Replaces `text` and `results.wait` where no money moves. */
    inTest: 'This is a test payment: no money moves.',
    paid: 'Paid',
    amount: 'Amount',
    amountWrong: (max: string) => `Enter an amount above zero, at most ${max}.`,
    tooMuch: (left: string) => `At most ${left} can still be refunded.`,
    left: (left: string) => `Can still be refunded: ${left}`,
    reason: 'Reason (optional)',
    reasonHint: 'For your own records. The payer does not see it.',
    /** The next press has the same idempotency key. */
    unknownOutcome:
      'No response came, so we do not know whether the refund was requested. Press the button again to see the result: the money is not refunded twice.',
    otherRequested:
      'A refund of this payment with another amount or reason was already requested. Close this dialog and check the payment before you refund more.',
    submit: (amount: string) => `Refund ${amount}`,
    close: 'Close',
    listTitle: 'Refunds',
    atTheBank: 'Requested outside this service, at the payment provider',
    states: {
      processing: 'Processing',
      succeeded: 'Refunded',
      failed: 'Failed',
      returned: 'Money returned to you',
    },
    results: {
      processing: (amount: string) =>
        `The refund of ${amount} is being processed. You can close this window; the result will be shown with the payment.`,
      succeeded: (amount: string) => `${amount} was refunded.`,
      wait: 'The payer’s bank may need a few days to show it.',
      failed: (amount: string) => `${amount} was not refunded`,
      returned: (amount: string) => `${amount} did not reach the payer: the money returned to you`,
    },
    failures: {
      declined: 'The bank refused the refund.',
      not_refunded: 'The bank has no record of this refund, so no money was refunded.',
      resolved_failed:
        'The bank did not report the result of this refund; the operator checked and found that no money was refunded.',
      expired_or_canceled_card: 'The payer’s card can no longer be used.',
      lost_or_stolen_card: 'The payer’s card was reported lost or stolen.',
      insufficient_funds:
        'There is not enough money in the account that refunds are paid from. Contact the operator of this service.',
      returned: 'The payer’s bank returned the money to you.',
      other: 'The bank gave another reason',
    },
  },
  dispute,
  timeline: {
    title: 'Timeline',
    created: 'Payment started',
    atBank: 'Payer sent to the page where they finish the payment',
    paid: (amount: string) => `Paid ${amount}`,
    reported: (state: string) => `Reported by the bank: ${state}`,
    waiting: 'Waiting for the result',
    inReview: 'In review: waiting for the operator’s decision',
    notSent: (event: string) => `Callback not sent: ${event}`,
    orderPayments: 'Payments of this order',
    callback: (event: string) => `Callback: ${event}`,
    nextAttempt: (event: string) => `Next callback attempt: ${event}`,
    failedAttempts: (n: number) =>
      `${formatNumber('en', n)} failed callback ${plural('en', n, { one: 'attempt', other: 'attempts' })}`,
    lastResponse: (response: string) => `last: ${response}`,
    refund: {
      processing: (amount: string) => `Refund of ${amount} requested`,
      succeeded: (amount: string) => `Refunded ${amount}`,
      failed: (amount: string) => `Refund of ${amount} failed`,
      returned: (amount: string) => `Refund of ${amount} did not reach the payer; the money returned to you`,
    },
    /**
     * In an inquiry the payer's bank only asks; in a dispute the bank takes the money back. A closed inquiry has the state
     * "won" too, so the texts for "won" name both kinds (`either`).
     */
    disputeOpened: {
      inquiry: (amount: string) => `Inquiry opened: ${amount}`,
      dispute: (amount: string) => `Dispute opened: ${amount}`,
      either: (amount: string) => `Dispute or inquiry opened: ${amount}`,
    },
    disputeClosed: {
      dispute: (state: string) => `Dispute closed: ${state}`,
      either: (state: string) => `Dispute or inquiry closed: ${state}`,
    },
  },
  callbackStates: {
    pending: 'Waiting',
    sending: 'Sending',
    delivered: 'Delivered',
    exhausted: 'Not delivered',
    cancelled: 'Not sent',
    stopped: 'No longer sent',
    retrying: 'Retrying',
    forwarded: 'Forwarded to CLI',
    none: 'None',
  },
  columns: {
    time: 'Time',
    amount: 'Amount',
    state: 'State',
    customId: 'Order ID',
    data: 'Description',
    callback: 'Callback',
    reference: 'Payment reference',
  },
  filters: {
    label: 'Filters',
    search: 'Search',
    searchHint: 'Order ID, description, payment reference or transaction ID',
    state: 'State',
    anyState: 'All states',
    labelSet: (n: number) => `Filters (${formatNumber('en', n)})`,
    from: 'From',
    to: 'To',
    clear: 'Clear filters',
    remove: (name: string) => `Remove the filter: ${name}`,
    today: 'Today',
    week: 'Last 7 days',
    month: 'This month',
  },
  sorting: { label: 'Sorting', newest: 'Newest first', oldest: 'Oldest first' },
  table: {
    columns: 'Columns',
    reset: 'Restore the default columns',
    stored: 'Stored in this browser, for your account.',
    views: 'Views',
    viewsText: 'Set filters, then save them under a name.',
    viewName: 'Name of the view',
    saveView: 'Save this view',
    deleteView: (name: string) => `Delete the view “${name}”`,
  },
  total: (n: number) => `${formatNumber('en', n)} ${plural('en', n, { one: 'payment', other: 'payments' })}`,
  totalOver: (n: number) => `More than ${formatNumber('en', n)} payments`,
  range: (from: number, to: number, total: number) =>
    `${formatNumber('en', from)}–${formatNumber('en', to)} of ${formatNumber('en', total)}`,
  page: (n: number) => `Page ${formatNumber('en', n)}`,
  emptyTitle: 'No payments yet',
  emptyText: 'A payment appears here as soon as a payer starts it from a pay link.',
  emptyAction: 'Create a link',
  noneTitle: 'No results',
  noneText: 'No payments match these filters.',
  drawer: {
    title: 'Payment',
    notFoundTitle: 'Payment not found',
    back: 'Back to payments',
    notFound: 'This payment was not found in this project and mode.',
    lookIn: { test: 'Look in test mode', live: 'Look in live mode' },
    reference: 'Payment reference',
    id: 'Transaction ID',
    created: 'Created',
    mode: 'Mode',
    failure: 'Reason',
    checkStatus: 'Check status',
    refund: 'Refund',
    refunded: 'Refunded',
    disputed: 'Disputed',
    net: 'Remaining, before fees',
    refundable: 'Can still be refunded',
    whatToDo: 'What to do',
    reviewCallback: {
      none: 'No callback is sent until the operator has decided.',
      superseded: 'If the operator decides that it is paid, we will send you a callback.',
      notAccepted:
        'Your server has not accepted a result of this payment yet. If the operator decides that it is paid, we will send you a callback.',
      sent: 'If the decision differs from the result we have already sent you, you will get a new callback.',
    },
    checks: {
      inReview: {
        title: 'The operator is checking this payment',
        toDo: 'Do not ask for another payment, and do not count this payment as paid until this is decided.',
        text: {
          open: 'The bank has not reported a result, or has reported something that does not match this payment, for example a charge of another amount.',
          ended:
            'The payment failed or expired. Then the bank sent a report that contradicts this: the payer may have been charged.',
        },
      },
      inReviewPaid: {
        title: 'Counts as paid for now: the operator is checking another report from the bank',
        toDo: 'For now the payment counts as paid. If you have not shipped yet, wait for the decision.',
        text: 'The bank also reported something that does not match this payment, for example a second charge, or refunds of more than was paid.',
      },
      resolvedPaid: {
        title: 'The operator decided: paid',
        toDo: 'Treat the order as paid.',
      },
      resolvedUnpaid: {
        title: 'The operator decided: not paid',
        toDo: 'Before you ask for another payment, ask the operator whether money was taken, and check whether another payment has paid the order.',
      },
    },
    orderPaid: (amount: string) => `This order already has a successful payment of ${amount}.`,
    notSet: 'not set',
  },
  failures: {
    declined: 'Declined by the bank',
    insufficient_funds: 'Insufficient funds',
    expired: 'Not finished in time',
    kyc_required: 'The bank needs to verify the payer’s identity',
    not_charged: 'Not charged',
    cancelled: 'Cancelled before it was finished',
    upstream_unavailable: 'The bank could not be reached',
    amount_too_small: 'The bank does not accept such a small amount',
    amount_too_large: 'The bank does not accept such a large amount',
    resolved_paid: 'Operator decided: paid',
    resolved_unpaid: 'Operator decided: not paid',
    other: 'Other reason',
  },
}

export const status = {
  title: 'Status check',
  text: 'Check whether an order was paid, by the order ID (customId) you set on the link.',
  customId: 'Order ID (customId)',
  submit: 'Check status',
  verdicts: {
    paid: { title: 'Paid', text: 'This order is paid.' },
    paidInReview: {
      title: 'Counts as paid for now, in review',
      text: 'For now this order counts as paid, but the operator is checking another report from the bank. If you have not shipped yet, wait for the decision. The check from your server still returns successful: true.',
    },
    refunding: {
      title: 'Paid, refund in progress',
      text: 'This order was paid. A refund was requested and is being processed.',
    },
    partlyRefunded: {
      title: 'Paid, partly refunded',
      text: 'This order was paid, and part of the money was refunded. The check from your server still returns successful: true.',
    },
    refunded: {
      title: 'Refunded',
      text: 'This order was paid, and all the money was refunded. The check from your server still returns successful: true.',
    },
    disputed: {
      title: 'Disputed',
      text: 'This order was paid, but the payer disputed the payment at their bank, and the disputed amount is withdrawn. Check the dispute on the payment before you ship. The check from your server still returns successful: true.',
    },
    disputeLost: {
      title: 'Dispute lost',
      text: 'This order was paid, but the payer disputed the payment and the bank decided in their favour: they have the disputed amount back. The check from your server still returns successful: true.',
    },
  },
  notPaid: 'Not paid',
  notPaidYet: 'Not paid yet',
  paidAt: 'Paid at',
  refunding: 'Refund in progress',
  open: 'Open the payment',
  notFoundTitle: 'Order ID not found',
  notFoundText: 'No payment with this order ID has been started in this mode.',
  state: 'State',
  last: 'Check the latest order',
  start: 'The result appears here: whether the order is paid, and how much was refunded.',
  paid: 'Paid',
  amount: 'Amount',
  asCode: 'Check from your code',
}
