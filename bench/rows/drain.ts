// Rows 4, 4b, 5, 6 and 8 of the benchmark table: how fast queued callbacks are delivered to twenty merchants, and what one
// delivery costs the database. Row 8 compares deliveries with and without a dead merchant.
import { SLOTS } from '../../server/src/callbacks/lanes.ts'
import { freePort } from '../../server/test/service-process.ts'
import { drainGraphile } from '../floors/graphile.ts'
import { drainOneAtATime } from '../floors/one-at-a-time.ts'
import { postRaw } from '../floors/raw-post.ts'
import { addOwner, addProject, seedCallbacks } from '../setup.ts'
import type { BenchDatabase, Setup } from '../setup.ts'
import type { DatabaseCost } from '../database-cost.ts'
import { openCostMeter } from '../database-cost.ts'
import { readProcessCpuMicros } from '../load.ts'
import { toAbsoluteResult, compare, median } from '../measure.ts'
import type { Result } from '../measure.ts'
import { startProcess } from '../process.ts'
import type { RunningProcess } from '../process.ts'

const PROJECTS = 20
const CALLBACKS = 8_000
const CONCURRENCY = SLOTS
const COST_ROUNDS = 5
/** About as long as the body of a callback. */
const BODY = JSON.stringify({ filler: 'x'.repeat(487) })

interface Scenario {
  database: BenchDatabase
  sinkUrl: string
  projectIds: string[]
  deadProjectId: string
  service: RunningProcess
  stop(): Promise<void>
}

async function openScenario(setup: Setup): Promise<Scenario> {
  const database = await setup.database('drain')
  // Each merchant has its own port, because the service limits requests per host and port.
  const ports = await Promise.all(Array.from({ length: PROJECTS }, freePort))
  const deadPort = await freePort()
  const sink = await startProcess('bench/sink.ts', 'ready', {
    PORTS: ports.join(),
    DEAD_PORT: String(deadPort),
  })
  const sinkUrl = `http://127.0.0.1:${ports[0]}`
  const projectIds: string[] = []
  let ownerId = ''
  for (let n = 0; n <= PROJECTS; n += 1) {
    // An account may have at most five projects.
    if (n % 5 === 0) ownerId = await addOwner(database.deps, n + 1)
    const apiUrl = `http://127.0.0.1:${ports[n] ?? deadPort}/callback`
    projectIds.push(await addProject(database.deps, ownerId, `Shop ${n}`, apiUrl))
  }
  const deadProjectId = projectIds.pop()!
  const service = await database.service({
    ROLE: 'delivery',
    CALLBACK_ALLOW_HOSTS: [...ports, deadPort].map((port) => `127.0.0.1:${port}`).join(),
  })
  return {
    database,
    sinkUrl,
    projectIds,
    deadProjectId,
    service,
    async stop() {
      await Promise.all([service.stop(), sink.stop()])
      await database.close()
    },
  }
}

