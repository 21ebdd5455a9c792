// The operator's commands. They use the service's settings and database. All but backup and restore can run while the
// service runs.
import path from 'node:path'
import { ConfigError, loadConfig } from '../config.ts'
import type { Config } from '../config.ts'
import {
  EmbeddedPostgresError,
  findRunningUrl,
  requireDatabase,
  startEmbeddedPostgres,
} from '../db/embedded.ts'
import { migrate, MigrationError } from '../db/migrate.ts'
import { createLogger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { wire } from '../wire.ts'
import type { Command, Printed } from './command.ts'
import {
  RefusedError,
  toDatabaseRefusal,
  toHelp,
  toPrinted,
  toUnavailableRefusal,
  UsageError,
} from './command.ts'
import { accounts } from './accounts.ts'
import { backup, restore } from './backup.ts'
import { books } from './books.ts'
import { callbacks } from './callbacks.ts'
import { checkCallbacks } from './check-callbacks.ts'
import { closeAccountCommand } from './close-account.ts'
import { currency } from './currency.ts'
import { doctor, runDoctor } from './doctor.ts'
import { feed } from './feed.ts'
import { incidents } from './incidents.ts'
import { invite } from './invite.ts'
import { payments } from './payments.ts'
import { prune } from './prune.ts'
import { reconcile } from './reconcile.ts'
import { redeliver } from './redeliver.ts'
import { rekey } from './rekey.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import { verify } from './verify.ts'

const COMMANDS: readonly Command[] = [
  accounts,
  invite,
  verify,
  closeAccountCommand,
  resetSecondFactor,
  rekey,
  payments,
  incidents,
  reconcile,
  redeliver,
  checkCallbacks,
  callbacks,
  books,
  currency,
  feed,
  prune,
  backup,
  restore,
]

const MIGRATE = {
  name: 'migrate',
  usage: 'migrate',
  summary: 'migrate the database to this release',
  details:
    'Also creates the tables in an empty database, and creates the embedded database if it is missing. Other commands refuse an empty or missing database. They apply additive migrations, and refuse to run if a migration of another kind is due.',
}

const HELP = ['Usage: npm run pazar -- <command>', '']
  .concat([MIGRATE, doctor, ...COMMANDS].flatMap((one) => [`  ${one.usage}`, `      ${one.summary}`]))
  .join('\n')

async function withDatabase<T>(
  { databaseUrl, dataDir }: Config,
  mayCreate: boolean,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl) return work(databaseUrl)
  const dir = path.join(dataDir, 'postgres')
  if (!mayCreate) await requireDatabase(dir)
  const running = await findRunningUrl(dir, 'pazar')
  if (running) return work(running)
  const embedded = await startEmbeddedPostgres({ dir, log: () => undefined })
  try {
    await embedded.ensureDatabase('pazar')
    return await work(embedded.url('pazar'))
  } finally {
    await embedded.stop()
  }
}

function print({ text, exitCode }: Printed): void {
  console.log(text)
  process.exitCode = exitCode
}

async function runNamed(name: string | undefined, args: readonly string[]): Promise<void> {
  const command = COMMANDS.find((one) => one.name === name)
  if (name === '--help' || name === 'help') return console.log(HELP)
  const known = command ?? [doctor, MIGRATE].find((one) => one.name === name)
  if (!known) throw new UsageError(name === undefined ? HELP : `There is no command "${name}".\n\n${HELP}`)
  if (args.includes('--help')) return console.log(toHelp(known))
  if (known === doctor) return print(await runDoctor(args))
  if (known === MIGRATE && args.length > 0) throw new UsageError(`Usage: npm run pazar -- ${MIGRATE.usage}`)
  const config = loadConfig()
  const prepared = await command?.prepare?.(config, args)
  if (typeof prepared === 'string') return console.log(prepared)
  // A restored backup may be of an older release, so `restore` applies all migrations, as `migrate` does.
  const isCommand = known !== MIGRATE && command !== restore
  await withDatabase(config, known === MIGRATE, async (databaseUrl) => {
    const applied = await migrate(config.databaseDirectUrl ?? databaseUrl, {
      log: (line) => console.error(line),
      isCommand,
    }).catch((error: unknown) => {
      throw toDatabaseRefusal(error) ?? error
    })
    if (!command) {
      console.log(applied === 0 ? 'Nothing to do.' : `Applied: ${applied}.`)
      return
    }
    const deps = await wire(config, { databaseUrl, log: createLogger('error'), isCommand: true })
    try {
      print(toPrinted(await command.run(deps, args)))
    } finally {
      await deps.publicFetch.close()
      await deps.db.close()
    }
  })
}

// EPIPE: a reader such as `head` closed the pipe early. Any other error, such as a full disk, makes the command fail.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  console.error(error.message)
  process.exitCode = 1
})

const [name, ...args] = process.argv.slice(2)
try {
  await runNamed(name, args)
} catch (thrown) {
  const error = toUnavailableRefusal(thrown) ?? thrown
  // The message of these errors is a sentence for the operator. Any other error is printed with its stack.
  const isSentence =
    error instanceof UsageError ||
    error instanceof RefusedError ||
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MigrationError ||
    error instanceof StartError
  console.error(isSentence ? error.message : error)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
