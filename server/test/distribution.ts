// Where each table would be in a PostgreSQL on several servers, such as Citus (docs/scale.md). `distributed` tables are
// split by project_id. `reference` tables are copied to every server. `local` tables are on one server only.
export type Placement = 'distributed' | 'reference' | 'local'

interface PlacedTable {
  placement: Placement
  why: string
}

const place = (placement: Placement, why: string, tables: string): [string, PlacedTable][] =>
  tables.split(' ').map((table) => [table, { placement, why }])

/** A table that is not in this list counts as distributed. */
export const PLACEMENTS: Readonly<Record<string, PlacedTable>> = Object.fromEntries([
  ...place('distributed', 'one row or more per payment', 'transactions callbacks callback_attempts'),
  ...place('distributed', 'one row or more per payment', 'feed_events feed_inbox ledger_entries'),
  ...place('distributed', 'changes in the transaction of a payment', 'refunds disputes transaction_counts'),
  ...place(
    'distributed',
    'written with each payment',
    'payment_figures ledger_days ledger_quarters feed_heads',
  ),
  ...place('distributed', 'written with each callback', 'callback_lanes callback_figures inbox_requests'),
  ...place('distributed', 'one row per waiting callback', 'new_callbacks'),
  ...place('distributed', 'read with the feed of the project', 'feed_restarts'),
  ...place('distributed', 'belongs to a payment', 'upstream_reports erasure_waiting stripe_charges'),
  ...place('reference', 'read with each payment, seldom written', 'projects project_secrets project_brands'),
  ...place('reference', 'the owner is read with each payment, seldom written', 'accounts'),
  ...place('reference', 'read with each payment, one row', 'installation'),
  ...place('reference', 'who may see a project, checked with each list', 'project_members'),
  ...place('reference', 'which listeners get a callback, read with each batch of callbacks', 'event_streams'),
  ...place('reference', 'one row per restore, read with each page of the feed', 'feed_epochs'),
  ...place('local', 'sign-in and settings of people', 'api_tokens audit_events devices factor_resets'),
  ...place('local', 'sign-in and settings of people', 'lockout_buckets passkey_challenges passkeys sessions'),
  ...place('local', 'sign-in and settings of people', 'pending_sign_ins recovery_codes totp_factors'),
  ...place('local', 'sent by one worker', 'mails mail_tokens'),
  ...place('local', 'changed by people only', 'project_invitations project_transfers next_secrets'),
  ...place('local', 'few rows, for the operator', 'incidents incident_mails incidents_to_mail'),
  ...place('local', 'coordinates processes', 'delivery_processes loop_heartbeats lookup_budgets'),
  ...place(
    'local',
    'one row, or one per key or upstream',
    'erasure_progress ledger_backfill installation_keys',
  ),
  ...place('local', 'one row, or one per key or upstream', 'upstream_accounts schema_migrations'),
  ...place('local', 'the files of the portal', 'portal_files'),
  ...place('local', 'the sandbox is an upstream of its own', 'sandbox_charges sandbox_refunds'),
])

interface Exception {
  name: string
  needs: string
}

const PROJECT_IN_FRONT =
  'the same key with project_id in front; ids are random, so no other project has the same id'
const KEY_OF_PAYMENT =
  'a foreign key (project_id, transaction_id) to a unique key (project_id, id) of transactions'
const NEW_COLUMN = 'a column project_id, filled in batches, and then the key with project_id in front'

