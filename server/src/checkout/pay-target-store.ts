// Everything the pay page must know about a link, in one question to the database.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { PaymentState } from '../payments/payment.ts'
import type { SealedSecret } from '../secrets/secrets-store.ts'

export interface PayTarget {
  projectId: string
  name: string
  resultUrl: string
  requireSignedLinks: boolean
  isArchived: boolean
  isOwnerVerified: boolean
  secret: SealedSecret
  /** The payment that holds this customId now, if any. */
  holder: { id: string; state: PaymentState; amount: bigint; data: string | null } | null
}

interface TargetRow {
  id: string
  name: string
  result_url: string
  require_signed_links: boolean
  archived: boolean
  verified: boolean
  sealed: Buffer
  version: number
  held_id: string | null
  held_state: PaymentState
  held_amount: bigint
  held_data: string | null
}

const FIND = statement(
  'checkout.find_target',
  `select p.id, p.name, p.result_url, p.require_signed_links, p.archived_at is not null as archived,
     a.kyc_verified_at is not null as verified, s.sealed, s.version,
     h.id as held_id, h.state as held_state, h.amount as held_amount, h.data as held_data
   from projects p join accounts a on a.id = p.owner_id
   join project_secrets s on s.project_id = p.id and s.mode = $2
   left join transactions h on h.project_id = p.id and h.mode = $2 and h.custom_id = $3
     and h.state in ('processing', 'requires_action', 'succeeded')
   where p.id = $1`,
)

export async function findPayTarget(
  db: Queryable,
  projectId: string,
  mode: Mode,
  customId: string | null,
): Promise<PayTarget | null> {
  const [row] = await db.query<TargetRow>(FIND, [projectId, mode, customId])
  if (!row) return null
  return {
    projectId: row.id,
    name: row.name,
    resultUrl: row.result_url,
    requireSignedLinks: row.require_signed_links,
    isArchived: row.archived,
    isOwnerVerified: row.verified,
    secret: { sealed: row.sealed, version: row.version },
    holder:
      row.held_id === null
        ? null
        : { id: row.held_id, state: row.held_state, amount: row.held_amount, data: row.held_data },
  }
}

const FIND_SHOP = statement('checkout.find_shop', 'select name, result_url from projects where id = $1')

export async function findShop(
  db: Queryable,
  projectId: string,
): Promise<{ name: string; resultUrl: string }> {
  const [row] = await db.query<{ name: string; result_url: string }>(FIND_SHOP, [projectId])
  return { name: row!.name, resultUrl: row!.result_url }
}
