// RENDERERS says for each outcome which page or which JSON is sent, and with which HTTP status. No decision about money is
// made here.
// Why this is long: one list of outcomes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { paySuccessfulAnswer } from '@pazar/contract'
import { catalogue } from '@pazar/words'
import { wantsJson } from '../http/accept.ts'
import { toProblem } from '../http/problem-reply.ts'
import { chosenLocale, localeOf } from '../http/request-locale.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { isFinal, isInReview, isPaid, isUnpaid, toReference } from '../payments/payment.ts'
import { sealAttempt } from './attempt-token.ts'
import type { CheckoutDeps } from './deps.ts'
import { toCurrentCurrency } from './deps.ts'
import type { Destination } from './redirect-page.ts'
import { redirectPage } from './redirect-page.ts'
import { toNextUrl } from './next-url.ts'
import { LinkRefusal } from './check-link.ts'
import type { CheckedLink } from './check-link.ts'
import {
  alreadyPaidPage,
  bankStepKeptPage,
  conflictPage,
  inFlightPage,
  orderInReviewPage,
  toMerchantUrl,
} from './order-pages.ts'
import { toLinkPath } from './pay-forms.ts'
import { createStepTexts } from './pay-steps.ts'
import type {
  Confirmation,
  FormRefusal,
  AbandonedLink,
  Offer,
  OutcomeKind,
  PayOutcome,
  RequestedReceipt,
} from './pay-outcome.ts'
import type { Page, PageContext } from './page-parts.ts'
import { canTryAgain, canTryLater, paymentPage, unpaidNotice } from './payment-page.ts'
import { cautiousRetryPage, readyPage } from './ready-page.ts'
import { IN_REVIEW, refusalPage, RESOLVED_UNPAID, withPayerWords } from './refusal-page.ts'
import type { PageResponse } from './send-page.ts'
import { sendPage } from './send-page.ts'
import { mustNotContinueAtBank } from './shown-payment.ts'
import { abandonedPage, abandonedRefusedPage, unconfirmedPage } from './successful-page.ts'

interface Renderer<K extends OutcomeKind> {
  page: (context: PageContext, outcome: PayOutcome<K>) => PageResponse
  /** An error is sent with its own status. An object is sent with 200, unless the route has set another status. */
  json: (context: PageContext, outcome: PayOutcome<K>) => object | ServiceError
}

/** The status is 303, so that the browser requests the target with GET. */
export function toRedirect(context: PageContext, to: Destination, url: string): PageResponse {
  const location = new URL(url).href // A header must be ASCII, but an upstream may send any characters.
  const page = redirectPage(context, to, location)
  return { status: 303, page, mode: null, reopenPath: null, location, holdsPayment: true }
}

function toLinkResponse(
  context: PageContext,
  { link, target }: CheckedLink,
  page: Page,
  status = 200,
): PageResponse {
  const reopenPath = toLinkPath(context, link)
  const { resultUrl, brand } = target
  return { status, page, mode: link.mode, resultUrl, brand, reopenPath }
}

function toPaymentResponse(
  context: PageContext,
  state: Omit<PayOutcome<'payment_state'>, 'kind'>,
  requested: RequestedReceipt | null = null,
): PageResponse {
  const { payment, merchant } = state
  return {
    status: 200,
    page: paymentPage(context, state, requested),
    mode: payment.mode,
    backend: payment.backend,
    resultUrl: merchant.resultUrl,
    brand: merchant.brand,
    reopenPath: `/pay/${payment.id}`,
    holdsPayment: true,
  }
}

/** Only a stored payment can be reported as a success or a failure. */
function toConfirmationStatus({
  state,
  abandoned,
  isCancelled,
}: Pick<Confirmation, 'state' | 'abandoned' | 'isCancelled'>): z.infer<typeof paySuccessfulAnswer>['status'] {
  if (abandoned?.kind === 'already_paid') return 'success'
  if (abandoned?.kind === 'in_flight' || abandoned?.kind === 'order_in_review') return 'pending'
  if (isCancelled) return 'cancel'
  if (state === null || state === 'unavailable') return 'pending'
  return isPaid(state.payment) ? 'success' : isUnpaid(state.payment) ? 'fail' : 'pending'
}

function toAbandonedResponse(context: PageContext, abandoned: AbandonedLink): PageResponse {
  switch (abandoned.kind) {
    case 'abandoned':
      return toLinkResponse(context, abandoned.checkedLink, abandonedPage(context, abandoned))
    case 'already_paid':
      return RENDERERS.already_paid.page(context, abandoned)
    case 'in_flight':
      return RENDERERS.in_flight.page(context, abandoned)
    case 'order_in_review':
      return RENDERERS.order_in_review.page(context, abandoned)
    case 'link_refused': {
      const { mode, merchant } = abandoned.refusal
      const page = abandonedRefusedPage(context, abandoned)
      return { status: 200, page, mode, brand: merchant.brand, reopenPath: null }
    }
  }
}

