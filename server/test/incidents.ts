import { raiseIncident } from '../src/payments/incidents.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'

export function createIncidents(deps: Deps) {
  const raise = (
    transactionId: string | null,
    kind: 'mismatch' | 'unresolved' = 'mismatch',
    needsReview = false,
  ) =>
    raiseIncident(
      deps,
      { kind, transactionId, subject: transactionId ?? kind, facts: { a: '1' } },
      { needsReview },
    )
  async function incidentOf(kind: string, subject: string) {
    const text = 'select id, closed_at, facts from incidents where kind = $1 and subject = $2'
    const [found] = await rows<{ id: number; closed_at: Date | null; facts: unknown }>(deps.db, text, [
      kind,
      subject,
    ])
    return found!
  }
  return { raise, incidentOf }
}
