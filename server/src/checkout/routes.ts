// The payer's side: the page a pay link opens, its button, the live state of a payment, and the sandbox's bank. No
// session, no script, one request a page. Errors are pages unless a program asked.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { payAnswer, payBody, payStateAnswer, TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { ErrorCode } from '@pazar/contract'
import { catalogue } from '@pazar/words'
import type { Notice } from '@pazar/words'
import { finishBankStep } from '../backends/sandbox.ts'
import { prefersJson } from '../http/accept.ts'
import { refusals } from '../http/openapi.ts'
import { beginRefusal, toProblem } from '../http/problem-reply.ts'
import type { Http, HttpTools } from '../http/server.ts'
import { acceptForms, queryOf } from '../http/server.ts'
import { localeOf } from '../http/request-locale.ts'
import { ServiceError } from '../lib/service-error.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { isFinal, toReference } from '../payments/payment.ts'
import { findPayment } from '../payments/payments-store.ts'
import { refreshPayment } from '../payments/reconcile.ts'
import { contextOf, sendPage } from './answers.ts'
import { openAttempt } from './attempt-token.ts'
import { answerForm, nextUrl, sendAlreadyPaid, sendReady, toJsonAnswer } from './confirm-answer.ts'
import type { CheckoutDeps } from './deps.ts'
import { openLink } from './open-link.ts'
import { findShop } from './pay-target-store.ts'
import { noticePage, paymentPage, sandboxBankPage, successfulPage } from './pages.ts'

/** Long enough not to hammer, short enough that a payer does not start to wonder. */
const REFRESH_SEC = 2

const NOTICE_BY_CODE: Partial<Record<ErrorCode, keyof ReturnType<typeof catalogue>['checkout']['notices']>> =
  {
    link_expired: 'linkExpired',
    archived: 'archived',
    kyc_required: 'cannotTakePayments',
    custom_id_conflict: 'conflict',
    rate_limited: 'busy',
    unavailable: 'busy',
    internal_error: 'busy',
    upstream_error: 'busy',
  }

function wantsJson(req: FastifyRequest): boolean {
  return (
    req.headers['content-type']?.startsWith('application/json') === true || prefersJson(req.headers.accept)
  )
}

const transactionParams = z.strictObject({ transactionId: z.string().regex(TRANSACTION_ID_PATTERN) })

