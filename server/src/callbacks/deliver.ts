// Sends one callback to one merchant: signs it, sends it once, and returns the outcome as a record for the log. A fault of
// ours gives a record too, so that no callback gets stuck.
import { hash } from 'node:crypto'
import { traceCall } from '../lib/trace-span.ts'
import { parseTraceparent, startTrace, toTraceparent } from '../lib/trace.ts'
import type { Trace } from '../lib/trace.ts'
import type { ClaimedCallback } from './claimed.ts'
import type { CallbackDeps } from './deps.ts'
import { findStoredTrace } from './event-facts.ts'
import { toExcerpt, toSafeText } from './excerpt.ts'
import type { FetchOutcome } from '../egress/fetch-outcome.ts'
import { ERROR_LENGTH_MAX } from '../egress/fetch-outcome.ts'
import { toInboxUrl } from '../projects/own-urls.ts'
import { IN_INBOX, isInboxOpen, LIVE_INBOX, receive } from './inbox.ts'
import type { AttemptRecord } from './record-store.ts'
import { planNext } from './retry.ts'
import { signRequest } from './sign-request.ts'

/** Logged in place of a URL when the callback went to the project's open event streams. */
export const LISTENERS = 'listeners'

/** Continues the trace of the request that caused the callback, also in another process. */
export function deliver(deps: CallbackDeps, claimed: ClaimedCallback): Promise<AttemptRecord> {
  const requestTrace = parseTraceparent(findStoredTrace(claimed.facts))
  return traceCall(deps, {
    name: `callback ${claimed.event}`,
    // The stored trace is that of the request. Each attempt is a child of it.
    parent: requestTrace && { ...startTrace(requestTrace, true), spanId: requestTrace.parentId },
    work: (trace) => deliverInTrace(deps, claimed, trace),
    toFacts: (ended) => {
      const record = 'value' in ended ? ended.value : null
      const attributes = {
        'pazar.webhook_id': claimed.id,
        'pazar.attempt': claimed.attempt,
        'pazar.outcome': record?.outcome ?? 'failed',
        'http.response.status_code': record?.statusCode ?? null,
      }
      return { isError: record?.outcome !== 'delivered', attributes }
    },
  })
}

async function deliverInTrace(
  deps: CallbackDeps,
  claimed: ClaimedCallback,
  trace: Trace | null,
): Promise<AttemptRecord> {
  const startedMs = performance.now()
  let record: AttemptRecord
  try {
    record = await attempt(deps, claimed, startedMs, trace)
  } catch (error) {
    deps.log.error({ err: error, callbackId: claimed.id }, 'a callback could not be sent')
    const durationMs = Math.round(performance.now() - startedMs)
    record = toRecord(deps, claimed, { ...OUR_FAULT, url: claimed.url ?? LISTENERS, startedMs, durationMs })
  }
  const { outcome, statusCode, durationMs } = record
  const { id: webhookId, projectId, event, facts, attempt: attemptNumber } = claimed
  const { transactionId } = facts
  deps.log.info(
    { webhookId, transactionId, projectId, event, attempt: attemptNumber, outcome, statusCode, durationMs },
    'callback attempted',
  )
  return record
}

function attempt(
  deps: CallbackDeps,
  claimed: ClaimedCallback,
  startedMs: number,
  trace: Trace | null,
): AttemptRecord | Promise<AttemptRecord> {
  const { url, projectId } = claimed
  if (url === null) return toRecord(deps, claimed, { ...HANDED_OVER, startedMs })
  if (url === toInboxUrl(deps.config.baseUrl, projectId)) return store(deps, claimed, url, startedMs)
  return send(deps, { claimed, url, startedMs, trace })
}

/** The record of an attempt for which `deliver` threw an error: the callback may have arrived. */
export function toAbandonedRecord(deps: CallbackDeps, claimed: ClaimedCallback): AttemptRecord {
  const url = claimed.url ?? LISTENERS
  return toRecord(deps, claimed, { ...OUR_FAULT, url, startedMs: performance.now() })
}

/** Stores what would be sent in the inbox of a project that has no server yet. */
async function store(
  deps: CallbackDeps,
  claimed: ClaimedCallback,
  url: string,
  startedMs: number,
): Promise<AttemptRecord> {
  if (!isInboxOpen(deps, claimed)) {
    const counts = countsForLane(claimed, 'blocked_address')
    return toRecord(deps, claimed, { ...NOT_FOR_INBOX, url, startedMs, counts })
  }
  const request = signRequest(deps, claimed)
  await receive(deps, claimed, request)
  return toRecord(deps, claimed, {
    ...STORED,
    url,
    startedMs,
    durationMs: Math.round(performance.now() - startedMs),
    bodySha256: hash('sha256', request.body),
    counts: countsForLane(claimed, 'delivered'),
  })
}

