import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Guards } from '../../accounts/guards.ts'
import { acceptsGzip } from '../../http/html-reply.ts'
import { localeOf } from '../../http/request-locale.ts'
import { setPagePolicy } from '../../http/security-headers.ts'
import type { Http, HttpTools } from '../../http/server.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { createMemo } from '../../lib/memoize.ts'
import type { ProjectDeps } from '../../projects/deps.ts'
import { renderHomePage } from './home-page.ts'
import { homeStyle } from './home-style.ts'
import { findTryLink } from './try-link.ts'
import type { DemoProject } from './try-link.ts'

export interface HomeDeps extends ProjectDeps {
  demoProject: DemoProject
}

interface RenderedPage {
  plain: Buffer
  gzip: Buffer
}

export function registerHomeRoutes(app: Http, deps: HomeDeps, tools: HttpTools, guards: Guards): void {
  const quietRoute = { config: { logsErrorsOnly: true }, schema: { hide: true } } as const
  // Each language has a page with the test payment and one without.
  const pages = createMemo<RenderedPage>(2 * LOCALES.length)

  function render(locale: Locale): RenderedPage {
    const tryPath = deps.demoProject.id === null ? null : `/${locale}/try`
    return pages(`${locale} ${tryPath}`, () => {
      const plain = Buffer.from(renderHomePage({ locale, config: deps.config, tryPath }))
      return { plain, gzip: gzipSync(plain, { level: 9 }) }
    })
  }

  async function sendHome(req: FastifyRequest, reply: FastifyReply) {
    reply.header('cache-control', 'no-store')
    const caller = await guards.findSession(req)
    // `localeOf` is called after `findSession`, because `findSession` adds the language of the account to the request.
    const locale = localeOf(req)
    if (caller) return reply.redirect(`/${locale}/projects`)
    const { plain, gzip } = render(locale)
    setPagePolicy(reply, { styleHashes: [homeStyle.hash] })
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      vary: 'accept-encoding, accept-language, cookie',
    })
    if (!acceptsGzip(req.headers['accept-encoding'])) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(gzip)
  }

  app.get('/', quietRoute, sendHome)
  for (const locale of LOCALES) {
    app.get(`/${locale}`, quietRoute, sendHome)
    app.get(`/${locale}/try`, { ...quietRoute, onRequest: tools.limits('PAY_GET') }, async (_req, reply) => {
      const { id } = deps.demoProject
      const link = id === null ? null : await findTryLink(deps, id, locale)
      if (link === null)
        throw new ServiceError('not_found', { log: 'no project takes test payments of visitors' })
      return reply.header('cache-control', 'no-store').redirect(link, 303)
    })
  }
}
