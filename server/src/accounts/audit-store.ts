import type { AuditTopic } from '@pazar/contract'
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

const SET_CHANGES = statement('audit.set_changes', 'update audit_events set changes = $2 where id = $1')

/** Used for an action that runs in many transactions but has only one entry. */
export async function setAuditChanges(tx: Tx, id: string, changes: AuditRow['changes']): Promise<void> {
  await tx.query(SET_CHANGES, [id, JSON.stringify(changes)])
}

export interface AuditEntry {
  id: string
  at: Date
  action: string
  projectId: string | null
  actor: string
  /** The e-mail address of the entry's account. Null if that account is closed or deleted. */
  person: string | null
  ip: string | null
  userAgent: string | null
  changes: Readonly<Record<string, unknown>>
}

const COLUMNS = `e.id, e.at, e.action, e.project_id, e.ip, e.user_agent, e.changes,
  case when e.actor = 'owner' and a.closed_at is null then coalesce(a.email, e.actor) else e.actor end as actor,
  case when a.closed_at is null then a.email end as person`
const ENTRIES = 'audit_events e left join accounts a on a.id = e.account_id'
/** Newer entries have higher ids, so this order is the order by time. */
const PAGE = '($2::uuid is null or e.id < $2) order by e.id desc limit $3'
const TOPIC = `($4::text is null or case $4 when 'payments' then e.changes ->> 'transactionId' is not null
  when 'projects' then e.project_id is not null else e.project_id is null end)`

const SELECT_OF_ACCOUNT = statement(
  'audit.of_account',
  `select ${COLUMNS} from ${ENTRIES} where e.account_id = $1 and ${TOPIC} and ${PAGE}`,
)
const SELECT_OF_PROJECT = statement(
  'audit.of_project',
  `select ${COLUMNS} from ${ENTRIES} where e.project_id = $1 and ${PAGE}`,
)

const SELECT_WHO = statement(
  'audit.who_did',
  `select distinct account_id as id from audit_events
   where project_id = $1 and action = any ($2) and at >= $3 and account_id is not null`,
)

export async function findWhoDid(
  db: Queryable,
  projectId: string,
  actions: readonly string[],
  since: Date,
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(SELECT_WHO, [projectId, actions, since])
  return new Set(rows.map(({ id }) => id))
}

type EntryRow = Omit<AuditEntry, 'projectId' | 'userAgent'> & {
  project_id: string | null
  user_agent: string | null
}

function toEntry({ project_id: projectId, user_agent: userAgent, ...row }: EntryRow): AuditEntry {
  return { ...row, projectId, userAgent }
}

export type AuditScope = { accountId: AccountId; about?: AuditTopic | undefined } | { projectId: string }

/**
 * Returns the newest entries first. The actor of an entry is one of:
 * - the e-mail address of a person;
 * - `owner`, if the account of that person is closed;
 * - `operator`;
 * - `token:` and the name of an API token.
 */
export async function findAuditEvents(
  db: Queryable,
  scope: AuditScope,
  { beforeId, limit }: { beforeId: string | null; limit: number },
): Promise<AuditEntry[]> {
  const rows =
    'accountId' in scope
      ? await db.query<EntryRow>(SELECT_OF_ACCOUNT, [scope.accountId, beforeId, limit, scope.about ?? null])
      : await db.query<EntryRow>(SELECT_OF_PROJECT, [scope.projectId, beforeId, limit])
  return rows.map(toEntry)
}
