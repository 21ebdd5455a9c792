// Notifies merchants by mail when their server accepts no callbacks, when callbacks are given up, and when the server
// accepts callbacks again.
import { queueDeliveryMail } from '../accounts/mail/queue-mail.ts'
import type { Recipient } from '../accounts/mail/queue-mail.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { findMemberRecipients } from '../projects/members-store.ts'
import { explain } from './explain.ts'
import type { LaneToNotify } from './outage-mails-store.ts'
import {
  countStillGivenUp,
  countWaiting,
  findLaneToNotify,
  findLastFailure,
  giveUpWaiting,
  recordNotification,
} from './outage-mails-store.ts'

type MailDeps = Pick<CallbackDeps, 'config' | 'db' | 'clock' | 'log'>

export const OUTAGE_MAILS_POLL_MS = 10_000

type Explain = (recipient: Recipient) => { cause: string; fix: string }

async function findExplanation(db: Queryable, lane: LaneToNotify): Promise<Explain> {
  const failure = await findLastFailure(db, lane.projectId)
  return ({ locale }) =>
    (failure && explain(locale, failure, { quotes: false })) ??
    explain(locale, { outcome: 'connect', statusCode: null, error: null, responseExcerpt: null })!
}

/** The owner of the project. If the owner's account is closed: the operator, because only the operator can act. */
function toRecipients({ config, log }: MailDeps, lane: LaneToNotify): LaneToNotify['owner'][] {
  if (!lane.isOwnerAccountClosed) return [lane.owner]
  if (lane.isFailing || lane.exhausted > 0)
    log.error(
      { projectId: lane.projectId },
      'callbacks of a closed account fail, and its owner cannot be notified',
    )
  return config.operatorEmail === null ? [] : [{ ...lane.owner, email: config.operatorEmail }]
}

type Mail = Parameters<typeof queueDeliveryMail>[3]

async function queueMails(deps: MailDeps, tx: Tx, lane: LaneToNotify): Promise<void> {
  const { projectId, projectName: project } = lane
  const recipients = [...toRecipients(deps, lane), ...(await findMemberRecipients(tx, projectId, 'failures'))]
  // The projects of a closed account have no members, so only the operator can read the mail.
  const reader = lane.isOwnerAccountClosed ? { isOperator: true } : {}
  const queue = async (toMail: (recipient: Recipient) => Mail) => {
    for (const recipient of recipients)
      await queueDeliveryMail(deps, tx, recipient, { ...toMail(recipient), ...reader })
  }
  if (lane.isFailing) {
    const count = await countWaiting(tx, projectId)
    const since = lane.failingSince!.toISOString()
    const explainTo = await findExplanation(tx, lane)
    await queue((recipient) => ({
      kind: 'deliveries_failing',
      projectId,
      project,
      count,
      since,
      ...explainTo(recipient),
    }))
    await recordNotification(tx, projectId, 'failing')
  }
  if (lane.exhausted > 0) {
    const explainTo = await findExplanation(tx, lane)
    const count = await countStillGivenUp(tx, projectId, {
      counted: lane.exhausted,
      period: 'since the last mail',
    })
    if (count > 0)
      await queue((recipient) => ({
        kind: 'deliveries_exhausted',
        projectId,
        project,
        count,
        ...explainTo(recipient),
      }))
    await recordNotification(tx, projectId, count > 0 ? 'exhausted' : 'nothing exhausted')
  }
  if (lane.recovered) {
    const { caughtUp: count } = lane.recovered
    const givenUp = await countStillGivenUp(tx, projectId, {
      counted: lane.recovered.givenUp,
      period: 'in this outage',
    })
    await queue(() => ({ kind: 'deliveries_healed', projectId, project, count, givenUp }))
    await recordNotification(tx, projectId, 'recovered')
  }
}

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
