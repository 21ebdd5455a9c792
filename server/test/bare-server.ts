// The HTTP server without a database. The test registers the routes.
import { after } from 'node:test'
import { parseConfig } from '../src/config.ts'
import { createHttpServer } from '../src/http/server.ts'
import type { Http, HttpTools } from '../src/http/server.ts'
import { createLogger } from '../src/lib/logger.ts'
import { createMetrics } from '../src/lib/metrics.ts'

export interface BareServer {
  app: Http
  tools: HttpTools
  logs: Record<string, unknown>[]
}

export async function startBareServer(
  env: Record<string, string>,
  register: (app: Http, tools: HttpTools) => void,
): Promise<BareServer> {
  const config = parseConfig({ NODE_ENV: 'test', RATE_LIMITS: 'off', LOG_LEVEL: 'info', ...env })
  const logs: Record<string, unknown>[] = []
  const write = (line: string) => logs.push(JSON.parse(line) as Record<string, unknown>)
  const metrics = createMetrics(() => Promise.reject(new Error('there is no database')))
  const { app, tools } = await createHttpServer(
    config,
    createLogger(config.logLevel, { out: { write } }),
    metrics,
  )
  register(app, tools)
  after(() => app.close())
  return { app, tools, logs }
}
