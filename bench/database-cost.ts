// Measures the CPU time of PostgreSQL and the bytes of its write-ahead log. Linux only.
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { TICKS_PER_SEC } from './load.ts'
import type { Setup } from './setup.ts'

export interface DatabaseCost {
  cpuMicros: number
  walBytes: number
  /** The part of walBytes for full-page images: a whole page is logged at its first change after a checkpoint. */
  walFullPageBytes: number
}

async function readStat(
  pid: string,
): Promise<{ parent: number; ticks: number; endedChildrenTicks: number } | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const sum = (from: number) => fields[from]! + fields[from + 1]!
    return { parent: fields[1]!, ticks: sum(11), endedChildrenTicks: sum(13) }
  } catch {
    // The process has ended. If it belonged to PostgreSQL, `endedChildrenTicks` of the postmaster includes its time.
    return null
  }
}

/** The CPU time of PostgreSQL, including ended processes but not the backend that serves this measurement. */
async function readCpuMicros(postmaster: number, ownBackendPid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== ownBackendPid)
  let ticks = 0
  for (const pid of pids) {
    const stat = await readStat(pid)
    if (Number(pid) === postmaster) ticks += (stat?.ticks ?? 0) + (stat?.endedChildrenTicks ?? 0)
    else if (stat?.parent === postmaster) ticks += stat.ticks
  }
  return (ticks / TICKS_PER_SEC) * 1e6
}

/** Run this query only for a range of the log with at least one byte, because PostgreSQL refuses an empty range. */
const READ_FULL_PAGES = 'select coalesce(sum(fpi_size), 0)::float8 as value from pg_get_wal_stats($1, $2)'

export interface CostMeter {
  start(): Promise<{ end(): Promise<DatabaseCost> }>
  close(): Promise<void>
}

export async function openCostMeter({ cluster }: Setup): Promise<CostMeter> {
  // Only a superuser may create the extension pg_walinspect.
  const client = new pg.Client({ connectionString: cluster.adminUrl('postgres') })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create extension if not exists pg_walinspect')
  const readValue = async <T>(text: string, values: unknown[] = []): Promise<T> =>
    (await client.query<{ value: T }>(text, values)).rows[0]!.value
  const ownBackendPid = await readValue<number>('select pg_backend_pid() as value')
  const readWalEnd = () => readValue<string>('select pg_current_wal_flush_lsn() as value')
  return {
    async start() {
      const cpu = await readCpuMicros(cluster.pid, ownBackendPid)
      // The measured bytes must not include the log of earlier work. This query writes to the log, so its commit also writes
      // the earlier log to disk.
      await client.query("select pg_logical_emit_message(true, 'bench', 'start')")
      const startLsn = await readWalEnd()
      return {
        async end() {
          const cpuMicros = (await readCpuMicros(cluster.pid, ownBackendPid)) - cpu
          const range = [startLsn, await readWalEnd()]
          const walBytes = await readValue<number>('select ($2::pg_lsn - $1::pg_lsn)::float8 as value', range)
          const walFullPageBytes = walBytes > 0 ? await readValue<number>(READ_FULL_PAGES, range) : 0
          return { cpuMicros, walBytes, walFullPageBytes }
        },
      }
    },
    close: () => client.end(),
  }
}
