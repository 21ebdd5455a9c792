import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { toEmailKey } from '../accounts/email-address.ts'
import { ServiceError } from '../lib/service-error.ts'
import { closeAccount } from '../payments/closing/close-account.ts'
import { hasLivePayments } from '../payments/closing/closing-store.ts'
import { refuseIfUnfinished } from '../payments/closing/delete-project.ts'
import { listOwnedProjects } from '../projects/projects-store.ts'
import type { Account } from '../accounts/account.ts'
import type { Deps } from '../wire.ts'
import type { Command } from './command.ts'
import { parseFlags, RefusedError, toCell, toTable, UsageError } from './command.ts'

const USAGE = 'close-account <email> [--dry-run]'

const REASONS: Readonly<Record<string, string>> = {
  payments_open: 'a payment is open or in review; end it first (npm run pazar -- incidents list)',
  callbacks_queued: 'callbacks are still queued; wait until they are delivered or given up',
}

async function preview({ db }: Deps, account: Account): Promise<string> {
  const projects = await listOwnedProjects(db, account.id)
  await refuseIfUnfinished(
    db,
    'account',
    projects.map(({ id }) => id),
  )
  const rows: string[][] = []
  for (const { id, name } of projects)
    rows.push([
      `  ${id}`,
      toCell(name),
      (await hasLivePayments(db, id)) ? 'archived, because of its live payments' : 'deleted',
    ])
  return [
    `The account of ${toCell(account.email, 254)} would be erased. Its projects: ${projects.length}.`,
    ...(rows.length === 0 ? [] : [toTable(rows)]),
    'Dry run: nothing was changed.',
  ].join('\n')
}

export async function closeByOperator(deps: Deps, email: string, isDry: boolean): Promise<string> {
  const account = await findAccountByEmail(deps.db, toEmailKey(email))
  if (!account) throw new RefusedError('No account has this email address.')
  try {
    if (isDry) return await preview(deps, account)
    await closeAccount(deps, account, 'operator')
  } catch (error) {
    const reason = error instanceof ServiceError ? REASONS[error.fields[0]?.code ?? ''] : undefined
    if (reason === undefined) throw error
    throw new RefusedError(`Not closed: ${reason}.`)
  }
  return `The account of ${email} is closed. A confirmation is mailed to this address.`
}

export const closeAccountCommand: Command = {
  name: 'close-account',
  usage: USAGE,
  summary:
    'close an account as its owner could: projects without live payments are deleted, live payments stay',
  details: 'The same as "accounts close".\n  --dry-run   says what would happen and changes nothing',
  async run(deps, args) {
    const { values, positionals } = parseFlags(USAGE, args, {
      'dry-run': { type: 'boolean', default: false },
    })
    const [email, ...more] = positionals
    if (!email || more.length > 0) throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    return closeByOperator(deps, email, values['dry-run'])
  },
}
