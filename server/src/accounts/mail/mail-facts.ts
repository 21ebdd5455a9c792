import { catalogue, formatDayMonth, formatMoney, formatZonedDateTime, toBrowserName } from '@pazar/words'
import type {
  ActionFacts,
  DisputeFacts,
  Locale,
  ProjectActionFacts,
  ReceiptFacts,
  TokenRefundFacts,
} from '@pazar/words'
import { toDate } from '../../lib/clock.ts'
import { toMailtoUrl } from '../../lib/mailto.ts'
import type { DisputeMail, ReceiptMail, StoredMail } from './mail.ts'

type ActionMail = Extract<StoredMail, { ip: string }>

export function toTime(locale: Locale, mail: { at: string; timeZone: string }): string {
  return formatZonedDateTime(locale, toDate(Date.parse(mail.at)), mail.timeZone)
}

export function toActionFacts(locale: Locale, mail: ActionMail): ActionFacts {
  return {
    when: toTime(locale, mail),
    ip: mail.ip,
    browser: toBrowserName(mail.userAgent),
  }
}

export function toProjectActionFacts(
  locale: Locale,
  mail: Extract<ActionMail, { project: string }>,
): ProjectActionFacts {
  return { ...toActionFacts(locale, mail), project: mail.project, by: mail.by }
}

/** The reason that the mail names. Null for an unknown reason and for `other`: the mail then names no reason. */
function findReason(locale: Locale, code: string | null): string | null {
  const { other: _, ...reasons } = catalogue(locale).portal.payments.dispute.reasons
  return Object.entries(reasons).find(([name]) => name === code)?.[1] ?? null
}

export function toDisputeFacts(
  locale: Locale,
  mail: DisputeMail,
  { supportUrl }: { supportUrl: string | null },
): DisputeFacts {
  const { respondBy, timeZone } = mail
  const deadline = respondBy === null ? null : toDate(Date.parse(respondBy))
  return {
    reader: mail.reader,
    project: mail.project,
    transactionId: mail.transactionId,
    reference: mail.reference,
    order: mail.order,
    mode: mail.mode,
    state: mail.state,
    amount: formatMoney(locale, BigInt(mail.amount), mail.currency, mail.scale),
    respondBy: deadline && formatZonedDateTime(locale, deadline, timeZone),
    respondByDay: deadline && formatDayMonth(locale, deadline, timeZone),
    operatorContact: supportUrl && supportUrl.replace(/^mailto:/, ''),
    operatorUrl: supportUrl,
    reason: findReason(locale, mail.reason ?? null),
    wasWithdrawn: mail.wasWithdrawn ?? null,
    wasRefunded: mail.wasRefunded ?? null,
  }
}

export function toTokenRefundFacts(
  locale: Locale,
  mail: Extract<StoredMail, { kind: 'refund_token_used' }>,
): TokenRefundFacts {
  const toMoney = (amount: string | null | undefined) =>
    amount === null || amount === undefined || mail.currency === undefined || mail.scale === undefined
      ? null
      : formatMoney(locale, BigInt(amount), mail.currency, mail.scale)
  return {
    ...toProjectActionFacts(locale, mail),
    token: mail.token,
    mode: mail.mode,
    amount: toMoney(mail.amount),
    dailyCap: toMoney(mail.dailyCap),
    order: mail.order ?? null,
    reference: mail.reference ?? null,
  }
}

function toContacts({ supportEmail, website }: ReceiptMail): ReceiptFacts['contacts'] {
  return [
    ...(supportEmail === null ? [] : [{ href: toMailtoUrl(supportEmail), label: supportEmail }]),
    ...(website === null ? [] : [{ href: website, label: new URL(website).host }]),
  ]
}

export function toReceiptFacts(locale: Locale, mail: ReceiptMail): ReceiptFacts {
  const { currency, scale, moneyBack } = mail
  const toMoney = (amount: string) => formatMoney(locale, BigInt(amount), currency, scale)
  const toMoneyOrNull = (amount: string) => (amount === '0' ? null : toMoney(amount))
  const toTimeOrNull = (at: string | null | undefined) => (at ? toTime(locale, { ...mail, at }) : null)
  return {
    ...mail,
    amount: toMoney(mail.amount),
    paidAt: toTime(locale, mail),
    contacts: toContacts(mail),
    moneyBack: moneyBack && {
      refunded: toMoneyOrNull(moneyBack.refunded),
      refundedAt: toTimeOrNull(moneyBack.refundedAt),
      byBank: toMoneyOrNull(moneyBack.byBank),
      byBankAt: toTimeOrNull(moneyBack.byBankAt),
      refunding: toMoneyOrNull(moneyBack.refunding),
      net: toMoney(moneyBack.net),
      isAll: moneyBack.net === '0',
    },
  }
}
