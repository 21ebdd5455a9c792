// Takes due callbacks for sending, and writes down what came of each. Any number of processes may do this at once: a
// claim is fenced by its own uuid, so a worker that was asleep cannot write over one that took its place.
import { randomUUID } from 'node:crypto'
import type { Mode } from '@pazar/contract'
import type { CallbackFacts } from '@pazar/sdk'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface Claimed {
  projectId: string
  id: string
  mode: Mode
  facts: CallbackFacts
  /** Which try this is, from 1. */
  attempt: number
  claim: string
  url: string
  sealed: Buffer
  secretVersion: number
}

interface ClaimedRow {
  project_id: string
  id: string
  mode: Mode
  payload: CallbackFacts
  attempts: number
  claim: string
  url: string
  sealed: Buffer
  version: number
}

/** A lease outlives the longest request (15 s) by enough for a slow flush; the next claim takes what ran out. */
const LEASE = "interval '45 seconds'"

const CLAIM = statement(
  'callbacks.claim',
  `with due as (
     select project_id, id, status, attempts, lease_until from callbacks
     where (status = 'pending' and next_at <= now()) or (status = 'sending' and lease_until < now())
     order by next_at limit $1 for update skip locked
   ), target as (
     select due.*, s.sealed, s.version, case when c.mode = 'test' then coalesce(p.test_api_url, p.api_url) else p.api_url end as url
     from due join callbacks c using (project_id, id) join projects p on p.id = due.project_id
     join project_secrets s on s.project_id = due.project_id and s.mode = c.mode
   ), cut_off as (
     -- The try whose worker never came back is on record too: it may or may not have reached the shop.
     insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome)
     select project_id, id, attempts, url, lease_until - ${LEASE}, 'interrupted' from target where status = 'sending'
     on conflict do nothing
   )
   update callbacks c set status = 'sending', attempts = c.attempts + 1, claim = $2, lease_until = now() + ${LEASE}
   from target t where c.project_id = t.project_id and c.id = t.id
   returning c.project_id, c.id, c.mode, c.payload, c.attempts, c.claim, t.url, t.sealed, t.version`,
)

export async function claimCallbacks(db: Queryable, limit: number): Promise<Claimed[]> {
  const rows = await db.query<ClaimedRow>(CLAIM, [limit, randomUUID()])
  return rows.map((row) => ({
    projectId: row.project_id,
    id: row.id,
    mode: row.mode,
    facts: row.payload,
    attempt: row.attempts,
    claim: row.claim,
    url: row.url,
    sealed: row.sealed,
    secretVersion: row.version,
  }))
}

export interface AttemptRecord {
  projectId: string
  id: string
  attempt: number
  claim: string
  url: string
  remoteIp: string | null
  startedAt: Date
  durationMs: number
  outcome: string
  statusCode: number | null
  error: string | null
  excerpt: string | null
  secretVersion: number
  bodySha256: Buffer
  next: { status: 'delivered' | 'exhausted'; delaySec: null } | { status: 'pending'; delaySec: number }
}

const RECORD = statement(
  'callbacks.record',
  `with moved as (
     update callbacks set status = $5, claim = null, lease_until = null,
       delivered_at = case when $5 = 'delivered' then now() end,
       next_at = case when $6::float8 is null then next_at else now() + make_interval(secs => $6::float8) end
     where project_id = $1 and id = $2 and claim = $4 and status = 'sending'
     returning project_id, id, status, next_at)
   insert into callback_attempts (project_id, callback_id, attempt, url, remote_ip, started_at, duration_ms, outcome,
     status_code, error, response_excerpt, secret_version, body_sha256, next_at)
   select project_id, id, $3, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, case when status = 'pending' then next_at end
   from moved returning callback_id`,
)

/** False: the claim was lost meanwhile, and whoever has it now writes the record. */
export async function recordAttempt(db: Queryable, done: AttemptRecord): Promise<boolean> {
  const rows = await db.query(RECORD, [
    done.projectId,
    done.id,
    done.attempt,
    done.claim,
    done.next.status,
    done.next.delaySec,
    done.url,
    done.remoteIp,
    done.startedAt,
    done.durationMs,
    done.outcome,
    done.statusCode,
    done.error,
    done.excerpt,
    done.secretVersion,
    done.bodySha256,
  ])
  return rows.length === 1
}

const RELEASE = statement(
  'callbacks.release',
  `update callbacks set status = 'pending', attempts = attempts - 1, claim = null, lease_until = null
   where project_id = $1 and id = $2 and claim = $3 and status = 'sending'`,
)

/** Gives back a claim that was never sent, as if it had not been taken. */
export async function releaseClaim(db: Queryable, claimed: Claimed): Promise<void> {
  await db.query(RELEASE, [claimed.projectId, claimed.id, claimed.claim])
}
