// One payment, answered to whoever looks at it: as JSON, or as the page of its state.
import { REDIRECT_WAIT_MAX_MS } from '@pazar/contract'
import { chosenLocale } from '../http/request-locale.ts'
import { queryOf } from '../http/server.ts'
import { isFinal, isInReview, isPaid, isUnpaid, toReference } from '../payments/payment.ts'
import type { Payment } from '../payments/payment.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import { sendJson, sendPage, toContext, toContextOf, toShown } from './answers.ts'
import { nextAttemptId, sealAttempt } from './attempt-token.ts'
import type { CheckoutDeps } from './deps.ts'
import { toLinkUrl, toStartOverForm } from './link-answers.ts'
import { toMoney } from './page-parts.ts'
import type { OwnWays } from './payment-page.ts'
import { paymentPage } from './payment-page.ts'
import { toReturnUrl } from './return-url.ts'
import type { Shop, ShownPayment } from './shown-payment.ts'
import { AGAIN_PARAMETER } from './shown-payment.ts'
import type { Visit } from './visit.ts'

/** Where the payer's browser goes from here: to the bank, to the live state, or back to the shop. */
export function toNextUrl(
  deps: CheckoutDeps,
  payment: Pick<Payment, 'id' | 'state' | 'needsReview' | 'resolution' | 'actionUrl' | 'customId' | 'mode'>,
  resultUrl: string,
): string {
  const isAtBank = payment.state === 'requires_action' && !isInReview(payment)
  if (isAtBank && payment.actionUrl) return payment.actionUrl
  if (!isFinal(payment.state)) return `${deps.config.baseUrl}/pay/${payment.id}?return=1`
  const status = isPaid(payment) ? 'success' : isInReview(payment) ? 'pending' : 'fail'
  const order = { transactionId: payment.id, customId: payment.customId, mode: payment.mode }
  return toReturnUrl(resultUrl, { status, ...order })
}

/** Where the merchant responds quickly, they already have the result when their payer comes back. */
export async function holdReturn(deps: CheckoutDeps, transactionId: string): Promise<void> {
  await deps.deliveryWaits.waitForDelivery(transactionId, REDIRECT_WAIT_MAX_MS)
}

function toOwnWays(visit: Visit, payment: ShownPayment, link: PayLink): OwnWays {
  const { deps, words } = visit
  const url = toLinkUrl(visit, { link })
  const next = { id: nextAttemptId(payment.attemptId), checkoutId: payment.checkoutId }
  if (isInReview(payment)) return { form: null, payOnceMore: null }
  if (payment.state === 'requires_action')
    return { form: toStartOverForm(visit, { link }, next, payment.id), payOnceMore: null }
  if (isUnpaid(payment)) {
    const attempt = { ...next, link, replaces: null, shown: toShown(visit) }
    const token = sealAttempt(deps.attemptTokens, attempt, deps.clock.nowMs())
    const label = words.actions.pay(toMoney(toContext(visit), payment.amount))
    return { form: { action: url, token, label }, payOnceMore: null }
  }
  // An order that is paid stays paid; only a link without one can be paid as often as somebody likes.
  if (!isPaid(payment) || payment.customId !== null) return { form: null, payOnceMore: null }
  const again = `${url}&${AGAIN_PARAMETER}=${toReference(payment.id)}`
  return { form: null, payOnceMore: { href: again, label: words.actions.payOnceMore } }
}

export interface PaymentVisit {
  payment: ShownPayment
  shop: Shop
  /** Null unless this browser made the payment. */
  link: PayLink | null
  isOrderHeld?: boolean
}

export function sendPayment(visit: Visit, { payment, shop, link, isOrderHeld = false }: PaymentVisit): void {
  const { deps, req, wantsJson } = visit
  if (wantsJson) {
    return sendJson(visit, {
      status: payment.state,
      transactionId: payment.id,
      reference: toReference(payment.id),
      successful: isPaid(payment),
      needsReview: isInReview(payment),
      resolution: payment.resolution,
      redirectUrl: toNextUrl(deps, payment, shop.resultUrl),
    })
  }
  const lang = chosenLocale(req)
  const page = paymentPage(toContextOf(visit, payment), {
    payment,
    shop,
    nowMs: deps.clock.nowMs(),
    isReturn: queryOf(req).all('return')[0] === '1',
    stateUrl: `/pay/${payment.id}?return=1${lang ? `&lang=${lang}` : ''}`,
    own: link && toOwnWays(visit, payment, link),
    isOrderHeld,
  })
  const reopenUrl = req.method === 'GET' ? undefined : `/pay/${payment.id}`
  return sendPage(visit, page, {
    mode: payment.mode,
    resultUrl: shop.resultUrl,
    holdsPayment: true,
    ...(reopenUrl === undefined ? {} : { reopenUrl }),
  })
}
