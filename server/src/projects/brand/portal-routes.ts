import { brandBody, emptyBody, LOGO_BYTES_MAX, logoAnswer, project, projectIdParams } from '@pazar/contract'
import type { Guards } from '../../accounts/guards.ts'
import type { Http, HttpTools } from '../../http/server.ts'
import { ServiceError } from '../../lib/service-error.ts'
import type { ProjectDeps } from '../deps.ts'
import { toProjectView } from '../project.ts'
import { changeBrand, removeLogo, uploadLogo } from './change-brand.ts'
import { LOGO_TYPES } from '../brand.ts'

const BASE = '/portal/api/projects/:id/brand'

/** Has its own detail, because the general text of `unsupported_media_type` asks for JSON, but the route needs a picture. */
function unsupportedType(): ServiceError {
  return new ServiceError('unsupported_media_type', { detail: { path: 'logo', code: 'logo_unknown_format' } })
}

export async function registerBrandPortalRoutes(
  app: Http,
  deps: ProjectDeps,
  tools: HttpTools,
  guards: Guards,
): Promise<void> {
  const session = { onRequest: guards.requireSession, config: { crossSiteCheck: 'after session' } } as const
  const hidden = { hide: true, params: projectIdParams }

  app.post(
    BASE,
    { ...session, schema: { ...hidden, body: brandBody, response: { 200: project } } },
    async (req) =>
      toProjectView(
        await changeBrand(deps, guards.callerOf(req), req.params.id, req.body),
        deps.config.baseUrl,
      ),
  )
  app.post(
    `${BASE}/logo/remove`,
    { ...session, schema: { ...hidden, body: emptyBody } },
    async (req, reply) => {
      await removeLogo(deps, guards.callerOf(req), req.params.id)
      return reply.code(204).send()
    },
  )
  await app.register(async (uploads: Http) => {
    // This route reads only pictures; the other routes read JSON.
    uploads.removeAllContentTypeParsers()
    uploads.addContentTypeParser(Object.values(LOGO_TYPES), { parseAs: 'buffer' }, (_req, body, done) =>
      done(null, body),
    )
    uploads.addContentTypeParser('*', (_req, _body, done) => done(unsupportedType()))
    const limit = tools.limits('LOGO', (req) => guards.callerOf(req).account.id)
    uploads.post(
      `${BASE}/logo`,
      {
        ...session,
        onRequest: [guards.requireSession, limit],
        bodyLimit: LOGO_BYTES_MAX,
        schema: { ...hidden, response: { 200: logoAnswer } },
      },
      async (req) => {
        const type = (req.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
        // No parser runs for an empty body, so `req.body` is then no buffer.
        const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
        const changed = await uploadLogo(deps, guards.callerOf(req), req.params.id, { bytes, type })
        return { logoUrl: toProjectView(changed, deps.config.baseUrl).brand.logoUrl ?? '' }
      },
    )
  })
}
