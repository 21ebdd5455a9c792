import {
  firstSteps,
  ownerStatusAnswer,
  ownerStatusBody,
  projectIdParams,
  projectsToday,
  stats,
  statsQuery,
  timelineParams,
  transactionCsvQuery,
  transactionTimeline,
} from '@pazar/contract'
import type { Guards } from '../../accounts/guards.ts'
import { describeForMember, readerRefusals } from '../../http/openapi.ts'
import { localeOf } from '../../http/request-locale.ts'
import { sendParts } from '../../http/send-parts.ts'
import type { Http } from '../../http/server.ts'
import { CSV_TYPE, toCsvAttachment } from '../../lib/csv.ts'
import { requireProject } from '../../projects/access.ts'
import { exportCsv } from './csv.ts'
import type { PaymentDeps } from '../deps.ts'
import { readFirstSteps } from './first-steps-store.ts'
import { readStats } from './stats.ts'
import { checkOwnOrder } from './status.ts'
import { readTimeline } from './timeline.ts'
import { listToday } from './today.ts'

export function registerPaymentPortalRoutes(app: Http, deps: PaymentDeps, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const base = '/portal/api/projects/:id'
  const hidden = { hide: true, params: projectIdParams }

  app.post(
    `${base}/status-check`,
    {
      ...session,
      config: { crossSiteCheck: 'after session', token: 'read' },
      schema: {
        ...describeForMember('transactions', 'The state of an order, for the owner and all members'),
        params: projectIdParams,
        body: ownerStatusBody,
        response: { 200: ownerStatusAnswer, ...readerRefusals() },
      },
    },
    async (req) => {
      const order = { projectId: req.params.id, ...req.body }
      return checkOwnOrder(deps, guards.callerOf(req).account.id, order)
    },
  )
  app.get(
    `${base}/transactions.csv`,
    { ...session, schema: { ...hidden, querystring: transactionCsvQuery } },
    async (req, reply) => {
      const { lang: _lang, ...filters } = req.query
      const options = { projectId: req.params.id, filters, locale: localeOf(req) }
      const caller = guards.callerOf(req)
      const text = await exportCsv(deps, caller.account, options, () => guards.isStillAllowed(caller))
      const name = ['transactions', req.params.id, ...(filters.mode ? [filters.mode] : [])]
      void reply
        .type(CSV_TYPE)
        .header('content-disposition', toCsvAttachment(name, deps.clock.nowMs(), caller.account.timeZone))
      return sendParts(reply, text)
    },
  )
  app.get(
    `${base}/transactions/:transactionId/timeline`,
    { ...session, schema: { hide: true, params: timelineParams, response: { 200: transactionTimeline } } },
    async (req) => {
      const { id: projectId, transactionId } = req.params
      const { id } = guards.callerOf(req).account
      return readTimeline(deps, id, { projectId, transactionId, locale: localeOf(req) })
    },
  )
  app.get(
    `${base}/stats`,
    {
      ...session,
      config: { crossSiteCheck: 'after session', token: 'read' },
      schema: {
        ...describeForMember(
          'transactions',
          'Volume, net amounts, counts and callback times over hours or days',
        ),
        params: projectIdParams,
        querystring: statsQuery,
        response: { 200: stats, ...readerRefusals() },
      },
    },
    async (req) =>
      readStats(deps, guards.callerOf(req).account, { projectId: req.params.id, query: req.query }),
  )
  app.get(
    `${base}/first-steps`,
    { ...session, schema: { ...hidden, response: { 200: firstSteps } } },
    async (req) => {
      const { id } = await requireProject(deps.db, guards.callerOf(req).account.id, req.params.id, 'read')
      return readFirstSteps(deps.db, id)
    },
  )
  app.get(
    '/portal/api/projects/today',
    { ...session, schema: { hide: true, response: { 200: projectsToday } } },
    async (req) => listToday(deps, guards.callerOf(req).account),
  )
}
