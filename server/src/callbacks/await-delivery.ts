// Delays a payer's redirect until the merchant has accepted the result, so that the merchant's page can show the result.
// Payers wait for a limited time, and only for merchants that respond quickly.
import type { Queryable } from '../db/pool.ts'
import type { Signals } from '../db/signals.ts'
import type { Logger } from '../lib/logger.ts'
import { findAccepted, findAwaitedResult, markPayerReturned } from './await-delivery-store.ts'
import { ATTEMPTS_CHANNEL, parseNotification } from './attempts-channel.ts'

/** Each waiter holds a request open. Payers above this number do not wait. */
const WAITERS_MAX = 200

export interface DeliveryWaits {
  /** Waits for at most `maxMs`. Returns true if the merchant is known to have accepted the result. */
  waitForDelivery(transactionId: string, maxMs: number): Promise<boolean>
  /** Receives the outcomes that this process has recorded. The outcomes of other processes arrive as notifications. */
  onRecorded(recorded: readonly { id: string; status: string }[]): void
}

interface Waiter {
  transactionId: string
  settle(isDelivered: boolean): void
}

function createWaiters() {
  const byCallback = new Map<string, Waiter>()
  return {
    has: (callbackId: string) => byCallback.has(callbackId),
    transactionIds: () => [...byCallback.values()].map((waiter) => waiter.transactionId),
    settle(recorded: readonly { id: string; status: string }[]): void {
      for (const { id, status } of recorded) byCallback.get(id)?.settle(status === 'delivered')
    },
    wait(callbackId: string, transactionId: string, maxMs: number): Promise<boolean> {
      return new Promise((resolve) => {
        const settle = (isDelivered: boolean) => {
          clearTimeout(timer)
          byCallback.delete(callbackId)
          resolve(isDelivered)
        }
        const timer = setTimeout(() => settle(false), maxMs)
        byCallback.set(callbackId, { transactionId, settle })
      })
    },
  }
}

export function createDeliveryWaits(
  deps: { db: Queryable & { signals: Signals }; log: Logger },
  waitersMax = WAITERS_MAX,
): DeliveryWaits {
  const waiters = createWaiters()
  let waiting = 0
  let isListening = false

  function listen(): void {
    if (isListening) return
    isListening = true
    deps.db.signals.listen(ATTEMPTS_CHANNEL, (notification) => {
      if (notification === null) void checkAgain(waiters.transactionIds())
      else waiters.settle(parseNotification(notification))
    })
  }

  /** Releases the payers whose callback was accepted. The notification of the outcome may have been missed. */
  async function checkAgain(transactionIds: readonly string[]): Promise<void> {
    if (transactionIds.length === 0) return
    try {
      waiters.settle(await findAccepted(deps.db, transactionIds))
    } catch (error) {
      // The timeout still releases each payer.
      deps.log.warn({ err: error }, 'the callbacks that payers wait for could not be checked')
    }
  }

  async function waitIfPrompt(transactionId: string, maxMs: number): Promise<boolean> {
    const result = await findAwaitedResult(deps.db, transactionId)
    if (!result?.isPrompt || waiters.has(result.id)) return result?.status === 'delivered'
    if (result.status === 'delivered') return markReturn(transactionId, true)
    const recorded = waiters.wait(result.id, transactionId, maxMs)
    // The result may have been recorded between the first query and the wait.
    await checkAgain([transactionId])
    return markReturn(transactionId, await recorded)
  }

  /**
   * Stores when the payer returned, without delaying the redirect. If the write fails, `payerReturn` of the delivery stays
   * null.
   */
  function markReturn(transactionId: string, isDelivered: boolean): boolean {
    markPayerReturned(deps.db, transactionId).catch((error: unknown) =>
      deps.log.warn({ err: error, transactionId }, 'the time of a payer’s return was not stored'),
    )
    return isDelivered
  }

  return {
    onRecorded: (recorded) => waiters.settle(recorded),
    async waitForDelivery(transactionId, maxMs) {
      if (waiting >= waitersMax) return false
      waiting += 1
      listen()
      try {
        return await waitIfPrompt(transactionId, maxMs)
      } catch (error) {
        // A failed query must not prevent the redirect.
        deps.log.warn({ err: error, transactionId }, 'a payer’s redirect did not wait for the callback')
        return false
      } finally {
        waiting -= 1
      }
    },
  }
}
