// Sends callbacks once more because a person asked. A new round starts: the whole schedule again, under the same id.
import type { CallbackStatus, Mode } from '@pazar/contract'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { PROBE_GAP_SEC } from './lanes.ts'

const LOCK = statement(
  'callbacks.lock',
  'select status, mode from callbacks where project_id = $1 and id = $2 for update',
)

export async function lockCallback(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<{ status: CallbackStatus; mode: Mode } | null> {
  const [row] = await tx.query<{ status: CallbackStatus; mode: Mode }>(LOCK, [projectId, id])
  return row ?? null
}

/**
 * It takes its old place in the queue, the time it was made, and so goes ahead of what came later. What was delivered
 * keeps saying so. A try of the test button is never repeated by itself, so it becomes an ordinary one.
 */
const START_ROUND = `status = 'pending', trigger = 'manual', round_from = attempts, not_ready = 0, next_at = created_at,
  claim = null`

const RESEND = statement(
  'callbacks.resend',
  `update callbacks set ${START_ROUND}
   where project_id = $1 and id = $2 and status in ('pending', 'exhausted', 'delivered')`,
)

export async function startNewRound(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx.query(RESEND, [projectId, id])
}

/** Small, so that no payment of the shop waits behind it. */
const RESEND_BATCH = 500

const RESEND_FAILED = statement(
  'callbacks.resend_failed',
  `update callbacks c set ${START_ROUND}
   where c.ctid = any (array(
     select o.ctid from unnest(array['exhausted', 'pending']) as s (status) cross join lateral (
       select ctid from callbacks where project_id = $1 and mode = $2 and status = s.status and created_at >= $3
         and attempts > round_from and trigger in ('auto', 'manual')
       order by created_at desc, id desc limit ${RESEND_BATCH} for update skip locked) o)) returning 1`,
)

/** Everything of the lane that was tried in vain, given up or not, made since then. */
export async function startNewRounds(
  db: Queryable,
  projectId: string,
  mode: Mode,
  since: string,
): Promise<number> {
  let count = 0
  for (;;) {
    const { length } = await db.query(RESEND_FAILED, [projectId, mode, since])
    count += length
    if (length < RESEND_BATCH) return count
  }
}

const ALLOW_PROBE = statement(
  'callbacks.allow_probe',
  `update callback_lanes set probe_at = now()
   where project_id = $1 and mode = $2 and probe_at <= now() + interval '${PROBE_GAP_SEC} seconds'`,
)

/** Whoever asks has mended something: a lane that only gets probes gets one now, unless one is out. */
export async function allowProbe(db: Queryable, projectId: string, mode: Mode): Promise<void> {
  await db.query(ALLOW_PROBE, [projectId, mode])
}
