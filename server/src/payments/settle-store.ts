// The end of a payment, its callback and the callbacks it overtakes: one statement, so one commit and one round trip.
import type { CallbackFacts } from '@pazar/sdk'
import { toOutboxParts } from '../callbacks/outbox-store.ts'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Payment } from './payment.ts'
import type { PaymentRow } from './payments-store.ts'
import { COLUMNS, toPayment } from './payments-store.ts'
import type { EndState } from './reactions.ts'

export interface End {
  state: EndState
  failureCode: string | null
  upstreamRef: string | null
}

const outbox = toOutboxParts('ended', { id: '$5', result: '$6', payload: '$7' })

const SETTLE = statement(
  'payments.settle',
  `with ended as (
     update transactions set state = $2, failure_code = $3, upstream_ref = $4, action_url = null, completed_at = now(),
       next_check_at = null
     where id = $1 and state in ('processing', 'requires_action') returning ${COLUMNS}),
   overtaken as (${outbox.cancelOvertaken}),
   told as (${outbox.insert})
   select ${COLUMNS} from ended`,
)

/** Null: somebody else has already ended it, and nothing was written. */
export async function settlePayment(
  db: Queryable,
  id: string,
  end: End,
  callback: { id: string; facts: CallbackFacts },
): Promise<Payment | null> {
  const rows = await db.query<PaymentRow>(SETTLE, [
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
