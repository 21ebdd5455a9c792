import { formatNumber, formatPercent } from '../../format.ts'
import { plural } from '../../plural.ts'

const days = (n: number) => `${formatNumber('en', n)} ${plural('en', n, { one: 'day', other: 'days' })}`

export const metrics = {
  title: 'Metrics',
  range: {
    label: 'Time range',
    last: (n: number) => days(n),
    other: 'Custom range',
    from: 'From',
    to: 'To',
    show: 'Show',
    wrong: (max: number) => `Choose a first and a last day, at most ${days(max)} in all.`,
  },
  volume: 'Volume',
  paid: (n: number) =>
    `${formatNumber('en', n)} successful ${plural('en', n, { one: 'payment', other: 'payments' })}`,
  refunded: 'Refunded',
  refunds: (n: number) => `${formatNumber('en', n)} ${plural('en', n, { one: 'refund', other: 'refunds' })}`,
  noRefunds: 'No refunds',
  disputed: 'Disputed',
  disputes: (n: number) =>
    `${formatNumber('en', n)} ${plural('en', n, { one: 'dispute', other: 'disputes' })}`,
  noDisputes: 'No disputes',
  net: 'Remaining',
  netText: 'After refunds and disputes, before fees',
  showRefunded: 'Show refunded payments',
  showDisputed: 'Show disputed payments',
  rate: 'Success rate',
  ofEnded: (n: number, ended: number) =>
    `${formatNumber('en', n)} successful of ${formatNumber('en', ended)} completed`,
  noneEnded: 'No completed payments in this period',
  responseTime: 'Response time',
  within: (duration: string) => `Your server, median; p95 ${duration}`,
  noResponses: 'No callbacks accepted in this period',
  inInbox: 'Measured once callbacks go to your server’s own URL',
  failed: 'Failed or expired',
  inReview: (n: number) => `In review, not counted: ${formatNumber('en', n)}`,
  reviewText: 'The operator’s check is not finished. Open a payment to see what to do.',
  noneFailed: 'No failures',
  charts: {
    volume: 'Volume',
    net: 'Remaining',
    takenBack: 'Refunded or disputed',
    netOf: (volume: string, takenBack: string, net: string) =>
      `${volume}, refunded or disputed ${takenBack}, remaining ${net}`,
    rate: 'Success rate',
    responseTime: 'Your server’s response time (median)',
    within: (duration: string) => `p95 ${duration}`,
    median: 'Median',
    succeeded: 'Successful',
    totals: {
      live: (value: string) => `Live total: ${value}`,
      test: (value: string) => `Test total: ${value}`,
    },
    empty: 'No data in this period',
    hint: 'Use the arrow keys to move between bars. Press Enter to see that day’s payments.',
    bar: (when: string, value: string) => `${when}: ${value}`,
    rateOf: (rate: number, failed: number) =>
      `${formatPercent('en', rate)}, ${formatNumber('en', failed)} failed`,
    nothing: 'none',
  },
  table: {
    show: 'View as table',
    amounts: 'Amounts',
    counts: 'Payments and callbacks',
    day: 'Day',
    hour: 'Hour',
    count: 'Started',
    succeeded: 'Successful',
  },
}

export const failures = {
  /** Shown while at least one of the callbacks is still retried. */
  open: {
    title: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'callback', other: 'callbacks' })} not delivered yet`,
    titleOver: (n: number) => `More than ${formatNumber('en', n)} callbacks not delivered yet`,
  },
  givenUp: {
    title: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'callback was', other: 'callbacks were' })} not delivered`,
    titleOver: (n: number) => `More than ${formatNumber('en', n)} callbacks were not delivered`,
  },
  since: (n: number) => `Last ${days(n)}`,
  older: 'Older callbacks in the list are not counted here.',
  showCauses: 'Show causes',
  show: 'View in log',
  showCause: (cause: string) => `View in log: ${cause}`,
}
