// Rows 3 and 14: the money step, and what the callback row costs in it.
import { randomUUID } from 'node:crypto'
import { sealAttempt } from '../../server/src/checkout/attempt-token.ts'
import { statement } from '../../server/src/db/pool.ts'
import { askTogether } from '../../server/src/db/together.ts'
import { newUuidV7 } from '../../server/src/lib/id.ts'
import { COLUMNS, openPayment, toPayment } from '../../server/src/payments/payments-store.ts'
import type { PaymentRow } from '../../server/src/payments/payments-store.ts'
import { settlePayment } from '../../server/src/payments/settle-store.ts'
import { createConfirmFloor } from '../floors/confirm.ts'
import type { Ground, Place } from '../ground.ts'
import { cpuMicros, drive } from '../load.ts'
import { duel } from '../measure.ts'
import type { Figure } from '../measure.ts'

const CONNECTIONS = 32
const PAYMENTS = 2_000

function makeTokens(place: Place, count: number): string[] {
  const link = {
    projectId: place.projectId,
    amount: '1500',
    data: 'Kafa 1 kg',
    customId: null,
    mode: 'live',
    exp: null,
    sig: null,
  } as const
  return Array.from({ length: count }, () =>
    sealAttempt(
      place.deps.attemptTokens,
      { id: randomUUID(), link, replaces: null, shown: { currency: 'EUR', scale: 2 } },
      place.deps.clock.nowMs(),
    ),
  )
}

export async function benchConfirm(ground: Ground): Promise<Figure[]> {
  const place = await ground.database('confirm')
  // No deliveries: the row is about the answer to the payer.
  const service = await place.service({ ROLE: 'web' })
  const floor = createConfirmFloor(place.url, place.projectId)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const before = await cpuMicros(service.pid)
  let paid = 0
  const figure = await duel({
    name: '3 confirm (POST /pay, sandbox), 32 connections',
    unit: 'payments/s',
    bar: { kind: 'at least', must: 0.45, goal: 0.7 },
    rounds: 5,
    ours: async () => {
      const tokens = makeTokens(place, PAYMENTS)
      paid += PAYMENTS
      const load = await drive(service.origin, {
        connections: CONNECTIONS,
        requests: PAYMENTS,
        expect: 303,
        make: (n) => ({ method: 'POST', path: '/pay', headers, body: `token=${tokens[n]}` }),
      })
      return load.requestsPerSec
    },
    floor: () => floor.run(PAYMENTS, CONNECTIONS),
  })
  figure.note = `${Math.round(((await cpuMicros(service.pid)) - before) / paid)} µs CPU a payment`
  await service.stop()
  await floor.close()
  const outbox = await benchOutbox(place)
  await place.close()
  return [figure, outbox]
}

/** What ends a payment, asked and answered as settle-store does, but for the callback's parts. */
const END_ONLY = statement(
  'bench.end_only',
  `with asked as (
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality
       as asked(id, state, failure_code, upstream_ref, n))
   update transactions t set state = asked.state, failure_code = asked.failure_code, upstream_ref = asked.upstream_ref,
     action_url = null, completed_at = now(), next_check_at = null
   from asked where t.id = asked.id and t.state in ('processing', 'requires_action')
   returning asked.n::int as asked, ${COLUMNS.replaceAll(/\w+/g, 't.$&')}`,
)

async function benchOutbox(place: Place): Promise<Figure> {
  const { db, clock } = place.deps
  const order = () => ({
    attemptId: randomUUID(),
    projectId: place.projectId,
    mode: 'live' as const,
    amount: 1500n,
    currency: 'EUR',
    scale: 2,
    customId: null,
    data: 'Kafa 1 kg',
  })
  async function timePayments(end: (id: string) => Promise<unknown>): Promise<number> {
    const begun = performance.now()
    const worker = async () => {
      for (let n = 0; n < 100; n += 1) {
        const id = newUuidV7(clock)
        await openPayment(db, id, order(), 'sandbox')
        await end(id)
      }
    }
    await Promise.all(Array.from({ length: 16 }, worker))
    return (performance.now() - begun) / 1_600
  }
  const facts = (id: string) => ({
    status: 'success' as const,
    projectId: place.projectId,
    transactionId: id,
    amount: '1500',
    currency: 'EUR',
    scale: 2,
    mode: 'live' as const,
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  const done = { state: 'succeeded' as const, failureCode: null, upstreamRef: null }
  return duel({
    name: '14 payment with the callback row, beside without',
    unit: 'ms a payment',
    bar: { kind: 'at most', must: 1.15, goal: 1.05 },
    rounds: 9,
    ours: () => timePayments((id) => settlePayment(db, id, done, { id: `msg_${id}`, facts: facts(id) })),
    floor: () =>
      timePayments(async (id) => {
        const [row] = await askTogether<PaymentRow>(db, END_ONLY, [id, done.state, null, null])
        return toPayment(row!)
      }),
  })
}
