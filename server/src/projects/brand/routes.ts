import path from 'node:path'
import type { Http, HttpTools } from '../../http/server.ts'
import { ServiceError } from '../../lib/service-error.ts'
import type { ProjectDeps } from '../deps.ts'
import type { LogoExtension } from '../brand.ts'
import { LOGO_TYPES } from '../brand.ts'
import { findLogo } from '../brands-store.ts'

const FILE_PATTERN = /^([0-9a-f]{64})\.(png|jpg|webp)$/

/** A removed logo is served for at most this long. */
const CACHE_MS = 60_000
/** If every logo has the maximum size, the cache takes about 25 MB. */
const CACHED_MAX = 200

export function registerBrandRoutes(
  app: Http,
  { db, clock }: Pick<ProjectDeps, 'db' | 'clock'>,
  tools: HttpTools,
): void {
  const cache = new Map<string, { bytes: Buffer; readMs: number }>()

  async function readLogo(file: string): Promise<Buffer | null> {
    const [, hash, extension] = FILE_PATTERN.exec(file) ?? []
    if (!hash) return null
    const cached = cache.get(file)
    if (cached && clock.nowMs() - cached.readMs < CACHE_MS) return cached.bytes
    const bytes = await findLogo(db, hash, extension as LogoExtension)
    if (!bytes) return null
    if (cache.size >= CACHED_MAX) cache.clear()
    cache.set(file, { bytes, readMs: clock.nowMs() })
    return bytes
  }

  app.get(
    '/brand/:file',
    {
      config: { logsErrorsOnly: true },
      // Logos have the same limit as pay pages, but are counted separately.
      onRequest: tools.limits('PAY_GET'),
      schema: { hide: true },
    },
    async (req, reply) => {
      const { file } = req.params as { file: string }
      const logo = await readLogo(file)
      if (!logo) throw new ServiceError('not_found')
      // The address changes with the bytes, so browsers may keep a copy forever.
      return reply
        .headers({
          'content-type': LOGO_TYPES[path.extname(file).slice(1) as LogoExtension],
          'cache-control': 'public, max-age=31536000, immutable',
          'content-disposition': 'inline',
        })
        .send(logo)
    },
  )
}
