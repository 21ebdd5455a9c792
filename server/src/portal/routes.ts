// A page of the portal contains only settings and the account. All other data comes from /portal/api and /sdk, which check
// the session.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { toAccountView } from '../accounts/account.ts'
import type { AccountDeps } from '../accounts/deps.ts'
import type { Guards } from '../accounts/guards.ts'
import { acceptsGzip, sendHtml } from '../http/html-reply.ts'
import type { Http } from '../http/server.ts'
import { createLimiter } from '../lib/limiter.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Asset, PortalBuild } from './build.ts'
import { findPortalBuild, toAssetType } from './build.ts'
import { findFile } from './files-store.ts'
import { findPageKind } from './pages.ts'
import { ASSETS, PORTAL_POLICY, renderShell } from './shell-page.ts'

export interface PortalDeps extends AccountDeps {
  /** Private hosts that may receive callbacks, such as those of CALLBACK_ALLOW_HOSTS. The portal's forms accept them. */
  allowHosts: ReadonlySet<string>
}

/** Unknown file names are looked up in the database. These queries must not delay payments. */
const FILE_SEARCH_LIMITS = {
  concurrency: 4,
  queueMax: 200,
  waitMaxMs: 3_000,
  retryAfterSec: 2,
  name: 'portal files to find',
}
/** Two releases have fewer files than this. A full cache is cleared. */
const CACHED_FILES_MAX = 500

/** A person without a session who opens an unknown URL below these paths gets the portal, which asks them to sign in. */
const PORTAL_PATH = /^(?:projects|account)(?:\/|$)/

function requireBuild(build: PortalBuild | null): PortalBuild {
  if (!build) throw new ServiceError('unavailable', { retryAfterSec: 60, log: 'the portal is not built' })
  return build
}

function sendAsset(req: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const accepted = req.headers['accept-encoding']
  // File names contain a hash of the content, so browsers may cache the files forever.
  reply.headers({
    'content-type': asset.type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  if (asset.brotli && /\bbr\b/.test(accepted ?? ''))
    return reply.header('content-encoding', 'br').send(asset.brotli)
  if (asset.gzip && acceptsGzip(accepted)) return reply.header('content-encoding', 'gzip').send(asset.gzip)
  return reply.send(asset.plain)
}

export function registerPortalRoutes(app: Http, deps: PortalDeps, guards: Guards): void {
  const build = findPortalBuild()
  const cachedFiles = new Map<string, Asset>()
  const search = createLimiter(FILE_SEARCH_LIMITS)
  const quietRoute = { config: { logsErrorsOnly: true }, schema: { hide: true } } as const

  app.get(`${ASSETS}/*`, quietRoute, async (req, reply) => {
    const { '*': name } = req.params as { '*': string }
    const asset = requireBuild(build).assets.get(name) ?? (await findFileOfOtherRelease(name))
    if (!asset) throw new ServiceError('not_found')
    return sendAsset(req, reply, asset)
  })

  /**
   * A page can need files of another release: either the page was opened before a deploy, or a process of the other release
   * sent the page during a deploy.
   */
  async function findFileOfOtherRelease(name: string): Promise<Asset | null> {
    const type = toAssetType(name)
    if (type === null) return null
    const cached = cachedFiles.get(name)
    if (cached) return cached
    const found = await search.run(() => findFile(deps.db, name))
    if (!found) return null
    if (cachedFiles.size >= CACHED_FILES_MAX) cachedFiles.clear()
    const asset = { type, ...found }
    cachedFiles.set(name, asset)
    return asset
  }

  for (const locale of LOCALES) {
    const send = (req: FastifyRequest, reply: FastifyReply, page: string) =>
      sendPage(req, reply, locale, page)
    app.get(`/${locale}/*`, quietRoute, async (req, reply) =>
      send(req, reply, (req.params as { '*': string })['*']),
    )
  }

  async function sendPage(req: FastifyRequest, reply: FastifyReply, locale: Locale, page: string) {
    const kind = findPageKind(page)
    const caller = await guards.findSession(req)
    if (kind === 'session' && !caller) {
      reply.header('cache-control', 'no-store')
      return reply.redirect(`/${locale}/sign-in?next=${encodeURIComponent(req.url)}`)
    }
    // The site's error page is sent instead of the portal. It needs no script, and links to the docs and the home page.
    if (kind === 'unknown' && !caller && !PORTAL_PATH.test(page)) throw new ServiceError('not_found')
    const account = caller ? toAccountView(caller.account) : null
    const { config, allowHosts } = deps
    reply.code(kind === 'unknown' ? 404 : 200).header('content-security-policy', PORTAL_POLICY)
    sendHtml(req, reply, renderShell(requireBuild(build), { config, allowHosts, account, locale }))
    return reply
  }
}
