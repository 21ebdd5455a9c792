import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface Upstream {
  backend: string
  /** The account as it is stored with payments. Null: the payments are from before accounts were stored. */
  account: string | null
}

export const PRESENT_AGAIN = 'present again'

const LIST = statement(
  'payments.list_unreachable',
  `select t.id, t.backend, t.upstream_account as account from transactions t
   where t.state in ('processing', 'requires_action') and t.next_check_at is not null
     and not exists (
       select from unnest($1::text[], $2::text[]) as c(backend, account)
       where c.backend = t.backend and c.account is not distinct from t.upstream_account)
     and not exists (
       select from incidents i where i.kind = 'upstream_missing' and i.subject = t.id::text
         and (i.closed_at is null or i.facts->>'setting' <> '${PRESENT_AGAIN}'))
   order by t.next_check_at limit $3`,
)

/**
 * Lists open payments whose upstream is not in `configured`, unless an incident already reports this. An incident that
 * was closed because the upstream was configured again does not count.
 */
export async function listUnreachable(
  db: Queryable,
  configured: readonly Upstream[],
  limit: number,
): Promise<(Upstream & { id: string })[]> {
  return db.query(LIST, [
    configured.map(({ backend }) => backend),
    configured.map(({ account }) => account),
    limit,
  ])
}
