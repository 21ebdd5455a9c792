// Row 16 of the benchmark table: one of two delivery processes is killed during payments. Measures the longest wait of a
// new callback, and the time until the unfinished callbacks of the killed process have been sent again.
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/test/service-process.ts'
import { addOwner, addProject } from '../setup.ts'
import type { BenchDatabase, Setup } from '../setup.ts'
import { toAbsoluteResult } from '../measure.ts'
import type { Result } from '../measure.ts'
import { startProcess } from '../process.ts'
import type { RunningProcess } from '../process.ts'
import { makeToken } from './confirm.ts'

const PROJECTS = 12
const ROUNDS = 3
const BEFORE_KILL_MS = 2_000
const AFTER_KILL_MS = 8_000
/** The merchant delays each response, so that the killed process is still waiting for some responses. */
const HOLD_MS = 1_000

interface Scenario {
  database: BenchDatabase
  sinkUrl: string
  projectIds: string[]
  web: RunningProcess
  startDelivery(): Promise<RunningProcess>
}

async function openScenario(setup: Setup): Promise<Scenario> {
  const database = await setup.database('takeover')
  const ports = await Promise.all(Array.from({ length: PROJECTS }, freePort))
  await startProcess('bench/sink.ts', 'ready', { PORTS: ports.join(), HOLD_MS: String(HOLD_MS) })
  const projectIds: string[] = []
  let ownerId = ''
  for (const [n, port] of ports.entries()) {
    // An account may have at most five projects.
    if (n % 5 === 0) ownerId = await addOwner(database.deps, n + 1)
    projectIds.push(
      await addProject(database.deps, ownerId, `Shop ${n}`, `http://127.0.0.1:${port}/callback`),
    )
  }
  const env = { CALLBACK_ALLOW_HOSTS: ports.map((port) => `127.0.0.1:${port}`).join() }
  return {
    database,
    sinkUrl: `http://127.0.0.1:${ports[0]}`,
    projectIds,
    web: await database.service({ ...env, ROLE: 'web' }),
    startDelivery: () => database.service({ ...env, ROLE: 'delivery' }),
  }
}

async function keepPaying({ database, projectIds, web }: Scenario, durationMs: number): Promise<void> {
  const endMs = performance.now() + durationMs
  while (performance.now() < endMs) {
    await Promise.all(
      projectIds.map(async (projectId) => {
        const body = new URLSearchParams({ token: makeToken(database, projectId, null) })
        const response = await fetch(`${web.origin}/pay`, { method: 'POST', body, redirect: 'manual' })
        await response.arrayBuffer()
        if (response.status !== 303) throw new Error(`POST /pay responded with ${response.status}`)
      }),
    )
    await sleep(100)
  }
}

async function waitForCount({ database }: Scenario, sql: string, expected: number): Promise<void> {
  for (;;) {
    const { rows } = await database.sql(sql)
    if ((rows[0] as { n: number }).n === expected) return
    await sleep(100)
  }
}

interface KillResult {
  longestWaitMs: number
  repeatedAfterMs: number
  repeats: number
}

async function killOne(scenario: Scenario, victim: RunningProcess): Promise<KillResult> {
  const { database, sinkUrl } = scenario
  await database.sql('truncate callbacks, callback_attempts cascade')
  const paying = keepPaying(scenario, BEFORE_KILL_MS + AFTER_KILL_MS)
  await waitForCount(
    scenario,
    'select count(distinct owner)::int as n from callback_lanes where owner is not null',
    2,
  )
  await sleep(BEFORE_KILL_MS)
  victim.child.kill('SIGKILL')
  const killedMs = performance.timeOrigin + performance.now()
  await paying
  await waitForCount(
    scenario,
    `select count(*)::int as n from callback_states where status <> 'delivered'`,
    0,
  )
  const arrivals = (await (await fetch(`${sinkUrl}/arrivals`)).json()) as Record<string, number[]>
  const { rows } = await database.sql(
    'select id, extract(epoch from created_at)::float8 * 1000 as at from callback_states',
  )
  const times = (rows as { id: string; at: number }[]).map(({ id, at }) => ({
    at,
    arrived: arrivals[id] ?? [],
  }))
  const repeated = times.filter(({ arrived }) => arrived.length > 1)
  return {
    longestWaitMs: Math.max(...times.map(({ at, arrived }) => arrived[0]! - at)),
    repeatedAfterMs: Math.max(0, ...repeated.map(({ arrived }) => arrived.at(-1)! - killedMs)),
    repeats: repeated.length,
  }
}

export async function benchTakeover(setup: Setup): Promise<Result[]> {
  const scenario = await openScenario(setup)
  let [victim, other] = await Promise.all([scenario.startDelivery(), scenario.startDelivery()])
  const rounds: KillResult[] = []
  for (let n = 0; n < ROUNDS; n += 1) {
    rounds.push(await killOne(scenario, victim))
    await victim.stop()
    ;[victim, other] = [other, await scenario.startDelivery()]
  }
  await Promise.all([victim.stop(), other.stop(), scenario.web.stop()])
  await scenario.database.close()
  const toSeconds = (values: readonly number[]) => values.map((ms) => (ms / 1_000).toFixed(1)).join(', ')
  const waitsMs = rounds.map(({ longestWaitMs }) => longestWaitMs)
  const repeatsMs = rounds.map(({ repeatedAfterMs }) => repeatedAfterMs)
  const counts = rounds.map(({ repeats }) => repeats).join(', ')
  return [
    toAbsoluteResult({
      name: '16 one of two delivery processes killed: longest wait of a new callback',
      unit: 's',
      target: { kind: 'at most', must: 3, goal: 1.5 },
      values: [Math.max(...waitsMs) / 1_000],
      note: `rounds: ${toSeconds(waitsMs)} s`,
    }),
    toAbsoluteResult({
      name: '16 one of two delivery processes killed: time until all its unfinished callbacks were sent again',
      unit: 's',
      target: { kind: 'at most', must: 40, goal: 30 },
      values: [Math.max(...repeatsMs) / 1_000],
      note: `rounds: ${toSeconds(repeatsMs)} s; callbacks repeated: ${counts}`,
    }),
  ]
}
