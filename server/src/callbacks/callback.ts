// A callback's states and the moves between them. Each statement that changes `callbacks.status` is one of these moves: it
// touches only rows in a state of `from` and leaves them in one of `to`.
import type { CallbackStatus } from '@pazar/contract'

interface CallbackMove {
  from: readonly CallbackStatus[]
  to: readonly CallbackStatus[]
}

export const MOVES = {
  /**
   * The outcome of an attempt is written. Only a callback that a person sends as a test (send-test-store.ts) is `sending`
   * during its attempt; all others stay `pending`, in test mode too.
   */
  record: { from: ['pending', 'sending'], to: ['delivered', 'pending', 'exhausted'] },
  /**
   * The merchant accepted the callback. That counts even if the attempt was logged as interrupted or the callback was given
   * up.
   */
  accept: { from: ['pending', 'sending', 'exhausted'], to: ['delivered'] },
  /** The process that was sending the callback died: the attempt counts as interrupted. */
  interrupt: { from: ['pending'], to: ['pending', 'exhausted', 'delivered'] },
  /** As `interrupt`, for a callback that is marked `sending`. */
  recover: { from: ['sending'], to: ['pending', 'exhausted', 'delivered'] },
  /** The callback was never attempted, because the merchant's server was down for longer than the schedule lasts. */
  giveUp: { from: ['pending'], to: ['exhausted'] },
  /** A later result of the same order replaces the callback. A delivered callback stays `delivered`; its row is only locked. */
  cancel: { from: ['pending', 'sending', 'exhausted', 'delivered'], to: ['cancelled', 'delivered'] },
  /**
   * A person starts a new round, which begins again with the first attempt of the schedule. If an attempt is in flight, the
   * round starts when that attempt ends without success. A callback that was delivered before is `delivered` again after
   * one attempt, whatever its outcome.
   */
  resend: { from: ['pending', 'exhausted', 'delivered'], to: ['pending'] },
} as const satisfies Record<string, CallbackMove>

export type MoveName = keyof typeof MOVES

/** The states of callbacks that are still to be delivered. */
export const QUEUED_STATES: readonly CallbackStatus[] = ['pending', 'sending']
/** SQL: an array of these states, for a statement that reads an index state by state. */
export const QUEUED_ARRAY = `array[${QUEUED_STATES.map((state) => `'${state}'`).join(', ')}]`

export function isAllowed(move: MoveName, from: CallbackStatus, to: CallbackStatus): boolean {
  const { from: sources, to: targets }: CallbackMove = MOVES[move]
  return from === to || (sources.includes(from) && targets.includes(to))
}

/** For the WHERE of a statement: `status in (…)` with the states that the move may start from. */
export function mayStart(move: MoveName, column = 'status'): string {
  return `${column} in (${MOVES[move].from.map((state) => `'${state}'`).join(', ')})`
}

/**
 * SQL: the callback with this alias reports the result of a payment, not a refund or dispute. Only a result can be
 * replaced by a later one, is awaited by the payer, and counts for the health of the lane (with one exception:
 * countsForLane in deliver.ts).
 */
export function isResult(alias: string): string {
  return `${alias}.event = 'payment.result'`
}
