// The pages of the integration exam and of the signature debugger.
import { formatNumber } from '../../format.ts'

export const exam = {
  title: 'Integration exam',
  intro:
    'We send your shop right and forged callbacks, signed with the test secret, and look at what it answers. No money moves.',
  target: 'They go to',
  liveTitle: 'This is your live callback URL',
  liveText: 'The project has no callback URL for test mode. Everything sent is marked as a test.',
  toSettings: 'Set a test URL',
  orders:
    'The orders of the exam have a customId that begins with exam-, and the amount 1500. In test mode your shop must know them.',
  onOwnMachine: 'Is your shop on your own machine? Run the exam from there',
  run: 'Run the exam',
  runAgain: 'Run again',
  running: 'The exam is running…',
  runningText: 'Eleven requests, one after another. With a slow shop it takes up to a minute.',
  what: 'What is examined',
  ask: {
    title: 'Send to the live URL?',
    text: 'Eleven test requests will go to the address that receives real callbacks:',
    submit: 'Send them',
  },
  passedAll: 'Your shop has passed',
  passedAllText: 'It does the right thing in all scenarios.',
  failedSome: (n: number, total: number) =>
    `${formatNumber('en', n)} of ${formatNumber('en', total)} not passed`,
  failedSomeText: 'Mend the first one first; the others often follow from it.',
  passed: 'Passed',
  failed: 'Not passed',
  expected: 'Expected',
  got: 'Got',
  fix: 'What to do',
  answer: 'Answer',
  scenarios: {
    good: 'Right callback',
    repeated: 'The same callback again',
    late_fail: 'Failure after the success',
    failure: 'Failed payment',
    unknown_field: 'Unknown fields',
    large_data: 'Long data',
    bad_signature: 'Wrong signature',
    missing_signature: 'No signature',
    live_label: 'Test signed as live',
    changed_amount: 'Changed amount',
    stale_timestamp: 'Old callback',
    in_time: 'Answers in time',
  },
}

export const debug = {
  title: 'Signature debugger',
  intro: 'Paste a callback that your shop refused, and see which part of it is wrong.',
  modeHint: 'It is checked against the secret of the mode chosen above.',
  paste: 'Whole request',
  pasteHint:
    'Headers, an empty line, then the body, as your server’s log has it. It fills in the fields below.',
  notRead: 'No headers of a callback were found in this text.',
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  body: 'Raw body',
  bodyHint: 'Every byte counts, line breaks too.',
  submit: 'Check the signature',
  clear: 'Clear',
  matches: 'The signature is right',
  matchesText: 'A shop with the right secret accepts this request.',
  onlyOld: 'The signature is right, but the request is too old by now',
  wrong: 'The signature does not fit',
  kept: 'What you paste is not stored.',
  open: 'Debug a signature',
}
