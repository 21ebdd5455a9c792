import { countSteps } from '../callbacks/response-times.ts'
import { addResponses } from '../callbacks/response-times-store.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { History, PastAttempt } from './history.ts'

const HOUR_MS = 3_600_000

const INSERT_PAYMENTS = statement(
  'demo.insert_payments',
  `with past as (
     select * from jsonb_to_recordset($3::jsonb) as p(id uuid, attempt_id uuid, amount bigint, custom_id text, data text,
       state text, failure_code text, action_url text, created_at timestamptz, completed_at timestamptz)
   ), ledger as (
     insert into sandbox_charges (id, amount, currency, status, failure_code, created_at, updated_at)
     select id, amount, $2::text, case when state = 'expired' then 'cancelled' else state end, failure_code, created_at,
       coalesce(completed_at, created_at) from past where state <> 'processing')
   insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, state, failure_code,
     action_url, created_at, completed_at, next_check_at)
   select id, $1::text, 'live', attempt_id, amount, $2::text, custom_id, data, state, failure_code,
     action_url, created_at, completed_at, case when completed_at is null then now() + interval '10 minutes' end from past`,
)

const INSERT_CALLBACKS = statement(
  'demo.insert_callbacks',
  `insert into callbacks (project_id, id, transaction_id, mode, result, custom_id, payload, status, attempts, last_outcome,
     next_at, created_at, delivered_at)
   select $1::text, c.id, c.transaction_id, 'live', c.result, c.custom_id,
     jsonb_strip_nulls(jsonb_build_object('status', c.result, 'projectId', $1::text, 'transactionId', t.id,
       'amount', t.amount::text, 'currency', t.currency, 'customId', t.custom_id, 'data', t.data, 'mode', 'live',
       'createdAt', to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       'failureCode', t.failure_code)),
     c.status, c.attempts, c.last_outcome, c.next_at, c.created_at, c.delivered_at
   from jsonb_to_recordset($2::jsonb) as c(id text, transaction_id uuid, result text, custom_id text, status text,
     attempts integer, last_outcome text, next_at timestamptz, created_at timestamptz, delivered_at timestamptz)
   join transactions t on t.id = c.transaction_id`,
)

const INSERT_ATTEMPTS = statement(
  'demo.insert_attempts',
  `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome, status_code,
     error, response_excerpt, secret_version)
   select $1::text, a.callback_id, a.attempt, $2::text, a.started_at, a.duration_ms, a.outcome, a.status_code, a.error,
     a.response_excerpt, 1
   from jsonb_to_recordset($3::jsonb) as a(callback_id text, attempt integer, started_at timestamptz,
     duration_ms integer, outcome text, status_code integer, error text, response_excerpt text)`,
)

const SET_OUTCOMES = statement(
  'demo.set_outcomes',
  `update callbacks c set last_outcome = a.outcome from callback_attempts a
   where c.project_id = $1 and a.project_id = c.project_id and a.callback_id = c.id and a.attempt = c.attempts`,
)

export async function insertHistory(
  tx: Tx,
  project: { id: string; apiUrl: string; currency: string },
  history: History,
): Promise<void> {
  await tx.query(INSERT_PAYMENTS, [project.id, project.currency, JSON.stringify(history.payments)])
  await tx.query(INSERT_CALLBACKS, [project.id, JSON.stringify(history.callbacks)])
  await tx.query(INSERT_ATTEMPTS, [project.id, project.apiUrl, JSON.stringify(history.attempts)])
  await tx.query(SET_OUTCOMES, [project.id])
  await countResponseTimes(tx, project.id, history.attempts)
}

async function countResponseTimes(
  tx: Tx,
  projectId: string,
  attempts: readonly PastAttempt[],
): Promise<void> {
  const accepted = attempts.filter(({ outcome }) => outcome === 'delivered')
  const toHourMs = ({ started_at: at }: PastAttempt) => Math.floor(Date.parse(at) / HOUR_MS) * HOUR_MS
  const hours = [...Map.groupBy(accepted, toHourMs)].map(([hourMs, inHour]) => ({
    projectId,
    mode: 'live' as const,
    hourMs,
    counts: countSteps(inHour.map(({ duration_ms: ms }) => ms)),
  }))
  await addResponses(tx, hours)
}

const HAS_PAYMENTS = statement(
  'demo.has_payments',
  'select exists (select from transactions where project_id = $1) as found',
)

export async function hasPayments(db: Queryable, projectId: string): Promise<boolean> {
  const rows = await db.query<{ found: boolean }>(HAS_PAYMENTS, [projectId])
  return rows[0]!.found
}
