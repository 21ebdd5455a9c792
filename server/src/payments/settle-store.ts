// One statement ends a payment and inserts its callback. The statement for a paid payment also cancels the callbacks
// that the new callback supersedes.
import type { CallbackFacts } from '@pazar/sdk'
import { toOutboxParts } from '../callbacks/outbox-store.ts'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { batchQuery } from '../db/batch-query.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, toPayment } from './payments-store.ts'
import type { EndState } from './reactions.ts'

export interface End {
  state: EndState
  failureCode: string | null
  upstreamRef: string | null
}

const outbox = toOutboxParts('ended', {
  id: 'e.callback_id',
  result: 'e.result',
  payload: 'e.payload',
})

/**
 * `cancel`: SQL that cancels superseded callbacks. It costs time even if it finds no callback, so the statement for
 * failures does not contain it.
 */
const toSettle = (name: string, cancel: string | null) =>
  statement(
    name,
    `with requested as (
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[])
       with ordinality as requested(id, state, failure_code, upstream_ref, callback_id, result, payload, n)),
   ended as (
     update transactions t set state = requested.state, failure_code = requested.failure_code, upstream_ref = requested.upstream_ref,
       action_url = null, completed_at = now(), next_check_at = null
     from requested where t.id = requested.id and t.state in ('processing', 'requires_action')
     returning ${COLUMNS.replaceAll(/\w+/g, 't.$&')}, t.checkout_id, requested.callback_id, requested.result, requested.payload, requested.n),
   ${cancel === null ? '' : `${cancel},`}
   ${outbox.insert}
   select n::int as requested, ${COLUMNS} from ended`,
  )

const SETTLE_FAILED = toSettle('payments.settle_failed', null)
const SETTLE_PAID = toSettle('payments.settle', outbox.cancelSameCheckout)
// Payments of earlier releases may have both a customId and a checkout, so cancelSameOrder covers both.
const SETTLE_PAID_ORDER = toSettle('payments.settle_order', outbox.cancelSameOrder)

function chooseSettle(state: EndState, customId: string | null | undefined) {
  if (state !== 'succeeded') return SETTLE_FAILED
  return (customId ?? null) === null ? SETTLE_PAID : SETTLE_PAID_ORDER
}

const STORE_CHARGE_ID = statement(
  'payments.name_charge',
  `update transactions set upstream_ref = $2 where id = $1 and state = 'succeeded' and upstream_ref is null
   returning ${COLUMNS}`,
)

/** Stores the charge id of a success that was reported without a charge id. Null: meanwhile another charge id was stored. */
export async function storeChargeId(db: Queryable, id: string, chargeId: string): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(STORE_CHARGE_ID, [id, chargeId])
  return rows[0] ? toPayment(rows[0]) : null
}

/** Null: the payment had already ended, and nothing was written. */
export async function settlePayment(
  db: Queryable,
  id: string,
  end: End,
  callback: { id: string; facts: CallbackFacts },
): Promise<Payment | null> {
  const rows = await batchQuery<PaymentRow>(db, chooseSettle(end.state, callback.facts.customId), [
    id,
    end.state,
    end.failureCode,
    end.upstreamRef,
    callback.id,
    callback.facts.status,
    JSON.stringify(callback.facts),
  ])
  return rows[0] ? toPayment(rows[0]) : null
}
