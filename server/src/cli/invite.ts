import { email as emailRule } from '@pazar/contract'
import { parseLocale } from '@pazar/words'
import { inviteAccount } from '../accounts/invite.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'

export const invite: Command = {
  name: 'invite',
  usage: 'invite <email> [cnr|en]',
  summary: 'create an account while sign-up is closed; a link to set the password is mailed to that address',
  async run(deps, args) {
    const [email = '', language = 'cnr', ...more] = args
    const locale = parseLocale(language)
    if (!emailRule.safeParse(email).success || !locale || more.length > 0) {
      throw new UsageError('Usage: npm run pazar -- invite <email> [cnr|en]')
    }
    const account = await inviteAccount(deps, email, locale)
    return `A link to set the password is on its way to ${account.email}; it works for an hour.`
  },
}
