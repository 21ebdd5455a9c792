// For tests of an operator's decisions: payments, and an upstream whose responses a test defines.
import type { Resolution } from '@pazar/contract'
import type { Backend, Charge } from '../src/backends/backend.ts'
import { UnknownOutcomeError } from '../src/backends/backend.ts'
import { newUuidV7 } from '../src/lib/id.ts'
import type { Order, Payment } from '../src/payments/payment.ts'
import { openPayment } from '../src/payments/payments-store.ts'
import { recordReport } from '../src/payments/record-report.ts'
import type { Decision } from '../src/payments/resolution/resolution.ts'
import type { Deps } from '../src/wire.ts'
import { newOrder } from './payments.ts'

export function newDecision(as: Resolution, fields: Partial<Decision> = {}): Decision {
  return { as, reason: 'Checked in the upstream’s dashboard', by: 'ana', ...fields }
}

export function toCharge(payment: Payment, fields: Partial<Charge> = {}): Charge {
  return {
    id: payment.id,
    status: 'succeeded',
    amount: payment.amount,
    currency: payment.currency,
    projectId: null,
    chargeId: null,
    failureCode: null,
    actionUrl: null,
    ...fields,
  }
}

export function createPaymentFixtures(deps: Deps, projectId: string) {
  async function open(fields: Partial<Order> = {}): Promise<Payment> {
    const payment = await openPayment(
      deps.db,
      newUuidV7(deps.clock),
      newOrder(projectId, fields),
      deps.backends.live.name,
    )
    if (!payment) throw new Error('another payment blocks this order')
    return payment
  }

  async function end(status: 'succeeded' | 'failed', fields: Partial<Order> = {}): Promise<Payment> {
    const payment = await open(fields)
    return recordReport(deps, payment, toCharge(payment, { status, chargeId: `ch_${payment.id}` }))
  }

  async function makeLateCharge(fields: Partial<Order> = {}): Promise<Payment> {
    const payment = await end('failed', fields)
    return recordReport(deps, payment, toCharge(payment, { chargeId: `late_${payment.id}` }))
  }

  return { open, end, makeLateCharge }
}

export interface ScriptedUpstream {
  backend: Backend
  calls: string[]
  /** What a lookup returns or throws. Null: the upstream does not know the payment. */
  findResult: Charge | Error | null
  cancelResult: Charge | Error
}

export function scriptUpstream(deps: Deps): ScriptedUpstream {
  const noResponse = new UnknownOutcomeError('no response within 10 s')
  const respond = (result: Charge | Error | null) => {
    if (result instanceof Error) throw result
    return result
  }
  const upstream: ScriptedUpstream = {
    calls: [],
    findResult: noResponse,
    cancelResult: noResponse,
    backend: {
      name: 'sandbox',
      accounts: deps.backends.live.accounts,
      create: async () => respond(noResponse) as Charge,
      find: async () => {
        upstream.calls.push('find')
        return respond(upstream.findResult)
      },
      cancel: async () => {
        upstream.calls.push('cancel')
        return respond(upstream.cancelResult) as Charge
      },
    },
  }
  deps.backends = { live: upstream.backend, test: upstream.backend, previous: [] }
  return upstream
}
