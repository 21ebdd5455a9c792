// The whole service in a separate process, and a browser, for one test file; both are closed when the file ends. The
// service has the demo, unless the file turns it off. Its database is in the cluster of the run, because making a
// cluster takes longer than starting the service.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { closeContext, launchBrowser } from '../browser.ts'
import { createTestDatabase, toDatabaseEnv } from '../database.ts'
import { startServiceProcess } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'

export interface Portal {
  service: ServiceProcess
  browser: Browser
  dataDir: string
}

export async function startPortal(settings: Record<string, string> = {}): Promise<Portal> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pazar-portal-'))
  const database = await createTestDatabase()
  const env = {
    DATA_DIR: dataDir,
    ...toDatabaseEnv(database.url),
    DEMO: 'on',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    ...settings,
  }
  const service = await startServiceProcess(env)
  const browser = await launchBrowser()
  after(async () => {
    await Promise.all(browser.contexts().map(closeContext))
    await browser.close()
    await service.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { service, browser, dataDir }
}
