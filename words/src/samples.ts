// Sample arguments for each text function, so that tests and reviewers see every text.
// Why this is long: one list for all texts.
import { catalogue } from './catalogue.ts'
import { apiTexts } from './cnr/api-texts.ts'
import { fieldTexts } from './en/field-texts.ts'
import { routeTitles } from './en/route-titles.ts'
import { cliSamples } from './cli-samples.ts'
import { examSamplesFor } from './exam-samples.ts'
import { formatMoney } from './format.ts'
import { portalSamplesFor } from './portal-samples.ts'
import type { Catalogue } from './catalogue-type.ts'
import { FACTOR_CHANGES, TRANSFER_STAGES } from './mail-facts.ts'
import type {
  DisputeFacts,
  FactorFacts,
  MailContact,
  ProjectActionFacts,
  TransferFacts,
  UrlChange,
} from './mail-facts.ts'
import type { Locale } from './locale.ts'

/** Every form of the Montenegrin plural, with numbers that people get wrong. */
const COUNTS: readonly number[] = [0, 1, 2, 5, 21, 22, 25, 111]

type KeysWithFunctions<T> = {
  [K in keyof T]: T[K] extends string
    ? never
    : T[K] extends (...args: never[]) => unknown
      ? K
      : [KeysWithFunctions<T[K]>] extends [never]
        ? never
        : K
}[keyof T]

type Samples<T> = {
  [K in KeysWithFunctions<T>]: T[K] extends (...args: infer A) => unknown ? A[] : Samples<T[K]>
}

const minimums = COUNTS.map((min): [{ min: number }] => [{ min }])
const maximums = COUNTS.map((max): [{ max: number }] => [{ max }])
const hours = COUNTS.map((hours): [{ hours: number }] => [{ hours }])

const SHOP = 'Knjižara Šćepan'

const DISPUTE: DisputeFacts = {
  reader: 'merchant',
  project: SHOP,
  transactionId: '0198f2c4-a6b1-7c3e-8d5f-0a1b2c3d4e5f',
  mode: 'live',
  state: 'open',
  amount: '40,07 €',
  reference: 'B78B7-2A455',
  order: 'order-1045',
  respondBy: '26.07.2026. 17:04 CEST',
  respondByDay: '26.07.',
  operatorContact: 'help@example.me',
  operatorUrl: 'mailto:help@example.me',
}
const NO_DEADLINE = { respondBy: null, respondByDay: null }

const RECEIPT = {
  merchant: SHOP,
  amount: '15,00 €',
  paidAt: '26.07.2026. 17:04 CEST',
  reference: 'B78B7-2A455',
  description: null,
  order: null,
  contacts: [],
  moneyBack: null,
}

const MONEY_BACK = {
  refunded: null,
  refundedAt: null,
  byBank: null,
  byBankAt: null,
  refunding: null,
  net: '15,00 €',
  isAll: false,
}

const DISPUTE_READERS = ['merchant', 'operator', 'operator_alone'] as const

const DISPUTE_MAILS: Pick<Samples<Catalogue>['mail'], 'dispute_opened' | 'dispute_closed'> = {
  dispute_opened: DISPUTE_READERS.flatMap((reader) => [
    [{ ...DISPUTE, reader }],
    [{ ...DISPUTE, reader, state: 'inquiry' }],
    [{ ...DISPUTE, reader, state: 'inquiry', mode: 'test', ...NO_DEADLINE }],
  ]),
  dispute_closed: DISPUTE_READERS.flatMap((reader) => [
    [{ ...DISPUTE, reader, state: 'won' }],
    [{ ...DISPUTE, reader, state: 'won', wasRefunded: true }],
    [
      {
        ...DISPUTE,
        reader,
        state: 'lost',
        ...NO_DEADLINE,
        reference: null,
        order: null,
        operatorContact: null,
        operatorUrl: null,
      },
    ],
  ]),
}

const ACTION: ProjectActionFacts = {
  project: SHOP,
  when: '26.07.2026. 17:04 CEST',
  ip: '203.0.113.7',
  browser: 'Firefox 141, Linux',
}

/** The facts in a mail to somebody other than the person who acted. `by` is the person who acted. */
const BY_ANOTHER: ProjectActionFacts = { ...ACTION, by: 'ana@example.me' }

const INVITATION = { project: SHOP, role: 'developer' } as const

const TRANSFER = {
  ...ACTION,
  from: 'ana@example.me',
  to: 'marko@example.me',
  takesEffect: '27.07.2026. 17:04 CEST',
}

