// The checkout sessions of the stand-in for Stripe, and their payments.
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Movement } from './ledger-check.ts'
import { toPage } from './stripe-refunds-stand-in.ts'

export interface StandInSession {
  object: 'checkout.session'
  id: string
  created: number
  livemode: boolean
  mode: 'payment'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  amount_total: number
  currency: string
  client_reference_id: string | null
  expires_at: number
  success_url: string
  url: string | null
  metadata: Record<string, string>
  payment_intent: {
    object: 'payment_intent'
    id: string
    created: number
    livemode: boolean
    status: string
    amount: number
    amount_received: number
    currency: string
    metadata: Record<string, string>
    last_payment_error: object | null
  } | null
}

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  form: URLSearchParams
}

/**
 * What the payer does on Stripe's page: pays, is declined (two reasons), pays by a method that takes days, or chooses a
 * bank transfer, which they still have to make.
 */
export type PayerAct = 'pay' | 'card_declined' | 'insufficient_funds' | 'pay_later' | 'promise_transfer'

/**
 * `refused` and `lost_before` create no session. The others create a session, and `paid_…` also pays it. `lost_…` and
 * `paid_lost_after` get no response.
 */
type Fault = 'refused' | 'lost_before' | 'lost_after' | 'error_after' | 'paid_lost_after' | 'paid_error_after'

export interface StandInSessions {
  sessions: StandInSession[]
  faults: Map<number, Fault>
  require(transactionId: string): StandInSession
  act(transactionId: string, act: PayerAct): void
  /** Ends a payment that takes days. */
  arrive(transactionId: string, act: Exclude<PayerAct, 'pay_later' | 'promise_transfer'>): void
  countCharges(transactionId: string): number
  movements(): Movement[]
  /** Null: there is no response. */
  respond(request: ReceivedRequest): StandInResponse | null
}

export interface StandInResponse {
  status: number
  body: object
}

export function refuse(status: number, error: Record<string, string>): StandInResponse {
  return { status, body: { error: { type: 'invalid_request_error', message: 'refused', ...error } } }
}

function toMetadata(form: URLSearchParams): Record<string, string> {
  const keys = [...form.keys()].filter((key) => key.startsWith('metadata['))
  return Object.fromEntries(keys.map((key) => [key.slice('metadata['.length, -1), form.get(key)!]))
}

const AMOUNT = 'line_items[0][price_data][unit_amount]'

/** The first field that breaks one of Stripe's rules, or null. */
function findFault(form: URLSearchParams, nowSec: number): string | null {
  const amount = form.get(AMOUNT) ?? ''
  const lifetimeSec = Number(form.get('expires_at')) - nowSec
  const values = Object.values(toMetadata(form))
  if (form.get('mode') !== 'payment') return 'mode'
  if (!/^[1-9][0-9]{0,7}$/.test(amount)) return AMOUNT
  if (!/^[a-z]{3}$/.test(form.get('line_items[0][price_data][currency]') ?? '')) return 'currency'
  if (!form.get('line_items[0][price_data][product_data][name]')) return 'name'
  const suffix = form.get('payment_intent_data[statement_descriptor_suffix]')
  if (suffix !== null && !/^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,10}$/.test(suffix))
    return 'statement_descriptor_suffix'
  if (!URL.canParse(form.get('success_url') ?? '')) return 'success_url'
  if (lifetimeSec < 30 * 60 || lifetimeSec > 24 * 3600) return 'expires_at'
  return values.some((value) => value.length > 500) ? 'metadata' : null
}

