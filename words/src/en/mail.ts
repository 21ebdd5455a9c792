// The mails. The renderer escapes the texts and adds greeting, button and closing.
// Why this is long: one list of mails.
import type { Mode } from '@pazar/contract'
import { formatNumber } from '../format.ts'
import type {
  ActionFacts,
  IncidentFacts,
  LiveSettingsFacts,
  MailText,
  ProjectActionFacts,
  TokenRefundFacts,
  UrlChange,
  UrlChangeFacts,
  UrlField,
} from '../mail-facts.ts'
import { isOneUrlChanged } from '../mail-facts.ts'
import { plural } from '../plural.ts'
import { CHANGE_PASSWORD, factorMails, NOT_YOU, SECURE_ACCOUNT, toSecureSteps } from './factor-mails.ts'
import { deliveryMails } from './delivery-mails.ts'
import { disputeMails, WHY_OPERATOR } from './dispute-mails.ts'
import { memberMails } from './member-mails.ts'
import { receiptMail } from './receipt-mail.ts'

const validFor = (hours: number) =>
  `The link is valid for ${hours} ${plural('en', hours, { one: 'hour', other: 'hours' })} and works once.`

const whereAndWhen = ({ when, ip, browser }: ActionFacts) => [
  `Time: ${when}`,
  `IP address: ${ip}`,
  `Browser: ${browser}`,
]

const projectDetails = (facts: ProjectActionFacts) => [
  `Project: ${facts.project}`,
  ...(facts.by === undefined ? [] : [`By: ${facts.by}`]),
  ...whereAndWhen(facts),
]

const ASK_PERSON = 'If you did not expect this, ask the person named above.'

/** `own`: the advice if the action may come from the reader's account. `others`: the advice if another person acted. */
const toAdvice = ({ by }: ProjectActionFacts, { own, others }: { own: string; others: string }) =>
  by === undefined ? `${SECURE_ACCOUNT}${own}` : `${ASK_PERSON} ${others}`

const URL_NAMES: Record<UrlField, string> = {
  resultUrl: 'return URL',
  apiUrl: 'callback URL',
  testApiUrl: 'test callback URL',
}

const changedUrls = (fields: readonly UrlField[]) =>
  fields.length === 0
    ? 'The return URL or a callback URL was changed.'
    : `Changed: ${fields.map((field) => URL_NAMES[field]).join(', ')}.`

/** Each changed URL is a paragraph. On a phone, the table of details has narrow columns, which would break the URL. */
const toChangedUrl = ({ field, from, to }: UrlChange) => {
  const name = `${URL_NAMES[field][0]?.toUpperCase()}${URL_NAMES[field].slice(1)}`
  if (from === to) return `${name}\n${to} (only a part that we do not show here was changed)`
  return `${name}\nOld: ${from ?? 'not set'}\nNew: ${to ?? 'not set'}`
}

const toUrlTitle = (facts: UrlChangeFacts) =>
  isOneUrlChanged(facts)
    ? `A URL of ${facts.project} was changed`
    : `The URLs of ${facts.project} were changed`

const oldUrls = (facts: UrlChangeFacts) => (isOneUrlChanged(facts) ? 'the old URL' : 'the old URLs')

const EVENT_NAMES: Record<string, string> = { payment: 'payments', refund: 'refunds', dispute: 'disputes' }

/** For example `payments and refunds (payment.result, refund.result)`. */
const toEvents = (events: readonly string[]) => {
  const names = [...new Set(events.map((event) => EVENT_NAMES[event.split('.')[0] ?? ''] ?? event))]
  return `${new Intl.ListFormat('en-GB').format(names)} (${events.join(', ')})`
}

const SIGNED_LINKS = {
  on: 'Unsigned pay links no longer work.',
  off: 'Unsigned pay links now work. Anyone can change the amount of such a link.',
}

