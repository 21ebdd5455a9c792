// An upstream reached over HTTP (docs/upstream.md). Every request is signed. After a failed call, either the request was
// certainly not sent, or its outcome is unknown.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signWebhook, verifyWebhook } from '@pazar/sdk'
import { request } from 'undici'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import type { Clock } from '../lib/clock.ts'
import { toUnixSeconds } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { findTrace, toTraceHeaders } from '../lib/trace.ts'
import type { Backend, Charge, NewCharge, WebhookMessage, WebhookResult } from './backend.ts'
import { GarbledResponseError, NeverSentError, toStatusFault, UnknownOutcomeError } from './backend.ts'
import type { UpstreamInfo } from './http-terms.ts'
import { createTermsCheck, parseInfo } from './http-terms.ts'
import type { UpstreamResponse, SignedCall } from './http-call.ts'
import { createHttpRefunds } from './http-refunds.ts'
import { createHttpDisputes } from './http-disputes.ts'
import { createHttpLists } from './http-lists.ts'
import { parseUpstreamWebhook } from './http-webhook.ts'
import { parseUpstreamPayment } from './http-wire.ts'
import { toMetadata } from './metadata.ts'
import { createUpstreamAgent, RATE_LIMIT_RETRY, readResponse, retryClosed } from './upstream-agent.ts'

/** A card network may take seconds. A later lookup finds the outcome of a slower call. */
const CALL_TIMEOUT_MS = 10_000
/** Short, because the start of the service waits for the response. */
const INFO_TIMEOUT_MS = 3_000
const RESPONSE_BYTES_MAX = 64 * 1024
/** The tolerance of the reference libraries of Standard Webhooks. */
const WEBHOOK_TOLERANCE_SEC = 300

/** An ordinary server handles this many lookups in addition to the requests of payers. */
const QUOTA = { perSec: 20, burst: 16, waitingPerSec: 5, waitingBurst: 8 }

export interface HttpBackendOptions {
  url: string
  secret: string
  /** While the secret is being replaced, webhooks that are signed with the previous secret are accepted too. */
  secretPrevious?: string | null
  clock: Clock
  /** The currency and scale that the upstream must have; absent: they are not checked. */
  terms?: { money: CurrencyAndScale; log: Logger }
  accounts?: Backend['accounts']
  callTimeoutMs?: number
}

function toBody(charge: NewCharge): string {
  return JSON.stringify({
    id: charge.id,
    amount: charge.amount.toString(),
    currency: charge.currency,
    scale: charge.scale,
    projectId: charge.projectId,
    ...(charge.customId === null ? {} : { customId: charge.customId }),
    ...(charge.data === null ? {} : { data: charge.data }),
    returnUrl: charge.returnUrl,
    metadata: {
      ...toMetadata(charge, charge.origin?.installationId ?? ''),
      ...(charge.merchantName ? { pazar_merchant: charge.merchantName } : {}),
    },
  })
}

