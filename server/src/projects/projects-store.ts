// A query for a person finds only projects that the person owns or is a member of.
// Why this is long: the statements of one table.
import { PROJECTS_PER_ACCOUNT_MAX } from '@pazar/contract'
import type { CallbackEventName, Role } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { rotatedAt } from '../secrets/secrets-store.ts'
import type { BrandRow } from './brands-store.ts'
import { BRAND_COLUMNS, toBrand } from './brands-store.ts'
import type { NewProject, Project, ProjectSettings } from './project.ts'

interface ProjectRow extends BrandRow {
  id: string
  owner_id: string
  role: Role
  owner_verified: boolean
  name: string
  result_url: string
  api_url: string
  test_api_url: string | null
  require_signed_links: boolean
  events: CallbackEventName[]
  time_zone: string
  archived_at: Date | null
  created_at: Date
  updated_at: Date
  secret_rotated_at: Date
  test_secret_rotated_at: Date
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    ownerId: row.owner_id,
    role: row.role,
    isOwnerVerified: row.owner_verified,
    name: row.name,
    resultUrl: row.result_url,
    apiUrl: row.api_url,
    testApiUrl: row.test_api_url,
    requireSignedLinks: row.require_signed_links,
    events: row.events,
    timeZone: row.time_zone,
    brand: toBrand(row),
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    secretRotatedAt: row.secret_rotated_at,
    testSecretRotatedAt: row.test_secret_rotated_at,
  }
}

const SELECT = `select p.id, p.owner_id, p.name, p.result_url, p.api_url, p.test_api_url, p.require_signed_links,
    p.events, p.time_zone, p.archived_at, p.created_at, p.updated_at, ${BRAND_COLUMNS},
    case when p.owner_id = $1 then 'owner' else m.role end as role, o.kyc_verified_at is not null as owner_verified,
    ${rotatedAt('live', 'p.id')} as secret_rotated_at, ${rotatedAt('test', 'p.id')} as test_secret_rotated_at
  from projects p join accounts o on o.id = p.owner_id
    left join project_members m on m.project_id = p.id and m.account_id = $1
    left join project_brands b on b.project_id = p.id`

const SHARED = 'where p.id = $2 and (p.owner_id = $1 or m.role is not null)'

const FIND = statement('projects.find', `${SELECT} ${SHARED}`)

export async function findProject(db: Queryable, accountId: string, id: string): Promise<Project | null> {
  const rows = await db.query<ProjectRow>(FIND, [accountId, id])
  return rows[0] ? toProject(rows[0]) : null
}

const FIND_OWNER = statement('projects.find_owner', 'select owner_id from projects where id = $1')

/** Does not check membership. Null if there is no such project. */
export async function findOwnerId(db: Queryable, id: string): Promise<AccountId | null> {
  const [row] = await db.query<{ owner_id: AccountId }>(FIND_OWNER, [id])
  return row?.owner_id ?? null
}

const FIND_NAME = statement(
  'projects.find_name',
  'select name, owner_id as "ownerId" from projects where id = $1',
)

export async function findNameAndOwner(
  db: Queryable,
  id: string,
): Promise<{ name: string; ownerId: AccountId } | null> {
  const [row] = await db.query<{ name: string; ownerId: AccountId }>(FIND_NAME, [id])
  return row ?? null
}

const SUBSCRIBES = statement(
  'projects.subscribes',
  'select from projects where id = $1 and $2 = any (events)',
)

export async function subscribesTo(db: Queryable, id: string, event: CallbackEventName): Promise<boolean> {
  return (await db.query(SUBSCRIBES, [id, event])).length > 0
}

// Row locks have no queue: requests for a shared lock overtake a waiting change. Advisory locks have a queue, so nobody
// can delay their own removal by sending requests.
const TURN_TO_CHANGE = statement(
  'projects.turn_to_change',
  "select pg_advisory_xact_lock(hashtext('project'), hashtext($1))",
)
const TURN_TO_SHARE = statement(
  'projects.turn_to_share',
  "select pg_advisory_xact_lock_shared(hashtext('project'), hashtext($1))",
)

const FIND_FOR_CHANGE = statement('projects.find_for_change', `${SELECT} ${SHARED} for no key update of p`)

export async function findProjectForChange(tx: Tx, accountId: string, id: string): Promise<Project | null> {
  await tx.query(TURN_TO_CHANGE, [id])
  const [row] = await tx.query<ProjectRow>(FIND_FOR_CHANGE, [accountId, id])
  if (row?.role === 'owner') return toProject(row)
  // While the statement waited for the lock, the member may have been removed, or the owner may have changed. So the project
  // is read again. If the statement returned no row, the project is not locked yet.
  const current = await findProject(tx, accountId, id)
  if (row || !current) return current
  await lockProject(tx, id)
  return findProject(tx, accountId, id)
}

// Selects the ids first, so that both parts of the union use an index.
const LIST = statement(
  'projects.list',
  `${SELECT} where p.id = any (array(select id from projects where owner_id = $1
     union all select project_id from project_members where account_id = $1)) order by p.created_at, p.id`,
)

export async function listProjects(db: Queryable, accountId: string): Promise<Project[]> {
  const rows = await db.query<ProjectRow>(LIST, [accountId])
  return rows.map(toProject)
}

const LIST_OWNED = statement(
  'projects.list_owned',
  `${SELECT} where p.owner_id = $1 order by p.created_at, p.id`,
)

export async function listOwnedProjects(db: Queryable, ownerId: string): Promise<Project[]> {
  const rows = await db.query<ProjectRow>(LIST_OWNED, [ownerId])
  return rows.map(toProject)
}

const LIST_IDS = statement('projects.list_ids', 'select id from projects order by id')

