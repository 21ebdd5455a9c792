// Starts a browser, and the service in a separate process. The service has the demo, unless a test turns the demo off.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { shareBrowser } from '../browser.ts'
import { createTestDatabase, toDatabaseEnv } from '../database.ts'
import { shareInGroup } from '../group-end.ts'
import { startServiceProcess } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'

export interface Portal {
  service: ServiceProcess
  browser: Browser
  dataDir: string
}

/** Test files in one process share the service if they pass the same settings and the same `name`. */
export async function startPortal(settings: Record<string, string> = {}, name = ''): Promise<Portal> {
  const started = await shareInGroup(`portal ${name} ${JSON.stringify(settings)}`, (onEnd) =>
    startService(settings, onEnd),
  )
  return { ...started, browser: await shareBrowser() }
}

/** Lists the failed requests in the service's log. Only the log says why the service was unavailable. */
export function listUnavailable(service: ServiceProcess): string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.includes('request failed'))
}

async function startService(
  settings: Record<string, string>,
  onEnd: (close: () => Promise<void>) => void,
): Promise<Omit<Portal, 'browser'>> {
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
  onEnd(async () => {
    await service.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { service, dataDir }
}
