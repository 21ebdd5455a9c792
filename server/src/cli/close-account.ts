import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { toEmailKey } from '../accounts/email-address.ts'
import { ServiceError } from '../lib/service-error.ts'
import { closeAccount } from '../payments/closing/close-account.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'

const REASONS: Readonly<Record<string, string>> = {
  payments_open: 'a payment is open or in review; end it first (npm run pazar -- incidents list)',
  callbacks_queued: 'callbacks are still queued; wait until they are delivered or given up',
}

export const closeAccountCommand: Command = {
  name: 'close-account',
  usage: 'close-account <email>',
  summary:
    'close an account as its owner could: projects without live payments are deleted, live payments stay',
  async run(deps, args) {
    const [email, ...more] = args
    if (!email || more.length > 0) throw new UsageError('Usage: npm run pazar -- close-account <email>')
    const account = await findAccountByEmail(deps.db, toEmailKey(email))
    if (!account) throw new UsageError('No account has this email address.')
    try {
      await closeAccount(deps, account, 'operator')
    } catch (error) {
      const reason = error instanceof ServiceError ? REASONS[error.fields[0]?.code ?? ''] : undefined
      if (reason === undefined) throw error
      throw new UsageError(`Not closed: ${reason}.`)
    }
    return `The account of ${email} is closed. A confirmation is mailed to this address.`
  },
}
