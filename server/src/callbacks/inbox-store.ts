import { INBOX_REQUESTS_MAX, INBOX_RETENTION_DAYS } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { RETENTION_BATCH } from './retention-store.ts'

export interface InboxRequest {
  headers: Record<string, string>
  body: string
  verified: boolean
}

export type ReceivedRequest = InboxRequest & { receivedAt: Date }

// Also deletes the oldest requests of a full inbox.
const INSERT = statement(
  'inbox.insert',
  `with surplus as (
     select id from inbox_requests where project_id = $1 order by id desc offset ${INBOX_REQUESTS_MAX - 1} limit 1
   ), removed as (
     delete from inbox_requests r using surplus s where r.project_id = $1 and r.id <= s.id
   )
   insert into inbox_requests (project_id, callback_id, headers, body, verified) values ($1, $2, $3, $4, $5)`,
)

export async function insertInboxRequest(
  db: Queryable,
  callback: { projectId: string; id: string },
  { headers, body, verified }: InboxRequest,
): Promise<void> {
  await db.query(INSERT, [callback.projectId, callback.id, JSON.stringify(headers), body, verified])
}

const LIST = statement(
  'inbox.list',
  `select received_at as "receivedAt", headers, body, verified from inbox_requests
   where project_id = $1 and received_at > now() - interval '${INBOX_RETENTION_DAYS} days' order by id desc limit $2`,
)

export async function listInboxRequests(
  db: Queryable,
  projectId: string,
  limit: number,
): Promise<ReceivedRequest[]> {
  return db.query<ReceivedRequest>(LIST, [projectId, limit])
}

const DELETE_OLD = statement(
  'inbox.delete_old',
  `delete from inbox_requests where id = any (array(
     select id from inbox_requests where received_at <= now() - interval '${INBOX_RETENTION_DAYS} days'
     limit ${RETENTION_BATCH})) returning 1`,
)

export async function deleteOldInboxRequests(db: Queryable): Promise<number> {
  return (await db.query(DELETE_OLD)).length
}
