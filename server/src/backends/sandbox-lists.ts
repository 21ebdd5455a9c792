import type { Queryable } from '../db/pool.ts'
import type { BackendLists, Charge, RefundReport } from './backend.ts'
import type { Listed, ListPage } from './pager.ts'
import { parseOrigin, parseRefundOrigin } from './metadata.ts'
import type { ListedCharge, ListedRefund } from './sandbox-lists-store.ts'
import { LISTED_PER_PAGE, listChargeRows, listRefundRowsSince } from './sandbox-lists-store.ts'
import { toReport } from './sandbox-refunds.ts'
import type { LedgerRow } from './sandbox-store.ts'

function toPage<Row extends { id: string; created_at: Date }, Report>(
  rows: readonly Row[],
  toItem: (row: Row) => Report,
): ListPage<Listed<Report>> {
  return {
    items: rows.map((row) => ({ ...toItem(row), createdAt: row.created_at, scale: null })),
    next: rows.length < LISTED_PER_PAGE ? null : rows.at(-1)!.id,
  }
}

export function createSandboxLists(db: Queryable, toCharge: (row: LedgerRow) => Charge): BackendLists {
  return {
    isOffered: async () => true,
    payments: async (options) =>
      toPage<ListedCharge, Charge>(await listChargeRows(db, options), (row) => ({
        ...toCharge(row),
        origin: parseOrigin(row.metadata),
      })),
    refunds: async (options) =>
      toPage<ListedRefund, RefundReport>(await listRefundRowsSince(db, options), (row) => ({
        ...toReport(row),
        origin: parseRefundOrigin(row.metadata),
      })),
  }
}
