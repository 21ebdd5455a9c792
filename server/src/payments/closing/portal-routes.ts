import { closeAccountBody, emptyBody, projectIdParams } from '@pazar/contract'
import type { Guards } from '../../accounts/guards.ts'
import { refusals } from '../../http/openapi.ts'
import type { Http, HttpTools } from '../../http/server.ts'
import type { PaymentDeps } from '../deps.ts'
import { closeOwnAccount } from './close-account.ts'
import { deleteProject } from './delete-project.ts'

const REFUSALS = [
  'invalid_request',
  'unauthenticated',
  'forbidden_origin',
  'step_up_required',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'unavailable',
] as const

export function registerClosingRoutes(app: Http, deps: PaymentDeps, tools: HttpTools, guards: Guards): void {
  const session = {
    onRequest: guards.requireSession,
    config: { crossSiteCheck: 'after session', stepUp: 'waits after recovery' },
  } as const

  app.post(
    '/portal/api/account/close',
    { ...session, schema: { hide: true, body: closeAccountBody, response: refusals(...REFUSALS) } },
    async (req, reply) => {
      guards.requireStepUp(req)
      await closeOwnAccount(deps, guards.sessionOf(req), req.body.email)
      for (const name of ['session', 'step-up', 'device'] as const) tools.cookies.clear(reply, name)
      return reply.code(204).send()
    },
  )
  app.post(
    '/portal/api/projects/:id/delete',
    {
      ...session,
      schema: {
        hide: true,
        params: projectIdParams,
        body: emptyBody,
        response: refusals(...REFUSALS, 'not_found'),
      },
    },
    async (req, reply) => {
      await deleteProject(deps, guards.callerOf(req), req.params.id, () => guards.requireStepUp(req))
      return reply.code(204).send()
    },
  )
}
