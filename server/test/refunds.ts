// Helpers for refund tests: paid payments, refunds, and the sums of both ledgers.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { RefundView } from '@pazar/contract'
import type { Queryable } from '../src/db/pool.ts'
import { confirmPayment } from '../src/payments/confirm.ts'
import type { Order, Payment } from '../src/payments/payment.ts'
import type { PaymentDeps } from '../src/payments/deps.ts'
import { reconcileRefundsOnce } from '../src/refunds/reconcile.ts'
import type { Refund } from '../src/refunds/refund.ts'
import type { NewRow } from '../src/refunds/refunds-store.ts'
import { insertRefund } from '../src/refunds/refunds-store.ts'
import { insertApiToken } from '../src/accounts/api-tokens-store.ts'
import { API_TOKEN_PREFIX } from '../src/accounts/api-token-format.ts'
import { toTokenHash } from '../src/accounts/token-hash.ts'
import { newToken, newUuidV7 } from '../src/lib/id.ts'
import { findOwnerId } from '../src/projects/projects-store.ts'
import type { Deps } from '../src/wire.ts'
import type { UpstreamBooks } from './upstream-process.ts'
import { rows } from './accounts.ts'
import type { ClientResponse, Client } from './client.ts'
import { newOrder, refillQuotas, requirePayment } from './payments.ts'

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
  const payment = await requirePayment(deps.db, row!.id)
  assert.equal(payment.state, 'succeeded')
  return payment
}

/** The refund is reserved but not sent, as after a crash. */
export async function reserveRefund(
  deps: PaymentDeps,
  payment: Payment,
  amount: bigint,
  fields: Partial<NewRow> = {},
): Promise<Refund> {
  const refund = await deps.db.transaction((tx) =>
    insertRefund(tx, {
      id: newUuidV7(deps.clock),
      projectId: payment.projectId,
      transactionId: payment.id,
      mode: payment.mode,
      amount,
      currency: 'EUR',
      scale: 2,
      origin: 'api',
      requestedAmount: amount,
      idempotencyKey: randomUUID(),
      reason: null,
      tokenId: null,
      chargeRef: null,
      upstreamRef: null,
      ...fields,
    }),
  )
  return refund!
}

export function refund(
  client: Client,
  { projectId, id }: Pick<Payment, 'projectId' | 'id'>,
  fields: Record<string, unknown> = {},
): Promise<ClientResponse> {
  const body = { projectId, transactionId: id, idempotencyKey: randomUUID(), ...fields }
  return client.post('/sdk/transaction/refund', body)
}

export async function requireRefund(
  client: Client,
  payment: Pick<Payment, 'projectId' | 'id'>,
  fields: Record<string, unknown> = {},
): Promise<RefundView> {
  const response = await refund(client, payment, fields)
  assert.equal(response.status, 201, response.text)
  return response.json<{ refund: RefundView }>().refund
}

export interface Sums {
  refunded: bigint
  processing: bigint
  disputed: bigint
}

export async function readSums(db: Queryable, id: string): Promise<Sums> {
  const [row] = await rows<Sums>(
    db,
    'select refunded, refunds_processing as processing, disputed from transactions where id = $1',
    [id],
  )
  return row!
}

/** The sum in the sandbox's own ledger. It equals our sum when no refund is processing. */
async function readSandboxSum(db: Queryable, id: string): Promise<bigint> {
  const [row] = await rows<{ sum: bigint }>(
    db,
    `select coalesce(sum(amount), 0)::bigint as sum from sandbox_refunds
     where payment_id = $1 and status = 'succeeded' and coalesce(returns_at > now(), true)`,
    [id],
  )
  return row!.sum
}

