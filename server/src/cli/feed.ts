import { startEpoch } from '../feed/feed-store.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'

const USAGE = 'feed restart'

export const feed: Command = {
  name: 'feed',
  usage: USAGE,
  summary:
    'after a restore from a backup or a failover that lost data: refuse the cursors of events given before',
  details:
    'Readers of /sdk/events/list get 410 cursor_expired with the cursor to continue from. Running it once too often only makes them repeat a request.',
  async run(deps, args) {
    if (args.length !== 1 || args[0] !== 'restart') throw new UsageError(`Usage: npm run pazar -- ${USAGE}`)
    await deps.db.transaction((tx) => startEpoch(tx))
    deps.log.warn('the cursors of events were restarted')
    return 'Cursors from before now are refused with cursor_expired and the place to continue from.'
  },
}