export async function listProjectIds(db: Queryable): Promise<string[]> {
  return (await db.query<{ id: string }>(LIST_IDS)).map(({ id }) => id)
}

const LOCK = statement('projects.lock', 'select from projects where id = $1 for no key update')

/** Does not check membership. */
export async function lockProject(tx: Tx, id: string): Promise<void> {
  await tx.query(LOCK, [id])
}

const LOCK_KEY = statement('projects.lock_key', 'select from projects where id = $1 for update')

/**
 * Until the transaction ends, no row that refers to the project can be added. The advisory lock comes first, as in every
 * other transaction that takes both locks, so that two of them do not wait for each other.
 */
export async function lockProjectKey(tx: Tx, id: string): Promise<void> {
  await tx.query(TURN_TO_CHANGE, [id])
  await tx.query(LOCK_KEY, [id])
}

const LOCK_SHARED = statement('projects.lock_shared', 'select from projects where id = $1 for share')

/** Until the transaction ends, changes of the project and of roles wait. Payments do not wait. */
export async function lockProjectShared(tx: Tx, id: string): Promise<void> {
  await tx.query(TURN_TO_SHARE, [id])
  await tx.query(LOCK_SHARED, [id])
}

const LOCK_ALL = statement(
  'projects.lock_all',
  'select id, archived_at is not null as archived from projects where owner_id = $1 order by created_at, id for update',
)

/** Until the transaction ends, no payment can be added to these projects. */
export async function lockProjects(tx: Tx, ownerId: string): Promise<{ id: string; isArchived: boolean }[]> {
  const rows = await tx.query<{ id: string; archived: boolean }>(LOCK_ALL, [ownerId])
  return rows.map(({ id, archived }) => ({ id, isArchived: archived }))
}

const DELETE = statement('projects.delete', 'delete from projects where id = $1')

/** Also deletes rows of the project, such as its secrets. Its payments and callbacks must already be deleted. */
export async function deleteProjectRow(tx: Tx, id: string): Promise<void> {
  await tx.query(DELETE, [id])
}

/** The first free slot of the owner `$2`. Each project that is not archived has one of its owner's slots. */
const FREE_SLOT = `select free_slot from generate_series(1, ${PROJECTS_PER_ACCOUNT_MAX}) as slots(free_slot)
  where not exists (select from projects where owner_id = $2 and slot = free_slot and archived_at is null)
  order by free_slot limit 1`

function toValues({
  name,
  resultUrl,
  apiUrl,
  testApiUrl,
  requireSignedLinks,
  events = ['payment.result'],
  timeZone,
}: NewProject): unknown[] {
  return [name, resultUrl, apiUrl, testApiUrl, requireSignedLinks, events, timeZone ?? null]
}

const INSERT = statement(
  'projects.insert',
  `insert into projects (id, owner_id, slot, name, result_url, api_url, test_api_url, require_signed_links, events, time_zone)
   select $1, $2, free_slot, $3, $4, $5, $6, $7, $8, $9 from (${FREE_SLOT}) as free returning id`,
)

export async function insertProject(
  tx: Tx,
  ownerId: string,
  id: string,
  settings: NewProject,
): Promise<boolean> {
  const rows = await tx.query(INSERT, [id, ownerId, ...toValues(settings)])
  return rows.length === 1
}

const UPDATE = statement(
  'projects.update',
  `update projects set name = $2, result_url = $3, api_url = $4, test_api_url = $5, require_signed_links = $6,
     events = $7, time_zone = $8, updated_at = now() where id = $1`,
)

export async function updateSettings(tx: Tx, id: string, settings: ProjectSettings): Promise<void> {
  await tx.query(UPDATE, [id, ...toValues(settings)])
}

const ARCHIVE = statement(
  'projects.archive',
  'update projects set archived_at = now(), updated_at = now() where id = $1',
)

export async function setArchived(tx: Tx, id: string): Promise<void> {
  await tx.query(ARCHIVE, [id])
}

const RESTORE = statement(
  'projects.restore',
  `update projects set archived_at = null, updated_at = now(), slot = free.free_slot
   from (${FREE_SLOT}) as free where id = $1 returning id`,
)

export async function restoreToFreeSlot(tx: Tx, ownerId: string, id: string): Promise<boolean> {
  const rows = await tx.query(RESTORE, [id, ownerId])
  return rows.length === 1
}

const TRANSFER = statement(
  'projects.transfer',
  `update projects set owner_id = $2, updated_at = now(), slot = free.free_slot
   from (${FREE_SLOT}) as free where id = $1 and archived_at is null returning id`,
)

/** False when all slots of the new owner are taken, or the project is archived. */
export async function transferToFreeSlot(tx: Tx, ownerId: string, id: string): Promise<boolean> {
  const rows = await tx.query(TRANSFER, [id, ownerId])
  return rows.length === 1
}

const HAS_FREE_SLOT = statement(
  'projects.has_free_slot',
  `select from (${FREE_SLOT.replace('$2', '$1')}) as free`,
)

/** The caller must lock the account first. Otherwise another request could take the slot. */
export async function hasFreeSlot(tx: Tx, ownerId: string): Promise<boolean> {
  return (await tx.query(HAS_FREE_SLOT, [ownerId])).length === 1
}

const SET_URLS = statement(
  'projects.set_urls',
  'update projects set result_url = $2, api_url = $3 where id = $1 and (result_url, api_url) is distinct from ($2, $3)',
)

/** Adds no history entry and sends no mail. Used by the demo, because its shop may have another port at each start. */
export async function replaceUrls(
  db: Queryable,
  id: string,
  urls: { resultUrl: string; apiUrl: string },
): Promise<void> {
  await db.query(SET_URLS, [id, urls.resultUrl, urls.apiUrl])
}
