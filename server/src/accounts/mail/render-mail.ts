// Renders a queued mail as plain text and as HTML. A token stands after the # of its link, so that no server logs the token.
import { catalogue, toBrowserName } from '@pazar/words'
import type { Locale, MailText, ReceiptFacts } from '@pazar/words'
import { LINK_LIFETIME_HOURS } from './mail.ts'
import type { LinkMailKind, StoredMail } from './mail.ts'
import {
  toActionFacts,
  toDisputeFacts,
  toProjectActionFacts,
  toReceiptFacts,
  toTime,
  toTokenRefundFacts,
} from './mail-facts.ts'
import { findUnlinked, toMailHtml } from './mail-html.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

interface Sender {
  baseUrl: string
  operatorName: string
  supportUrl: string | null
}

const LINK_PAGE: Record<LinkMailKind, string> = {
  confirm_email: 'confirm-email',
  confirm_new_email: 'confirm-email',
  reset_password: 'reset',
}

/** These mails name the operator's contact, if there is one. */
const WITH_OPERATOR: ReadonlySet<StoredMail['kind']> = new Set([
  'password_changed',
  'new_device',
  'email_change_notice',
  'factor_changed',
  'factor_reset',
  'account_closed',
  'restored',
])

/** Adds a link to the page where tokens are revoked, because the button opens another page. */
function withTokensLink(words: MailText, mail: StoredMail, locale: Locale, { baseUrl }: Sender): MailText {
  if (!('projectId' in mail) || mail.projectId === undefined) return words
  const label = catalogue(locale).portal.account.tabs.tokens
  return { ...words, contacts: [{ href: `${baseUrl}/${locale}/account/tokens`, label }] }
}

/** Adds links to the pages that the steps name, except the page that the button opens. */
function withStepLinks(words: MailText, link: string | null, locale: Locale, { baseUrl }: Sender): MailText {
  if (!words.steps) return words
  const { securityPage, changePassword } = catalogue(locale).mailFrame.links
  const pages = [
    { href: `${baseUrl}/${locale}/account`, label: changePassword },
    { href: `${baseUrl}/${locale}/account/security`, label: securityPage },
  ]
  return { ...words, contacts: [...pages.filter(({ href }) => href !== link), ...(words.contacts ?? [])] }
}

/**
 * A colon at the end of the advice or of a step introduces the operator's contact. Without a contact, the colon becomes
 * a full stop.
 */
function withOperator(words: MailText, mail: StoredMail, { supportUrl }: Sender): MailText {
  const isWanted =
    WITH_OPERATOR.has(mail.kind) || (mail.kind === 'ownership_transfer' && mail.stage === 'done')
  if (!isWanted) return words
  const own = words.contacts ?? []
  if (supportUrl === null) {
    const steps = words.steps?.map((step) => step.replace(/:$/, '.'))
    return { ...words, advice: words.advice.replace(/:$/, '.'), ...(steps ? { steps } : {}) }
  }
  const contact = { href: supportUrl, label: supportUrl.replace(/^mailto:/, '') }
  const steps = words.steps?.map((step) => step.replace(/:$/, `: ${contact.label}`))
  return { ...words, contacts: [...own, contact], ...(steps ? { steps } : {}) }
}

