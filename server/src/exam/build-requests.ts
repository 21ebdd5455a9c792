// The exam's requests, signed with the project's test secret by the code that signs real callbacks. The live secret is
// never read here: the request with mode "live" is signed with the test secret too, and a merchant must notice that.
import { randomBytes } from 'node:crypto'
import type { ExamRequestName } from '@pazar/contract'
import { EXAM_AMOUNT, EXAM_ORDER_PREFIX } from '@pazar/contract'
import { buildCallback, signJwt, signWebhook } from '@pazar/sdk'
import type { CallbackFacts, JsonObject } from '@pazar/sdk'
import { CALLBACK_HEADERS } from '../callbacks/sign-request.ts'
import { toDate, toUnixSeconds } from '../lib/clock.ts'
import type { Clock } from '../lib/clock.ts'
import { newCallbackId, newUuidV7 } from '../lib/id.ts'
import { issueSecret } from '../secrets/issue.ts'
import { SCENARIOS } from './scenarios.ts'
import type { Scenario } from './scenarios.ts'

export interface ExamRequest extends Pick<Scenario, 'name' | 'expects'> {
  /** The customId, by which merchants find the order in their system. */
  order: string
  headers: Record<string, string>
  body: string
  /** Texts that must not be shown when a merchant's server echoes the request. */
  signatures: string[]
}

export interface ExamProject {
  id: string
  testSecret: string
  currency: string
}

interface Ids {
  transactionId: string
  webhookId: string
}

export function buildRequests(clock: Clock, project: ExamProject): ExamRequest[] {
  const run = randomBytes(4).toString('hex')
  const ids = new Map<ExamRequestName, Ids>()
  return SCENARIOS.map((scenario) => {
    const own = ids.get(scenario.repeats ?? scenario.name) ?? newIds(clock)
    ids.set(scenario.name, own)
    return build(clock, project, scenario, own, toOrder(run, scenario))
  })
}

/** Letters, digits and dashes only: every merchant's order ids allow these. */
function toOrder(run: string, { order }: Scenario): string {
  return `${EXAM_ORDER_PREFIX}${run}-${order.replaceAll('_', '-')}`
}

function newIds(clock: Clock): Ids {
  return { transactionId: newUuidV7(clock), webhookId: newCallbackId(clock) }
}

function build(clock: Clock, project: ExamProject, scenario: Scenario, ids: Ids, order: string): ExamRequest {
  const nowMs = clock.nowMs()
  const signedSec = toUnixSeconds(nowMs) - (scenario.ageSec ?? 0)
  const { mode, ...facts }: CallbackFacts = {
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
  const secret = scenario.signedBy === 'stranger' ? issueSecret('test') : project.testSecret
  const plain = buildCallback({ ...facts, mode: 'test' }, { secret, id: ids.webhookId, iatSec: signedSec })
  const { hash: _hash, ...fields } = JSON.parse(plain.body) as JsonObject
  // The SDK refuses to sign such bodies, so this one is changed afterwards and signed here.
  const all: JsonObject = { ...fields, mode, ...scenario.extra }
  if (scenario.signedBy === 'nobody') return toUnsigned(scenario, ids, order, signedSec, all)
  const hash = signJwt({ ...all, iat: signedSec, jti: ids.webhookId }, secret)
  const body = JSON.stringify({ ...all, hash })
  const headers = signWebhook({ id: ids.webhookId, timestampSec: signedSec, body, secret })
  const mac = headers['webhook-signature'].slice('v1,'.length)
  const signatures = [secret, hash, mac]
  const { name, expects } = scenario
  return { name, expects, order, headers: { ...CALLBACK_HEADERS, ...headers }, body, signatures }
}

/** Without the header and without the hash: a merchant may check either of them. */
function toUnsigned(
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
