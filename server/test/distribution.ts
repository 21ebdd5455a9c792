// Where each table would be in a PostgreSQL that is spread over several servers, such as Citus: rows that grow with payments are
// distributed by project_id, so that everything about a project is on one server. docs/scale.md explains it; a test keeps the
// schema ready.
export type Placement = 'distributed' | 'reference' | 'local'

interface Placed {
  placement: Placement
  why: string
}

const each = (placement: Placement, why: string, tables: string): [string, Placed][] =>
  tables.split(' ').map((table) => [table, { placement, why }])

/** A table that is not in this list counts as distributed, and all rules for those apply to it. */
export const PLACED: Readonly<Record<string, Placed>> = Object.fromEntries([
  ...each('distributed', 'one row or more per payment', 'transactions callbacks callback_attempts'),
  ...each('distributed', 'one row or more per payment', 'feed_events feed_inbox ledger_entries'),
  ...each('distributed', 'changes in the transaction of a payment', 'refunds disputes transaction_counts'),
  ...each(
    'distributed',
    'written with each payment',
    'payment_figures ledger_days ledger_quarters feed_heads',
  ),
  ...each('distributed', 'written with each callback', 'callback_lanes callback_figures inbox_requests'),
  ...each('distributed', 'read with the feed of the project', 'feed_restarts'),
  ...each('distributed', 'belongs to a payment', 'upstream_reports erasure_waiting stripe_charges'),
  ...each('reference', 'read with each payment, seldom written', 'projects project_secrets project_brands'),
  ...each('reference', 'the owner is read with each payment, seldom written', 'accounts'),
  ...each('reference', 'read with each payment, one row', 'installation'),
  ...each('reference', 'who may see a project, checked with each list', 'project_members'),
  ...each('reference', 'which listeners get a callback, read with each batch of callbacks', 'event_streams'),
  ...each('reference', 'one row per restore, read with each page of the feed', 'feed_epochs'),
  ...each('local', 'sign-in and settings of people', 'api_tokens audit_events devices factor_resets'),
  ...each('local', 'sign-in and settings of people', 'lockout_buckets passkey_challenges passkeys sessions'),
  ...each('local', 'sign-in and settings of people', 'pending_sign_ins recovery_codes totp_factors'),
  ...each('local', 'sent by one worker', 'mails mail_tokens'),
  ...each('local', 'changed by people only', 'project_invitations project_transfers next_secrets'),
  ...each('local', 'few rows, for the operator', 'incidents incident_mails incidents_to_mail'),
  ...each('local', 'coordinates processes', 'delivery_processes loop_heartbeats lookup_budgets'),
  ...each(
    'local',
    'one row, or one per key or upstream',
    'erasure_progress ledger_backfill installation_keys',
  ),
  ...each('local', 'one row, or one per key or upstream', 'upstream_accounts schema_migrations'),
  ...each('local', 'the files of the portal', 'portal_files'),
  ...each('local', 'the sandbox is an upstream of its own', 'sandbox_charges sandbox_refunds'),
])

interface Exception {
  name: string
  needs: string
}

const WITH_PROJECT =
  'the same key with project_id in front; ids are random, so that no other project has the same'
const OF_PAYMENT =
  'a foreign key (project_id, transaction_id) to a unique key (project_id, id) of transactions'
const NEW_COLUMN = 'a column project_id, filled in batches, and then the key with it in front'

/** Keys and foreign keys that are not ready, and what it takes. */
export const KEYS_NOT_READY: readonly Exception[] = [
  { name: 'transactions_pkey', needs: WITH_PROJECT },
  {
    name: 'transactions_attempt_id_key',
    needs: 'unique (project_id, attempt_id): an attempt belongs to one link and so to one project',
  },
  { name: 'callbacks_by_object', needs: WITH_PROJECT },
  { name: 'callbacks_transaction_id_fkey', needs: OF_PAYMENT },
  { name: 'disputes_by_upstream_ref', needs: WITH_PROJECT },
  { name: 'disputes_transaction_id_fkey', needs: OF_PAYMENT },
  { name: 'erasure_waiting_pkey', needs: NEW_COLUMN },
  { name: 'erasure_waiting_transaction_id_fkey', needs: OF_PAYMENT },
  { name: 'inbox_requests_pkey', needs: WITH_PROJECT },
  {
    name: 'incidents_transaction_id_fkey',
    needs: 'no foreign key: few rows, and a payment is never deleted alone',
  },
  { name: 'refunds_by_charge', needs: WITH_PROJECT },
  { name: 'refunds_by_id', needs: 'an upstream that is told the project, so that its reports name it too' },
  { name: 'refunds_by_upstream_ref', needs: WITH_PROJECT },
  { name: 'refunds_transaction_id_fkey', needs: OF_PAYMENT },
  { name: 'stripe_charges_pkey', needs: NEW_COLUMN },
  { name: 'stripe_charges_session_id_key', needs: NEW_COLUMN },
  { name: 'upstream_reports_pkey', needs: NEW_COLUMN },
  { name: 'upstream_reports_transaction_id_fkey', needs: OF_PAYMENT },
]

const BY_ID =
  'the project in front of the id wherever an id is passed on: links, tokens, upstream and state page'

/** Statements of the hot paths that find rows of a distributed table without their project, and what it takes. */
export const STATEMENTS_NOT_READY: Readonly<Record<string, string>> = {
  'checkout.find_shown': `${BY_ID}; the address of a payment names no project`,
  'checkout.find_target': 'project_id in the conditions on attempt, hash and checkout, and in their indexes',
  'feed.page': 'project_id in the join with transactions',
  'lanes.take': 'nothing: it asks every server once per poll, not per payment',
  'list.page': 'project_id in the joins with transactions and callbacks',
  'payments.open': 'project_id in the conditions on hash and checkout, and in their indexes',
  'payments.settle_order': BY_ID,
  'status.find_facts': 'project_id in the condition on the hash, and in its index',
}

/** The part of a statement in the same brackets as `index`, without what is in further brackets. */
function toBlock(sql: string, index: number): string {
  let start = index
  for (let depth = 0; start > 0; start -= 1) {
    if (sql[start] === ')') depth += 1
    else if (sql[start] === '(' && --depth < 0) break
  }
  let block = ''
  for (let at = start + (sql[start] === '(' ? 1 : 0), depth = 0; at < sql.length; at += 1) {
    if (sql[at] === '(') depth += 1
    else if (sql[at] === ')' && --depth < 0) break
    else if (depth === 0) block += sql[at]
  }
  return block
}

const KEYWORDS = /^(?:where|join|left|cross|on|set|order|for|limit|group|using|returning|union|offset)$/i

/** The distributed tables of a statement that it does not find by their project, or insert with it. */
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
    const given = new RegExp(String.raw`(?<![.\w])${alias}project_id\s*=|=\s*${alias}project_id\b`, 'i')
    return given.test(toBlock(sql, index)) ? [] : [table]
  })
}

export function placementOf(table: string): Placement {
  return PLACED[table]?.placement ?? 'distributed'
}