interface SendOptions {
  claimed: ClaimedCallback
  url: string
  startedMs: number
  trace: Trace | null
}

async function send(
  deps: CallbackDeps,
  { claimed, url, startedMs, trace }: SendOptions,
): Promise<AttemptRecord> {
  const request = signRequest(deps, claimed)
  const body = Buffer.from(request.body)
  const headers = trace ? { ...request.headers, traceparent: toTraceparent(trace) } : request.headers
  const response = await deps.publicFetch.post(url, headers, body)
  if (response.isProxyFault) {
    deps.log.warn({ callbackId: claimed.id, error: response.error }, 'the egress proxy failed')
    return toRecord(deps, claimed, { ...PROXY_FAILED, url, startedMs, durationMs: response.durationMs })
  }
  if (response.outcome === 'delivered') deps.responseCounter.count(claimed, response.durationMs)
  return toRecord(deps, claimed, {
    url,
    startedMs,
    durationMs: response.durationMs,
    outcome: response.outcome,
    statusCode: response.statusCode,
    retryAfter: response.retryAfter,
    isProxyFault: false,
    remoteIp: response.remoteIp,
    error: toErrorText(response, request.signatures),
    excerpt: toExcerpt(
      { bytes: response.responseBody, isWhole: response.bodyEnd === 'whole' },
      request.signatures,
    ),
    bodySha256: hash('sha256', body),
    counts: countsForLane(claimed, response.outcome),
  })
}

/**
 * A server that refuses callbacks about refunds must still get those about payments, so only results of payments count for
 * the health of the lane. An accepted probe proves that the server is back, whatever event it was about.
 */
function countsForLane(
  { trigger, event, isProbe }: ClaimedCallback,
  outcome: FetchOutcome['outcome'],
): boolean {
  if (trigger !== 'auto' && trigger !== 'manual') return false
  return event === 'payment.result' || (isProbe && outcome === 'delivered')
}

/** Why the response is an error. For a redirect this is its target, which is never fetched. */
function toErrorText(response: FetchOutcome, signatures: readonly string[]): string | null {
  const text =
    response.error ?? (response.outcome === 'redirect' ? response.location : BODY_TEXT[response.bodyEnd])
  return text === null ? null : toSafeText(text, ERROR_LENGTH_MAX, signatures)
}

const BODY_TEXT: Record<FetchOutcome['bodyEnd'], string | null> = {
  whole: null,
  late: 'the body of the answer did not end in time',
  broken: 'the body of the answer broke off',
  // No error: the status decides, and the rest of the body is not read.
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
> & { retryAfter: string | null; isProxyFault: boolean }

/** The facts of an attempt without an HTTP request. The constants below add the outcome. */
const NOTHING_SENT = {
  durationMs: 0,
  statusCode: null,
  retryAfter: null,
  isProxyFault: false,
  remoteIp: null,
  error: null,
  excerpt: null,
  bodySha256: null,
  counts: false,
}
const HANDED_OVER = { ...NOTHING_SENT, url: LISTENERS, outcome: 'delivered' } as const
const STORED = { ...NOTHING_SENT, outcome: 'delivered', error: IN_INBOX } as const
const NOT_FOR_INBOX = { ...NOTHING_SENT, outcome: 'blocked_address', error: LIVE_INBOX } as const
const OUR_FAULT = { ...NOTHING_SENT, outcome: 'interrupted', error: 'internal error' } as const
/** A fault of the egress proxy concerns its operator and does not count against the merchant. */
const PROXY_FAILED = { ...OUR_FAULT, error: 'the egress proxy failed', isProxyFault: true } as const

function toRecord(deps: CallbackDeps, claimed: ClaimedCallback, facts: Facts): AttemptRecord {
  const next = planNext(claimed, facts, deps.clock.nowMs(), Math.random())
  const { projectId, mode, id, attempt: attemptNumber, trigger, claim, isProbe, secretVersion } = claimed
  // Only one spread, because each costs much more than naming the fields, and this runs for every callback.
  return {
    ...facts,
    projectId,
    mode,
    id,
    attempt: attemptNumber,
    trigger,
    claim,
    isProbe,
    secretVersion,
    next,
  }
}
