// Row 15 of the benchmark table: the cost of one whole payment in CPU time, bytes of the write-ahead log and bytes on disk.
// A whole payment is GET /pay, POST /pay, the delivered callback and the published event.
import { freePort } from '../../server/test/service-process.ts'
import { createTripFloor } from '../floors/trip.ts'
import { openCostMeter } from '../database-cost.ts'
import type { CostMeter, DatabaseCost } from '../database-cost.ts'
import { readProcessCpuMicros, runLoad } from '../load.ts'
import { toAbsoluteResult, toComparedResult } from '../measure.ts'
import type { Result } from '../measure.ts'
import { startProcess } from '../process.ts'
import type { RunningProcess } from '../process.ts'
import { addOwner, addProject } from '../setup.ts'
import type { BenchDatabase, Setup } from '../setup.ts'
import { makeToken } from './confirm.ts'

const PROJECTS = 20
const CONNECTIONS = 32
const PAYMENTS = 2_000
const ROUNDS = 5
const IDLE_MS = 15_000

interface TripServices {
  database: BenchDatabase
  sinkUrl: string
  projectIds: string[]
  web: RunningProcess
  delivery: RunningProcess
}

interface Cost extends DatabaseCost {
  webMicros: number
  deliveryMicros: number
  seconds: number
}

