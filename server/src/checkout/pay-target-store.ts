// What the pay page has to know about a link, in one query.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { batchQuery } from '../db/batch-query.ts'
import { isInReview } from '../payments/payment.ts'
import type { PaymentState } from '../payments/payment.ts'
import {
  countsAsPaid,
  erasedPayments,
  holdsOrder,
  paymentsHoldingCheckout,
} from '../payments/payments-store.ts'
import type { Brand } from '../projects/brand.ts'
import type { BrandRow } from '../projects/brands-store.ts'
import { BRAND_COLUMNS } from '../projects/brands-store.ts'
import type { SealedSecret } from '../secrets/secrets-store.ts'
import { isLaterAttempt } from './attempt-token.ts'
import type { ShownPayment } from './shown-payment.ts'
import type { ShownRow } from './shown-payment-store.ts'
import { SHOWN_COLUMNS, toShownBrand, toShownPayment } from './shown-payment-store.ts'

export interface Holder {
  id: string
  state: PaymentState
  isPaid: boolean
  amount: string
  /** Null: the payment had no data, or the data is erased. */
  data: string | null
  isErased: boolean
}

export interface PayTarget {
  projectId: string
  name: string
  resultUrl: string
  apiUrl: string
  requireSignedLinks: boolean
  isArchived: boolean
  isOwnerVerified: boolean
  /** Null: this page shows no brand. */
  brand: Brand | null
  secret: SealedSecret
  /**
   * The open or paid payment of this order, made by any browser. As long as this payment exists, no other payment of the
   * order can be made.
   */
  holder: Holder | null
  /** A payment of this order that another browser made and that is in review. */
  inReviewElsewhere: ShownPayment | null
  /**
   * This browser's payments, latest first: payments of the requested attempts, payments that block this checkout, and
   * payments of this order that are in review.
   */
  attempts: readonly ShownPayment[]
}

interface TargetRow extends BrandRow {
  project: string
  name: string
  result_url: string
  api_url: string
  require_signed_links: boolean
  archived: boolean
  verified: boolean
  sealed: Buffer
  version: number
  held_id: string | null
  held_state: PaymentState
  held_paid: boolean
  held_amount: string
  held_data: string | null
  held_erased: boolean
}

// The attempt ids of a link are passed as one text, because `unnest` would split an array of arrays into single ids.
// Because of `offset 0`, the planner finds the attempts by their ids. Without `offset 0`, the planner of a new
// installation would scan all payments of the project.
const FIND = statement(
  'checkout.find_target',
  `select requested.n::int as requested, p.*, h.held_id, h.held_state, h.held_paid,
     h.held_amount, h.held_data, h.held_erased, ${SHOWN_COLUMNS}, t.is_own
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::uuid[]) with ordinality
     as requested(project_id, mode, custom_id, attempt_ids, custom_id_hash, checkout_id, n)
   cross join lateral (
     select p.id as project, p.name, p.result_url, p.api_url, p.require_signed_links, p.archived_at is not null as archived,
       a.kyc_verified_at is not null as verified, s.sealed, s.version,
       ${BRAND_COLUMNS}
     from projects p join accounts a on a.id = p.owner_id
     left join project_brands b on b.project_id = p.id
     join project_secrets s on s.project_id = p.id and s.mode = requested.mode
     where p.id = requested.project_id limit 1) as p
   left join lateral (
     (select id as held_id, state as held_state, ${countsAsPaid('h')} as held_paid,
        amount::text as held_amount, data as held_data, false as held_erased
      from transactions h
      where project_id = p.project and mode = requested.mode and custom_id = requested.custom_id and ${holdsOrder('h')} limit 1)
     union all
     (select id, state, true, amount::text, null, true from ${erasedPayments('requested.custom_id_hash')} as e
      where project_id = p.project and mode = requested.mode and ${countsAsPaid('e')} limit 1)
     limit 1) as h on true
   left join lateral (
     (select *, true as is_own from transactions where attempt_id = any(requested.attempt_ids::uuid[]) offset 0)
     union all
     (select *, true from ${paymentsHoldingCheckout('requested.checkout_id')} as c
      where mode = requested.mode and attempt_id <> all(requested.attempt_ids::uuid[]))
     union all
     (select *, false from transactions where project_id = requested.project_id and mode = requested.mode
        and custom_id = requested.custom_id and needs_review and attempt_id <> all(requested.attempt_ids::uuid[]))
   ) as t on t.project_id = p.project
   order by t.id desc`,
)

function toHolder(row: TargetRow): Holder | null {
  if (row.held_id === null) return null
  const { held_state: state, held_paid: isPaid, held_amount: amount, held_data: data } = row
  return { id: row.held_id, state, isPaid, amount, data, isErased: row.held_erased }
}

export async function findPayTarget(
  db: Queryable,
  link: { projectId: string; mode: Mode; customId: string | null },
  attemptIds: readonly string[],
  customIdHash: Buffer | null = null,
  checkoutId: string | null = null,
): Promise<PayTarget | null> {
  const values = [
    link.projectId,
    link.mode,
    link.customId,
    `{${attemptIds.join()}}`,
    customIdHash,
    checkoutId,
  ]
  const rows = await batchQuery<TargetRow & ((ShownRow & { is_own: boolean }) | { id: null })>(
    db,
    FIND,
    values,
  )
  const [row] = rows
  if (!row) return null
  const found = rows.flatMap((one) =>
    one.id === null ? [] : [{ isOwn: one.is_own, shown: toShownPayment(one) }],
  )
  const isOwn = ({ isOwn, shown }: (typeof found)[number]) =>
    isOwn ||
    attemptIds.some((id) => isLaterAttempt(shown.attemptId, id) || isLaterAttempt(id, shown.attemptId))
  return {
    projectId: row.project,
    name: row.name,
    resultUrl: row.result_url,
    apiUrl: row.api_url,
    requireSignedLinks: row.require_signed_links,
    isArchived: row.archived,
    isOwnerVerified: row.verified,
    brand: toShownBrand(row, link.mode, row.verified),
    secret: { sealed: row.sealed, version: row.version },
    holder: toHolder(row),
    inReviewElsewhere: found.find((one) => !isOwn(one) && isInReview(one.shown))?.shown ?? null,
    attempts: found.filter(isOwn).map(({ shown }) => shown),
  }
}
