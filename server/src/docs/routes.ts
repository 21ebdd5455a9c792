import type { FastifyReply, FastifyRequest } from 'fastify'
import { LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Guards } from '../accounts/guards.ts'
import { prefersHtml } from '../http/accept.ts'
import { sendHtml } from '../http/html-reply.ts'
import { localeOf } from '../http/request-locale.ts'
import { setPagePolicy } from '../http/security-headers.ts'
import type { Http, HttpTools } from '../http/server.ts'
import { queryOf } from '../http/server.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import { removeHints } from './comments.ts'
import type { DocsFrame, DocsPage } from './docs-frame-page.ts'
import { renderDocsPage } from './docs-frame-page.ts'
import { docsScript } from './docs-script.ts'
import { docsStyle } from './docs-style.ts'
import { fillProject } from './fill.ts'
import { toGuidePage } from './guide-page.ts'
import { toLlmsText } from './index-markdown.ts'
import type { Library } from './library.ts'
import type { FindPackage, PackageName } from './packages.ts'
import { openPackages, PACKAGES } from './packages.ts'
import { INDEX } from './pages.ts'
import { findReader } from './reader.ts'
import { toMissingPage, toSearchPage } from './search-page.ts'

/** The same limit as in the search field. */
const QUERY_CHARACTERS_MAX = 200

/** A new release may change the file but not its name, so clients request it again after five minutes. */
const PACKAGE_CACHE = 'public, max-age=300'

function sendPackage(req: FastifyRequest, reply: FastifyReply, find: FindPackage, name: PackageName) {
  const file = find(name)
  if (!file)
    throw new ServiceError('not_found', {
      fields: [{ path: name, code: 'package_not_packed' }],
      log: 'npm run packages has not been run here',
    })
  reply.headers({ etag: file.etag, 'cache-control': PACKAGE_CACHE })
  if (req.headers['if-none-match'] === file.etag) return reply.code(304).send()
  return reply.type('application/gzip').send(file.bytes)
}

function sendDocsPage(
  req: FastifyRequest,
  reply: FastifyReply,
  frame: DocsFrame,
  page: DocsPage,
): FastifyReply {
  setPagePolicy(reply, {
    styleHashes: [docsStyle.hash],
    scriptHash: docsScript.hash,
    formAction: "'self'",
    hasManifest: true,
  })
  sendHtml(req, reply, renderDocsPage(frame, page))
  return reply
}

export function registerDocsRoutes(
  app: Http,
  deps: ProjectDeps,
  tools: HttpTools,
  guards: Guards,
  library: Library,
  findPackage: FindPackage = openPackages(),
): void {
  const quietRoute = {
    onRequest: tools.limits('DOCS'),
    config: { logsErrorsOnly: true },
    schema: { hide: true },
  } as const

  async function redirectToLocale(req: FastifyRequest, reply: FastifyReply) {
    await guards.findSession(req) // Adds the account's language to the request.
    return reply.redirect(`/${localeOf(req)}${req.url}`)
  }
  app.get('/docs', quietRoute, redirectToLocale)
  // The `type` of every error response is a URL under this path. Browsers keep the fragment of the URL after the redirect.
  app.get('/docs/*', quietRoute, redirectToLocale)
  app.get('/llms.txt', quietRoute, async (_req, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(toLlmsText((locale) => library.pages(locale), deps.config.baseUrl)),
  )
  for (const name of PACKAGES)
    app.get(`/packages/${name}`, quietRoute, async (req, reply) => sendPackage(req, reply, findPackage, name))
  for (const locale of LOCALES) {
    app.get(`/${locale}/docs`, quietRoute, async (req, reply) => sendGuidePage(req, reply, locale, INDEX))
    // The Markdown of a page is at the page's URL with `.md`. The Markdown of the first page is at
    // /docs/index.md, so /docs.md redirects there.
    app.get(`/${locale}/docs.md`, quietRoute, async (_req, reply) =>
      reply.redirect(`/${locale}/docs/${INDEX}.md`),
    )
    app.get(`/${locale}/docs/search`, quietRoute, async (req, reply) => sendSearch(req, reply, locale))
    app.get(`/${locale}/docs/*`, quietRoute, async (req, reply) => {
      const { '*': name } = req.params as { '*': string }
      if (name.endsWith('.md')) return sendMarkdown(req, reply, locale, name.slice(0, -'.md'.length))
      return sendGuidePage(req, reply, locale, name)
    })
  }

  async function toFrame(req: FastifyRequest, locale: Locale, path: string): Promise<DocsFrame> {
    return {
      locale,
      path,
      reader: await findReader(deps, guards, req),
      operatorName: deps.config.operatorName,
      baseUrl: deps.config.baseUrl,
      editUrl: deps.config.docsEditUrl,
      pages: library.pages(locale),
      query: (queryOf(req).all('q')[0] ?? '').slice(0, QUERY_CHARACTERS_MAX),
    }
  }

  async function sendGuidePage(req: FastifyRequest, reply: FastifyReply, locale: Locale, slug: string) {
    const page = library.find(locale, slug)
    if (page) {
      const frame = await toFrame(req, locale, slug === INDEX ? '' : `/${slug}`)
      return sendDocsPage(req, reply, frame, toGuidePage(page, frame))
    }
    if (!prefersHtml(req.headers.accept)) throw new ServiceError('not_found')
    const frame = await toFrame(req, locale, '')
    return sendDocsPage(req, reply.code(404), frame, toMissingPage(frame))
  }

  async function sendSearch(req: FastifyRequest, reply: FastifyReply, locale: Locale) {
    const frame = await toFrame(req, locale, '/search')
    return sendDocsPage(req, reply, frame, toSearchPage(frame, library.search(locale, frame.query)))
  }

  async function sendMarkdown(req: FastifyRequest, reply: FastifyReply, locale: Locale, slug: string) {
    const page = library.find(locale, slug)
    if (!page) throw new ServiceError('not_found')
    const { project } = await findReader(deps, guards, req)
    reply.headers({ 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-store' })
    return reply.send(fillProject(removeHints(page.markdown), project))
  }
}
