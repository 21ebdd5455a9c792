// Refunds at Stripe. To look up a refund, all refunds of its payment are listed, because Stripe cannot search by our id.
import { Stripe } from 'stripe'
import { z } from 'zod'
import type { BackendRefunds, NewRefund, RefundReport } from './backend.ts'
import { GarbledResponseError, UnknownOutcomeError } from './backend.ts'
import type { StripeApiOptions } from './stripe-api.ts'
import { createStripeClient } from './stripe-api.ts'
import { lookUp, RefusedError, request, toUnknownOutcome } from './stripe-faults.ts'
import { INSTALLATION_KEY, toRefundMetadata } from './metadata.ts'
import { parseRefund, toRefundReport } from './stripe-refund.ts'

const PAGE_MAX = 100
/** Nobody refunds one payment a thousand times on purpose. */
const PAGES_MAX = 10

const refundList = z.object({ has_more: z.boolean(), data: z.array(z.looseObject({ id: z.string() })) })

const UNPARSED = 'a refund that Stripe lists for the payment cannot be parsed'

interface PaymentRefunds {
  reports: RefundReport[]
  /** False: a refund could not be parsed, so `reports` may lack a refund. */
  isComplete: boolean
}

/**
 * True: the refusal says nothing about the refund. Examples: the payment belongs to another Stripe account, the key lacks a
 * permission, or a rate limit was reached.
 */
function isAboutSettings({ code, fault }: RefusedError): boolean {
  return fault !== 'failing' || code === null || code === 'resource_missing'
}

function toRefusedReport(refund: NewRefund, { code }: RefusedError): RefundReport {
  return {
    id: refund.id,
    paymentId: refund.paymentId,
    chargeId: refund.chargeId,
    status: 'failed',
    amount: refund.amount,
    currency: refund.currency,
    upstreamRef: null,
    pendingReason: null,
    failureCode: code,
  }
}

export function createStripeRefunds(
  options: StripeApiOptions,
  /** Returns the id of the payment at Stripe. Null: there is none. */
  findUpstreamPaymentId: (paymentId: string) => Promise<string | null>,
): BackendRefunds {
  const { refunds } = createStripeClient(options)
  const { installationId } = options

  async function requireIntent({ id, chargeId }: { id: string; chargeId: string | null }): Promise<string> {
    const intent = chargeId ?? (await findUpstreamPaymentId(id))
    if (intent === null) throw new UnknownOutcomeError('Stripe has no payment to refund')
    return intent
  }

  async function listReports(paymentIntent: string): Promise<PaymentRefunds> {
    const reports: RefundReport[] = []
    let isComplete = true
    let after: string | null = null
    for (let pages = 1; pages <= PAGES_MAX; pages += 1) {
      const params: Stripe.RefundListParams = {
        payment_intent: paymentIntent,
        limit: PAGE_MAX,
        ...(after === null ? {} : { starting_after: after }),
      }
      const { data: page } = refundList.safeParse(await lookUp(() => refunds.list(params)))
      if (!page) throw new GarbledResponseError('the response of Stripe is not a list')
      for (const one of page.data) {
        const refund = parseRefund(one)
        const report = refund && toRefundReport(refund, installationId)
        if (report) reports.push(report)
        else if (!refund) isComplete = false
      }
      after = page.data.at(-1)?.id ?? null
      if (!page.has_more || after === null) return { reports, isComplete }
    }
    throw new UnknownOutcomeError('the payment has more refunds than can be listed')
  }

  async function create(refund: NewRefund, paymentIntent: string): Promise<unknown> {
    const metadata = { ...toRefundMetadata(refund), [INSTALLATION_KEY]: installationId }
    const params = { payment_intent: paymentIntent, amount: Number(refund.amount), metadata }
    return request(() => refunds.create(params, { idempotencyKey: refund.id }))
  }

  return {
    isOffered: async () => true,
    async refund(refund) {
      const paymentIntent = await requireIntent({ id: refund.paymentId, chargeId: refund.chargeId })
      try {
        const createdRefund = parseRefund(await create(refund, paymentIntent))
        const report = createdRefund && toRefundReport(createdRefund, installationId)
        if (!report) throw new GarbledResponseError('the response of Stripe is not a refund of ours')
        return report
      } catch (error) {
        if (error instanceof RefusedError && !isAboutSettings(error)) return toRefusedReport(refund, error)
        throw toUnknownOutcome(error)
      }
    },
    async findRefund({ id, paymentId, chargeId, upstreamRef, isOwn }) {
      const { reports, isComplete } = await listReports(await requireIntent({ id: paymentId, chargeId }))
      const found = reports.find((one) => (isOwn ? one.id === id : one.upstreamRef === upstreamRef))
      if (!found && !isComplete) throw new GarbledResponseError(UNPARSED)
      return found ?? null
    },
    async listRefunds(payment) {
      const { reports, isComplete } = await listReports(await requireIntent(payment))
      if (!isComplete) throw new GarbledResponseError(UNPARSED)
      return reports
    },
  }
}
