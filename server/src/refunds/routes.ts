import type { FastifyRequest } from 'fastify'
import { refundAnswer, refundBody, transactionDetails, transactionGetBody } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import { describeForMember, readerRefusals, refusals } from '../http/openapi.ts'
import type { Http, HttpTools } from '../http/server.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { getTransactionDetails } from './get-details.ts'
import { toRefundView } from './refund.ts'
import { requestRefund } from './request-refund.ts'

/**
 * Refunds are limited per account and project. Pay links reveal project ids, so if the limit were per project only, any
 * account could use up the limit of a stranger's project. Called after the body has passed its schema.
 */
function toLimitKey(guards: Guards, req: FastifyRequest): string {
  const { body } = req
  const projectId =
    typeof body === 'object' && body !== null && 'projectId' in body ? String(body.projectId) : ''
  return `${guards.callerOf(req).account.id} ${projectId}`
}

export function registerRefundRoutes(app: Http, deps: PaymentDeps, tools: HttpTools, guards: Guards): void {
  app.post(
    '/sdk/transaction/get',
    {
      config: { crossSiteCheck: 'after session', token: 'read', limit: 'TRANSACTION_GET' },
      onRequest: guards.requireSession,
      schema: {
        ...describeForMember('transactions', 'One payment with its refunds and disputes'),
        body: transactionGetBody,
        response: { 200: transactionDetails, ...readerRefusals('forbidden_origin') },
      },
    },
    async (req) => getTransactionDetails(deps, guards.callerOf(req).account.id, req.body),
  )
  app.post(
    '/sdk/transaction/refund',
    {
      config: { crossSiteCheck: 'after session', token: 'refund', stepUp: 'waits after recovery' },
      onRequest: guards.requireSession,
      preHandler: tools.limits('REFUND', (req) => toLimitKey(guards, req)),
      schema: {
        tags: ['transactions'],
        summary: 'Refund a payment, in full or in part (confirm it is you first, or use a refund token)',
        security: [{ session: [] }, { token: [] }],
        body: refundBody,
        response: {
          201: refundAnswer,
          200: refundAnswer.describe('The same request was made before'),
          ...refusals(
            'invalid_request',
            'unauthenticated',
            'forbidden_origin',
            'forbidden_role',
            'step_up_required',
            'not_found',
            'not_refundable',
            'refund_exceeds',
            'idempotency_conflict',
            'payload_too_large',
            'unsupported_media_type',
            'rate_limited',
            'unavailable',
          ),
        },
      },
    },
    async (req, reply) => {
      const caller = guards.callerOf(req)
      const { refund, isNew } = await requestRefund(deps, caller, req.body, () => guards.requireStepUp(req))
      return reply.code(isNew ? 201 : 200).send({ refund: toRefundView(refund, deps.installation) })
    },
  )
}
