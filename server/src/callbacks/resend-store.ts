// Resends callbacks at a person's request. Each resend starts a new round: the callback has the whole schedule again,
// under the same id.
import type { CallbackStatus, Mode } from '@pazar/contract'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { isResult, mayStart } from '../callbacks/callback.ts'
import { PROBE_GAP_SEC } from '../callbacks/lanes.ts'
import { storePending, toDeliveredAt } from '../callbacks/new-callbacks-store.ts'

const LOCK = statement(
  'callbacks.lock',
  `select status, mode, erased_at is not null as "isErased" from callbacks where project_id = $1 and id = $2 for update`,
)

const isReplaced = (alias: string) =>
  `(${isResult(alias)} and exists (select from callbacks later where later.transaction_id = ${alias}.transaction_id
     and later.revision > ${alias}.revision and ${isResult('later')}))`

// Searches state by state, because the index on customIds is ordered by state.
const IS_SUPERSEDED = statement(
  'callbacks.is_overtaken',
  `select from callbacks c where c.project_id = $1 and c.id = $2 and ${isReplaced('c')}
   union all
   select from callbacks c cross join unnest(array['pending', 'sending', 'delivered', 'exhausted']) as s (status)
     cross join lateral (
       select from callbacks p where p.project_id = c.project_id and p.mode = c.mode and p.status = s.status
         and p.custom_id collate "C" = c.custom_id and p.result = 'success' and p.transaction_id is not null
         and ${isResult('p')} and not ${isReplaced('p')} limit 1) p
   where c.project_id = $1 and c.id = $2 and c.result = 'fail' and c.transaction_id is not null and ${isResult('c')}
   union all
   select from callbacks c cross join lateral (
       select from transactions t join callbacks p on p.transaction_id = t.id
       where t.checkout_id = c.checkout_id and p.project_id = c.project_id and p.mode = c.mode and p.result = 'success'
         and ${isResult('p')} and not ${isReplaced('p')} limit 1) p
   where c.project_id = $1 and c.id = $2 and c.result = 'fail'
   limit 1`,
)

/**
 * True if the payment of the callback has a later result, or if the callback reports a failure of an order or checkout
 * that is paid. The row of the callback must be locked.
 */
export async function isSuperseded(tx: Queryable, projectId: string, id: string): Promise<boolean> {
  return (await tx.query(IS_SUPERSEDED, [projectId, id])).length > 0
}

export interface LockedCallback {
  status: CallbackStatus
  mode: Mode
  isErased: boolean
}

/**
 * A callback that `new_callbacks` still lists is stored as if it were delivered (new-callbacks-store.ts). So it is first
 * stored as pending.
 */
export async function lockCallback(tx: Tx, projectId: string, id: string): Promise<LockedCallback | null> {
  await storePending(tx, projectId, [id])
  const [row] = await tx.query<LockedCallback>(LOCK, [projectId, id])
  return row ?? null
}

/**
 * The callback counts as due since its creation, so it comes before newer callbacks. The trigger becomes `manual`, because
 * `test` would allow no retry.
 */
const START_ROUND = `status = 'pending', trigger = 'manual', round_from = attempts, not_ready = 0, next_at = created_at,
  claim = null, delivered_at = case when c.status = 'delivered' then coalesce(c.delivered_at, ${toDeliveredAt('c')}, now()) else c.delivered_at end`

const RESEND = statement(
  'callbacks.resend',
  `update callbacks c set ${START_ROUND}
   where project_id = $1 and id = $2 and ${mayStart('resend')}`,
)

/** For a callback that is marked `sending`: the round starts when its attempt in flight ends without being accepted. */
const REQUEST_ROUND = statement(
  'callbacks.request_round',
  `update callbacks set trigger = 'manual', round_from = attempts, not_ready = 0
   where project_id = $1 and id = $2 and ${mayStart('recover')}`,
)

export async function startNewRound(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx.query(RESEND, [projectId, id])
  await tx.query(REQUEST_ROUND, [projectId, id])
}

/** The batch is small, so that no lock is held for long. */
const RESEND_BATCH = 500

const RESEND_FAILED = statement(
  'callbacks.resend_failed',
  `update callbacks c set ${START_ROUND}
   where c.ctid = any (array(
     select o.ctid from unnest(array['exhausted', 'pending']) as s (status) cross join lateral (
       select ctid from callbacks where project_id = $1 and mode = $2 and status = s.status and created_at >= $3
         -- A callback may have been given up without any attempt, after waiting in the queue.
         and (status = 'exhausted' or attempts > round_from) and trigger in ('auto', 'manual') and erased_at is null
       order by created_at desc, id desc limit ${RESEND_BATCH} for update skip locked) o)) returning 1`,
)

/** Resends callbacks that failed or were given up. The caller repeats the call until `isLast`. */
export async function startNewRounds(
  db: Queryable,
  projectId: string,
  mode: Mode,
  since: Date,
): Promise<{ count: number; isLast: boolean }> {
  const { length: count } = await db.query(RESEND_FAILED, [projectId, mode, since])
  return { count, isLast: count < RESEND_BATCH }
}

const ALLOW_PROBE = statement(
  'callbacks.allow_probe',
  `update callback_lanes set probe_at = now()
   where project_id = $1 and mode = $2 and probe_at <= now() + interval '${PROBE_GAP_SEC} seconds'`,
)

/** A person who resends has probably fixed something, so a tripped lane may be probed now. */
export async function allowProbe(db: Queryable, projectId: string, mode: Mode): Promise<void> {
  await db.query(ALLOW_PROBE, [projectId, mode])
}
