// Finds why a merchant's server refuses a callback. The rules are pure; verify-signature.ts adds the texts.
import { CALLBACK_EVENTS } from '@pazar/contract'
import type { Mode, SignatureProblem } from '@pazar/contract'
import {
  safeVerifyCallback,
  WEBHOOK_ID_PATTERN,
  WEBHOOK_TIMESTAMP_PATTERN,
  WEBHOOK_TOLERANCE_SEC,
} from '@pazar/sdk'
import type { CallbackRefusal, JsonObject } from '@pazar/sdk'
import { findMatch } from './find-match.ts'
import type { Match } from './find-match.ts'
import { findObject, findSignedFacts } from './read-hash.ts'
import type { KnownSecret, SignedFacts } from './read-hash.ts'
import { readSignatures } from './read-signatures.ts'
import { findEvent, findWrongFields } from './wrong-fields.ts'

const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

export interface PastedRequest {
  headers: Readonly<Record<string, string | readonly string[]>>
  body: string
  mode: Mode
}

export interface ProblemFacts {
  code: SignatureProblem
  header?: string
  ageSec?: number
  signedWith?: Mode
  fields?: string[]
  event?: string
}

export interface ProjectFacts {
  projectId: string
  secrets: Readonly<Record<Mode, string>>
  nowSec: number
}

type HeaderValues = Record<(typeof SIGNED_HEADERS)[number], string>

/** Returns an empty list if a correct server accepts the request now. */
export async function findProblems(request: PastedRequest, facts: ProjectFacts): Promise<ProblemFacts[]> {
  const { values, problems } = readHeaders(request.headers)
  if (request.body.trim() === '') problems.push({ code: 'body_empty' })
  if (values === null || problems.length > 0) return problems

  const secrets = toSecrets(request.mode, facts)
  const object = findObject(request.body)
  const signed = object && findSignedFacts(object['hash'], secrets, facts.nowSec)
  const readings = readSignatures(values['webhook-signature'])
  if (readings.length === 0) return [{ code: 'signature_unreadable' }]
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = values
  const match = findMatch({ id, timestamp, body: request.body, readings }, signed, secrets)
  if (match === null) return explainNoMatch(object, signed, request.mode)
  return [
    ...explainSecret(match.secret, request.mode),
    ...match.problems.map((code) => explainMatch(code, object, signed)),
    ...(await explainOtherProblems(request, values, match, facts)),
  ]
}

function readHeaders(headers: PastedRequest['headers']): {
  values: HeaderValues | null
  problems: ProblemFacts[]
} {
  const problems: ProblemFacts[] = []
  const found = SIGNED_HEADERS.map((header) => {
    const given = Object.entries(headers).filter(([name]) => name.trim().toLowerCase() === header)
    const values = given.flatMap(([, value]) => value).map((value) => value.trim())
    if (values.length > 1) problems.push({ code: 'repeated_header', header })
    else if (!values[0]) problems.push({ code: 'missing_header', header })
    return values[0] ?? ''
  })
  const [id = '', timestamp = '', signature = ''] = found
  if (id !== '' && !WEBHOOK_ID_PATTERN.test(id)) problems.push({ code: 'id_unreadable' })
  if (/^\d{13}$/.test(timestamp)) problems.push({ code: 'timestamp_milliseconds' })
  else if (timestamp !== '' && !WEBHOOK_TIMESTAMP_PATTERN.test(timestamp))
    problems.push({ code: 'timestamp_unreadable' })
  const values = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  return { values: problems.length > 0 ? null : values, problems }
}

/** The correct secret comes first, then the secrets that merchants use by mistake. */
function toSecrets(mode: Mode, { secrets }: ProjectFacts): KnownSecret[] {
  const modes = mode === 'live' ? (['live', 'test'] as const) : (['test', 'live'] as const)
  const removePrefix = (text: string) => text.replace(/^sk_(?:live|test)_/, '')
  return [
    ...modes.map((one) => ({ mode: one, text: secrets[one], isCut: false })),
    ...modes.map((one) => ({ mode: one, text: removePrefix(secrets[one]), isCut: true })),
  ]
}

