// Backup and restore of the embedded database. An installation with DATABASE_URL uses the tools of PostgreSQL.
import path from 'node:path'
import type { Config } from '../config.ts'
import { backUpEmbedded, restoreEmbedded } from '../db/embedded-backup.ts'
import { findStoppedSince } from '../db/gate-view.ts'
import { applyRestoredFrom } from '../reconciliation/close-gate.ts'
import { systemClock, toDate } from '../lib/clock.ts'
import { toReconcileCommand } from './advice.ts'
import type { Command } from './command.ts'
import { RefusedError, UsageError } from './command.ts'

const KEY_NOTE =
  'The key of the secrets (SECRETS_KEY or DATA_DIR/secrets.key) is not part of the backup: store the key elsewhere.'

function requireEmbedded(config: Config): string {
  if (config.databaseUrl !== null)
    throw new RefusedError(
      'DATABASE_URL is set, so the database is not the embedded one. Use the tools of PostgreSQL, such as pg_dump: "Backups" in docs/operate.md has the commands.',
    )
  return path.join(config.dataDir, 'postgres')
}

function requireDirectory(usage: string, args: readonly string[]): string {
  const [directory] = args
  if (directory === undefined || args.length !== 1 || directory.startsWith('-'))
    throw new UsageError(`Usage: npm run pazar -- ${usage}`)
  return directory
}

const BACKUP_USAGE = 'backup <directory>'
export const backup: Command = {
  name: 'backup',
  usage: BACKUP_USAGE,
  summary: 'copy the embedded database to a new directory; the service must be stopped',
  details: KEY_NOTE,
  async prepare(config, args) {
    const targetDir = requireDirectory(BACKUP_USAGE, args)
    await backUpEmbedded(requireEmbedded(config), targetDir)
    return `The database was copied to ${path.resolve(targetDir)}. ${KEY_NOTE}`
  },
  // Never called: `prepare` has done everything.
  run: async () => '',
}

const RESTORE_USAGE = 'restore <directory>'
export const restore: Command = {
  name: 'restore',
  usage: RESTORE_USAGE,
  summary: 'replace the embedded database with a backup; the service must be stopped',
  details:
    'The previous files stay in DATA_DIR, under another name. Payments, refunds and callbacks are stopped until reconcile --since has run: the upstream may have charged payers since the backup.',
  async prepare(config, args) {
    const from = requireDirectory(RESTORE_USAGE, args)
    const at = toDate(systemClock.nowMs()).toISOString()
    const restore = { label: at.replaceAll(/[:.]/g, ''), name: `backup ${from} at ${at}` }
    const replaced = await restoreEmbedded(requireEmbedded(config), from, restore)
    if (replaced !== null) console.error(`The previous files are in ${replaced}.`)
    return null
  },
  async run(deps) {
    await applyRestoredFrom(deps)
    const since = await findStoppedSince(deps.db)
    return `Restored. Payments are stopped until you run: ${toReconcileCommand(since ?? toDate(0))}`
  },
}
