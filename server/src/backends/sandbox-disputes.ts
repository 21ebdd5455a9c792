// Disputes of the sandbox: a payment of DISPUTED_AMOUNT is disputed DISPUTED_AFTER_SEC after it was made, and the dispute
// stays open.
import type { Queryable } from '../db/pool.ts'
import type { BackendDisputes, DisputeReport } from './backend.ts'
import type { Listed } from './pager.ts'
import type { DisputedRow } from './sandbox-disputes-store.ts'
import { createDisputedRowsReader, DISPUTES_PER_PAGE } from './sandbox-disputes-store.ts'

const DISPUTED_AMOUNT = 4007n
/** Long enough that developers first see the payment as paid. */
const DISPUTED_AFTER_SEC = 5

const listDisputedRows = createDisputedRowsReader({ amount: DISPUTED_AMOUNT, afterSec: DISPUTED_AFTER_SEC })

/** A query costs little here, and developers wait for the dispute. */
const POLL_MS = 1_000

function toReport(row: DisputedRow): Listed<DisputeReport> {
  return {
    paymentId: row.id,
    chargeId: null,
    status: 'open',
    amount: row.amount,
    currency: row.currency,
    upstreamRef: `dispute-${row.id}`,
    reason: 'fraudulent',
    respondBy: row.respond_by,
    createdAt: row.disputed_at,
    scale: null,
  }
}

export function createSandboxDisputes(db: Queryable): BackendDisputes {
  return {
    isOffered: async () => true,
    pollMs: POLL_MS,
    async list({ since, cursor }) {
      const rows = await listDisputedRows(db, since, cursor)
      return {
        items: rows.map(toReport),
        next: rows.length < DISPUTES_PER_PAGE ? null : rows.at(-1)!.cursor,
      }
    },
  }
}
