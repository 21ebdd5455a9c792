// The delivery log: what was sent to the merchant's server, what it answered, and what to do about it.
import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'

export const deliveries = {
  title: 'Delivery log',
  test: 'Send test callback',
  testing: 'Sending…',
  testDone: 'Test callback sent',
  answered: (code: string, duration: string) => `Your server answered ${code} in ${duration}.`,
  columns: {
    time: 'Time',
    result: 'Result',
    answer: 'Answer',
    attempt: 'Attempt',
    duration: 'Duration',
    order: 'Order',
    target: 'Target',
  },
  results: { success: 'success', fail: 'failure' },
  statuses: {
    pending: 'Waiting',
    sending: 'Sending',
    delivered: 'Delivered',
    exhausted: 'Not delivered',
    cancelled: 'Cancelled',
  },
  filters: { status: 'Status of delivery', any: 'All deliveries' },
  emptyTitle: 'No deliveries yet',
  emptyText: 'Send a test callback and see what your server answers.',
  noneTitle: 'Nothing matches',
  noneText: 'No delivery fits these filters.',
  more: 'Show older',
  failing: (n: number) =>
    `${formatNumber('en', n)} ${plural('en', n, { one: 'callback has', other: 'callbacks have' })} not been delivered`,
  failingCause: (cause: string) => `The same cause: ${cause}`,
  resend: 'Resend',
  resendAgain: 'Send once more',
  resendFailed: 'Resend all failed',
  showFailed: 'Show only these',
  resent: 'On its way again.',
  resentMany: (n: number) =>
    `${formatNumber('en', n)} ${plural('en', n, { one: 'callback is', other: 'callbacks are' })} on the way again.`,
  againTitle: 'Already delivered',
  againText:
    'Your server has accepted this callback. Sent once more, it carries the same ID, so a careful shop ignores it.',
  noRetry: 'No automatic retry',
  nextAt: (time: string) => `Next attempt ${time}`,
  drawer: {
    title: 'Delivery',
    request: 'Request',
    response: 'Response',
    attempts: 'Attempts',
    cause: 'Cause',
    fix: 'What to do',
    body: 'Body',
    masked: 'The hash is hidden here.',
    verify: 'Verify this on your server',
    verifyText:
      'The signature stands in the webhook-signature header and covers the exact bytes of the body. Take the price from your own records.',
    empty: 'Empty answer',
    attempt: (n: number) => `Attempt ${formatNumber('en', n)}`,
    triggers: { auto: 'automatic', manual: 'by hand', test: 'test' },
    transaction: 'Show transaction',
  },
  live: 'Live updates',
}
