// The service on a real port, a merchant's website on another origin, and replicas that limit requests, refuse unverified
// owners, or fail.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { statement } from '../../src/db/pool.ts'
import { ServiceError } from '../../src/lib/service-error.ts'
import type { Deps } from '../../src/wire.ts'
import { startTestService } from '../harness.ts'
import type { TestService } from '../harness.ts'
import { addBrandedProject } from '../branded-project.ts'
import { addPayProject } from '../payer.ts'
import type { PayProject } from '../payer.ts'
import { freePort } from '../service-process.ts'

export interface Site {
  baseUrl: string
  deps: Deps
}

export interface PayerWorld {
  service: TestService
  normal: Site
  /** Its rate limit allows one pay page. */
  limited: Site
  /** Requires verified owners. The owner of `shop` is not verified. */
  strict: Site
  down: Site
  shop: PayProject
  branded: PayProject
  shopUrl: string
  /** Changes rows, for states that a browser alone cannot reach. */
  set(sql: string, ...values: unknown[]): Promise<void>
}

async function startShopSite(): Promise<string> {
  const server = createServer((_req, res) => {
    res.setHeader('content-type', 'text/html; charset=utf-8')
    res.end(
      '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1></html>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

export async function startPayerWorld(): Promise<PayerWorld> {
  const normalPort = await freePort()
  const service = await startTestService({ BASE_URL: `http://localhost:${normalPort}` })
  await service.app.listen({ port: normalPort, host: '127.0.0.1' })
  const normal = { baseUrl: `http://localhost:${normalPort}`, deps: service.deps }

  async function startSite(env: Record<string, string>): Promise<Site> {
    const port = await freePort()
    const baseUrl = `http://localhost:${port}`
    const { app, deps } = await service.replica({ BASE_URL: baseUrl, ...env })
    await app.listen({ port, host: '127.0.0.1' })
    return { baseUrl, deps }
  }

  const shopUrl = await startShopSite()
  const shop = await addPayProject(service.deps, { resultUrl: `${shopUrl}/hvala` })
  const branded = await addBrandedProject(service.deps, { resultUrl: `${shopUrl}/hvala` })
  const down = await startSite({})
  down.deps.db.query = async () => {
    throw new ServiceError('unavailable', { retryAfterSec: 2 })
  }
  return {
    service,
    normal,
    limited: await startSite({ RATE_LIMITS: 'on', RATE_LIMIT_PAY_GET: '1' }),
    strict: await startSite({ REQUIRE_KYC: 'true' }),
    down,
    shop,
    branded,
    shopUrl,
    async set(sql, ...values) {
      await service.deps.db.query(statement(`test.${sql.slice(0, 55)}`, sql), values)
    },
  }
}