/** Keys that would not work with distributed tables, and what each needs. */
export const KEYS_NOT_READY: readonly Exception[] = [
  { name: 'transactions_pkey', needs: PROJECT_IN_FRONT },
  {
    name: 'transactions_attempt_id_key',
    needs: 'unique (project_id, attempt_id): an attempt belongs to one link and so to one project',
  },
  { name: 'callbacks_by_object', needs: PROJECT_IN_FRONT },
  { name: 'callbacks_transaction_id_fkey', needs: KEY_OF_PAYMENT },
  { name: 'disputes_by_upstream_ref', needs: PROJECT_IN_FRONT },
  { name: 'disputes_transaction_id_fkey', needs: KEY_OF_PAYMENT },
  { name: 'erasure_waiting_pkey', needs: NEW_COLUMN },
  { name: 'erasure_waiting_transaction_id_fkey', needs: KEY_OF_PAYMENT },
  { name: 'inbox_requests_pkey', needs: PROJECT_IN_FRONT },
  {
    name: 'incidents_transaction_id_fkey',
    needs: 'no foreign key: few rows, and a payment is never deleted alone',
  },
  {
    name: 'refunds_by_id',
    needs: 'an upstream that gets the project with each refund, and returns the project in its reports',
  },
  { name: 'refunds_by_lookup_id', needs: PROJECT_IN_FRONT },
  { name: 'refunds_by_upstream_ref', needs: PROJECT_IN_FRONT },
  { name: 'refunds_of_second_charges', needs: PROJECT_IN_FRONT },
  { name: 'refunds_transaction_id_fkey', needs: KEY_OF_PAYMENT },
  { name: 'stripe_charges_pkey', needs: NEW_COLUMN },
  { name: 'stripe_charges_session_id_key', needs: NEW_COLUMN },
  { name: 'upstream_reports_pkey', needs: NEW_COLUMN },
  { name: 'upstream_reports_transaction_id_fkey', needs: KEY_OF_PAYMENT },
]

const PROJECT_BEFORE_ID =
  'the project in front of the id wherever an id is passed on: in links and tokens, to the upstream, and in the URL of the state page'

/** Frequent statements without project_id, and what each needs. */
export const STATEMENTS_NOT_READY: Readonly<Record<string, string>> = {
  'callbacks.record_new':
    'a condition on project_id in addition to the condition on ctid; the ctid was found by project_id',
  'checkout.find_shown': `${PROJECT_BEFORE_ID}; the URL of a payment contains no project`,
  'checkout.find_target': 'project_id in the conditions on attempt, hash and checkout, and in their indexes',
  'feed.page': 'project_id in the join with transactions',
  'lanes.take': 'nothing: every server is queried once per poll, not per payment',
  'list.page': 'project_id in the joins with transactions and callbacks',
  'payments.open': 'project_id in the conditions on hash and checkout, and in their indexes',
  'payments.settle_order': PROJECT_BEFORE_ID,
  'status.find_facts': 'project_id in the condition on the hash, and in its index',
}

function toBlock(sql: string, index: number): string {
  let start = index
  for (let depth = 0; start > 0; start -= 1) {
    if (sql[start] === ')') depth += 1
    else if (sql[start] === '(' && --depth < 0) break
  }
  let block = ''
  for (let position = start + (sql[start] === '(' ? 1 : 0), depth = 0; position < sql.length; position += 1) {
    if (sql[position] === '(') depth += 1
    else if (sql[position] === ')' && --depth < 0) break
    else if (depth === 0) block += sql[position]
  }
  return block
}

const KEYWORDS = /^(?:where|join|left|cross|on|set|order|for|limit|group|using|returning|union|offset)$/i

/** The distributed tables that a statement reads or writes without project_id. */
export function findWithoutProject(sql: string, distributed: ReadonlySet<string>): string[] {
  const uses = [...sql.matchAll(/\b(?:from|join|update|into|,)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/gi)]
  return uses.flatMap(({ 0: text, 1: table = '', 2: next = '', index }) => {
    if (!distributed.has(table)) return []
    if (/^into/i.test(text)) {
      const columns = /\(([^)]*)\)/.exec(sql.slice(index))?.[1] ?? ''
      return columns.includes('project_id') ? [] : [table]
    }
    const alias =
      next === '' || KEYWORDS.test(next) ? String.raw`(?:${table}\.)?` : String.raw`(?:${next}\.)?`
    const condition = new RegExp(String.raw`(?<![.\w])${alias}project_id\s*=|=\s*${alias}project_id\b`, 'i')
    return condition.test(toBlock(sql, index)) ? [] : [table]
  })
}

export function placementOf(table: string): Placement {
  return PLACEMENTS[table]?.placement ?? 'distributed'
}
