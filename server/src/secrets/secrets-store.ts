import type { Mode } from '@pazar/contract'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface SealedSecret {
  sealed: Buffer
  version: number
}

/** SQL for queries on projects: when the secret of a mode was issued or last rotated. */
export const rotatedAt = (mode: Mode, projectId: string) =>
  `(select rotated_at from project_secrets s where s.project_id = ${projectId} and s.mode = '${mode}')`

/** SQL for queries on projects: whether the merchant has correctly signed or verified something with one of the secrets. */
export const hasProvedSecret = (projectId: string) =>
  `exists (select from project_secrets s where s.project_id = ${projectId} and s.proved_at is not null)`

const INSERT = statement(
  'secrets.insert',
  'insert into project_secrets (project_id, mode, version, sealed) values ($1, $2, 1, $3)',
)

export async function insertSecret(tx: Tx, projectId: string, mode: Mode, sealed: Buffer): Promise<void> {
  await tx.query(INSERT, [projectId, mode, sealed])
}

const FIND = statement(
  'secrets.find',
  'select sealed, version from project_secrets where project_id = $1 and mode = $2',
)

export async function findSealedSecret(
  db: Queryable,
  projectId: string,
  mode: Mode,
): Promise<SealedSecret | null> {
  const rows = await db.query<SealedSecret>(FIND, [projectId, mode])
  return rows[0] ?? null
}

const LOCK_VERSION = statement(
  'secrets.lock_version',
  'select version from project_secrets where project_id = $1 and mode = $2 for update',
)

export async function lockSecretVersion(tx: Tx, projectId: string, mode: Mode): Promise<number> {
  const rows = await tx.query<{ version: number }>(LOCK_VERSION, [projectId, mode])
  return rows[0]!.version
}

const REPLACE = statement(
  'secrets.replace',
  `update project_secrets set sealed = $3, version = $4, rotated_at = now()
   where project_id = $1 and mode = $2`,
)

export async function replaceSecret(
  tx: Tx,
  projectId: string,
  mode: Mode,
  next: { sealed: Buffer; version: number },
): Promise<void> {
  await tx.query(REPLACE, [projectId, mode, next.sealed, next.version])
}

const RECORD_PROVED = statement(
  'secrets.note_proved',
  'update project_secrets set proved_at = now() where project_id = $1 and mode = $2 and proved_at is null',
)

/** Stores when the merchant first used the secret correctly. Later calls change nothing. */
export async function recordProved(db: Queryable, projectId: string, mode: Mode): Promise<void> {
  await db.query(RECORD_PROVED, [projectId, mode])
}

const KEY_IDS = statement(
  'secrets.key_ids',
  `select distinct substring(sealed from 1 for 4) as id from project_secrets
   union select substring(sealed from 1 for 4) from next_secrets
   union select substring(sealed from 1 for 4) from installation_keys`,
)

/** The first bytes of each sealed value are the id of its master key. */
export async function listKeyIds(db: Queryable): Promise<Buffer[]> {
  const rows = await db.query<{ id: Buffer }>(KEY_IDS)
  return rows.map((row) => row.id)
}

const LOCK_TO_RESEAL = statement(
  'secrets.lock_to_reseal',
  `select project_id, mode, sealed, version from project_secrets
   where $1::text is null or (project_id, mode) > ($1, $2) order by project_id, mode limit $3 for update`,
)

export async function lockSecretsToReseal(
  tx: Tx,
  after: { projectId: string; mode: Mode } | null,
  limit: number,
): Promise<(SealedSecret & { projectId: string; mode: Mode })[]> {
  type Row = SealedSecret & { project_id: string; mode: Mode }
  const rows = await tx.query<Row>(LOCK_TO_RESEAL, [after?.projectId ?? null, after?.mode ?? '', limit])
  return rows.map(({ project_id, ...row }) => ({ ...row, projectId: project_id }))
}

const RESEAL = statement(
  'secrets.reseal',
  'update project_secrets set sealed = $3 where project_id = $1 and mode = $2',
)

export async function resealSecret(tx: Tx, projectId: string, mode: Mode, sealed: Buffer): Promise<void> {
  await tx.query(RESEAL, [projectId, mode, sealed])
}
