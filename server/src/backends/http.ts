// An upstream on the other end of HTTP (docs/upstream.md). Every request is signed and carries the payment's id as its
// idempotency key; an answer is believed only if it is a well-formed payment. What went wrong is told as one of two
// things: certainly not sent, or unknown.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signWebhook, verifyWebhook } from '@pazar/sdk'
import { request } from 'undici'
import type { Money } from '../db/installation-store.ts'
import type { Clock } from '../lib/clock.ts'
import { toUnixSeconds } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Backend, Charge, NewCharge, WebhookMessage, WebhookWord } from './backend.ts'
import { GarbledAnswerError, NeverSentError, toStatusFault, UnknownOutcomeError } from './backend.ts'
import type { UpstreamInfo } from './http-terms.ts'
import { createTermsCheck, parseInfo } from './http-terms.ts'
import { parseUpstreamPayment } from './http-wire.ts'
import { createUpstreamAgent, LIMITED_RETRY, readAnswer } from './upstream-agent.ts'

/** The whole call. A card network may take seconds; a payer does not wait longer, and the reconciler asks afterwards. */
const CALL_TIMEOUT_MS = 10_000
/** The start waits for it. */
const INFO_TIMEOUT_MS = 3_000
/** A payment is a few hundred bytes. */
const ANSWER_BYTES_MAX = 64 * 1024
/** As long as the reference libraries take: a slow network and a clock that is a little off, not a recording. */
const WEBHOOK_TOLERANCE_SEC = 300

/** An adapter of the operator's own: what an ordinary server does beside its payers. */
const QUOTA = { perSec: 20, burst: 16, waitingPerSec: 5, waitingBurst: 8 }

export interface HttpBackendOptions {
  url: string
  secret: string
  /** Accepted on webhooks too, while the secret is being replaced. */
  secretPrevious?: string | null
  clock: Clock
  /** What it must count in, if it says; without them it is not asked. */
  terms?: { money: Money; log: Logger }
  /** As in Backend; without it the address alone. */
  accounts?: Backend['accounts']
  /** Shorter in tests that wait for it. */
  callTimeoutMs?: number
}

type Verb = 'create' | 'find' | 'cancel' | 'info'

interface Answer {
  status: number
  bytes: Buffer
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
  })
}

export function createHttpBackend(options: HttpBackendOptions): Backend {
  const { url, secret, secretPrevious = null, clock, callTimeoutMs = CALL_TIMEOUT_MS } = options
  const dispatcher = createUpstreamAgent()

  async function call(verb: Verb, id: string, body: string | null, timeoutMs: number): Promise<Answer> {
    const paths = { create: '/payments', find: `/payments/${id}`, cancel: `/payments/${id}/cancel` }
    const path = { ...paths, info: '/info' }[verb]
    // The signature covers this id and the body, not the path: naming verb and payment here binds those as well.
    const signed = signWebhook({
      id: `${verb}_${id}_${randomBytes(8).toString('hex')}`,
      timestampSec: toUnixSeconds(clock.nowMs()),
      body: body ?? '',
      secret,
    })
    try {
      const response = await request(`${url}${path}`, {
        method: body === null ? 'GET' : 'POST',
        headers: {
          ...signed,
          accept: 'application/json',
          'accept-encoding': 'identity',
          'idempotency-key': id,
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { status: response.statusCode, bytes: await readAnswer(response.body, ANSWER_BYTES_MAX) }
    } catch (error) {
      if (error instanceof NeverSentError || error instanceof UnknownOutcomeError) throw error
      throw new UnknownOutcomeError('the upstream did not answer', { cause: error })
    }
  }

  /** A proxy's page, a redirect, a fault: whatever is not a payment from the upstream itself says nothing about money. */
  function requirePayment({ status, bytes }: Answer): Charge {
    const payment = parseUpstreamPayment(bytes)
    const isSuccess = status >= 200 && status < 300
    if (payment && (isSuccess || (status >= 400 && status < 500))) return payment
    const Fault = isSuccess ? GarbledAnswerError : UnknownOutcomeError
    throw new Fault(`the upstream answered ${status} without a payment to believe`, {
      fault: toStatusFault(status),
    })
  }

  function readWebhook({ rawBody, headers }: WebhookMessage): WebhookWord {
    const nowSec = toUnixSeconds(clock.nowMs())
    const secrets = secretPrevious === null ? [secret] : [secret, secretPrevious]
    const verdicts = secrets.map((one) =>
      verifyWebhook(rawBody, headers, { secret: one, nowSec, toleranceSec: WEBHOOK_TOLERANCE_SEC }),
    )
    const refusal = verdicts.some((one) => one.ok) ? null : verdicts[0]
    if (refusal && !refusal.ok) return { kind: 'forged', reason: refusal.reason }
    const charge = parseUpstreamPayment(rawBody)
    return charge ? { kind: 'said', charge } : { kind: 'unusable', reason: 'no payment' }
  }

  async function askInfo(): Promise<UpstreamInfo | null> {
    const { status, bytes } = await call('info', 'terms', null, Math.min(callTimeoutMs, INFO_TIMEOUT_MS))
    const told = status === 200 ? parseInfo(bytes) : null
    if (!told && status !== 404) throw new UnknownOutcomeError(`the upstream answered ${status} to /info`)
    return told
  }

  const terms = options.terms && createTermsCheck({ ...options.terms, ask: askInfo, clock })

  return {
    name: 'http',
    accounts: options.accounts ?? [url, null],
    quota: QUOTA,
    async create(charge) {
      const problem = await terms?.findProblemBeforePayment()
      if (problem) throw new NeverSentError(problem)
      const body = toBody(charge)
      const answer = await call('create', charge.id, body, callTimeoutMs)
      if (answer.status !== 429 || parseUpstreamPayment(answer.bytes)) return requirePayment(answer)
      await sleep(LIMITED_RETRY.pauseMs)
      return requirePayment(await call('create', charge.id, body, LIMITED_RETRY.timeoutMs))
    },
    async find(id, { timeoutMs = callTimeoutMs } = {}) {
      const answer = await call('find', id, null, timeoutMs)
      return answer.status === 404 ? null : requirePayment(answer)
    },
    async cancel(id) {
      return requirePayment(await call('cancel', id, JSON.stringify({ id }), callTimeoutMs))
    },
    ...(terms && { findTermsProblem: () => terms.findProblem() }),
    readWebhook,
  }
}
