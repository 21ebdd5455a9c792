import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import {
  COLUMNS,
  countsAsPaid,
  holdsOrder,
  paymentsHoldingCheckout,
  toPayment,
} from '../payments/payments-store.ts'
import type { PaymentRow } from '../payments/payments-store.ts'
import type { SumsRow } from '../payments/refund-sums-store.ts'
import { SUMS, toSums } from '../payments/refund-sums-store.ts'
import type { Brand } from '../projects/brand.ts'
import type { BrandRow } from '../projects/brands-store.ts'
import { BRAND_COLUMNS, toBrand } from '../projects/brands-store.ts'
import type { Merchant, OtherPayment, ShownPayment } from './shown-payment.ts'

export interface ShownRow extends PaymentRow, SumsRow {
  attempt_id: string
  checkout_id: string | null
  completed_at: Date | null
}

/** Needs `transactions` under the alias `t`. */
export const SHOWN_COLUMNS = `${`${COLUMNS}, ${SUMS}`.replaceAll(/\w+/g, 't.$&')}, t.attempt_id, t.checkout_id, t.completed_at`

export function toShownPayment(row: ShownRow): ShownPayment {
  return {
    ...toPayment(row),
    attemptId: row.attempt_id,
    checkoutId: row.checkout_id ?? row.attempt_id,
    completedAt: row.completed_at,
    sums: toSums(row),
  }
}

/** A live page shows a brand only if the project's owner is verified, because anybody can upload a known logo. */
export function toShownBrand(row: BrandRow, mode: Mode, isVerified: boolean): Brand | null {
  const brand = toBrand(row)
  const isSet = Object.values(brand).some((value) => value !== null)
  return isSet && (mode === 'test' || isVerified) ? brand : null
}

/**
 * `other`: another payment of the same order or checkout. A payment in review comes first, because the page must promise
 * nothing until an operator has decided.
 */
const FIND = statement(
  'checkout.find_shown',
  `select p.name as shop_name, p.result_url, a.kyc_verified_at is not null as verified, ${BRAND_COLUMNS}, ${SHOWN_COLUMNS},
     other.id as other_id, other.attempt_id as other_attempt_id, other.standing as other_standing
   from transactions t join projects p on p.id = t.project_id join accounts a on a.id = p.owner_id
   left join project_brands b on b.project_id = p.id
   left join lateral (
     select * from (
       select o.id, o.attempt_id,
         case when ${countsAsPaid('o')} then 'paid' when o.needs_review then 'in_review' else 'open' end as standing
       from (
       (select * from transactions where project_id = t.project_id and mode = t.mode and custom_id = t.custom_id
          and ${holdsOrder('transactions')})
       union all
       (select * from transactions where project_id = t.project_id and mode = t.mode and custom_id = t.custom_id
          and needs_review)
       union all
       (select * from ${paymentsHoldingCheckout('t.checkout_id')} as c where project_id = t.project_id)
       ) as o where o.id <> t.id
     ) as others order by array_position(array['in_review', 'paid', 'open'], standing) limit 1
   ) as other on true
   where t.id = $1`,
)

interface MerchantRow extends BrandRow {
  verified: boolean
  shop_name: string
  result_url: string
}

interface OtherRow {
  other_id: string
  other_attempt_id: string
  other_standing: OtherPayment['standing']
}

export async function findShownPayment(
  db: Queryable,
  id: string,
): Promise<{ payment: ShownPayment; merchant: Merchant; other: OtherPayment | null } | null> {
  const [row] = await db.query<ShownRow & MerchantRow & (OtherRow | { other_id: null })>(FIND, [id])
  if (!row) return null
  return {
    payment: toShownPayment(row),
    merchant: {
      name: row.shop_name,
      resultUrl: row.result_url,
      brand: toShownBrand(row, row.mode, row.verified),
    },
    other:
      row.other_id === null
        ? null
        : { standing: row.other_standing, id: row.other_id, attemptId: row.other_attempt_id },
  }
}
