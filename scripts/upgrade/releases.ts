// The two releases of the drill, and their processes.
import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { TEST_KEY } from '../../server/test/harness.ts'
import { unpackRelease } from '../../server/test/old-release.ts'
import { freePort, startServiceProcess } from '../../server/test/service-process.ts'
import type { ServiceProcess } from '../../server/test/service-process.ts'
import { until } from '../../server/test/until.ts'
import type { Processes } from '../ha/processes.ts'
import { isReady } from '../ha/service-fleet.ts'

const ROOT = path.join(import.meta.dirname, '../..')
/** Longer than the balancer needs to notice that a process is not ready. */
const DRAIN_SECONDS = 3
const STARTS_WITHIN_MS = 120_000

export interface Release {
  name: string
  root: string
  /** Whether the release stores its portal files in the database, for processes of other releases. */
  storesFiles: boolean
}

export interface Replica {
  name: string
  url: string
  /** Whether the release has the setting DRAIN_SECONDS. */
  canDrain: boolean
  process: ServiceProcess
}

export const THIS_RELEASE: Release = { name: 'new', root: ROOT, storesFiles: true }

/**
 * Unpacks the earlier release. If that release stores its portal files in the database, also changes a source file of its
 * portal and builds the portal again. So its files get names that this release does not have.
 */
export async function openEarlier(commit: string): Promise<Release> {
  const { root } = await unpackRelease(commit)
  const storesFiles = existsSync(path.join(root, 'server/src/portal/files-store.ts'))
  if (!storesFiles) return { name: 'old', root, storesFiles }
  rmSync(path.join(root, 'portal/dist'))
  appendFileSync(
    path.join(root, 'portal/src/main.tsx'),
    `\nObject.assign(globalThis, { pazarRelease: 'earlier' })\n`,
  )
  const args = ['--require', './scripts/preload.cjs', 'scripts/build-portal.ts']
  await promisify(execFile)(process.execPath, args, { cwd: root })
  return { name: 'old', root, storesFiles }
}

export function listPortalFiles({ root }: Release): string[] {
  return readdirSync(path.join(root, 'portal/dist')).filter((name) => /\.(?:js|css|svg)$/.test(name))
}

export class Starter {
  private readonly env: Record<string, string>
  private readonly processes: Processes
  /** The output of each process, including those that have ended. */
  readonly logs: (() => string)[] = []

  constructor(env: Record<string, string>, processes: Processes) {
    this.env = env
    this.processes = processes
  }

  async start({ name: release, root }: Release): Promise<Replica> {
    const name = `${release}-${this.logs.length + 1}`
    const dataDir = path.join(this.processes.dir, name)
    mkdirSync(dataDir, { recursive: true })
    const port = await freePort()
    const env = {
      NODE_ENV: 'test',
      SECRETS_KEY: TEST_KEY,
      RATE_LIMITS: 'off',
      DEMO: 'off',
      LOG_LEVEL: 'info',
      ...this.env,
      DATA_DIR: dataDir,
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      PORT: String(port),
    }
    let written = 0
    const process = await startServiceProcess(env, {
      root,
      onSpawn: (child) => this.processes.register(child),
      onOutput: (_child, output) => {
        appendFileSync(this.processes.logFile(name), output.slice(written))
        written = output.length
      },
    })
    this.logs.push(() => process.output())
    const url = `http://127.0.0.1:${port}`
    await until(() => isReady({ baseUrl: url }), `${name} is ready`, STARTS_WITHIN_MS)
    const canDrain = readFileSync(path.join(root, '.env.example'), 'utf8').includes('DRAIN_SECONDS')
    return { name, url, canDrain, process }
  }
}
