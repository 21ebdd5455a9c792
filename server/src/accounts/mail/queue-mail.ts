// A mail about a change is queued in the transaction of that change, or in the transaction that marks the change as mailed.
import type { Mode } from '@pazar/contract'
import { DEFAULT_LOCALE } from '@pazar/words'
import type { IncidentReference, Locale, MailFacts } from '@pazar/words'
import type { Tx } from '../../db/pool.ts'
import { toDate } from '../../lib/clock.ts'
import { newUuidV7, toFirstUuidV7 } from '../../lib/id.ts'
import type { MailDeps } from './deps.ts'
import type {
  DeliveryMail,
  DisputeMail,
  LinkMailKind,
  NoticeKind,
  ReceiptMail,
  StoredMail,
  TransferMail,
} from './mail.ts'
import { insertMail, insertMailWithoutAccount, insertNotice } from './mails-store.ts'
import type { NewMailRow } from './mails-store.ts'

export interface Recipient {
  id: string
  email: string
  locale: Locale
  timeZone: string
}

interface RefundedPayment {
  transactionId: string
  mode: Mode
  currency: string
  scale: number
}

export type Notice = {
  [K in NoticeKind]: {
    kind: K
    /** From where the change was made. The mail says it, because a stranger may have made the change. */
    client: { ip: string; userAgent: string }
    /** The project whose page the mail's button opens. */
    projectId?: string
  } & Omit<MailFacts<K>, 'when' | 'ip' | 'browser'> &
    (K extends 'refund_token_used' ? RefundedPayment : unknown)
}[NoticeKind]

function toRow(
  { clock }: Pick<MailDeps, 'clock'>,
  { id: accountId, email: to, locale, timeZone }: Recipient,
  kind: StoredMail['kind'],
  facts: Readonly<Record<string, unknown>>,
): NewMailRow {
  const at = toDate(clock.nowMs()).toISOString()
  const row = { id: newUuidV7(clock), accountId, kind, to, locale, sealedToken: null }
  return { ...row, facts: { ...facts, at, timeZone } }
}

async function queueForAccount(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  recipient: Recipient,
  kind: StoredMail['kind'],
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  await insertMail(tx, toRow(deps, recipient, kind, facts))
}

const DAY_MS = 24 * 3_600_000

export async function queueMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  recipient: Recipient,
  mail: Notice,
): Promise<void> {
  const { kind, client, ...facts } = mail
  const { ip, userAgent } = client
  const row = toRow(deps, recipient, kind, { ...facts, ip, userAgent })
  await insertNotice(tx, row, toFirstUuidV7(deps.clock.nowMs() - DAY_MS))
}

/** The token is stored sealed. It can be opened only with the id of this mail. */
export async function queueLinkMail(
  deps: Pick<MailDeps, 'clock' | 'mailTokens'>,
  tx: Tx,
  mail: {
    recipient: Pick<Recipient, 'id' | 'locale'>
    to: string
    kind: LinkMailKind
    token: string
    isInvitation?: boolean
  },
): Promise<void> {
  const id = newUuidV7(deps.clock)
  await insertMail(tx, {
    id,
    accountId: mail.recipient.id,
    kind: mail.kind,
    to: mail.to,
    locale: mail.recipient.locale,
    facts: mail.isInvitation ? { isInvitation: true } : {},
    sealedToken: deps.mailTokens.seal(Buffer.from(mail.token), id),
  })
}

export async function queueInvitationMail(
  deps: Pick<MailDeps, 'clock' | 'mailTokens'>,
  tx: Tx,
  mail: { to: string; locale: Locale; token: string } & MailFacts<'project_invitation'>,
): Promise<void> {
  const id = newUuidV7(deps.clock)
  const { to, locale, token, ...facts } = mail
  const sealedToken = deps.mailTokens.seal(Buffer.from(token), id)
  await insertMailWithoutAccount(tx, { id, kind: 'project_invitation', to, locale, facts, sealedToken })
}

type WithoutTime<T> = T extends DeliveryMail ? Omit<T, 'at' | 'timeZone'> : never

export async function queueDeliveryMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  recipient: Recipient,
  mail: WithoutTime<DeliveryMail>,
): Promise<void> {
  const { kind, ...facts } = mail
  await queueForAccount(deps, tx, recipient, kind, facts)
}

/** If `recipient` is a string, it is the address of the operator, who has no account. */
export async function queueDisputeMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  recipient: Recipient | string,
  { kind, ...facts }: Omit<DisputeMail, 'at' | 'timeZone'>,
): Promise<void> {
  if (typeof recipient === 'string') return queueForOperator(deps, tx, recipient, kind, facts)
  await queueForAccount(deps, tx, recipient, kind, facts)
}

export async function queueFactorResetMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  recipient: Recipient,
  { stage, dueAt }: { stage: 'requested' | 'done'; dueAt: Date | null },
): Promise<void> {
  const facts = { stage, dueAt: dueAt?.toISOString() ?? null }
  await queueForAccount(deps, tx, recipient, 'factor_reset', facts)
}

/** `id` is null for an invited person who has not joined the project. */
export async function queueTransferMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  { id: accountId, email: to, locale, timeZone }: Omit<Recipient, 'id'> & { id: string | null },
  mail: Omit<TransferMail, 'kind' | 'at' | 'timeZone' | 'ip' | 'userAgent'> & {
    client: { ip: string; userAgent: string } | null
  },
): Promise<void> {
  const { client, ...facts } = mail
  const id = newUuidV7(deps.clock)
  const at = toDate(deps.clock.nowMs()).toISOString()
  const stored = { ...facts, ...client, at, timeZone }
  const row = { id, kind: 'ownership_transfer', to, locale, facts: stored } as const
  if (accountId === null) return insertMailWithoutAccount(tx, row)
  await insertMail(tx, { ...row, accountId, sealedToken: null })
}

/** The recipient's account is closed, so the mail refers to no account. */
export async function queueClosingMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  recipient: Recipient,
): Promise<void> {
  await insertMailWithoutAccount(tx, {
    id: newUuidV7(deps.clock),
    kind: 'account_closed',
    to: recipient.email,
    locale: recipient.locale,
    facts: { at: toDate(deps.clock.nowMs()).toISOString(), timeZone: recipient.timeZone },
  })
}

export async function queueReceiptMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  { to, locale, ...facts }: Omit<ReceiptMail, 'kind'> & { to: string; locale: Locale },
): Promise<void> {
  await insertMailWithoutAccount(tx, { id: newUuidV7(deps.clock), kind: 'receipt', to, locale, facts })
}

type IncidentMail = Extract<StoredMail, { kind: 'incident' }>

/** A mail names at most this many incidents. The command in the mail lists more. */
export const MAILED_INCIDENTS_MAX = 50

/** The operator has no account and therefore no language or time zone setting. */
async function queueForOperator(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  to: string,
  kind: StoredMail['kind'],
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const at = toDate(deps.clock.nowMs()).toISOString()
  const row = { id: newUuidV7(deps.clock), kind, to, locale: DEFAULT_LOCALE }
  await insertMailWithoutAccount(tx, { ...row, facts: { ...facts, at, timeZone: 'UTC' } })
}

export async function queueIncidentMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  to: string,
  { what, incidents }: Pick<IncidentMail, 'what'> & { incidents: readonly IncidentReference[] },
): Promise<void> {
  const [first, ...others] = incidents.slice(0, MAILED_INCIDENTS_MAX)
  await queueForOperator(deps, tx, to, 'incident', { ...first, what, others, count: incidents.length })
}
