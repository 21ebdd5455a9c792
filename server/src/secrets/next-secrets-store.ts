// The prepared secrets. A prepared secret is not used until it is promoted. The promotion makes it the project's live
// secret. A project has at most one prepared secret.
import type { AccountId } from '../accounts/account.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface NextSecret {
  preparedAt: Date
  expiresAt: Date
}

interface Row {
  prepared_at: Date
  expires_at: Date
}

const toNextSecret = (row: Row): NextSecret => ({ preparedAt: row.prepared_at, expiresAt: row.expires_at })

const PUT = statement(
  'next_secrets.put',
  `insert into next_secrets as n (project_id, sealed, prepared_by, credential_version, expires_at)
   select $1, $2, a.id, a.credential_version, now() + make_interval(hours => $4) from accounts a where a.id = $3
   on conflict (project_id) do update set sealed = excluded.sealed, prepared_by = excluded.prepared_by,
     credential_version = excluded.credential_version, prepared_at = now(), expires_at = excluded.expires_at
   returning prepared_at, expires_at`,
)

export async function putNextSecret(
  tx: Tx,
  next: { projectId: string; sealed: Buffer; preparedBy: AccountId; hours: number },
): Promise<NextSecret> {
  const [row] = await tx.query<Row>(PUT, [next.projectId, next.sealed, next.preparedBy, next.hours])
  return toNextSecret(row!)
}

/** An SQL condition: the secret has not expired, and the person who prepared it has not changed the password since. */
const VALID = `n.expires_at > now() and exists (select from accounts a
  where a.id = n.prepared_by and a.credential_version = n.credential_version)`

const FIND = statement(
  'next_secrets.find',
  `select prepared_at, expires_at from next_secrets n where project_id = $1 and ${VALID}`,
)

export async function findNextSecret(db: Queryable, projectId: string): Promise<NextSecret | null> {
  const [row] = await db.query<Row>(FIND, [projectId])
  return row ? toNextSecret(row) : null
}

const TAKE = statement(
  'next_secrets.take',
  `delete from next_secrets n where project_id = $1 returning sealed, ${VALID} as valid`,
)

/** Deletes the project's prepared secret. Returns it, sealed, if it was still valid. */
export async function takeNextSecret(tx: Tx, projectId: string): Promise<Buffer | null> {
  const [row] = await tx.query<{ sealed: Buffer; valid: boolean }>(TAKE, [projectId])
  return row?.valid ? row.sealed : null
}

const REMOVE_ALL = statement('next_secrets.remove_all', 'delete from next_secrets')

/**
 * Called after a restore or a failover that lost writes. A lost write may have discarded a prepared secret, which would
 * otherwise be there again and could be promoted.
 */
export async function deleteAllNextSecrets(tx: Tx): Promise<void> {
  await tx.query(REMOVE_ALL)
}

const LOCK_TO_RESEAL = statement(
  'next_secrets.lock_to_reseal',
  `select project_id, sealed from next_secrets where project_id > $1 order by project_id limit $2 for update`,
)

export async function lockNextSecretsToReseal(
  tx: Tx,
  after: string,
  limit: number,
): Promise<{ projectId: string; sealed: Buffer }[]> {
  const rows = await tx.query<{ project_id: string; sealed: Buffer }>(LOCK_TO_RESEAL, [after, limit])
  return rows.map(({ project_id: projectId, sealed }) => ({ projectId, sealed }))
}

const RESEAL = statement('next_secrets.reseal', 'update next_secrets set sealed = $2 where project_id = $1')

export async function resealNextSecret(tx: Tx, projectId: string, sealed: Buffer): Promise<void> {
  await tx.query(RESEAL, [projectId, sealed])
}
