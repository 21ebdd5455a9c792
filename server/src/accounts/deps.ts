import type { Config } from '../config.ts'
import type { Installation } from '../db/installation-store.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { SealBox } from '../lib/seal.ts'
import type { Passwords } from './passwords.ts'

/** What accounts need from outside; rooms further left extend it. */
export interface AccountDeps {
  config: Config
  installation: Installation
  db: Db
  clock: Clock
  log: Logger
  metrics: Metrics
  passwords: Passwords
  /** Seals the tokens of mailed links while their mail waits in the database. */
  mailTokens: SealBox
}
