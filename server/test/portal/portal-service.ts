// The whole service in a process of its own and a browser beside it, for one test file; both are gone when it ends.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { startServiceProcess } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'

export interface Portal {
  service: ServiceProcess
  browser: Browser
  dataDir: string
}

export async function startPortal(settings: Record<string, string> = {}): Promise<Portal> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pazar-portal-'))
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMITS: 'off', ...settings }
  const service = await startServiceProcess(env)
  const browser = await launchBrowser()
  after(async () => {
    await browser.close()
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { service, browser, dataDir }
}