function explainSecret({ mode, isCut }: KnownSecret, requested: Mode): ProblemFacts[] {
  const problems: ProblemFacts[] = []
  if (isCut) problems.push({ code: 'secret_without_prefix' })
  if (mode !== requested) problems.push({ code: 'wrong_mode', signedWith: mode })
  return problems
}

function explainNoMatch(
  object: JsonObject | null,
  signed: SignedFacts | null,
  requested: Mode,
): ProblemFacts[] {
  if (object === null) return [{ code: 'body_not_json' }]
  if (signed === null) {
    return 'hash' in object
      ? [{ code: 'wrong_secret' }]
      : [{ code: 'hash_missing' }, { code: 'wrong_secret' }]
  }
  return [...explainSecret(signed.secret, requested), { code: 'signature_of_another' }]
}

/** The field names come from the request, so only a few are shown, and long names are cut. */
const FIELDS_SHOWN_MAX = 5
const FIELD_LENGTH_MAX = 40

function explainMatch(
  code: SignatureProblem,
  object: JsonObject | null,
  signed: SignedFacts | null,
): ProblemFacts {
  if (code !== 'body_rewritten' || object === null || signed === null) return { code }
  const names = [...new Set([...Object.keys(signed.fields), ...Object.keys(object)])]
  const changed = names.filter((name) => JSON.stringify(signed.fields[name]) !== JSON.stringify(object[name]))
  if (changed.length === 0) return { code }
  const fields = changed.slice(0, FIELDS_SHOWN_MAX).map((name) => name.slice(0, FIELD_LENGTH_MAX))
  return { code: 'body_changed', fields }
}

async function explainOtherProblems(
  request: PastedRequest,
  values: HeaderValues,
  { reading, secret, problems }: Match,
  facts: ProjectFacts,
): Promise<ProblemFacts[]> {
  const signedSec = Number(values['webhook-timestamp'])
  const timeProblems = explainTime(facts.nowSec - signedSec)
  // If the id, the time or the body is not the one that was signed, the caller explains that. The SDK would refuse the
  // request for the same reason and find nothing more. A request that is signed with part of a secret cannot be checked
  // further.
  if (problems.some((code) => !reading.problems.includes(code)) || secret.isCut) return timeProblems
  const verified = await safeVerifyCallback(
    request.body,
    { ...values, 'webhook-signature': reading.header },
    {
      secret: facts.secrets[secret.mode],
      projectId: facts.projectId,
      nowSec: signedSec,
      // The debugger accepts all events, even those that the project does not receive.
      events: CALLBACK_EVENTS,
      // Only the merchant knows the price of the order.
      expectedAmount: ({ amount }) => amount,
    },
  )
  return verified.ok
    ? timeProblems
    : [...timeProblems, explainRefusal(verified.reason, request.body, secret, facts.nowSec)]
}

function explainTime(ageSec: number): ProblemFacts[] {
  if (ageSec > WEBHOOK_TOLERANCE_SEC) return [{ code: 'timestamp_stale', ageSec }]
  if (ageSec < -WEBHOOK_TOLERANCE_SEC) return [{ code: 'timestamp_early', ageSec: -ageSec }]
  return []
}

function explainRefusal(
  reason: CallbackRefusal,
  body: string,
  secret: KnownSecret,
  nowSec: number,
): ProblemFacts {
  if (reason === 'wrong_project') return { code: 'wrong_project' }
  if (reason === 'wrong_mode') return { code: 'wrong_label', signedWith: secret.mode }
  const object = findObject(body)
  if (object === null) return { code: 'body_not_json' }
  if (!('hash' in object)) return { code: 'hash_missing' }
  if (reason === 'malformed') return explainMalformed(object)
  const isOwnHash = findSignedFacts(object['hash'], [secret], nowSec) !== null
  return { code: isOwnHash ? 'hash_of_another_body' : 'hash_changed' }
}

function explainMalformed(object: JsonObject): ProblemFacts {
  const { event: namedEvent } = object
  const event = findEvent(object)
  if (event !== null) return { code: 'event_fields', event, fields: findWrongFields(event, object) }
  if (typeof namedEvent !== 'string' || namedEvent === '') return { code: 'not_a_callback' }
  return { code: 'event_unknown', event: namedEvent.slice(0, FIELD_LENGTH_MAX) }
}
