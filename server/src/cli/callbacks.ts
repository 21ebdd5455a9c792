import { turnCompactOff, turnCompactOn } from '../callbacks/compact-storage.ts'
import { hasCompactCallbacks } from '../db/installation-store.ts'
import type { Deps } from '../wire.ts'
import type { Command } from './command.ts'
import { RefusedError, UsageError } from './command.ts'

const USAGE = 'callbacks compact [on | off]'

async function turnOn(deps: Deps): Promise<string> {
  const result = await turnCompactOn(deps)
  if (result === 'refused')
    throw new RefusedError(
      'A delivery process of an earlier release is running, and could not send compact callbacks. Upgrade all processes first, and run the command again a few seconds later.',
    )
  if (result === 'already on') return 'Compact storage is on already.'
  deps.log.warn('compact storage of callbacks was turned on')
  return 'Compact storage is on. Delivery processes of earlier releases are refused until it is turned off.'
}

async function turnOff(deps: Deps): Promise<string> {
  const stored = await turnCompactOff(deps)
  deps.log.warn({ stored }, 'compact storage of callbacks was turned off')
  return `Compact storage is off. Queued callbacks that are now stored in the form of earlier releases: ${stored}. Earlier releases may run again.`
}

export const callbacks: Command = {
  name: 'callbacks',
  usage: USAGE,
  summary: 'show whether callbacks are stored in the compact form, or turn that on or off',
  details: `In the compact form, a delivered callback costs the database about half as much work as in the form of earlier releases (docs/decisions/0011). Earlier releases cannot read it.
  on     after an upgrade, when every process runs this release, including processes that only serve pages; refused while a delivery process of an earlier release is running
  off    before a rollback: takes at least 15 s, and stores callbacks again in the form of earlier releases. If it is interrupted, run it again
A new installation stores callbacks in the compact form. Both commands can be run while the service runs. Nothing is sent twice or lost.

Exit codes: 0 done, 1 refused, 2 wrong usage.`,
  async run(deps, args) {
    const [what, state, ...more] = args
    if (what !== 'compact' || more.length > 0) throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    if (state === undefined)
      return `Compact storage is ${(await hasCompactCallbacks(deps.db)) ? 'on' : 'off'}.`
    if (state === 'on') return turnOn(deps)
    if (state === 'off') return turnOff(deps)
    throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
  },
}