async function startTripServices(setup: Setup): Promise<TripServices> {
  const database = await setup.database('trip')
  // One port per merchant, because requests to one host are limited.
  const ports = await Promise.all(Array.from({ length: PROJECTS }, freePort))
  await startProcess('bench/sink.ts', 'ready', { PORTS: ports.join() })
  const projectIds: string[] = []
  let ownerId = ''
  for (const [n, port] of ports.entries()) {
    // An account may have at most five projects.
    if (n % 5 === 0) ownerId = await addOwner(database.deps, n + 1)
    projectIds.push(
      await addProject(database.deps, ownerId, `Project ${n}`, `http://127.0.0.1:${port}/callback`),
    )
  }
  const env = { CALLBACK_ALLOW_HOSTS: ports.map((port) => `127.0.0.1:${port}`).join() }
  const web = await database.service({ ...env, ROLE: 'web' })
  const delivery = await database.service({ ...env, ROLE: 'delivery' })
  return { database, sinkUrl: `http://127.0.0.1:${ports[0]}`, projectIds, web, delivery }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Polls the merchants first, because polling the database adds to the measured cost. */
async function waitUntilDone({ database, sinkUrl }: TripServices, payments: number): Promise<void> {
  const hasArrived = async () =>
    ((await (await fetch(`${sinkUrl}/received`)).json()) as { received: number }).received >= payments
  while (!(await hasArrived())) await sleep(200)
  for (;;) {
    const { rows } = await database.sql(
      `select not exists (select from feed_inbox)
         and (select count(*) from callback_states where status = 'delivered') >= $1 as done`,
      [payments],
    )
    if ((rows[0] as { done: boolean }).done) return
    await sleep(500)
  }
}

async function payRound(trip: TripServices, round: number): Promise<void> {
  const { database, projectIds, web } = trip
  const orders = Array.from({ length: PAYMENTS }, (_, n) => ({
    projectId: projectIds[n % PROJECTS]!,
    customId: `order-${round}-${n}`,
  }))
  await runLoad(web.origin, {
    connections: CONNECTIONS,
    requests: PAYMENTS,
    expectedStatus: 200,
    makeRequest: (n) => {
      const { projectId, customId } = orders[n]!
      const link = new URLSearchParams({ amount: '1500', project: projectId, data: 'Kafa 1 kg', customId })
      return { method: 'GET', path: `/pay?${link}`, headers: { accept: 'text/html' } }
    },
  })
  const tokens = orders.map(({ projectId, customId }) => makeToken(database, projectId, customId))
  await runLoad(web.origin, {
    connections: CONNECTIONS,
    requests: PAYMENTS,
    expectedStatus: 303,
    makeRequest: (n) => ({
      method: 'POST',
      path: '/pay',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${tokens[n]}`,
    }),
  })
  await waitUntilDone(trip, (round + 1) * PAYMENTS)
}

const SIZES = `select t.relname as table_name, coalesce(x.relname, 'the table itself') as part,
    pg_relation_size(coalesce(x.oid, t.oid)) + case when x.oid is null then pg_relation_size(nullif(t.reltoastrelid, 0)) else 0 end as bytes
  from pg_class t left join lateral (
    select null::oid as oid, null::name as relname
    union all select c.oid, c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = t.oid) as x on true
  where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace`

async function readSizes({ database }: TripServices): Promise<Map<string, number>> {
  // Frees the space of updated rows, as autovacuum does in production.
  await database.sql('vacuum')
  const { rows } = await database.sql(SIZES)
  return new Map(
    (rows as { table_name: string; part: string; bytes: string | null }[]).map((row) => [
      `${row.table_name}: ${row.part}`,
      Number(row.bytes ?? 0),
    ]),
  )
}

/** Bytes per payment of each table and index that has grown by at least one byte per payment. */
function toGrowth(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): [string, number][] {
  return [...after]
    .map(([name, bytes]): [string, number] => [name, (bytes - (before.get(name) ?? 0)) / (PAYMENTS * ROUNDS)])
    .filter(([, bytes]) => bytes >= 1)
    .toSorted(([, a], [, b]) => b - a)
}

async function measure(trip: TripServices, meter: CostMeter, work: () => Promise<unknown>): Promise<Cost> {
  const [web, delivery] = [
    await readProcessCpuMicros(trip.web.pid),
    await readProcessCpuMicros(trip.delivery.pid),
  ]
  const startedMs = performance.now()
  const metered = await meter.start()
  await work()
  return {
    ...(await metered.end()),
    webMicros: (await readProcessCpuMicros(trip.web.pid)) - web,
    deliveryMicros: (await readProcessCpuMicros(trip.delivery.pid)) - delivery,
    seconds: (performance.now() - startedMs) / 1000,
  }
}

export async function benchTrip(setup: Setup): Promise<Result[]> {
  const trip = await startTripServices(setup)
  // The first round warms the service up and is not measured.
  await payRound(trip, 0)
  const sizesBefore = await readSizes(trip)
  const meter = await openCostMeter(setup)
  const idle = await measure(trip, meter, () => sleep(IDLE_MS))
  const costs: Cost[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    costs.push(await measure(trip, meter, () => payRound(trip, round)))
    await trip.database.sql('vacuum')
  }
  const growth = toGrowth(sizesBefore, await readSizes(trip))
  const floors = await measureFloor(trip, meter)
  await meter.close()
  await trip.database.close()
  console.table(Object.fromEntries(growth.map(([name, bytes]) => [name, Math.round(bytes)])))
  return [toCpuResult(costs, idle, floors), ...toResults(costs, idle, growth)]
}

const toCpuMicros = ({ webMicros, deliveryMicros, cpuMicros }: Cost) => webMicros + deliveryMicros + cpuMicros

function toCpuResult(costs: readonly Cost[], idle: Cost, floors: readonly number[]): Result {
  const idlePerSec = toCpuMicros(idle) / idle.seconds
  return toComparedResult(
    {
      name: '15 one payment, from its page to its callback: CPU, relative to the sum of the bare parts',
      unit: 'µs',
      target: { kind: 'at most', must: 2, goal: 1.5 },
    },
    costs.map((cost) => (toCpuMicros(cost) - idlePerSec * cost.seconds) / PAYMENTS),
    floors,
  )
}

/** Stops the service before the floor runs, because the service would deliver the callbacks of the floor's payments. */
async function measureFloor(trip: TripServices, meter: CostMeter): Promise<number[]> {
  const projectId = trip.projectIds[0]!
  const shown = await fetch(`${trip.web.origin}/pay?amount=1500&project=${projectId}&data=Kafa+1+kg`)
  const pageBytes = Buffer.byteLength(await shown.text())
  await Promise.all([trip.web.stop(), trip.delivery.stop()])
  const floor = await createTripFloor({ ...trip, projectId, pageBytes }, meter, CONNECTIONS)
  const costs: number[] = []
  // The first round warms the floor up and is not measured.
  for (let round = 0; round <= ROUNDS; round += 1) costs.push(await floor.run(PAYMENTS))
  await floor.close()
  return costs.slice(1)
}

/** The cost of an idle service is subtracted from all values except the disk. Otherwise a slow run would seem costlier. */
function toResults(
  costs: readonly Cost[],
  idle: Cost,
  growth: readonly (readonly [string, number])[],
): Result[] {
  const report = (name: string, unit: string, pick: (cost: Cost) => number) => {
    const idlePerSec = pick(idle) / idle.seconds
    return toAbsoluteResult({
      name: `15 one payment, from its page to its callback: ${name}`,
      unit,
      target: { kind: 'at most', must: null, goal: null },
      values: costs.map((cost) => (pick(cost) - idlePerSec * cost.seconds) / PAYMENTS),
      note: `without the ${Math.round(idlePerSec)} ${unit} per second that an idle service uses`,
    })
  }
  const disk = toAbsoluteResult({
    name: '15 one payment, from its page to its callback: disk',
    unit: 'bytes',
    target: { kind: 'at most', must: null, goal: null },
    values: [growth.reduce((sum, [, bytes]) => sum + bytes, 0)],
    note: growth.map(([name, bytes]) => `${name} ${Math.round(bytes)}`).join(', '),
  })
  return [
    report('CPU of the web process', 'µs', (cost) => cost.webMicros),
    report('CPU of the delivery process', 'µs', (cost) => cost.deliveryMicros),
    report('CPU of PostgreSQL', 'µs', (cost) => cost.cpuMicros),
    report(
      'write-ahead log, without full-page images',
      'bytes',
      (cost) => cost.walBytes - cost.walFullPageBytes,
    ),
    disk,
  ]
}
