// Holds a payer's way back for a moment, until the shop has accepted the result: then the shop's page already knows.
// Only for shops that answer quickly, only for so many payers at once, and never longer than asked.
import type { Queryable } from '../db/pool.ts'
import type { Signals } from '../db/signals.ts'
import type { Logger } from '../lib/logger.ts'
import { findAccepted, findProspect, markPayerReturned } from './await-delivery-store.ts'
import { ATTEMPTS_CHANNEL, toEntries } from './attempts-channel.ts'

/** Each holds a request open; past this the rest go at once. */
const WAITERS_MAX = 200

export interface DeliveryWaits {
  /** Whether the shop has accepted the result before the payer is sent back. */
  waitForDelivery(transactionId: string, maxMs: number): Promise<boolean>
  /** What this process has just written down; others are heard of by note. */
  onRecorded(recorded: readonly { id: string; status: string }[]): void
}

interface Waiter {
  transactionId: string
  settle(isDelivered: boolean): void
}

/** Those who wait, by the callback they wait for; each leaves when it is settled or when its time is up. */
function createWaitingRoom() {
  const waiters = new Map<string, Waiter>()
  return {
    has: (callbackId: string) => waiters.has(callbackId),
    transactionIds: () => [...waiters.values()].map((waiter) => waiter.transactionId),
    settle(recorded: readonly { id: string; status: string }[]): void {
      for (const { id, status } of recorded) waiters.get(id)?.settle(status === 'delivered')
    },
    wait(callbackId: string, transactionId: string, maxMs: number): Promise<boolean> {
      return new Promise((resolve) => {
        const settle = (isDelivered: boolean) => {
          clearTimeout(timer)
          waiters.delete(callbackId)
          resolve(isDelivered)
        }
        const timer = setTimeout(() => settle(false), maxMs)
        waiters.set(callbackId, { transactionId, settle })
      })
    },
  }
}

export function createDeliveryWaits(
  deps: { db: Queryable & { signals: Signals }; log: Logger },
  waitersMax = WAITERS_MAX,
): DeliveryWaits {
  const room = createWaitingRoom()
  let waiting = 0
  let isListening = false

  function listen(): void {
    if (isListening) return
    isListening = true
    deps.db.signals.listen(ATTEMPTS_CHANNEL, (note) => {
      if (note === null) void lookAgain(room.transactionIds())
      else room.settle(toEntries(note))
    })
  }

  /** For what may have been written down while nobody here could hear of it. */
  async function lookAgain(transactionIds: readonly string[]): Promise<void> {
    if (transactionIds.length === 0) return
    try {
      room.settle(await findAccepted(deps.db, transactionIds))
    } catch (error) {
      // They go when their time is up.
      deps.log.warn({ err: error }, 'payers who wait for a callback could not be looked after')
    }
  }

  async function hold(transactionId: string, maxMs: number): Promise<boolean> {
    const prospect = await findProspect(deps.db, transactionId)
    if (!prospect?.isPrompt || room.has(prospect.id)) return prospect?.status === 'delivered'
    if (prospect.status === 'delivered') return markReturn(transactionId, true)
    const recorded = room.wait(prospect.id, transactionId, maxMs)
    // It may have been written down between the first look and the waiting.
    await lookAgain([transactionId])
    return markReturn(transactionId, await recorded)
  }

  /** Beside the way back, not before it; what may be lost is a line in the delivery's page. */
  function markReturn(transactionId: string, isDelivered: boolean): boolean {
    markPayerReturned(deps.db, transactionId).catch((error: unknown) =>
      deps.log.warn({ err: error, transactionId }, 'the time of a payer’s return was not kept'),
    )
    return isDelivered
  }

  return {
    onRecorded: (recorded) => room.settle(recorded),
    async waitForDelivery(transactionId, maxMs) {
      if (waiting >= waitersMax) return false
      waiting += 1
      listen()
      try {
        return await hold(transactionId, maxMs)
      } catch (error) {
        // The payment is made; a look that failed must not keep the payer from going back.
        deps.log.warn({ err: error, transactionId }, 'a payer was not held for the callback')
        return false
      } finally {
        waiting -= 1
      }
    },
  }
}
