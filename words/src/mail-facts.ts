// The parts of a mail's text, and the facts that the texts need, in every language.
// Long: one list of facts.
import type { MemberRole } from '@pazar/contract'

export interface MailText {
  subject: string
  heading: string
  /**
   * The amount that the mail is about. In HTML it is written large, and replaces the greeting and the detail with the same
   * amount.
   */
  hero?: string
  /** A paragraph of more than one line has a title as its first line. */
  paragraphs: string[]
  /** Points below the paragraphs. */
  points?: readonly string[]
  /** Facts of the event, one per line. */
  details?: string[]
  /** The button's label, if the mail has a button. */
  action?: string
  /** What to do if the reader did not request this. */
  advice: string
  /** The advice is then the title of this list of steps. */
  steps?: readonly string[]
  /** A command for the operator's shell, on a line of its own below the advice. */
  command?: string
  /** A link whose label occurs in one of the texts is placed there. The other links are below the advice. */
  contacts?: readonly MailContact[]
  /** Why this reader gets the mail, if it is not about their account. */
  why?: string
}

export interface MailContact {
  /** A `mailto:` or `https:` URL. */
  href: string
  label: string
}

/** When and from where somebody acted, already formatted for the reader. */
export interface ActionFacts {
  when: string
  ip: string
  browser: string
}

export const FACTOR_CHANGES = [
  'totp_added',
  'totp_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'passkey_renamed',
  'passkey_refused',
] as const
export type FactorChange = (typeof FACTOR_CHANGES)[number]

export interface FactorFacts extends ActionFacts {
  change: FactorChange
  /** The passkey's name. */
  name?: string | null
  /** The passkey's name before it was renamed. */
  former?: string | null
  /** Recovery codes that are left after one was used. */
  left?: number | null
  /** After a second factor was removed: whether none is left. Absent in mails that an earlier release queued. */
  isLast?: boolean | null
}

/** `when`: the time at which the second factors are, or were, removed. `forgotUrl`: the page that sends a link for a new password. */
export interface FactorResetFacts {
  stage: 'requested' | 'done'
  when: string
  forgotUrl: string
}

export interface IncidentReference {
  number: number
  transactionId: string | null
}

/** Incidents of one kind. `what` is a sentence of the catalogue's `incidents`. */
export interface IncidentFacts {
  what: string
  count: number
  /** The first incidents, at least one. The mail says how many more there are. */
  incidents: readonly IncidentReference[]
  when: string
}

export interface ProjectActionFacts extends ActionFacts {
  project: string
  /** The email address of the person who acted, if it was not the reader. */
  by?: string | undefined
}

/** The settings that were changed, with their new values. */
export interface LiveSettingsFacts extends ProjectActionFacts {
  requireSignedLinks?: boolean | undefined
  events?: readonly string[] | undefined
}

/** The first refund of a token on a day in this mode. Amounts are already formatted. All but the token's name are absent in mails of an earlier release. */
export interface TokenRefundFacts extends ProjectActionFacts {
  token: string
  mode?: 'live' | 'test' | undefined
  amount?: string | null
  order?: string | null
  reference?: string | null
  dailyCap?: string | null
}

/** To the person whose access has changed. */
export interface MembershipFacts extends ProjectActionFacts {
  change: 'removed' | 'role'
  role: MemberRole
}

export type MemberChange = 'joined' | 'left' | 'removed' | 'role'

/** `expired`: nobody accepted it in time. `impossible`: the recipient could no longer own the project. */
export const TRANSFER_STAGES = ['offered', 'accepted', 'cancelled', 'expired', 'impossible', 'done'] as const
export type TransferStage = (typeof TRANSFER_STAGES)[number]

export interface TransferFacts {
  /** Only the mail about an offer has a text for each side. The other mails are the same for all and name both sides. */
  reader: 'owner' | 'receiver' | 'member'
  stage: TransferStage
  project: string
  from: string
  to: string
  when: string
  /** Null until the transfer is accepted. */
  takesEffect: string | null
  /** Null if nobody acted: the transfer expired or took effect at its time. */
  ip: string | null
  browser: string | null
}

