// Rows 3 and 14 of the benchmark table: confirming a payment, and the additional cost of inserting its callback.
import { randomUUID } from 'node:crypto'
import { sealAttempt } from '../../server/src/checkout/attempt-token.ts'
import { statement } from '../../server/src/db/pool.ts'
import { batchQuery } from '../../server/src/db/batch-query.ts'
import { newUuidV7 } from '../../server/src/lib/id.ts'
import { COLUMNS, openPayment, toPayment } from '../../server/src/payments/payments-store.ts'
import type { PaymentRow } from '../../server/src/payments/payments-store.ts'
import { settlePayment } from '../../server/src/payments/settle-store.ts'
import { createConfirmFloor } from '../floors/confirm.ts'
import type { BenchDatabase, Setup } from '../setup.ts'
import { readProcessCpuMicros, runLoad } from '../load.ts'
import { compare } from '../measure.ts'
import type { Result } from '../measure.ts'

const CONNECTIONS = 32
const PAYMENTS = 2_000

export function makeToken({ deps }: BenchDatabase, projectId: string, customId: string | null): string {
  const link = {
    projectId,
    amount: '1500',
    data: 'Kafa 1 kg',
    customId,
    mode: 'live',
    exp: null,
    sig: null,
  } as const
  const shown = { currency: 'EUR', scale: 2 }
  return sealAttempt(
    deps.attemptTokens,
    { id: randomUUID(), link, replaces: null, shown },
    deps.clock.nowMs(),
  )
}

export async function benchConfirm(setup: Setup): Promise<Result[]> {
  const database = await setup.database('confirm')
  // This process delivers no callbacks, because this row measures the response to the payer.
  const service = await database.service({ ROLE: 'web' })
  const floor = createConfirmFloor(database.url, database.projectId)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const cpuBefore = await readProcessCpuMicros(service.pid)
  let paid = 0
  const result = await compare({
    name: '3 confirm (POST /pay, sandbox), 32 connections',
    unit: 'payments/s',
    target: { kind: 'at least', must: 1, goal: 1.2 },
    rounds: 5,
    ours: () => {
      const tokens = Array.from({ length: PAYMENTS }, () => makeToken(database, database.projectId, null))
      paid += PAYMENTS
      return runLoad(service.origin, {
        connections: CONNECTIONS,
        requests: PAYMENTS,
        expectedStatus: 303,
        makeRequest: (n) => ({ method: 'POST', path: '/pay', headers, body: `token=${tokens[n]}` }),
      })
    },
    floor: () => floor.run(PAYMENTS, CONNECTIONS),
  })
  result.note = `${Math.round(((await readProcessCpuMicros(service.pid)) - cpuBefore) / paid)} µs CPU a payment`
  await service.stop()
  await floor.close()
  const outbox = await benchOutbox(database)
  await database.close()
  return [result, outbox]
}

/** The statement of settle-store, without the part about callbacks. */
const END_ONLY = statement(
  'bench.end_only',
  `with ending as (
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality
       as ending(id, state, failure_code, upstream_ref, n))
   update transactions t set state = ending.state, failure_code = ending.failure_code, upstream_ref = ending.upstream_ref,
     action_url = null, completed_at = now(), next_check_at = null
   from ending where t.id = ending.id and t.state in ('processing', 'requires_action')
   returning ending.n::int as requested, ${COLUMNS.replaceAll(/\w+/g, 't.$&')}`,
)

async function benchOutbox(database: BenchDatabase): Promise<Result> {
  const { db, clock } = database.deps
  const makeOrder = () => ({
    attemptId: randomUUID(),
    projectId: database.projectId,
    mode: 'live' as const,
    amount: 1500n,
    currency: 'EUR',
    scale: 2,
    customId: null,
    data: 'Kafa 1 kg',
  })
  async function timePayments(end: (id: string) => Promise<unknown>): Promise<number> {
    const startedMs = performance.now()
    const worker = async () => {
      for (let n = 0; n < 100; n += 1) {
        const id = newUuidV7(clock)
        await openPayment(db, id, makeOrder(), 'sandbox')
        await end(id)
      }
    }
    await Promise.all(Array.from({ length: 16 }, worker))
    return (performance.now() - startedMs) / 1_600
  }
  const toFacts = (id: string) => ({
    status: 'success' as const,
    projectId: database.projectId,
    transactionId: id,
    amount: '1500',
    currency: 'EUR',
    scale: 2,
    mode: 'live' as const,
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  const result = { state: 'succeeded' as const, failureCode: null, upstreamRef: null }
  return compare({
    name: '14 payment with the callback row, relative to without it',
    unit: 'ms a payment',
    target: { kind: 'at most', must: 1.17, goal: 1.12 },
    rounds: 9,
    ours: () => timePayments((id) => settlePayment(db, id, result, { id: `msg_${id}`, facts: toFacts(id) })),
    floor: () =>
      timePayments(async (id) => {
        const [row] = await batchQuery<PaymentRow>(db, END_ONLY, [id, result.state, null, null])
        return toPayment(row!)
      }),
  })
}
