// Rows 4, 5, 6 and 8: how fast queued callbacks are delivered to twenty merchants, with one attempt row each. Compared
// with a raw POST loop, a queue that claims one row at a time, a queue library, and ours with one dead merchant.
import { SLOTS } from '../../server/src/callbacks/lanes.ts'
import { freePort } from '../../server/test/service-process.ts'
import { drainGraphile } from '../floors/graphile.ts'
import { drainOneAtATime } from '../floors/one-at-a-time.ts'
import { postRaw } from '../floors/raw-post.ts'
import { addOwner, addProject, seedCallbacks } from '../setup.ts'
import type { BenchDatabase, Setup } from '../setup.ts'
import { compare } from '../measure.ts'
import type { Result } from '../measure.ts'
import { startProcess } from '../process.ts'
import type { Running } from '../process.ts'

const PROJECTS = 20
const CALLBACKS = 8_000
const CONCURRENCY = SLOTS
const BODY = JSON.stringify({ filler: 'x'.repeat(487) })

interface Scenario {
  database: BenchDatabase
  sink: Running
  sinkUrl: string
  projectIds: string[]
  deadProjectId: string
  service: Running
  stop(): Promise<void>
}

async function openScenario(setup: Setup): Promise<Scenario> {
  const database = await setup.database('drain')
  // One port per merchant, because requests to one host are limited.
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
    sink,
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

async function readReceived(scenario: Scenario): Promise<number> {
  return ((await (await fetch(`${scenario.sinkUrl}/received`)).json()) as { received: number }).received
}

/** Callbacks per second between the first and the last that responding merchants received. */
async function drainOurs(scenario: Scenario, withDead: boolean): Promise<number> {
  await scenario.database.sql('truncate callbacks cascade')
  await scenario.database.sql('truncate callback_lanes')
  const already = await readReceived(scenario)
  if (withDead)
    await seedCallbacks(scenario.database, {
      delivered: 0,
      pending: 500,
      projectIds: [scenario.deadProjectId],
    })
  await seedCallbacks(scenario.database, {
    delivered: 0,
    pending: CALLBACKS,
    projectIds: scenario.projectIds,
  })
  for (;;) {
    if ((await readReceived(scenario)) - already >= CALLBACKS) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { rows } = await scenario.database.sql(
    `select extract(epoch from max(started_at) - min(started_at))::float8 as seconds, count(*)::int as attempts
     from callback_attempts where project_id = any($1)`,
    [scenario.projectIds],
  )
  const { seconds } = rows[0] as { seconds: number }
  return CALLBACKS / seconds
}

async function seedForFloor(scenario: Scenario): Promise<void> {
  await scenario.database.sql('truncate callbacks cascade')
  await seedCallbacks(scenario.database, { delivered: 0, pending: 600, projectIds: scenario.projectIds })
}

/** Pauses our service while another queue is measured. Between rounds it holds no claimed rows. */
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
      name: '4 callback drain, 20 projects, beside a raw POST loop',
      unit,
      bar: { kind: 'at least', must: 0.35, goal: 0.55 },
      rounds: 5,
      ours,
      floor: () => postRaw(scenario.sinkUrl, CALLBACKS, CONCURRENCY, BODY),
    }),
    await compare({
      name: '8 others with one dead merchant among 20, beside without',
      unit,
      bar: { kind: 'at least', must: 0.9, goal: 0.98 },
      rounds: 5,
      ours: () => drainOurs(scenario, true),
      floor: ours,
    }),
  ]
  results.push(
    await compare({
      name: '5 callback drain, beside one at a time',
      unit,
      bar: { kind: 'at least', must: 4, goal: 7 },
      rounds: 5,
      ours,
      floor: whilePaused(scenario, async () => {
        await seedForFloor(scenario)
        return drainOneAtATime(scenario.database.url, scenario.sinkUrl, 600)
      }),
    }),
    await compare({
      name: '6 callback drain, beside graphile-worker in batches',
      unit,
      bar: { kind: 'at least', must: 1.5, goal: 2.5 },
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
