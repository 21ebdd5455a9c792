// The parts of a mail's text, and the facts that the texts need.
// Why this is long: one list of facts.
import type { MemberRole } from '@pazar/contract'

export interface MailText {
  subject: string
  heading: string
  /** The amount of the mail. HTML shows it large instead of the greeting, and may omit the detail with this amount. */
  hero?: string
  /** The first line of a paragraph with several lines is its title. */
  paragraphs: string[]
  points?: readonly string[]
  details?: string[]
  action?: string
  /** What to do, for example if the reader did not request the action. */
  advice: string
  /** What to do, step by step. `advice` is then the title of the steps. */
  steps?: readonly string[]
  /** A command for the operator's shell, below the advice. */
  command?: string
  /** HTML links a contact where its label occurs in a text. A contact whose label occurs in no text is below the advice. */
  contacts?: readonly MailContact[]
  /** Why the reader gets the mail. Absent: for the security of their account. */
  why?: string
}

export interface MailContact {
  /** A `mailto:` or `https:` URL. */
  href: string
  label: string
}

/** When and from where a person or program acted, formatted for the reader. */
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
  name?: string | null
  /** The name of the passkey before it was renamed. */
  former?: string | null
  left?: number | null
  /** Whether no second factor is left after a removal. Absent in mails that an earlier release queued. */
  isLast?: boolean | null
}

/**
 * `when`: the time at which the second factors will be removed, or were removed. `forgotUrl`: the page that sends a link for a
 * new password.
 */
export interface FactorResetFacts {
  stage: 'requested' | 'done'
  when: string
  forgotUrl: string
}

export interface IncidentReference {
  number: number
  transactionId: string | null
}

/** Incidents of one kind. `what` is a sentence of the catalogue. */
export interface IncidentFacts {
  what: string
  count: number
  /** The first incidents, at least one. */
  incidents: readonly IncidentReference[]
  when: string
}

export interface ProjectActionFacts extends ActionFacts {
  project: string
  /** The email address of the person who acted. Absent if that is the reader, or if that person's account is closed. */
  by?: string | undefined
}

/** The changed settings with their new values. */
export interface LiveSettingsFacts extends ProjectActionFacts {
  requireSignedLinks?: boolean | undefined
  events?: readonly string[] | undefined
}

/**
 * The first refund that a token requested on a day in `mode`. Optional facts are absent in mails that an earlier release
 * queued.
 */
export interface TokenRefundFacts extends ProjectActionFacts {
  token: string
  mode?: 'live' | 'test' | undefined
  amount?: string | null
  order?: string | null
  reference?: string | null
  dailyCap?: string | null
}

/** For the person whose access has changed. */
export interface MembershipFacts extends ProjectActionFacts {
  change: 'removed' | 'role'
  role: MemberRole
}

export type MemberChange = 'joined' | 'left' | 'removed' | 'role'

/** `expired`: nobody accepted in time. `impossible`: the recipient could no longer own the project. */
export const TRANSFER_STAGES = ['offered', 'accepted', 'cancelled', 'expired', 'impossible', 'done'] as const
export type TransferStage = (typeof TRANSFER_STAGES)[number]

export interface TransferFacts {
  /** Only the mail about an offer has a different text for each reader. */
  reader: 'owner' | 'receiver' | 'member'
  stage: TransferStage
  project: string
  from: string
  to: string
  when: string
  /** Null until the transfer is accepted. */
  takesEffect: string | null
  /** Null if nobody acted, for example because the transfer expired or took effect. */
  ip: string | null
  browser: string | null
}

/** Cause and fix are sentences of the catalogue. */
export interface DeliveryTrouble {
  /** True if the merchant's account is closed and the operator reads the mail. */
  isOperator?: boolean | undefined
  project: string
  count: number
  cause: string
  fix: string
}

/** `count` callbacks were delivered after an outage, and `givenUp` were not. */
export interface DeliveryRecovery {
  isOperator?: boolean | undefined
  project: string
  count: number
  givenUp: number
}

/** Amount and deadline are formatted for the reader. */
export interface DisputeFacts {
  /** `operator_alone`: the merchant's account is closed. */
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
  /** An email address or a URL. */
  operatorContact: string | null
  operatorUrl: string | null
  /** As a sentence. Null: not known. */
  reason?: string | null
  /** Whether the amount had been withdrawn. Null: not known. */
  wasWithdrawn?: boolean | null
  /** Whether the merchant refunded a part before the dispute was closed. Null: not known. */
  wasRefunded?: boolean | null
}

/** Amounts and times are formatted for the reader. */
export interface ReceiptFacts {
  merchant: string
  amount: string
  description: string | null
  order: string | null
  paidAt: string
  reference: string
  /** The email address and website of the brand. */
  contacts: readonly MailContact[]
  /** What the payer got back or is getting back. Null: nothing. */
  moneyBack: {
    refunded: string | null
    /** When the last refund ended. Null: not known. */
    refundedAt: string | null
    /** The amount of a dispute that the payer has won. */
    byBank: string | null
    byBankAt: string | null
    refunding: string | null
    net: string
    isAll: boolean
  } | null
}

/**
 * Returns the operator's contact, to which the merchant sends evidence. Empty for a test payment, or if the operator has no
 * contact. A `mailto:` URL without parameters gets a subject, with the payment's reference if it is known.
 */
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

/** Whether the payer has got money back. A refund in progress does not count. */
export function wasReturned(moneyBack: ReceiptFacts['moneyBack']): boolean {
  return moneyBack !== null && (moneyBack.refunded !== null || moneyBack.byBank !== null)
}

/** There is no hero if merchant and bank each returned a part, because one amount would not show both. */
export function toReceiptHero({ amount, moneyBack }: ReceiptFacts): { hero?: string } {
  const { refunded = null, byBank = null } = moneyBack ?? {}
  if (refunded && byBank) return {}
  return { hero: refunded ?? byBank ?? amount }
}

export type UrlField = 'resultUrl' | 'apiUrl' | 'testApiUrl'

/** Host and path of a changed URL, without parts that can contain a secret. Null: not set. */
export interface UrlChange {
  field: UrlField
  from: string | null
  to: string | null
}

/** Optional facts are absent in mails that an earlier release queued. */
export interface UrlChangeFacts extends ProjectActionFacts {
  fields?: readonly UrlField[]
  urls?: readonly UrlChange[]
}

export function isOneUrlChanged({ fields = [], urls = [] }: UrlChangeFacts): boolean {
  return (urls.length > 0 ? urls : fields).length === 1
}
