// Replicas of the service, each in its own process, so that a test can kill them.
import { startServiceProcess } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'

export interface Replicas {
  start(settings?: Record<string, string>): Promise<ServiceProcess>
  /** Kills the replicas that still run. */
  killAll(): Promise<void>
}

export function createReplicas(env: Record<string, string>): Replicas {
  const started = new Set<ServiceProcess>()
  return {
    async start(settings = {}) {
      const service = await startServiceProcess({ ...env, DEMO: 'off', LOG_LEVEL: 'error', ...settings })
      started.add(service)
      service.child.once('exit', () => started.delete(service))
      return service
    },
    async killAll() {
      for (const service of started) await service.kill()
    },
  }
}
