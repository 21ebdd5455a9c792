import type { FastifyReply, FastifyRequest } from 'fastify'
import { statusCheckAnswer, statusCheckBody, transactionList, transactionListBody } from '@pazar/contract'
import type { TransactionListBody } from '@pazar/contract'
import type { Guards } from '../../accounts/guards.ts'
import { refusals } from '../../http/openapi.ts'
import type { Http, HttpTools } from '../../http/server.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { sealDecoy } from '../../secrets/decoy.ts'
import type { PaymentDeps } from '../deps.ts'
import { listTransactions, toTransactionView } from './list.ts'
import { checkStatus } from './status.ts'

const ERRORS_OF_EVERY_ROUTE = [
  'invalid_request',
  'unsupported_media_type',
  'payload_too_large',
  'rate_limited',
  'unavailable',
] as const

/** When the list moved under /sdk: midnight UTC of 2026-07-26, in the format of RFC 9745. */
const LEGACY_LIST_SINCE = '@1785024000'

export function registerPaymentRoutes(app: Http, deps: PaymentDeps, tools: HttpTools, guards: Guards): void {
  registerLists(app, deps, guards)
  registerStatusCheck(app, deps, tools)
}

function registerLists(app: Http, deps: PaymentDeps, guards: Guards): void {
  const config = { crossSiteCheck: 'after session', token: 'read' } as const
  const schema = {
    tags: ['transactions'],
    security: [{ session: [] }, { token: [] }],
    body: transactionListBody,
    response: {
      200: transactionList,
      ...refusals(...ERRORS_OF_EVERY_ROUTE, 'unauthenticated', 'forbidden_origin', 'not_found'),
    },
  }
  const list = async (req: FastifyRequest<{ Body: TransactionListBody }>) => {
    const { account, token } = guards.callerOf(req)
    const projectId = req.body.projectId ?? token?.projectId ?? undefined
    const body = { ...req.body, ...(projectId && { projectId }) }
    const { items, ...page } = await listTransactions(deps, account.id, body)
    return { items: items.map((one) => toTransactionView(one, deps.installation)), ...page }
  }

  app.post(
    '/sdk/transactions/list',
    { config, onRequest: guards.requireSession, schema: { ...schema, summary: 'List payments' } },
    list,
  )

  const successor = `<${deps.config.baseUrl}/sdk/transactions/list>; rel="successor-version"`
  const announceSuccessor = async (_req: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ deprecation: LEGACY_LIST_SINCE, link: successor })
  }
  app.post(
    '/transactions/list',
    {
      config,
      onRequest: [announceSuccessor, guards.requireSession],
      schema: { ...schema, summary: 'List payments (old address, deprecated)', deprecated: true },
    },
    list,
  )
}

/** Called after the body has passed its schema. */
function projectIdOf({ body }: FastifyRequest): string {
  return typeof body === 'object' && body !== null && 'projectId' in body ? String(body.projectId) : ''
}

function registerStatusCheck(app: Http, deps: PaymentDeps, tools: HttpTools): void {
  // For an unknown project, the hash is checked with a decoy, so that the response takes as long as for a known project.
  const decoy = sealDecoy(deps)
  // Requests with a wrong hash are counted separately, by IP address, so that a stranger cannot use up the merchant's limit.
  const limitVerified = tools.limits('STATUS_VERIFIED', projectIdOf)
  const limitRefused = tools.limits('STATUS_REFUSED')

  app.post(
    '/sdk/transaction/checkStatus',
    {
      config: { logsErrorsOnly: true },
      schema: {
        tags: ['transactions'],
        summary: 'Was this order paid?',
        body: statusCheckBody,
        response: {
          200: statusCheckAnswer,
          ...refusals(...ERRORS_OF_EVERY_ROUTE, 'invalid_hash', 'forbidden_origin'),
        },
      },
    },
    async (req, reply) => {
      reply.header('cache-control', 'no-store')
      const result = await checkStatus(deps, decoy, req.body)
      await (result === null ? limitRefused : limitVerified)(req, reply)
      if (result === null) throw new ServiceError('invalid_hash')
      return result
    },
  )
}
