// Writes a mail into the transaction of what it tells about: either both are there or neither. A worker sends it.
import { DEFAULT_LOCALE } from '@pazar/words'
import type { IncidentReference, MailFacts } from '@pazar/words'
import type { Tx } from '../../db/pool.ts'
import { toDate } from '../../lib/clock.ts'
import { newUuidV7 } from '../../lib/id.ts'
import type { Account } from '../account.ts'
import type { ClientFacts } from '../client.ts'
import type { AccountDeps } from '../deps.ts'
import type { DeliveryMail, LinkMailKind, NoticeKind, StoredMail } from './mail.ts'
import { insertMail, insertMailWithoutAccount } from './mails-store.ts'

type MailDeps = Pick<AccountDeps, 'clock' | 'mailTokens'>

export type MailReader = Pick<Account, 'id' | 'email' | 'locale' | 'timeZone'>

/** Tells the owner that he, or somebody in his place, has done something: beside these facts, when and from where. */
export type Notice = {
  [K in NoticeKind]: { kind: K; client: ClientFacts } & Omit<MailFacts<K>, 'when' | 'ip' | 'browser'>
}[NoticeKind]

export async function queueMail(deps: MailDeps, tx: Tx, reader: MailReader, mail: Notice): Promise<void> {
  const { kind, client, ...facts } = mail
  const at = toDate(deps.clock.nowMs()).toISOString()
  await insertMail(tx, {
    id: newUuidV7(deps.clock),
    accountId: reader.id,
    kind,
    to: reader.email,
    locale: reader.locale,
    facts: { ...facts, at, timeZone: reader.timeZone, ip: client.ip, userAgent: client.userAgent },
    sealedToken: null,
  })
}

/** A mail with a link. The token waits sealed, bound to this mail's row, until the mail is out. */
export async function queueLinkMail(
  deps: MailDeps,
  tx: Tx,
  mail: { reader: Pick<Account, 'id' | 'locale'>; to: string; kind: LinkMailKind; token: string },
): Promise<void> {
  const id = newUuidV7(deps.clock)
  await insertMail(tx, {
    id,
    accountId: mail.reader.id,
    kind: mail.kind,
    to: mail.to,
    locale: mail.reader.locale,
    facts: {},
    sealedToken: deps.mailTokens.seal(Buffer.from(mail.token), id),
  })
}

type WithoutTime<T> = T extends DeliveryMail ? Omit<T, 'at' | 'timeZone'> : never

/** Tells a merchant how the callbacks of one of his projects fare. */
export async function queueDeliveryMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  reader: MailReader,
  mail: WithoutTime<DeliveryMail>,
): Promise<void> {
  const { kind, ...facts } = mail
  await insertMail(tx, {
    id: newUuidV7(deps.clock),
    accountId: reader.id,
    kind,
    to: reader.email,
    locale: reader.locale,
    facts: { ...facts, at: toDate(deps.clock.nowMs()).toISOString(), timeZone: reader.timeZone },
    sealedToken: null,
  })
}

/** To somebody who has an account no longer: the mail belongs to none, and forgets its reader once it is out. */
export async function queueClosingMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  reader: MailReader,
): Promise<void> {
  await insertMailWithoutAccount(tx, {
    id: newUuidV7(deps.clock),
    kind: 'account_closed',
    to: reader.email,
    locale: reader.locale,
    facts: { at: toDate(deps.clock.nowMs()).toISOString(), timeZone: reader.timeZone },
  })
}

type IncidentMail = Extract<StoredMail, { kind: 'incident' }>

/** More would bury the first ones; the command that the mail names lists all. */
export const MAILED_INCIDENTS_MAX = 50

/** To the operator, who has no account, hence no language and no time zone of their own. */
export async function queueIncidentMail(
  deps: Pick<MailDeps, 'clock'>,
  tx: Tx,
  to: string,
  { what, incidents }: Pick<IncidentMail, 'what'> & { incidents: readonly IncidentReference[] },
): Promise<void> {
  const at = toDate(deps.clock.nowMs()).toISOString()
  const [first, ...others] = incidents.slice(0, MAILED_INCIDENTS_MAX)
  await insertMailWithoutAccount(tx, {
    id: newUuidV7(deps.clock),
    kind: 'incident',
    to,
    locale: DEFAULT_LOCALE,
    facts: { ...first, what, others, count: incidents.length, at, timeZone: 'UTC' },
  })
}
