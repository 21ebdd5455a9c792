// What may go. Each statement takes a small batch, so that no lock is held for long.
import { statement } from '../db/pool.ts'
import type { Db, Statement } from '../db/pool.ts'
import { LOCKOUT_WINDOW_MIN } from './lockout-store.ts'

export const CLEANUP_BATCH = 500

/** Kept for support questions ("did the mail go out?"), then gone: a mail's row names a person. */
const MAIL_KEPT_DAYS = 30
/** Long enough to see which token ran out when a program is found not to work any more. */
const TOKEN_KEPT_DAYS = 30
const DEVICE_KEPT_DAYS = 365

const batchOf = (table: string, condition: string) =>
  `delete from ${table} where ctid = any (array(
     select ctid from ${table} where ${condition} limit ${CLEANUP_BATCH})) returning 1`

export const STALE = {
  sessions: statement(
    'cleanup.sessions',
    batchOf('sessions', `expires_at < now() or last_seen_at < now() - interval '1 day'`),
  ),
  lockouts: statement(
    'cleanup.lockouts',
    batchOf('lockout_buckets', `last_at < now() - interval '${LOCKOUT_WINDOW_MIN} minutes'`),
  ),
  // A day longer than they work, because they also count how many were sent in a day.
  links: statement('cleanup.links', batchOf('mail_tokens', `expires_at < now() - interval '1 day'`)),
  mails: statement(
    'cleanup.mails',
    batchOf('mails', `coalesce(sent_at, gave_up_at) < now() - interval '${MAIL_KEPT_DAYS} days'`),
  ),
  tokens: statement(
    'cleanup.tokens',
    batchOf('api_tokens', `least(expires_at, revoked_at) < now() - interval '${TOKEN_KEPT_DAYS} days'`),
  ),
  devices: statement(
    'cleanup.devices',
    batchOf('devices', `last_used_at < now() - interval '${DEVICE_KEPT_DAYS} days'`),
  ),
} satisfies Record<string, Statement>

export type StaleKind = keyof typeof STALE

export async function deleteStaleBatch(db: Db, kind: StaleKind): Promise<number> {
  return (await db.query(STALE[kind])).length
}