/** Why callbacks do not arrive. Cause and fix are sentences of the catalogue's `deliveries`. */
export interface DeliveryTrouble {
  /** True: the merchant's account is closed, and the operator reads this. */
  isOperator?: boolean | undefined
  project: string
  count: number
  cause: string
  fix: string
}

/** The callbacks of a merchant whose server was down: how many were delivered since, and how many were given up. */
export interface DeliveryRecovery {
  isOperator?: boolean | undefined
  project: string
  count: number
  givenUp: number
}

/** A dispute. Amount and deadline are already formatted for the reader. */
export interface DisputeFacts {
  /** `operator_alone`: the operator, when the merchant's account is closed. */
  reader: 'merchant' | 'operator' | 'operator_alone'
  project: string
  transactionId: string
  /** Null in a mail that an earlier release queued. */
  reference: string | null
  order: string | null
  mode: 'live' | 'test'
  state: 'inquiry' | 'open' | 'won' | 'lost'
  amount: string
  respondBy: string | null
  /** The day of the deadline, for the subject. */
  respondByDay: string | null
  /** Where the operator can be reached: an email address or a URL. */
  operatorContact: string | null
  /** `operatorContact` as a link. */
  operatorUrl: string | null
  /** The payer's reason for the dispute, as a sentence. Null: not known. */
  reason?: string | null
  /**
   * For a closed dispute: whether the amount had been withdrawn. Null: not known, for example in a mail of an earlier
   * release.
   */
  wasWithdrawn?: boolean | null
  /** Whether the merchant had refunded a part of the payment before the dispute was closed. Null: not known. */
  wasRefunded?: boolean | null
}

/** A payer's receipt. Amount and time are already formatted for the reader. */
export interface ReceiptFacts {
  merchant: string
  amount: string
  description: string | null
  order: string | null
  paidAt: string
  reference: string
  /** How the payer can reach the merchant: the brand's email address and website. */
  contacts: readonly MailContact[]
  /** What the payer has got back. Null: nothing. */
  moneyBack: {
    refunded: string | null
    /** When the last refund ended. Null: not known. */
    refundedAt: string | null
    /** After a dispute that the payer has won. */
    byBank: string | null
    byBankAt: string | null
    refunding: string | null
    net: string
    isAll: boolean
  } | null
}

/** The contact in a mail about a dispute. If it is an email address, its link has a subject by which the operator finds the payment. */
export function toEvidenceContact(
  { operatorContact, operatorUrl, reference, mode }: DisputeFacts,
  subject: string,
): readonly MailContact[] {
  if (operatorContact === null || operatorUrl === null || mode === 'test') return []
  const isPlainMail = operatorUrl.startsWith('mailto:') && !operatorUrl.includes('?')
  const text = reference === null ? subject : `${subject} (${reference})`
  return [
    {
      href: isPlainMail ? `${operatorUrl}?subject=${encodeURIComponent(text)}` : operatorUrl,
      label: operatorContact,
    },
  ]
}

/** Whether the payer has got money back, from the merchant or from the bank. A refund in progress does not count. */
export function wasReturned(moneyBack: ReceiptFacts['moneyBack']): boolean {
  return moneyBack !== null && (moneyBack.refunded !== null || moneyBack.byBank !== null)
}

/**
 * The large amount: what was paid, or what was returned. None if merchant and bank each returned a part, because the title
 * speaks of both.
 */
export function toReceiptHero({ amount, moneyBack }: ReceiptFacts): { hero?: string } {
  const { refunded = null, byBank = null } = moneyBack ?? {}
  if (refunded && byBank) return {}
  return { hero: refunded ?? byBank ?? amount }
}

export type UrlField = 'resultUrl' | 'apiUrl' | 'testApiUrl'

/** A changed URL of a project: host and path, without the parts that can contain a secret. Null: the URL is not set. */
export interface UrlChange {
  field: UrlField
  from: string | null
  to: string | null
}

/** `urls` is absent in mails that an earlier release queued, and so may be `fields`. */
export interface UrlChangeFacts extends ProjectActionFacts {
  fields?: readonly UrlField[]
  urls?: readonly UrlChange[]
}