function toUnpaidResponse(
  context: PageContext,
  offer: Offer,
  payment: NonNullable<Offer['last']>,
  status: number,
): PageResponse {
  const { isSimulated } = context.stepsOf(offer.checkedLink.link.mode)
  const text = unpaidNotice(context.words, payment, isSimulated)
  const reference = toReference(payment.id)
  const { failureCode, resolution } = payment
  const page =
    canTryAgain(context.words, failureCode) && resolution === null
      ? readyPage(context, offer, { text, tone: 'error', reference })
      : cautiousRetryPage(context, offer, text, reference, canTryLater(failureCode))
  return toLinkResponse(context, offer.checkedLink, page, status)
}

const FORM_REFUSALS: Readonly<Record<FormRefusal, { status: number; toError: () => ServiceError }>> = {
  formInvalid: { status: 400, toError: () => invalidField('token', 'invalid') },
  pageTooOld: { status: 410, toError: () => new ServiceError('token_expired') },
  currencyChanged: { status: 410, toError: () => new ServiceError('token_expired') },
  openElsewhere: { status: 410, toError: () => new ServiceError('token_expired') },
}

function toFailed(code: string): ServiceError {
  return new ServiceError('payment_failed', { fields: [{ path: 'payment', code }] })
}

function redirectRenderer(
  status: 'succeeded' | 'requires_action' | 'processing',
  to: Destination,
): Renderer<'paid' | 'at_bank' | 'processing'> {
  return {
    page: (context, { payment, resultUrl }) =>
      toRedirect(context, to, toNextUrl(context.baseUrl, payment, resultUrl)),
    json: ({ baseUrl }, { payment, resultUrl }) => ({
      status,
      transactionId: payment.id,
      redirectUrl: toNextUrl(baseUrl, payment, resultUrl),
    }),
  }
}

function toInFlightJson(checkedLink: CheckedLink): object {
  return { status: 'processing', redirectUrl: toMerchantUrl(checkedLink, 'pending') }
}

const RECEIPT_STATUS = { sent: 202, invalid: 400, limited: 429 } as const