const RESETS = hours.flatMap(([facts]): [typeof facts & { isInvitation: boolean }][] => [
  [{ ...facts, isInvitation: false }],
  [{ ...facts, isInvitation: true }],
])

const CONTACTS: readonly MailContact[] = [
  { href: 'mailto:info@example.me', label: 'info@example.me' },
  { href: 'https://shop.example.me/', label: 'shop.example.me' },
]

const URL_CHANGES: readonly UrlChange[] = [
  { field: 'resultUrl', from: 'shop.example.me/hvala', to: 'novi.example.me/hvala' },
  { field: 'apiUrl', from: 'shop.example.me/pazar', to: 'shop.example.me/pazar' },
  { field: 'testApiUrl', from: null, to: 'test.example.me/pazar' },
]

const PEOPLE_MAILS: Pick<Samples<Catalogue>['mail'], 'ownership_transfer' | 'receipt'> = {
  ownership_transfer: TRANSFER_STAGES.flatMap((stage) => [
    ...(['owner', 'receiver', 'member'] as const).map((reader): [TransferFacts] => [
      { ...TRANSFER, stage, reader },
    ]),
    [{ ...TRANSFER, stage, reader: 'member', ip: null, browser: null }],
  ]),
  receipt: [
    [RECEIPT],
    [{ ...RECEIPT, description: 'Kafa i kolač', order: '2026-0042', contacts: CONTACTS }],
    [
      {
        ...RECEIPT,
        moneyBack: {
          ...MONEY_BACK,
          refunded: '15,00 €',
          refundedAt: RECEIPT.paidAt,
          net: '0,00 €',
          isAll: true,
        },
      },
    ],
    [
      {
        ...RECEIPT,
        moneyBack: {
          ...MONEY_BACK,
          byBank: '5,00 €',
          byBankAt: RECEIPT.paidAt,
          refunding: '5,00 €',
          net: '10,00 €',
        },
      },
    ],
  ],
}

function mailSamplesFor(locale: Locale): Samples<Catalogue>['mail'] {
  const trouble = { project: SHOP, ...catalogue(locale).deliveries.causes.timeout }
  return {
    confirm_email: hours,
    reset_password: RESETS,
    confirm_new_email: hours,
    email_change_notice: [[ACTION]],
    password_changed: [[ACTION]],
    new_device: [[ACTION]],
    factor_reset: [
      [{ stage: 'requested', when: ACTION.when, forgotUrl: '/forgot' }],
      [{ stage: 'done', when: ACTION.when, forgotUrl: '/forgot' }],
    ],
    factor_changed: FACTOR_CHANGES.flatMap((change) =>
      [0, 1, 3, 9].map((left): [FactorFacts] => [
        { ...ACTION, change, left, name: 'MacBook', former: 'Firefox' },
      ]),
    ),
    secret_revealed: [[ACTION], [BY_ANOTHER]],
    refund_token_used: [undefined, 'live' as const, 'test' as const].map((mode) => [
      { ...ACTION, token: 'ERP', mode, amount: mode ? '15,00 €' : null },
    ]),
    ...DISPUTE_MAILS,
    project_invitation: [[{ ...INVITATION, by: 'ana@example.me' }], [{ ...INVITATION, by: null }]],
    member_changed: (['joined', 'left', 'removed', 'role'] as const).flatMap((change) => {
      const facts = { ...ACTION, member: 'marko@example.me', change, role: 'finance' as const }
      return [[{ ...facts, by: 'ana@example.me' }], [facts]]
    }),
    member_email_changed: [{ by: 'nova@example.me' }, {}].map((by) => [
      { ...ACTION, ...by, member: 'nova@example.me', formerEmail: 'marko@example.me' },
    ]),
    membership_changed: [
      [{ ...ACTION, by: 'ana@example.me', change: 'removed', role: 'support' }],
      [{ ...ACTION, by: 'ana@example.me', change: 'role', role: 'admin' }],
    ],
    ...PEOPLE_MAILS,
    secret_prepared: [[ACTION], [BY_ANOTHER]],
    project_deleted: [[ACTION], [BY_ANOTHER]],
    account_closed: [[{ when: ACTION.when }]],
    restored: [[{ when: ACTION.when }]],
    secret_rotated: [
      [{ ...ACTION, mode: 'live' }],
      [{ ...ACTION, mode: 'test' }],
      [{ ...BY_ANOTHER, mode: 'live' }],
    ],
    url_changed: [
      [ACTION],
      [{ ...BY_ANOTHER, fields: ['apiUrl'] }],
      [{ ...ACTION, fields: ['resultUrl', 'apiUrl', 'testApiUrl'], urls: URL_CHANGES }],
    ],
    live_settings_changed: [
      [{ ...ACTION, requireSignedLinks: true }],
      [{ ...BY_ANOTHER, requireSignedLinks: true }],
      [{ ...ACTION, requireSignedLinks: false, events: ['payment.result', 'refund.result'] }],
    ],
    deliveries_failing: [false, true].flatMap((isOperator) =>
      COUNTS.map((count) => [{ ...trouble, isOperator, count, since: ACTION.when }]),
    ),
    deliveries_exhausted: [false, true].flatMap((isOperator) =>
      COUNTS.map((count) => [{ ...trouble, isOperator, count }]),
    ),
    deliveries_healed: COUNTS.flatMap((count) => [
      [{ project: SHOP, count, givenUp: 0 }],
      [{ project: SHOP, count: 0, givenUp: count }],
      [{ isOperator: true, project: SHOP, count, givenUp: count }],
    ]),
    incident: COUNTS.filter((count) => count > 0).map((count) => [
      {
        what: catalogue(locale).incidents.mismatch,
        count,
        incidents: [
          { number: 12, transactionId: '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913' },
          { number: 13, transactionId: null },
        ].slice(0, count),
        when: ACTION.when,
      },
    ]),
  }
}