export async function registerCheckoutRoutes(
  root: Http,
  deps: CheckoutDeps,
  tools: HttpTools,
): Promise<void> {
  await root.register(async (app: Http) => {
    acceptForms(app)
    app.setErrorHandler((thrown: FastifyError, req, reply) => {
      const error = beginRefusal(req, reply, thrown)
      if (wantsJson(req)) {
        const problem = toProblem(error, {
          baseUrl: deps.config.baseUrl,
          requestId: req.id,
          locale: localeOf(req),
        })
        return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problem))
      }
      const context = contextOf(deps, req)
      const words = catalogue(context.locale).checkout
      const notice: Notice = words.notices[NOTICE_BY_CODE[error.code] ?? 'invalidLink']
      const retry = error.status === 429 || error.status >= 500
      const way = retry && req.method === 'GET' ? { href: req.url, label: words.actions.tryAgain } : null
      return sendPage(deps, req, reply, noticePage(context, notice, `${error.code} · ${req.id}`, way), {
        mode: null,
      })
    })

    app.get(
      '/pay',
      {
        config: { hot: true },
        onRequest: tools.limits('PAY_GET'),
        schema: { tags: ['checkout'], summary: 'The hosted checkout page' },
      },
      async (req, reply) => {
        const open = await openLink(deps, parsePayLink(queryOf(req)))
        if (open.isSigned && open.shop.holder?.state === 'succeeded')
          return sendAlreadyPaid(deps, req, reply, open)
        return sendReady(deps, req, reply, open, null)
      },
    )

    app.post(
      '/pay',
      {
        config: { hot: true, site: 'guarded' },
        onRequest: tools.limits('PAY_POST'),
        schema: {
          tags: ['checkout'],
          summary: 'Confirm the payment shown',
          body: payBody,
          response: {
            200: payAnswer,
            ...refusals(
              'invalid_request',
              'invalid_signature',
              'payment_failed',
              'kyc_required',
              'not_found',
              'custom_id_conflict',
              'link_expired',
              'archived',
              'rate_limited',
              'unavailable',
            ),
          },
        },
      },
      (req, reply) => confirm(req, reply, req.body.token),
    )

    app.get(
      '/pay/successful',
      { schema: { tags: ['checkout'], summary: 'Plain confirmation page' } },
      async (req, reply) => sendPage(deps, req, reply, successfulPage(contextOf(deps, req)), { mode: null }),
    )

    app.get(
      '/pay/:transactionId',
      {
        onRequest: tools.limits('PAY_STATE'),
        schema: {
          tags: ['checkout'],
          summary: "A payment's live state, then its receipt",
          params: transactionParams,
          response: { 200: payStateAnswer, ...refusals('not_found', 'invalid_request', 'rate_limited') },
        },
      },
      (req, reply) => showPayment(req, reply, req.params.transactionId),
    )

    app.get(
      '/sandbox/bank/:transactionId',
      { schema: { hide: true, params: transactionParams } },
      async (req, reply) => {
        const payment = await requirePayment(req.params.transactionId)
        const page = sandboxBankPage(contextOf(deps, req), payment)
        const shop = await findShop(deps.db, payment.projectId)
        return sendPage(deps, req, reply, page, { mode: 'test', resultUrl: shop.resultUrl })
      },
    )
    app.post(
      '/sandbox/bank/:transactionId',
      {
        config: { site: 'guarded' },
        schema: {
          hide: true,
          params: transactionParams,
          body: z.strictObject({ outcome: z.enum(['approve', 'decline']) }),
        },
      },
      async (req, reply) => {
        const payment = await requirePayment(req.params.transactionId)
        await finishBankStep(deps.db, payment.id, req.body.outcome)
        return reply.redirect(`${deps.config.baseUrl}/pay/${payment.id}?return=1`, 303)
      },
    )
  })

  async function requirePayment(id: string) {
    const payment = await findPayment(deps.db, id)
    if (!payment) throw new ServiceError('not_found')
    return payment
  }

  async function confirm(req: FastifyRequest, reply: FastifyReply, token: string) {
    const attempt = openAttempt(deps.attemptTokens, token, deps.clock.nowMs())
    const open = await openLink(deps, attempt.link)
    if (attempt.isTooOld) {
      if (wantsJson(req)) throw new ServiceError('token_expired')
      return sendReady(deps, req, reply.code(410), open, catalogue(localeOf(req)).checkout.notices.pageTooOld)
    }
    const outcome = await confirmPayment(deps, {
      attemptId: attempt.id,
      projectId: open.link.projectId,
      mode: open.link.mode,
      amount: BigInt(open.link.amount),
      currency: deps.config.currency,
      customId: open.link.customId,
      data: open.link.data === '' ? null : open.link.data,
    })
    return wantsJson(req)
      ? reply.send(toJsonAnswer(deps, open, outcome))
      : answerForm(deps, req, reply, open, outcome)
  }

  async function showPayment(req: FastifyRequest, reply: FastifyReply, id: string) {
    const known = await requirePayment(id)
    const payment = isFinal(known.state) ? known : await refreshPayment(deps, known)
    const shop = await findShop(deps.db, payment.projectId)
    const redirectUrl = nextUrl(deps, payment, shop.resultUrl)
    if (wantsJson(req)) {
      return reply.send({
        status: payment.state,
        transactionId: payment.id,
        reference: toReference(payment.id),
        redirectUrl,
      })
    }
    const isReturn = queryOf(req).all('return')[0] === '1'
    if (isReturn && payment.state === 'succeeded') return reply.redirect(redirectUrl, 303)
    const page = paymentPage(contextOf(deps, req), payment, shop)
    const options = { mode: payment.mode, resultUrl: shop.resultUrl }
    return sendPage(
      deps,
      req,
      reply,
      page,
      payment.state === 'processing' ? { ...options, refreshSec: REFRESH_SEC } : options,
    )
  }
}
