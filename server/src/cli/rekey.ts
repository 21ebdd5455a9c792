import { hasLostFactors, rekeyFactors } from '../accounts/rekey-factors.ts'
import { rekeyMails } from '../accounts/mail/rekey-mails.ts'
import { rekeyInstallationKeys } from '../secrets/installation-keys.ts'
import { rekeyNextSecrets } from '../secrets/next-secret.ts'
import { rekeySecrets } from '../secrets/rekey.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'

export const rekey: Command = {
  name: 'rekey',
  usage: 'rekey',
  summary:
    'seal all secrets, installation keys, second factors and the links in waiting mails again, with the current SECRETS_KEY; afterwards SECRETS_KEY_PREVIOUS can be removed',
  async run(deps, args) {
    if (args.length > 0) throw new UsageError('Usage: npm run pazar -- rekey')
    const secrets = (await rekeySecrets(deps)) + (await rekeyNextSecrets(deps))
    const mails = await rekeyMails(deps)
    const factors = await rekeyFactors(deps)
    const keys = await rekeyInstallationKeys(deps)
    const text = `Sealed again: secrets ${secrets}, waiting mails ${mails}, second factors ${factors}, installation keys ${keys}.`
    if (!(await hasLostFactors(deps))) return text
    return {
      text: `${text}\nSome second factors are sealed under another key, and their owners cannot sign in. Set SECRETS_KEY_PREVIOUS to that key, and run rekey again.`,
      exitCode: 1,
    }
  },
}
