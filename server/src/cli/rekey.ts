import { rekeySecrets } from '../secrets/rekey.ts'
import type { Command } from './command.ts'

export const rekey: Command = {
  name: 'rekey',
  usage: 'rekey',
  summary: 'seal all secrets under SECRETS_KEY; afterwards SECRETS_KEY_PREVIOUS can go',
  async run(deps) {
    const changed = await rekeySecrets(deps)
    return `Sealed anew: ${changed}.`
  },
}
