// Everything the pay page must know about a link, in one question to the database.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { PaymentState } from '../payments/payment.ts'
import type { SealedSecret } from '../secrets/secrets-store.ts'
import type { ShownPayment } from './shown-payment.ts'
import type { ShownRow } from './shown-payment-store.ts'
import { SHOWN_COLUMNS, toShownPayment } from './shown-payment-store.ts'

export interface PayTarget {
  projectId: string
  name: string
  resultUrl: string
  requireSignedLinks: boolean
  isArchived: boolean
  isOwnerVerified: boolean
  secret: SealedSecret
  /** The payment that holds this customId now, whoever made it. */
  holder: { id: string; state: PaymentState } | null
  /** What became of the attempts asked for, the latest first. */
  attempts: readonly ShownPayment[]
}

interface TargetRow {
  project: string
  name: string
  result_url: string
  require_signed_links: boolean
  archived: boolean
  verified: boolean
  sealed: Buffer
  version: number
  held_id: string | null
  held_state: PaymentState
}

const FIND = statement(
  'checkout.find_target',
  `select p.id as project, p.name, p.result_url, p.require_signed_links, p.archived_at is not null as archived,
     a.kyc_verified_at is not null as verified, s.sealed, s.version,
     h.id as held_id, h.state as held_state, ${SHOWN_COLUMNS}
   from projects p join accounts a on a.id = p.owner_id
   join project_secrets s on s.project_id = p.id and s.mode = $2
   left join transactions h on h.project_id = p.id and h.mode = $2 and h.custom_id = $3
     and h.state in ('processing', 'requires_action', 'succeeded')
   left join transactions t on t.attempt_id = any($4::uuid[]) and t.project_id = p.id
   where p.id = $1 order by t.id desc`,
)

export async function findPayTarget(
  db: Queryable,
  link: { projectId: string; mode: Mode; customId: string | null },
  attemptIds: readonly string[],
): Promise<PayTarget | null> {
  const values = [link.projectId, link.mode, link.customId, attemptIds]
  const rows = await db.query<TargetRow & (ShownRow | { id: null })>(FIND, values)
  const [row] = rows
  if (!row) return null
  return {
    projectId: row.project,
    name: row.name,
    resultUrl: row.result_url,
    requireSignedLinks: row.require_signed_links,
    isArchived: row.archived,
    isOwnerVerified: row.verified,
    secret: { sealed: row.sealed, version: row.version },
    holder: row.held_id === null ? null : { id: row.held_id, state: row.held_state },
    attempts: rows.flatMap((one) => (one.id === null ? [] : [toShownPayment(one)])),
  }
}
