import { CHECKED_DAYS } from '../payments/lost-results-store.ts'
import { reportLostResults } from '../payments/lost-results.ts'
import type { Command } from './command.ts'
import { toTable, UsageError } from './command.ts'

/** Lost results usually have one cause, so a longer list would not help. */
const SHOWN_MAX = 50

export const checkCallbacks: Command = {
  name: 'check-callbacks',
  usage: 'check-callbacks',
  summary: `check that every ended payment of the last ${CHECKED_DAYS} days has a callback, and that every delivered callback has an attempt that arrived`,
  details: `Every process that delivers callbacks runs the same check at its start and then once a day. Missing results are printed, and raise one incident a day (callbacks_lost).

Exit codes: 0 nothing is missing, 1 something is, 2 wrong usage.`,
  async run(deps, args) {
    if (args.length > 0) throw new UsageError('Usage: npm run pazar -- check-callbacks')
    const { checked, lost } = await reportLostResults(deps)
    if (lost.length === 0) return `Payments checked: ${checked}. No result is missing.`
    const rows = lost
      .slice(0, SHOWN_MAX)
      .map(({ transactionId, callbackId }) => [transactionId, callbackId ?? 'no callback'])
    return {
      text: `Payments checked: ${checked}. Missing results: ${lost.length}\n${toTable([['payment', 'callback'], ...rows])}`,
      exitCode: 1,
    }
  },
}
