import { qrBody } from '@pazar/contract'
import { z } from 'zod'
import type { Guards } from '../accounts/guards.ts'
import { refusals } from '../http/openapi.ts'
import type { Http } from '../http/server.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import { drawQr } from './draw-qr.ts'
import { LIVE_LINKS_NEED_WRITE, writePayLink } from './write-link.ts'

/** The schema is only for the OpenAPI document. */
const image = z.unknown().meta({ type: 'string', format: 'binary' })

export function registerPayLinkRoutes(app: Http, deps: ProjectDeps, guards: Guards): void {
  app.post(
    '/sdk/project/qr',
    {
      onRequest: guards.requireSession,
      config: { crossSiteCheck: 'after session', token: 'read' },
      schema: {
        tags: ['projects'],
        security: [{ session: [] }, { token: [] }],
        summary:
          'A pay link as a QR code, for the owner and admins (a signed live code needs a token with the permission write)',
        description: LIVE_LINKS_NEED_WRITE,
        body: qrBody,
        response: {
          200: {
            description: 'The image; its text is the pay link, byte for byte',
            content: { 'image/png': { schema: image }, 'image/svg+xml': { schema: image } },
          },
          ...refusals(
            'invalid_request',
            'unauthenticated',
            'forbidden_origin',
            'forbidden_role',
            'not_found',
            'archived',
            'step_up_required',
            'unsupported_media_type',
            'payload_too_large',
            'rate_limited',
            'unavailable',
          ),
        },
      },
    },
    async (req, reply) => {
      const { format, size, ...requested } = req.body
      const link = await writePayLink(deps, guards.callerOf(req), requested, 'qr')
      const { type, bytes } = drawQr(link, format, size)
      return reply.type(type).send(bytes)
    },
  )
}
