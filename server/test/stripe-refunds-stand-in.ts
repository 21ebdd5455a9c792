// The refunds of the stand-in for Stripe.
import { randomBytes } from 'node:crypto'

export interface StandInRefund {
  object: 'refund'
  id: string
  created: number
  amount: number
  currency: string
  payment_intent: string
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
  metadata: Record<string, string>
  failure_reason: string | null
}

/**
 * `refused` and `lost_before` make no refund. `lost_after` and `error_after` make the refund. `lost_…` gets no response.
 * `pending` makes a refund that stays pending.
 */
export type RefundFault = 'refused' | 'lost_before' | 'lost_after' | 'error_after' | 'pending'

interface StandInResponse {
  status: number
  body: object
}

export interface StandInRefunds {
  all: StandInRefund[]
  faults: Map<number, RefundFault>
  /** Null: there is no response. */
  respond(request: {
    method: string
    key: string
    form: URLSearchParams
    query: URLSearchParams
  }): StandInResponse | null
  /** Adds a refund without our metadata, as if it were made in Stripe's dashboard. */
  makeInDashboard(paymentIntent: string, amount: number): StandInRefund
  sumOf(paymentIntent: string): number
}

function refuse(code: string): StandInResponse {
  return { status: 400, body: { error: { type: 'invalid_request_error', code, message: 'refused' } } }
}

/** A page of a list, with Stripe's parameters `created`, `starting_after` and `limit`. `all` must be newest first. */
export function toPage(
  all: readonly { id: string; created: number }[],
  query: URLSearchParams,
): StandInResponse {
  const from = Number(query.get('created[gte]') ?? 0)
  const to = Number(query.get('created[lte]') ?? Infinity)
  const limit = Number(query.get('limit') ?? 10)
  const inTime = all.filter(({ created }) => created >= from && created <= to)
  const start = inTime.findIndex(({ id }) => id === query.get('starting_after')) + 1
  const data = inTime.slice(start, start + limit)
  return { status: 200, body: { object: 'list', has_more: start + limit < inTime.length, data } }
}

/** `chargedOf` returns the charged amount of a payment and its currency; null if there is no such paid payment. */
export function createStandInRefunds(
  chargedOf: (paymentIntent: string) => { amount: number; currency: string } | null,
): StandInRefunds {
  const all: StandInRefund[] = []
  const faults = new Map<number, RefundFault>()
  const savedResponses = new Map<string, StandInResponse>()

  const sumOf = (paymentIntent: string) =>
    all
      .filter((one) => one.payment_intent === paymentIntent && !['failed', 'canceled'].includes(one.status))
      .reduce((sum, { amount }) => sum + amount, 0)

  function add(
    paymentIntent: string,
    amount: number,
    metadata: Record<string, string>,
    status: StandInRefund['status'] = 'succeeded',
  ): StandInRefund {
    const refund: StandInRefund = {
      object: 'refund',
      id: `re_${randomBytes(8).toString('hex')}`,
      created: Math.floor(Date.now() / 1000),
      amount,
      currency: chargedOf(paymentIntent)?.currency ?? 'eur',
      payment_intent: paymentIntent,
      status,
      metadata,
      failure_reason: null,
    }
    all.unshift(refund)
    return refund
  }

  function create(form: URLSearchParams, fault: RefundFault | undefined): StandInResponse {
    const paymentIntent = form.get('payment_intent') ?? ''
    const amount = Number(form.get('amount'))
    const charged = chargedOf(paymentIntent)
    if (!charged) return refuse('resource_missing')
    if (fault === 'refused') return refuse('charge_disputed')
    if (sumOf(paymentIntent) + amount > charged.amount) return refuse('charge_already_refunded')
    const keys = [...form.keys()].filter((key) => key.startsWith('metadata['))
    const metadata = Object.fromEntries(
      keys.map((key) => [key.slice('metadata['.length, -1), form.get(key)!]),
    )
    const refund = add(paymentIntent, amount, metadata, fault === 'pending' ? 'pending' : 'succeeded')
    return { status: 200, body: structuredClone(refund) }
  }

  function list(query: URLSearchParams): StandInResponse {
    const paymentIntent = query.get('payment_intent')
    return toPage(
      all.filter((one) => paymentIntent === null || one.payment_intent === paymentIntent),
      query,
    )
  }

  return {
    all,
    faults,
    respond({ method, key, form, query }) {
      if (method === 'GET') return list(query)
      const fault = faults.get(Number(form.get('amount')))
      if (fault === 'lost_before') return null
      const response = savedResponses.get(key) ?? create(form, fault)
      if (response.status === 200) savedResponses.set(key, response)
      if (fault === 'lost_after') return null
      return fault === 'error_after' ? { status: 500, body: { error: { type: 'api_error' } } } : response
    },
    makeInDashboard: (paymentIntent, amount) => add(paymentIntent, amount, {}),
    sumOf,
  }
}
