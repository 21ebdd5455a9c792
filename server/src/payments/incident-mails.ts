// Mails the operator about incidents, at most once an hour per kind. Further incidents wait in the database for the
// next mail.
import { queueIncidentMail } from '../accounts/mail/queue-mail.ts'
import type { Tx } from '../db/pool.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'
import type { PaymentDeps } from './deps.ts'
import { addToMail, claimIncidentMail, listKindsToMail, takeIncidentsToMail } from './incident-mails-store.ts'

type MailDeps = Pick<PaymentDeps, 'config' | 'db' | 'clock'>

async function mailKind(deps: MailDeps, tx: Tx, to: string, kind: IncidentKind): Promise<void> {
  if (!(await claimIncidentMail(tx, kind))) return
  const incidents = await takeIncidentsToMail(tx, kind)
  if (incidents.length > 0) await queueIncidentMail(deps, tx, to, { what: kind, incidents })
}

/** Runs in the transaction that raises the incident, so that a crash cannot lose the mail. */
export async function notifyOperator(
  deps: MailDeps,
  tx: Tx,
  incident: { id: number; kind: IncidentKind },
): Promise<void> {
  const to = deps.config.operatorEmail
  if (to === null) return
  await addToMail(tx, incident.id, incident.kind)
  await mailKind(deps, tx, to, incident.kind)
}

export async function mailWaitingIncidents(deps: MailDeps): Promise<void> {
  const to = deps.config.operatorEmail
  if (to === null) return
  for (const kind of await listKindsToMail(deps.db))
    await deps.db.transaction((tx) => mailKind(deps, tx, to, kind))
}
