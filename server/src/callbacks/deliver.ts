// Sends one callback once and returns the outcome as a record. An internal error is returned as a record too, so that no
// callback gets stuck.
import { hash } from 'node:crypto'
import { traceCall } from '../lib/trace-span.ts'
import { parseTraceparent, startTrace, toTraceparent } from '../lib/trace.ts'
import type { Trace } from '../lib/trace.ts'
import type { OutgoingCallback } from './outgoing-callback.ts'
import type { CallbackDeps } from './deps.ts'
import { findStoredTrace } from './event-facts.ts'
import { toExcerpt, toSafeText } from './excerpt.ts'
import type { FetchOutcome } from '../egress/fetch-outcome.ts'
import { EGRESS_FAILED_TEXT, ERROR_LENGTH_MAX } from '../egress/fetch-outcome.ts'
import { toInboxUrl } from '../projects/own-urls.ts'
import { IN_INBOX, isInboxOpen, LIVE_INBOX, receive } from './inbox.ts'
import type { AttemptRecord } from './record-store.ts'
import { planNext } from './retry.ts'
import { signRequest } from './sign-request.ts'

/** Recorded in place of the URL if the callback went to the project's open event streams. */
export const LISTENERS = 'listeners'

/** Continues the trace of the request that caused the callback, even in another process. */
export function deliver(deps: CallbackDeps, callback: OutgoingCallback): Promise<AttemptRecord> {
  const requestTrace = parseTraceparent(findStoredTrace(callback.facts))
  return traceCall(deps, {
    name: `callback ${callback.event}`,
    parent: requestTrace && { ...startTrace(requestTrace, true), spanId: requestTrace.parentId },
    work: (trace) => deliverInTrace(deps, callback, trace),
    toFacts: (ended) => {
      const record = 'value' in ended ? ended.value : null
      const attributes = {
        'pazar.webhook_id': callback.id,
        'pazar.attempt': callback.attempt,
        'pazar.outcome': record?.outcome ?? 'failed',
        'http.response.status_code': record?.statusCode ?? null,
      }
      return { isError: record?.outcome !== 'delivered', attributes }
    },
  })
}

async function deliverInTrace(
  deps: CallbackDeps,
  callback: OutgoingCallback,
  trace: Trace | null,
): Promise<AttemptRecord> {
  const startedMs = performance.now()
  let record: AttemptRecord
  try {
    record = await makeAttempt(deps, callback, startedMs, trace)
  } catch (error) {
    deps.log.error({ err: error, callbackId: callback.id }, 'a callback could not be sent')
    const durationMs = Math.round(performance.now() - startedMs)
    record = toRecord(deps, callback, { ...OUR_FAULT, url: callback.url ?? LISTENERS, startedMs, durationMs })
  }
  const { outcome, statusCode, durationMs } = record
  const { id: webhookId, projectId, event, facts, attempt: attemptNumber } = callback
  const { transactionId } = facts
  deps.log.info(
    { webhookId, transactionId, projectId, event, attempt: attemptNumber, outcome, statusCode, durationMs },
    'callback attempted',
  )
  return record
}

function makeAttempt(
  deps: CallbackDeps,
  callback: OutgoingCallback,
  startedMs: number,
  trace: Trace | null,
): AttemptRecord | Promise<AttemptRecord> {
  const { url, projectId } = callback
  if (url === null) {
    const counts = countsForLane(callback, 'delivered')
    return toRecord(deps, callback, { ...HANDED_OVER, startedMs, counts })
  }
  if (url === toInboxUrl(deps.config.baseUrl, projectId)) return storeInInbox(deps, callback, url, startedMs)
  return sendToMerchant(deps, { callback, url, startedMs, trace })
}

/** The record of an attempt in which `deliver` threw an error. The callback may have arrived. */
export function toAbandonedRecord(deps: CallbackDeps, callback: OutgoingCallback): AttemptRecord {
  const url = callback.url ?? LISTENERS
  return toRecord(deps, callback, { ...OUR_FAULT, url, startedMs: performance.now() })
}

async function storeInInbox(
  deps: CallbackDeps,
  callback: OutgoingCallback,
  url: string,
  startedMs: number,
): Promise<AttemptRecord> {
  if (!isInboxOpen(deps, callback)) {
    const counts = countsForLane(callback, 'blocked_address')
    return toRecord(deps, callback, { ...NOT_FOR_INBOX, url, startedMs, counts })
  }
  const request = signRequest(deps, callback)
  await receive(deps, callback, request)
  return toRecord(deps, callback, {
    ...STORED,
    url,
    startedMs,
    durationMs: Math.round(performance.now() - startedMs),
    bodySha256: hash('sha256', request.body),
    counts: countsForLane(callback, 'delivered'),
  })
}