export const RENDERERS: { readonly [K in OutcomeKind]: Renderer<K> } = {
  ready: {
    page: (context, offer) =>
      offer.last && isUnpaid(offer.last)
        ? toUnpaidResponse(context, offer, offer.last, 200)
        : toLinkResponse(context, offer.checkedLink, readyPage(context, offer, null)),
    json: (
      { currency, sealAttempt: seal },
      { checkedLink: { link, target }, attempt: { id, checkoutId } },
    ) => ({
      status: 'ready',
      merchant: target.name,
      amount: link.amount,
      currency,
      mode: link.mode,
      token: seal({ id, checkoutId, link, replaces: null }),
    }),
  },
  form_refused: {
    page: (context, { reason, ...offer }) => {
      const notice = { text: context.words.notices[reason], tone: 'warn', reference: null } as const
      return toLinkResponse(
        context,
        offer.checkedLink,
        readyPage(context, offer, notice),
        FORM_REFUSALS[reason].status,
      )
    },
    json: (_, { reason }) => FORM_REFUSALS[reason].toError(),
  },
  declined: {
    page: (context, { checkedLink, attempt, payment }) =>
      toUnpaidResponse(context, { checkedLink, attempt, last: payment }, payment, 402),
    json: (_, { payment }) =>
      toFailed(payment.resolution === null ? (payment.failureCode ?? 'declined') : RESOLVED_UNPAID),
  },
  paid: redirectRenderer('succeeded', 'merchant'),
  at_bank: redirectRenderer('requires_action', 'bank'),
  processing: redirectRenderer('processing', 'state'),
  in_review: {
    page: (context, { payment }) => toRedirect(context, 'state', `${context.baseUrl}/pay/${payment.id}`),
    // The status is never `requires_action`, because the payer must not continue at the bank.
    json: ({ baseUrl }, { payment: { id, state } }) =>
      isFinal(state)
        ? toFailed(IN_REVIEW)
        : { status: 'processing', transactionId: id, redirectUrl: `${baseUrl}/pay/${id}` },
  },
  payment_state: {
    page: (context, outcome) => toPaymentResponse(context, outcome),
    json: ({ baseUrl }, { payment, merchant, other }) => {
      const isHeld = mustNotContinueAtBank(payment, other)
      return {
        status: isHeld ? 'processing' : payment.state,
        transactionId: payment.id,
        reference: toReference(payment.id),
        successful: isPaid(payment),
        needsReview: isInReview(payment) || (isHeld && other.standing === 'in_review'),
        resolution: payment.resolution,
        refunded: payment.sums.refunded.toString(),
        redirectUrl: toNextUrl(
          baseUrl,
          isHeld ? { ...payment, actionUrl: null } : payment,
          merchant.resultUrl,
        ),
      }
    },
  },
  receipt_requested: {
    page: (context, { state, requested }) => ({
      ...toPaymentResponse(context, state, requested),
      status: RECEIPT_STATUS[requested.result],
    }),
    json: (_, { error }) => error ?? { status: 'accepted' },
  },
  already_paid: {
    page: (context, outcome) =>
      toLinkResponse(context, outcome.checkedLink, alreadyPaidPage(context, outcome)),
    json: (_, { checkedLink }) => ({
      status: 'succeeded',
      redirectUrl: toMerchantUrl(checkedLink, 'success'),
    }),
  },
  in_flight: {
    page: (context, outcome) => toLinkResponse(context, outcome.checkedLink, inFlightPage(context, outcome)),
    json: (_, { checkedLink }) => toInFlightJson(checkedLink),
  },
  order_in_review: {
    page: (context, outcome) =>
      toLinkResponse(context, outcome.checkedLink, orderInReviewPage(context, outcome)),
    json: (_, { checkedLink }) => toInFlightJson(checkedLink),
  },
  bank_step_kept: {
    page: (context, outcome) =>
      toLinkResponse(context, outcome.checkedLink, bankStepKeptPage(context, outcome)),
    json: ({ baseUrl }, { checkedLink, payment, isOwn }) =>
      isOwn
        ? {
            status: 'requires_action',
            transactionId: payment.id,
            redirectUrl: toNextUrl(baseUrl, payment, checkedLink.target.resultUrl),
          }
        : toInFlightJson(checkedLink),
  },
  conflict: {
    page: (context, outcome) =>
      toLinkResponse(context, outcome.checkedLink, conflictPage(context, outcome), 409),
    json: () => new ServiceError('custom_id_conflict'),
  },
  confirmation: {
    page: (context, confirmation) => {
      const { state, mode, abandoned } = confirmation
      if (state && state !== 'unavailable') return toPaymentResponse(context, state)
      return abandoned
        ? toAbandonedResponse(context, abandoned)
        : { status: 200, page: unconfirmedPage(context, confirmation), mode, reopenPath: null }
    },
    json: (_, { transactionId, ...confirmation }) => ({
      status: toConfirmationStatus(confirmation),
      ...(transactionId === null ? {} : { transactionId }),
    }),
  },
  refused: {
    page: (context, refusal) => ({
      status: refusal.error.status,
      page: refusalPage(context, refusal),
      ...(refusal.error instanceof LinkRefusal
        ? { mode: refusal.error.mode, brand: refusal.error.merchant.brand }
        : { mode: null }),
      reopenPath: refusal.address,
    }),
    json: (_, { error }) => error,
  },
}

export function toPageContext(deps: CheckoutDeps, req: FastifyRequest): PageContext {
  const locale = localeOf(req)
  const words = catalogue(locale).checkout
  const nowMs = deps.clock.nowMs()
  const shown = toCurrentCurrency(deps)
  const { supportUrl, operatorName } = deps.config
  return {
    locale,
    help: supportUrl
      ? { href: supportUrl, label: words.actions.help }
      : { href: `/${locale}`, label: words.actions.about(operatorName) },
    words,
    chosenLocale: chosenLocale(req),
    ...shown,
    scaleOfOldPayments: deps.installation.scaleOfOldPayments,
    baseUrl: deps.config.baseUrl,
    nowMs,
    stepsOf: createStepTexts(deps, words),
    sealAttempt: (attempt) => sealAttempt(deps.attemptTokens, { ...attempt, shown }, nowMs),
  }
}

export function respond<K extends OutcomeKind>(
  deps: CheckoutDeps,
  req: FastifyRequest,
  reply: FastifyReply,
  outcome: PayOutcome<K>,
): FastifyReply {
  const context = toPageContext(deps, req)
  const renderer: Renderer<K> = RENDERERS[outcome.kind]
  if (!wantsJson(req.headers)) {
    sendPage(deps.config, req, reply, context.locale, renderer.page(context, outcome))
    return reply
  }
  const body = renderer.json(context, outcome)
  if (!(body instanceof ServiceError)) return reply.header('cache-control', 'no-store').send(body)
  // The error handler logs the error and calls this function again with `refused`.
  if (outcome.kind !== 'refused') throw body
  const facts = { baseUrl: context.baseUrl, requestId: req.id, locale: context.locale }
  const { at } = outcome as PayOutcome<'refused'>
  const problem = withPayerWords(toProblem(body, facts), { error: body, at }, context.words)
  return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem))
}
