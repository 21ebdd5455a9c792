import { startEpoch } from '../feed/feed-store.ts'
import { findKnownUntil } from '../reconciliation/close-gate.ts'
import type { Command } from './command.ts'
import { parseFlags, UsageError } from './command.ts'
import { parseTime } from './parse-time.ts'

const USAGE = 'feed restart [--since <time>]'

export const feed: Command = {
  name: 'feed',
  usage: USAGE,
  summary:
    'refuse all cursors of /sdk/events/list that were issued until now; for a failover that lost data, or a restored backup',
  details: `Readers get 410 cursor_expired with a new cursor. With the new cursor they read the events since --since again. The
time of --since must be before the loss. The default is ten minutes before the newest payment or refund; if there is none, ten
minutes before the first start of the service. Running the command once too often does no harm: readers
only read some events again.`,
  async run(deps, args) {
    const { values, positionals } = parseFlags(USAGE, args, { since: { type: 'string' } } as const)
    if (positionals.length !== 1 || positionals[0] !== 'restart')
      throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    const since =
      values.since === undefined
        ? await findKnownUntil(deps)
        : parseTime('--since', values.since, deps.clock.nowMs())
    await deps.db.transaction((tx) => startEpoch(tx, since))
    deps.log.warn('all cursors of events that were issued until now were refused')
    return 'Cursors that were issued until now are refused with cursor_expired and a new cursor.'
  },
}
