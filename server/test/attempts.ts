import type { Db } from '../src/db/pool.ts'
import { rows } from './accounts.ts'

export interface AttemptFields {
  attempt?: number
  outcome?: string
  statusCode?: number | null
  ageSec?: number
}

export async function addAttemptTo(
  db: Db,
  { projectId, url }: { projectId: string; url: string },
  callbackId: string,
  { attempt = 1, outcome = 'http_error', statusCode = 500, ageSec = 0 }: AttemptFields,
): Promise<void> {
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome, status_code)
     values ($1, $2, $3, $4, now() - make_interval(secs => $5::float8), $6, $7)`,
    [projectId, callbackId, attempt, url, ageSec, outcome, statusCode],
  )
}
