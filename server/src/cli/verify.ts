import { verifyAccount } from '../accounts/kyc.ts'
import type { Command } from './command.ts'
import { RefusedError, UsageError } from './command.ts'

export const verify: Command = {
  name: 'verify',
  usage: 'verify <email>',
  summary: "record that an account owner's identity has been checked",
  async run(deps, args) {
    const [email, ...more] = args
    if (!email || more.length > 0) throw new UsageError('Usage: npm run pazar -- verify <email>')
    const account = await verifyAccount(deps, email)
    if (!account) throw new RefusedError('No account has this email address.')
    const verified = `${account.email} is verified.`
    // Anybody can sign up with an address that is not theirs.
    if (account.emailConfirmedAt !== null) return verified
    return `${verified}\nThis address is not confirmed. Make sure that the account was not opened by somebody else.`
  },
}
