// Serves logos by the hash of their bytes, as pictures and nothing else.
import type { Http } from '../../http/server.ts'
import { ServiceError } from '../../lib/service-error.ts'
import type { ProjectDeps } from '../deps.ts'
import type { LogoExtension } from '../brand.ts'
import { LOGO_TYPES } from '../brand.ts'
import { findLogo } from '../brands-store.ts'

const FILE_PATTERN = /^([0-9a-f]{64})\.(png|jpg|webp)$/

export function registerBrandRoutes(app: Http, { db }: Pick<ProjectDeps, 'db'>): void {
  app.get(
    '/brand/:file',
    { config: { logsErrorsOnly: true }, schema: { hide: true } },
    async (req, reply) => {
      const [, hash, extension] = FILE_PATTERN.exec((req.params as { file: string }).file) ?? []
      const logo = hash && extension ? await findLogo(db, hash, extension as LogoExtension) : null
      if (!logo) throw new ServiceError('not_found')
      // The address changes with the bytes, so browsers may keep a copy for ever.
      return reply
        .headers({
          'content-type': LOGO_TYPES[extension as LogoExtension],
          'cache-control': 'public, max-age=31536000, immutable',
          'content-disposition': 'inline',
        })
        .send(logo)
    },
  )
}
