// Remembers which methods each URL has, to distinguish "no such page" (404) from "not with this method" (405).
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'

export interface KnownRoute {
  url: string
  methods: Set<string>
  pattern: RegExp
  /** As the route of each method declared it. */
  site: Map<string, FastifyContextConfig['site']>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is; tests walk it so that a new route cannot escape them. */
    knownRoutes: () => readonly KnownRoute[]
  }
}

function toPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) =>
      part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.+^$()|[\]\\]/g, '\\$&'),
    )
    .join('/')
  return new RegExp(`^${source}$`)
}

export function answerUnknownRoutes(app: FastifyInstance): void {
  const known = new Map<string, KnownRoute>()
  app.decorate('knownRoutes', () => [...known.values()])
  app.addHook('onRoute', (route) => {
    const { url } = route
    const entry = known.get(url) ?? { url, pattern: toPattern(url), methods: new Set(), site: new Map() }
    for (const method of [route.method].flat()) {
      entry.methods.add(method)
      entry.site.set(method, route.config?.site)
    }
    known.set(url, entry)
  })
  app.setNotFoundHandler((req: FastifyRequest, reply: FastifyReply) => {
    const path = req.url.split('?')[0]!
    const methods = [...known.values()]
      .filter((one) => one.pattern.test(path))
      .flatMap((one) => [...one.methods])
    if (methods.length === 0) throw new ServiceError('not_found')
    reply.header('allow', [...new Set(methods)].join(', '))
    throw new ServiceError('method_not_allowed')
  })
}