export async function assertLedgersAgree(db: Queryable, id: string): Promise<void> {
  const [sumsOfRows] = await rows<Pick<Sums, 'refunded' | 'processing'>>(
    db,
    `select coalesce(sum(amount) filter (where state = 'succeeded'), 0)::bigint as refunded,
       coalesce(sum(amount) filter (where state = 'processing'), 0)::bigint as processing
     from refunds where transaction_id = $1 and charge_ref is null`,
    [id],
  )
  const { refunded, processing } = await readSums(db, id)
  assert.deepEqual({ refunded, processing }, sumsOfRows)
  assert.equal(refunded, await readSandboxSum(db, id))
  assert.equal(processing, 0n)
}

/** A tenth of a step for each refund is enough, because one step looks up many refunds. */
const STEPS_PER_REFUND = 0.1
const STEPS_MIN = 10

export async function resolveRefunds(deps: PaymentDeps, laterMs = 0): Promise<void> {
  await rows(
    deps.db,
    "update refunds set created_at = created_at - $1::float8 * interval '1 millisecond' where state = 'processing'",
    [laterMs],
  )
  const countOpen = async () => (await rows(deps.db, "select from refunds where state = 'processing'")).length
  for (let round = 0; round < 8; round += 1) {
    // A refund without a response is soon due again, so the number of steps is limited.
    const stepsMax = STEPS_MIN + STEPS_PER_REFUND * (await countOpen())
    await rows(
      deps.db,
      "update refunds set next_check_at = now() - random() * interval '1 second' where next_check_at is not null",
    )
    for (let step = 0; step < stepsMax; step += 1) {
      await refillQuotas(deps.db)
      if ((await reconcileRefundsOnce(deps)) === 0) break
    }
    if ((await countOpen()) === 0) return
  }
}

export async function makeRefundToken(deps: Deps, projectId: string): Promise<string> {
  const token = `${API_TOKEN_PREFIX}${newToken()}`
  const accountId = await findOwnerId(deps.db, projectId)
  await deps.db.transaction((tx) =>
    insertApiToken(tx, {
      id: newUuidV7(deps.clock),
      accountId: accountId!,
      tokenHash: toTokenHash(token),
      name: 'refunds',
      scope: 'refund',
      expiresInDays: 1,
      projectId,
      dailyCap: 999_999_999_999n,
    }),
  )
  return token
}

export interface HttpRefund {
  /** 0: there was no response. */
  status: number
  code: string | null
  refund: RefundView | null
}

export async function postRefund(
  baseUrl: string,
  token: string,
  { projectId, id }: Pick<Payment, 'projectId' | 'id'>,
  fields: { amount?: string; idempotencyKey?: string } = {},
): Promise<HttpRefund> {
  const body = { projectId, transactionId: id, idempotencyKey: randomUUID(), ...fields }
  try {
    const response = await fetch(`${baseUrl}/sdk/transaction/refund`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const result = (await response.json()) as { code?: string; refund?: RefundView }
    return { status: response.status, code: result.code ?? null, refund: result.refund ?? null }
  } catch {
    // There was no response.
    return { status: 0, code: null, refund: null }
  }
}

export async function compareRefunds(db: Queryable, books: UpstreamBooks): Promise<string[]> {
  const payments = await rows<{
    id: string
    transaction_id: string
    sum: bigint
    stored: bigint
    processing: bigint
  }>(
    db,
    `select t.id, t.id as transaction_id, t.refunded as stored, t.refunds_processing as processing,
       coalesce((select sum(amount) from refunds r where r.transaction_id = t.id and r.state = 'succeeded'), 0)::bigint as sum
     from transactions t`,
  )
  return payments.flatMap(({ id, sum, stored, processing }) => {
    const atUpstream = books.refunds.filter((one) => one.paymentId === id && one.status === 'succeeded')
    const upstream = atUpstream.reduce((total, { amount }) => total + BigInt(amount), 0n)
    const isRight = sum === upstream && stored === sum && processing === 0n
    return isRight
      ? []
      : [`${id}: ${sum} here, ${upstream} at the upstream, ${stored} stored, ${processing} open`]
  })
}