// Why this is long: one case per kind of mail.
function toMailText(sender: Sender, locale: Locale, mail: StoredMail): MailText {
  const words = catalogue(locale).mail
  switch (mail.kind) {
    case 'confirm_email':
    case 'confirm_new_email':
      return words[mail.kind]({ hours: LINK_LIFETIME_HOURS[mail.kind] })
    case 'reset_password':
      return words.reset_password({
        hours: LINK_LIFETIME_HOURS.reset_password,
        isInvitation: mail.isInvitation,
      })
    case 'email_change_notice':
      return words.email_change_notice({ ...toActionFacts(locale, mail), newEmail: mail.newEmail ?? null })
    case 'password_changed':
    case 'new_device':
      return words[mail.kind](toActionFacts(locale, mail))
    case 'factor_changed':
      return words.factor_changed({
        ...toActionFacts(locale, mail),
        change: mail.change,
        name: mail.name ?? null,
        former: mail.former ?? null,
        left: mail.left ?? null,
        isLast: mail.isLast ?? null,
      })
    case 'factor_reset':
      return words.factor_reset({
        stage: mail.stage,
        when: toTime(locale, { at: mail.dueAt ?? mail.at, timeZone: mail.timeZone }),
        forgotUrl: `${sender.baseUrl}/${locale}/forgot`,
      })
    case 'account_closed':
    case 'restored':
      return words[mail.kind]({ when: toTime(locale, mail) })
    case 'secret_revealed':
    case 'secret_prepared':
    case 'project_deleted':
      return words[mail.kind](toProjectActionFacts(locale, mail))
    case 'project_invitation':
      return words.project_invitation(mail)
    case 'member_changed': {
      const { member, change, role } = mail
      return words.member_changed({ ...toProjectActionFacts(locale, mail), member, change, role })
    }
    case 'member_email_changed': {
      const { member, formerEmail } = mail
      return words.member_email_changed({ ...toProjectActionFacts(locale, mail), member, formerEmail })
    }
    case 'membership_changed': {
      const { change, role } = mail
      return words.membership_changed({ ...toProjectActionFacts(locale, mail), change, role })
    }
    case 'ownership_transfer': {
      const { stage, reader, project, from, to, dueAt, timeZone, ip, userAgent } = mail
      return words.ownership_transfer({
        stage,
        reader,
        project,
        from,
        to,
        when: toTime(locale, mail),
        takesEffect: dueAt === null ? null : toTime(locale, { at: dueAt, timeZone }),
        ip: ip ?? null,
        browser: userAgent === undefined ? null : toBrowserName(userAgent),
      })
    }
    case 'refund_token_used':
      return withTokensLink(words.refund_token_used(toTokenRefundFacts(locale, mail)), mail, locale, sender)
    case 'secret_rotated':
      return words.secret_rotated({ ...toProjectActionFacts(locale, mail), mode: mail.mode })
    case 'url_changed':
      return words.url_changed({
        ...toProjectActionFacts(locale, mail),
        fields: mail.fields ?? [],
        urls: mail.urls ?? [],
      })
    case 'live_settings_changed': {
      const { requireSignedLinks, events } = mail
      return words.live_settings_changed({
        ...toProjectActionFacts(locale, mail),
        requireSignedLinks,
        events,
      })
    }
    case 'deliveries_failing':
      return words.deliveries_failing({ ...mail, since: toTime(locale, { ...mail, at: mail.since }) })
    case 'deliveries_exhausted':
      return words.deliveries_exhausted(mail)
    case 'deliveries_healed':
      return words.deliveries_healed(mail)
    case 'dispute_opened':
    case 'dispute_closed':
      return words[mail.kind](toDisputeFacts(locale, mail, sender))
    case 'receipt':
      return words.receipt(toReceiptFacts(locale, mail))
    case 'incident':
      return words.incident({
        what: catalogue(locale).incidents[mail.what],
        count: mail.count,
        incidents: [{ number: mail.number, transactionId: mail.transactionId }, ...mail.others],
        when: toTime(locale, mail),
      })
    default:
      return mail satisfies never
  }
}

/**
 * In these mails the button is the next step, so the button stands before the advice. In all other mails the advice stands
 * first, because it says when the reader needs the button.
 */
const ADVICE_AFTER_BUTTON: ReadonlySet<StoredMail['kind']> = new Set([
  'confirm_email',
  'confirm_new_email',
  'reset_password',
  'project_invitation',
  'deliveries_failing',
  'deliveries_exhausted',
  'receipt',
  'restored',
])

/** The path of the callback log. Null for the operator, who cannot open a merchant's project in the portal. */
function toLog(
  { projectId, isOperator }: { projectId: string; isOperator?: boolean | undefined },
  filter: string,
): string | null {
  return isOperator ? null : `projects/${projectId}/deliveries?mode=live${filter}`
}

