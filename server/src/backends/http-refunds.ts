// Refunds at an http upstream (docs/upstream.md), which declares in /info whether it can refund.
import type { Clock } from '../lib/clock.ts'
import type { BackendRefunds, RefundReport } from './backend.ts'
import { GarbledResponseError, toStatusFault, UnknownOutcomeError } from './backend.ts'
import type { UpstreamResponse, SignedCall } from './http-call.ts'
import type { UpstreamInfo } from './http-terms.ts'
import { parseUpstreamRefund } from './http-wire.ts'
import { toRefundMetadata } from './metadata.ts'

const INFO_FRESH_MS = 60_000

function requireRefund({ status, bytes }: UpstreamResponse): RefundReport {
  const refund = parseUpstreamRefund(bytes)
  const isSuccess = status >= 200 && status < 300
  if (refund && (isSuccess || (status >= 400 && status < 500))) return refund
  const Fault = isSuccess ? GarbledResponseError : UnknownOutcomeError
  throw new Fault(`the upstream responded ${status} without a valid refund`, { fault: toStatusFault(status) })
}

export function createHttpRefunds(options: {
  call: (call: SignedCall) => Promise<UpstreamResponse>
  fetchInfo: () => Promise<UpstreamInfo | null>
  clock: Clock
  timeoutMs: number
}): BackendRefunds {
  const { call, fetchInfo, clock, timeoutMs } = options
  let lastDeclared: { isOffered: boolean; atMs: number } | null = null

  return {
    async isOffered() {
      if (lastDeclared && clock.nowMs() - lastDeclared.atMs < INFO_FRESH_MS) return lastDeclared.isOffered
      try {
        const info = await fetchInfo()
        // A 404 is not stored, because a proxy may have responded for an upstream that is down.
        if (!info) return false
        lastDeclared = { isOffered: info.refunds === true, atMs: clock.nowMs() }
      } catch (error) {
        // An upstream that does not respond now still offers what it declared before.
        if (!lastDeclared) throw error
      }
      return lastDeclared.isOffered
    },
    async refund(refund) {
      const { id, paymentId, amount, currency, chargeId, isOtherCharge } = refund
      const body = JSON.stringify({
        id,
        amount: amount.toString(),
        currency,
        ...(isOtherCharge ? { chargeId } : {}),
        metadata: toRefundMetadata(refund),
      })
      const path = `/payments/${paymentId}/refunds`
      return requireRefund(await call({ verb: 'refund', id, path, body, timeoutMs }))
    },
    async findRefund({ id, paymentId, lookupId, upstreamRef, isOwn }) {
      // A refund that was made at the upstream is looked up by the `id` in the upstream's reports (`lookupId`), because the
      // upstream need not find the refund by its `refundRef`. Earlier releases stored only the `refundRef` (`upstreamRef`).
      const name = isOwn ? id : (lookupId ?? upstreamRef ?? id)
      const path = `/payments/${paymentId}/refunds/${encodeURIComponent(name)}`
      const response = await call({ verb: 'find_refund', id: name, path, body: null, timeoutMs })
      return response.status === 404 ? null : requireRefund(response)
    },
  }
}
