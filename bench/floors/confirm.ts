// Floor of the confirmation: the same statements and commits from a bare loop, without HTTP, page or tokens.
import { randomUUID } from 'node:crypto'
import { writeOnce } from '../../server/src/backends/sandbox-store.ts'
import { findPayTarget } from '../../server/src/checkout/pay-target-store.ts'
import { openDb } from '../../server/src/db/pool.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { newUuidV7 } from '../../server/src/lib/id.ts'
import { openPayment } from '../../server/src/payments/payments-store.ts'
import { settlePayment } from '../../server/src/payments/settle-store.ts'

export interface ConfirmFloor {
  /** Payments per second. */
  run(payments: number, concurrency: number): Promise<number>
  close(): Promise<void>
}

export function createConfirmFloor(databaseUrl: string, projectId: string): ConfirmFloor {
  const db = openDb(databaseUrl, { onError: () => undefined })
  const link = { projectId, mode: 'live', customId: null } as const

  async function payOnce(): Promise<void> {
    const id = newUuidV7(systemClock)
    await findPayTarget(db, link, [])
    const order = { ...link, attemptId: randomUUID(), amount: 1500n, currency: 'EUR', data: 'Kafa 1 kg' }
    const payment = await openPayment(db, id, order, 'sandbox')
    await writeOnce(db, { id, amount: 1500n, currency: 'EUR', status: 'succeeded', failure_code: null })
    const facts = {
      status: 'success',
      projectId,
      transactionId: id,
      amount: '1500',
      currency: 'EUR',
      data: 'Kafa 1 kg',
      mode: 'live',
      createdAt: payment!.createdAt.toISOString(),
    } as const
    await settlePayment(
      db,
      id,
      { state: 'succeeded', failureCode: null, upstreamRef: null },
      { id: `msg_${id}`, facts },
    )
  }

  return {
    async run(payments, concurrency) {
      let left = payments
      const begun = performance.now()
      const worker = async () => {
        while (left > 0) {
          left -= 1
          await payOnce()
        }
      }
      await Promise.all(Array.from({ length: concurrency }, worker))
      return payments / ((performance.now() - begun) / 1000)
    },
    close: () => db.close(),
  }
}