/** The path of the portal page that the mail's button opens, without the language. Null if there is no such page. */
function toPage(mail: StoredMail, token: string | null): string | null {
  switch (mail.kind) {
    case 'email_change_notice':
    case 'new_device':
      return 'account'
    case 'factor_changed':
      // A refused passkey is removed on the security page.
      return mail.change === 'passkey_refused' ? 'account/security' : 'account'
    case 'factor_reset':
      return 'account/security'
    case 'password_changed':
      // A reader who did not change the password cannot sign in, so the button opens the page for a reset.
      return 'forgot'
    case 'secret_revealed':
    case 'secret_prepared':
    case 'secret_rotated':
      return mail.projectId === undefined ? null : `projects/${mail.projectId}/keys`
    case 'url_changed':
      return mail.projectId === undefined ? null : `projects/${mail.projectId}/settings?tab=history`
    case 'deliveries_failing':
      return toLog(mail, '&status=pending')
    case 'deliveries_exhausted':
      return toLog(mail, '&status=exhausted')
    case 'dispute_opened':
    case 'dispute_closed':
      if (mail.reader !== 'merchant') return null
      return `projects/${mail.projectId}/transactions?mode=${mail.mode}&q=${mail.transactionId}`
    case 'deliveries_healed':
      return toLog(mail, '')
    case 'ownership_transfer':
      return `projects/${mail.projectId}/members`
    case 'member_changed':
      if (mail.projectId === undefined) return null
      // Without `by`, the reader is the person who acted. A reader who left cannot open the project. The role of a reader
      // who joined may not allow the Members page.
      if (mail.by === undefined && mail.change === 'left') return null
      if (mail.by === undefined && mail.change === 'joined') return `projects/${mail.projectId}`
      return `projects/${mail.projectId}/members`
    case 'member_email_changed':
      if (mail.projectId === undefined) return null
      return `projects/${mail.projectId}${mail.by === undefined ? '' : '/members'}`
    case 'membership_changed':
      return mail.projectId === undefined || mail.change === 'removed' ? null : `projects/${mail.projectId}`
    case 'live_settings_changed':
      return mail.projectId === undefined ? null : `projects/${mail.projectId}/settings`
    case 'refund_token_used':
      if (mail.projectId === undefined || mail.transactionId === undefined) return null
      return `projects/${mail.projectId}/transactions?mode=${mail.mode ?? 'live'}&q=${mail.transactionId}`
    case 'restored':
      return 'projects'
    case 'project_invitation':
      return token === null ? null : `invitation#token=${token}`
    case 'confirm_email':
    case 'confirm_new_email':
    case 'reset_password':
      return token === null ? null : `${LINK_PAGE[mail.kind]}#token=${token}`
    default:
      return null
  }
}

function toButtonLink(
  { baseUrl }: Sender,
  locale: Locale,
  mail: StoredMail,
  token: string | null,
): string | null {
  // Pages of payers have the language as a parameter.
  if (mail.kind === 'receipt')
    return mail.transactionId === undefined ? null : `${baseUrl}/pay/${mail.transactionId}?lang=${locale}`
  const page = toPage(mail, token)
  return page === null ? null : `${baseUrl}/${locale}/${page}`
}

export function renderMail(
  sender: Sender,
  locale: Locale,
  mail: StoredMail,
  token: string | null,
): RenderedMail {
  // A payer knows the merchant, and may never have heard of the operator.
  const isReceipt = mail.kind === 'receipt'
  const header = isReceipt ? mail.merchant : sender.operatorName
  const signature = isReceipt
    ? catalogue(locale).mailFrame.onBehalf(sender.operatorName, mail.merchant)
    : sender.operatorName
  const link = toButtonLink(sender, locale, mail, token)
  const words = withStepLinks(
    withOperator(toMailText(sender, locale, mail), mail, sender),
    link,
    locale,
    sender,
  )
  const isRefusedPasskey = mail.kind === 'factor_changed' && mail.change === 'passkey_refused'
  const isAdviceFirst = !ADVICE_AFTER_BUTTON.has(mail.kind) && !isRefusedPasskey
  return {
    subject: words.subject,
    text: toText({ signature, isAdviceFirst }, locale, words, link),
    html: toMailHtml({ signature, header, isAdviceFirst }, locale, words, link),
  }
}

function toContactLine({ href, label }: ReceiptFacts['contacts'][number]): string {
  return isAddress(label) ? label : `${label}: ${href}`
}

const isAddress = (label: string) => label.includes('@') || label.includes('.')

function toText(
  { signature, isAdviceFirst }: { signature: string; isAdviceFirst: boolean },
  locale: Locale,
  words: MailText,
  link: string | null,
): string {
  const frame = catalogue(locale).mailFrame
  const below = findUnlinked(words)
  // The contacts that get a line of their own. In HTML, a label within a sentence is a link. In plain text, it is only a
  // name, unless the label is an address, so its link gets a line.
  const listed = (words.contacts ?? []).filter((one) => below.includes(one) || !isAddress(one.label))
  const command = words.command === undefined ? [] : [words.command]
  const steps = (words.steps ?? []).map((step, index) => `${index + 1}. ${step}`)
  const advice = [words.advice, ...steps, ...listed.map(toContactLine), ...command].join('\n')
  const button = link === null ? [] : [`${words.action}:\n${link}`]
  const blocks = [
    frame.greeting,
    ...words.paragraphs,
    ...(words.points?.length ? [words.points.map((point) => `- ${point}`).join('\n')] : []),
    ...(words.details ? [words.details.join('\n')] : []),
    ...(isAdviceFirst ? [advice, ...button] : [...button, advice]),
    `${frame.closing}\n${signature}`,
    `-- \n${words.why ?? frame.why}`,
  ]
  return `${blocks.join('\n\n')}\n`
}
