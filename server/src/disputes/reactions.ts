// How a dispute reacts to each report of its upstream. A trigger in the database allows no other moves.
import { disputeState } from '@pazar/contract'
import type { DisputeState } from '@pazar/contract'
import type { IncidentKind } from '../lib/incident-kind.ts'

export const DISPUTE_REPORTS = [
  ...disputeState.options,
  'mismatched', // Wrong currency, an amount of zero, or another amount than in the first report.
] as const
export type DisputeReported = (typeof DISPUTE_REPORTS)[number]

export type DisputeReaction =
  | { act: 'move'; state: DisputeState }
  /** The state does not change, but the deadline may change. */
  | { act: 'keep' }
  | { act: 'raise'; kind: IncidentKind }

const KEEP: DisputeReaction = { act: 'keep' }
const MISMATCH: DisputeReaction = { act: 'raise', kind: 'dispute_mismatch' }
const CONTRADICTION: DisputeReaction = { act: 'raise', kind: 'dispute_contradiction' }
const moveTo = (state: DisputeState): DisputeReaction => ({ act: 'move', state })
const CLOSE = { won: moveTo('won'), lost: moveTo('lost') }

/** `new`: the upstream reports the dispute for the first time. */
export const DISPUTE_REACTIONS: Readonly<
  Record<DisputeState | 'new', Readonly<Record<DisputeReported, DisputeReaction>>>
> = {
  new: { inquiry: moveTo('inquiry'), open: moveTo('open'), ...CLOSE, mismatched: MISMATCH },
  inquiry: { inquiry: KEEP, open: moveTo('open'), ...CLOSE, mismatched: MISMATCH },
  // A report of an earlier state is late and does not change the state.
  open: { inquiry: KEEP, open: KEEP, ...CLOSE, mismatched: MISMATCH },
  won: { inquiry: KEEP, open: KEEP, won: KEEP, lost: CONTRADICTION, mismatched: MISMATCH },
  lost: { inquiry: KEEP, open: KEEP, won: CONTRADICTION, lost: KEEP, mismatched: MISMATCH },
}
