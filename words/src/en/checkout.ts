// What payers read.
// Why this is long: one list of texts.

export interface Notice {
  heading: string
  detail?: string
  money: string
  next: string
  /** Replaces `next` on a page without a link back to the merchant. */
  nextHere?: string
  close?: string
}

/** Only about this attempt, because an earlier one may have been paid. */
const NOT_CHARGED = 'This attempt was not charged.'

export const checkout = {
  title: (amount: string, shop: string) => `Pay ${amount} – ${shop}`,
  testBar: 'Test mode: no real money',
  /** For live payments at the sandbox. */
  sandboxBar: 'Test: no real money',

  labels: {
    merchant: 'Merchant',
    amount: 'Amount',
    description: 'Description',
    order: 'Order ID',
    method: 'Payment method',
    website: 'Merchant’s site',
    email: 'Email',
    site: 'Website',
    /** Shown if another payment of the order has another amount. */
    linkAmount: 'Amount in this link',
    reference: 'Payment reference',
    /** The label of the large amount of a receipt. If the large amount is a refund: the label of a row below it. */
    amountPaid: 'Amount paid',
    paidAt: 'Paid on',
    refunded: 'Refunded',
    refunding: 'Refund in progress',
    returnedByBank: 'Returned by bank',
    net: 'Remaining amount paid',
    supportReference: 'Request reference, if you ask for help',
    contact: 'Questions? Contact the merchant',
  },

  actions: {
    pay: (amount: string) => `Pay ${amount}`,
    retry: (amount: string) => `Try again: pay ${amount}`,
    payAgain: 'Pay again',
    tryAgain: 'Try again',
    checkAgain: 'Check again',
    continue: 'Continue',
    continueAtBank: 'Continue the payment',
    startOver: (amount: string) => `Start over: pay ${amount}`,
    openLinkAgain: 'Open the pay link again',
    cancel: 'Cancel and return to the merchant',
    cancelHere: 'Cancel',
    backToPayment: (amount: string) => `Back to the payment: ${amount}`,
    returnToMerchant: 'Return to the merchant’s site',
    help: 'Get help',
    about: (operator: string) => `About ${operator}`,
    print: 'Print',
  },

  ready: {
    heading: (shop: string) => `Pay ${shop}`,
    /** The heading below the merchant's name. */
    amount: 'Amount to pay',
  },
  /** The preview of a link in a chat. */
  preview: {
    title: (amount: string) => `Pay ${amount}`,
    text: 'Open the page, check the merchant and the amount, and pay.',
  },
  steps: {
    methods: { card: 'Card', bank: 'Bank account', wallet: 'Digital wallet' },
    simulated: 'Simulated, no card',
    afterSimulated: 'When you press the button, the payment is simulated.',
    afterPage: (page: string) =>
      `When you press the button, the ${page} page opens. You enter your payment details there.`,
    afterBank:
      'When you press the button, the bank may open its own page for your payment details or your approval.',
    noCardHere: 'No card details are entered on this page.',
    thenReturn: 'Then you return to the merchant’s site.',
    thenReceipt: 'Then you see your receipt.',
  },
  submitting: {
    button: 'Processing…',
    note: 'Do not close this page. This can take up to half a minute.',
  },
  redirect: {
    heading: 'We are taking you to the page where you finish the payment',
    host: (host: string) => `Opening ${host}`,
  },
  /** For a payment that the payer has begun but not finished at the bank. */
  bankStepOpen: {
    heading: 'Your payment is not finished yet',
    money: 'Continue where you left off, or start over.',
    next: 'If you start over, we first cancel the payment that you have already started.',
    /** Replaces `money` and `next` in another browser than the one that started the payment. */
    onlyContinue: 'Continue the payment that has already been started.',
    /** For a payer who returns from the bank before the result of the payment is known. */
    returned: {
      heading: 'We are waiting for the result from the bank',
      money: 'If you have already paid on the bank’s page, do not pay again: the result will appear here.',
      next: 'If you have not, continue where you left off, or start over. If you start over, we first cancel the payment that you have already started.',
      onlyContinue: 'If you have not, continue the payment that has already been started.',
    },
  },
  bankStepElsewhere: {
    heading: 'A payment for this order was started elsewhere',
    detail: 'It is not finished yet: it is open in another window or on another device.',
    money: 'No money was taken through this page.',
    next: 'Finish it there, or start over here. If you start over, we first cancel the payment already started.',
  },
  bankStepKept: {
    heading: 'The first payment could not be cancelled',
    money: 'No new payment was started.',
    next: 'Finish the first payment, or try again in a moment.',
  },
  inFlight: {
    heading: 'A payment for this order is already in progress',
    money: 'Do not pay again.',
    next: 'It may have been started in another window or on another device, and may still go through. No money was taken through this page.',
    close: 'Check again in a moment. If that payment does not go through, you can pay here.',
  },
  pending: {
    heading: 'Your payment is being processed',
    money: 'The money may already be reserved on your account. Do not pay again.',
    /** Replaces `money` where no money moves. */
    simulated: 'In a real payment, the money might be reserved now. Do not pay again.',
    next: 'This page updates automatically.',
    slow: 'This is taking longer than usual. You can close this page. The merchant will still get the result.',
  },
  success: {
    heading: 'Payment complete',
    receipt: 'Receipt',
    state: 'Paid',
    order: 'The merchant will confirm your order.',
    /** For a payment without an order. */
    noOrder: 'The merchant is being notified of your payment.',
    /** While a dispute is open. */
    disputed: 'The bank has reported a dispute about this payment. It is not decided yet.',
    resolved: 'This payment was checked manually and is confirmed as paid.',
    /** For a link that this browser has already paid. */
    reopened: {
      heading: 'You have already paid',
      money: 'No new payment was started.',
      text: 'This is the receipt for your earlier payment.',
    },
    leaving: 'We are taking you back to the merchant’s site…',
    close: 'You can close this page.',
    notFiscal: 'This is not a fiscal (tax) receipt.',
    again: 'Pay again only if you want to make another, separate payment.',
  },
  refunded: {
    heading: 'Refunded',
    partly: 'Partly refunded',
    all: 'The merchant refunded the whole amount.',
    part: 'The merchant refunded part of the amount.',
    /** After a dispute that the payer has won. */
    byBank: 'The bank decided the dispute in your favour and returned the money.',
    byBoth:
      'The merchant refunded part of the amount, and the bank returned part of it after deciding the dispute in your favour.',
    refunding: (amount: string) => `A refund of ${amount} is in progress.`,
    wait: 'It may take a few days until the returned money shows on your account.',
    /** Replaces `wait` where no money moves. */
    simulated: 'In a real payment, it may take a few days until the money shows on the account.',
  },
  /** Anybody can open the confirmation page without a payment, so it does not say that money was taken. */
  finished: {
    heading: 'You can close this page',
    money: 'The merchant confirms the order. This page does not show whether you have paid.',
    next: 'If you are not sure whether you paid, ask the merchant before you pay again.',
  },
  /** The confirmation page of a payment that cannot be shown. */
  unconfirmed: {
    heading: 'This page cannot show whether you have paid',
    /** The heading if the URL says that the payer cancelled. */
    left: 'You left the payment page',
    money: 'If you paid, or are not sure, ask the merchant before you pay again.',
    next: 'You can close this page.',
  },
  receiptMail: {
    open: 'Email receipt',
    /** Shown after a receipt was sent. */
    other: 'Send to another address',
    email: 'Email address',
    send: 'Send receipt',
    note: 'The address is used for this one message and then deleted.',
    sent: {
      heading: 'The receipt is on its way',
      text: (email: string) => `It goes to ${email} and should arrive in a few minutes.`,
    },
    invalid: { heading: 'The email address is not valid', text: 'Check it and try again.' },
    limited: { heading: 'No more receipts can be sent now', text: 'You can print this page instead.' },
  },
  declined: {
    heading: 'The payment did not go through',
    money: NOT_CHARGED,
    next: 'You can try again or return to the merchant’s site.',
    nextHere: 'You can try again or close this page.',
    contact: 'Ask the merchant how you can pay.',
    /** After a decline without a reason. */
    ask: 'Try another card or way to pay, or ask your bank.',
    /** After a failure that the bank did not report. */
    unsure: 'If your bank shows a charge anyway, do not pay again: contact the merchant.',
    funds: 'Pay with another card or account, or try again when there is enough money.',
    identity:
      'Trying again will not help until the bank has verified your identity. Contact your bank, or pay the merchant another way.',
    reasons: {
      declined: 'The bank did not approve this payment.',
      insufficient_funds: 'Insufficient funds.',
      kyc_required: 'The bank needs to verify your identity first.',
      cancelled: 'The payment was cancelled before it was finished.',
      expired: 'The payment was not finished in time.',
      not_charged: 'The payment was not made.',
      upstream_unavailable: 'The bank could not be reached.',
      resolved_unpaid: 'This payment was checked manually: it was not made.',
      amount_too_small: 'The bank does not accept such a small amount.',
      amount_too_large: 'The bank does not accept such a large amount.',
      generic: 'The payment could not be made.',
    },
  },
  outcomeUnknown: {
    heading: 'We do not know the result yet',
    money: 'We do not know yet whether money was taken. Do not pay again.',
    next: 'In a few minutes, open the pay link again in this browser: it shows the result. If it does not, ask the merchant before you pay again.',
  },
  inReview: {
    heading: 'Your payment is being checked',
    /** The heading in another browser, whose reader may be another person. */
    elsewhere: 'The payment is being checked',
    money: 'Do not pay again.',
    next: 'The bank has not given us a clear answer, so this payment is being checked manually. We do not know yet whether money was taken.',
    /** Replaces `next` where no money moves. */
    simulated:
      'The bank has not given us a clear answer, so this payment is being checked manually. In a real payment, it would not be known yet whether money was taken.',
    close:
      'Press “Check again” and save the link to the page that opens: it will show the result. If you contact the merchant, give the payment reference.',
  },
  otherAttempt: {
    money:
      'This attempt was not charged, but another payment for the same order is in progress or has already gone through.',
    next: 'Do not pay again. You can return to the merchant’s site.',
    nextHere: 'Do not pay again.',
  },
  resolvedUnpaid: {
    heading: 'The payment did not go through',
    detail: 'We checked this payment manually: it was not made.',
    money: 'If your bank shows a charge anyway, do not pay again.',
    /** Replaces `money` where no money moves. */
    simulated: 'In a real payment: if your bank shows a charge anyway, do not pay again.',
    next: 'In that case, contact the merchant and give the payment reference. If there is no charge, you can pay again.',
  },
  /**
   * After Cancel, at a merchant without a site. Never "no money was taken", because a press of Pay may still be under
   * way.
   */
  cancelled: {
    heading: 'You left before finishing the payment',
    /** For the browser that opened the link and did not press Pay. */
    notPressed: {
      money: 'So far, this payment has not been started in this browser.',
      next: 'If you pressed “Pay” before you left, go back to the payment and check the result. If you do not see it, ask the merchant before you pay again.',
    },
    /**
     * For a signed link to an order that has no payment in progress, in review or paid, opened in a browser without our
     * cookies.
     */
    orderUnpaid: {
      money: 'So far, no payment for this order has been received.',
      next: 'If you pressed “Pay” before you left, go back to the payment and check the result before you pay again.',
    },
    /** For a browser in which Pay was pressed, or may have been pressed, and whose payment is not known. */
    unknown: {
      money: 'If you pressed “Pay” before you left, do not pay again before you have asked the merchant.',
      next: 'If you did not, you can go back to the payment.',
    },
    close: 'You can close this page.',
  },

  notices: {
    alreadyPaid: {
      heading: 'This order is already paid',
      money: 'Nothing more was charged.',
      // An order stays paid after a refund.
      next: 'Return to the merchant’s site. If you were refunded, ask the merchant for a new link.',
      nextHere: 'You can close this page. If you were refunded, ask the merchant for a new link.',
    },
    conflict: {
      heading: 'The order details do not match',
      detail: 'This order already has another payment, with a different amount or description.',
      money: NOT_CHARGED,
      next: 'Before you pay again, ask the merchant whether that payment went through and which amount is right.',
    },
    linkExpired: {
      heading: 'The link has expired',
      money: NOT_CHARGED,
      next: 'Ask the merchant for a new link. If you pressed “Pay” before, first ask the merchant whether that payment went through.',
    },
    archived: {
      heading: 'This merchant no longer accepts payments here',
      money: NOT_CHARGED,
      next: 'Ask the merchant how you can pay.',
    },
    invalidLink: {
      heading: 'This pay link is not valid',
      detail: 'Part of it may be missing or may have been changed.',
      money: NOT_CHARGED,
      next: 'Open it again where you found it, or ask the merchant for a new link.',
    },
    paymentsStopped: {
      heading: 'Payments are stopped for now',
      detail: 'After a fault, we are checking which payments were made.',
      // A payer who pressed Pay before the fault may have been charged.
      money: 'No payment was started this time.',
      next: 'If you pressed “Pay” before, that payment may have gone through: do not pay in another way. Open this link again later. If it does not show that payment then, ask the merchant before you pay again.',
    },
    cannotTakePayments: {
      heading: 'This merchant cannot accept payments yet',
      money: NOT_CHARGED,
      next: 'Ask the merchant how you can pay.',
    },
    notReady: {
      heading: 'This merchant is not ready for payments yet',
      money: NOT_CHARGED,
      next: 'They are still setting up. Ask them how you can pay, or open this link again later.',
    },
    busy: {
      heading: 'Payment is not possible right now',
      money: 'No payment was started this time.',
      next: 'Try again in a moment. If you pressed “Pay” before, that payment may have gone through. If you still do not see it here when you try again, ask the merchant before you pay again.',
    },
    tooMany: {
      heading: 'Payment is not possible right now',
      money: 'No payment was started this time.',
      next: 'There were too many requests in a short time. Wait a minute, then try again. If you pressed “Pay” before, that payment may have gone through. If you still do not see it here when you try again, ask the merchant before you pay again.',
    },
    pressRefused: {
      heading: 'Payment is not possible right now',
      money: 'No payment was started this time.',
      next: 'If you also pressed “Pay” earlier, that payment may have gone through. Do not pay again before you have checked.',
      close:
        'Open the pay link again in a moment, in this browser. If it does not show that earlier payment, ask the merchant before you pay again.',
    },
    pageTooOld: {
      heading: 'This page was open for too long',
      money: NOT_CHARGED,
      next: 'Check the amount and press “Pay”.',
    },
    currencyChanged: {
      heading: 'The amount or currency has changed',
      money: NOT_CHARGED,
      next: 'Check the amount and press “Pay”.',
    },
    openElsewhere: {
      heading: 'This pay link is also open in another window',
      money: NOT_CHARGED,
      next: 'If you have already pressed “Pay” in the other window, check the result there first. If not, check the amount and press “Pay” in one window only.',
    },
    formInvalid: {
      heading: 'The payment was not started',
      money: NOT_CHARGED,
      next: 'Check the amount and press “Pay”.',
    },
    formLost: {
      heading: 'The payment was not started',
      money: NOT_CHARGED,
      next: 'Open the pay link again.',
    },
    formFromElsewhere: {
      heading: 'The request did not come from our page',
      money: NOT_CHARGED,
      next: 'Open the pay link again and press “Pay” there.',
    },
    paymentUnknown: {
      heading: 'Payment not found',
      detail: 'No payment is recorded for this address.',
      money: 'If you paid, do not pay again: ask the merchant.',
      next: 'Otherwise, check that the address is complete.',
    },
    stateUnavailable: {
      heading: 'The payment cannot be shown right now',
      money: 'This does not affect your payment. Do not pay again.',
      next: 'Check again in a moment.',
    },
    offline: {
      heading: 'No internet connection',
      money: 'Without a connection, no payment can be started here.',
      next: 'When you are back online, press the button. If you have already pressed it, open this link again first. If you do not see the result, ask the merchant before you pay again.',
    },
  } satisfies Record<string, Notice>,

  sandboxBank: {
    heading: 'Test bank',
    text: 'No real money is involved. Choose how the payment ends.',
    approve: 'Approve payment',
    decline: 'Decline payment',
  },

  footer: {
    host: (host: string) => `You are paying at ${host}`,
    operator: (name: string) => `Service operator: ${name}`,
    links: 'Language and help',
    help: 'Help',
    terms: 'Terms of use',
    privacy: 'Privacy',
  },
}
