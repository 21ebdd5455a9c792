// The link back to the merchant. If the resultUrl is our own confirmation page, the brand's website is used instead.
import type { PayLink } from '../paylinks/pay-link.ts'
import { toPayPath } from '../paylinks/pay-link.ts'
import type { Payment } from '../payments/payment.ts'
import { isUnpaid } from '../payments/payment.ts'
import { isOwnResultPage } from '../projects/own-urls.ts'
import type { PageContext, PageLink } from './page-parts.ts'
import type { ReturnFacts } from './return-url.ts'
import { toReturnUrl } from './return-url.ts'
import type { Merchant } from './shown-payment.ts'

type ReturnTo = Pick<Merchant, 'resultUrl' | 'brand'>

/** Null: the merchant has no site that we know of. */
export function toReturnLink(
  { words, baseUrl }: PageContext,
  { resultUrl, brand }: ReturnTo,
  facts: ReturnFacts,
): PageLink | null {
  const isOwn = isOwnResultPage(baseUrl, resultUrl)
  const href = isOwn ? brand?.website : toReturnUrl(resultUrl, facts)
  return href ? { href, label: words.actions.returnToMerchant } : null
}

type LastAttempt = Pick<Payment, 'id' | 'state' | 'needsReview' | 'resolution'>

export function toGiveUpFacts({ customId, mode }: PayLink, last: LastAttempt | null): ReturnFacts {
  if (last && isUnpaid(last)) return { status: 'fail', transactionId: last.id, customId, mode }
  return { status: 'cancel', customId, mode }
}

/**
 * If we know no site of the merchant, the Cancel link leads to our own confirmation page. The URL of the Cancel link contains
 * the pay link, so that the confirmation page can show the order and a link back to the payment.
 */
export function toCancelLink(
  context: PageContext,
  link: PayLink,
  merchant: ReturnTo,
  last: LastAttempt | null,
): PageLink {
  const { actions } = context.words
  const returnLink = toReturnLink(context, merchant, toGiveUpFacts(link, last))
  if (returnLink) return { ...returnLink, label: actions.cancel }
  const [, query] = toPayPath(link, context.chosenLocale).split('?')
  return { href: `/pay/successful?status=cancel&${query}`, label: actions.cancelHere }
}
