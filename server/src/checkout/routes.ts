// The routes of payers. They need no session and no script. Errors are pages unless the caller wants JSON.
// Why this is long: one list of routes.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  payAnswer,
  payBody,
  payLinkAnswer,
  payQuery,
  payReceiptBody,
  payStateAnswer,
  payStateQuery,
  paySuccessfulAnswer,
  paySuccessfulQuery,
} from '@pazar/contract'
import { finishBankStep } from '../backends/sandbox.ts'
import { addressOf, toAddressKey } from '../http/client-address.ts'
import { pageOr, redirect, refusalsOrPages } from '../http/openapi.ts'
import { beginRefusal } from '../http/problem-reply.ts'
import { localeOf } from '../http/request-locale.ts'
import type { Http, HttpTools } from '../http/server.ts'
import { acceptForms, queryOf } from '../http/server.ts'
import { ServiceError } from '../lib/service-error.ts'
import { parsePayLink, toLinkKey } from '../paylinks/pay-link.ts'
import { openAttempt } from './attempt-token.ts'
import { confirmLink } from './confirm-link.ts'
import type { CheckoutDeps } from './deps.ts'
import { withCurrencyOf } from './page-parts.ts'
import type { Refusal } from './pay-outcome.ts'
import type { Payer, ToPayer } from './payer.ts'
import { createPayers } from './payer.ts'
import { requestReceipt } from './request-receipt.ts'
import { respond, toPageContext, toRedirect } from './respond.ts'
import { sandboxBankPage } from './sandbox-bank-page.ts'
import { sendPage, toOwnAddress } from './send-page.ts'
import { showConfirmation } from './show-confirmation.ts'
import { showLink } from './show-link.ts'
import { requireSandboxPayment, showPayment } from './show-payment.ts'

const transactionParams = z.strictObject({ transactionId: z.string() })
const LINK_REFUSALS = [
  'invalid_request',
  'invalid_signature',
  'kyc_required',
  'shop_not_ready',
  'not_found',
  'link_expired',
  'archived',
  'rate_limited',
  'unavailable',
] as const

export async function registerCheckoutRoutes(
  root: Http,
  deps: CheckoutDeps,
  tools: HttpTools,
): Promise<void> {
  await root.register(async (app: Http) => {
    const toPayer = createPayers(deps, tools.cookies)
    acceptForms(app)
    app.setErrorHandler((thrown: FastifyError, req, reply) => {
      const error = beginRefusal(req, reply, thrown)
      const refusal = toRefusal(deps, req, error, toPayer(req, reply))
      return respond(deps, req, reply, { kind: 'refused', ...refusal })
    })
    registerLinkRoutes(app, deps, tools, toPayer)
    registerPaymentRoutes(app, deps, tools, toPayer)
    registerReceiptRoute(app, deps, tools, toPayer)
    registerSandboxBank(app, deps, tools)
  })
}

function hasPressed(req: FastifyRequest, payer: Payer): boolean {
  try {
    return payer.attempts.find(parsePayLink(queryOf(req)))?.isPressed === true
  } catch (error) {
    if (error instanceof ServiceError) return false // The URL is not a valid link, so nothing was paid with it.
    throw error
  }
}

/** Reads the Referer header, and returns the pay link of the page that sent the form. */
function findFormPage(req: FastifyRequest, baseUrl: string): string | null {
  const from = req.headers.referer ?? ''
  return from.startsWith(`${baseUrl}/pay?`) ? from.slice(baseUrl.length) : null
}

function toRefusal(
  { config: { baseUrl } }: CheckoutDeps,
  req: FastifyRequest,
  error: ServiceError,
  payer: Payer,
): Refusal {
  const isGet = req.method === 'GET'
  const routeName = req.routeOptions.url !== '/pay' ? 'state' : isGet ? 'link' : 'press'
  const address = toOwnAddress(req)
  return {
    error,
    at: routeName,
    hasPressed: routeName === 'link' && hasPressed(req, payer),
    // The form is posted to the URL of its pay link. If the payer opens this URL, it shows the link or its payment.
    address:
      isGet || address.startsWith('/pay?')
        ? address
        : routeName === 'press'
          ? findFormPage(req, baseUrl)
          : null,
    requestId: req.id,
  }
}

function registerLinkRoutes(app: Http, deps: CheckoutDeps, tools: HttpTools, toPayer: ToPayer): void {
  app.get(
    '/pay',
    {
      config: { logsErrorsOnly: true, describedQuery: payQuery, checksQuery: true },
      onRequest: tools.limits('PAY_GET'),
      schema: {
        tags: ['checkout'],
        summary: 'The hosted checkout page',
        response: {
          200: pageOr(z.union([payLinkAnswer, payStateAnswer, payAnswer])),
          ...refusalsOrPages(...LINK_REFUSALS),
        },
      },
    },
    async (req, reply) => respond(deps, req, reply, await showLink(deps, toPayer(req, reply), queryOf(req))),
  )

  // The token is opened here for the rate limit only. confirmLink opens it again and does not depend on the rate limit.
  const toPressKey = (req: FastifyRequest) => {
    const { token } = req.body as z.infer<typeof payBody>
    const attempt = openAttempt(deps.attemptTokens, token, deps.clock.nowMs())
    return `${toAddressKey(addressOf(req))} ${attempt ? toLinkKey(attempt.link) : 'unreadable'}`
  }
  app.post(
    '/pay',
    {
      config: { logsErrorsOnly: true, crossSiteCheck: 'always' },
      onRequest: tools.limits('PAY_POST'),
      preHandler: tools.limits('PAY_POST_LINK', toPressKey),
      schema: {
        tags: ['checkout'],
        summary: 'Confirm the payment shown',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: payBody,
        response: {
          200: pageOr(payAnswer),
          303: redirect,
          ...refusalsOrPages(...LINK_REFUSALS, 'payment_failed', 'custom_id_conflict', 'token_expired'),
        },
      },
    },
    async (req, reply) => {
      const form = { token: req.body.token, query: req.url.includes('?') ? queryOf(req) : null }
      return respond(deps, req, reply, await confirmLink(deps, toPayer(req, reply), form))
    },
  )
}

