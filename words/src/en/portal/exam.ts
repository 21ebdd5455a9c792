import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'

export const exam = {
  intro:
    'We send your server valid callbacks, signed with the test secret, and forged ones, and check how it responds. No money is involved.',
  target: 'Target',
  liveTitle: 'This is your live callback URL',
  liveText:
    'The project has no separate test callback URL. One forged callback says mode live: a server that does not check the mode records this callback as a live payment.',
  liveShort: 'The exam’s requests go to the address that receives live callbacks.',
  noServerTitle: 'This project has no server yet',
  noServerText:
    'The exam needs a test callback URL in the settings. You can also run it from your own machine.',
  toSettings: 'Set a test callback URL',
  orders:
    'The exam’s orders have the amount 1500 (in the smallest unit of the currency) and an order ID (customId) that starts with exam-. In test mode your server must accept them. The result of an exam that you run on your machine is shown only there.',
  onOwnMachine: 'Is your server on your own machine? Run the exam from there',
  ownMachinePath: 'exam#run-it-on-your-machine',
  run: 'Run the exam',
  runAgain: 'Run again',
  running: 'The exam is running…',
  runningText: 'If your server is slow, this can take up to a minute.',
  what: 'What we check',
  ask: {
    title: 'Send to the live URL?',
    text: 'The test requests will go to the address that receives live callbacks:',
    submit: 'Send anyway',
  },
  passedAll: 'Your integration passed',
  passedAllText: 'It responds correctly in all cases.',
  failedSome: (n: number, total: number) =>
    `${formatNumber('en', total - n)} of ${formatNumber('en', total)} passed`,
  failedSomeText: 'Fix the first failure; it often causes the rest.',
  stoppedTitle: 'Stopped at the first check',
  stoppedText: (n: number) =>
    `Your server could not be reached, so ${formatNumber('en', n)} ${plural('en', n, { one: 'check was', other: 'checks were' })} not made.`,
  passed: 'Passed',
  failed: 'Failed',
  notSent: 'Not sent',
  expected: 'Expected',
  got: 'Got',
  fix: 'What to do',
  answer: 'Your server’s response',
  /** Only for cases whose name does not say what is checked. */
  notes: {
    late_fail: 'A late failure must not undo a paid order.',
    unknown_field: 'Your server should ignore fields it does not know.',
    live_label: 'Signed with the test secret: must be refused.',
  },
  scenarios: {
    good: 'Correct callback',
    repeated: 'The same callback again',
    late_fail: 'Failure after the success',
    failure: 'Failed payment',
    unknown_field: 'Unknown fields',
    large_data: 'Long description (data)',
    bad_signature: 'Wrong signature',
    missing_signature: 'No signature',
    live_label: 'Test labelled as live',
    changed_amount: 'Changed amount',
    stale_timestamp: 'Old callback',
    refund: 'Partial refund',
    refund_first: 'Refund before the payment’s result',
    forged_refund: 'Refund with a wrong signature',
    dispute_opened: 'Dispute opened',
    forged_dispute: 'Dispute with a wrong signature',
    dispute_closed: 'Dispute closed',
    in_time: 'Responds in time',
  },
}

export const debug = {
  intro: 'Paste a callback that your server refused, and see which part of it is wrong.',
  modeHint: { test: 'Checked with the test secret.', live: 'Checked with the live secret.' },
  secrets: 'Open the Secrets page',
  paste: 'Whole request',
  parts: 'Header fields and body, one by one',
  pasteHint:
    'Headers, an empty line, then the body, as in your server’s log. This fills in the fields below.',
  notRead: 'No callback headers were found in this text.',
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  body: 'Raw body',
  bodyHint: 'Every byte counts, including line breaks.',
  submit: 'Check the signature',
  clear: 'Clear',
  matches: 'The signature is valid',
  matchesText: 'A server with the right secret accepts this request.',
  onlyOld: 'The signature is valid, but the request is now too old',
  wrong: 'The signature is not valid',
  fromHash: 'This can be a result of the missing hash field. If you still see this with the complete body:',
  notStored: 'What you paste is not stored.',
  open: 'Check a signature',
}
