// A project's settings, its archive and its history.
import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'

export const settings = {
  title: 'Settings',
  save: 'Save',
  changes: (n: number) =>
    `${formatNumber('en', n)} unsaved ${plural('en', n, { one: 'change', other: 'changes' })}`,
  was: (value: string) => `Currently saved: ${value}`,
  saved: 'The settings are saved.',
  undo: 'Undo changes',
  archive: {
    title: 'Archive',
    text: 'An archived project accepts no payments and frees a project slot. Records stay, queued callbacks are still sent, and you can restore it.',
    submit: 'Archive project',
    dialogTitle: 'Archive this project?',
    dialogText: 'Its pay links and printed QR codes stop accepting payments immediately.',
    restore: 'Restore project',
    restoreText: 'This project is archived. After you restore it, it accepts payments again.',
  },
  remove: {
    title: 'Delete project',
    text: 'A project that has never taken a live payment can be deleted, with its test payments, callbacks and secrets. This cannot be undone.',
    submit: 'Delete project',
    dialogTitle: 'Delete this project?',
    nameField: 'Project name',
    typeName: (name: string) => `To confirm, type the name: ${name}`,
    done: 'The project is deleted.',
  },
  history: {
    title: 'History',
    empty: 'No changes yet.',
    more: 'Show older',
    from: 'from',
    to: 'to',
  },
  actors: { owner: 'You', operator: 'Operator', token: (name: string) => `API token “${name}”` },
  fields: {
    name: 'Name',
    resultUrl: 'Return URL',
    apiUrl: 'Callback URL',
    testApiUrl: 'Test callback URL',
    requireSignedLinks: 'Signed links only',
  },
  on: 'on',
  off: 'off',
  empty: 'empty',
}

/** What the audit trail calls things that were done. */
export const actions = {
  signed_up: 'Account created',
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  step_up: 'Password confirmed',
  password_changed: 'Password changed',
  password_reset: 'Password reset by mail',
  email_change_asked: 'Change of email requested',
  email_confirmed: 'Email confirmed',
  email_changed: 'Email changed',
  sessions_revoked: 'Sessions ended',
  token_made: 'API token created',
  token_revoked: 'API token revoked',
  account_updated: 'Account settings changed',
  kyc_verified: 'Identity verified',
  account_closed: 'Account closed',
  project_added: 'Project created',
  project_updated: 'Settings changed',
  project_archived: 'Project archived',
  project_restored: 'Project restored',
  project_deleted: 'Project deleted',
  secret_revealed: 'Live secret revealed',
  secret_rotated: 'Live secret rotated',
  test_secret_rotated: 'Test secret rotated',
  payment_resolved: 'Payment decided after a review',
  other: 'Other change',
}
