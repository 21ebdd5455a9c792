import type { Config } from '../../config.ts'
import type { Db } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { SealBox } from '../../lib/seal.ts'

export interface MailDeps {
  config: Config
  db: Db
  clock: Clock
  log: Logger
  /** Seals the tokens of links while their mail is queued in the database. */
  mailTokens: SealBox
}
