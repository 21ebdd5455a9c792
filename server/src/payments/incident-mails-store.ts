import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'

export interface MailedIncident {
  number: number
  transactionId: string | null
}

const ADD = statement(
  'incidents_to_mail.add',
  'insert into incidents_to_mail (incident_id, kind) values ($1, $2) on conflict do nothing',
)

export async function addToMail(tx: Tx, incidentId: number, kind: IncidentKind): Promise<void> {
  await tx.query(ADD, [incidentId, kind])
}

/** At most one mail per kind of incident is queued in this time, so that a repeated fault does not fill the mailbox. */
const WAIT = "interval '1 hour'"

const CLAIM = statement(
  'incidents_to_mail.claim',
  `insert into incident_mails (kind, queued_at) values ($1, now())
   on conflict (kind) do update set queued_at = now() where incident_mails.queued_at <= now() - ${WAIT}
   returning kind`,
)

/** True: the caller may queue a mail now. */
export async function claimIncidentMail(tx: Tx, kind: IncidentKind): Promise<boolean> {
  return (await tx.query(CLAIM, [kind])).length > 0
}

const TAKE = statement(
  'incidents_to_mail.take',
  `with taken as (delete from incidents_to_mail where kind = $1 returning incident_id)
   select i.id as number, i.transaction_id as "transactionId" from incidents i join taken on taken.incident_id = i.id
   order by i.id`,
)

export async function takeIncidentsToMail(tx: Tx, kind: IncidentKind): Promise<MailedIncident[]> {
  return tx.query<MailedIncident>(TAKE, [kind])
}

const LIST_DUE = statement(
  'incidents_to_mail.list_due',
  `select distinct w.kind from incidents_to_mail w
   where not exists (select from incident_mails m where m.kind = w.kind and m.queued_at > now() - ${WAIT})`,
)

export async function listKindsToMail(db: Queryable): Promise<IncidentKind[]> {
  return (await db.query<{ kind: IncidentKind }>(LIST_DUE)).map(({ kind }) => kind)
}
