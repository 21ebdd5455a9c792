import { FACTOR_RESET_WAIT_HOURS, RECOVERY_WAIT_HOURS } from '@pazar/contract'
import { cancelFactorReset, requestFactorReset } from '../accounts/factors/reset-factors.ts'
import type { Command } from './command.ts'
import { parseFlags, RefusedError, UsageError } from './command.ts'

const USAGE = 'reset-second-factor <email> [--cancel]'

export const resetSecondFactor: Command = {
  name: 'reset-second-factor',
  usage: USAGE,
  summary: `mail someone who lost all second factors, and ${FACTOR_RESET_WAIT_HOURS} hours later remove their passkeys, authenticator app and recovery codes`,
  details: `Check first who is asking, and not by mail alone. A sign-in with a second factor cancels the removal, and so does --cancel. When the factors are removed, all sessions end. For the next ${RECOVERY_WAIT_HOURS} hours, live secrets cannot be shown or rotated, and nothing can be refunded in the portal.`,
  async run(deps, args) {
    const { values, positionals } = parseFlags(USAGE, args, { cancel: { type: 'boolean', default: false } })
    const [email, ...more] = positionals
    if (!email || more.length > 0) throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    if (values.cancel) {
      if (!(await cancelFactorReset(deps, email))) throw new RefusedError('There is no removal to cancel.')
      return `The removal of the second factors of ${email} is cancelled.`
    }
    const result = await requestFactorReset(deps, email)
    if (result === 'no account') throw new RefusedError('No account has this email address.')
    if (result === 'no second factor') throw new RefusedError('This account has no second factor.')
    if (result === 'already requested')
      throw new RefusedError(
        'The removal was already requested. It takes effect at the time that the first request set.',
      )
    return `A mail to ${email} announces the removal. The second factors are removed after ${result.dueAt.toISOString()}.`
  },
}
