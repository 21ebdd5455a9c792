// The statement of a project, for members with the permission `money` and their API tokens.
import { projectIdParams, statement, statementQuery } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import type { FeedDeps } from '../feed/list-events.ts'
import { csvOr, describeForMember, roleRefusals } from '../http/openapi.ts'
import { localeOf } from '../http/request-locale.ts'
import { sendParts } from '../http/send-parts.ts'
import type { Http } from '../http/server.ts'
import { CSV_TYPE } from '../lib/csv.ts'
import { exportStatement, readStatement } from './statement.ts'

export function registerStatementRoutes(app: Http, deps: FeedDeps, guards: Guards): void {
  app.get(
    '/portal/api/projects/:id/statement',
    {
      config: { crossSiteCheck: 'after session', token: 'read' },
      onRequest: guards.requireSession,
      schema: {
        ...describeForMember(
          'transactions',
          'Payments, refunds and disputes of a month, day by day, for the owner, admins and finance',
        ),
        params: projectIdParams,
        querystring: statementQuery,
        response: { 200: csvOr(statement), ...roleRefusals() },
      },
    },
    async (req, reply) => {
      const caller = guards.callerOf(req)
      const accountId = caller.account.id
      const options = { projectId: req.params.id, query: req.query, locale: localeOf(req) }
      if (req.query.format === 'json') return readStatement(deps, accountId, options)
      const csvChunks = await exportStatement(deps, accountId, options, () => guards.isStillAllowed(caller))
      const { month, mode, currency } = req.query
      // No column of the file contains the mode, so the file name contains it. Otherwise test payments could be
      // mistaken for live payments.
      const chosen = [...(mode === 'test' ? [mode] : []), ...(currency ? [currency] : [])]
      const parts = ['statement', options.projectId, month, ...chosen]
      void reply.type(CSV_TYPE).header('content-disposition', `attachment; filename="${parts.join('-')}.csv"`)
      return sendParts(reply, csvChunks)
    },
  )
}
