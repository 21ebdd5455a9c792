// Notifies merchants by mail about outages: when a merchant stops responding, at most daily while it lasts, when callbacks
// are given up, and when it responds again. Never one mail per callback.
import { queueDeliveryMail } from '../accounts/mail/queue-mail.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { explain } from './explain.ts'
import type { LaneToNotify } from './outage-mails-store.ts'
import {
  countWaiting,
  findLaneToNotify,
  findLastFailure,
  giveUpWaiting,
  recordNotified,
} from './outage-mails-store.ts'

type MailDeps = Pick<CallbackDeps, 'config' | 'db' | 'clock' | 'log'>

/** Every few seconds is soon enough; an outage is reported after minutes. */
export const OUTAGE_MAILS_POLL_MS = 10_000

async function findWords(db: Queryable, lane: LaneToNotify): Promise<{ cause: string; fix: string }> {
  const failure = await findLastFailure(db, lane.projectId)
  const { locale } = lane.owner
  return (
    (failure && explain(locale, failure)) ??
    explain(locale, { outcome: 'connect', statusCode: null, error: null, responseExcerpt: null })!
  )
}

/** Results of a closed account's payments may still fail to arrive; then only the operator can act. */
function toRecipient({ config, log }: MailDeps, lane: LaneToNotify): LaneToNotify['owner'] {
  if (!lane.isOwnerClosed) return lane.owner
  log.error(
    { projectId: lane.projectId },
    'callbacks of a closed account fail, and its owner cannot be notified',
  )
  return { ...lane.owner, email: config.operatorEmail ?? lane.owner.email }
}

async function queueMails(deps: MailDeps, tx: Tx, lane: LaneToNotify): Promise<void> {
  const { projectId, projectName: project } = lane
  const owner = toRecipient(deps, lane)
  if (lane.isFailing) {
    await queueDeliveryMail(deps, tx, owner, {
      kind: 'deliveries_failing',
      projectId,
      project,
      count: await countWaiting(tx, projectId),
      since: lane.failingSince!.toISOString(),
      ...(await findWords(tx, lane)),
    })
    await recordNotified(tx, projectId, 'failing')
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
    await recordNotified(tx, projectId, 'exhausted')
  }
  if (lane.recovered) {
    const { caughtUp: count, givenUp } = lane.recovered
    await queueDeliveryMail(deps, tx, owner, {
      kind: 'deliveries_healed',
      projectId,
      project,
      count,
      givenUp,
    })
    await recordNotified(tx, projectId, 'recovered')
  }
}

/** Returns the number of lanes that had something to report. */
export async function sendOutageMails(deps: MailDeps): Promise<number> {
  await giveUpWaiting(deps.db)
  for (let count = 0; ; count += 1) {
    const lane = await deps.db.transaction(async (tx) => {
      const found = await findLaneToNotify(tx)
      if (found) await queueMails(deps, tx, found)
      return found
    })
    if (!lane) return count
  }
}
