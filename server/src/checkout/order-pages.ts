// Pages of a link whose order already has a payment. The payment is paid, open or in review, or its amount or data differ
// from the link's.
import type { Notice } from '@pazar/words'
import { toReference } from '../payments/payment.ts'
import type { NoticeFacts } from './notice-page.ts'
import { noticePage } from './notice-page.ts'
import { toOrderRows, toOrderTexts } from './order-line.ts'
import type { CheckedLink } from './check-link.ts'
import { toLinkPath, toStartOverForm } from './pay-forms.ts'
import type { PayOutcome, StartOver } from './pay-outcome.ts'
import type { Page, PageContext, PageLink } from './page-parts.ts'
import { toMoney, toReferenceRow } from './page-parts.ts'
import { toReviewNotice } from './payment-page.ts'
import { toReturnLink } from './return-link.ts'
import type { ReturnFacts } from './return-url.ts'
import { toReturnUrl } from './return-url.ts'

export function toMerchantUrl({ link, target }: CheckedLink, status: ReturnFacts['status']): string {
  return toReturnUrl(target.resultUrl, { status, customId: link.customId, mode: link.mode })
}

function toOrderReturnLink(
  context: PageContext,
  { link, target }: CheckedLink,
  status: ReturnFacts['status'],
): PageLink | null {
  return toReturnLink(context, target, { status, customId: link.customId, mode: link.mode })
}

function toCheckAgainLink(context: PageContext, { link }: CheckedLink): PageLink {
  return { href: toLinkPath(context, link), label: context.words.actions.checkAgain }
}

export function toLinkRows(context: PageContext, checkedLink: CheckedLink): NonNullable<NoticeFacts['rows']> {
  const { labels } = context.words
  return [
    [labels.merchant, checkedLink.target.name],
    [labels.amount, toMoney(context, BigInt(checkedLink.link.amount))],
    ...toOrderRows(context.words, toOrderTexts(checkedLink)),
  ]
}

/** A customId of this form has no spaces, so it can hardly be a message to the payer. It is shown even for an unsigned link. */
const PLAIN_ORDER = /^[A-Za-z0-9_-]{1,64}$/

/** The payer needs the order's number, which is the customId, to recognise the order. */
function toNumberedRows(context: PageContext, checkedLink: CheckedLink): NonNullable<NoticeFacts['rows']> {
  const { labels } = context.words
  const { customId } = checkedLink.link
  const rows = toLinkRows(context, checkedLink)
  const hasOrder = rows.some(([label, value]) => label === labels.order && value !== null)
  if (hasOrder || customId === null || !PLAIN_ORDER.test(customId)) return rows
  return [...rows.filter(([label]) => label !== labels.order), [labels.order, customId]]
}

/** The order's payment may have another amount, so the label says that this is the amount of the link. */
function toConflictRows(context: PageContext, checkedLink: CheckedLink): NonNullable<NoticeFacts['rows']> {
  const { amount, linkAmount } = context.words.labels
  return toNumberedRows(context, checkedLink).map(([label, value]) => [
    label === amount ? linkAmount : label,
    value,
  ])
}

function orderPage(
  context: PageContext,
  checkedLink: CheckedLink,
  notice: Notice,
  facts: Omit<NoticeFacts, 'rows'>,
): Page {
  return noticePage(context, notice, { ...facts, rows: toNumberedRows(context, checkedLink) })
}

function startOverPage(
  context: PageContext,
  checkedLink: CheckedLink,
  startOver: StartOver,
  { notice, bankUrl }: { notice: Notice; bankUrl: string | null },
): Page {
  const links = bankUrl ? [{ href: bankUrl, label: context.words.actions.continueAtBank }] : []
  const returnLink = toOrderReturnLink(context, checkedLink, 'pending')
  const form = toStartOverForm(context, checkedLink.link, startOver)
  return orderPage(context, checkedLink, notice, { tone: 'info', form, links, returnLink })
}

export function alreadyPaidPage(context: PageContext, { checkedLink }: PayOutcome<'already_paid'>): Page {
  const returnLink = toOrderReturnLink(context, checkedLink, 'success')
  return orderPage(context, checkedLink, context.words.notices.alreadyPaid, { tone: 'ok', returnLink })
}

export function conflictPage(context: PageContext, { checkedLink, startOver }: PayOutcome<'conflict'>): Page {
  const { words } = context
  if (startOver)
    return startOverPage(context, checkedLink, startOver, { notice: words.bankStepElsewhere, bankUrl: null })
  const returnLink = toOrderReturnLink(context, checkedLink, 'cancel')
  const rows = toConflictRows(context, checkedLink)
  return noticePage(context, words.notices.conflict, { tone: 'warn', rows, returnLink })
}

export function inFlightPage(
  context: PageContext,
  { checkedLink, startOver }: PayOutcome<'in_flight'>,
): Page {
  const { words } = context
  if (startOver)
    return startOverPage(context, checkedLink, startOver, { notice: words.bankStepElsewhere, bankUrl: null })
  const links = [toCheckAgainLink(context, checkedLink)]
  const returnLink = toOrderReturnLink(context, checkedLink, 'pending')
  return orderPage(context, checkedLink, words.inFlight, { tone: 'info', links, returnLink })
}

export function bankStepKeptPage(context: PageContext, outcome: PayOutcome<'bank_step_kept'>): Page {
  const { checkedLink, startOver, payment, isOwn } = outcome
  const bankUrl = isOwn ? payment.actionUrl : null
  return startOverPage(context, checkedLink, startOver, { notice: context.words.bankStepKept, bankUrl })
}

export function orderInReviewPage(context: PageContext, outcome: PayOutcome<'order_in_review'>): Page {
  const { words } = context
  const { checkedLink, reviewedId } = outcome
  const links = [toCheckAgainLink(context, checkedLink)]
  const returnLink = toOrderReturnLink(context, checkedLink, 'pending')
  const rows = [...toNumberedRows(context, checkedLink), toReferenceRow(words, toReference(reviewedId))]
  const review = toReviewNotice(words, context.stepsOf(checkedLink.link.mode).isSimulated)
  const notice = { ...review, heading: words.inReview.elsewhere }
  return noticePage(context, notice, { tone: 'warn', rows, links, returnLink })
}
