// Rows 7 and 12 of the benchmark table: the time from the end of a payment to the first byte at the merchant, and the memory
// after many payments.
import { randomUUID } from 'node:crypto'
import { sealAttempt } from '../../server/src/checkout/attempt-token.ts'
import { freePort } from '../../server/test/service-process.ts'
import { addProject } from '../setup.ts'
import type { BenchDatabase, Setup } from '../setup.ts'
import { runLoad, readRssBytes } from '../load.ts'
import { toAbsoluteResult, percentile } from '../measure.ts'
import type { Result } from '../measure.ts'
import { startProcess } from '../process.ts'
import type { RunningProcess } from '../process.ts'

const IDLE_PAYMENTS = 300
const FIRST_PAYMENTS = 10_000
const ALL_PAYMENTS = 100_000

function makeToken(database: BenchDatabase, projectId: string): string {
  const link = {
    projectId,
    amount: '1500',
    data: 'Kafa 1 kg',
    customId: null,
    mode: 'live',
    exp: null,
    sig: null,
  } as const
  return sealAttempt(
    database.deps.attemptTokens,
    { id: randomUUID(), link, replaces: null, shown: { currency: 'EUR', scale: 2 } },
    database.deps.clock.nowMs(),
  )
}

async function pay(
  service: RunningProcess,
  database: BenchDatabase,
  projectId: string,
  count: number,
  connections: number,
): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await runLoad(service.origin, {
    connections,
    requests: count,
    expectedStatus: 303,
    makeRequest: () => ({
      method: 'POST',
      path: '/pay',
      headers,
      body: `token=${makeToken(database, projectId)}`,
    }),
  })
}

async function untilDelivered(database: BenchDatabase): Promise<void> {
  for (;;) {
    const { rows } = await database.sql(
      `select count(*)::int as n from callback_states where status in ('pending', 'sending')`,
    )
    if ((rows[0] as { n: number }).n === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/**
 * Returns one delay in milliseconds per callback: from `created_at` to its first arrival at the merchant. `created_at` is
 * the start of the transaction that ends the payment, so a delay includes the commit.
 */
async function readDelays(database: BenchDatabase, sinkUrl: string): Promise<number[]> {
  const arrivals = (await (await fetch(`${sinkUrl}/arrivals`)).json()) as Record<string, number[]>
  const { rows } = await database.sql(
    'select id, extract(epoch from created_at)::float8 * 1000 as at from callback_states',
  )
  return (rows as { id: string; at: number }[]).flatMap(({ id, at }) =>
    (arrivals[id] ?? []).slice(0, 1).map((arrivedMs) => arrivedMs - at),
  )
}

export async function benchLatency(setup: Setup): Promise<Result[]> {
  const database = await setup.database('latency')
  const port = await freePort()
  const sink = await startProcess('bench/sink.ts', 'ready', { PORTS: String(port) })
  const sinkUrl = `http://127.0.0.1:${port}`
  const projectId = await addProject(database.deps, database.ownerId, 'Latency', `${sinkUrl}/shop`)
  const service = await database.service({ CALLBACK_ALLOW_HOSTS: `127.0.0.1:${port}` })
  // Warms the service up.
  await pay(service, database, projectId, 50, 1)
  await untilDelivered(database)
  await database.sql('truncate callbacks, callback_attempts cascade')
  await pay(service, database, projectId, IDLE_PAYMENTS, 1)
  await untilDelivered(database)
  const delays = await readDelays(database, sinkUrl)

  await pay(service, database, projectId, FIRST_PAYMENTS, 32)
  await untilDelivered(database)
  const earlyRssBytes = await readRssBytes(service.pid)
  await pay(service, database, projectId, ALL_PAYMENTS - FIRST_PAYMENTS, 32)
  await untilDelivered(database)
  const lateRssBytes = await readRssBytes(service.pid)
  await Promise.all([service.stop(), sink.stop()])
  await database.close()
  const memory = toAbsoluteResult({
    name: '12 memory after 100k payments and callbacks, relative to 10k',
    unit: '× (resident set)',
    target: { kind: 'at most', must: 1.3, goal: 1.05 },
    values: [lateRssBytes / earlyRssBytes],
    note: `${Math.round(earlyRssBytes / 2 ** 20)} MiB, then ${Math.round(lateRssBytes / 2 ** 20)} MiB`,
  })
  return [
    toAbsoluteResult({
      name: '7 commit to first byte at the merchant, idle, p50',
      unit: 'ms',
      target: { kind: 'at most', must: 10, goal: 3 },
      values: [percentile(delays, 0.5)],
    }),
    toAbsoluteResult({
      name: '7 commit to first byte at the merchant, idle, p99',
      unit: 'ms',
      target: { kind: 'at most', must: 50, goal: 10 },
      values: [percentile(delays, 0.99)],
      note: `${delays.length} payments`,
    }),
    memory,
  ]
}