export function samplesFor(locale: Locale): Samples<Catalogue> {
  const amount = formatMoney(locale, 1500n, 'EUR', 2)
  return {
    fields: {
      not_one_of: [[{ values: 'live, test' }]],
      too_short: minimums,
      too_long: maximums,
      too_many_bytes: maximums,
      out_of_range: [[{ min: 1, max: 10_000 }]],
      too_small: minimums,
      too_large: maximums,
      range_too_long: maximums,
      refund_left: [[{ left: amount }]],
      refund_daily_cap: [[{ left: amount }]],
    },
    waits: { retryIn: [['14 min'], ['45 s']] },
    checkout: {
      title: [[amount, SHOP]],
      actions: {
        pay: [[amount]],
        retry: [[amount]],
        startOver: [[amount]],
        backToPayment: [[amount]],
        about: [[SHOP]],
      },
      steps: { afterPage: [['Stripe']] },
      ready: { heading: [[SHOP]] },
      preview: { title: [[amount]] },
      redirect: { host: [['banka.example.me']] },
      receiptMail: { sent: { text: [['ana@example.me']] } },
      refunded: { refunding: [[amount]] },
      footer: { host: [['pay.example.me']], operator: [[SHOP]] },
    },
    deliveries: {
      causes: {
        stated: [[{ status: 500, reason: 'Database is locked.' }], [{ status: 500, reason: null }]],
        stated_404: [[{ status: 404, reason: 'No such order.' }], [{ status: 404, reason: null }]],
        reported: [[{ status: null }], [{ status: 200 }]],
        redirect: [[{ target: null }], [{ target: 'https://www.shop.example.me/' }]],
        unauthorized: [[{ status: 403 }]],
        bot_wall: [[{ status: 503 }]],
        bad_request: [[{ status: 400 }]],
        not_ready: [[{ status: 409 }]],
        server_error: [[{ status: 500 }]],
        other_status: [[{ status: 418 }]],
        url_refused: [[{ rule: catalogue(locale).fields.url_port }]],
      },
      columns: { localTime: [['Europe/Podgorica']] },
    },
    exam: examSamplesFor(locale),
    home: { title: [[SHOP]], lead: [[SHOP]], picture: { minutes: [[2], [9]], attempt: [[1], [2]] } },
    mail: mailSamplesFor(locale),
    mailFrame: { onBehalf: [['Pazar', SHOP]] },
    transactions: { columns: { localTime: [['Europe/Podgorica']] } },
    docs: {
      results: COUNTS.map((count) => [count, 'webhook-id']),
      firstResults: [[20, 'webhook-id']],
      noResults: [['webhook-id']],
      reference: {
        token: [['`read`'], ['`write`']],
        sameFields: [[locale === 'cnr' ? '[Kreirajte projekat](#…)' : '[Create a project](#…)']],
        fallback: [['png']],
        range: [['128', '2048']],
        lengths: [[1, 80]],
        upTo: [[2048]],
        routeTitle: Object.keys(routeTitles).map((route) => [route]),
        fieldText: Object.keys(fieldTexts).map((path) => [path]),
        about: Object.keys(apiTexts).map((text) => [text]),
      },
    },
    assistant: { from: [[SHOP]], closest: [[SHOP]] },
    cli: cliSamples(COUNTS),
    portal: portalSamplesFor(locale, COUNTS),
  }
}
