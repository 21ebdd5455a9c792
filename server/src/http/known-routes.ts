// Records the methods of each URL, to distinguish an unknown URL (404) from a wrong method (405).
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'

export interface KnownRoute {
  url: string
  methods: Set<string>
  pattern: RegExp
  crossSiteCheck: Map<string, FastifyContextConfig['crossSiteCheck']>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** All routes; tests iterate over them, so that new routes are always tested. */
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

export function handleUnknownRoutes(app: FastifyInstance): void {
  const routes = new Map<string, KnownRoute>()
  app.decorate('knownRoutes', () => [...routes.values()])
  app.addHook('onRoute', (route) => {
    const { url } = route
    const entry = routes.get(url) ?? {
      url,
      pattern: toPattern(url),
      methods: new Set(),
      crossSiteCheck: new Map(),
    }
    for (const method of [route.method].flat()) {
      entry.methods.add(method)
      entry.crossSiteCheck.set(method, route.config?.crossSiteCheck)
    }
    routes.set(url, entry)
  })
  app.setNotFoundHandler((req: FastifyRequest, reply: FastifyReply) => {
    const path = req.url.split('?')[0]!
    const methods = [...routes.values()]
      .filter((one) => one.pattern.test(path))
      .flatMap((one) => [...one.methods])
    if (methods.length === 0) throw new ServiceError('not_found')
    reply.header('allow', [...new Set(methods)].join(', '))
    throw new ServiceError('method_not_allowed')
  })
}
