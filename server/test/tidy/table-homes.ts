// Each table has one home folder. Only the SQL of that folder may name the table, and other folders call functions of the
// folder's stores. The rule also finds a table without a home, and an exception that is no longer used.
// Why this is long: it lists all tables and exceptions.
import { IS_STORE } from './places.ts'
import { codeOutsideTests, inFolder } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

type Homes = Readonly<Record<string, string>>
type Join = { file: string; tables: string; why: string }
type Use = { file: string; line: number; table: string }

/** Each folder of server/src with the tables whose home it is. */
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
    why: 'one statement reads what a pay page or a new payment needs to know about its link',
  },
  {
    file: 'checkout/shown-payment-store.ts',
    tables: 'accounts project_brands projects transactions',
    why: 'each waiting payer polls a payment page, so the page is read in one statement',
  },
  {
    file: 'payments/payments-store.ts',
    tables: 'installation',
    why: 'one statement compares the currency of a payment with the recorded currency and opens the payment',
  },
  {
    file: 'payments/reads/status-store.ts',
    tables: 'project_secrets',
    why: 'one statement reads the secrets and the payments for several status checks',
  },
  {
    file: 'payments/reads/list-store.ts',
    tables: 'callback_attempts callback_states',
    why: 'one statement reads a page of payments and the callback of each payment',
  },
  {
    file: 'payments/reads/timeline-store.ts',
    tables: 'callbacks',
    why: 'the timeline of a payment finds its callbacks and its bank step in one statement',
  },
  {
    file: 'payments/reads/today-store.ts',
    tables: 'callback_states callbacks project_members projects',
    why: 'one statement reads all projects for the first page of the portal',
  },
  {
    file: 'payments/reads/first-steps-store.ts',
    tables: 'callbacks new_callbacks',
    why: 'the portal polls the first steps in one statement',
  },
  {
    file: 'projects/projects-store.ts',
    tables: 'accounts',
    why: 'one statement reads a project and whether its owner is verified',
  },
  {
    file: 'accounts/closing-store.ts',
    tables: 'projects',
    why: 'one statement removes the person of a closed account from the history of all projects of other people',
  },
  {
    file: 'projects/members-store.ts',
    tables: 'accounts',
    why: 'one statement reads the members of a project and their email addresses',
  },
  {
    file: 'callbacks/fetch-store.ts',
    tables: 'event_streams project_secrets projects',
    why: 'a fetch reads the URL, secret and listeners of each lane in one statement, so that all three are current',
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
    why: 'the statement that inserts a callback also reads whether compact storage is on at this moment',
  },
  {
    file: 'callbacks/outbox-store.ts',
    tables: 'projects',
    why: 'a callback is found by its id alone: the key of callbacks begins with the project, so each project is searched',
  },
  {
    file: 'callbacks/resend-store.ts',
    tables: 'transactions',
    why: 'the payments of a checkout are found by an index of payments; an index of all callbacks by checkout would get a new entry for every payment and delivery',
  },
  {
    file: 'callbacks/retention-store.ts',
    tables: 'projects',
    why: 'old attempts are searched project by project, because their index begins with the project',
  },
  {
    file: 'feed/feed-store.ts',
    tables: 'transactions',
    why: 'an event shows texts of its payment, but not after these texts were erased',
  },
  {
    file: 'statements/statement-store.ts',
    tables: 'transactions',
    why: 'an entry shows the charge of its payment; the upstream may report the charge after the payment was posted',
  },
  {
    file: 'statements/backfill-store.ts',
    tables: 'installation projects transactions',
    why: 'one statement posts the payments that are older than the ledger; triggers post the later payments',
  },
  {
    file: 'feed/feed-store.ts',
    tables: 'projects',
    why: 'only projects that still exist get a head of their feed: a project may be deleted before the head is locked',
  },
  {
    file: 'deliveries/log-store.ts',
    tables: 'callback_attempts callback_states callbacks new_callbacks',
    why: 'the delivery log reads the callbacks with filters that no other folder needs',
  },
  {
    file: 'deliveries/log-walk-store.ts',
    tables: 'callback_attempts callback_states callbacks',
    why: 'the delivery log reads the callbacks with filters that no other folder needs',
  },
  {
    file: 'deliveries/failures-store.ts',
    tables: 'callback_attempts callbacks',
    why: 'one statement groups the callbacks of the outbox by cause of failure',
  },
  {
    file: 'deliveries/outage-mails-store.ts',
    tables: 'accounts callback_attempts callback_lanes callbacks new_callbacks projects',
    why: 'while a lane is locked, its outage mail is chosen and addressed, and the lane is marked as notified',
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
      ({ path }) => inFolder(path, 'server/src') && (IS_STORE.test(path) || inFolder(path, 'server/src/db')),
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
      text: `the table ${table} belongs to server/src/${homeOf.get(table)}: call a function of the store there`,
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
          text: `the table ${table} has no home: add it to HOMES in server/test/tidy/table-homes.ts`,
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
        text: `server/src/${file} does not name ${table} any more: remove ${table} from JOINS`,
      })),
  )
}

const NAME_AND_ALIAS = String.raw`\w+(?:\s+(?:as\s+)?\w+)?`
/** A table follows each of these words. After `from`, a list of tables may follow. */
const AFTER_KEYWORD = new RegExp(
  String.raw`\b(?:from|join|into|update|using|table|only)\s+(?=(${NAME_AND_ALIAS}(?:\s*,\s*${NAME_AND_ALIAS})*))`,
  'gi',
)
/** A statement may insert a fragment of SQL after its `from`. Such a fragment begins with the table. */
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