// Why this is long: short functions that share the sessions of one account.
export function createStandInSessions(toPageUrl: (sessionId: string) => string): StandInSessions {
  const sessions: StandInSession[] = []
  const faults = new Map<number, Fault>()
  const savedResponses = new Map<string, { request: string; response: StandInResponse }>()

  const find = (transactionId: string) =>
    sessions.find((one) => one.metadata['pazar_transaction'] === transactionId)

  function require(transactionId: string): StandInSession {
    const session = find(transactionId)
    if (!session) throw new Error(`Stripe has no session of ${transactionId}`)
    return session
  }

  function finish(session: StandInSession, act: PayerAct): void {
    const id = session.payment_intent?.id ?? `pi_${randomBytes(8).toString('hex')}`
    const isPaid = act === 'pay'
    const status =
      { pay: 'succeeded', pay_later: 'processing', promise_transfer: 'requires_action' }[act as string] ??
      'requires_payment_method'
    const error = status === 'requires_payment_method' ? { code: 'card_declined', decline_code: act } : null
    session.status = 'complete'
    session.url = null
    session.payment_status = isPaid ? 'paid' : 'unpaid'
    session.payment_intent = {
      object: 'payment_intent',
      id,
      created: session.payment_intent?.created ?? Math.floor(Date.now() / 1000),
      livemode: false,
      status,
      amount: session.amount_total,
      amount_received: isPaid ? session.amount_total : 0,
      currency: session.currency,
      metadata: session.metadata,
      last_payment_error: error,
    }
  }

  function act(transactionId: string, action: PayerAct): void {
    const session = require(transactionId)
    // The page of a session that has ended does nothing.
    if (session.status === 'open') finish(session, action)
  }

  function movements(): Movement[] {
    const paid = sessions.filter((one) => one.payment_status === 'paid')
    return paid.map(({ metadata, amount_total: amount, currency }) => ({
      paymentId: metadata['pazar_transaction'] ?? '',
      amount: String(amount),
      currency: currency.toUpperCase(),
    }))
  }

  function create(form: URLSearchParams): StandInResponse {
    const nowSec = Math.floor(Date.now() / 1000)
    const param = findFault(form, nowSec)
    if (param) {
      const code = param === AMOUNT && form.get(AMOUNT)!.length > 8 ? 'amount_too_large' : 'parameter_invalid'
      return refuse(400, { code, param })
    }
    const id = `cs_test_${randomBytes(12).toString('hex')}`
    const session: StandInSession = {
      object: 'checkout.session',
      id,
      created: nowSec,
      livemode: false,
      mode: 'payment',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: Number(form.get(AMOUNT)),
      currency: form.get('line_items[0][price_data][currency]')!,
      client_reference_id: form.get('client_reference_id'),
      expires_at: Number(form.get('expires_at')),
      success_url: form.get('success_url')!,
      url: toPageUrl(id),
      metadata: toMetadata(form),
      payment_intent: null,
    }
    sessions.unshift(session)
    return { status: 200, body: session }
  }

  /** As at Stripe, a successful request that is repeated with its idempotency key returns the first response. */
  function createOnce(key: string, form: URLSearchParams): StandInResponse {
    const known = savedResponses.get(key)
    if (known && known.request !== form.toString()) return refuse(400, { type: 'idempotency_error' })
    if (known) return known.response
    const response = structuredClone(create(form))
    if (response.status === 200) savedResponses.set(key, { request: form.toString(), response })
    return response
  }

  function expire(session: StandInSession): StandInResponse {
    if (session.status !== 'open') return refuse(400, { message: 'Only open sessions can be expired' })
    session.status = 'expired'
    session.url = null
    return { status: 200, body: session }
  }

  /** As at Stripe, a payment that waits for the payer can be cancelled, but not one that the bank is processing. */
  function cancelPayment(id: string): StandInResponse {
    const payment = sessions.find((one) => one.payment_intent?.id === id)?.payment_intent
    if (!payment) return refuse(404, { code: 'resource_missing' })
    if (payment.status !== 'requires_action') return refuse(400, { code: 'payment_intent_unexpected_state' })
    payment.status = 'canceled'
    return { status: 200, body: payment }
  }

  function respond({ method, path, headers, form }: ReceivedRequest): StandInResponse | null {
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    const payments = sessions.flatMap((one) => one.payment_intent ?? [])
    if (pathname === '/v1/payment_intents') return toPage(payments, searchParams)
    if (pathname.startsWith('/v1/payment_intents/')) return cancelPayment(pathname.split('/')[3] ?? '')
    const [, , , , id = null, verb = null] = pathname.split('/')
    const intent = searchParams.get('payment_intent')
    const listed = sessions.filter((one) => intent === null || one.payment_intent?.id === intent)
    if (id === null && method === 'GET') return toPage(listed, searchParams)
    if (id === null) return createWithFaults(String(headers['idempotency-key']), form)
    const session = sessions.find((one) => one.id === id)
    if (!session) return refuse(404, { code: 'resource_missing' })
    return verb === 'expire' ? expire(session) : { status: 200, body: session }
  }

  function createWithFaults(key: string, form: URLSearchParams): StandInResponse | null {
    const fault = faults.get(Number(form.get(AMOUNT)))
    if (fault === 'lost_before') return null
    if (fault === 'refused') return refuse(403, { code: 'permission_denied' })
    const response = createOnce(key, form)
    if (!fault) return response
    if (fault.startsWith('paid')) act(form.get('client_reference_id')!, 'pay')
    return fault.endsWith('error_after') ? { status: 500, body: { error: { type: 'api_error' } } } : null
  }

  return {
    sessions,
    faults,
    require,
    act,
    arrive: (transactionId, what) => finish(require(transactionId), what),
    countCharges: (transactionId) =>
      movements().filter(({ paymentId }) => paymentId === transactionId).length,
    movements,
    respond,
  }
}