function registerPaymentRoutes(app: Http, deps: CheckoutDeps, tools: HttpTools, toPayer: ToPayer): void {
  app.get(
    '/pay/successful',
    {
      config: { describedQuery: paySuccessfulQuery, checksQuery: true },
      onRequest: tools.limits('PAY_GET'),
      schema: {
        tags: ['checkout'],
        summary: 'Confirmation page with the state of the payment',
        response: { 200: pageOr(paySuccessfulAnswer), ...refusalsOrPages('rate_limited') },
      },
    },
    async (req, reply) =>
      respond(deps, req, reply, await showConfirmation(deps, toPayer(req, reply), queryOf(req))),
  )

  // Requests are counted by IP address and payment, because a page polls every few seconds, and many payers of one phone
  // network share an IP address.
  const toPollKey = (req: FastifyRequest) =>
    `${toAddressKey(addressOf(req))} ${(req.params as z.infer<typeof transactionParams>).transactionId}`
  app.get(
    '/pay/:transactionId',
    {
      // A query that cannot be decoded is accepted: banks add parameters, some in an older encoding such as Windows-1250.
      config: { logsErrorsOnly: true, describedQuery: payStateQuery, checksQuery: true },
      onRequest: [tools.limits('PAY_GET'), tools.limits('PAY_STATE', toPollKey)],
      schema: {
        tags: ['checkout'],
        summary: "A payment's current state, or its receipt once it is paid",
        params: transactionParams,
        response: {
          200: pageOr(payStateAnswer),
          303: redirect,
          ...refusalsOrPages('not_found', 'rate_limited', 'unavailable'),
        },
      },
    },
    async (req, reply) => {
      const requested = { id: req.params.transactionId, isReturn: queryOf(req).all('return')[0] === '1' }
      return respond(deps, req, reply, await showPayment(deps, toPayer(req, reply), requested))
    },
  )

  // Some banks return the payer with a form. Browsers do not send our cookies with a form of another site, but they send
  // them with the GET that follows.
  const redirectToGet = async (req: FastifyRequest, reply: FastifyReply) =>
    reply.redirect(toOwnAddress(req), 303)
  app.post(
    '/pay/:transactionId',
    {
      config: { logsErrorsOnly: true, checksQuery: true },
      // The response is sent before the body is read, so a bank may send any fields in any encoding.
      onRequest: [tools.limits('PAY_GET'), redirectToGet],
      schema: { hide: true, params: transactionParams },
    },
    redirectToGet,
  )
}

function registerReceiptRoute(app: Http, deps: CheckoutDeps, tools: HttpTools, toPayer: ToPayer): void {
  app.post(
    '/pay/:transactionId/receipt',
    {
      config: { logsErrorsOnly: true, crossSiteCheck: 'always' },
      onRequest: tools.limits('PAY_POST'),
      // Only the browser that paid can use this route, so it is not part of the API's description.
      schema: { hide: true, params: transactionParams, body: payReceiptBody },
    },
    async (req, reply) => {
      const requested = {
        id: req.params.transactionId,
        email: req.body.email,
        ip: addressOf(req),
        locale: localeOf(req),
      }
      const outcome = await requestReceipt(deps, toPayer(req, reply), requested)
      return respond(deps, req, reply.code(202), outcome)
    },
  )

  // The page after the post has this URL, and payers may save the URL or open it again.
  app.get(
    '/pay/:transactionId/receipt',
    { onRequest: tools.limits('PAY_GET'), schema: { hide: true, params: transactionParams } },
    async (req, reply) => reply.redirect(`/pay/${encodeURIComponent(req.params.transactionId)}`, 303),
  )
}

function registerSandboxBank(app: Http, deps: CheckoutDeps, tools: HttpTools): void {
  app.get(
    '/sandbox/bank/:transactionId',
    { onRequest: tools.limits('PAY_GET'), schema: { hide: true, params: transactionParams } },
    async (req, reply) => {
      const context = toPageContext(deps, req)
      const { payment, merchant } = await requireSandboxPayment(deps, req.params.transactionId)
      const page = sandboxBankPage(withCurrencyOf(context, payment), payment, merchant.name)
      const { resultUrl } = merchant
      const response = { status: 200, page, mode: payment.mode, resultUrl, reopenPath: null }
      sendPage(deps.config, req, reply, context.locale, response)
      return reply
    },
  )

  app.post(
    '/sandbox/bank/:transactionId',
    {
      config: { crossSiteCheck: 'always' },
      onRequest: tools.limits('PAY_POST'),
      schema: {
        hide: true,
        params: transactionParams,
        body: z.strictObject({ outcome: z.enum(['approve', 'decline']) }),
      },
    },
    async (req, reply) => {
      const { payment } = await requireSandboxPayment(deps, req.params.transactionId)
      await finishBankStep(deps.db, payment.id, req.body.outcome)
      const context = toPageContext(deps, req)
      const response = toRedirect(context, 'state', `${context.baseUrl}/pay/${payment.id}?return=1`)
      sendPage(deps.config, req, reply, context.locale, response)
      return reply
    },
  )
}
