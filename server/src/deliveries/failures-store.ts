// The newest callbacks that were attempted and have not arrived, with the outcome of their last attempt.
import type { AttemptOutcome } from '@pazar/contract'
import { attemptOutcome } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { AttemptFacts } from './explain.ts'
import type { Lane } from '../callbacks/lanes.ts'

/** This many callbacks are enough to show the causes. */
export const FAILURES_MAX = 200
export const FAILURES_DAYS = 7

export interface FailedCallback extends AttemptFacts {
  id: string
  createdAt: Date
}

// Leaves out callbacks of the test button and the exam, because the person who sent them saw the response.
const READ = statement(
  'failures.read',
  `with failed as (
     select c.* from unnest($3::text[]) as o(outcome) cross join unnest(array['exhausted', 'pending']) as s(status)
     cross join lateral (
       select c.project_id, c.id, c.attempts, c.created_at from callbacks c
       where c.project_id = $1 and c.mode = $2 and c.last_outcome = o.outcome and c.last_outcome <> 'delivered'
         and c.status = s.status and c.created_at >= now() - interval '${FAILURES_DAYS} days'
         and c.trigger in ('auto', 'manual')
       order by c.created_at desc, c.id desc limit ${FAILURES_MAX + 1}) as c
     order by c.created_at desc, c.id desc limit ${FAILURES_MAX + 1})
   select c.id, c.created_at, a.outcome, a.status_code, a.error, a.response_excerpt
   from failed c
   join callback_attempts a on a.project_id = c.project_id and a.callback_id = c.id and a.attempt = c.attempts
   order by c.created_at desc, c.id desc`,
)

const FAILED_OUTCOMES = attemptOutcome.options.filter((outcome) => outcome !== 'delivered')

interface FailedRow {
  id: string
  created_at: Date
  outcome: AttemptOutcome
  status_code: number | null
  error: string | null
  response_excerpt: string | null
}

/** Newest first. Returns at most FAILURES_MAX + 1: one too many tells the caller that there are more. */
export async function findFailures(db: Queryable, { projectId, mode }: Lane): Promise<FailedCallback[]> {
  const rows = await db.query<FailedRow>(READ, [projectId, mode, FAILED_OUTCOMES])
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    outcome: row.outcome,
    statusCode: row.status_code,
    error: row.error,
    responseExcerpt: row.response_excerpt,
  }))
}
