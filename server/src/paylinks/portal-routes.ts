// The portal's link builder: a signed pay link as text.
import { newPayLinkAnswer, newPayLinkBody, projectIdParams } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import type { Http } from '../http/server.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import { writePayLink } from './write-link.ts'

export function registerPayLinkPortalRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  app.post(
    '/portal/api/projects/:id/pay-link',
    {
      onRequest: guards.requireSession,
      config: { site: 'session', token: 'read' },
      schema: {
        hide: true,
        params: projectIdParams,
        body: newPayLinkBody,
        response: { 200: newPayLinkAnswer },
      },
    },
    async (req) => {
      const wish = { ...req.body, projectId: req.params.id, signed: true }
      return { url: await writePayLink(deps, guards.callerOf(req).account.id, wish) }
    },
  )
}
