// The pages at /pay/successful if the URL names no payment that can be shown. If the payer pressed Cancel, the page says
// what is certain about the money (AbandonedCertainty).
import type { Notice } from '@pazar/words'
import { toReference } from '../payments/payment.ts'
import { noticePage } from './notice-page.ts'
import { toLinkRows } from './order-pages.ts'
import { toLinkPath } from './pay-forms.ts'
import type { Confirmation, AbandonedCertainty, AbandonedLink } from './pay-outcome.ts'
import type { CheckoutWords, Page, PageContext } from './page-parts.ts'
import { toMoney, toReferenceRow } from './page-parts.ts'
import { toMerchantRows } from './refusal-page.ts'
import { toReturnLink } from './return-link.ts'

function toAbandonedNotice(
  { cancelled, unconfirmed }: CheckoutWords,
  certainty: AbandonedCertainty,
): Notice & { close: string } {
  const { close, notPressed, orderUnpaid, unknown } = cancelled
  // If the payer may have pressed Pay, the heading must not say that the payment was left unfinished.
  const heading = certainty === 'unknown' ? unconfirmed.left : cancelled.heading
  const texts = { not_pressed: notPressed, order_unpaid: orderUnpaid, unknown }
  return { heading, ...texts[certainty], close }
}

export function abandonedPage(
  context: PageContext,
  { checkedLink, certainty }: Extract<AbandonedLink, { kind: 'abandoned' }>,
): Page {
  const { words } = context
  const { link, target } = checkedLink
  const label = words.actions.backToPayment(toMoney(context, BigInt(link.amount)))
  const facts = { status: 'cancel', customId: link.customId, mode: link.mode } as const
  const returnLink = toReturnLink(context, target, facts)
  const { close, ...notice } = toAbandonedNotice(words, certainty)
  return noticePage(context, returnLink ? notice : { ...notice, close }, {
    tone: 'info',
    icon: 'back',
    rows: toLinkRows(context, checkedLink),
    links: [{ href: toLinkPath(context, link), label }],
    returnLink,
  })
}

/** The page after Cancel if the link cannot be paid. */
export function abandonedRefusedPage(
  context: PageContext,
  { refusal }: Extract<AbandonedLink, { kind: 'link_refused' }>,
): Page {
  const { unconfirmed } = context.words
  return noticePage(
    context,
    { ...unconfirmed, heading: unconfirmed.left },
    {
      tone: 'info',
      icon: 'note',
      rows: toMerchantRows(context, refusal),
      returnLink: toReturnLink(context, refusal.merchant, refusal.returnFacts),
      fallback: context.help,
    },
  )
}

export function unconfirmedPage(context: PageContext, confirmation: Confirmation): Page {
  const { words } = context
  const { transactionId: id, state, isCancelled } = confirmation
  const style = { tone: 'info', icon: 'note', fallback: context.help } as const
  if (id === null) {
    const left = { ...words.unconfirmed, heading: words.unconfirmed.left }
    return noticePage(context, isCancelled ? left : words.finished, style)
  }
  if (state === null) return noticePage(context, words.notices.paymentUnknown, style)
  const rows = [toReferenceRow(words, toReference(id))]
  const links = [{ href: `/pay/${id}`, label: words.actions.checkAgain }]
  return noticePage(context, words.unconfirmed, { ...style, rows, links })
}
