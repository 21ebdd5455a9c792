// A project's figures over time: the numbers at the top, the bars, the same as a table; and what fails, by cause.
import { formatNumber, formatPercent } from '../../format.ts'
import { plural } from '../../plural.ts'

const days = (n: number) => `${formatNumber('en', n)} ${plural('en', n, { one: 'day', other: 'days' })}`
const payments = (n: number) =>
  `${formatNumber('en', n)} ${plural('en', n, { one: 'payment', other: 'payments' })}`

export const figures = {
  title: 'Figures',
  range: {
    label: 'Time range',
    last: (n: number) => `Last ${days(n)}`,
    other: 'Other period',
    from: 'From',
    to: 'To',
    show: 'Show',
    wrong: (max: number) => `Choose a first and a last day, at most ${days(max)} in all.`,
  },
  volume: 'Volume',
  begun: (n: number) => `${payments(n)} begun`,
  rate: 'Success rate',
  ofEnded: (n: number, ended: number) => `${formatNumber('en', n)} of ${formatNumber('en', ended)} ended`,
  noneEnded: 'No payment has ended yet',
  answers: 'Median callback time',
  within: (duration: string) => `95 of 100 within ${duration}`,
  noAnswers: 'No callback accepted yet',
  failed: 'Failed payments',
  noneFailed: 'Nothing has failed',
  charts: {
    volume: 'Volume',
    rate: 'Success rate',
    answers: 'Median time of callbacks',
    succeeded: 'Successful',
    failedPart: 'Failed',
    most: (value: string) => `Highest: ${value}`,
    whole: 'Full height: 100%',
    empty: 'Nothing in this period',
    hint: 'Arrow keys go from bar to bar, Enter shows the transactions of that day.',
    bar: (when: string, value: string) => `${when}: ${value}`,
    rateOf: (rate: number, failed: number) =>
      `${formatPercent('en', rate)}, ${formatNumber('en', failed)} failed`,
    nothing: 'nothing',
  },
  table: {
    show: 'The same as a table',
    day: 'Day',
    hour: 'Hour',
    count: 'Payments',
    succeeded: 'Successful',
    failed: 'Failed',
  },
}

export const failures = {
  title: (n: number) =>
    `${formatNumber('en', n)} ${plural('en', n, { one: 'callback has', other: 'callbacks have' })} not arrived`,
  titleOver: (n: number) => `More than ${formatNumber('en', n)} callbacks have not arrived`,
  since: (n: number) => `In the last ${days(n)}, by cause`,
  show: 'Show in the log',
  showCause: (cause: string) => `Show in the log: ${cause}`,
  last: 'Last',
}
