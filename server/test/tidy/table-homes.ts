// Each table has one home: only the SQL of that folder may name it, and other folders call its store functions. The rule also
// finds a table without a home, and an exception that is no longer used.
// Why this is long: it lists all tables and exceptions.
import { codeOutsideTests, inFolder } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

type Homes = Readonly<Record<string, string>>
type Join = { file: string; tables: string; why: string }
type Use = { file: string; line: number; table: string }

/** Which folder of server/src may name which tables. */
const HOMES: Homes = {
  accounts:
    'accounts api_tokens audit_events devices factor_resets lockout_buckets mail_tokens mails passkey_challenges passkeys pending_sign_ins project_invitations recovery_codes sessions totp_factors',
  backends: 'sandbox_charges sandbox_refunds stripe_charges upstream_accounts',
  statements: 'ledger_backfill ledger_days ledger_entries ledger_quarters',
  callbacks:
    'callback_attempts callback_figures callback_lanes callback_states callbacks delivery_processes inbox_requests new_callbacks',
  db: 'installation loop_heartbeats',
  disputes: 'disputes',
  feed: 'feed_epochs feed_events feed_heads feed_inbox feed_restarts',
  payments:
    'erasure_progress erasure_waiting incident_mails incidents incidents_to_mail lookup_budgets payment_figures transaction_counts transactions upstream_reports',
  portal: 'portal_files',
  projects: 'project_brands project_members project_transfers projects',
  refunds: 'refunds',
  secrets: 'installation_keys next_secrets project_secrets',
  streams: 'event_streams',
}

/** Files that may use tables of other folders, and why. */
const JOINS: readonly Join[] = [
  {
    file: 'secrets/next-secrets-store.ts',
    tables: 'accounts',
    why: 'a prepared secret becomes invalid when the person who prepared it changes their password',
  },
  {
    file: 'checkout/pay-target-store.ts',
    tables: 'accounts project_brands project_secrets projects transactions',
    why: 'every pay page and payment reads its link in one statement',
  },
  {
    file: 'checkout/shown-payment-store.ts',
    tables: 'accounts project_brands projects transactions',
    why: 'every payment page is one statement, polled by each waiting payer',
  },
  {
    file: 'payments/payments-store.ts',
    tables: 'installation',
    why: 'a payment in another currency than the recorded one must not be opened, not even between two statements',
  },
  {
    file: 'payments/reads/status-store.ts',
    tables: 'project_secrets',
    why: 'checkStatus reads secrets and payment in one statement, batched over requests',
  },
  {
    file: 'payments/reads/list-store.ts',
    tables: 'callback_attempts callback_states',
    why: 'a page of payments shows the callback of each in one statement',
  },
  {
    file: 'payments/reads/timeline-store.ts',
    tables: 'callbacks',
    why: 'the timeline of a payment finds its callbacks and its bank step in one statement',
  },
  {
    file: 'payments/reads/today-store.ts',
    tables: 'callback_states callbacks project_members projects',
    why: 'the first page of the portal shows all projects in one statement',
  },
  {
    file: 'payments/reads/first-steps-store.ts',
    tables: 'callbacks new_callbacks',
    why: 'the portal polls the first steps in one statement',
  },
  {
    file: 'projects/projects-store.ts',
    tables: 'accounts',
    why: 'a project is read with the verification of its owner in one statement',
  },
  {
    file: 'accounts/closing-store.ts',
    tables: 'projects',
    why: 'a closed account may appear in the history of many projects of other people, even long ago',
  },
  {
    file: 'projects/members-store.ts',
    tables: 'accounts',
    why: 'members are shown and mailed by their addresses',
  },
  {
    file: 'callbacks/fetch-store.ts',
    tables: 'event_streams project_secrets projects',
    why: 'a fetch reads URL, secret and listeners of each lane in one statement, so that all are current',
  },
  {
    file: 'callbacks/lane-store.ts',
    tables: 'projects',
    why: 'a process becomes the owner of a lane and reads the host of its callbacks in one statement',
  },
  {
    file: 'callbacks/recover-store.ts',
    tables: 'projects',
    why: 'an interrupted attempt is logged with the URL it went to',
  },
  {
    file: 'callbacks/response-times-store.ts',
    tables: 'projects',
    why: 'a delivery is counted only if its project exists: the project may have been deleted since the delivery',
  },
  {
    file: 'callbacks/new-callbacks-store.ts',
    tables: 'installation',
    why: 'the form in which a callback is stored may change between an earlier read and the insert',
  },
  {
    file: 'callbacks/outbox-store.ts',
    tables: 'projects',
    why: 'a callback is found by its id alone, but the key of callbacks begins with the project',
  },
  {
    file: 'callbacks/resend-store.ts',
    tables: 'transactions',
    why: 'payments have an index by checkout; the same index of callbacks would cost every payment and delivery an entry',
  },
  {
    file: 'callbacks/retention-store.ts',
    tables: 'projects',
    why: 'old attempts are searched project by project, because their index begins with the project',
  },
  {
    file: 'feed/feed-store.ts',
    tables: 'transactions',
    why: 'an event shows texts of its payment, and must not show them after they are erased',
  },
  {
    file: 'statements/statement-store.ts',
    tables: 'transactions',
    why: 'an entry shows the charge of its payment, which the upstream may report after the payment was posted',
  },
  {
    file: 'statements/backfill-store.ts',
    tables: 'installation projects transactions',
    why: 'one statement posts the payments that are older than the ledger, as triggers post the later payments',
  },
  {
    file: 'feed/feed-store.ts',
    tables: 'projects',
    why: 'a project may be deleted before the head of its feed is locked',
  },
  {
    file: 'deliveries/log-store.ts',
    tables: 'callback_attempts callback_states callbacks new_callbacks',
    why: 'the delivery log is a view of the outbox, built from filters that only the log knows',
  },
  {
    file: 'deliveries/log-walk-store.ts',
    tables: 'callback_attempts callback_states callbacks',
    why: 'the delivery log is a view of the outbox, built from filters that only the log knows',
  },
  {
    file: 'deliveries/failures-store.ts',
    tables: 'callback_attempts callbacks',
    why: 'one statement groups the callbacks of the outbox by cause of failure',
  },
  {
    file: 'deliveries/outage-mails-store.ts',
    tables: 'accounts callback_attempts callback_lanes callbacks new_callbacks projects',
    why: 'an outage mail is chosen, addressed and marked under one lock of its lane',
  },
  {
    file: 'streams/events-store.ts',
    tables: 'callback_attempts callback_states project_secrets',
    why: 'a stream reads its callbacks with their secrets in one statement per batch',
  },
  {
    file: 'demo/history-store.ts',
    tables: 'callback_attempts callbacks sandbox_charges transactions',
    why: 'the demo inserts made-up payments of the past, which no use case of the service can write',
  },
]

