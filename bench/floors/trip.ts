// The floor (minimal work to compare with) of the benchmark “trip”: the CPU time of one payment without the service. It
// is the sum of four parts: the pay page from a route with one select and a fixed text, the SQL statements of a payment,
// the POST to the merchant, and the insert of the callback's attempt.
import pg from 'pg'
import type { CostMeter } from '../database-cost.ts'
import { readProcessCpuMicros, runLoad } from '../load.ts'
import { startProcess } from '../process.ts'
import { createConfirmFloor } from './confirm.ts'
import { postRaw } from './raw-post.ts'

const BODY = JSON.stringify({ filler: 'x'.repeat(487) })

const INSERT_ATTEMPT = `insert into callback_attempts (project_id, callback_id, attempt, trigger, url, started_at, duration_ms,
    outcome, status_code)
  values ($1, $2, 1, 'auto', 'http://127.0.0.1/callback', now(), 3, 'delivered', 200)`

export interface TripFloor {
  /** Does each part `payments` times. Returns the CPU time per payment in µs. */
  run(payments: number): Promise<number>
  close(): Promise<void>
}

function readOwnMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

export async function createTripFloor(
  {
    database,
    sinkUrl,
    projectId,
    pageBytes,
  }: {
    database: { url: string }
    sinkUrl: string
    projectId: string
    pageBytes: number
  },
  meter: CostMeter,
  connections: number,
): Promise<TripFloor> {
  const page = await startProcess('bench/floors/pay-page.ts', 'ready', {
    DATABASE_URL: database.url,
    PROJECT_ID: projectId,
    BYTES: String(pageBytes),
  })
  const confirm = createConfirmFloor(database.url, projectId)
  const pool = new pg.Pool({ connectionString: database.url, max: 16 })
  let inserted = 0

  /** Returns the CPU time in µs that `work` takes in PostgreSQL and in the process whose CPU time `readMicros` reads. */
  async function measure(
    readMicros: () => number | Promise<number>,
    work: () => Promise<unknown>,
  ): Promise<number> {
    const metered = await meter.start()
    const before = await readMicros()
    await work()
    const micros = (await readMicros()) - before
    return micros + (await metered.end()).cpuMicros
  }

  async function insertAttempts(count: number): Promise<void> {
    const last = inserted + count
    const worker = async () => {
      while (inserted < last) {
        inserted += 1
        await pool.query({
          name: 'attempt',
          text: INSERT_ATTEMPT,
          values: [projectId, `msg_bare_${inserted}`],
        })
      }
    }
    await Promise.all(Array.from({ length: connections }, worker))
  }

  return {
    async run(payments) {
      const makeRequest = () => ({ method: 'GET' as const, path: '/' })
      const parts = [
        await measure(
          () => readProcessCpuMicros(page.pid),
          () => runLoad(page.origin, { connections, requests: payments, expectedStatus: 200, makeRequest }),
        ),
        await measure(readOwnMicros, () => confirm.run(payments, connections)),
        await measure(readOwnMicros, () => postRaw(sinkUrl, payments, connections, BODY)),
        await measure(readOwnMicros, () => insertAttempts(payments)),
      ]
      return parts.reduce((sum, part) => sum + part, 0) / payments
    },
    async close() {
      await Promise.all([page.stop(), confirm.close(), pool.end()])
    },
  }
}
