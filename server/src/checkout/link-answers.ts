// What a link's page can be: ready to pay, already paid, or waiting for a payment that somebody began elsewhere.
import type { Notice } from '@pazar/words'
import { chosenLocale } from '../http/request-locale.ts'
import { toPayPath } from '../paylinks/pay-link.ts'
import { toReference } from '../payments/payment.ts'
import { sendJson, sendPage, toContext, toShown } from './answers.ts'
import type { Attempt } from './attempt-token.ts'
import { sealAttempt } from './attempt-token.ts'
import { noticePage } from './notice-page.ts'
import type { LastTry, OpenLink } from './open-link.ts'
import { toGiveUpUrl } from './open-link.ts'
import type { PayForm, Tone, Way } from './page-parts.ts'
import { toMoney, toReferenceRow } from './page-parts.ts'
import type { ReadyFacts } from './ready-page.ts'
import { readyPage, toOrderReference } from './ready-page.ts'
import type { ReturnFacts } from './return-url.ts'
import { toReturnUrl } from './return-url.ts'
import type { Visit } from './visit.ts'

/** The link's own address, in the language that this one was asked for in. */
export function toLinkUrl({ req }: Visit, { link }: Pick<OpenLink, 'link'>): string {
  return toPayPath(link, chosenLocale(req))
}

function toShopUrl({ link, shop }: OpenLink, status: ReturnFacts['status']): string {
  return toReturnUrl(shop.resultUrl, { status, customId: link.customId, mode: link.mode })
}

function sendLinkPage(visit: Visit, open: OpenLink, page: ReturnType<typeof noticePage>): void {
  const { link, shop } = open
  const isGet = visit.req.method === 'GET'
  return sendPage(visit, page, {
    mode: link.mode,
    resultUrl: shop.resultUrl,
    ...(isGet ? {} : { reopenUrl: toLinkUrl(visit, open) }),
  })
}

export interface Offer {
  attempt: Pick<Attempt, 'id' | 'checkoutId'>
  notice: ReadyFacts['notice']
  /** How this browser's last try ended, if it made one. */
  last: LastTry | null
}

/** The page to confirm, or to try once more with a fresh token where nothing was charged. */
export function sendReady(visit: Visit, open: OpenLink, offer: Offer): void {
  const { deps, wantsJson } = visit
  const { link, shop } = open
  const attempt = { ...offer.attempt, link, replaces: null, shown: toShown(visit) }
  const token = sealAttempt(deps.attemptTokens, attempt, deps.clock.nowMs())
  if (wantsJson) {
    const { currency } = deps.config
    const { amount, mode } = link
    return sendJson(visit, { status: 'ready', merchant: shop.name, amount, currency, mode, token })
  }
  const backUrl = toGiveUpUrl(link, shop, offer.last)
  const facts = { action: toLinkUrl(visit, open), token, backUrl, notice: offer.notice }
  return sendLinkPage(visit, open, readyPage(toContext(visit), open, facts))
}

function sendNotice(
  visit: Visit,
  open: OpenLink,
  notice: Notice,
  facts: { tone: Tone; ways: readonly Way[]; form?: PayForm },
): void {
  const rows = [[visit.words.labels.orderReference, toOrderReference(open)]] as const
  return sendLinkPage(visit, open, noticePage(toContext(visit), notice, { ...facts, rows }))
}

/** Without the payment's id: whose it was is not this payer's business. */
export function sendAlreadyPaid(visit: Visit, open: OpenLink): void {
  const { words, wantsJson } = visit
  const redirectUrl = toShopUrl(open, 'success')
  if (wantsJson) return sendJson(visit, { status: 'succeeded', redirectUrl })
  const ways = [{ href: redirectUrl, label: words.actions.returnToMerchant }]
  return sendNotice(visit, open, words.notices.alreadyPaid, { tone: 'ok', ways })
}

export function sendConflict(visit: Visit, open: OpenLink): void {
  const { words } = visit
  const ways = [{ href: toShopUrl(open, 'cancel'), label: words.actions.returnToMerchant }]
  return sendNotice(visit, open, words.notices.conflict, { tone: 'warn', ways })
}

/** Somebody else's payment of this order is under way. */
export function sendInFlight(visit: Visit, open: OpenLink): void {
  const { words, wantsJson } = visit
  const redirectUrl = toShopUrl(open, 'pending')
  if (wantsJson) return sendJson(visit, { status: 'processing', redirectUrl })
  const ways = [
    { href: toLinkUrl(visit, open), label: words.actions.checkAgain },
    { href: redirectUrl, label: words.actions.returnToMerchant },
  ]
  return sendNotice(visit, open, words.inFlight, { tone: 'info', ways })
}

/** The same, in review: only by its reference, which leads nobody to the payment itself. */
export function sendOrderInReview(visit: Visit, open: OpenLink, id: string): void {
  const { words, wantsJson } = visit
  if (wantsJson) return sendInFlight(visit, open)
  const ways = [
    { href: toLinkUrl(visit, open), label: words.actions.checkAgain },
    { href: toShopUrl(open, 'pending'), label: words.actions.returnToMerchant },
  ]
  const rows = [toReferenceRow(words, toReference(id))]
  return sendLinkPage(visit, open, noticePage(toContext(visit), words.inReview, { tone: 'warn', rows, ways }))
}

/** The same, left open at the bank: it can be cancelled for a new one, which is an act of its own. */
export function sendBankStepElsewhere(
  visit: Visit,
  open: OpenLink,
  facts: {
    holderId: string
    attempt: Pick<Attempt, 'id' | 'checkoutId'>
    notice: Notice
    bankUrl?: string | null
  },
): void {
  const { actions } = visit.words
  const form = toStartOverForm(visit, open, facts.attempt, facts.holderId)
  const ways = [
    ...(facts.bankUrl ? [{ href: facts.bankUrl, label: actions.continueAtBank }] : []),
    { href: toShopUrl(open, 'pending'), label: actions.returnToMerchant },
  ]
  return sendNotice(visit, open, facts.notice, { tone: 'info', form, ways })
}

/** A new attempt that has to see the open one cancelled before it may begin. */
export function toStartOverForm(
  visit: Visit,
  { link }: Pick<OpenLink, 'link'>,
  { id, checkoutId }: Pick<Attempt, 'id' | 'checkoutId'>,
  replaces: string,
): PayForm {
  const { deps, words } = visit
  const attempt = { id, checkoutId, link, replaces, shown: toShown(visit) }
  return {
    action: toLinkUrl(visit, { link }),
    token: sealAttempt(deps.attemptTokens, attempt, deps.clock.nowMs()),
    label: words.actions.startOver(toMoney(toContext(visit), BigInt(link.amount))),
  }
}
