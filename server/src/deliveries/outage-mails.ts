// Tells merchants how their callbacks fare: when a shop stops answering, at most daily while it does not, when callbacks
// are given up, and when it answers again. Never one mail per callback.
import { queueDeliveryMail } from '../accounts/mail/queue-mail.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { explain } from './explain.ts'
import type { LaneToTend } from './outage-mails-store.ts'
import {
  countWaiting,
  findLaneToTend,
  findLastFailure,
  giveUpWaiting,
  recordTold,
} from './outage-mails-store.ts'

type CareDeps = Pick<CallbackDeps, 'db' | 'clock'>

/** A look every few seconds tells soon enough; what is told has lasted for minutes. */
export const CARE_POLL_MS = 10_000

async function findWords(db: Queryable, lane: LaneToTend): Promise<{ cause: string; fix: string }> {
  const failure = await findLastFailure(db, lane.projectId)
  const { locale } = lane.owner
  return (
    (failure && explain(locale, failure)) ??
    explain(locale, { outcome: 'connect', statusCode: null, error: null, responseExcerpt: null })!
  )
}

async function tell(deps: CareDeps, tx: Tx, lane: LaneToTend): Promise<void> {
  const { projectId, projectName: project, owner } = lane
  if (lane.isFailing) {
    await queueDeliveryMail(deps, tx, owner, {
      kind: 'deliveries_failing',
      projectId,
      project,
      count: await countWaiting(tx, projectId),
      since: lane.failingSince!.toISOString(),
      ...(await findWords(tx, lane)),
    })
    await recordTold(tx, projectId, 'failing')
  }
  if (lane.exhausted > 0) {
    const words = await findWords(tx, lane)
    const mail = {
      kind: 'deliveries_exhausted',
      projectId,
      project,
      count: lane.exhausted,
      ...words,
    } as const
    await queueDeliveryMail(deps, tx, owner, mail)
    await recordTold(tx, projectId, 'exhausted')
  }
  if (lane.healed) {
    const { caughtUp: count, givenUp } = lane.healed
    await queueDeliveryMail(deps, tx, owner, {
      kind: 'deliveries_healed',
      projectId,
      project,
      count,
      givenUp,
    })
    await recordTold(tx, projectId, 'healed')
  }
}

/** Returns how many lanes there was something to tell about. */
export async function tendLanes(deps: CareDeps): Promise<number> {
  await giveUpWaiting(deps.db)
  for (let told = 0; ; told += 1) {
    const lane = await deps.db.transaction(async (tx) => {
      const found = await findLaneToTend(tx)
      if (found) await tell(deps, tx, found)
      return found
    })
    if (!lane) return told
  }
}
