// Rows 4, 5, 6 and 8: how fast waiting callbacks go out to twenty merchants, an attempt row each; beside a raw loop, a
// queue that takes one at a time, a queue library, and itself with one merchant dead.
import { SLOTS } from '../../server/src/callbacks/lanes.ts'
import { freePort } from '../../server/test/service-process.ts'
import { drainGraphile } from '../floors/graphile.ts'
import { drainOneAtATime } from '../floors/one-at-a-time.ts'
import { postRaw } from '../floors/raw-post.ts'
import { addOwner, addProject, seedCallbacks } from '../ground.ts'
import type { Ground, Place } from '../ground.ts'
import { duel } from '../measure.ts'
import type { Figure } from '../measure.ts'
import { startProcess } from '../process.ts'
import type { Running } from '../process.ts'

const PROJECTS = 20
const CALLBACKS = 8_000
const CONCURRENCY = SLOTS
const BODY = JSON.stringify({ filler: 'x'.repeat(487) })

interface Street {
  place: Place
  sink: Running
  sinkUrl: string
  projectIds: string[]
  deadProjectId: string
  service: Running
  stop(): Promise<void>
}

async function openStreet(ground: Ground): Promise<Street> {
  const place = await ground.database('drain')
  // A port each, as merchants have a host each: what goes to one host is bounded.
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
    if (n % 5 === 0) ownerId = await addOwner(place.deps, n + 1)
    const apiUrl = `http://127.0.0.1:${ports[n] ?? deadPort}/callback`
    projectIds.push(await addProject(place.deps, ownerId, `Shop ${n}`, apiUrl))
  }
  const deadProjectId = projectIds.pop()!
  const service = await place.service({
    ROLE: 'delivery',
    CALLBACK_ALLOW_HOSTS: [...ports, deadPort].map((port) => `127.0.0.1:${port}`).join(),
  })
  return {
    place,
    sink,
    sinkUrl,
    projectIds,
    deadProjectId,
    service,
    async stop() {
      await Promise.all([service.stop(), sink.stop()])
      await place.close()
    },
  }
}

async function readReceived(street: Street): Promise<number> {
  return ((await (await fetch(`${street.sinkUrl}/received`)).json()) as { received: number }).received
}

/** Callbacks per second between the first and the last that the living merchants got. */
async function drainOurs(street: Street, withDead: boolean): Promise<number> {
  await street.place.sql('truncate callbacks cascade')
  await street.place.sql('truncate callback_lanes')
  const already = await readReceived(street)
  if (withDead)
    await seedCallbacks(street.place, { delivered: 0, pending: 500, projectIds: [street.deadProjectId] })
  await seedCallbacks(street.place, { delivered: 0, pending: CALLBACKS, projectIds: street.projectIds })
  for (;;) {
    if ((await readReceived(street)) - already >= CALLBACKS) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { rows } = await street.place.sql(
    `select extract(epoch from max(started_at) - min(started_at))::float8 as seconds, count(*)::int as attempts
     from callback_attempts where project_id = any($1)`,
    [street.projectIds],
  )
  const { seconds } = rows[0] as { seconds: number }
  return CALLBACKS / seconds
}

async function seedForFloor(street: Street): Promise<void> {
  await street.place.sql('truncate callbacks cascade')
  await seedCallbacks(street.place, { delivered: 0, pending: 600, projectIds: street.projectIds })
}

/** The other queues want the table and the cores for themselves; between two rounds ours holds nothing. */
function whilePaused(street: Street, work: () => Promise<number>): () => Promise<number> {
  return async () => {
    street.service.child.kill('SIGSTOP')
    try {
      return await work()
    } finally {
      street.service.child.kill('SIGCONT')
    }
  }
}

export async function benchDrain(ground: Ground): Promise<Figure[]> {
  const street = await openStreet(ground)
  const ours = () => drainOurs(street, false)
  const unit = 'callbacks/s'
  const figures = [
    await duel({
      name: '4 callback drain, 20 projects, beside a raw POST loop',
      unit,
      bar: { kind: 'at least', must: 0.35, goal: 0.55 },
      rounds: 5,
      ours,
      floor: () => postRaw(street.sinkUrl, CALLBACKS, CONCURRENCY, BODY),
    }),
    await duel({
      name: '8 others with one dead merchant among 20, beside without',
      unit,
      bar: { kind: 'at least', must: 0.9, goal: 0.98 },
      rounds: 5,
      ours: () => drainOurs(street, true),
      floor: ours,
    }),
  ]
  figures.push(
    await duel({
      name: '5 callback drain, beside one at a time',
      unit,
      bar: { kind: 'at least', must: 4, goal: 7 },
      rounds: 5,
      ours,
      floor: whilePaused(street, async () => {
        await seedForFloor(street)
        return drainOneAtATime(street.place.url, street.sinkUrl, 600)
      }),
    }),
    await duel({
      name: '6 callback drain, beside graphile-worker in batches',
      unit,
      bar: { kind: 'at least', must: 1.5, goal: 2.5 },
      rounds: 5,
      ours,
      floor: whilePaused(street, () =>
        drainGraphile(street.place.url, street.sinkUrl, CALLBACKS, CONCURRENCY, BODY),
      ),
    }),
  )
  await street.stop()
  return figures
}
