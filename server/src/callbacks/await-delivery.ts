// Holds a payer's way back for a moment, until the merchant has accepted the result: then their page already knows.
// Only for merchants that respond quickly, only for so many payers at once, and never longer than the caller allows.
import type { Queryable } from '../db/pool.ts'
import type { Signals } from '../db/signals.ts'
import type { Logger } from '../lib/logger.ts'
import { findAccepted, findProspect, markPayerReturned } from './await-delivery-store.ts'
import { ATTEMPTS_CHANNEL, parseNotification } from './attempts-channel.ts'

/** Each holds a request open; past this the rest go at once. */
const WAITERS_MAX = 200

export interface DeliveryWaits {
  /** Whether the merchant has accepted the result before the payer is sent back. */
  waitForDelivery(transactionId: string, maxMs: number): Promise<boolean>
  /** What this process has just recorded; other processes send a notification. */
  onRecorded(recorded: readonly { id: string; status: string }[]): void
}

interface Waiter {
  transactionId: string
  settle(isDelivered: boolean): void
}

/** Those who wait, by the callback they wait for; each leaves when it is settled or when its time is up. */
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

  /** For what may have been recorded while no notification could be received. */
  async function checkAgain(transactionIds: readonly string[]): Promise<void> {
    if (transactionIds.length === 0) return
    try {
      waiters.settle(await findAccepted(deps.db, transactionIds))
    } catch (error) {
      // They go when their time is up.
      deps.log.warn({ err: error }, 'payers who wait for a callback could not be checked')
    }
  }

  async function hold(transactionId: string, maxMs: number): Promise<boolean> {
    const prospect = await findProspect(deps.db, transactionId)
    if (!prospect?.isPrompt || waiters.has(prospect.id)) return prospect?.status === 'delivered'
    if (prospect.status === 'delivered') return markReturn(transactionId, true)
    const recorded = waiters.wait(prospect.id, transactionId, maxMs)
    // It may have been recorded between the first query and the wait.
    await checkAgain([transactionId])
    return markReturn(transactionId, await recorded)
  }

  /** Beside the way back, not before it; what may be lost is one entry on the delivery's page. */
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
        return await hold(transactionId, maxMs)
      } catch (error) {
        // The payment is made; a query that failed must not keep the payer from going back.
        deps.log.warn({ err: error, transactionId }, 'a payer was not held for the callback')
        return false
      } finally {
        waiting -= 1
      }
    },
  }
}