const liveSecretRotated = (facts: ProjectActionFacts): MailText => ({
  subject: `The live secret of ${facts.project} was rotated`,
  heading: `The live secret of ${facts.project} was rotated`,
  paragraphs: [
    'The old secret stopped working at once. If the new one is not on your server yet, put it there now.',
    'Links and QR codes signed with the old secret are no longer valid.',
  ],
  details: projectDetails(facts),
  action: 'Open the Secrets page',
  advice: toAdvice(facts, {
    own: ' Then rotate the secret again.',
    others: 'If needed, remove them from the project (unless they own it), then rotate the secret again.',
  }),
})

const testSecretRotated = (facts: ProjectActionFacts): MailText => ({
  subject: `The test secret of ${facts.project} was rotated`,
  heading: `The test secret of ${facts.project} was rotated`,
  paragraphs: ['The old test secret stopped working at once. Live mode is not affected.'],
  details: projectDetails(facts),
  action: 'Open the Secrets page',
  advice: toAdvice(facts, {
    own: ' Then rotate the test secret again.',
    others:
      'If needed, remove them from the project (unless they own it), then rotate the test secret again.',
  }),
})

const toTestMark = ({ mode }: TokenRefundFacts) => (mode === 'test' ? 'Test: ' : '')

export const mailFrame = {
  greeting: 'Hello,',
  closing: 'Kind regards,',
  /** Below the closing of a receipt. */
  onBehalf: (operator: string, merchant: string) => `${operator}, on behalf of ${merchant}`,
  linkInstead: 'If the button does not work, open this address in your browser:',
  why: 'We sent this message automatically, for the security of your account.',
  /** The parts of the texts that become links. */
  links: { securityPage: 'Security page', changePassword: 'Change your password' },
}

