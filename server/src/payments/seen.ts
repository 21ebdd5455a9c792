// The reports and open incidents of a payment that an operator has seen. A decision never covers later ones.
import { createHash } from 'node:crypto'
import type { Queryable } from '../db/pool.ts'
import { listIncidentsOf } from './incidents-store.ts'
import type { Payment } from './payment.ts'
import { listReports } from './reports-store.ts'

/** One mark for each report and each open incident. */
export type Marks = readonly string[]

export async function readMarks(db: Queryable, id: string): Promise<Marks> {
  const reports = await listReports(db, id)
  const incidents = (await listIncidentsOf(db, id)).filter(({ closedAt }) => closedAt === null)
  return [
    // Reports over the limit share one row, so only their count shows that there are more.
    ...reports.map(({ fingerprint, facts, times }) => `report ${fingerprint}${facts ? '' : ` ${times}`}`),
    ...incidents.map((incident) => `incident ${incident.id}`),
  ]
}

export function hasMore(seen: Marks, now: Marks): boolean {
  return now.some((mark) => !seen.includes(mark))
}

/** Short enough to copy. It changes as soon as anything about the payment changes. */
export function toSeenCode({ state, resolution }: Payment, marks: Marks): string {
  const text = [state, resolution ?? '-', ...marks.toSorted()].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
