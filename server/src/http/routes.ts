import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { LoopHealth } from '../lib/loop-health.ts'
import { ServiceError } from '../lib/service-error.ts'
import { VERSION } from '../lib/version.ts'
import type { RestoreGate } from '../db/gate-view.ts'
import { PREVIEW_PATH, readIconFiles } from './icons.ts'
import { createReadiness } from './readiness.ts'
import type { Http } from './server.ts'

const quietRoute = { config: { logsErrorsOnly: true }, schema: { hide: true } } as const

export interface HealthDeps {
  config: Pick<Config, 'metricsToken'>
  db: Db
  metrics: Metrics
  loopHealth: LoopHealth
  restoreGate: RestoreGate
  stopRequested: AbortSignal
}

function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

function registerMetrics(app: Http, { config, metrics }: HealthDeps): void {
  const { metricsToken } = config
  if (metricsToken === null) return
  app.get('/metrics', quietRoute, async (req, reply) => {
    if (!isSameText(req.headers.authorization ?? '', `Bearer ${metricsToken}`))
      throw new ServiceError('unauthenticated')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

export function registerHealthRoutes(app: Http, deps: HealthDeps): void {
  registerMetrics(app, deps)
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  const requireReady = createReadiness(deps.db)
  // While the process stops, load balancers must not reuse their open connections.
  app.addHook('onRequest', (_req, reply, done) => {
    if (deps.stopRequested.aborted) reply.header('connection', 'close')
    done()
  })
  app.get('/healthz', quietRoute, async () => {
    const hanging = deps.loopHealth.listHanging()
    if (hanging.length > 0)
      throw new ServiceError('unavailable', {
        retryAfterSec: 60,
        log: `these loops hang: ${hanging.join(', ')}`,
      })
    return { status: 'ok', version: VERSION }
  })
  app.get('/readyz', quietRoute, async () => {
    // While the process stops, it is not ready: load balancers must send no more requests here.
    if (closing || deps.stopRequested.aborted)
      throw new ServiceError('unavailable', { retryAfterSec: 5, log: 'not ready: this process is stopping' })
    await requireReady()
    // While payments are stopped the process is still ready, because payers have to see the page that says so.
    return deps.restoreGate.isClosed() ? { status: 'ready', payments: 'stopped' } : { status: 'ready' }
  })
}

/** Browsers request some of these files by convention, even if no page names them. */
export function registerIcons(app: Http, { operatorName }: Pick<Config, 'operatorName'>): void {
  for (const [url, { type, bytes }] of readIconFiles(operatorName)) {
    const headers = {
      'content-type': type,
      'cache-control': 'public, max-age=86400',
      // Chat programs show the preview picture on their own pages.
      ...(url === PREVIEW_PATH ? { 'cross-origin-resource-policy': 'cross-origin' } : {}),
    }
    app.get(url, quietRoute, async (_req, reply) => reply.headers(headers).send(bytes))
  }
}

export function registerOpenApiRoute(app: Http): void {
  app.get('/openapi.json', quietRoute, async (_req, reply) =>
    reply.type('application/json').send(app.swagger()),
  )
}
