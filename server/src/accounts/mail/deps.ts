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
  /** Seals the token in the link of a mail while the mail is queued in the database. */
  mailTokens: SealBox
}
