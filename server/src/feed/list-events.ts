// Lists the events of one project, if the caller may read the project.
import type { EventListBody, EventPage, EventView } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import type { Installation } from '../db/installation-store.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import { requireProject } from '../projects/access.ts'
import { parseCursor, toCursorText } from './cursor.ts'
import type { Head, PaymentFacts, StoredEvent } from './feed-store.ts'
import { findRestart, publishEvents, readEvents, readHead } from './feed-store.ts'
import type { DisputeFacts, RefundFacts } from './inbox-store.ts'
import { PUBLISH_BATCH } from './publish.ts'

export type FeedDeps = Pick<ProjectDeps, 'db'> & { installation: Installation }

/** A cursor from before a restore, or beyond the last event, is refused. The error has the cursor to continue from. */
async function readPosition(
  { db }: FeedDeps,
  projectId: string,
  head: Head,
  after: string | undefined,
): Promise<bigint> {
  if (after === undefined) return 0n
  const cursor = parseCursor(after)
  if (cursor?.projectId !== projectId) throw invalidField('after', 'cursor')
  const isBeyondHead = cursor.position > head.position
  if (cursor.epoch === head.epoch && !isBeyondHead) return cursor.position
  const restart = await findRestart(db, projectId, cursor.epoch)
  const candidates = [cursor.position, head.position, ...(restart === null ? [] : [restart])]
  const position = candidates.reduce((least, one) => (one < least ? one : least))
  throw new ServiceError('cursor_expired', {
    next: toCursorText({ epoch: head.epoch, projectId, position }),
  })
}

function toPaymentPayload({ facts, payment }: StoredEvent) {
  const { state = 'processing', resolution = null, ...rest } = facts as PaymentFacts
  return {
    state,
    successful: resolution === null ? state === 'succeeded' : resolution === 'paid',
    failureCode: rest.failureCode ?? null,
    needsReview: rest.needsReview ?? false,
    resolution,
    upstreamRef: rest.upstreamRef ?? null,
    createdAt: payment.createdAt.toISOString(),
    completedAt:
      state === 'processing' || state === 'requires_action'
        ? null
        : (payment.completedAt?.toISOString() ?? null),
  }
}

export function toEventView(
  event: StoredEvent,
  { scaleOfOldPayments }: Pick<Installation, 'scaleOfOldPayments'>,
): EventView {
  const { id, transactionId, mode, payment } = event
  const inEvery = { id, at: event.at.toISOString(), transactionId }
  const paymentFacts = {
    amount: payment.amount.toString(),
    currency: payment.currency,
    scale: payment.scale ?? scaleOfOldPayments,
    mode,
    customId: payment.customId,
    data: payment.data,
  }
  switch (event.type) {
    case 'payment.created':
    case 'payment.result':
    case 'payment.review':
      return { ...inEvery, type: event.type, payload: { ...paymentFacts, ...toPaymentPayload(event) } }
    case 'refund.created':
    case 'refund.result': {
      const facts = event.facts as RefundFacts
      return {
        ...inEvery,
        type: event.type,
        refundId: event.refundId!,
        payload: { ...paymentFacts, ...facts },
      }
    }
    case 'dispute.opened':
    case 'dispute.closed': {
      const facts = event.facts as DisputeFacts
      return {
        ...inEvery,
        type: event.type,
        disputeId: event.disputeId!,
        payload: { ...paymentFacts, ...facts },
      }
    }
  }
}

export async function listEvents(
  deps: FeedDeps,
  accountId: AccountId,
  { projectId, mode, after, limit }: EventListBody,
): Promise<EventPage> {
  const { id } = await requireProject(deps.db, accountId, projectId, 'read')
  const head = await readHead(deps.db, id)
  const from = await readPosition(deps, id, head, after)
  // Waiting events are published here, so that a reader sees a change as soon as it is committed.
  const published = head.waiting ? await publishEvents(deps.db, id, PUBLISH_BATCH) : 0
  const found = await readEvents(deps.db, id, { after: from, limit: limit + 1, mode: mode ?? null })
  const events = found.slice(0, limit)
  const position = events.at(-1)?.position ?? from
  return {
    items: events.map((event) => toEventView(event, deps.installation)),
    next: toCursorText({ epoch: head.epoch, projectId: id, position }),
    hasMore: found.length > limit || published === PUBLISH_BATCH,
  }
}
