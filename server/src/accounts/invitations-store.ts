// Invitations to projects. The database's clock decides whether an invitation has expired.
import { INVITATION_MAX_DAYS } from '@pazar/contract'
import type { MemberRole } from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'
import type { EmailAddress } from './email-address.ts'

const IS_OPEN = 'ended_at is null and expires_at > now()'

export interface NewInvitation {
  id: string
  tokenHash: Buffer
  projectId: string
  invitedBy: AccountId
  address: EmailAddress
  role: MemberRole
}

const INSERT = statement(
  'invitations.insert',
  `insert into project_invitations (id, token_hash, project_id, invited_by, email, email_key, role, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, now() + interval '${INVITATION_MAX_DAYS} days')`,
)

export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<void> {
  const { id, tokenHash, projectId, invitedBy, address, role } = invitation
  await tx.query(INSERT, [id, tokenHash, projectId, invitedBy, address.email, address.key, role])
}

export interface Invitation {
  projectId: string
  emailKey: string
  role: MemberRole
}

const FIND = statement(
  'invitations.find',
  `select project_id as "projectId", email_key as "emailKey", role from project_invitations
   where token_hash = $1 and ${IS_OPEN}`,
)

export async function findInvitation(db: Queryable, tokenHash: Buffer): Promise<Invitation | null> {
  const [row] = await db.query<Invitation>(FIND, [tokenHash])
  return row ?? null
}

export interface SentInvitation extends Invitation {
  email: string
  /** The inviter's email address. Null: the inviter has not confirmed it, so it may be somebody else's. */
  invitedBy: string | null
  state: 'open' | 'expired' | 'ended'
  expiresAt: Date
}

const FIND_SENT = statement(
  'invitations.find_sent',
  `select i.project_id as "projectId", i.email_key as "emailKey", i.role, i.email,
     case when a.email_confirmed_at is not null then a.email end as "invitedBy",
     case when i.ended_at is not null then 'ended' when i.expires_at > now() then 'open' else 'expired' end as state,
     i.expires_at as "expiresAt"
   from project_invitations i join accounts a on a.id = i.invited_by where i.token_hash = $1`,
)

/** Finds an invitation in any state, for the person who opens its link. */
export async function findSentInvitation(db: Queryable, tokenHash: Buffer): Promise<SentInvitation | null> {
  const [row] = await db.query<SentInvitation>(FIND_SENT, [tokenHash])
  return row ?? null
}

const USE = statement(
  'invitations.use',
  `update project_invitations set ended_at = now() where token_hash = $1 and ${IS_OPEN} returning role`,
)

/** Returns the granted role. Null when the invitation is no longer open. */
export async function useInvitation(tx: Tx, tokenHash: Buffer): Promise<MemberRole | null> {
  const [row] = await tx.query<{ role: MemberRole }>(USE, [tokenHash])
  return row?.role ?? null
}

const LIST = statement(
  'invitations.list',
  `select email, role, created_at as "createdAt", expires_at as "expiresAt" from project_invitations
   where project_id = $1 and ${IS_OPEN} order by created_at, id`,
)

export async function listInvitations(
  db: Queryable,
  projectId: string,
): Promise<{ email: string; role: MemberRole; createdAt: Date; expiresAt: Date }[]> {
  return db.query(LIST, [projectId])
}

const END_OF_ADDRESS = statement(
  'invitations.end_of_address',
  `update project_invitations set ended_at = now()
   where project_id = $1 and email_key = $2 and ended_at is null returning expires_at > now() as "wasOpen"`,
)

/** Ends the invitations of this address to the project. Returns whether one of them was still open. */
export async function endInvitationsOf(tx: Tx, projectId: string, emailKey: string): Promise<boolean> {
  const rows = await tx.query<{ wasOpen: boolean }>(END_OF_ADDRESS, [projectId, emailKey])
  return rows.some(({ wasOpen }) => wasOpen)
}

const SET_ROLE = statement(
  'invitations.set_role',
  `update project_invitations i set role = $3, invited_by = case when former.role = $3 then i.invited_by else $4 end
   from (select id, role from project_invitations where project_id = $1 and email_key = $2 and ${IS_OPEN} for update) former
   where i.id = former.id returning i.email, former.role as "formerRole"`,
)

/** A person who changes the role becomes the inviter. Returns null when the address has no open invitation. */
export async function setInvitedRole(
  tx: Tx,
  projectId: string,
  { emailKey, role, invitedBy }: { emailKey: string; role: MemberRole; invitedBy: AccountId },
): Promise<{ email: string; formerRole: MemberRole } | null> {
  type Row = { email: string; formerRole: MemberRole }
  const [row] = await tx.query<Row>(SET_ROLE, [projectId, emailKey, role, invitedBy])
  return row ?? null
}

const END_BY = statement(
  'invitations.end_by',
  'update project_invitations set ended_at = now() where project_id = $1 and invited_by = $2 and ended_at is null',
)

/** Called when a person loses access to the project, or rights in it. */
export async function endInvitationsBy(tx: Tx, projectId: string, accountId: AccountId): Promise<void> {
  await tx.query(END_BY, [projectId, accountId])
}

const END_ALL = statement(
  'invitations.end_all',
  'update project_invitations set ended_at = now() where ended_at is null',
)

/** Called after a restore or a failover that lost writes. Otherwise cancelled invitations could be open again. */
export async function endAllInvitations(tx: Tx): Promise<void> {
  await tx.query(END_ALL)
}

const END_OF_CLOSED = statement(
  'invitations.end_of_closed',
  `update project_invitations set ended_at = now()
   where (invited_by = $1 or project_id = any ($2)) and ended_at is null`,
)

export async function endInvitationsOfClosed(
  tx: Tx,
  accountId: AccountId,
  projectIds: readonly string[],
): Promise<void> {
  await tx.query(END_OF_CLOSED, [accountId, projectIds])
}
