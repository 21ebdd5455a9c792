// The exam's requests, signed with the project's test secret. Forged requests are signed with another secret or not at
// all. The live secret is never read.
import { randomBytes } from 'node:crypto'
import type { CallbackEventName, ExamRequestName } from '@pazar/contract'
import { EXAM_AMOUNT, EXAM_ORDER_PREFIX, toExamEvent } from '@pazar/contract'
import { buildCallback, signJwt, signWebhook } from '@pazar/sdk'
import type { CallbackFacts, JsonObject } from '@pazar/sdk'
import type { EventFacts } from '../callbacks/event-facts.ts'
import { CALLBACK_HEADERS } from '../callbacks/sign-request.ts'
import { toDate, toUnixSeconds } from '../lib/clock.ts'
import type { Clock } from '../lib/clock.ts'
import { newCallbackId, newUuidV7, toDisputeId, toRefundId } from '../lib/id.ts'
import { issueSecret } from '../secrets/issue.ts'
import { toScenarios } from './scenarios.ts'
import type { Scenario } from './scenarios.ts'

export interface ExamRequest extends Pick<Scenario, 'name' | 'expects'> {
  /** The customId of the request. */
  order: string
  headers: Record<string, string>
  body: string
  /** The request's secret and signatures. If the merchant's server echoes them, the exam's report does not show them. */
  signatures: string[]
}

export interface ExamProject {
  id: string
  testSecret: string
  currency: string
  events: readonly CallbackEventName[]
}

interface Ids {
  transactionId: string
  disputeId: string
  webhookId: string
}

export function buildRequests(clock: Clock, project: ExamProject): ExamRequest[] {
  const runId = randomBytes(4).toString('hex')
  const ids = new Map<ExamRequestName, Ids>()
  return toScenarios(project.events).map((scenario) => {
    const { name, repeats = name, about = name } = scenario
    const requestIds = ids.get(repeats) ?? newIds(clock, ids.get(about))
    ids.set(name, requestIds)
    return buildRequest(clock, project, scenario, requestIds, toOrder(runId, scenario))
  })
}

/** The text has only letters, digits and dashes, which merchants usually allow in order ids. */
function toOrder(runId: string, { order }: Scenario): string {
  return `${EXAM_ORDER_PREFIX}${runId}-${order.replaceAll('_', '-')}`
}

function newIds(clock: Clock, about?: Ids): Ids {
  return {
    transactionId: about?.transactionId ?? newUuidV7(clock),
    disputeId: about?.disputeId ?? toDisputeId(newUuidV7(clock)),
    webhookId: newCallbackId(clock),
  }
}

function toEventFacts(
  clock: Clock,
  event: CallbackEventName,
  payment: CallbackFacts,
  { disputeId }: Ids,
): EventFacts {
  const { status: _status, ...common } = payment
  switch (event) {
    case 'payment.result':
      return payment
    case 'refund.result':
      return {
        ...common,
        refundStatus: 'succeeded',
        refundId: toRefundId(newUuidV7(clock)),
        refundedTotal: payment.amount,
      }
    case 'dispute.opened': {
      const respondBy = toDate(clock.nowMs() + RESPOND_WITHIN_MS).toISOString()
      return { ...common, event, disputeStatus: 'open', disputeId, respondBy }
    }
    case 'dispute.closed':
      return { ...common, event, disputeStatus: 'won', disputeId }
  }
}

/** Banks give a merchant a week or more to respond to a dispute. */
const RESPOND_WITHIN_MS = 7 * 24 * 60 * 60 * 1000

function buildRequest(
  clock: Clock,
  project: ExamProject,
  scenario: Scenario,
  ids: Ids,
  order: string,
): ExamRequest {
  const nowMs = clock.nowMs()
  const signedSec = toUnixSeconds(nowMs) - (scenario.ageSec ?? 0)
  const payment: CallbackFacts = {
    status: 'success',
    projectId: project.id,
    transactionId: ids.transactionId,
    amount: EXAM_AMOUNT,
    currency: project.currency,
    customId: order,
    mode: 'test',
    createdAt: toDate(nowMs).toISOString(),
    ...scenario.facts,
  }
  const facts = toEventFacts(clock, toExamEvent(scenario.name), payment, ids)
  const secret = scenario.signedBy === 'stranger' ? issueSecret('test') : project.testSecret
  const plain = buildCallback({ ...facts, mode: 'test' }, { secret, id: ids.webhookId, iatSec: signedSec })
  const { hash: _hash, ...fields } = JSON.parse(plain.body) as JsonObject
  // The exam also needs bodies that the SDK refuses to build. So the SDK builds a correct body, which is then changed and
  // signed here.
  const all: JsonObject = { ...fields, mode: payment.mode, ...scenario.extra }
  if (scenario.signedBy === 'nobody') return toUnsignedRequest(scenario, ids, order, signedSec, all)
  const hash = signJwt({ ...all, iat: signedSec, jti: ids.webhookId }, secret)
  const body = JSON.stringify({ ...all, hash })
  const headers = signWebhook({ id: ids.webhookId, timestampSec: signedSec, body, secret })
  const mac = headers['webhook-signature'].slice('v1,'.length)
  const signatures = [secret, hash, mac]
  const { name, expects } = scenario
  return { name, expects, order, headers: { ...CALLBACK_HEADERS, ...headers }, body, signatures }
}

/** Has neither the signature header nor the field `hash`, because a merchant may check only one of the two. */
function toUnsignedRequest(
  { name, expects }: Scenario,
  { webhookId }: Ids,
  order: string,
  signedSec: number,
  fields: JsonObject,
): ExamRequest {
  return {
    name,
    expects,
    order,
    headers: { ...CALLBACK_HEADERS, 'webhook-id': webhookId, 'webhook-timestamp': String(signedSec) },
    body: JSON.stringify(fields),
    signatures: [],
  }
}
