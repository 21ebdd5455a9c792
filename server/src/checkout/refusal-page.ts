// The page of a refused request says what is known about the money and what to do next.
import type { ErrorCode, Problem } from '@pazar/contract'
import type { Notice } from '@pazar/words'
import { GateClosedError } from '../db/gate-view.ts'
import type { ServiceError } from '../lib/service-error.ts'
import { isOwnResultPage } from '../projects/own-urls.ts'
import type { NoticeFacts } from './notice-page.ts'
import { noticePage } from './notice-page.ts'
import { LinkRefusal } from './check-link.ts'
import type { Refusal } from './pay-outcome.ts'
import { OutcomeUnknownError } from './pay-outcome.ts'
import type { CheckoutWords, Page, PageContext, PageLink } from './page-parts.ts'
import { toReturnLink } from './return-link.ts'
import { canTryAgain, declinedNotice, toReason } from './payment-page.ts'

type NoticeName = keyof CheckoutWords['notices']

/** For a refused link. The link may have been paid before, so these texts are only about this attempt. */
const LINK_NOTICES: Partial<Record<ErrorCode, NoticeName>> = {
  link_expired: 'linkExpired',
  archived: 'archived',
  kyc_required: 'cannotTakePayments',
  shop_not_ready: 'notReady',
  custom_id_conflict: 'conflict',
  rate_limited: 'busy',
  unavailable: 'busy',
  internal_error: 'busy',
}

// Used if a press of Pay is refused. In a double click, the first press may have charged the payer, so these texts are only
// about the refused press.
const PRESS_NOTICES: Partial<Record<ErrorCode, NoticeName>> = {
  ...LINK_NOTICES,
  rate_limited: 'pressRefused',
  unavailable: 'pressRefused',
  forbidden_origin: 'formFromElsewhere',
  invalid_request: 'formLost',
  payload_too_large: 'formLost',
  unsupported_media_type: 'formLost',
}

/**
 * Used if the request for a payment's page is refused. For an error code that is not in this list, the page says that the
 * payment is not affected.
 */
const STATE_NOTICES: Partial<Record<ErrorCode, NoticeName>> = {
  not_found: 'paymentUnknown',
  invalid_request: 'paymentUnknown',
}

/** After an internal error, nobody knows whether the press has charged the payer. */
function isOutcomeUnknown({ error, at }: Pick<Refusal, 'error' | 'at'>): boolean {
  return error instanceof OutcomeUnknownError || (at === 'press' && error.code === 'internal_error')
}

export function chooseNotice(
  words: CheckoutWords,
  { error, at, hasPressed }: Pick<Refusal, 'error' | 'at' | 'hasPressed'>,
): Notice {
  const { notices } = words
  const { code } = error
  if (error instanceof GateClosedError) return notices.paymentsStopped
  if (at === 'state') return notices[STATE_NOTICES[code] ?? 'stateUnavailable']
  if (at === 'link') {
    const name = LINK_NOTICES[code] ?? 'invalidLink'
    const notice = notices[name === 'busy' && hasPressed ? 'stateUnavailable' : name]
    return notice === notices.busy && code === 'rate_limited' ? notices.tooMany : notice
  }
  if (isOutcomeUnknown({ error, at })) return words.outcomeUnknown
  return notices[PRESS_NOTICES[code] ?? 'invalidLink']
}

function chooseLinks(context: PageContext, { error, at, address }: Refusal): PageLink[] {
  const { actions } = context.words
  if (error instanceof LinkRefusal) {
    const returnLink = toReturnLink(context, error.merchant, error.returnFacts)
    return returnLink ? [returnLink] : []
  }
  if (address === null) return []
  if (at === 'press') return [{ href: address, label: actions.openLinkAgain }]
  return isTemporary(error) ? [{ href: address, label: actions.tryAgain }] : []
}

/**
 * Shows the merchant's name and the host of their resultUrl. The host is left out if the resultUrl is our own page, or if the
 * brand names a website.
 */
export function toMerchantRows(
  context: PageContext,
  { merchant }: LinkRefusal,
): NonNullable<NoticeFacts['rows']> {
  const { labels } = context.words
  const showsHost = !isOwnResultPage(context.baseUrl, merchant.resultUrl) && !merchant.brand?.website
  return [
    [labels.merchant, merchant.name],
    [labels.website, showsHost ? new URL(merchant.resultUrl).host : null],
  ]
}

function isTemporary({ status }: ServiceError): boolean {
  return status === 429 || status >= 500
}

export function refusalPage(context: PageContext, refusal: Refusal): Page {
  const { error, requestId } = refusal
  const links = chooseLinks(context, refusal)
  const notice = chooseNotice(context.words, refusal)
  const isPaymentUnknown = notice === context.words.notices.paymentUnknown
  return noticePage(context, notice, {
    tone: isTemporary(error) || isPaymentUnknown ? 'info' : 'warn',
    ...(isPaymentUnknown ? { icon: 'note' } : {}),
    rows: error instanceof LinkRefusal ? toMerchantRows(context, error) : [],
    links,
    fallback: context.help,
    supportReference: requestId,
  })
}

/** Reasons of `payment_failed` after which money may have been taken. */
export const IN_REVIEW = 'in_review'
export const RESOLVED_UNPAID = 'resolved_unpaid'

export function withPayerWords(
  problem: Problem,
  { error, at }: Pick<Refusal, 'error' | 'at'>,
  words: CheckoutWords,
): Problem {
  const { heading, money } = words.outcomeUnknown
  if (isOutcomeUnknown({ error, at })) return { ...problem, detail: money }
  if (error.code !== 'payment_failed') return problem
  const toMessage = (code: string) => (code === IN_REVIEW ? money : toReason(words, code))
  const errors = (problem.errors ?? []).map((one) => ({ ...one, message: toMessage(one.code) }))
  const code = problem.errors?.[0]?.code ?? null
  if (code === IN_REVIEW) return { ...problem, title: heading, detail: money, errors }
  if (code === RESOLVED_UNPAID) {
    const { resolvedUnpaid } = words
    return { ...problem, detail: `${resolvedUnpaid.money} ${resolvedUnpaid.next}`, errors }
  }
  if (canTryAgain(words, code)) return { ...problem, errors }
  const { money: notCharged, next } = declinedNotice(words, code)
  return { ...problem, detail: `${notCharged} ${next}`, errors }
}
