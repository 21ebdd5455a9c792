// A callback that no payment stands behind, sent at once for whoever builds a shop: the same bytes, the same guard, the
// same log, one try, and the real outcome as the answer. Signed with the test secret, so it can never pass for money.
import type { TestCallbackBody } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Project } from '../projects/project.ts'
import { requireProject } from '../projects/projects.ts'
import type { Claimed } from '../callbacks/claim-store.ts'
import { toFence } from '../callbacks/claim-store.ts'
import { deliver, LISTENERS } from '../callbacks/deliver.ts'
import { toAttemptView, toCallbackView } from './delivery.ts'
import type { StoredFacts } from './delivery.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { hasStreams } from '../streams/events-store.ts'
import type { AttemptRecord } from '../callbacks/record-store.ts'
import { recordAttempts } from '../callbacks/record-store.ts'
import { requireDelivery } from './log.ts'
import { insertClaimed } from '../callbacks/send-test-store.ts'

function toFacts(deps: CallbackDeps, projectId: string, wish: TestCallbackBody): StoredFacts {
  return {
    status: wish.status,
    projectId,
    // Nothing will ever be found under it; the shape is what a shop's code must get used to.
    transactionId: newUuidV7(deps.clock),
    amount: wish.amount,
    currency: deps.config.currency,
    amountScale: deps.config.amountScale,
    customId: wish.customId ?? null,
    // As a payment link does: empty is none.
    data: wish.data || null,
    mode: 'test',
    createdAt: toDate(deps.clock.nowMs()).toISOString(),
    failureCode: wish.status === 'fail' ? 'declined' : null,
  }
}

export function newCallbackId(deps: Pick<CallbackDeps, 'clock'>): string {
  return `msg_${newUuidV7(deps.clock).replaceAll('-', '')}`
}

function chooseUrl(project: Project, claimed: Claimed, to: TestCallbackBody['to']): string | null {
  if (to === undefined) return claimed.url
  return to === 'url' ? (project.testApiUrl ?? project.apiUrl) : null
}

/** For tries that never left: they end here, because nobody comes back to a test. */
function toUnsent(claimed: Claimed, why: Pick<AttemptRecord, 'outcome' | 'error' | 'url'>): AttemptRecord {
  return {
    ...toFence(claimed),
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

async function sendNow(deps: CallbackDeps, claimed: Claimed): Promise<AttemptRecord> {
  if (claimed.url === null && !(await hasStreams(deps.db, claimed.projectId)))
    return toUnsent(claimed, { outcome: 'connect', error: 'no listener is connected', url: LISTENERS })
  return deliver(deps, claimed)
}

export async function sendTestCallback(
  deps: CallbackDeps,
  ownerId: AccountId,
  ask: { projectId: string; wish: TestCallbackBody; locale: Locale },
) {
  const project = await requireProject(deps.db, ownerId, ask.projectId)
  const claimed = await insertClaimed(deps.db, {
    id: newCallbackId(deps),
    facts: toFacts(deps, project.id, ask.wish),
    trigger: 'test',
  })
  const record = await sendNow(deps, { ...claimed, url: chooseUrl(project, claimed, ask.wish.to) })
  await recordAttempts(deps.db, [record])
  const { delivery, lastAttempt } = await requireDelivery(deps.db, project.id, claimed.id)
  return {
    callback: toCallbackView(delivery, deps.installation),
    attempt: toAttemptView(ask.locale, lastAttempt!),
  }
}
