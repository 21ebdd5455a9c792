// What only the portal asks about payments: one order's state, and a list as a file.
import { Readable } from 'node:stream'
import { ownerStatusAnswer, ownerStatusBody, projectIdParams, transactionCsvQuery } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import { localeOf } from '../http/request-locale.ts'
import type { Http } from '../http/server.ts'
import { CSV_TYPE } from '../lib/csv.ts'
import { exportCsv } from './csv.ts'
import type { PaymentDeps } from './deps.ts'
import { checkOwnOrder } from './status.ts'

export function registerPaymentPortalRoutes(app: Http, deps: PaymentDeps, guards: Guards): void {
  const session = { onRequest: guards.requireSession, config: { site: 'session' } } as const
  const base = '/portal/api/projects/:id'
  const hidden = { hide: true, params: projectIdParams }

  app.post(
    `${base}/status-check`,
    { ...session, schema: { ...hidden, body: ownerStatusBody, response: { 200: ownerStatusAnswer } } },
    async (req) => {
      const question = { projectId: req.params.id, ...req.body }
      return checkOwnOrder(deps, guards.callerOf(req).account.id, question)
    },
  )
  app.get(
    `${base}/transactions.csv`,
    { ...session, schema: { ...hidden, querystring: transactionCsvQuery } },
    async (req, reply) => {
      const { lang: _lang, ...filters } = req.query
      const wish = { projectId: req.params.id, filters, locale: localeOf(req) }
      const text = await exportCsv(deps, guards.callerOf(req).account, wish)
      return reply
        .type(CSV_TYPE)
        .header('content-disposition', `attachment; filename="transactions-${req.params.id}.csv"`)
        .send(Readable.from(text))
    },
  )
}