export function checkTableHomes(
  files: readonly SourceFile[],
  { homes, joins }: { homes: Homes; joins: readonly Join[] } = { homes: HOMES, joins: JOINS },
): Finding[] {
  const homeOf = new Map(
    Object.entries(homes).flatMap(([folder, tables]) => tables.split(' ').map((table) => [table, folder])),
  )
  const uses = codeOutsideTests(files)
    // checkSql finds SQL in all other files.
    .filter(
      ({ path }) =>
        inFolder(path, 'server/src') && (path.endsWith('store.ts') || inFolder(path, 'server/src/db')),
    )
    .flatMap((file) => listUses(file, new Set(homeOf.keys())))
  const isJoin = ({ file, table }: Use) =>
    joins.some((join) => file === `server/src/${join.file}` && join.tables.split(' ').includes(table))
  const foreignUses = uses.filter((use) => folderOf(use.file) !== homeOf.get(use.table) && !isJoin(use))
  return [
    ...findTablesWithoutHome(files, homeOf),
    ...foreignUses.map(({ file, line, table }) => ({
      file,
      line,
      text: `${table} belongs to server/src/${homeOf.get(table)}: call a function of its store`,
    })),
    ...findStaleJoins(joins, uses),
  ]
}

function folderOf(path: string): string {
  return path.split('/')[2] ?? ''
}

function findTablesWithoutHome(files: readonly SourceFile[], homeOf: ReadonlyMap<string, string>): Finding[] {
  return files
    .filter(({ path }) => inFolder(path, 'server/migrations'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)]
        .filter(([, table = '']) => !homeOf.has(table))
        .map(({ 1: table, index }) => ({
          file: path,
          line: lineAt(text, index),
          text: `${table} has no home: add it to HOMES in server/test/tidy/table-homes.ts`,
        })),
    )
}

function findStaleJoins(joins: readonly Join[], uses: readonly Use[]): Finding[] {
  return joins.flatMap(({ file, tables }) =>
    tables
      .split(' ')
      .filter((table) => !uses.some((use) => use.file === `server/src/${file}` && use.table === table))
      .map((table) => ({
        file: 'server/test/tidy/table-homes.ts',
        line: 1,
        text: `server/src/${file} does not name ${table} any more: remove it from JOINS`,
      })),
  )
}

const NAME_AND_ALIAS = String.raw`\w+(?:\s+(?:as\s+)?\w+)?`
/** These words are followed by a table, and `from` also by a list of tables. */
const AFTER_KEYWORD = new RegExp(
  String.raw`\b(?:from|join|into|update|using|table|only)\s+(?=(${NAME_AND_ALIAS}(?:\s*,\s*${NAME_AND_ALIAS})*))`,
  'gi',
)
/** A fragment of SQL, which another statement inserts after `from`, begins with the table. */
const FRAGMENT_START = /^\s*(\w+)\s+\w/g

function listUses(file: SourceFile, tables: ReadonlySet<string>): Use[] {
  return file.tokens.flatMap((token) => {
    if (token.kind !== 'string' && token.kind !== 'template') return []
    const matches = [...token.text.matchAll(AFTER_KEYWORD), ...token.text.matchAll(FRAGMENT_START)]
    return matches.flatMap(({ 1: list = '', index }) =>
      list
        .split(',')
        .map((one) => one.trim().split(/\s/)[0] ?? '')
        .filter((table) => tables.has(table))
        .map((table) => ({ file: file.path, line: token.line + lineAt(token.text, index) - 1, table })),
    )
  })
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
