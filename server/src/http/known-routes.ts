// Remembers which methods each URL has, to tell "no such page" (404) from "not with this method" (405).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'

interface KnownRoute {
  pattern: RegExp
  methods: Set<string>
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
  app.addHook('onRoute', (route) => {
    const entry = known.get(route.url) ?? { pattern: toPattern(route.url), methods: new Set<string>() }
    for (const method of [route.method].flat()) entry.methods.add(method)
    known.set(route.url, entry)
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
