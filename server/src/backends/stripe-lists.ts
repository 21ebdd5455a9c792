// The ledger of a Stripe account: its payments and refunds, without those of other business in the same account.
import type { BackendLists } from './backend.ts'
import type { StripeApiOptions } from './stripe-api.ts'
import { createStripeClient } from './stripe-api.ts'
import { createStripePager } from './stripe-pager.ts'
import { parsePaymentIntent } from './stripe-payment.ts'
import { parseRefund, toRefundReport } from './stripe-refund.ts'

export function createStripeLists(options: StripeApiOptions): BackendLists {
  const { paymentIntents, refunds } = createStripeClient(options)
  return {
    isOffered: async () => true,
    payments: createStripePager(
      (params) => paymentIntents.list(params),
      (value) => parsePaymentIntent(value, options),
    ),
    refunds: createStripePager(
      (params) => refunds.list(params),
      (value) => {
        const refund = parseRefund(value)
        return refund && toRefundReport(refund, options.installationId)
      },
    ),
  }
}