export const mail = {
  confirm_email: ({ hours }: { hours: number }): MailText => ({
    subject: 'Confirm your email address',
    heading: 'Confirm your email address',
    paragraphs: [
      'Confirm that this address is yours. We use it for messages about your payments and the security of your account.',
      validFor(hours),
    ],
    action: 'Confirm address',
    advice: 'If you did not create an account, you can ignore this message.',
  }),

  /** `isInvitation`: the operator has opened the account, or repeats the invitation. */
  reset_password: ({ hours, isInvitation }: { hours: number; isInvitation: boolean }): MailText =>
    isInvitation
      ? {
          subject: 'Your account is ready',
          heading: 'Welcome: set your password',
          paragraphs: [
            'We have opened an account for this email address. To sign in for the first time, set a password.',
            `${validFor(hours)} If it has expired, choose “Forgot password?” where you sign in.`,
          ],
          action: 'Set password',
          advice: 'If you did not expect an account, you can ignore this message.',
        }
      : {
          subject: 'Set a new password',
          heading: 'Set a new password',
          paragraphs: ['We received a request for a new password for your account.', validFor(hours)],
          action: 'Set password',
          advice: 'If this was not you, ignore this message. Your password stays the same.',
        },

  ...receiptMail,

  confirm_new_email: ({ hours }: { hours: number }): MailText => ({
    subject: 'Confirm your new email address',
    heading: 'Confirm your new email address',
    paragraphs: ['Someone entered this address as the new email address of their account.', validFor(hours)],
    action: 'Confirm address',
    advice: 'If this was not you, ignore this message. Nothing will change.',
  }),

  email_change_notice: (facts: ActionFacts & { newEmail?: string | null }): MailText => ({
    subject: 'A change of your email address was requested',
    heading: 'A change of your email address was requested',
    paragraphs: [
      'A new email address was entered for your account. The change takes effect once the new address is confirmed.',
    ],
    details: [...(facts.newEmail ? [`New address: ${facts.newEmail}`] : []), ...whereAndWhen(facts)],
    action: CHANGE_PASSWORD,
    advice: NOT_YOU,
    steps: toSecureSteps(', and the requested change is cancelled'),
  }),

  password_changed: (facts: ActionFacts): MailText => ({
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: ['The password of your account was changed.'],
    details: whereAndWhen(facts),
    action: 'Request a new password',
    advice: 'If this was not you, request a new password at once and contact the operator of this service:',
  }),

  new_device: (facts: ActionFacts): MailText => ({
    subject: 'Sign-in from a new device',
    heading: 'Sign-in from a new device',
    paragraphs: ['Someone signed in to your account from a device we have not seen before.'],
    details: whereAndWhen(facts),
    action: CHANGE_PASSWORD,
    advice: NOT_YOU,
    steps: toSecureSteps(),
  }),

  secret_revealed: (facts: ProjectActionFacts): MailText => ({
    subject: `The live secret of ${facts.project} was revealed`,
    heading: `The live secret of ${facts.project} was revealed`,
    paragraphs: ['The live secret was revealed.'],
    details: projectDetails(facts),
    action: 'Open the Secrets page',
    advice: toAdvice(facts, {
      own: ' Then rotate the secret.',
      others: 'If needed, remove them from the project (unless they own it), then rotate the secret.',
    }),
  }),

  secret_prepared: (facts: ProjectActionFacts): MailText => ({
    subject: `The next live secret of ${facts.project} was prepared`,
    heading: `The next live secret of ${facts.project} was prepared`,
    paragraphs: [
      'A live secret was prepared for the next secret rotation of your project and shown in the portal. It is not valid until the rotation takes place.',
    ],
    details: projectDetails(facts),
    action: 'Open the Secrets page',
    advice: toAdvice(facts, {
      own: ' Then discard the prepared secret on the Secrets page.',
      others:
        'If needed, remove them from the project (unless they own it), then discard the prepared secret on the Secrets page.',
    }),
  }),

  refund_token_used: (facts: TokenRefundFacts): MailText => ({
    subject: `${toTestMark(facts)}An API token requested a refund${facts.amount ? ` of ${facts.amount}` : ''}: ${facts.project}`,
    heading: `${toTestMark(facts)}An API token requested a refund`,
    ...(facts.amount ? { hero: facts.amount } : {}),
    paragraphs: [
      `The API token “${facts.token}” requested a refund${facts.amount ? ` of ${facts.amount}` : ''}, its first one${facts.mode ? ` for a ${facts.mode} payment` : ''} today (UTC).`,
      ...(facts.mode === 'test' ? ['This is a test payment: no money moved.'] : []),
    ],
    details: [
      ...(facts.amount ? [`Amount: ${facts.amount}`] : []),
      ...(facts.order ? [`Order ID: ${facts.order}`] : []),
      ...(facts.reference ? [`Payment reference: ${facts.reference}`] : []),
      ...(facts.dailyCap ? [`Limit per day: ${facts.dailyCap}`] : []),
      ...(facts.mode === 'test' ? ['Test payment: no money moved'] : []),
      ...projectDetails(facts),
    ],
    action: 'Open the payment',
    advice: 'If you did not expect this, revoke the token under Account, API tokens at once.',
    why: `We write at most once a day about each API token that refunds${facts.mode ? ` ${facts.mode}` : ''} payments.`,
  }),

  ...disputeMails,
  ...memberMails,

  ...factorMails,

  project_deleted: (facts: ProjectActionFacts): MailText => ({
    subject: `${facts.project} was deleted`,
    heading: `${facts.project} was deleted`,
    paragraphs: [
      'The project and everything done in it in test mode were deleted. It never had a live payment.',
    ],
    details: projectDetails(facts),
    advice: toAdvice(facts, {
      own: '',
      others: 'The deletion cannot be undone.',
    }),
  }),

  restored: ({ when }: { when: string }): MailText => ({
    subject: 'Please check your account after a fault',
    heading: 'Please check your account',
    paragraphs: [
      'After a fault, our database may have lost its latest changes. What you changed shortly before may be missing, and what you revoked or replaced may be valid again.',
      'For your safety, everyone was signed out, and all API tokens have stopped working: create new ones. Links that we have emailed for a new password or a new address no longer work either. Payments that are missing will be added from the bank’s records. Until that is done, new payments, refunds and callbacks are stopped.',
      'Sign in, and for each project of which you are the owner or an admin, do the following:',
    ],
    points: [
      'Check its return URL and its callback URLs.',
      'Confirm on its Members page that only the right people have access. Someone you removed recently may be back.',
      'If you rotated its live secret recently, rotate it again.',
      'If you have prepared its next live secret, prepare it again: all prepared secrets were discarded.',
      'Send a new invitation to everyone who has not joined yet: all open invitations were withdrawn.',
      'If you offered it to a new owner, offer it again: all transfers were cancelled.',
    ],
    details: [`Time: ${when}`],
    action: 'Open your projects',
    advice: 'If something is wrong and you cannot correct it yourself, contact the operator of this service:',
  }),

  account_closed: ({ when }: { when: string }): MailText => ({
    subject: 'Your account is closed',
    heading: 'Your account is closed',
    paragraphs: [
      'Your account is closed, and the data of your account has been erased. Projects with live payments are archived and kept, with the records of these payments: amounts, states, references, order IDs, descriptions, refunds and disputes.',
      'This address no longer belongs to an account.',
    ],
    details: [`Time: ${when}`],
    advice: 'If this was not you, contact the operator of this service:',
    why: 'You receive this last message because the account with this address was closed.',
  }),

  secret_rotated: (facts: ProjectActionFacts & { mode: Mode }): MailText =>
    facts.mode === 'live' ? liveSecretRotated(facts) : testSecretRotated(facts),

  url_changed: (facts: UrlChangeFacts): MailText => ({
    subject: toUrlTitle(facts),
    heading: toUrlTitle(facts),
    paragraphs: facts.urls?.length ? facts.urls.map(toChangedUrl) : [changedUrls(facts.fields ?? [])],
    details: projectDetails(facts),
    action: 'Open the history',
    advice: toAdvice(facts, {
      own: ` Then put ${oldUrls(facts)} back.`,
      others: `If needed, remove them from the project (unless they own it), then put ${oldUrls(facts)} back and rotate the secret.`,
    }),
  }),

  live_settings_changed: (facts: LiveSettingsFacts): MailText => ({
    subject: `The live settings of ${facts.project} were changed`,
    heading: `The live settings of ${facts.project} were changed`,
    paragraphs: [
      ...(facts.requireSignedLinks === undefined
        ? []
        : [SIGNED_LINKS[facts.requireSignedLinks ? 'on' : 'off']]),
      ...(facts.events === undefined ? [] : [`Callbacks are now sent about ${toEvents(facts.events)}.`]),
    ],
    details: projectDetails(facts),
    action: 'Open the settings',
    advice: toAdvice(facts, {
      own: ' Then put the old settings back.',
      others:
        'If needed, remove them from the project (unless they own it), then put the old settings back and rotate the secret.',
    }),
  }),

  ...deliveryMails,
  incident: ({ what, count, incidents, when }: IncidentFacts): MailText => ({
    subject:
      count === 1
        ? `Incident ${incidents[0]!.number}: ${what}`
        : `${formatNumber('en', count)} incidents: ${what}`,
    heading:
      count === 1
        ? 'An incident needs your attention'
        : `${formatNumber('en', count)} incidents need your attention`,
    paragraphs: [
      what,
      ...(incidents.some(({ transactionId }) => transactionId !== null)
        ? [
            count === 1
              ? 'This did not change the state of the payment. The command below shows whether the payment is waiting for your decision.'
              : 'This did not change the states of the payments. The command below shows whether a payment is waiting for your decision.',
          ]
        : []),
    ],
    details: [
      ...incidents.map(({ number, transactionId }) =>
        transactionId === null
          ? `Incident ${number}: not about a payment`
          : `Incident ${number}, transaction ID: ${transactionId}`,
      ),
      ...(count > incidents.length
        ? [`More incidents: ${formatNumber('en', count - incidents.length)}`]
        : []),
      `Time: ${when}`,
    ],
    advice: `More of this kind may follow; we write at most once an hour. This command ${count === 1 ? 'shows the incident and how to close it' : 'lists the incidents and shows how to close each of them'}:`,
    command: `npm run pazar -- incidents ${count === 1 ? `show ${incidents[0]!.number}` : 'list'}`,
    why: WHY_OPERATOR,
  }),
}

export type MailKind = keyof typeof mail
export type MailFacts<K extends MailKind> = Parameters<(typeof mail)[K]>[0]