interface SendOptions {
  callback: OutgoingCallback
  url: string
  startedMs: number
  trace: Trace | null
}

async function sendToMerchant(
  deps: CallbackDeps,
  { callback, url, startedMs, trace }: SendOptions,
): Promise<AttemptRecord> {
  const request = signRequest(deps, callback)
  const body = Buffer.from(request.body)
  const headers = trace ? { ...request.headers, traceparent: toTraceparent(trace) } : request.headers
  const response = await deps.publicFetch.post(url, headers, body)
  if (response.isEgressFault) {
    deps.log.warn({ callbackId: callback.id, error: response.error }, EGRESS_FAILED_TEXT)
    return toRecord(deps, callback, { ...EGRESS_FAILED, url, startedMs, durationMs: response.durationMs })
  }
  if (response.outcome === 'delivered') deps.responseCounter.count(callback, response.durationMs)
  return toRecord(deps, callback, {
    url,
    startedMs,
    durationMs: response.durationMs,
    outcome: response.outcome,
    statusCode: response.statusCode,
    retryAfter: response.retryAfter,
    isEgressFault: false,
    remoteIp: response.remoteIp,
    error: toErrorText(response, request.signatures),
    excerpt: toExcerpt(
      { bytes: response.responseBody, isWhole: response.bodyEnd === 'whole' },
      request.signatures,
    ),
    bodySha256: hash('sha256', body),
    counts: countsForLane(callback, response.outcome),
  })
}

/**
 * Whether the attempt counts for the health of its lane. A server that refuses callbacks about refunds must still get
 * callbacks about payments, so only results of payments count. A probe that the server accepts counts for any event, because
 * it shows that the server is back. Test and exam callbacks never count.
 */
function countsForLane(
  { trigger, event, isProbe }: OutgoingCallback,
  outcome: FetchOutcome['outcome'],
): boolean {
  if (trigger !== 'auto' && trigger !== 'manual') return false
  return event === 'payment.result' || (isProbe && outcome === 'delivered')
}

/** For a redirect without another error, the text is the target of the redirect. */
function toErrorText(response: FetchOutcome, signatures: readonly string[]): string | null {
  const text =
    response.error ?? (response.outcome === 'redirect' ? response.location : BODY_TEXT[response.bodyEnd])
  return text === null ? null : toSafeText(text, ERROR_LENGTH_MAX, signatures)
}

const BODY_TEXT: Record<FetchOutcome['bodyEnd'], string | null> = {
  whole: null,
  late: 'the body of the answer did not end in time',
  broken: 'the body of the answer broke off',
  // The outcome depends only on the status, so the rest of the body is not read.
  too_long: null,
}

type Facts = Pick<
  AttemptRecord,
  | 'url'
  | 'startedMs'
  | 'durationMs'
  | 'outcome'
  | 'statusCode'
  | 'remoteIp'
  | 'error'
  | 'excerpt'
  | 'bodySha256'
  | 'counts'
> & { retryAfter: string | null; isEgressFault: boolean }

/** An attempt without a response from a merchant's server. The constants below add the outcome. */
const NO_RESPONSE = {
  durationMs: 0,
  statusCode: null,
  retryAfter: null,
  isEgressFault: false,
  remoteIp: null,
  error: null,
  excerpt: null,
  bodySha256: null,
  counts: false,
}
const HANDED_OVER = { ...NO_RESPONSE, url: LISTENERS, outcome: 'delivered' } as const
const STORED = { ...NO_RESPONSE, outcome: 'delivered', error: IN_INBOX } as const
const NOT_FOR_INBOX = { ...NO_RESPONSE, outcome: 'blocked_address', error: LIVE_INBOX } as const
const OUR_FAULT = { ...NO_RESPONSE, outcome: 'interrupted', error: 'internal error' } as const
/** A fault of our egress does not count against the merchant. */
const EGRESS_FAILED = { ...OUR_FAULT, error: EGRESS_FAILED_TEXT, isEgressFault: true } as const

function toRecord(deps: CallbackDeps, callback: OutgoingCallback, facts: Facts): AttemptRecord {
  const next = planNext(callback, facts, deps.clock.nowMs(), Math.random())
  // Only one spread, because a spread costs much more than naming the fields, and this code runs for every callback.
  return {
    ...facts,
    projectId: callback.projectId,
    mode: callback.mode,
    id: callback.id,
    attempt: callback.attempt,
    trigger: callback.trigger,
    claim: callback.claim,
    isNew: callback.isNew,
    isProbe: callback.isProbe,
    secretVersion: callback.secretVersion,
    next,
  }
}
