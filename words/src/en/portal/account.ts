import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'

export const account = {
  title: 'Account',
  purpose: 'Your language, time zone, email address and password.',
  tabs: {
    general: 'General',
    security: 'Security',
    sessions: 'Sessions',
    tokens: 'API tokens',
    audit: 'Activity',
  },
  appearance: 'Language and appearance',
  timeZone: 'Time zone',
  timeZoneHint:
    'Lists, metrics and their exports show times and days in this zone. Statements use the project’s zone.',
  email: {
    title: 'Email',
    current: (email: string) => `Current: ${email}`,
    confirmed: 'Confirmed',
    unconfirmed: 'Not confirmed yet',
    sendAgain: 'Send the confirmation link again',
    sentAgain: (email: string) => `We sent a new link to ${email}. Open it to confirm the address.`,
    field: 'New email address',
    submit: 'Change address',
    sent: 'We sent a link to the new address. Your email address changes when you open the link.',
  },
  password: {
    title: 'Password',
    submit: 'Change password',
    done: 'Your password was changed. Other devices were signed out.',
    doneWithTokens:
      'Your password was changed. Other devices were signed out, and all API tokens were revoked.',
    unknownOutcome:
      'No response came, so your password may already have changed. If you are asked for your password now, try the new one first, then the old one.',
    revokeTokens: (n: number) => `Also revoke API tokens (${formatNumber('en', n)})`,
    revokeTokensHint:
      'Choose this if someone else may know the old password. Programs that use a token lose access immediately.',
  },
  close: {
    title: 'Close account',
    text: 'Your email address, password, sessions, tokens and personal activity data are erased, and projects without live payments are deleted. Projects with live payments are archived, and the records of these payments are kept: amounts, states, references, order IDs, descriptions, refunds and disputes. You also leave the projects of others. This cannot be undone.',
    submit: 'Close account',
    dialogTitle: 'Close your account?',
    dialogText:
      'Pay links and printed QR codes of all your projects stop accepting payments immediately. Neither you nor the members can open these projects any more: refunds, statements and exports in the portal are no longer possible. If someone is to continue, transfer the project to them first, and wait until they own it: 24 hours after they accept.',
    emailField: 'Email address of the account',
    typeEmail: (email: string) => `To confirm, type: ${email}`,
  },
  sessions: {
    title: 'Where you are signed in',
    purpose: 'Check every device that is signed in to your account, and sign out those you do not know.',
    this: 'This device',
    lastSeen: 'Last seen',
    since: 'Signed in',
    end: 'Sign out',
    endAll: 'Sign out all others',
    ended: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'session', other: 'sessions' })} ended.`,
    only: 'You are signed in on this device only.',
  },
  tokens: {
    text: 'For the CLI and your scripts. A token can never reveal a live secret or change your account.',
    add: 'New token',
    emptyTitle: 'No tokens yet',
    emptyText: 'You need one for the command line, or for a script that reads payments.',
    columns: {
      name: 'Name',
      scope: 'Permissions',
      lastUsed: 'Last used',
      expires: 'Expires',
      action: 'Action',
    },
    scopes: {
      read: 'Read only (read)',
      write: 'Read and change (write)',
      refund: 'Read and refund (refund)',
    },
    neverUsed: 'Never used',
    expired: 'Expired',
    form: {
      title: 'New API token',
      name: 'Name',
      nameHint: 'Where you will use it, for example “Till 1” or “nightly report”.',
      scope: 'Permissions',
      scopeHints: {
        read: 'Read projects, payments and callbacks, create test pay links and follow new callbacks.',
        write:
          'Read projects, payments and callbacks, follow new callbacks, create test and live pay links, create and change projects, send callbacks again, send test callbacks and run the exam.',
        refund:
          'Read, and refund payments of one project, up to a daily limit. We email you on the first refund of each day.',
      },
      project: 'Project',
      dailyCap: (currency: string) => `Daily refund limit (${currency})`,
      dailyCapHint: 'The most that this token can refund in a day (UTC), test refunds included',
      dailyCapWrong: (max: string) => `Enter an amount above zero, at most ${max}.`,
      allProjects: 'All projects',
      chooseProject: 'Choose a project',
      dailyCapIs: (amount: string) => `at most ${amount} a day (UTC)`,
      days: 'Expires after',
      daysCount: (n: number) => `${formatNumber('en', n)} ${plural('en', n, { one: 'day', other: 'days' })}`,
      submit: 'Create token',
    },
    fresh: {
      title: 'This is your token',
      text: 'Copy it now. It cannot be shown again. If you lose it, revoke it and create another.',
      value: 'Your token',
      close: 'I have saved it',
    },
    revoke: 'Revoke',
    revokeDialog: {
      title: 'Revoke this token?',
      text: (name: string) => `Programs that use “${name}” lose access immediately. This cannot be undone.`,
      submit: 'Revoke token',
    },
    revoked: 'The token was revoked.',
  },
  audit: {
    title: 'Activity',
    text: 'What happened in your account, and from where.',
    empty: 'No activity yet.',
    emptyText: 'Sign-ins, changes to settings and uses of secrets appear here.',
    topic: 'Show',
    topics: {
      all: 'All activity',
      payments: 'Payments and refunds',
      projects: 'Everything in projects',
      account: 'Account and sign-in',
    },
    emptyTopic: 'Nothing of this kind has happened in your account.',
    more: 'Show older',
    columns: { time: 'Time', action: 'Action', project: 'Project', ip: 'IP address', browser: 'Browser' },
  },
}