async function untilRecorded({ database, projectIds }: Scenario): Promise<void> {
  for (;;) {
    const { rows } = await database.sql(
      'select count(*)::int as recorded from callback_attempts where project_id = any($1)',
      [projectIds],
    )
    if ((rows[0] as { recorded: number }).recorded >= CALLBACKS) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/**
 * Writes the callbacks in a transaction that stays open until the returned function commits it. So no callback is due
 * before all of them are written, and the cost of writing them is not measured.
 */
async function seedDrain(
  { database, projectIds, deadProjectId }: Scenario,
  withDead: boolean,
): Promise<() => Promise<void>> {
  await database.sql('truncate callbacks, callback_attempts cascade')
  await database.sql('truncate callback_lanes')
  await database.sql('begin')
  if (withDead) await seedCallbacks(database, { delivered: 0, pending: 500, projectIds: [deadProjectId] })
  await seedCallbacks(database, { delivered: 0, pending: CALLBACKS, projectIds })
  return async () => {
    await database.sql('commit')
  }
}

/** Callbacks per second to responding merchants, from the start of the first attempt to the start of the last attempt. */
async function drainOurs(scenario: Scenario, withDead: boolean): Promise<number> {
  const makeDue = await seedDrain(scenario, withDead)
  await makeDue()
  await untilRecorded(scenario)
  const { rows } = await scenario.database.sql(
    `select extract(epoch from max(started_at) - min(started_at))::float8 as seconds
     from callback_attempts where project_id = any($1)`,
    [scenario.projectIds],
  )
  const { seconds } = rows[0] as { seconds: number }
  return CALLBACKS / seconds
}

/** Row 4b: the cost of one delivered callback. It includes other work that the service does at the same time. */
async function measureCosts(setup: Setup, scenario: Scenario): Promise<Result[]> {
  const meter = await openCostMeter(setup)
  const costs: DatabaseCost[] = []
  const serviceMicros: number[] = []
  for (let round = 0; round < COST_ROUNDS; round += 1) {
    const makeDue = await seedDrain(scenario, false)
    const cpuBefore = await readProcessCpuMicros(scenario.service.pid)
    const metered = await meter.start()
    await makeDue()
    await untilRecorded(scenario)
    costs.push(await metered.end())
    serviceMicros.push((await readProcessCpuMicros(scenario.service.pid)) - cpuBefore)
  }
  await meter.close()
  const perCallback = (pick: (cost: DatabaseCost) => number) => costs.map((cost) => pick(cost) / CALLBACKS)
  const pageBytes = Math.round(median(perCallback((cost) => cost.walFullPageBytes)))
  return [
    toAbsoluteResult({
      name: '4b PostgreSQL CPU per delivered callback',
      unit: 'µs',
      target: { kind: 'at most', must: 100, goal: 60 },
      values: perCallback((cost) => cost.cpuMicros),
      note: `the service itself: ${Math.round(median(serviceMicros) / CALLBACKS)} µs`,
    }),
    toAbsoluteResult({
      name: '4b write-ahead log per delivered callback, without full-page images',
      unit: 'bytes',
      target: { kind: 'at most', must: 1_000, goal: 700 },
      values: perCallback((cost) => cost.walBytes - cost.walFullPageBytes),
      note: `and ${pageBytes} bytes of full-page images after a checkpoint`,
    }),
  ]
}

/** Pauses our service while another queue is measured. */
function whilePaused(scenario: Scenario, work: () => Promise<number>): () => Promise<number> {
  return async () => {
    scenario.service.child.kill('SIGSTOP')
    try {
      return await work()
    } finally {
      scenario.service.child.kill('SIGCONT')
    }
  }
}

export async function benchDrain(setup: Setup): Promise<Result[]> {
  const scenario = await openScenario(setup)
  const ours = () => drainOurs(scenario, false)
  const unit = 'callbacks/s'
  const results = [
    await compare({
      name: '4 callback drain, 20 projects, relative to a raw POST loop',
      unit,
      target: { kind: 'at least', must: 0.5, goal: 0.6 },
      rounds: 5,
      ours,
      floor: () => postRaw(scenario.sinkUrl, CALLBACKS, CONCURRENCY, BODY),
    }),
    await compare({
      name: '8 callback drain, 20 projects and a dead one, relative to without the dead one',
      unit,
      target: { kind: 'at least', must: 0.98, goal: 1 },
      rounds: 5,
      ours: () => drainOurs(scenario, true),
      floor: ours,
    }),
  ]
  results.push(
    ...(await measureCosts(setup, scenario)),
    await compare({
      name: '5 callback drain, relative to one at a time',
      unit,
      target: { kind: 'at least', must: 7, goal: 9 },
      rounds: 5,
      ours,
      floor: whilePaused(scenario, async () => {
        await scenario.database.sql('truncate callbacks, callback_attempts cascade')
        await seedCallbacks(scenario.database, {
          delivered: 0,
          pending: 600,
          projectIds: scenario.projectIds,
        })
        return drainOneAtATime(scenario.database.url, scenario.sinkUrl, 600)
      }),
    }),
    await compare({
      name: '6 callback drain, relative to graphile-worker in batches',
      unit,
      target: { kind: 'at least', must: 1.8, goal: 2.5 },
      rounds: 5,
      ours,
      floor: whilePaused(scenario, () =>
        drainGraphile(scenario.database.url, scenario.sinkUrl, CALLBACKS, CONCURRENCY, BODY),
      ),
    }),
  )
  await scenario.stop()
  return results
}
