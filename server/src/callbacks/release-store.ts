import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { mayStart } from './callback.ts'
import type { Claimed } from './claimed.ts'

const AS_IF_NEVER_CLAIMED = `set status = 'pending', attempts = c.attempts - 1, claim = null, lease_until = null,
     round_from = least(c.round_from, c.attempts - 1)`

const RELEASE = statement(
  'callbacks.release',
  `update callbacks c ${AS_IF_NEVER_CLAIMED}
   from unnest($1::text[], $2::text[], $3::uuid[]) as r (project_id, id, claim)
   where c.project_id = r.project_id and c.id = r.id and c.claim = r.claim and ${mayStart('release', 'c.status')}`,
)

/** Releases claims that were never sent, as if they had not been claimed. */
export async function releaseClaims(db: Queryable, claims: readonly Claimed[]): Promise<void> {
  await db.query(RELEASE, [
    claims.map((one) => one.projectId),
    claims.map((one) => one.id),
    claims.map((one) => one.claim),
  ])
}

const RELEASE_UNCONFIRMED = statement(
  'callbacks.release_unconfirmed',
  `update callbacks c ${AS_IF_NEVER_CLAIMED} where ${mayStart('release', 'c.status')} and c.claim = $1`,
)

/** The connection was lost before the response: whether and which rows were claimed is known only to the database. */
export async function releaseUnconfirmed(db: Queryable, claim: string): Promise<void> {
  await db.query(RELEASE_UNCONFIRMED, [claim])
}