// Why this is long: short functions that share one secret and one connection pool.
export function createHttpBackend(options: HttpBackendOptions): Backend {
  const { url, secret, secretPrevious = null, clock, callTimeoutMs = CALL_TIMEOUT_MS } = options
  const dispatcher = createUpstreamAgent()

  async function callUpstream({
    verb,
    id,
    path,
    body,
    timeoutMs,
    bytesMax = RESPONSE_BYTES_MAX,
  }: SignedCall): Promise<UpstreamResponse> {
    const signal = AbortSignal.timeout(timeoutMs)
    async function sendRequest(): Promise<UpstreamResponse> {
      const signed = signWebhook({
        id: `${verb}_${id}_${randomBytes(8).toString('hex')}`,
        timestampSec: toUnixSeconds(clock.nowMs()),
        body: body ?? '',
        secret,
      })
      const response = await request(`${url}${path}`, {
        method: body === null ? 'GET' : 'POST',
        headers: {
          ...signed,
          ...toTraceHeaders(findTrace()),
          accept: 'application/json',
          'accept-encoding': 'identity',
          'idempotency-key': id,
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body,
        dispatcher,
        signal,
      })
      return { status: response.statusCode, bytes: await readResponse(response.body, bytesMax) }
    }
    try {
      return await (body === null ? retryClosed(sendRequest) : sendRequest())
    } catch (error) {
      if (error instanceof NeverSentError || error instanceof UnknownOutcomeError) throw error
      throw new UnknownOutcomeError('the upstream did not respond', { cause: error })
    }
  }

  function requirePayment({ status, bytes }: UpstreamResponse): Charge {
    const payment = parseUpstreamPayment(bytes)
    const isSuccess = status >= 200 && status < 300
    if (payment && (isSuccess || (status >= 400 && status < 500))) return payment
    const Fault = isSuccess ? GarbledResponseError : UnknownOutcomeError
    throw new Fault(`the upstream responded ${status} without a valid payment`, {
      fault: toStatusFault(status),
    })
  }

  function readWebhook({ rawBody, headers }: WebhookMessage): WebhookResult {
    const nowSec = toUnixSeconds(clock.nowMs())
    const secrets = secretPrevious === null ? [secret] : [secret, secretPrevious]
    const verdicts = secrets.map((one) =>
      verifyWebhook(rawBody, headers, { secret: one, nowSec, toleranceSec: WEBHOOK_TOLERANCE_SEC }),
    )
    const refusal = verdicts.some((one) => one.ok) ? null : verdicts[0]
    if (refusal && !refusal.ok) return { kind: 'forged', reason: refusal.reason }
    return parseUpstreamWebhook(rawBody)
  }

  let lastInfo: UpstreamInfo | null = null

  async function fetchInfo(): Promise<UpstreamInfo | null> {
    const { status, bytes } = await callUpstream({
      verb: 'info',
      id: 'terms',
      path: '/info',
      body: null,
      timeoutMs: Math.min(callTimeoutMs, INFO_TIMEOUT_MS),
    })
    const info = status === 200 ? parseInfo(bytes) : null
    if (!info && status !== 404) throw new UnknownOutcomeError(`the upstream responded ${status} to /info`)
    // After a 404, the last known info stays in use, because the 404 may come from a proxy while the upstream is down.
    lastInfo = info ?? lastInfo
    return lastInfo
  }

  const terms = options.terms && createTermsCheck({ ...options.terms, fetchInfo, clock })

  return {
    name: 'http',
    accounts: options.accounts ?? [url, null],
    quota: QUOTA,
    refunds: createHttpRefunds({ call: callUpstream, fetchInfo, clock, timeoutMs: callTimeoutMs }),
    disputes: createHttpDisputes({ call: callUpstream, fetchInfo, timeoutMs: callTimeoutMs }),
    lists: createHttpLists({ call: callUpstream, fetchInfo, timeoutMs: callTimeoutMs }),
    async create(charge) {
      const problem = await terms?.findProblemBeforePayment()
      if (problem) throw new NeverSentError(problem)
      const create = { verb: 'create', id: charge.id, path: '/payments', body: toBody(charge) } as const
      const response = await callUpstream({ ...create, timeoutMs: callTimeoutMs })
      if (response.status !== 429 || parseUpstreamPayment(response.bytes)) return requirePayment(response)
      await sleep(RATE_LIMIT_RETRY.pauseMs)
      return requirePayment(await callUpstream({ ...create, timeoutMs: RATE_LIMIT_RETRY.timeoutMs }))
    },
    async find(id, { timeoutMs = callTimeoutMs } = {}) {
      const response = await callUpstream({
        verb: 'find',
        id,
        path: `/payments/${id}`,
        body: null,
        timeoutMs,
      })
      return response.status === 404 ? null : requirePayment(response)
    },
    async cancel(id) {
      const body = JSON.stringify({ id })
      const path = `/payments/${id}/cancel`
      return requirePayment(await callUpstream({ verb: 'cancel', id, path, body, timeoutMs: callTimeoutMs }))
    },
    ...(terms && {
      findTermsProblem: () => terms.findProblem(),
      describeSteps: () => {
        // Requests /info again if that is due, so that later pages can name the payment methods even if the upstream did not
        // respond at the start.
        void terms.findProblem()
        return { pageName: null, methods: terms.listMethods() }
      },
    }),
    readWebhook,
  }
}
