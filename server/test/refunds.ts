// Shared by refund tests: paid payments, refunds as the portal requests them, and the sums of both ledgers.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { RefundView } from '@pazar/contract'
import type { Queryable } from '../src/db/pool.ts'
import { confirmPayment } from '../src/payments/confirm.ts'
import type { Order, Payment } from '../src/payments/payment.ts'
import type { PaymentDeps } from '../src/payments/deps.ts'
import { reconcileRefundsOnce } from '../src/refunds/reconcile.ts'
import { rows } from './accounts.ts'
import type { Answer, Client } from './client.ts'
import { newOrder, requireStored } from './payments.ts'

/** A payment that succeeded at the sandbox. */
export async function payFor(
  deps: PaymentDeps,
  projectId: string,
  fields: Partial<Order> = {},
): Promise<Payment> {
  const order = newOrder(projectId, fields)
  await confirmPayment(deps, order)
  const [row] = await rows<{ id: string }>(deps.db, 'select id from transactions where attempt_id = $1', [
    order.attemptId,
  ])
  const payment = await requireStored(deps.db, row!.id)
  assert.equal(payment.state, 'succeeded')
  return payment
}

export function refund(
  client: Client,
  { projectId, id }: Pick<Payment, 'projectId' | 'id'>,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  const body = { projectId, transactionId: id, idempotencyKey: randomUUID(), ...fields }
  return client.post('/sdk/transaction/refund', body)
}

export async function refundOk(
  client: Client,
  payment: Pick<Payment, 'projectId' | 'id'>,
  fields: Record<string, unknown> = {},
): Promise<RefundView> {
  const answer = await refund(client, payment, fields)
  assert.equal(answer.status, 201, answer.text)
  return answer.json<{ refund: RefundView }>().refund
}

export interface Sums {
  refunded: bigint
  processing: bigint
  disputed: bigint
}

export async function sumsOf(db: Queryable, id: string): Promise<Sums> {
  const [row] = await rows<Sums>(
    db,
    'select refunded, refunds_processing as processing, disputed from transactions where id = $1',
    [id],
  )
  return row!
}

/** The sandbox's own sum, which must be ours once nothing is processing. */
export async function sandboxSumOf(db: Queryable, id: string): Promise<bigint> {
  const [row] = await rows<{ sum: bigint }>(
    db,
    `select coalesce(sum(amount), 0)::bigint as sum from sandbox_refunds
     where payment_id = $1 and status = 'succeeded' and coalesce(returns_at > now(), true)`,
    [id],
  )
  return row!.sum
}

/** Both ledgers agree, and the stored sums are those of the rows. */
export async function assertLedgersAgree(db: Queryable, id: string): Promise<void> {
  const [own] = await rows<Pick<Sums, 'refunded' | 'processing'>>(
    db,
    `select coalesce(sum(amount) filter (where state = 'succeeded'), 0)::bigint as refunded,
       coalesce(sum(amount) filter (where state = 'processing'), 0)::bigint as processing
     from refunds where transaction_id = $1 and charge_ref is null`,
    [id],
  )
  const { refunded, processing } = await sumsOf(db, id)
  assert.deepEqual({ refunded, processing }, own)
  assert.equal(refunded, await sandboxSumOf(db, id))
  assert.equal(processing, 0n)
}

/** Looks up every open refund until none is left, as if this much time had passed. */
export async function resolveRefunds(deps: PaymentDeps, laterMs = 0): Promise<void> {
  for (let pass = 0; pass < 10; pass += 1) {
    await rows(deps.db, 'update refunds set next_check_at = now() where next_check_at is not null')
    await rows(deps.db, "update lookup_budgets set refilled_at = now() - interval '1 hour'")
    if (laterMs > 0)
      await rows(
        deps.db,
        "update refunds set created_at = created_at - $1::float8 * interval '1 millisecond' where state = 'processing'",
        [laterMs],
      )
    while ((await reconcileRefundsOnce(deps)) > 0);
    const open = await rows(deps.db, "select from refunds where state = 'processing'")
    if (open.length === 0) return
  }
}
