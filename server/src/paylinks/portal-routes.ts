// Writes a signed pay link: for the portal's link builder, and for programs whose language has no SDK.
import { newPayLinkAnswer, newPayLinkBody, projectIdParams } from '@pazar/contract'
import type { Guards } from '../accounts/guards.ts'
import { describeForMember, roleRefusals } from '../http/openapi.ts'
import type { Http } from '../http/server.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import { LIVE_LINKS_NEED_WRITE, writePayLink } from './write-link.ts'

export function registerPayLinkPortalRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  app.post(
    '/portal/api/projects/:id/pay-link',
    {
      onRequest: guards.requireSession,
      config: { crossSiteCheck: 'after session', token: 'read' },
      schema: {
        ...describeForMember(
          'projects',
          'A signed pay link as text (a live link needs a token with the permission write)',
        ),
        description: LIVE_LINKS_NEED_WRITE,
        params: projectIdParams,
        body: newPayLinkBody,
        response: { 200: newPayLinkAnswer, ...roleRefusals('archived', 'step_up_required') },
      },
    },
    async (req) => {
      const requested = { ...req.body, projectId: req.params.id, signed: true }
      return { url: await writePayLink(deps, guards.callerOf(req), requested, 'operate') }
    },
  )
}
