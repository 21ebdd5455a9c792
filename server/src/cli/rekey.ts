import { rekeyFactors } from '../accounts/rekey-factors.ts'
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
    return `Sealed again: secrets ${secrets}, waiting mails ${mails}, second factors ${factors}, installation keys ${keys}.`
  },
}
