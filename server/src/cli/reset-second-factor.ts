import { FACTOR_RESET_WAIT_HOURS } from '@pazar/contract'
import { cancelFactorReset, requestFactorReset } from '../accounts/factors/reset-factors.ts'
import type { Command } from './command.ts'
import { parseFlags, RefusedError, UsageError } from './command.ts'

const USAGE = 'reset-second-factor <email> [--cancel]'

export const resetSecondFactor: Command = {
  name: 'reset-second-factor',
  usage: USAGE,
  summary: `remove passkeys, app and recovery codes of somebody who lost all of them, ${FACTOR_RESET_WAIT_HOURS} hours after a mail to their address`,
  details:
    'Check first who is asking, and not by mail alone. A sign-in with a second factor cancels the removal, and so does --cancel. Afterwards all sessions end, and live secrets and refunds wait for another day.',
  async run(deps, args) {
    const { values, positionals } = parseFlags(USAGE, args, { cancel: { type: 'boolean', default: false } })
    const [email, ...more] = positionals
    if (!email || more.length > 0) throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    if (values.cancel) {
      if (!(await cancelFactorReset(deps, email))) throw new RefusedError('There is no removal to cancel.')
      return `The removal of the second factors of ${email} is cancelled.`
    }
    const result = await requestFactorReset(deps, email)
    if (result === 'no account') throw new UsageError('No account has this email address.')
    if (result === 'no second factor') throw new RefusedError('This account has no second factor.')
    if (result === 'already requested') throw new RefusedError('This was already requested; its time stays.')
    return `A mail to ${email} announces it. The second factors are removed after ${result.dueAt.toISOString()}.`
  },
}
