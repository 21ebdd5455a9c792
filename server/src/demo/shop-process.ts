// The demo's shop runs as a separate process, so that it knows only what a merchant's server knows.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Logger } from '../lib/logger.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const SHOP_MAIN = path.join(ROOT, 'examples/shop/src/main.ts')
/** Caches compiled code, so that later starts are faster. */
const PRELOAD = path.join(ROOT, 'scripts/preload.cjs')

export async function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

async function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

/** Chooses the port after the service's own port if it is free, so that the shop has the same URL after each start. */
export async function chooseShopPort(servicePort: number): Promise<number> {
  const preferred = servicePort + 1
  return servicePort > 0 && preferred < 65_536 && (await isPortFree(preferred)) ? preferred : findFreePort()
}

export interface ShopProcess {
  stop(): Promise<void>
}

export interface ShopSettings {
  port: number
  baseUrl: string
  projectId: string
  secret: string
  testSecret: string
}

export async function startShop(settings: ShopSettings, log: Logger): Promise<ShopProcess> {
  const child = spawn(process.execPath, ['--require', PRELOAD, SHOP_MAIN], {
    // When this process ends for any reason, the shop's standard input closes, and so the shop ends too.
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PORT: String(settings.port),
      PAZAR_BASE_URL: settings.baseUrl,
      PAZAR_PROJECT_ID: settings.projectId,
      PAZAR_SECRET: settings.secret,
      PAZAR_TEST_SECRET: settings.testSecret,
      SHOP_EXIT_WITH_PARENT: '1',
    },
  })
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the demo shop ended with code ${code} before it was ready`)),
    )
  })
  child.once('exit', (code) => log.info({ code }, 'the demo shop has ended'))
  return {
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}
