// Finds the rows that a store function changes in the tables of LABELS. The transaction is rolled back, so every case
// starts with the same rows.
import type { Db, Tx } from '../src/db/pool.ts'
import { rows } from './accounts.ts'

/** The columns whose values label a row in the result. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['id'],
  sessions: ['account_id', 'user_agent'],
  devices: ['account_id', 'token_hash'],
  api_tokens: ['account_id', 'name'],
  mail_tokens: ['account_id', 'purpose'],
  mails: ['account_id', 'kind'],
  totp_factors: ['account_id'],
  recovery_codes: ['account_id', 'number'],
  passkeys: ['account_id', 'name'],
  factor_resets: ['account_id'],
  pending_sign_ins: ['account_id'],
  audit_events: ['account_id', 'action', 'project_id'],
  projects: ['id'],
  project_brands: ['project_id'],
  project_members: ['project_id', 'account_id'],
  project_invitations: ['project_id', 'email'],
  project_transfers: ['project_id'],
  project_secrets: ['project_id', 'mode'],
  next_secrets: ['project_id'],
}

const SELECT_ALL = Object.keys(LABELS)
  .map((table) => `select '${table}' as "table", to_jsonb(t) as row from ${table} t`)
  .join(' union all ')

type Names = ReadonlyMap<string, string>

async function readAll(tx: Tx, names: Names): Promise<Map<string, string>> {
  const found = await rows<{ table: string; row: Record<string, unknown> }>(tx, SELECT_ALL)
  return new Map(
    found.map(({ table, row }) => {
      const parts = LABELS[table]!.map((column) => names.get(String(row[column])) ?? String(row[column]))
      return [JSON.stringify([table, row]), [table, ...parts].join(' ')]
    }),
  )
}

export async function rollBackAfter(db: Db, run: (tx: Tx) => Promise<void>): Promise<void> {
  const rolledBack = new Error('rolled back')
  const work = db.transaction(async (tx) => {
    await run(tx)
    throw rolledBack
  })
  await work.catch((error: unknown) => {
    if (error !== rolledBack) throw error
  })
}

/** The labels of the added, changed and deleted rows. `names` replaces ids and hashes in the labels. */
export async function findChangedRows(
  db: Db,
  names: Names,
  run: (tx: Tx) => Promise<unknown>,
): Promise<string[]> {
  let changed: string[] = []
  await rollBackAfter(db, async (tx) => {
    const before = await readAll(tx, names)
    await run(tx)
    const after = await readAll(tx, names)
    const labels = [...before, ...after].filter(([row]) => before.has(row) !== after.has(row))
    changed = [...new Set(labels.map(([, label]) => label))].toSorted()
  })
  return changed
}
