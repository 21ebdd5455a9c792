// Row 1 of the benchmark table: the signed status check with 100,000 transactions.
import { signStatusHash } from '@pazar/sdk'
import { seedPayments } from '../setup.ts'
import type { Setup } from '../setup.ts'
import { readProcessCpuMicros, runLoad } from '../load.ts'
import { compare } from '../measure.ts'
import type { Result } from '../measure.ts'
import { startProcess } from '../process.ts'

const TRANSACTIONS = 100_000
const CONNECTIONS = 32
const REQUESTS = 6_000

export async function benchCheckStatus(setup: Setup): Promise<Result[]> {
  const database = await setup.database('check_status')
  await seedPayments(database, TRANSACTIONS)
  // 7,919 is a prime, so the requests are spread over all transactions.
  const bodies = Array.from({ length: 2_000 }, (_, n) => {
    const query = { projectId: database.projectId, customId: `order-${1 + ((n * 7_919) % TRANSACTIONS)}` }
    return JSON.stringify({ ...query, hash: signStatusHash(query, database.liveSecret) })
  })
  const service = await database.service({ ROLE: 'web' })
  const floor = await startProcess('bench/floors/check-status.ts', 'ready', { DATABASE_URL: database.url })
  const headers = { 'content-type': 'application/json' }
  const run = (origin: string, path: string) =>
    runLoad(origin, {
      connections: CONNECTIONS,
      requests: REQUESTS,
      expectedStatus: 200,
      makeRequest: (n) => ({ method: 'POST', path, headers, body: bodies[n % bodies.length]! }),
    })
  const cpuBefore = await readProcessCpuMicros(service.pid)
  let sent = 0
  const result = await compare({
    name: '1 checkStatus, 100k transactions, 32 connections',
    unit: 'requests/s',
    target: { kind: 'at least', must: 0.6, goal: 0.85 },
    rounds: 5,
    ours: async () => {
      sent += REQUESTS
      return (await run(service.origin, '/sdk/transaction/checkStatus')).requestsPerSec
    },
    floor: async () => (await run(floor.origin, '/')).requestsPerSec,
  })
  result.note = `${Math.round(((await readProcessCpuMicros(service.pid)) - cpuBefore) / sent)} µs CPU a request`
  await Promise.all([service.stop(), floor.stop()])
  await database.close()
  return [result]
}
