// An audit entry is written in the transaction of its action. `changes` must not contain secrets, tokens or passwords.
import type { Queryable, Tx } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { newUuidV7, UUID_PATTERN } from '../lib/id.ts'
import { invalidField } from '../lib/service-error.ts'
import type { AccountId } from './account.ts'
import { findAuditEvents, insertAuditEvent } from './audit-store.ts'
import type { AuditEntry, AuditScope } from './audit-store.ts'
import type { ClientFacts } from './client.ts'

export type AuditAction =
  | 'signed_up'
  | 'signed_in'
  | 'signed_out'
  | 'step_up'
  | 'password_changed'
  | 'password_reset'
  | 'email_change_asked'
  | 'email_confirmed'
  | 'email_changed'
  | 'totp_added'
  | 'totp_removed'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_renamed'
  | 'passkey_refused'
  | 'factor_reset_requested'
  | 'factor_reset_cancelled'
  | 'factor_reset'
  | 'sessions_revoked'
  | 'devices_forgotten'
  | 'token_made'
  | 'token_revoked'
  | 'account_updated'
  | 'kyc_verified'
  | 'account_closed'
  | 'project_added'
  | 'project_updated'
  | 'brand_changed'
  | 'logo_changed'
  | 'logo_removed'
  | 'project_archived'
  | 'project_restored'
  | 'project_deleted'
  | 'member_invited'
  | 'member_joined'
  | 'member_role_changed'
  | 'member_removed'
  | 'member_left'
  | 'transfer_offered'
  | 'transfer_accepted'
  | 'transfer_cancelled'
  | 'transfer_ended'
  | 'ownership_transferred'
  | 'secret_revealed'
  | 'secret_rotated'
  | 'next_secret_prepared'
  | 'next_secret_discarded'
  | 'test_secret_rotated'
  | 'payment_resolved'
  | 'refund_requested'
  | 'refund_resolved'
  | 'callbacks_resent'
  | 'data_pruned'
  | 'currency_changed'
  | 'callback_storage_changed'

/**
 * `owner`: the person whose account is in the entry, not the owner of a project. `operator`: a command on the server, or an
 * action that the service takes later because of a command.
 */
export type AuditActor = 'owner' | 'operator' | `token:${string}`

export interface AuditEvent {
  /** Null for actions on the whole installation. */
  accountId: AccountId | null
  action: AuditAction
  actor: AuditActor
  client: ClientFacts | null
  projectId?: string | null
  changes?: Readonly<Record<string, unknown>>
}

export function byAccount(
  person: ClientFacts & { account: { id: AccountId }; token?: { name: string } | null },
): Pick<AuditEvent, 'actor' | 'client'> & { accountId: AccountId } {
  return {
    accountId: person.account.id,
    actor: person.token ? `token:${person.token.name}` : 'owner',
    client: { ip: person.ip, userAgent: person.userAgent },
  }
}

/** Returns the id of the entry. */
export async function recordAudit(deps: { clock: Clock }, tx: Tx, event: AuditEvent): Promise<string> {
  const id = newUuidV7(deps.clock)
  await insertAuditEvent(tx, {
    id,
    accountId: event.accountId,
    projectId: event.projectId ?? null,
    action: event.action,
    actor: event.actor,
    ip: event.client?.ip ?? null,
    userAgent: event.client?.userAgent ?? null,
    changes: event.changes ?? {},
  })
  return id
}

function parseCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!UUID_PATTERN.test(id)) throw invalidField('cursor', 'invalid')
  return id
}

export interface AuditPage {
  items: AuditEntry[]
  nextCursor: string | null
}

export async function listAudit(
  db: Queryable,
  scope: AuditScope,
  query: { cursor?: string | undefined; limit: number },
): Promise<AuditPage> {
  const found = await findAuditEvents(db, scope, {
    beforeId: query.cursor === undefined ? null : parseCursor(query.cursor),
    limit: query.limit + 1,
  })
  const items = found.slice(0, query.limit)
  const last = items.at(-1)
  const nextCursor = found.length > items.length && last ? Buffer.from(last.id).toString('base64url') : null
  return { items, nextCursor }
}

/** Returns what the action was about: the name of a token or passkey, or an e-mail address. Otherwise null. */
export function toAuditSubject({ action, changes }: Pick<AuditEntry, 'action' | 'changes'>): string | null {
  const field = /^(?:token|passkey)_/.test(action)
    ? changes['name']
    : /^(?:member|transfer|email)_/.test(action)
      ? changes['email']
      : null
  const name = typeof field === 'object' && field !== null && 'to' in field ? field.to : field
  return typeof name === 'string' ? name : null
}
