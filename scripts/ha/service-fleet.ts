// Three web and two delivery replicas of the service, with nginx in front of the web replicas.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TEST_KEY } from '../../server/test/harness.ts'
import { freePort, startServiceProcess } from '../../server/test/service-process.ts'
import type { ServiceProcess } from '../../server/test/service-process.ts'
import { until } from '../../server/test/until.ts'
import { toNginxConfig } from './config-files.ts'
import type { Processes } from './processes.ts'
import type { Programs } from './programs.ts'

/**
 * How long a stopping replica still serves requests. nginx closes an idle connection after 4 s. So nginx closes its
 * idle connections to a stopping replica before the replica does.
 */
const DRAIN_SECONDS = 6

const ROLES = ['web', 'web', 'web', 'delivery', 'delivery'] as const
const STARTS_WITHIN_MS = 120_000
const RESTART_AFTER_MS = 2_000
const LOGIN_TIMED_OUT = 'no login to the database within'

export interface Replica {
  name: string
  role: (typeof ROLES)[number]
  port: number
  baseUrl: string
  process: ServiceProcess | null
}

/**
 * Returns true if a request failed because connecting to PostgreSQL took too long. The cause is a very busy machine, not
 * the scenario. In a scenario that must show no errors, such a request does not count as failed.
 */
export function hasLoginTimeout(logs: readonly (() => string)[], requestId: string | null): boolean {
  if (requestId === null) return false
  return logs.some((log) =>
    log()
      .split('\n')
      .some((line) => line.includes(`"reqId":"${requestId}"`) && line.includes(LOGIN_TIMED_OUT)),
  )
}

export class ServiceFleet {
  readonly replicas: readonly Replica[]
  readonly url: string
  private readonly env: Record<string, string>
  private readonly processes: Processes
  /** The output of each process, including those that have ended. */
  private readonly logs: (() => string)[] = []

  private constructor(
    replicas: readonly Replica[],
    url: string,
    env: Record<string, string>,
    processes: Processes,
  ) {
    this.replicas = replicas
    this.url = url
    this.env = env
    this.processes = processes
  }

  static async start(
    programs: Programs,
    processes: Processes,
    { env, port }: { env: Record<string, string>; port: number },
  ): Promise<ServiceFleet> {
    const ports = await Promise.all(ROLES.map(() => freePort()))
    const replicas = ROLES.map((role, index): Replica => {
      const baseUrl = `http://127.0.0.1:${ports[index]}`
      return { name: `${role}${index + 1}`, role, port: ports[index]!, baseUrl, process: null }
    })
    const url = `http://127.0.0.1:${port}`
    const fleet = new ServiceFleet(replicas, url, { BASE_URL: url, ...env }, processes)
    // One by one, because the first replica migrates the database, and five starts at the same time can be too slow.
    for (const replica of replicas) await fleet.startReplica(replica)
    const config = path.join(processes.dir, 'nginx.conf')
    writeFileSync(
      config,
      toNginxConfig(
        processes.dir,
        port,
        fleet.web.map((one) => one.port),
      ),
    )
    const nginxArgs = ['-p', processes.dir, '-c', config, '-g', 'daemon off;']
    processes.start('nginx', { file: programs.nginx, args: nginxArgs })
    await until(() => isReady({ baseUrl: url }), 'nginx serves', STARTS_WITHIN_MS)
    return fleet
  }

  get web(): Replica[] {
    return this.replicas.filter(({ role }) => role === 'web')
  }

  async untilReady(): Promise<void> {
    for (const replica of this.replicas)
      await until(() => isReady(replica), `${replica.name} is ready`, STARTS_WITHIN_MS)
  }

  hasLoginTimeout(requestId: string | null): boolean {
    return hasLoginTimeout(this.logs, requestId)
  }

  async startReplica(replica: Replica): Promise<void> {
    const dataDir = path.join(this.processes.dir, replica.name)
    mkdirSync(dataDir, { recursive: true })
    const env = {
      NODE_ENV: 'test',
      SECRETS_KEY: TEST_KEY,
      RATE_LIMITS: 'off',
      TRUST_PROXY: '1',
      DEMO: 'off',
      LOG_LEVEL: 'info',
      ...this.env,
      DATA_DIR: dataDir,
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      ROLE: replica.role,
      PORT: String(replica.port),
    }
    const { processes } = this
    let writtenLength = 0
    const started = await startServiceProcess(env, {
      onSpawn: (child) => processes.register(child),
      onOutput: (_child, output) => {
        appendFileSync(processes.logFile(replica.name), output.slice(writtenLength))
        writtenLength = output.length
      },
    })
    replica.process = started
    this.logs.push(() => started.output())
    await until(() => isReady(replica), `${replica.name} is ready`, STARTS_WITHIN_MS)
  }

  /** Starts a killed replica again. A start without a database fails, so failed starts are repeated until a time limit. */
  async supervise(replica: Replica): Promise<void> {
    const deadline = performance.now() + STARTS_WITHIN_MS
    while (performance.now() < deadline) {
      try {
        return await this.startReplica(replica)
      } catch {
        // The log of the ended process contains the cause.
        await sleep(RESTART_AFTER_MS)
      }
    }
  }

  async kill(replica: Replica): Promise<void> {
    const { process } = replica
    replica.process = null
    await process?.kill()
  }

  async stop(replica: Replica): Promise<void> {
    const { process } = replica
    replica.process = null
    const code = await process?.stop()
    if (code !== 0) throw new Error(`${replica.name} ended with ${code} after SIGTERM.`)
  }
}

export async function isReady({ baseUrl }: { baseUrl: string }): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    // A replica that does not respond is not ready.
    return false
  }
}
