// Stores and reads the histograms of response-times.ts, one for each lane (a project in one mode) and hour.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { NO_RESPONSES, STEPS } from './response-times.ts'
import type { StepCounts } from './response-times.ts'
import type { Lane } from './lanes.ts'

export interface HourOfResponses extends Lane {
  /** The full hour, UTC, in which the attempts started. */
  hourMs: number
  counts: StepCounts
}

const ADD = statement(
  'answers.add',
  // The counts of all hours are passed as one list, hour after hour.
  `insert into callback_figures as stored (project_id, mode, hour, answers)
   select project_id, mode, to_timestamp(hour_ms / 1000), ($4::integer[])[(place - 1) * ${STEPS} + 1 : place * ${STEPS}]
   from unnest($1::text[], $2::text[], $3::float8[]) with ordinality as given(project_id, mode, hour_ms, place)
   where exists (select from projects p where p.id = given.project_id)
   -- In a fixed order, so that two processes cannot deadlock.
   order by project_id, mode, hour_ms
   on conflict (project_id, mode, hour) do update set answers = array(
     select a + b from unnest(stored.answers, excluded.answers) with ordinality as both_of(a, b, step) order by step)`,
)

/** `hours` must have each hour of a lane at most once. */
export async function addResponses(db: Queryable, hours: readonly HourOfResponses[]): Promise<void> {
  await db.query(ADD, [
    hours.map((one) => one.projectId),
    hours.map((one) => one.mode),
    hours.map((one) => one.hourMs),
    hours.flatMap((one) => one.counts),
  ])
}

const SUMS = Array.from({ length: STEPS }, (_, step) => `sum(answers[${step + 1}])`).join(', ')

// The counts are added up in SQL, because three months are two thousand hours of 96 numbers each.
const READ = statement(
  'answers.read',
  `select greatest(1, width_bucket(hour, $5::timestamptz[])) as place, array[${SUMS}]::text as counts
   from callback_figures
   where project_id = $1 and mode = $2 and hour >= date_trunc('hour', $3::timestamptz, 'UTC') and hour < $4
   group by place`,
)

/**
 * Returns the counts of each interval. The intervals begin at `starts`. An hour that began before the first interval belongs
 * to the first interval.
 */
export async function readResponses(
  db: Queryable,
  lane: Lane,
  range: { from: Date; to: Date; starts: readonly Date[] },
): Promise<StepCounts[]> {
  const { projectId, mode } = lane
  const rows = await db.query<{ place: number; counts: string }>(READ, [
    projectId,
    mode,
    range.from,
    range.to,
    range.starts,
  ])
  const found = new Map(rows.map(({ place, counts }) => [place, counts.slice(1, -1).split(',').map(Number)]))
  return range.starts.map((_, index) => found.get(index + 1) ?? NO_RESPONSES)
}
