import { mayGetMails } from '@pazar/contract'
import type { MailTopic, MemberRole } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import type { Recipient } from '../accounts/mail/queue-mail.ts'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'

/** The event streams of every process listen on this channel, so that streams of a removed member end. */
export const ACCESS_CHANNEL = 'project_access'

export interface Member {
  accountId: AccountId
  email: string
  role: MemberRole
  mails: MailTopic[]
  since: Date
}

const SELECT = `select m.account_id as "accountId", a.email, m.role, m.mails, m.since
  from project_members m join accounts a on a.id = m.account_id`

const LIST = statement('members.list', `${SELECT} where m.project_id = $1 order by m.since, m.account_id`)

export async function listMembers(db: Queryable, projectId: string): Promise<Member[]> {
  return db.query<Member>(LIST, [projectId])
}

const FIND = statement('members.find', `${SELECT} where m.project_id = $1 and a.email_key = $2`)

export async function findMember(db: Queryable, projectId: string, emailKey: string): Promise<Member | null> {
  const [row] = await db.query<Member>(FIND, [projectId, emailKey])
  return row ?? null
}

const COUNT_SHARED = statement(
  'members.count_shared',
  'select count(*)::integer as n from project_members where account_id = $1',
)

export async function countSharedProjects(db: Queryable, accountId: AccountId): Promise<number> {
  return (await db.query<{ n: number }>(COUNT_SHARED, [accountId]))[0]!.n
}

const PUT = statement(
  'members.put',
  `insert into project_members (project_id, account_id, role, mails) values ($1, $2, $3, $4)
   on conflict (project_id, account_id) do update set role = excluded.role, mails = excluded.mails`,
)

export async function putMember(
  tx: Tx,
  projectId: string,
  member: { accountId: AccountId; role: MemberRole; mails: readonly MailTopic[] },
): Promise<void> {
  await tx.query(PUT, [projectId, member.accountId, member.role, member.mails])
}

const SET_MAILS = statement(
  'members.set_mails',
  'update project_members set mails = $3 where project_id = $1 and account_id = $2',
)

export async function setMails(
  db: Queryable,
  projectId: string,
  accountId: AccountId,
  mails: readonly MailTopic[],
): Promise<void> {
  await db.query(SET_MAILS, [projectId, accountId, mails])
}

/** A statement that deletes memberships and, when the transaction commits, notifies the event streams. */
const endMemberships = (where: string) =>
  `with gone as (delete from project_members where ${where} returning project_id, account_id)
   select pg_notify('${ACCESS_CHANNEL}', project_id || ' ' || account_id) from gone`

const DELETE = statement('members.delete', endMemberships('project_id = $1 and account_id = $2'))

export async function deleteMember(tx: Tx, projectId: string, accountId: AccountId): Promise<void> {
  await tx.query(DELETE, [projectId, accountId])
}

const REPLACE_BY_OWNER = statement(
  'members.replace_by_owner',
  'delete from project_members where project_id = $1 and account_id = $2',
)

/** Called when a member becomes the owner. The member keeps access, so the member's streams do not end. */
export async function deleteMembershipOfNewOwner(
  tx: Tx,
  projectId: string,
  accountId: AccountId,
): Promise<void> {
  await tx.query(REPLACE_BY_OWNER, [projectId, accountId])
}

const DELETE_ALL_OF = statement(
  'members.delete_all_of',
  endMemberships('account_id = $1 or project_id = any ($2)'),
)

/** Called when an account is closed. Deletes its memberships, and all memberships in its own projects (`projectIds`). */
export async function deleteMembershipsOfClosed(
  tx: Tx,
  accountId: AccountId,
  projectIds: readonly string[],
): Promise<void> {
  await tx.query(DELETE_ALL_OF, [accountId, projectIds])
}

const WITHOUT_ACCESS = statement(
  'members.without_access',
  `select k.project_id || ' ' || k.account_id as key from unnest($1::text[], $2::uuid[]) as k (project_id, account_id)
   where not exists (select from projects p where p.id = k.project_id and (p.owner_id = k.account_id
     or exists (select from project_members m where m.project_id = p.id and m.account_id = k.account_id)))`,
)

/** Returns the pairs whose account has no access to the project, each as the text `projectId accountId`. */
export async function findWithoutAccess(
  db: Queryable,
  pairs: readonly { projectId: string; accountId: AccountId }[],
): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(WITHOUT_ACCESS, [
    pairs.map(({ projectId }) => projectId),
    pairs.map(({ accountId }) => accountId),
  ])
  return new Set(rows.map(({ key }) => key))
}

const RECIPIENTS = statement(
  'members.recipients',
  `select a.id, a.email, a.locale, a.time_zone as "timeZone", m.role from project_members m join accounts a on a.id = m.account_id
   where m.project_id = $1 and $2 = any (m.mails) and a.closed_at is null order by m.since, a.id`,
)

/** The owner is not included. */
export async function findMemberRecipients(
  db: Queryable,
  projectId: string,
  topic: MailTopic,
): Promise<Recipient[]> {
  const members = await db.query<Recipient & { role: MemberRole }>(RECIPIENTS, [projectId, topic])
  return members
    .filter(({ role }) => mayGetMails(role, topic))
    .map(({ role: _role, ...recipient }) => recipient)
}
