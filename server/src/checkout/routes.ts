// The payer's side: the page a pay link opens, its button, the live state of a payment, and the sandbox's bank. No
// session, no script needed, one request a page. Errors are pages unless a program asked.
import type { FastifyError, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  payAnswer,
  payBody,
  payLinkAnswer,
  payQuery,
  payStateAnswer,
  payStateQuery,
  paySuccessfulAnswer,
  paySuccessfulQuery,
} from '@pazar/contract'
import { finishBankStep } from '../backends/sandbox.ts'
import { addressOf } from '../http/client-address.ts'
import { pageOr, redirect, refusalsOrPages } from '../http/openapi.ts'
import { toAddressKey } from '../http/rate-limits.ts'
import type { Http, HttpTools } from '../http/server.ts'
import { acceptForms } from '../http/server.ts'
import { toLinkKey } from '../paylinks/pay-link.ts'
import { sendOn, sendPage, toContextOf } from './answers.ts'
import { openAttempt } from './attempt-token.ts'
import { confirmLink } from './confirm-link.ts'
import type { CheckoutDeps } from './deps.ts'
import { answerRefusal } from './refusal-answer.ts'
import { sandboxBankPage } from './sandbox-bank-page.ts'
import { showLink } from './show-link.ts'
import { requireSandboxPayment, showPayment } from './show-payment.ts'
import { showConfirmation } from './show-confirmation.ts'
import type { ToVisit } from './visit.ts'
import { createVisits } from './visit.ts'

const transactionParams = z.strictObject({ transactionId: z.string() })
const LINK_REFUSALS = [
  'invalid_request',
  'invalid_signature',
  'kyc_required',
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
    const toVisit = createVisits(deps, tools)
    acceptForms(app)
    app.setErrorHandler((thrown: FastifyError, req, reply) => answerRefusal(toVisit(req, reply), thrown))
    registerLinkRoutes(app, deps, tools, toVisit)
    registerPaymentRoutes(app, tools, toVisit)
    registerSandboxBank(app, deps, tools, toVisit)
  })
}

function registerLinkRoutes(app: Http, deps: CheckoutDeps, tools: HttpTools, toVisit: ToVisit): void {
  app.get(
    '/pay',
    {
      config: { hot: true, describedQuery: payQuery },
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
    async (req, reply) => {
      await showLink(toVisit(req, reply))
      return reply
    },
  )

  // Opened here and again when it is confirmed: a few microseconds, and neither has to know of the other.
  const toCaller = (req: FastifyRequest) => {
    const { token } = req.body as z.infer<typeof payBody>
    const attempt = openAttempt(deps.attemptTokens, token, deps.clock.nowMs())
    return `${toAddressKey(addressOf(req))} ${attempt ? toLinkKey(attempt.link) : 'unreadable'}`
  }
  app.post(
    '/pay',
    {
      config: { hot: true, site: 'guarded' },
      onRequest: tools.limits('PAY_POST'),
      preHandler: tools.limits('PAY_POST_LINK', toCaller),
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
      await confirmLink(toVisit(req, reply), req.body.token)
      return reply
    },
  )
}

function registerPaymentRoutes(app: Http, tools: HttpTools, toVisit: ToVisit): void {
  app.get(
    '/pay/successful',
    {
      config: { describedQuery: paySuccessfulQuery },
      onRequest: tools.limits('PAY_GET'),
      schema: {
        tags: ['checkout'],
        summary: 'Plain confirmation page',
        response: { 200: pageOr(paySuccessfulAnswer), ...refusalsOrPages('rate_limited') },
      },
    },
    async (req, reply) => {
      showConfirmation(toVisit(req, reply))
      return reply
    },
  )

  // By address and payment: a page asks every few seconds, and many payers share the address of one phone network.
  const toWatcher = (req: FastifyRequest) =>
    `${toAddressKey(addressOf(req))} ${(req.params as z.infer<typeof transactionParams>).transactionId}`
  app.get(
    '/pay/:transactionId',
    {
      config: { hot: true, describedQuery: payStateQuery },
      onRequest: [tools.limits('PAY_GET'), tools.limits('PAY_STATE', toWatcher)],
      schema: {
        tags: ['checkout'],
        summary: "A payment's live state, then its receipt",
        params: transactionParams,
        response: {
          200: pageOr(payStateAnswer),
          303: redirect,
          ...refusalsOrPages('not_found', 'rate_limited', 'unavailable'),
        },
      },
    },
    async (req, reply) => {
      await showPayment(toVisit(req, reply), req.params.transactionId)
      return reply
    },
  )
}

function registerSandboxBank(app: Http, deps: CheckoutDeps, tools: HttpTools, toVisit: ToVisit): void {
  app.get(
    '/sandbox/bank/:transactionId',
    { onRequest: tools.limits('PAY_GET'), schema: { hide: true, params: transactionParams } },
    async (req, reply) => {
      const visit = toVisit(req, reply)
      const { payment, shop } = await requireSandboxPayment(deps, req.params.transactionId)
      const page = sandboxBankPage(toContextOf(visit, payment), payment)
      sendPage(visit, page, { mode: payment.mode, resultUrl: shop.resultUrl })
      return reply
    },
  )

  app.post(
    '/sandbox/bank/:transactionId',
    {
      config: { site: 'guarded' },
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
      sendOn(toVisit(req, reply), 'state', `${deps.config.baseUrl}/pay/${payment.id}?return=1`)
      return reply
    },
  )
}
