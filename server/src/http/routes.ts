// For those who run the service: is the process alive, can it serve, and what does it offer.
import type { Db } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { pingDatabase } from './health-store.ts'
import type { Http } from './server.ts'

export function registerHealthRoutes(app: Http, deps: { db: Db }): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  const quiet = { config: { hot: true }, schema: { hide: true } } as const

  app.get('/healthz', quiet, async () => ({ status: 'ok' }))
  app.get('/readyz', quiet, async () => {
    // A balancer must stop sending here before the last request is answered.
    if (closing) throw new ServiceError('unavailable', { retryAfterSec: 5 })
    await pingDatabase(deps.db)
    return { status: 'ready' }
  })
  app.get('/openapi.json', quiet, async (_req, reply) => reply.type('application/json').send(app.swagger()))
}
