// Sends a callback without a payment, for a developer who waits for the outcome. It is signed with the test secret, and
// is not retried.
import type { TestCallbackBody } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import { toDate } from '../lib/clock.ts'
import { newCallbackId, newUuidV7, toDisputeId, toRefundId } from '../lib/id.ts'
import { invalidField } from '../lib/service-error.ts'
import type { Project } from '../projects/project.ts'
import { requireProject } from '../projects/access.ts'
import type { OutgoingCallback } from '../callbacks/outgoing-callback.ts'
import { toAttemptIdentity } from '../callbacks/outgoing-callback.ts'
import { deliver, LISTENERS } from '../callbacks/deliver.ts'
import { toAttemptView, toCallbackView } from './delivery.ts'
import type { StoredFacts } from '../callbacks/event-facts.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { hasStreams } from '../streams/events-store.ts'
import type { AttemptRecord } from '../callbacks/record-store.ts'
import { recordAttempts } from '../callbacks/record-store.ts'
import { requireDelivery } from './log.ts'
import { insertClaimedCallback } from '../callbacks/send-test-store.ts'

const RESPOND_WITHIN_MS = 7 * 24 * 60 * 60 * 1000

function toFacts(deps: CallbackDeps, projectId: string, options: TestCallbackBody): StoredFacts {
  const common = {
    projectId,
    // No payment has this id. It has the usual format, because the merchant's code may check the format.
    transactionId: newUuidV7(deps.clock),
    amount: options.amount,
    currency: deps.config.currency,
    amountScale: deps.config.amountScale,
    customId: options.customId ?? null,
    // As in a pay link, empty data counts as no data.
    data: options.data || null,
    mode: 'test',
    createdAt: toDate(deps.clock.nowMs()).toISOString(),
  } as const
  const isSuccess = options.status === 'success'
  const failureCode = isSuccess ? null : 'declined'
  switch (options.event) {
    case 'refund.result':
      return {
        ...common,
        failureCode,
        refundStatus: isSuccess ? 'succeeded' : 'failed',
        refundId: toRefundId(newUuidV7(deps.clock)),
        refundedTotal: isSuccess ? options.amount : '0',
      }
    case 'dispute.opened': {
      const respondBy = toDate(deps.clock.nowMs() + RESPOND_WITHIN_MS).toISOString()
      return { ...common, ...newDispute(deps, options.event), disputeStatus: 'open', respondBy }
    }
    case 'dispute.closed':
      return { ...common, ...newDispute(deps, options.event), disputeStatus: isSuccess ? 'won' : 'lost' }
    default:
      return { ...common, failureCode, status: options.status }
  }
}

function newDispute<Event extends string>(deps: CallbackDeps, event: Event) {
  return { event, disputeId: toDisputeId(newUuidV7(deps.clock)) }
}

function chooseUrl(
  project: Project,
  claimed: OutgoingCallback,
  target: TestCallbackBody['to'],
): string | null {
  if (target === undefined) return claimed.url
  return target === 'url' ? (project.testApiUrl ?? project.apiUrl) : null
}

/** The attempt of a test callback that was not sent. It ends the callback, because test callbacks are not retried. */
function toUnsentRecord(
  claimed: OutgoingCallback,
  why: Pick<AttemptRecord, 'outcome' | 'error' | 'url'>,
): AttemptRecord {
  return {
    ...toAttemptIdentity(claimed),
    ...why,
    startedMs: performance.now(),
    durationMs: 0,
    statusCode: null,
    remoteIp: null,
    excerpt: null,
    bodySha256: null,
    next: { status: 'exhausted' },
    counts: false,
  }
}

async function sendNow(deps: CallbackDeps, claimed: OutgoingCallback): Promise<AttemptRecord> {
  if (claimed.url === null && !(await hasStreams(deps.db, claimed.projectId)))
    return toUnsentRecord(claimed, { outcome: 'connect', error: 'no listener is connected', url: LISTENERS })
  return deliver(deps, claimed)
}

export async function sendTestCallback(
  deps: CallbackDeps,
  accountId: AccountId,
  input: { projectId: string; options: TestCallbackBody; locale: Locale },
) {
  const project = await requireProject(deps.db, accountId, input.projectId, 'operate')
  // A server that was written only for payments gets no other events, not even as a test.
  if (!project.events.includes(input.options.event ?? 'payment.result'))
    throw invalidField('event', 'event_not_chosen')
  const claimed = await insertClaimedCallback(deps.db, {
    id: newCallbackId(deps.clock),
    facts: toFacts(deps, project.id, input.options),
    trigger: 'test',
  })
  const record = await sendNow(deps, { ...claimed, url: chooseUrl(project, claimed, input.options.to) })
  await recordAttempts(deps.db, [record])
  const { delivery, lastAttempt } = await requireDelivery(deps.db, project.id, claimed.id)
  return {
    callback: toCallbackView(delivery, deps.installation),
    attempt: toAttemptView(input.locale, lastAttempt!),
  }
}
