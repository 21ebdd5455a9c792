// Deletes expired rows. Each statement deletes a small batch, so that locks are short.
import {
  AUDIT_RETENTION_DAYS,
  DEVICE_RETENTION_DAYS,
  INVITATION_RETENTION_DAYS,
  TOKEN_RETENTION_DAYS,
} from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Queryable, Statement } from '../db/pool.ts'
import { BUCKET_RETENTION_MIN } from './lockout-store.ts'

export const CLEANUP_BATCH = 500

const toBatchDelete = (table: string, condition: string, key: 'ctid' | 'id' = 'ctid') =>
  `delete from ${table} where ${key} = any (array(
     select ${key} from ${table} where ${condition} limit ${CLEANUP_BATCH})) returning 1`

/** Ids start with the time in milliseconds. */
const lowestIdAt = (instant: string) =>
  `(lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`

export const STALE = {
  sessions: statement(
    'cleanup.sessions',
    toBatchDelete('sessions', `expires_at < now() or last_seen_at < now() - interval '1 day'`),
  ),
  lockout_buckets: statement(
    'cleanup.lockouts',
    toBatchDelete('lockout_buckets', `last_at < now() - interval '${BUCKET_RETENTION_MIN} minutes'`),
  ),
  passkey_challenges: statement(
    'cleanup.passkey_challenges',
    toBatchDelete('passkey_challenges', 'expires_at < now()'),
  ),
  pending_sign_ins: statement(
    'cleanup.pending_sign_ins',
    toBatchDelete('pending_sign_ins', 'expires_at < now()'),
  ),
  // A voided link is stored for one more day, because it counts towards CONFIRMATION_MAILS_PER_DAY_MAX.
  mail_tokens: statement(
    'cleanup.links',
    toBatchDelete('mail_tokens', `expires_at < now() - interval '1 day'`),
  ),
  // A later release partitions mails and audit_events by month (docs/scale.md). Rows of two partitions can have the same
  // ctid, so rows of these tables are deleted by id.
  mails: statement(
    'cleanup.mails',
    toBatchDelete(
      'mails',
      `coalesce(sent_at, gave_up_at) < now() - make_interval(days => $1::integer)`,
      'id',
    ),
  ),
  api_tokens: statement(
    'cleanup.tokens',
    toBatchDelete(
      'api_tokens',
      `least(expires_at, revoked_at) < now() - interval '${TOKEN_RETENTION_DAYS} days'`,
    ),
  ),
  devices: statement(
    'cleanup.devices',
    toBatchDelete('devices', `last_used_at < now() - interval '${DEVICE_RETENTION_DAYS} days'`),
  ),
  project_invitations: statement(
    'cleanup.invitations',
    toBatchDelete('project_invitations', `expires_at < now() - interval '${INVITATION_RETENTION_DAYS} days'`),
  ),
  audit_events: statement(
    'cleanup.audit',
    toBatchDelete(
      'audit_events',
      `id < ${lowestIdAt(`now() - interval '${AUDIT_RETENTION_DAYS} days'`)} and at < now() - interval '${AUDIT_RETENTION_DAYS} days'`,
      'id',
    ),
  ),
} satisfies Record<string, Statement>

export type StaleTable = keyof typeof STALE

export async function deleteStaleBatch(
  db: Queryable,
  table: StaleTable,
  mailRetentionDays: number,
): Promise<number> {
  return (await db.query(STALE[table], table === 'mails' ? [mailRetentionDays] : [])).length
}
