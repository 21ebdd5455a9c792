// A callback's states and the moves between them. Each statement that changes the state makes one of these moves.
import type { CallbackStatus } from '@pazar/contract'

interface CallbackMove {
  from: readonly CallbackStatus[]
  to: readonly CallbackStatus[]
}

export const MOVES = {
  /** An attempt ended. In this release, only a test callback (send-test-store.ts) is `sending` during its attempt. */
  record: { from: ['pending', 'sending'], to: ['delivered', 'pending', 'exhausted'] },
  /** The merchant accepted the callback. It may have been given up before. */
  accept: { from: ['pending', 'sending', 'exhausted'], to: ['delivered'] },
  /** The process that was sending the callback died or lost the lane before it recorded the outcome. */
  interrupt: { from: ['pending'], to: ['pending', 'exhausted', 'delivered'] },
  /** Like `interrupt`, but for a callback that is marked `sending`. */
  recover: { from: ['sending'], to: ['pending', 'exhausted', 'delivered'] },
  /** The callback was never attempted, because the merchant's server was down for longer than the schedule lasts. */
  giveUp: { from: ['pending'], to: ['exhausted'] },
  /**
   * A later result of the payment, or another payment that paid the order, makes the callback obsolete. It becomes
   * `cancelled`, or `delivered` if it was ever delivered.
   */
  cancel: { from: ['pending', 'sending', 'exhausted', 'delivered'], to: ['cancelled', 'delivered'] },
  /** A callback that was delivered before becomes `delivered` again after one attempt, even if that attempt fails. */
  resend: { from: ['pending', 'exhausted', 'delivered'], to: ['pending'] },
} as const satisfies Record<string, CallbackMove>

export type MoveName = keyof typeof MOVES

export const QUEUED_STATES: readonly CallbackStatus[] = ['pending', 'sending']
/** SQL: an array of these states, for statements that search an index once for each state. */
export const QUEUED_ARRAY = `array[${QUEUED_STATES.map((state) => `'${state}'`).join(', ')}]`

export function isAllowed(move: MoveName, from: CallbackStatus, to: CallbackStatus): boolean {
  const { from: sources, to: targets }: CallbackMove = MOVES[move]
  return from === to || (sources.includes(from) && targets.includes(to))
}

/** SQL: whether the move may start from the state in this column. */
export function mayStart(move: MoveName, column = 'status'): string {
  return `${column} in (${MOVES[move].from.map((state) => `'${state}'`).join(', ')})`
}

/** SQL: the callback with this alias reports the result of a payment, not a refund or dispute. */
export function isResult(alias: string): string {
  return `${alias}.event = 'payment.result'`
}
