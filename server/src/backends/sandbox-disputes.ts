// Disputes of the sandbox: a payment of 4007 is disputed a few seconds after it succeeded, and stays so.
import type { Queryable } from '../db/pool.ts'
import type { BackendDisputes, DisputeReport } from './backend.ts'
import type { DisputedRow } from './sandbox-disputes-store.ts'
import { DISPUTES_PER_PAGE, listDisputedRows } from './sandbox-disputes-store.ts'

/** The database is near, and people wait for the dispute while they try it. */
const POLL_MS = 1_000

function toReport(row: DisputedRow): DisputeReport {
  return {
    paymentId: row.id,
    chargeId: null,
    status: 'open',
    amount: row.amount,
    currency: row.currency,
    upstreamRef: `dispute-${row.id}`,
    reason: 'fraudulent',
    respondBy: row.respond_by,
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
