// A callback that a process is about to send. The owner of a lane sends its callbacks without a claim. Only a test
// callback (send-test-store.ts) has a claim, because any process may send it.
import type { AttemptTrigger, CallbackEventName, Mode } from '@pazar/contract'
import type { EventFacts } from './event-facts.ts'
import { toFacts } from './event-facts.ts'
import type { Lane } from './lanes.ts'

export interface OutgoingCallback extends Lane {
  id: string
  event: CallbackEventName
  facts: EventFacts
  trigger: AttemptTrigger
  /** The number of this attempt over all rounds, from 1. */
  attempt: number
  /** The number of this attempt in its round, from 1. A manual resend starts a new round. */
  nth: number
  /** How many earlier attempts of this round used no step of the retry schedule (retry.ts). */
  withoutStep: number
  /** Set only for a test callback. */
  claim: string | null
  /** Whether the callback had a row in `new_callbacks` when it was fetched. A wrong value only makes recording slower. */
  isNew: boolean
  /** Null if the callback goes to the listeners on the project's event streams. */
  url: string | null
  /** The host and port of the lane's callback URL. */
  host: string
  /** The encrypted secret of the project. */
  sealed: Buffer
  secretVersion: number
  /** Whether the callback is sent to find out if a failing merchant has recovered. */
  isProbe: boolean
}

export interface ClaimedRow {
  project_id: string
  mode: Mode
  id: string
  event: CallbackEventName
  payload: EventFacts
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

export function toOutgoingCallback(row: ClaimedRow): OutgoingCallback {
  return {
    projectId: row.project_id,
    mode: row.mode,
    id: row.id,
    event: row.event,
    facts: toFacts(row),
    trigger: row.trigger,
    attempt: row.attempts,
    nth: row.attempts - row.round_from,
    withoutStep: row.not_ready,
    claim: row.claim,
    isNew: false,
    url: row.url,
    host: row.host,
    sealed: row.sealed,
    secretVersion: row.version,
    isProbe: false,
  }
}

export type AttemptIdentity = Pick<
  OutgoingCallback,
  'projectId' | 'mode' | 'id' | 'attempt' | 'trigger' | 'claim' | 'isNew' | 'isProbe' | 'secretVersion'
>

export function toAttemptIdentity(callback: OutgoingCallback): AttemptIdentity {
  const { projectId, mode, id, attempt, trigger, claim, isNew, isProbe, secretVersion } = callback
  return { projectId, mode, id, attempt, trigger, claim, isNew, isProbe, secretVersion }
}
