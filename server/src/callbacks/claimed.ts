// A callback that a worker has claimed: what is needed to send it and to record what came of it.
import type { AttemptTrigger, Mode } from '@pazar/contract'
import type { CallbackFacts } from '@pazar/sdk'
import type { Lane } from './lanes.ts'

export interface Claimed extends Lane {
  id: string
  facts: CallbackFacts
  trigger: AttemptTrigger
  /** Which attempt this is, from 1, over all rounds. */
  attempt: number
  /** Which attempt of this round. */
  nth: number
  notReady: number
  claim: string
  /** Null: to the listeners on the project's event streams. */
  url: string | null
  /** Of the lane's callback URL, with its port. */
  host: string
  sealed: Buffer
  secretVersion: number
  /** Sent to see whether a merchant that kept failing is back. */
  isProbe: boolean
}

export interface ClaimedRow {
  project_id: string
  mode: Mode
  id: string
  payload: CallbackFacts
  trigger: AttemptTrigger
  attempts: number
  round_from: number
  not_ready: number
  claim: string
  url: string | null
  host: string
  sealed: Buffer
  version: number
}

export function toClaimed(row: ClaimedRow, isProbe = false): Claimed {
  return {
    projectId: row.project_id,
    mode: row.mode,
    id: row.id,
    facts: row.payload,
    trigger: row.trigger,
    attempt: row.attempts,
    nth: row.attempts - row.round_from,
    notReady: row.not_ready,
    claim: row.claim,
    url: row.url,
    host: row.host,
    sealed: row.sealed,
    secretVersion: row.version,
    isProbe,
  }
}

/** Which attempt it is, and by what right it may be recorded. */
export type Fence = Pick<
  Claimed,
  'projectId' | 'id' | 'attempt' | 'trigger' | 'claim' | 'isProbe' | 'secretVersion'
>

export function toFence(claimed: Claimed): Fence {
  const { projectId, id, attempt, trigger, claim, isProbe, secretVersion } = claimed
  return { projectId, id, attempt, trigger, claim, isProbe, secretVersion }
}
