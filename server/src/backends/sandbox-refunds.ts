// Refunds of the sandbox. The amount decides the outcome, but the sandbox never refunds more than it charged.
import type { Queryable } from '../db/pool.ts'
import type { BackendRefunds, NewRefund, RefundReport } from './backend.ts'
import { UnknownOutcomeError } from './backend.ts'
import type { RefundRow } from './sandbox-refunds-store.ts'
import { findRefundRow, listRefundRows, writeRefund } from './sandbox-refunds-store.ts'

/**
 * How long after its creation a refund with an unknown outcome may be sent again. Short, because developers wait until a
 * refund with the amount 4003 fails.
 */
const RESEND_MS = 30_000
/** How long a refund is reported as succeeded before its money comes back to the merchant. */
const RETURNS_AFTER_MS = 5_000

interface Script {
  status: RefundRow['status'] | null
  losesResponse?: boolean
  isReturned?: boolean
}

const SCRIPTS: ReadonlyMap<bigint, Script> = new Map([
  [4000n, { status: 'failed' }],
  [4002n, { status: 'succeeded', losesResponse: true }],
  [4003n, { status: null, losesResponse: true }],
  [4005n, { status: 'succeeded', losesResponse: true }],
  [4009n, { status: 'succeeded', isReturned: true }],
])

export function toReport(row: RefundRow): RefundReport {
  return {
    id: row.id,
    paymentId: row.payment_id,
    chargeId: null,
    status: row.is_returned ? 'failed' : row.status,
    amount: row.amount,
    currency: row.currency,
    upstreamRef: null,
    pendingReason: null,
    failureCode: row.is_returned ? 'returned' : row.failure_code,
    changesInMs: row.returns_at !== null && !row.is_returned ? RETURNS_AFTER_MS : null,
  }
}

export function createSandboxRefunds(db: Queryable): BackendRefunds {
  return {
    isOffered: async () => true,
    resendMs: RESEND_MS,
    async refund(refund: NewRefund) {
      const { status, losesResponse, isReturned }: Script = SCRIPTS.get(refund.amount) ?? {
        status: 'succeeded',
      }
      const returnsInMs = isReturned ? RETURNS_AFTER_MS : null
      const row = status && (await writeRefund(db, { ...refund, status, returnsInMs }))
      if (losesResponse || !row)
        throw new UnknownOutcomeError('the sandbox gives no response for this amount')
      return toReport(row)
    },
    async findRefund({ id }) {
      const row = await findRefundRow(db, id)
      return row && toReport(row)
    },
    listRefunds: async ({ id }) => (await listRefundRows(db, id)).map(toReport),
  }
}
