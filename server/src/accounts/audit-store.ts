import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

export interface AuditRow {
  id: string
  accountId: AccountId | null
  projectId: string | null
  action: string
  actor: string
  ip: string | null
  userAgent: string | null
  changes: Readonly<Record<string, unknown>>
}

const INSERT = statement(
  'audit.insert',
  `insert into audit_events (id, account_id, project_id, action, actor, ip, user_agent, changes)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export async function insertAuditEvent(tx: Tx, row: AuditRow): Promise<void> {
  const { id, accountId, projectId, action, actor, ip, userAgent, changes } = row
  await tx.query(INSERT, [id, accountId, projectId, action, actor, ip, userAgent, JSON.stringify(changes)])
}

export interface AuditEntry {
  id: string
  at: Date
  action: string
  projectId: string | null
  actor: string
  ip: string | null
  userAgent: string | null
  changes: Readonly<Record<string, unknown>>
}

const COLUMNS = 'id, at, action, project_id, actor, ip, user_agent, changes'
/** Ids are ordered by time, so the next page starts after the last id of this one. */
const PAGE = '($2::uuid is null or id < $2) order by id desc limit $3'

const SELECT_OF_ACCOUNT = statement(
  'audit.of_account',
  `select ${COLUMNS} from audit_events where account_id = $1 and ${PAGE}`,
)
const SELECT_OF_PROJECT = statement(
  'audit.of_project',
  `select ${COLUMNS} from audit_events where account_id = $1 and project_id = $4 and ${PAGE}`,
)

type EntryRow = Omit<AuditEntry, 'projectId' | 'userAgent'> & {
  project_id: string | null
  user_agent: string | null
}

function toEntry({ project_id: projectId, user_agent: userAgent, ...row }: EntryRow): AuditEntry {
  return { ...row, projectId, userAgent }
}

/** Newest first; for the whole account or for one of its projects. */
export async function findAuditEvents(
  db: Queryable,
  accountId: AccountId,
  page: { projectId: string | null; beforeId: string | null; limit: number },
): Promise<AuditEntry[]> {
  const { projectId, beforeId, limit } = page
  const rows =
    projectId === null
      ? await db.query<EntryRow>(SELECT_OF_ACCOUNT, [accountId, beforeId, limit])
      : await db.query<EntryRow>(SELECT_OF_PROJECT, [accountId, beforeId, limit, projectId])
  return rows.map(toEntry)
}
