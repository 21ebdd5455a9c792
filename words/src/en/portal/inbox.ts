import { INBOX_REQUESTS_MAX, INBOX_RETENTION_DAYS } from '@pazar/contract/limits'

export const inbox = {
  title: 'Inbox',
  intro:
    'Until your server is ready, test callbacks arrive here instead. Each one is exactly the request that your server will get.',
  notUsed: 'This project has a server',
  notUsedText: 'Its callbacks go to the URLs in the settings.',
  emptyTitle: 'Nothing has arrived yet',
  emptyText:
    'Send a test callback, or make a test payment. While the CLI listens, it gets the callbacks instead: they are in the callback log.',
  pay: 'Make a test payment',
  toSettings: 'Enter my server’s URL',
  verified: 'The signature is valid',
  notVerified: 'The signature is not valid',
  notVerifiedText:
    'The secret was rotated while this callback was on its way, so at least one of these checks failed:',
  unknownEvent: 'Callback',
  how: 'How it was checked when it arrived',
  checks: {
    mac: 'webhook-signature is the HMAC-SHA256 of “webhook-id.webhook-timestamp.body” with this project’s secret, in base64.',
    time: 'webhook-timestamp is not more than five minutes old.',
    hash: 'hash in the body is a JWT (HS256) with the same fields, signed with the same secret.',
    facts: 'projectId, mode and amount are the ones expected.',
  },
  headers: 'Headers',
  body: 'Body',
  bodyHint: 'The signature covers these exact bytes: verify them before you parse the JSON.',
  copy: 'Copy the request',
  code: 'The same check in your programming language',
  stored: `Up to ${INBOX_REQUESTS_MAX} requests are kept, for ${INBOX_RETENTION_DAYS} days.`,
}
