// What an operator has seen of a payment: its reports, open incidents, refunds and disputes. A decision never covers what
// arrives later.
import { createHash } from 'node:crypto'
import type { Queryable } from '../db/pool.ts'
import type { PaymentDeps } from './deps.ts'
import { listOpenIncidentsOf } from './incidents-store.ts'
import type { Payment } from './payment.ts'
import { listReports } from './reports-store.ts'

/** One id for each report, each open incident, and each state of a refund or dispute. */
export type EvidenceIds = readonly string[]

export async function readEvidenceIds(
  { listMoneyBack }: Pick<PaymentDeps, 'listMoneyBack'>,
  db: Queryable,
  payment: Payment,
): Promise<EvidenceIds> {
  const { id } = payment
  const reports = await listReports(db, id)
  const incidents = await listOpenIncidentsOf(db, id)
  return [
    // Reports above the limit share one row without facts. Only the count of that row changes when another report arrives.
    ...reports.map(({ fingerprint, facts, times }) => `report ${fingerprint}${facts ? '' : ` ${times}`}`),
    ...incidents.map((incident) => `incident ${incident.id}`),
    ...(await listMoneyBack(db, payment)),
  ]
}

export function hasNewEvidence(seen: EvidenceIds, current: EvidenceIds): boolean {
  return current.some((id) => !seen.includes(id))
}

/** The code that an operator passes back with a decision (`--seen`). */
export function toEvidenceCode({ state, resolution }: Payment, evidenceIds: EvidenceIds): string {
  const text = [state, resolution ?? '-', ...evidenceIds.toSorted()].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
