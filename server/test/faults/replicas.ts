import { startServiceProcess } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'

export interface Replicas {
  start(settings?: Record<string, string>): Promise<ServiceProcess>
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
