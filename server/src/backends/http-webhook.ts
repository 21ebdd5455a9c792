// What a signed webhook of an http upstream reports. A webhook without a kind reports a payment.
import { z } from 'zod'
import type { WebhookResult } from './backend.ts'
import { toDisputeReport } from './http-disputes.ts'
import { parseJson, toCharge, toRefundReport } from './http-wire.ts'

const withKind = z.object({ kind: z.unknown() })

export function parseUpstreamWebhook(bytes: Uint8Array): WebhookResult {
  const value = parseJson(bytes)
  switch (withKind.safeParse(value).data?.kind) {
    case 'refund': {
      const refund = toRefundReport(value)
      return refund ? { kind: 'refund', refund } : { kind: 'unusable', reason: 'no refund' }
    }
    case 'dispute': {
      const dispute = toDisputeReport(value)
      return dispute ? { kind: 'dispute', dispute } : { kind: 'unusable', reason: 'no dispute' }
    }
    case undefined:
    case null:
    case 'payment': {
      const charge = toCharge(value)
      return charge ? { kind: 'report', charge } : { kind: 'unusable', reason: 'no payment' }
    }
    // A message of an unknown kind must not end a payment, even if it has a payment's id and status.
    default:
      return { kind: 'unusable', reason: 'unknown kind' }
  }
}
