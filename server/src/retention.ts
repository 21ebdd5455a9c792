// Lists how long the rows of each table are stored, or why they are stored forever. The files named in `by` delete the
// rows. A test compares this list with the tables of the database and with docs/data.md.
import {
  AUDIT_RETENTION_DAYS,
  DEVICE_RETENTION_DAYS,
  INBOX_RETENTION_DAYS,
  INVITATION_RETENTION_DAYS,
  MAIL_RETENTION_DAYS,
  PASSKEY_CHALLENGE_MAX_SEC,
  PENDING_SIGN_IN_MAX_SEC,
  PORTAL_FILES_RETENTION_DAYS,
  SESSION_MAX_DAYS,
  TOKEN_RETENTION_DAYS,
} from '@pazar/contract'
import { BUCKET_RETENTION_MIN } from './accounts/lockout-store.ts'

export type Retention =
  /** Rows of any age are stored. The text gives the reason. */
  | { forever: string }
  /** A row is deleted with the row of another table, or earlier. `growth` says how many rows there can be. */
  | { with: string; growth: string }
  /** A row is deleted at this age, by the file in server/src that `by` names. */
  | {
      age: string
      by: 'accounts/cleanup' | 'callbacks/lane-store' | 'deliveries/retention' | 'portal/files-store'
    }

const BOOKS = 'the books: amounts, states and references of payments are stored forever'

export const RETENTION: Readonly<Record<string, Retention>> = {
  accounts: {
    forever:
      'until its owner closes it; if it has live payments, an empty row stays as the owner of the payments',
  },
  api_tokens: { age: `${TOKEN_RETENTION_DAYS} days after its end`, by: 'accounts/cleanup' },
  audit_events: { age: `${AUDIT_RETENTION_DAYS} days`, by: 'accounts/cleanup' },
  callback_attempts: { age: 'ATTEMPT_RETENTION_DAYS', by: 'deliveries/retention' },
  callback_figures: {
    with: 'projects',
    growth: 'one row per mode and hour in which there was a callback',
  },
  callback_lanes: { with: 'projects', growth: 'one row per mode' },
  callbacks: {
    forever: `${BOOKS}, and the results that merchants were notified of; test callbacks: ATTEMPT_RETENTION_DAYS`,
  },
  new_callbacks: {
    with: 'callbacks',
    growth: 'callbacks that were not attempted yet',
  },
  delivery_processes: { age: '1 hour after it stopped', by: 'callbacks/lane-store' },
  devices: { age: `${DEVICE_RETENTION_DAYS} days after its last use`, by: 'accounts/cleanup' },
  disputes: { forever: BOOKS },
  erasure_progress: { forever: 'one row' },
  erasure_waiting: {
    with: 'transactions',
    growth:
      'adopted payments, and payments past PAYMENT_DATA_RETENTION_DAYS that are open, in review or have a queued callback',
  },
  event_streams: { age: 'minutes after the stream has ended', by: 'deliveries/retention' },
  feed_epochs: { forever: 'one row per restore' },
  feed_events: { forever: `${BOOKS}; events store no texts, because texts are read from the payment` },
  feed_heads: { with: 'projects', growth: 'one row per project' },
  feed_inbox: { with: 'projects', growth: 'events of the last seconds, until they are published' },
  feed_restarts: { with: 'projects', growth: 'one row per restore' },
  inbox_requests: { age: `${INBOX_RETENTION_DAYS} days`, by: 'deliveries/retention' },
  incident_mails: { forever: 'one row per kind of incident' },
  incidents: { forever: 'few, without texts of payers, and part of the history of their payment' },
  incidents_to_mail: {
    with: 'incidents',
    growth: 'incidents of the last hour that the operator was not mailed about',
  },
  loop_heartbeats: { forever: 'one row per loop' },
  installation: { forever: 'one row' },
  ledger_backfill: { forever: 'one row' },
  ledger_days: { with: 'projects', growth: 'one row per mode and day with an entry' },
  ledger_entries: { forever: BOOKS },
  ledger_quarters: {
    with: 'projects',
    growth: 'one row per mode and quarter of an hour with a refund or dispute',
  },
  lockout_buckets: { age: `${BUCKET_RETENTION_MIN} minutes`, by: 'accounts/cleanup' },
  installation_keys: { forever: 'one row per key' },
  lookup_budgets: { forever: 'one row per upstream' },
  mail_tokens: { age: '1 day after its end', by: 'accounts/cleanup' },
  mails: { age: `${MAIL_RETENTION_DAYS} days after it was sent or given up`, by: 'accounts/cleanup' },
  payment_figures: { with: 'projects', growth: 'one row per mode and quarter of an hour with a payment' },
  portal_files: {
    age: `${PORTAL_FILES_RETENTION_DAYS} days after another release replaced it`,
    by: 'portal/files-store',
  },
  project_invitations: {
    age: `${INVITATION_RETENTION_DAYS} days after its expiry`,
    by: 'accounts/cleanup',
  },
  project_brands: { with: 'projects', growth: 'one row per project' },
  project_members: { with: 'projects', growth: 'one row per member' },
  next_secrets: { with: 'projects', growth: 'one row per project' },
  project_transfers: { with: 'projects', growth: 'one row per project, for eight days at most' },
  project_secrets: { with: 'projects', growth: 'one row per mode' },
  projects: {
    forever:
      'until its owner deletes it; if it has live payments, the row stays as the project of the payments',
  },
  refunds: { forever: BOOKS },
  sandbox_charges: { forever: "the sandbox's own ledger, in which its payments can always be looked up" },
  sandbox_refunds: { with: 'transactions', growth: 'one row per refund of a sandbox payment' },
  schema_migrations: { forever: 'one row per migration' },
  factor_resets: { with: 'accounts', growth: 'one row per account, for a day' },
  passkeys: { with: 'accounts', growth: 'at most 20 rows per account' },
  passkey_challenges: { age: `${PASSKEY_CHALLENGE_MAX_SEC / 60} minutes`, by: 'accounts/cleanup' },
  pending_sign_ins: { age: `${PENDING_SIGN_IN_MAX_SEC / 60} minutes`, by: 'accounts/cleanup' },
  recovery_codes: { with: 'accounts', growth: '10 rows per account' },
  totp_factors: { with: 'accounts', growth: 'one row per account' },
  sessions: { age: `${SESSION_MAX_DAYS} days, or 1 day unused`, by: 'accounts/cleanup' },
  stripe_charges: {
    forever: "links a payment to its session at Stripe; Stripe's events can arrive at any time",
  },
  transaction_counts: { with: 'projects', growth: '32 rows per mode and state' },
  transactions: { forever: BOOKS },
  upstream_accounts: { forever: 'one row per account of an upstream that was ever configured' },
  upstream_reports: {
    forever: 'only reports that contradict the stored payment, at most 51 rows per payment',
  },
}
