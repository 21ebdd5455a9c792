// Values for tests of the checkout's rules and responses. These tests need no database and no HTTP server.
import { catalogue } from '@pazar/words'
import type { RememberedAttempt } from '../src/checkout/attempt-memory.ts'
import type { CheckedLink } from '../src/checkout/check-link.ts'
import type { PageContext } from '../src/checkout/page-parts.ts'
import type { Payer } from '../src/checkout/payer.ts'
import type { ShownPayment } from '../src/checkout/shown-payment.ts'
import type { PayLink } from '../src/paylinks/pay-link.ts'
import { toLinkKey } from '../src/paylinks/pay-link.ts'
import { PAYMENT } from './payment-values.ts'

const LINK: PayLink = {
  projectId: 'prj_1',
  amount: '1500',
  data: '',
  customId: null,
  mode: 'live',
  exp: null,
  sig: null,
}

export const FIRST_ATTEMPT = '00000000-0000-4000-8000-000000000001'

export function toShownPayment(fields: Partial<ShownPayment> = {}): ShownPayment {
  return {
    ...PAYMENT,
    id: '01890000-0000-7000-8000-000000000001',
    attemptId: FIRST_ATTEMPT,
    checkoutId: FIRST_ATTEMPT,
    projectId: LINK.projectId,
    completedAt: null,
    sums: { refunded: 0n, processing: 0n, disputed: 0n },
    ...fields,
  }
}

export function toCheckedLink(
  fields: Partial<CheckedLink> = {},
  target: Partial<CheckedLink['target']> = {},
): CheckedLink {
  return {
    link: LINK,
    isSigned: false,
    isShownAsPaid: false,
    ...fields,
    target: {
      projectId: LINK.projectId,
      name: 'Knjižara',
      resultUrl: 'https://shop.example.com/thanks',
      apiUrl: 'https://shop.example.com/callback',
      requireSignedLinks: false,
      isArchived: false,
      isOwnerVerified: true,
      brand: null,
      secret: { sealed: Buffer.alloc(0), version: 1 },
      holder: null,
      inReviewElsewhere: null,
      attempts: [],
      ...target,
    },
  }
}

export const PAGE_CONTEXT: PageContext = {
  locale: 'en',
  words: catalogue('en').checkout,
  chosenLocale: null,
  currency: 'EUR',
  scale: 2,
  scaleOfOldPayments: 2,
  baseUrl: 'https://pay.example.com',
  help: { href: 'https://help.example.com/', label: 'Get help' },
  nowMs: 1_000,
  stepsOf: () => ({ method: 'Card', after: 'Then you return.', note: null, isSimulated: false }),
  sealAttempt: ({ id, replaces }) => `${id}/${replaces}`,
}

/** A payer whose checkout attempts are stored in a map instead of cookies. */
export function createTestPayer(isProgram = false): Payer {
  const attempts = new Map<string, RememberedAttempt>()
  return {
    isProgram,
    attempts: {
      find: (link) => attempts.get(toLinkKey(link)) ?? null,
      remember: (link, { id, checkoutId, isPressed }) =>
        void attempts.set(toLinkKey(link), { attemptId: id, checkoutId, isPressed, link }),
    },
  }
}
