import { openDisputes, openDisputesQuery, projectIdParams } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import type { Http } from '../http/server.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { requireProject } from '../projects/access.ts'
import { toDisputeView } from './dispute.ts'
import { listOpenDisputes } from './disputes-store.ts'

const SHOWN_MAX = 5

export function registerDisputePortalRoutes(
  app: Http,
  deps: Pick<PaymentDeps, 'db' | 'installation'>,
  guards: Guards,
): void {
  app.get(
    '/portal/api/projects/:id/open-disputes',
    {
      onRequest: guards.requireSession,
      config: { crossSiteCheck: 'after session' },
      schema: {
        hide: true,
        params: projectIdParams,
        querystring: openDisputesQuery,
        response: { 200: openDisputes },
      },
    },
    async (req) => {
      const { id } = await requireProject(deps.db, guards.callerOf(req).account.id, req.params.id, 'read')
      const found = await listOpenDisputes(deps.db, id, req.query.mode)
      return {
        count: found.length,
        disputes: found.slice(0, SHOWN_MAX).map((one) => toDisputeView(one, deps.installation)),
      }
    },
  )
}
