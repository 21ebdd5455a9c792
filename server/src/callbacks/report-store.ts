// Reports of listeners, such as `pazar-cli listen`, about callbacks that were forwarded to them. The log shows these
// reports, and no state depends on them.
import type { EventReportBody } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { LISTENERS } from './deliver.ts'

const RECORD = statement(
  'callbacks.record_report',
  `with forwarded as (
     select a.attempt from callback_attempts a join callbacks c on c.project_id = a.project_id and c.id = a.callback_id
     where a.project_id = $1 and a.callback_id = $2 and a.url = '${LISTENERS}' and a.outcome = 'delivered' and c.mode = 'test'
     order by a.attempt desc limit 1
   ), recorded as (
     update callback_attempts a set reported_status = $3, reported_ms = $4, reported_at = now() from forwarded f
     where a.project_id = $1 and a.callback_id = $2 and a.attempt = f.attempt and a.reported_at is null returning 1
   )
   select exists (select from recorded) as "isRecorded" from forwarded`,
)

export async function recordReport(
  db: Queryable,
  projectId: string,
  { callbackId, statusCode, durationMs }: EventReportBody,
): Promise<'recorded' | 'already_reported' | 'not_forwarded'> {
  const values = [projectId, callbackId, statusCode, durationMs]
  const [row] = await db.query<{ isRecorded: boolean }>(RECORD, values)
  if (!row) return 'not_forwarded'
  return row.isRecorded ? 'recorded' : 'already_reported'
}
